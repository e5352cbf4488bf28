<?xml version="1.0" encoding="utf-8"?>
<!DOCTYPE TS>
<TS version="2.1" language="zh_CN" sourcelanguage="en">
<context>
    <name>AnswerViewsText</name>
    <message>
        <source>%1, backward of %2</source>
        <translation>%1，%2 的反向</translation>
    </message>
    <message>
        <source>%1, recomputing %2</source>
        <translation>%1，重计算 %2</translation>
    </message>
    <message>
        <source>%1, forward of %2</source>
        <translation>%1，%2 的前向</translation>
    </message>
    <message>
        <source>forward</source>
        <translation>前向</translation>
    </message>
    <message>
        <source>backward</source>
        <translation>反向</translation>
    </message>
    <message>
        <source>optimizer</source>
        <translation>优化器</translation>
    </message>
    <message>
        <source>keep everything</source>
        <translation>全部保留</translation>
    </message>
    <message>
        <source>full layer</source>
        <translation>整层重计算</translation>
    </message>
    <message numerus="yes">
        <source>every %n layer(s)</source>
        <translation>
            <numerusform>每 %n 层</numerusform>
        </translation>
    </message>
    <message>
        <source>FFN only</source>
        <translation>仅 FFN</translation>
    </message>
    <message>
        <source>attention only</source>
        <translation>仅注意力</translation>
    </message>
    <message>
        <source>attention core only</source>
        <translation>仅注意力核心</translation>
    </message>
    <message>
        <source>article&apos;s greedy</source>
        <translation>文章的贪心法</translation>
    </message>
    <message>
        <source>optimal</source>
        <translation>最优</translation>
    </message>
    <message>
        <source>full layer, to its end</source>
        <translation>整层，直到末尾</translation>
    </message>
    <message>
        <source>Chen, square root</source>
        <translation>Chen，平方根分段</translation>
    </message>
    <message>
        <source>Chen, greedy</source>
        <translation>Chen，贪心分段</translation>
    </message>
    <message>
        <source>Megatron uniform %1</source>
        <translation>Megatron 均匀分组 %1</translation>
    </message>
    <message>
        <source>Megatron block %1</source>
        <translation>Megatron 前段 %1</translation>
    </message>
    <message>
        <source>llm.c -r 1</source>
        <translation>llm.c -r 1</translation>
    </message>
    <message>
        <source>llm.c -r 2</source>
        <translation>llm.c -r 2</translation>
    </message>
    <message>
        <source>rotor, 500 slots</source>
        <translation>rotor，500 个显存单位</translation>
    </message>
    <message>
        <source>torchtitan selective</source>
        <translation>torchtitan 选择性</translation>
    </message>
    <message>
        <source>PyTorch&apos;s knapsack</source>
        <translation>PyTorch 的背包</translation>
    </message>
    <message>
        <source>optimal, layers again</source>
        <translation>最优，层可重跑</translation>
    </message>
    <message>
        <source>gradient of a weight, until the optimizer step</source>
        <translation>权重梯度，保留到优化器步骤</translation>
    </message>
    <message>
        <source>output of a stage</source>
        <translation>阶段的输出</translation>
    </message>
    <message>
        <source>kept for the backward</source>
        <translation>为反向保留</translation>
    </message>
    <message>
        <source>in use now</source>
        <translation>正在使用</translation>
    </message>
    <message>
        <source>gradient of an activation</source>
        <translation>激活值的梯度</translation>
    </message>
    <message>
        <source>workspace</source>
        <translation>工作区</translation>
    </message>
    <message numerus="yes">
        <source>and %n more; click: all of them</source>
        <translation>
            <numerusform>还有 %n 个；单击查看全部</numerusform>
        </translation>
    </message>
    <message>
        <source>resident</source>
        <translation>常驻</translation>
    </message>
    <message>
        <source>weights, optimizer state and inputs, throughout</source>
        <translation>权重、优化器状态和输入，始终存在</translation>
    </message>
    <message>
        <source>%1: %2</source>
        <comment>time: what runs</comment>
        <translation>%1：%2</translation>
    </message>
</context>
<context>
    <name>BatchMapText</name>
    <message>
        <source>budget</source>
        <translation>预算</translation>
    </message>
    <message>
        <source>batch</source>
        <translation>批大小</translation>
    </message>
    <message>
        <source>batch %1, %2</source>
        <translation>批大小 %1，%2</translation>
    </message>
    <message>
        <source>%1: not solved yet</source>
        <translation>%1：尚未求解</translation>
    </message>
    <message>
        <source>%1: %2 time</source>
        <translation>%1：时间 %2</translation>
    </message>
    <message>
        <source>%1: no plan fits; the least is %2</source>
        <translation>%1：没有方案放得下；最低为 %2</translation>
    </message>
</context>
<context>
    <name>FieldHelpText</name>
    <message>
        <source>The shape of a model that can be picked by name. Source: its authors&apos; config.json, one file each in resources/presets; files in the presets folder of your configuration join them.</source>
        <translation>可以按名称选择的模型形状。来源：作者的 config.json，每个一份文件，位于 resources/presets；你的配置目录中 presets 文件夹里的文件也会加入。</translation>
    </message>
    <message>
        <source>L, the number of blocks. Weights, saved activations and time grow in proportion to it; embedding and head do not.</source>
        <translation>L，块的数量。权重、保留的激活值和时间与它成正比；嵌入层和输出头不随它变化。</translation>
    </message>
    <message>
        <source>C, the width of the residual stream. A block has 4 C² weights in attention and 2 C F in its FFN; a tensor of the stream has B T C numbers.</source>
        <translation>C，残差流的宽度。一个块在注意力中有 4 C² 个权重，在前馈网络中有 2 C F 个；残差流的一个张量有 B T C 个数。</translation>
    </message>
    <message>
        <source>H, the heads of attention; each has C / H columns. Where the scores are stored, each head keeps T × T numbers of every sequence.</source>
        <translation>H，注意力的头数；每个头有 C / H 列。若保存分数，每个头为每条序列保留 T × T 个数。</translation>
    </message>
    <message>
        <source>Heads of keys and values: as many as heads, or fewer that groups of heads share. Source: Ainslie et al., 2023 (grouped-query attention).</source>
        <translation>键和值的头数：与头数相同，或更少，由各组头共用。来源：Ainslie 等，2023（分组查询注意力）。</translation>
    </message>
    <message>
        <source>F, the width inside the FFN, usually 4 C. Its tensors of B T F numbers are the largest of a block; a gated FFN (SwiGLU) has three.</source>
        <translation>F，前馈网络内部的宽度，通常为 4 C。它的张量有 B T F 个数，是块中最大的；带门控的前馈网络（SwiGLU）有三个。</translation>
    </message>
    <message>
        <source>V, the rows of the embedding. The head&apos;s logits have B T V numbers and often set the peak; chunks of the loss head divide them.</source>
        <translation>V，嵌入表的行数。输出头的 logits 有 B T V 个数，常常决定峰值；损失头分块可以把它们分开。</translation>
    </message>
    <message>
        <source>The longest sequence that the model has positions for. Learned positions are weights: C numbers each.</source>
        <translation>模型有位置编码的最长序列。学习得到的位置是权重：每个有 C 个数。</translation>
    </message>
    <message>
        <source>The most bytes that may be allocated at any instant of the step: weights, gradients, optimizer, saved activations and working memory. On a card it starts at capacity − context − reserve.</source>
        <translation>这一步任一时刻最多可分配的字节：权重、梯度、优化器、保留的激活值和临时显存。在显卡上从“容量 − 上下文 − 预留”开始。</translation>
    </message>
    <message>
        <source>B, the sequences of one micro-batch. Activations and time grow in proportion to it, weights and optimizer do not.</source>
        <translation>B，一个微批中的序列数。激活值和时间与它成正比，权重和优化器不随它变化。</translation>
    </message>
    <message>
        <source>T, the tokens of one sequence. Tensors of the stream grow with T, stored scores with T², and so does the time of attention.</source>
        <translation>T，一条序列的 token 数。残差流的张量随 T 增长，保存的分数随 T² 增长，注意力的时间也是如此。</translation>
    </message>
    <message>
        <source>How numbers are stored. fp32 takes 4 bytes; bf16 takes 2 for weights, activations and gradients, while statistics, loss and the optimizer&apos;s moments stay fp32. Master weights add 4 bytes for every weight (Micikevicius et al., 2018).</source>
        <translation>数的存储方式。fp32 占 4 字节；bf16 的权重、激活值和梯度占 2 字节，统计量、损失和优化器的矩仍为 fp32。主权重为每个权重再加 4 字节（Micikevicius 等，2018）。</translation>
    </message>
    <message>
        <source>Blocked: the T × T scores exist only in small blocks; B H T numbers are kept for backward (Dao et al., 2022). Scores stored: B H T² numbers are kept.</source>
        <translation>分块：T × T 的分数只以小块存在，为反向保留 B H T 个数（Dao 等，2022）。保存分数：保留 B H T² 个数。</translation>
    </message>
    <message>
        <source>Whole: all B T V logits at once. k chunks: B T V / k at a time, gradients at once, and nothing of the head runs again.</source>
        <translation>整体：一次算出全部 B T V 个 logits。k 块：每次 B T V / k 个，立即求梯度，输出头不会重算。</translation>
    </message>
    <message>
        <source>Masks are made from a counter instead of being stored, so that a second forward drops the same elements; they take no memory.</source>
        <translation>掩码由计数器生成而不保存，因此第二次前向丢弃相同的元素；它们不占显存。</translation>
    </message>
    <message>
        <source>What is kept of every weight between steps: AdamW two fp32 moments, 8 bytes (Loshchilov and Hutter, 2019); SGD and none nothing.</source>
        <translation>每个权重在各步之间保留的内容：AdamW 为两个 fp32 矩，8 字节（Loshchilov 和 Hutter，2019）；SGD 和“无”不保留。</translation>
    </message>
    <message>
        <source>The rule by which the step decides what to keep. Optimal: the least time within the budget, proved, when each layer runs forward once. The others are rules that people use; all are judged by the same replay. Source of each: docs/planner.md.</source>
        <translation>这一步决定保留什么的规则。最优：在预算内、每层只做一次前向时时间最少，并有证明。其他是人们使用的规则；全部由同一个重放来评判。各规则的来源见 docs/planner.md。</translation>
    </message>
    <message>
        <source>What really runs the step: this CPU in fp32; a GPU, whose memory pool tells what it took; or the GPU&apos;s kernels emulated on this CPU, for tiny steps. Source: docs/runs.md.</source>
        <translation>真正运行训练步的机器：这个 CPU（fp32）；GPU，其内存池会给出所占字节；或在这个 CPU 上仿真 GPU 的内核，用于很小的训练步。来源：docs/runs.md。</translation>
    </message>
    <message>
        <source>Whose training step is described. Own run: this program&apos;s executor, every byte of which a run here can confirm. PyTorch: what the code of transformers asks of the CUDA allocator, replayed op by op; it was held against records of real steps (docs/memory-model.md).</source>
        <translation>描述的是谁的训练步。自身运行：本程序的执行器，在此运行即可逐字节核实。PyTorch：transformers 的代码向 CUDA 分配器申请的内容，逐算子重演；已与真实训练步的记录核对(docs/memory-model.md)。</translation>
    </message>
    <message>
        <source>Forward and backward passes of one step, whose gradients are added up. From two on, the gradients of the first stay while the others run.</source>
        <translation>一步中前向与反向的次数，梯度累加。从两次起，后面的微批次运行时前面的梯度一直在显存中。</translation>
    </message>
    <message>
        <source>bf16, fp16: weights, values and gradients in 2 bytes. AMP: fp32 weights; autocast casts them for each product and keeps the copies until forward ends. fp32: 4 bytes, TF32 off. Source: PyTorch&apos;s autocast lists.</source>
        <translation>bf16、fp16：权重、数值和梯度各占 2 字节。AMP：权重为 fp32；autocast 在每次乘法前转换它们，副本保留到前向结束。fp32：4 字节，关闭 TF32。来源：PyTorch 的 autocast 列表。</translation>
    </message>
    <message>
        <source>SDPA: flash where half precision and no mask allow it, efficient or math where not, as PyTorch chooses. Eager: scores and probabilities of B H T² numbers are tensors, and are saved.</source>
        <translation>SDPA：半精度且无掩码时用 flash，否则用 efficient 或 math，由 PyTorch 选择。eager：B H T² 个分数和概率是张量，并被保存。</translation>
    </message>
    <message>
        <source>The model&apos;s own loss turns the logits into fp32 and saves their log softmax: B T V numbers of 4 bytes often set the peak. The sum of logits saves nothing.</source>
        <translation>模型自己的损失把 logits 转为 fp32 并保存其 log softmax：B T V 个 4 字节的数常常决定峰值。logits 求和则什么都不保存。</translation>
    </message>
    <message>
        <source>AdamW takes the roots of all second moments at once (foreach), as many bytes as the weights; fused AdamW makes nothing on the way. Both keep two moments of every weight in its own type.</source>
        <translation>AdamW 一次对所有二阶矩开方(foreach)，占用与权重同样多的字节；fused AdamW 途中不产生任何张量。二者都按权重自身的类型为每个权重保存两个矩。</translation>
    </message>
    <message>
        <source>How torch.utils.checkpoint ends a second run: at the last tensor that backward asks for, at the end of the function, or in the older reentrant way, where nothing inside can be saved by choice.</source>
        <translation>torch.utils.checkpoint 的第二次运行在何处结束：反向要用的最后一个张量处、函数末尾，或旧的可重入方式(其内部不能选择保存)。</translation>
    </message>
    <message>
        <source>Whether gradients of the weights exist before the step, as after zero_grad(set_to_none=False): then they are in memory during forward too.</source>
        <translation>权重的梯度是否在步开始前就存在，如 zero_grad(set_to_none=False) 之后：那么前向期间它们也在显存中。</translation>
    </message>
    <message>
        <source>Whether the script still holds the model&apos;s output, with its logits, when backward runs: outputs = model(...); outputs.loss.backward().</source>
        <translation>反向运行时脚本是否仍持有模型的输出及其 logits：outputs = model(...); outputs.loss.backward()。</translation>
    </message>
    <message>
        <source>use_cache: keys and values of every layer are part of the output. Training wants it off; many scripts forget it.</source>
        <translation>use_cache：每层的键和值都是输出的一部分。训练时应关闭；许多脚本忘了这一点。</translation>
    </message>
    <message>
        <source>Older versions of transformers return fp32 logits and copy them to shift them by one token; current ones shift the labels.</source>
        <translation>旧版 transformers 返回 fp32 的 logits，并复制一份以错开一个词元；现在的版本错开的是标签。</translation>
    </message>
    <message>
        <source>Where the step would run: memory, context and rates. An operation takes the greater of FLOPs / (peak × efficiency) and bytes / (bandwidth × efficiency), plus the launch overhead (roofline: Williams et al., 2009). Source of the figures: the device&apos;s tooltip; this CPU was measured. Beside published times on A100s the roofline is 16 % off for BERT-base&apos;s step in PyTorch and 10 % for a layer of Megatron-LM, on average and most often below (docs/memory-model.md).</source>
        <translation>训练步在哪里运行：显存、上下文和速率。每个运算的时间取 FLOPs /（峰值 × 效率）与字节 /（带宽 × 效率）中的较大者，再加启动开销（屋顶线模型：Williams 等，2009）。数据来源：见设备的提示；本机 CPU 为实测。与公布的 A100 时间相比，屋顶线对 PyTorch 中 BERT-base 的一步平均偏差 16 %，对 Megatron-LM 的一层平均偏差 10 %，多数偏低（docs/memory-model.md）。</translation>
    </message>
    <message>
        <source>Who counts what one GPU of several holds. PyTorch: the simulation of a rank&apos;s step, with closed forms for what ranks share. Paper: sbh(34 + 5as/h) a layer and its forms for TP and SP (Korthikanti et al., 2022), which know three points: none, selective, full. Communication is not counted.</source>
        <translation>由谁来计算多块 GPU 中一块所占的显存。PyTorch：模拟一个 rank 的训练步，rank 之间共享的部分用闭式公式。论文：每层 sbh(34 + 5as/h) 及其 TP、SP 形式（Korthikanti 等，2022），只有三个点：不重计算、选择性、全部。不计通信。</translation>
    </message>
    <message>
        <source>Tensor parallel, t: the GPUs of a group hold 1/t of each product&apos;s columns or rows; t divides heads and FFN width. Source: Shoeybi et al., 2019 (Megatron-LM).</source>
        <translation>张量并行 t：一组 GPU 各持有每个矩阵乘 1/t 的列或行；t 须整除头数和 FFN 宽度。来源：Shoeybi 等，2019（Megatron-LM）。</translation>
    </message>
    <message>
        <source>Sequence parallel: the t GPUs of a group share by tokens what lies between the products, so that all of a layer&apos;s saved bytes are divided by t. Source: Korthikanti et al., 2022, table 2.</source>
        <translation>序列并行：一组中的 t 块 GPU 按词元分担矩阵乘之间的部分，于是每层保留的字节全部除以 t。来源：Korthikanti 等，2022，表 2。</translation>
    </message>
    <message>
        <source>Pipeline stages, p, of L / p layers each. By the schedule 1F1B stage i holds what min(m, p − i) of m micro-batches save: the first one has the most. Source: Narayanan et al., 2021.</source>
        <translation>流水线段数 p，每段 L / p 层。按 1F1B 调度，第 i 段同时持有 m 个微批中 min(m, p − i) 个的保留数据：第一段最多。来源：Narayanan 等，2021。</translation>
    </message>
    <message>
        <source>Copies of the model that each train on batches of their own; alone it spares no memory, with ZeRO the copies divide their states. Samples per second grow in proportion to it.</source>
        <translation>模型的副本数，各自用自己的批训练；单独使用并不节省显存，配合 ZeRO 时各副本分担状态。每秒样本数随之成比例增长。</translation>
    </message>
    <message>
        <source>What the data parallel copies divide among themselves: 1 the optimizer&apos;s states, 2 gradients as well, 3 weights as well, as FSDP does. Source: Rajbhandari et al., 2020 (ZeRO), section 5.</source>
        <translation>数据并行的副本之间分担什么：1 优化器状态，2 还有梯度，3 还有权重（即 FSDP）。来源：Rajbhandari 等，2020（ZeRO），第 5 节。</translation>
    </message>
    <message>
        <source>Where the step really runs: on this computer, or where a launch profile of yours starts the worker, by ssh or through Slurm. &quot;Launch profiles&quot; in the menu Run writes them; the command line takes the same ones (--launch). Source: docs/runs.md.</source>
        <translation>训练步真正在哪里运行：在本机，或由您的启动配置经 ssh 或 Slurm 在别处启动工作进程。“运行”菜单中的“启动配置”用于编写；命令行使用同一批配置（--launch）。来源：docs/runs.md。</translation>
    </message>
</context>
<context>
    <name>Grid</name>
    <message>
        <source>row height follows bytes</source>
        <translation>行高随字节数增大</translation>
    </message>
    <message>
        <source>fill: FLOPs of a layer; row height follows bytes</source>
        <translation>填充：一层的 FLOPs；行高随字节数增大</translation>
    </message>
    <message>
        <source>fill: time to recompute; row height follows bytes</source>
        <translation>填充：重计算所需时间；行高随字节数增大</translation>
    </message>
    <message>
        <source>fill: bytes freed per µs; row height follows bytes</source>
        <translation>填充：每 µs 释放的字节；行高随字节数增大</translation>
    </message>
    <message>
        <source>whole step</source>
        <translation>整个训练步</translation>
    </message>
    <message>
        <source>kept / all, %1</source>
        <translation>保留 / 全部，%1</translation>
    </message>
    <message>
        <source>work, %1</source>
        <translation>计算量，%1</translation>
    </message>
    <message>
        <source>layer</source>
        <translation>层</translation>
    </message>
    <message>
        <source>forward + backward</source>
        <translation>前向 + 反向</translation>
    </message>
    <message>
        <source>kept</source>
        <translation>保留</translation>
    </message>
    <message>
        <source>recomputed</source>
        <translation>重计算</translation>
    </message>
    <message>
        <source>pinned by you</source>
        <translation>由你固定</translation>
    </message>
    <message>
        <source>sets the peak</source>
        <translation>决定峰值</translation>
    </message>
    <message>
        <source>peak</source>
        <translation>峰值</translation>
    </message>
    <message>
        <source>What every layer keeps appears here with the first plan.</source>
        <translation>有了第一个方案后，这里显示每层保留的内容。</translation>
    </message>
</context>
<context>
    <name>GridBuilderText</name>
    <message>
        <source>embedding</source>
        <translation>嵌入</translation>
    </message>
    <message>
        <source>head</source>
        <translation>输出头</translation>
    </message>
    <message>
        <source>step</source>
        <translation>训练步</translation>
    </message>
    <message>
        <source>embedding, head</source>
        <translation>嵌入与输出头</translation>
    </message>
</context>
<context>
    <name>GridRowsText</name>
    <message>
        <source>embedding</source>
        <translation>嵌入</translation>
    </message>
    <message>
        <source>norm 1</source>
        <translation>归一化 1</translation>
    </message>
    <message>
        <source>attention</source>
        <translation>注意力</translation>
    </message>
    <message>
        <source>residual 1</source>
        <translation>残差 1</translation>
    </message>
    <message>
        <source>norm 2</source>
        <translation>归一化 2</translation>
    </message>
    <message>
        <source>FFN</source>
        <translation>FFN</translation>
    </message>
    <message>
        <source>residual 2</source>
        <translation>残差 2</translation>
    </message>
    <message>
        <source>head and loss</source>
        <translation>输出头与损失</translation>
    </message>
    <message>
        <source>Embedding</source>
        <translation>嵌入</translation>
    </message>
    <message>
        <source>Layer %1</source>
        <translation>第 %1 层</translation>
    </message>
    <message>
        <source>Head and loss</source>
        <translation>输出头与损失</translation>
    </message>
</context>
<context>
    <name>LessonFactsText</name>
    <message>
        <source>answer</source>
        <translation>回答</translation>
    </message>
    <message>
        <source>the plan fits its budget</source>
        <translation>方案放得进预算</translation>
    </message>
    <message>
        <source>extra time</source>
        <translation>额外时间</translation>
    </message>
    <message>
        <source>peak</source>
        <translation>峰值</translation>
    </message>
    <message>
        <source>saved for backward</source>
        <translation>为反向保留</translation>
    </message>
    <message>
        <source>weights, optimizer and inputs</source>
        <translation>权重、优化器和输入</translation>
    </message>
    <message>
        <source>operations run again</source>
        <translation>重新执行的运算数</translation>
    </message>
    <message>
        <source>least budget</source>
        <translation>最低预算</translation>
    </message>
    <message>
        <source>peak of keeping everything</source>
        <translation>全部保留的峰值</translation>
    </message>
    <message>
        <source>kept share of %1</source>
        <translation>%1 的保留比例</translation>
    </message>
    <message>
        <source>budget</source>
        <translation>预算</translation>
    </message>
    <message>
        <source>batch</source>
        <translation>批大小</translation>
    </message>
    <message>
        <source>sequence</source>
        <translation>序列长度</translation>
    </message>
    <message>
        <source>layers</source>
        <translation>层数</translation>
    </message>
    <message>
        <source>pins</source>
        <translation>固定数</translation>
    </message>
    <message>
        <source>pin of %1</source>
        <translation>%1 的固定</translation>
    </message>
    <message>
        <source>model</source>
        <translation>模型</translation>
    </message>
    <message>
        <source>device</source>
        <translation>设备</translation>
    </message>
    <message>
        <source>strategy</source>
        <translation>策略</translation>
    </message>
    <message>
        <source>attention</source>
        <translation>注意力</translation>
    </message>
    <message>
        <source>optimizer</source>
        <translation>优化器</translation>
    </message>
    <message>
        <source>selected cell</source>
        <translation>选中的格子</translation>
    </message>
    <message>
        <source>what a cell&apos;s fill means</source>
        <translation>格子填充的含义</translation>
    </message>
    <message>
        <source>run</source>
        <translation>运行</translation>
    </message>
    <message>
        <source>why the run failed</source>
        <translation>运行失败的原因</translation>
    </message>
    <message>
        <source>the run&apos;s peak is the predicted one</source>
        <translation>运行的峰值与预测相同</translation>
    </message>
    <message>
        <source>gradients are bit-equal</source>
        <translation>梯度逐位相等</translation>
    </message>
    <message>
        <source>yes</source>
        <translation>是</translation>
    </message>
    <message>
        <source>no</source>
        <translation>否</translation>
    </message>
    <message>
        <source>%1: %2 (now %3)</source>
        <translation>%1：%2（现在 %3）</translation>
    </message>
    <message>
        <source>%1 below %2 (now %3)</source>
        <translation>%1 低于 %2（现在 %3）</translation>
    </message>
    <message>
        <source>%1 above %2 (now %3)</source>
        <translation>%1 高于 %2（现在 %3）</translation>
    </message>
    <message>
        <source>%1 at most %2 (now %3)</source>
        <translation>%1 不超过 %2（现在 %3）</translation>
    </message>
    <message>
        <source>%1 at least %2 (now %3)</source>
        <translation>%1 不低于 %2（现在 %3）</translation>
    </message>
</context>
<context>
    <name>RegionGridText</name>
    <message>
        <source>layer itself</source>
        <translation>层本身</translation>
    </message>
    <message>
        <source>%1 itself</source>
        <translation>%1 本身</translation>
    </message>
    <message>
        <source>embedding</source>
        <translation>嵌入</translation>
    </message>
    <message>
        <source>head</source>
        <translation>输出头</translation>
    </message>
    <message>
        <source>embedding, head</source>
        <translation>嵌入、输出头</translation>
    </message>
    <message>
        <source>step</source>
        <translation>整步</translation>
    </message>
</context>
<context>
    <name>RegionViewsText</name>
    <message>
        <source>forward</source>
        <translation>前向</translation>
    </message>
    <message>
        <source>backward</source>
        <translation>反向</translation>
    </message>
    <message>
        <source>recomputation</source>
        <translation>重计算</translation>
    </message>
    <message>
        <source>optimizer step</source>
        <translation>优化器步</translation>
    </message>
    <message>
        <source>%1, %2: %3</source>
        <comment>phase, module: op</comment>
        <translation>%1，%2：%3</translation>
    </message>
    <message>
        <source>the loss</source>
        <translation>损失</translation>
    </message>
    <message>
        <source>the model itself</source>
        <translation>模型本身</translation>
    </message>
    <message>
        <source>optimizer</source>
        <translation>优化器</translation>
    </message>
    <message>
        <source>the layer itself</source>
        <translation>层本身</translation>
    </message>
    <message>
        <source>saved by autograd</source>
        <translation>由 autograd 保存</translation>
    </message>
    <message>
        <source>No region reaches here.</source>
        <translation>这里不在任何区域内。</translation>
    </message>
    <message>
        <source>Layer %1 runs once: no region.</source>
        <translation>第 %1 层只运行一次：没有区域。</translation>
    </message>
    <message>
        <source>Layer %1 is run again in backward: %2.</source>
        <translation>第 %1 层在反向中重新运行：%2。</translation>
    </message>
    <message>
        <source>Click a cell, or move with the arrow keys, to see what PyTorch saves there and what runs again.</source>
        <translation>单击一个单元格，或用方向键移动，查看 PyTorch 在那里保存什么、重新运行什么。</translation>
    </message>
    <message>
        <source>Here that saves %1 and takes %2.</source>
        <translation>在这里节省 %1，耗时 %2。</translation>
    </message>
    <message>
        <source>What is made here is kept or not needed; %1 of it runs again on the way.</source>
        <translation>这里产生的内容已保留或不再需要；其中 %1 顺带重新运行。</translation>
    </message>
    <message>
        <source>weights</source>
        <translation>权重</translation>
    </message>
    <message>
        <source>inputs, buffers</source>
        <translation>输入、缓冲</translation>
    </message>
    <message>
        <source>gradients</source>
        <translation>梯度</translation>
    </message>
    <message>
        <source>saved by forward</source>
        <translation>前向保存的</translation>
    </message>
    <message>
        <source>made on the way</source>
        <translation>途中产生的</translation>
    </message>
    <message>
        <source>peak allocated</source>
        <translation>已分配峰值</translation>
    </message>
    <message>
        <source>slack below the budget</source>
        <translation>距预算的余量</translation>
    </message>
    <message>
        <source>over the budget</source>
        <translation>超出预算</translation>
    </message>
    <message>
        <source>saved for backward</source>
        <translation>为反向保留</translation>
    </message>
    <message>
        <source>reserved</source>
        <translation>已保留(reserved)</translation>
    </message>
    <message>
        <source>%1 to %2</source>
        <translation>%1 至 %2</translation>
    </message>
    <message>
        <source>on the device</source>
        <translation>设备上合计</translation>
    </message>
    <message numerus="yes">
        <source>%n layer(s) would run in another way.</source>
        <translation>
            <numerusform>有 %n 层会以另一种方式运行。</numerusform>
        </translation>
    </message>
    <message>
        <source>Nothing here: the device has no room for more.</source>
        <translation>在此无益：设备没有更多空间。</translation>
    </message>
    <message>
        <source>From %1 on a plan fits.</source>
        <translation>从 %1 起有方案放得下。</translation>
    </message>
    <message>
        <source>Nothing: the fastest plan is shown already.</source>
        <translation>无益：显示的已是最快的方案。</translation>
    </message>
    <message>
        <source>Choose the optimal strategy to see what more memory would buy.</source>
        <translation>选择最优策略，即可看到更多显存能换来什么。</translation>
    </message>
</context>
<context>
    <name>Ruler</name>
    <message>
        <source>budget %1</source>
        <translation>显存预算 %1</translation>
    </message>
    <message>
        <source>keep everything %1</source>
        <translation>全部保留 %1</translation>
    </message>
    <message>
        <source>least %1</source>
        <translation>最少 %1</translation>
    </message>
    <message>
        <source>weights</source>
        <translation>权重</translation>
    </message>
    <message>
        <source>gradients</source>
        <translation>梯度</translation>
    </message>
    <message>
        <source>optimizer</source>
        <translation>优化器</translation>
    </message>
    <message>
        <source>inputs</source>
        <translation>输入</translation>
    </message>
    <message>
        <source>saved activations</source>
        <translation>保留的激活值</translation>
    </message>
    <message>
        <source>working memory</source>
        <translation>临时显存</translation>
    </message>
    <message>
        <source>saved</source>
        <translation>激活值</translation>
    </message>
    <message>
        <source>working</source>
        <translation>临时</translation>
    </message>
</context>
<context>
    <name>RunPass</name>
    <message>
        <source>check</source>
        <translation>检查</translation>
    </message>
    <message>
        <source>memory pass</source>
        <translation>显存测量</translation>
    </message>
    <message>
        <source>timing pass</source>
        <translation>计时测量</translation>
    </message>
    <message>
        <source>gradients of the plan</source>
        <translation>方案的梯度</translation>
    </message>
    <message>
        <source>gradients of keeping everything</source>
        <translation>全部保留时的梯度</translation>
    </message>
</context>
<context>
    <name>SweepMapText</name>
    <message>
        <source>no step to plan: %1</source>
        <translation>没有可规划的训练步：%1</translation>
    </message>
    <message>
        <source>does not fit; the least is %1</source>
        <translation>放不下；最低需要 %1</translation>
    </message>
    <message>
        <source>does not fit</source>
        <translation>放不下</translation>
    </message>
    <message>
        <source>%1 time</source>
        <translation>时间 %1</translation>
    </message>
    <message>
        <source>peak %1</source>
        <translation>峰值 %1</translation>
    </message>
    <message>
        <source>step %1</source>
        <translation>一步 %1</translation>
    </message>
    <message>
        <source>%1 samples/s</source>
        <translation>每秒 %1 个样本</translation>
    </message>
</context>
<context>
    <name>Verdict</name>
    <message>
        <source>peak %1 of %2</source>
        <translation>峰值 %1，预算 %2</translation>
    </message>
    <message>
        <source>Not solved yet</source>
        <translation>尚未求解</translation>
    </message>
    <message>
        <source>Does not fit</source>
        <translation>放不下</translation>
    </message>
    <message>
        <source>least possible %1, budget %2</source>
        <translation>最少需要 %1，预算 %2</translation>
    </message>
    <message>
        <source>Fits</source>
        <translation>放得下</translation>
    </message>
    <message>
        <source>without recomputing</source>
        <translation>无需重计算</translation>
    </message>
    <message>
        <source>%1 time</source>
        <translation>时间 %1</translation>
    </message>
    <message>
        <source>with %1 more: %2 time</source>
        <translation>再加 %1：时间 %2</translation>
    </message>
    <message>
        <source>Fits the budget, not the device</source>
        <translation>符合预算，但超出设备显存</translation>
    </message>
    <message>
        <source>peak %1, room for %2</source>
        <translation>峰值 %1，可用 %2</translation>
    </message>
</context>
<context>
    <name>WhyText</name>
    <message>
        <source>With %1 the step takes %2 instead of %3.</source>
        <translation>有 %1 时，一步的额外时间为 %2，现在为 %3。</translation>
    </message>
    <message>
        <source>The plan would then %1.</source>
        <translation>方案随之会：%1。</translation>
    </message>
    <message>
        <source>the embedding</source>
        <translation>嵌入层</translation>
    </message>
    <message>
        <source>the head</source>
        <translation>输出头</translation>
    </message>
    <message>
        <source>layer %1</source>
        <translation>第 %1 层</translation>
    </message>
    <message>
        <source>all layers</source>
        <translation>所有层</translation>
    </message>
    <message>
        <source>layers %1</source>
        <translation>第 %1 层</translation>
    </message>
    <message>
        <source>keep %1 in %2</source>
        <translation>在%2保留 %1</translation>
    </message>
    <message>
        <source>recompute %1 in %2</source>
        <translation>在%2重计算 %1</translation>
    </message>
    <message numerus="yes">
        <source>change %n more</source>
        <translation>
            <numerusform>另改 %n 处</numerusform>
        </translation>
    </message>
    <message>
        <source>resident throughout</source>
        <translation>始终常驻</translation>
    </message>
    <message>
        <source>outputs of layers</source>
        <translation>各层的输出</translation>
    </message>
    <message>
        <source>kept inside layers</source>
        <translation>层内保留</translation>
    </message>
    <message>
        <source>gradient between layers</source>
        <translation>层间梯度</translation>
    </message>
    <message>
        <source>weight gradients so far</source>
        <translation>已算出的权重梯度</translation>
    </message>
    <message>
        <source>working memory of this op</source>
        <translation>此运算的临时显存</translation>
    </message>
    <message>
        <source>peak</source>
        <translation>峰值</translation>
    </message>
    <message>
        <source>slack below the budget</source>
        <translation>预算以下的余量</translation>
    </message>
    <message>
        <source>over the budget</source>
        <translation>超出预算</translation>
    </message>
    <message>
        <source>With %1 the step takes as long: %2.</source>
        <translation>预算为 %1 时，训练步用时不变：%2。</translation>
    </message>
    <message>
        <source>With %1 the step takes %2 less.</source>
        <translation>预算为 %1 时，训练步用时减少 %2。</translation>
    </message>
    <message>
        <source>With %1 the step takes %2 more.</source>
        <translation>预算为 %1 时，训练步用时增加 %2。</translation>
    </message>
</context>
<context>
    <name>core</name>
    <message>
        <source>Keep one of them.</source>
        <translation>请只保留其中一个。</translation>
    </message>
    <message>
        <source>{0} is outside {1} to {2}.</source>
        <translation>{0} 不在 {1} 到 {2} 之间。</translation>
    </message>
    <message>
        <source>Use a whole number from {1} to {2}.</source>
        <translation>请使用 {1} 到 {2} 的整数。</translation>
    </message>
    <message>
        <source>Lower the batch or the budget, or close other programs.</source>
        <translation>请减小批大小或显存预算，或关闭其他程序。</translation>
    </message>
    <message>
        <source>Run remat-worker --self-test; if it passes, please report this.</source>
        <translation>请运行 remat-worker --self-test；如果通过，请报告此问题。</translation>
    </message>
    <message>
        <source>The file cannot be read: {0}.</source>
        <translation>无法读取该文件：{0}。</translation>
    </message>
    <message>
        <source>Check the path and the permissions.</source>
        <translation>请检查路径和权限。</translation>
    </message>
    <message>
        <source>The file has {0}; at most {1} are read.</source>
        <translation>该文件有 {0}；最多读取 {1}。</translation>
    </message>
    <message>
        <source>Open a model, chain, plan, document or report file of this program, or a config.json.</source>
        <translation>请打开本程序的模型、链、方案、文档或报告文件，或一个 config.json。</translation>
    </message>
    <message>
        <source>The file cannot be written: {0}.</source>
        <translation>无法写入该文件：{0}。</translation>
    </message>
    <message>
        <source>Choose a folder that exists, is writable and has room.</source>
        <translation>请选择一个存在、可写且有空间的文件夹。</translation>
    </message>
    <message>
        <source>&quot;{0}&quot; is not a size.</source>
        <translation>“{0}”不是大小。</translation>
    </message>
    <message>
        <source>&quot;{0}&quot; is out of range.</source>
        <translation>“{0}”超出范围。</translation>
    </message>
    <message>
        <source>Sizes go from 0 to 2^61 bytes.</source>
        <translation>大小的范围是 0 到 2^61 字节。</translation>
    </message>
    <message>
        <source>This is not JSON: {0}.</source>
        <translation>这不是 JSON：{0}。</translation>
    </message>
    <message>
        <source>Open the file in an editor at that place, or export it again.</source>
        <translation>请在编辑器中打开该文件并查看该处，或重新导出。</translation>
    </message>
    <message>
        <source>The JSON is nested deeper than {0} levels.</source>
        <translation>JSON 的嵌套超过 {0} 层。</translation>
    </message>
    <message>
        <source>Files of this program need fewer than ten.</source>
        <translation>本程序的文件不到十层。</translation>
    </message>
    <message>
        <source>The key &quot;{0}&quot; stands twice in one object.</source>
        <translation>键“{0}”在一个对象中出现了两次。</translation>
    </message>
    <message>
        <source>The key is missing.</source>
        <translation>缺少该键。</translation>
    </message>
    <message>
        <source>Add it.</source>
        <translation>请加上它。</translation>
    </message>
    <message>
        <source>Expected {0}, found {1}.</source>
        <translation>应为 {0}，却是 {1}。</translation>
    </message>
    <message>
        <source>Correct the value.</source>
        <translation>请更正该值。</translation>
    </message>
    <message>
        <source>The list has {0} entries; at most {1} are read.</source>
        <translation>列表有 {0} 项；最多读取 {1} 项。</translation>
    </message>
    <message>
        <source>Shorten the list.</source>
        <translation>请缩短列表。</translation>
    </message>
    <message>
        <source>Expected format &quot;{0}&quot; version {1}, found {2}.</source>
        <translation>应为格式“{0}”版本 {1}，却是 {2}。</translation>
    </message>
    <message>
        <source>The chain has no stages.</source>
        <translation>该链没有阶段。</translation>
    </message>
    <message>
        <source>Give it at least one stage; a model&apos;s chain is printed by &quot;remat chain&quot;.</source>
        <translation>请至少给它一个阶段；模型的链可用“remat chain”打印。</translation>
    </message>
    <message>
        <source>Stage {0} has no options.</source>
        <translation>阶段 {0} 没有选项。</translation>
    </message>
    <message>
        <source>Give it at least one way to run: what it keeps, and what its backward then costs.</source>
        <translation>请至少给出一种运行方式：它保留什么，反向因此要付出多少。</translation>
    </message>
    <message>
        <source>The chain has more than {0} options in all.</source>
        <translation>该链的选项总数超过 {0}。</translation>
    </message>
    <message>
        <source>Drop options that others beat, or merge stages.</source>
        <translation>请去掉不如其他选项的选项，或合并阶段。</translation>
    </message>
    <message>
        <source>An option is called &quot;none&quot;, which schedules use for a forward that keeps nothing.</source>
        <translation>有一个选项名为“none”，而调度用它表示不保留任何内容的前向。</translation>
    </message>
    <message>
        <source>Rename the option.</source>
        <translation>请给该选项改名。</translation>
    </message>
    <message>
        <source>Two options of stage {0} are called &quot;{1}&quot;.</source>
        <translation>阶段 {0} 有两个选项都叫“{1}”。</translation>
    </message>
    <message>
        <source>Give every option of a stage its own name.</source>
        <translation>请给一个阶段的每个选项各取一个名字。</translation>
    </message>
    <message>
        <source>Stages {0} and {1} are both of kind &quot;{2}&quot; but their numbers differ.</source>
        <translation>阶段 {0} 和 {1} 的种类都是“{2}”，但数值不同。</translation>
    </message>
    <message>
        <source>Stages of one kind must be identical; rename one kind or leave it out.</source>
        <translation>同一种类的阶段必须完全相同；请改一个种类名，或不写种类。</translation>
    </message>
    <message>
        <source>The last stage has a gradient of {0} with respect to its output; it must be 0.</source>
        <translation>最后一个阶段对其输出的梯度是 {0}；它必须为 0。</translation>
    </message>
    <message>
        <source>The last stage computes the loss, so nothing feeds a gradient into it.</source>
        <translation>最后一个阶段计算损失，因此没有梯度传入它。</translation>
    </message>
    <message>
        <source>backward_temp_bytes is {0}, but what this backward makes beyond what it frees is {1}.</source>
        <translation>backward_temp_bytes 是 {0}，但该反向产生的比它释放的多 {1}。</translation>
    </message>
    <message>
        <source>The temporary bytes of a backward include the gradients that it makes.</source>
        <translation>反向的临时字节包括它产生的梯度。</translation>
    </message>
    <message>
        <source>The {0} of the chain add up to more than 2^61.</source>
        <translation>该链的 {0} 之和超过 2^61。</translation>
    </message>
    <message>
        <source>Use smaller numbers; sizes are in bytes and times in nanoseconds.</source>
        <translation>请使用较小的数；大小以字节计，时间以纳秒计。</translation>
    </message>
    <message>
        <source>Export the schedule again; it does not belong to this chain or was edited.</source>
        <translation>请重新导出调度；它不属于该链，或被改动过。</translation>
    </message>
    <message>
        <source>Op {0} names stage {1}, but the chain has {2}.</source>
        <translation>操作 {0} 指向阶段 {1}，但该链有 {2} 个阶段。</translation>
    </message>
    <message>
        <source>Op {0} uses option {1} of stage {2}, which has {3}.</source>
        <translation>操作 {0} 使用阶段 {2} 的选项 {1}，而该阶段有 {3} 个选项。</translation>
    </message>
    <message>
        <source>Op {0} needs the input of stage {1}, which does not exist.</source>
        <translation>操作 {0} 需要阶段 {1} 的输入，而它不存在。</translation>
    </message>
    <message>
        <source>Op {0} needs the output of stage {1}, which does not exist.</source>
        <translation>操作 {0} 需要阶段 {1} 的输出，而它不存在。</translation>
    </message>
    <message>
        <source>Op {0} needs what stage {1} keeps inside, which does not exist.</source>
        <translation>操作 {0} 需要阶段 {1} 内部保留的内容，而它不存在。</translation>
    </message>
    <message>
        <source>Op {0} makes the output of stage {1}, which exists already.</source>
        <translation>操作 {0} 产生阶段 {1} 的输出，而它已经存在。</translation>
    </message>
    <message>
        <source>Op {0} makes what stage {1} keeps inside, which exists already.</source>
        <translation>操作 {0} 产生阶段 {1} 内部保留的内容，而它已经存在。</translation>
    </message>
    <message>
        <source>Op {0} runs the forward of stage {1} again, which may run once only.</source>
        <translation>操作 {0} 再次运行阶段 {1} 的前向，而它只能运行一次。</translation>
    </message>
    <message>
        <source>Op {0} is the backward of stage {1}, but stage {2} is the next to go backward.</source>
        <translation>操作 {0} 是阶段 {1} 的反向，但下一个应做反向的是阶段 {2}。</translation>
    </message>
    <message>
        <source>Op {0} is a second backward of stage {1}.</source>
        <translation>操作 {0} 是阶段 {1} 的第二次反向。</translation>
    </message>
    <message>
        <source>Op {0} comes after the last backward, which ends the step.</source>
        <translation>操作 {0} 在最后一个反向之后，而训练步到那里就结束了。</translation>
    </message>
    <message>
        <source>The schedule ends after {0} ops, before the backward of stage {1}.</source>
        <translation>调度在 {0} 个操作后结束，阶段 {1} 的反向还没有做。</translation>
    </message>
    <message>
        <source>At op {0} the time passes 2^61 ns.</source>
        <translation>在操作 {0} 处时间超过 2^61 ns。</translation>
    </message>
    <message>
        <source>&quot;{0}&quot; is not a pin.</source>
        <translation>“{0}”不是固定项。</translation>
    </message>
    <message>
        <source>Write a place, a target and a wish: L3.ffn_up=keep, L3.ffn=recompute, *.gelu=recompute or head.logits=keep.</source>
        <translation>请写出位置、目标和要求：L3.ffn_up=keep、L3.ffn=recompute、*.gelu=recompute 或 head.logits=keep。</translation>
    </message>
    <message>
        <source>There is no layer {0}; the last one is {1}.</source>
        <translation>没有第 {0} 层；最后一层是第 {1} 层。</translation>
    </message>
    <message>
        <source>Name a layer of this model, or * for all of them.</source>
        <translation>请指明该模型的一层，或用 * 表示所有层。</translation>
    </message>
    <message>
        <source>The training step of the profile {1} has no stage &quot;{0}&quot; to pin.</source>
        <translation>计算口径 {1} 的训练步没有可以固定的阶段“{0}”。</translation>
    </message>
    <message>
        <source>Name a layer, such as L0, or * for all of them.</source>
        <translation>请指明一层，例如 L0，或用 * 表示所有层。</translation>
    </message>
    <message>
        <source>&quot;{0}&quot; names nothing in this stage.</source>
        <translation>“{0}”在该阶段中不指任何内容。</translation>
    </message>
    <message>
        <source>Name one of: {1}.</source>
        <translation>请指明以下之一：{1}。</translation>
    </message>
    <message>
        <source>No backward reads what &quot;{0}&quot; makes, so it is never kept and never costs memory.</source>
        <translation>没有反向读取“{0}”的结果，因此它从不保留，也不占显存。</translation>
    </message>
    <message>
        <source>Remove this pin, or name one of: {1}.</source>
        <translation>请去掉该固定项，或指明以下之一：{1}。</translation>
    </message>
    <message>
        <source>&quot;{0}&quot; is pinned to keep and to recompute.</source>
        <translation>“{0}”同时被固定为保留和重计算。</translation>
    </message>
    <message>
        <source>Remove one of the two pins.</source>
        <translation>请去掉两个固定项中的一个。</translation>
    </message>
    <message>
        <source>With these pins {0} has no granularity left that the profile allows.</source>
        <translation>有了这些固定项，{0} 已没有该计算口径允许的粒度。</translation>
    </message>
    <message>
        <source>Remove a pin.</source>
        <translation>请去掉一个固定项。</translation>
    </message>
    <message>
        <source>There is no op &quot;{0}&quot;.</source>
        <translation>没有操作“{0}”。</translation>
    </message>
    <message>
        <source>Use &quot;forward&quot;, &quot;backward&quot; or &quot;free&quot;.</source>
        <translation>请使用“forward”、“backward”或“free”。</translation>
    </message>
    <message>
        <source>There is no object &quot;{0}&quot; to free.</source>
        <translation>没有可以释放的对象“{0}”。</translation>
    </message>
    <message>
        <source>Use &quot;x&quot; for a stage&apos;s output or &quot;s&quot; for what it keeps inside.</source>
        <translation>请用“x”表示阶段的输出，用“s”表示它内部保留的内容。</translation>
    </message>
    <message>
        <source>Stage {0} ({1}) has no option &quot;{2}&quot;.</source>
        <translation>阶段 {0}（{1}）没有选项“{2}”。</translation>
    </message>
    <message>
        <source>Use &quot;none&quot; or a name from the stage&apos;s options in the chain.</source>
        <translation>请使用“none”，或链中该阶段的某个选项名。</translation>
    </message>
    <message>
        <source>These are costs of the device &quot;{0}&quot;.</source>
        <translation>这是设备“{0}”的开销数据。</translation>
    </message>
    <message>
        <source>A measured rate of {0} a second is outside 0 to {1}.</source>
        <translation>测得的速率每秒 {0} 不在 0 到 {1} 之间。</translation>
    </message>
    <message>
        <source>The processor&apos;s name has {0} bytes, more than {1}.</source>
        <translation>处理器的名称有 {0} 字节，超过 {1}。</translation>
    </message>
    <message>
        <source>There is no kind of device &quot;{0}&quot;.</source>
        <translation>没有设备类型“{0}”。</translation>
    </message>
    <message>
        <source>Use &quot;cpu&quot; or &quot;cuda&quot;.</source>
        <translation>请使用“cpu”或“cuda”。</translation>
    </message>
    <message>
        <source>There is no class of ops &quot;{0}&quot;.</source>
        <translation>没有操作类别“{0}”。</translation>
    </message>
    <message>
        <source>Use one of: {1}.</source>
        <translation>请使用以下之一：{1}。</translation>
    </message>
    <message>
        <source>A share of {0} is outside (0, 1].</source>
        <translation>比例 {0} 不在 (0, 1] 之内。</translation>
    </message>
    <message>
        <source>Write the part of the peak that is reached, such as 0.75.</source>
        <translation>请写出达到峰值的比例，例如 0.75。</translation>
    </message>
    <message>
        <source>A rate of {0} a second, after its efficiency, is outside {1} to {2}.</source>
        <translation>乘以效率后的速率每秒 {0} 不在 {1} 到 {2} 之间。</translation>
    </message>
    <message>
        <source>Write FLOP/s and bytes/s, such as 19.5e12 and 2.039e12.</source>
        <translation>请写出 FLOP/s 和字节/s，例如 19.5e12 和 2.039e12。</translation>
    </message>
    <message>
        <source>A granule of {0} bytes is no power of two.</source>
        <translation>{0} 字节的分配粒度不是 2 的幂。</translation>
    </message>
    <message>
        <source>Use 64 for a CPU and 512 for CUDA.</source>
        <translation>CPU 请用 64，CUDA 请用 512。</translation>
    </message>
    <message>
        <source>A text of {0} bytes is outside {1} to {2}.</source>
        <translation>文本有 {0} 字节，不在 {1} 到 {2} 之间。</translation>
    </message>
    <message>
        <source>Shorten the text, or give one.</source>
        <translation>请缩短文本，或补上文本。</translation>
    </message>
    <message>
        <source>There is no device &quot;{0}&quot;.</source>
        <translation>没有设备“{0}”。</translation>
    </message>
    <message>
        <source>Did you mean {1}? Known devices: {2}.</source>
        <translation>你是指 {1} 吗？已知设备：{2}。</translation>
    </message>
    <message>
        <source>The article&apos;s claims are not part of this program.</source>
        <translation>文章的论断不在本程序中。</translation>
    </message>
    <message>
        <source>The folder cannot be listed: {0}.</source>
        <translation>无法列出该文件夹：{0}。</translation>
    </message>
    <message>
        <source>Check its permissions, or remove it to use the built-in files alone.</source>
        <translation>请检查它的权限，或删除它而只用内置文件。</translation>
    </message>
    <message>
        <source>The folder has more than {0} JSON files.</source>
        <translation>该文件夹的 JSON 文件超过 {0} 个。</translation>
    </message>
    <message>
        <source>Keep only the presets and devices that you use.</source>
        <translation>请只保留你使用的预设和设备。</translation>
    </message>
    <message>
        <source>The config has no model_type, so its keys could mean anything.</source>
        <translation>该配置没有 model_type，因此它的键含义不明。</translation>
    </message>
    <message>
        <source>Models of type &quot;{0}&quot; are not supported.</source>
        <translation>不支持“{0}”类型的模型。</translation>
    </message>
    <message>
        <source>Supported are {1}; nearest is &quot;{2}&quot;: describe the model with its keys, or pick a preset.</source>
        <translation>支持 {1}；最接近的是“{2}”：请用它的键描述模型，或选择一个预设。</translation>
    </message>
    <message>
        <source>{0} changes the architecture in a way that is not supported; only {1} is.</source>
        <translation>{0} 以不支持的方式改变了架构；只支持 {1}。</translation>
    </message>
    <message>
        <source>Set the key to {1} if that describes the model, or choose another model.</source>
        <translation>如果 {1} 符合该模型，请把该键设为它；否则请选择其他模型。</translation>
    </message>
    <message>
        <source>The activation &quot;{0}&quot; is not supported.</source>
        <translation>不支持激活函数“{0}”。</translation>
    </message>
    <message>
        <source>Supported are {1}.</source>
        <translation>支持 {1}。</translation>
    </message>
    <message>
        <source>The value {0} disagrees with {1}, which is {2}.</source>
        <translation>值 {0} 与 {1} 不一致，后者是 {2}。</translation>
    </message>
    <message>
        <source>Keep one of the two keys.</source>
        <translation>请只保留两个键中的一个。</translation>
    </message>
    <message>
        <source>{0} is not given: transformers&apos; default {1} is used.</source>
        <translation>没有给出 {0}：使用 transformers 的默认值 {1}。</translation>
    </message>
    <message>
        <source>{0} is not given: 4 x the width, {1}, is used.</source>
        <translation>没有给出 {0}：使用 4 倍宽度，即 {1}。</translation>
    </message>
    <message>
        <source>n_positions is not given: n_ctx, {0}, is used.</source>
        <translation>没有给出 n_positions：使用 n_ctx，即 {0}。</translation>
    </message>
    <message>
        <source>n_ctx is {0}; n_positions, {1}, counts.</source>
        <translation>n_ctx 是 {0}；以 n_positions {1} 为准。</translation>
    </message>
    <message>
        <source>{0} is {1}, which the training step here does not depend on.</source>
        <translation>{0} 是 {1}，这里的训练步与它无关。</translation>
    </message>
    <message>
        <source>The file names the class {0}; the training step of {1} is described.</source>
        <translation>文件写的类是 {0}；这里描述的是 {1} 的训练步。</translation>
    </message>
    <message>
        <source>The name is empty.</source>
        <translation>名称为空。</translation>
    </message>
    <message>
        <source>Give the preset the name to pick it by.</source>
        <translation>请给预设取一个用来选择它的名称。</translation>
    </message>
    <message>
        <source>&quot;{0}&quot; is unknown here.</source>
        <translation>“{0}”在这里未知。</translation>
    </message>
    <message>
        <source>There is no model preset &quot;{0}&quot;.</source>
        <translation>没有模型预设“{0}”。</translation>
    </message>
    <message>
        <source>Did you mean {1}? Known presets: {2}. Other models open with --config config.json.</source>
        <translation>你是指 {1} 吗？已知预设：{2}。其他模型请用 --config config.json 打开。</translation>
    </message>
    <message>
        <source>A device name of {0} bytes is outside 1 to {1}.</source>
        <translation>设备名称有 {0} 字节，不在 1 到 {1} 之间。</translation>
    </message>
    <message>
        <source>Use a name that &quot;remat devices&quot; prints.</source>
        <translation>请使用“remat devices”列出的名称。</translation>
    </message>
    <message>
        <source>{0} attention heads do not divide the width {1}.</source>
        <translation>{0} 个注意力头不能整除宽度 {1}。</translation>
    </message>
    <message>
        <source>Use {2} or {3} heads, or the width {4}.</source>
        <translation>请使用 {2} 或 {3} 个头，或宽度 {4}。</translation>
    </message>
    <message>
        <source>A norm epsilon of {0} is outside (0, 1].</source>
        <translation>归一化的 epsilon {0} 不在 (0, 1] 之内。</translation>
    </message>
    <message>
        <source>Use a small positive number such as 1e-5.</source>
        <translation>请使用较小的正数，例如 1e-5。</translation>
    </message>
    <message>
        <source>A name of {0} bytes is outside 1 to {1}.</source>
        <translation>名称有 {0} 字节，不在 1 到 {1} 之间。</translation>
    </message>
    <message>
        <source>Give it a short name.</source>
        <translation>请给它一个短名称。</translation>
    </message>
    <message>
        <source>A sequence of {0} tokens is longer than the {1} positions of the model.</source>
        <translation>{0} 个 token 的序列超过了模型的 {1} 个位置。</translation>
    </message>
    <message>
        <source>Use at most {1} tokens, or a model with max_positions of {0}.</source>
        <translation>请最多使用 {1} 个 token，或使用 max_positions 为 {0} 的模型。</translation>
    </message>
    <message>
        <source>{0} head chunks are more than the {1} rows (batch x sequence) that they divide.</source>
        <translation>{0} 个输出头分块多于它们所分的 {1} 行（批大小 x 序列长度）。</translation>
    </message>
    <message>
        <source>Use at most {1} chunks.</source>
        <translation>请最多使用 {1} 个分块。</translation>
    </message>
    <message>
        <source>{0} head chunks need the chunked loss, but the loss is cross_entropy.</source>
        <translation>{0} 个输出头分块需要分块损失，但损失是 cross_entropy。</translation>
    </message>
    <message>
        <source>Use the loss chunked_cross_entropy, or 1 head chunk.</source>
        <translation>请使用损失 chunked_cross_entropy，或 1 个输出头分块。</translation>
    </message>
    <message>
        <source>The article&apos;s formulas count one width for every number; they have no {0}.</source>
        <translation>文章的公式对所有数用同一宽度；其中没有 {0}。</translation>
    </message>
    <message>
        <source>Use the precision half, as the article does, or fp32.</source>
        <translation>请像文章那样使用 half 精度，或使用 fp32。</translation>
    </message>
    <message>
        <source>With {0} here, the sizes, FLOPs or times of a step could pass 2^61.</source>
        <translation>这里取 {0} 时，一个训练步的大小、FLOPs 或时间可能超过 2^61。</translation>
    </message>
    <message>
        <source>Use at most {1}, other values unchanged.</source>
        <translation>其他值不变时，请最多使用 {1}。</translation>
    </message>
    <message>
        <source>The solve was stopped before it ended.</source>
        <translation>求解在结束前被停止。</translation>
    </message>
    <message>
        <source>Start it again.</source>
        <translation>请重新开始。</translation>
    </message>
    <message>
        <source>Raise the budget to {3}, or lower the batch or the sequence length.</source>
        <translation>请把显存预算提高到 {3}，或减小批大小或序列长度。</translation>
    </message>
    <message>
        <source>Nothing fits into {0}: weights, optimizer state and inputs alone need {1}, {2} more.</source>
        <translation>{0} 放不下任何方案：仅权重、优化器状态和输入就需要 {1}，多出 {2}。</translation>
    </message>
    <message>
        <source>Nothing fits into {0}: the optimizer step with all weight gradients needs {1}, {2} more.</source>
        <translation>{0} 放不下任何方案：带全部权重梯度的优化器步需要 {1}，多出 {2}。</translation>
    </message>
    <message>
        <source>before the first op</source>
        <translation>第一个操作之前</translation>
    </message>
    <message>
        <source>forward of {0}, at {1}</source>
        <translation>{0} 的前向，在 {1} 处</translation>
    </message>
    <message>
        <source>backward of {0}, at {1}</source>
        <translation>{0} 的反向，在 {1} 处</translation>
    </message>
    <message>
        <source>backward of {0}, recomputing {1}</source>
        <translation>{0} 的反向，重计算 {1} 时</translation>
    </message>
    <message>
        <source>the optimizer step</source>
        <translation>优化器步</translation>
    </message>
    <message>
        <source>The file says {0}; replaying the plan gives {1}.</source>
        <translation>文件写的是 {0}；重放该方案得到 {1}。</translation>
    </message>
    <message>
        <source>The file was changed or is damaged: export the plan again.</source>
        <translation>该文件被改动过或已损坏：请重新导出方案。</translation>
    </message>
    <message>
        <source>The file lists {0} stages; the model has {1}.</source>
        <translation>文件列出 {0} 个阶段；模型有 {1} 个。</translation>
    </message>
    <message>
        <source>&quot;{0}&quot; names no set of this stage&apos;s tensors.</source>
        <translation>“{0}”不是该阶段张量的任何集合。</translation>
    </message>
    <message>
        <source>There is no strategy &quot;{0}&quot;.</source>
        <translation>没有策略“{0}”。</translation>
    </message>
    <message>
        <source>The strategy {0} recomputes a part that layers of the profile {1} do not have.</source>
        <translation>策略 {0} 重计算的部分在计算口径 {1} 的层中不存在。</translation>
    </message>
    <message>
        <source>Use another strategy, or the profile runtime.</source>
        <translation>请使用其他策略，或计算口径 runtime。</translation>
    </message>
    <message>
        <source>rotor with 500 slots finds no schedule within {0}.</source>
        <translation>500 个显存单位的 rotor 在 {0} 以内找不到执行顺序。</translation>
    </message>
    <message>
        <source>Raise the budget, or use --strategy optimal-nested, which knows no slots.</source>
        <translation>请提高显存预算，或改用不分显存单位的 --strategy optimal-nested。</translation>
    </message>
    <message>
        <source>The strategy {0} needs a budget.</source>
        <translation>策略 {0} 需要显存预算。</translation>
    </message>
    <message>
        <source>Add --budget, for example --budget 8GiB.</source>
        <translation>请加上 --budget，例如 --budget 8GiB。</translation>
    </message>
    <message>
        <source>The program &quot;{0}&quot; cannot be started: {1}.</source>
        <translation>无法启动程序“{0}”：{1}。</translation>
    </message>
    <message>
        <source>Check that it is installed and may be executed.</source>
        <translation>请检查它是否已安装且可以执行。</translation>
    </message>
    <message>
        <source>{0} does not fit: {1} are in use and {2} more were asked for.</source>
        <translation>放不下 {0}：已用 {1}，还要 {2}。</translation>
    </message>
    <message>
        <source>Raise the budget, lower the batch, or plan with a smaller budget.</source>
        <translation>请提高显存预算、减小批大小，或用较小的预算求方案。</translation>
    </message>
    <message>
        <source>This run needs {0} and this machine can give it {1}, so it was not started.</source>
        <translation>这次运行需要 {0}，而这台机器能给 {1}，因此没有启动。</translation>
    </message>
    <message>
        <source>Not even a batch of 1 fits: shorten the sequence, recompute more, or choose a smaller model.</source>
        <translation>批大小为 1 也放不下：请缩短序列、多做重计算，或选择较小的模型。</translation>
    </message>
    <message>
        <source>The worker speaks version {0} of the run protocol; this program speaks version {1}.</source>
        <translation>工作进程使用运行协议的版本 {0}；本程序使用版本 {1}。</translation>
    </message>
    <message>
        <source>Install the remat-worker of this version.</source>
        <translation>请安装本版本的 remat-worker。</translation>
    </message>
    <message>
        <source>The worker did not start: exit code {0}.</source>
        <translation>工作进程没有启动：退出码 {0}。</translation>
    </message>
    <message>
        <source>Check that remat-worker runs there: remat-worker --self-test.</source>
        <translation>请检查 remat-worker 能否在那里运行：remat-worker --self-test。</translation>
    </message>
    <message>
        <source>The worker ended without a result: {0}. The last it said: {1}.</source>
        <translation>工作进程没有结果就结束了：{0}。它最后说的是：{1}。</translation>
    </message>
    <message>
        <source>The worker was killed: {0}. The last it said: {1}.</source>
        <translation>工作进程被杀死：{0}。它最后说的是：{1}。</translation>
    </message>
    <message>
        <source>The system kills programs when memory runs out: close others, or lower the batch.</source>
        <translation>内存耗尽时系统会杀死程序：请关闭其他程序，或减小批大小。</translation>
    </message>
    <message>
        <source>The worker said something that cannot be read: {0}</source>
        <translation>工作进程说了无法读懂的内容：{0}</translation>
    </message>
    <message>
        <source>Use the remat-worker of this version.</source>
        <translation>请使用本版本的 remat-worker。</translation>
    </message>
    <message>
        <source>The file says {0}, but what it is derived from gives {1}.</source>
        <translation>文件写的是 {0}，但由其依据推得 {1}。</translation>
    </message>
    <message>
        <source>The file was changed or belongs to another version; run the plan again.</source>
        <translation>该文件被改动过或属于其他版本；请重新运行方案。</translation>
    </message>
    <message>
        <source>&quot;{0}&quot; names no set of this stage&apos;s ops.</source>
        <translation>“{0}”不是该阶段操作的任何集合。</translation>
    </message>
    <message>
        <source>This plan describes another program&apos;s training step (profile &quot;{0}&quot;); only plans of the runtime profile can be run.</source>
        <translation>该方案描述的是其他程序的训练步（计算口径“{0}”）；只有 计算口径 runtime 的方案可以运行。</translation>
    </message>
    <message>
        <source>Make the plan with --profile runtime.</source>
        <translation>请用 --profile runtime 求方案。</translation>
    </message>
    <message>
        <source>Open a config.json with a model_type, or a file that this program saved.</source>
        <translation>请打开带 model_type 的 config.json，或本程序保存的文件。</translation>
    </message>
    <message>
        <source>The pins of the file do not allow to keep &quot;{0}&quot;.</source>
        <translation>文件中的固定项不允许保留“{0}”。</translation>
    </message>
    <message>
        <source>A gap of {0} is none: it is 0 where the plan is exact, and never below.</source>
        <translation>差距不能是 {0}：精确的方案差距为 0，且差距从不小于 0。</translation>
    </message>
    <message>
        <source>The least budget {0} is outside {1} to {2}, the plan&apos;s base and its peak.</source>
        <translation>最低预算 {0} 不在 {1} 到 {2} 之间，即方案的常驻显存到其峰值。</translation>
    </message>
    <message>
        <source>&quot;{0}&quot; names no kind of picture.</source>
        <translation>“{0}”不是图片类型的名称。</translation>
    </message>
    <message>
        <source>End the name in .png, .svg or .pdf.</source>
        <translation>请让名称以 .png、.svg 或 .pdf 结尾。</translation>
    </message>
    <message>
        <source>This stage holds nothing for its backward, so there is nothing to keep or to recompute.</source>
        <translation>该阶段不为反向保留任何内容，因此没有可保留或可重计算的对象。</translation>
    </message>
    <message>
        <source>Remove this pin.</source>
        <translation>删除该固定项。</translation>
    </message>
    <message>
        <source>Correct the file; if it is this program&apos;s own measurement, delete it, and this CPU is measured again.</source>
        <translation>请改正该文件；如果它是本程序自己的测量结果，请删除它，本机 CPU 会重新测量。</translation>
    </message>
    <message>
        <source>Write a number with a unit, such as 8GiB, 512MiB, 24GB or 6G.</source>
        <translation>请写带单位的数值，例如 8GiB、512MiB、24GB 或 6G。</translation>
    </message>
    <message>
        <source>A plan is not written as .{}.</source>
        <translation>方案不能存为 .{}。</translation>
    </message>
    <message>
        <source>Open a file of that kind; it comes from: {3}.</source>
        <translation>请打开该格式的文件；它的来源：{3}。</translation>
    </message>
    <message>
        <source>This is a file of format &quot;{0}&quot;, not the config.json of a model.</source>
        <translation>这是格式为 &quot;{0}&quot; 的文件，不是模型的 config.json。</translation>
    </message>
    <message>
        <source>It is read by: {1}.</source>
        <translation>读取它的命令：{1}。</translation>
    </message>
    <message>
        <source>This is what &quot;{0}&quot; printed, not the config.json of a model.</source>
        <translation>这是 &quot;{0}&quot; 的输出，不是模型的 config.json。</translation>
    </message>
    <message>
        <source>Give the model&apos;s own config.json, or a preset with --model.</source>
        <translation>请给出模型自己的 config.json，或用 --model 指定预设。</translation>
    </message>
    <message>
        <source>An exhaustive search takes chains of up to {0} stages; this one has {1}.</source>
        <translation>穷举搜索最多支持 {0} 个阶段的链；此链有 {1} 个。</translation>
    </message>
    <message>
        <source>Search a shorter chain, or trust the planner&apos;s class.</source>
        <translation>请搜索更短的链，或采信规划器所述的类别。</translation>
    </message>
    <message>
        <source>An exhaustive search takes up to {0} options a stage; stage {1} has {2}.</source>
        <translation>穷举搜索每个阶段最多支持 {0} 个选项；阶段 {1} 有 {2} 个。</translation>
    </message>
    <message>
        <source>Search a chain with fewer options.</source>
        <translation>请搜索选项较少的链。</translation>
    </message>
    <message>
        <source>The exhaustive search of this chain needs more than {0} partial schedules.</source>
        <translation>对此链的穷举搜索需要超过 {0} 个部分调度。</translation>
    </message>
    <message>
        <source>Search a chain with fewer stages or options.</source>
        <translation>请搜索阶段或选项较少的链。</translation>
    </message>
    <message>
        <source>The nested planner takes chains of up to {0} stages; this one has {1}.</source>
        <translation>嵌套规划器最多支持 {0} 个阶段的链；此链有 {1} 个。</translation>
    </message>
    <message>
        <source>Use the flat planner: every stage runs forward once.</source>
        <translation>请使用平面规划器：每个阶段只前向运行一次。</translation>
    </message>
    <message>
        <source>Use the flat planner, or a chain with fewer different stages.</source>
        <translation>请使用平面规划器，或使用不同阶段较少的链。</translation>
    </message>
    <message>
        <source>Use one of: {1}. A number of layers stands for K, as in every-2.</source>
        <translation>请使用以下之一：{1}。K 代表层数，例如 every-2。</translation>
    </message>
    <message>
        <source>The {0} tables of a nested solve of this chain do not fit into {1}, or take too long.</source>
        <translation>对这条链做嵌套求解的 {0} 张表放不进 {1}，或耗时过长。</translation>
    </message>
    <message>
        <source>Raise the budget to {3}, or lower the batch or the sequence length. What no flat plan can do, the strategy optimal-nested may.</source>
        <translation>请把预算提高到 {3}，或减小批大小或序列长度。flat 方案做不到的，策略 optimal-nested 也许可以。</translation>
    </message>
    <message>
        <source>No {6} plan fits into {0}: the leanest needs {1}, {2} more; the forward of stage {4} ({5}) binds.</source>
        <translation>没有 {6} 方案能放进 {0}：最省的需要 {1}，多出 {2}；瓶颈是阶段 {4}（{5}）的前向。</translation>
    </message>
    <message>
        <source>No {6} plan fits into {0}: the leanest needs {1}, {2} more; the backward of stage {4} ({5}) binds.</source>
        <translation>没有 {6} 方案能放进 {0}：最省的需要 {1}，多出 {2}；瓶颈是阶段 {4}（{5}）的反向。</translation>
    </message>
    <message>
        <source>Times and reruns of this chain are too large for the nested planner: their product could pass 2^124.</source>
        <translation>这条链的时间与重跑次数对嵌套规划器来说过大：乘积可能超过 2^124。</translation>
    </message>
    <message>
        <source>Use the flat planner, or give times in a larger unit.</source>
        <translation>请使用 flat 规划器，或以更大的单位给出时间。</translation>
    </message>
    <message>
        <source>A forward of the schedule keeps something else than the stage&apos;s keep-set.</source>
        <translation>调度中的一次前向保留了与该阶段保留集不同的内容。</translation>
    </message>
    <message>
        <source>Use option 0 of the stage, or &quot;none&quot;.</source>
        <translation>请使用该阶段的选项 0，或 &quot;none&quot;。</translation>
    </message>
    <message>
        <source>Lower the batch to {2}: the strategy {5} finds no plan of a batch of {3} that fits.</source>
        <translation>请把批大小减到 {2}：批大小为 {3} 时，策略 {5} 找不到放得下的方案。</translation>
    </message>
    <message>
        <source>Plan this batch of {3} again with the strategy {5} and a budget of {4}.</source>
        <translation>请以策略 {5} 和 {4} 的预算为批大小 {3} 重新求方案。</translation>
    </message>
    <message>
        <source>Plan this batch of {3} again with the strategy {5} and a budget of {4}; the present strategy fits with a batch of {2}.</source>
        <translation>请以策略 {5} 和 {4} 的预算为批大小 {3} 重新求方案；当前策略在批大小为 {2} 时放得下。</translation>
    </message>
    <message>
        <source>Add &quot;model_type&quot; with one of: {0}.</source>
        <translation>请加上 &quot;model_type&quot;，其值为以下之一：{0}。</translation>
    </message>
    <message>
        <source>{0} is {1}: it changes the angles of the positions, not memory or time; plain angles are used.</source>
        <translation>{0} 为 {1}：它改变的是位置的角度，而不是内存或时间；这里使用未缩放的角度。</translation>
    </message>
    <message>
        <source>Rotary positions of type &quot;{0}&quot; are not supported.</source>
        <translation>不支持 &quot;{0}&quot; 类型的旋转位置编码。</translation>
    </message>
    <message>
        <source>{0} key/value heads do not divide the {1} attention heads that share them.</source>
        <translation>{0} 个键/值头不能整除共享它们的 {1} 个注意力头。</translation>
    </message>
    <message>
        <source>Use {2} key/value heads, or as many as heads.</source>
        <translation>请使用 {2} 个键/值头，或与头数相同。</translation>
    </message>
    <message>
        <source>{0} heads of width {1} are wider than {2} together.</source>
        <translation>{0} 个宽度为 {1} 的头合起来超过了 {2}。</translation>
    </message>
    <message>
        <source>Use a head width of at most {3}.</source>
        <translation>请使用不超过 {3} 的头宽度。</translation>
    </message>
    <message>
        <source>Rotary positions turn a head&apos;s elements in pairs, but the head width {0} is odd.</source>
        <translation>旋转位置编码成对地旋转每个头的元素，但头宽度 {0} 是奇数。</translation>
    </message>
    <message>
        <source>Use the model&apos;s own, such as 10000.</source>
        <translation>请使用模型自己的值，例如 10000。</translation>
    </message>
    <message>
        <source>A sequence of {0} tokens is longer than the sliding window of {1} tokens, which is not supported.</source>
        <translation>{0} 个 token 的序列比 {1} 个 token 的滑动窗口长，不受支持。</translation>
    </message>
    <message>
        <source>Use at most {1} tokens.</source>
        <translation>请最多使用 {1} 个 token。</translation>
    </message>
    <message>
        <source>rotor with 500 slots is not solved for {0} stages: it takes time by their cube.</source>
        <translation>500 个显存单位的 rotor 不对 {0} 个阶段求解：所需时间随阶段数的立方增长。</translation>
    </message>
    <message>
        <source>Use at most {1} stages, or --strategy optimal-nested.</source>
        <translation>请最多使用 {1} 个阶段，或改用 --strategy optimal-nested。</translation>
    </message>
    <message>
        <source>Settings of rotary positions are one object for all layers here, not {0}.</source>
        <translation>旋转位置编码的设置在此须是适用于所有层的一个对象，而不是 {0}。</translation>
    </message>
    <message>
        <source>Give one object with rope_type and rope_theta, or leave the key out.</source>
        <translation>请给出含 rope_type 和 rope_theta 的一个对象，或省略该键。</translation>
    </message>
    <message>
        <source>Use {2} heads.</source>
        <translation>请使用 {2} 个头。</translation>
    </message>
    <message>
        <source>Use the width {2}.</source>
        <translation>请使用宽度 {2}。</translation>
    </message>
    <message>
        <source>Use the width {1}.</source>
        <translation>请使用宽度 {1}。</translation>
    </message>
    <message>
        <source>Use a head width of {1}.</source>
        <translation>请使用 {1} 的头宽度。</translation>
    </message>
    <message>
        <source>A rotary base of {0} is outside 1 to 1e15.</source>
        <translation>旋转位置编码的基数 {0} 不在 1 到 1e15 之间。</translation>
    </message>
    <message>
        <source>Use the profile runtime, or a model such as BERT or GPT-2.</source>
        <translation>请使用计算口径 runtime，或使用 BERT、GPT-2 这类模型。</translation>
    </message>
    <message>
        <source>The runtime profile stores numbers in fp32 or, on a GPU, in bf16 (half); it has no {0}.</source>
        <translation>计算口径 runtime 以 fp32 存储数值，在 GPU 上也可用 bf16（half）；它没有 {0}。</translation>
    </message>
    <message>
        <source>Use the precision fp32 or half.</source>
        <translation>请使用精度 fp32 或 half。</translation>
    </message>
    <message>
        <source>The CPU&apos;s kernels store numbers in fp32; only a GPU&apos;s have {0}.</source>
        <translation>CPU 的内核以 fp32 存储数值；只有 GPU 的内核支持 {0}。</translation>
    </message>
    <message>
        <source>Use the precision fp32, or a GPU as the device, such as a100-80.</source>
        <translation>请使用精度 fp32，或选择 GPU 作为设备，例如 a100-80。</translation>
    </message>
    <message>
        <source>Master weights are fp32 copies of weights in half precision, but the precision is {0}.</source>
        <translation>主权重是半精度权重的 fp32 副本，但当前精度是 {0}。</translation>
    </message>
    <message>
        <source>Use the precision half, or no master weights.</source>
        <translation>请使用精度 half，或不使用主权重。</translation>
    </message>
    <message>
        <source>Master weights belong to an optimizer, but the optimizer is none.</source>
        <translation>主权重属于优化器，但当前没有优化器。</translation>
    </message>
    <message>
        <source>Use the optimizer adamw or sgd, or no master weights.</source>
        <translation>请使用优化器 adamw 或 sgd，或不使用主权重。</translation>
    </message>
    <message>
        <source>This plan stores numbers in {0}; the CPU machine computes in fp32 alone.</source>
        <translation>此方案以 {0} 存储数值；CPU 机器只用 fp32 计算。</translation>
    </message>
    <message>
        <source>The name of the step has {0} bytes, more than {1}.</source>
        <translation>步骤名称有 {0} 字节，超过 {1}。</translation>
    </message>
    <message>
        <source>Correct the file, or measure again with &quot;remat profile&quot;.</source>
        <translation>请更正文件，或用“remat profile”重新测量。</translation>
    </message>
    <message>
        <source>There is no kind of op &quot;{0}&quot;.</source>
        <translation>没有名为“{0}”的操作种类。</translation>
    </message>
    <message>
        <source>No op stores &quot;{0}&quot;.</source>
        <translation>没有操作以“{0}”存储。</translation>
    </message>
    <message>
        <source>Use &quot;fp32&quot; or &quot;bf16&quot;.</source>
        <translation>请使用“fp32”或“bf16”。</translation>
    </message>
    <message>
        <source>This op is measured a second time here.</source>
        <translation>该操作在此处被重复测量。</translation>
    </message>
    <message>
        <source>The run was on another machine: {0} with {1} threads.</source>
        <translation>该次运行在另一台机器上：{0}，{1} 个线程。</translation>
    </message>
    <message>
        <source>Run the step here, and plan with those costs.</source>
        <translation>请在本机运行该步骤，再用测得的开销规划。</translation>
    </message>
    <message>
        <source>Install the CUDA toolkit and build again, or run on the CPU.</source>
        <translation>请安装 CUDA 工具包后重新编译，或在 CPU 上运行。</translation>
    </message>
    <message>
        <source>No NVIDIA driver is loaded.</source>
        <translation>没有加载 NVIDIA 驱动。</translation>
    </message>
    <message>
        <source>Install the driver of this machine&apos;s NVIDIA card, or run on the CPU.</source>
        <translation>请安装本机 NVIDIA 显卡的驱动，或在 CPU 上运行。</translation>
    </message>
    <message>
        <source>The NVIDIA driver runs CUDA up to {0}, and this worker needs {1}.</source>
        <translation>NVIDIA 驱动最高支持 CUDA {0}，而此工作进程需要 {1}。</translation>
    </message>
    <message>
        <source>Update the driver, or run on the CPU.</source>
        <translation>请更新驱动，或在 CPU 上运行。</translation>
    </message>
    <message>
        <source>See whether nvidia-smi lists one and CUDA_VISIBLE_DEVICES hides none, or run on the CPU.</source>
        <translation>请检查 nvidia-smi 是否列出 GPU、CUDA_VISIBLE_DEVICES 是否将其隐藏，或在 CPU 上运行。</translation>
    </message>
    <message>
        <source>The NVIDIA driver and its libraries are of different versions.</source>
        <translation>NVIDIA 驱动与其库的版本不一致。</translation>
    </message>
    <message>
        <source>Restart the machine after a driver update, or run on the CPU.</source>
        <translation>更新驱动后请重启机器，或在 CPU 上运行。</translation>
    </message>
    <message>
        <source>CUDA&apos;s compatibility libraries do not serve this GPU.</source>
        <translation>CUDA 兼容库不支持此 GPU。</translation>
    </message>
    <message>
        <source>Update the driver itself, or run on the CPU.</source>
        <translation>请更新驱动本身，或在 CPU 上运行。</translation>
    </message>
    <message>
        <source>CUDA did not start: error {0} ({1}).</source>
        <translation>CUDA 未能启动：错误 {0}（{1}）。</translation>
    </message>
    <message>
        <source>See whether nvidia-smi works, or run on the CPU.</source>
        <translation>请检查 nvidia-smi 是否正常，或在 CPU 上运行。</translation>
    </message>
    <message>
        <source>The worker did not say what devices it finds.</source>
        <translation>工作进程没有回答它找到了哪些设备。</translation>
    </message>
    <message>
        <source>Run remat-worker --probe by hand and see where it waits.</source>
        <translation>请手动运行 remat-worker --probe，看它停在哪里。</translation>
    </message>
    <message>
        <source>Run again; if it fails again, check the driver and the card (nvidia-smi -q).</source>
        <translation>请再运行一次；若仍失败，请检查驱动和显卡（nvidia-smi -q）。</translation>
    </message>
    <message>
        <source>This worker was built without CUDA.</source>
        <translation>此工作进程编译时未包含 CUDA。</translation>
    </message>
    <message>
        <source>The NVIDIA driver is loaded, but no GPU answers.</source>
        <translation>NVIDIA 驱动已加载，但没有 GPU 响应。</translation>
    </message>
    <message>
        <source>No GPU here is of compute capability {0} or later, which the kernels need.</source>
        <translation>本机没有内核所需的计算能力 {0} 或更高的 GPU。</translation>
    </message>
    <message>
        <source>Run on the CPU, or on a machine with an Ampere card or a later one.</source>
        <translation>请在 CPU 上运行，或使用装有 Ampere 或更新显卡的机器。</translation>
    </message>
    <message>
        <source>The GPU&apos;s kernel for {0} needs a workspace of {1}; it has {2}.</source>
        <translation>GPU 上 {0} 的内核需要 {1} 工作区，而只有 {2}。</translation>
    </message>
    <message>
        <source>Lower the batch or the sequence.</source>
        <translation>请减小批大小或序列长度。</translation>
    </message>
    <message>
        <source>The GPU failed, found at {0}: {1}.</source>
        <translation>GPU 出错，发现于 {0}：{1}。</translation>
    </message>
    <message>
        <source>Byte {0} of the text is a control character.</source>
        <translation>文本的第 {0} 个字节是控制字符。</translation>
    </message>
    <message>
        <source>Write the text on one line, without it.</source>
        <translation>请去掉该字符，把文本写在一行内。</translation>
    </message>
    <message>
        <source>An op has no key &quot;{0}&quot;.</source>
        <translation>操作没有键“{0}”。</translation>
    </message>
    <message>
        <source>The stages take more than {0} ns in {1} micro-batches.</source>
        <translation>各阶段在 {1} 个微批中的用时超过 {0} ns。</translation>
    </message>
    <message>
        <source>A lesson knows no key &quot;{0}&quot; here.</source>
        <translation>课程在这里没有键“{0}”。</translation>
    </message>
    <message>
        <source>Did you mean {1}? Known keys: {2}.</source>
        <translation>是指 {1} 吗？可用的键：{2}。</translation>
    </message>
    <message>
        <source>&quot;{0}&quot; is no {1}.</source>
        <translation>“{0}”不是 {1}。</translation>
    </message>
    <message>
        <source>Did you mean {2}? Known names: {3}.</source>
        <translation>是指 {2} 吗？可用的名称：{3}。</translation>
    </message>
    <message>
        <source>The text is missing.</source>
        <translation>缺少文字。</translation>
    </message>
    <message>
        <source>Write it in English (&quot;en&quot;), in Chinese (&quot;zh&quot;), or in both.</source>
        <translation>请用英文（“en”）、中文（“zh”）或两种语言书写。</translation>
    </message>
    <message>
        <source>There is nothing in this list.</source>
        <translation>这个列表是空的。</translation>
    </message>
    <message>
        <source>Write at least one entry, or leave the key out.</source>
        <translation>请至少写一项，或去掉这个键。</translation>
    </message>
    <message>
        <source>A condition compares with exactly one value.</source>
        <translation>一个条件只与一个值比较。</translation>
    </message>
    <message>
        <source>Give one of is, below, above, at_most, at_least; flags and words know only is.</source>
        <translation>请给出 is、below、above、at_most、at_least 之一；是非值和词语只能用 is。</translation>
    </message>
    <message>
        <source>The fact &quot;{0}&quot; takes the key &quot;of&quot; only if there are several.</source>
        <translation>事实“{0}”只有在存在多个时才用键“of”。</translation>
    </message>
    <message>
        <source>&quot;kept&quot; takes a sublayer or an operation, &quot;pin&quot; the place of a pin; the others take none.</source>
        <translation>“kept”指定一个子层或运算，“pin”指定固定的位置；其他事实不用它。</translation>
    </message>
    <message>
        <source>&quot;{0}&quot; is no size.</source>
        <translation>“{0}”不是大小。</translation>
    </message>
    <message>
        <source>Write it like &quot;300 MiB&quot;.</source>
        <translation>请写成“300 MiB”这样。</translation>
    </message>
    <message>
        <source>The choice {0} is outside 1 to {1}.</source>
        <translation>选项 {0} 不在 1 到 {1} 之间。</translation>
    </message>
    <message>
        <source>Choices are counted from 1.</source>
        <translation>选项从 1 开始数。</translation>
    </message>
    <message>
        <source>The question has no solution.</source>
        <translation>这个问题没有解答。</translation>
    </message>
    <message>
        <source>Add &quot;solution&quot; with what meets the check: a choice, a run, or what to set.</source>
        <translation>请加上“solution”，写明满足检查的做法：一个选项、一次运行，或要设置的内容。</translation>
    </message>
    <message>
        <source>&quot;{0}&quot; is no cell of this model&apos;s grid.</source>
        <translation>“{0}”不是此模型网格中的格子。</translation>
    </message>
    <message>
        <source>Write a layer and a sublayer or an operation, like &quot;L3.ffn&quot;, or embedding, or head.</source>
        <translation>请写层加子层或运算，例如“L3.ffn”，或 embedding，或 head。</translation>
    </message>
    <message>
        <source>The check already holds when the step begins.</source>
        <translation>这一步刚开始时检查就已满足。</translation>
    </message>
    <message>
        <source>Let the step start from a state that does not meet it, or ask for more.</source>
        <translation>请让这一步从不满足检查的状态开始，或提高要求。</translation>
    </message>
    <message>
        <source>Choice {0} meets the check, but the solution is choice {1}.</source>
        <translation>选项 {0} 满足检查，但解答是选项 {1}。</translation>
    </message>
    <message>
        <source>Let the check compare the fact &quot;choice&quot; with the right one.</source>
        <translation>请让检查把事实“choice”与正确的选项比较。</translation>
    </message>
    <message>
        <source>The solution does not meet the check: {0}.</source>
        <translation>解答不满足检查：{0}。</translation>
    </message>
    <message>
        <source>Play the step in the window and press &quot;Show me&quot; to see what comes of it.</source>
        <translation>请在窗口中播放这一步并按“示范”，看看结果如何。</translation>
    </message>
    <message>
        <source>There was no answer within {0} s.</source>
        <translation>{0} 秒内没有得到回答。</translation>
    </message>
    <message>
        <source>Use a smaller model or fewer layers.</source>
        <translation>请使用更小的模型或更少的层。</translation>
    </message>
    <message>
        <source>The pattern of the sliding window has other letters than s (layers with it) and f (layers without), or more than {0}.</source>
        <translation>滑动窗口的层模式只能由 s（有窗口的层）和 f（没有窗口的层）组成，且最多 {0} 个字母。</translation>
    </message>
    <message>
        <source>Write one letter a layer, such as sf; the pattern repeats.</source>
        <translation>每层写一个字母，例如 sf；模式会重复。</translation>
    </message>
    <message>
        <source>{0} numbers of a head are turned, but a head has {1}.</source>
        <translation>一个注意力头要旋转 {0} 个数，但它只有 {1} 个。</translation>
    </message>
    <message>
        <source>Use an even number of at most {1}.</source>
        <translation>请使用不超过 {1} 的偶数。</translation>
    </message>
    <message>
        <source>Rotary positions turn a head&apos;s elements in pairs, but {0} of them are to be turned.</source>
        <translation>旋转位置编码成对旋转头内的元素，但要旋转的元素有 {0} 个。</translation>
    </message>
    <message>
        <source>Use {1}.</source>
        <translation>请使用 {1}。</translation>
    </message>
    <message>
        <source>{0} experts for each token are outside 1 to the {1} experts of a layer.</source>
        <translation>每个词元使用 {0} 个专家，超出了 1 到每层 {1} 个专家的范围。</translation>
    </message>
    <message>
        <source>Use a whole number from 1 to {1}.</source>
        <translation>请使用 1 到 {1} 之间的整数。</translation>
    </message>
    <message>
        <source>A patch of {0} pixels is larger than the image of {1}.</source>
        <translation>图块有 {0} 像素，大于 {1} 像素的图像。</translation>
    </message>
    <message>
        <source>Use at most {1}.</source>
        <translation>请最多使用 {1}。</translation>
    </message>
    <message>
        <source>The image makes {0} tokens, more than {1}.</source>
        <translation>图像产生 {0} 个词元，超过了 {1} 个。</translation>
    </message>
    <message>
        <source>Use larger patches or a smaller image.</source>
        <translation>请使用更大的图块或更小的图像。</translation>
    </message>
    <message>
        <source>The image makes {1} tokens, but max_positions is {0}.</source>
        <translation>图像产生 {1} 个词元，但 max_positions 是 {0}。</translation>
    </message>
    <message>
        <source>Use max_positions {1}.</source>
        <translation>请把 max_positions 设为 {1}。</translation>
    </message>
    <message>
        <source>The head &quot;{0}&quot; and the model&apos;s inputs or stacks do not belong together.</source>
        <translation>输出头“{0}”与模型的输入或层堆栈不相配。</translation>
    </message>
    <message>
        <source>Use seq_to_seq_lm with decoder_layers, image_classifier with an image, the others with neither.</source>
        <translation>seq_to_seq_lm 需要 decoder_layers，image_classifier 需要图像，其余两者都不要。</translation>
    </message>
    <message>
        <source>{0} is outside 0 to 1e9.</source>
        <translation>{0} 超出 0 到 1e9 的范围。</translation>
    </message>
    <message>
        <source>Use 0 for none, or the model&apos;s own value.</source>
        <translation>用 0 表示没有，或使用模型自己的值。</translation>
    </message>
    <message>
        <source>The executor of the runtime profile does not run models of type &quot;{0}&quot;.</source>
        <translation>计算口径 runtime 的执行器不能运行“{0}”类型的模型。</translation>
    </message>
    <message>
        <source>The executor of the runtime profile has no {0}.</source>
        <translation>计算口径 runtime 的执行器不支持 {0}。</translation>
    </message>
    <message>
        <source>Use a model of type {1} with that type&apos;s own features.</source>
        <translation>请使用 {1} 类型的模型及其自身的结构。</translation>
    </message>
    <message>
        <source>The article&apos;s formulas know one stack of plain blocks over tokens: no gated FFN, no heads that share keys and values, no parallel branches, no second stack and no images.</source>
        <translation>文章的公式只适用于由普通块组成、处理词元的单个层堆栈：没有门控 FFN、没有共享键和值的头、没有并行分支、没有第二个堆栈，也没有图像。</translation>
    </message>
    <message>
        <source>Plans of the profile {0} describe no modules of PyTorch.</source>
        <translation>计算口径 {0} 的方案不描述 PyTorch 的模块。</translation>
    </message>
    <message>
        <source>Make the plan with --profile runtime, or export it as csv or markdown.</source>
        <translation>请用 --profile runtime 制定方案，或导出为 csv 或 markdown。</translation>
    </message>
    <message>
        <source>This plan runs layers again in an order that regions of PyTorch cannot make.</source>
        <translation>此方案重跑各层的次序，PyTorch 的重算区域无法实现。</translation>
    </message>
    <message>
        <source>Make a plan with --strategy optimal, chen-sqrt or megatron-uniform-K, and export that.</source>
        <translation>请用 --strategy optimal、chen-sqrt 或 megatron-uniform-K 制定方案再导出。</translation>
    </message>
    <message>
        <source>This plan runs whole layers again, which an exact realization cannot.</source>
        <translation>此方案会重跑整层，精确（exact）实现做不到。</translation>
    </message>
    <message>
        <source>Export it with --realization regions, or make a plan with --strategy optimal.</source>
        <translation>请用 --realization regions 导出，或用 --strategy optimal 制定方案。</translation>
    </message>
    <message>
        <source>Plans of the profile {0} know no ops that a trainer&apos;s settings could name.</source>
        <translation>计算口径 {0} 的方案没有训练框架的设置可以指明的操作。</translation>
    </message>
    <message>
        <source>There is no region of kind &quot;{0}&quot;.</source>
        <translation>没有种类为“{0}”的重算区域。</translation>
    </message>
    <message>
        <source>Use block, attention, ffn, core or blocks.</source>
        <translation>请使用 block、attention、ffn、core 或 blocks。</translation>
    </message>
    <message>
        <source>There is no realization &quot;{0}&quot; in PyTorch.</source>
        <translation>PyTorch 中没有名为“{0}”的实现方式。</translation>
    </message>
    <message>
        <source>Use regions or exact.</source>
        <translation>请使用 regions 或 exact。</translation>
    </message>
    <message>
        <source>A region names {0} modules.</source>
        <translation>一个重算区域指明了 {0} 个模块。</translation>
    </message>
    <message>
        <source>Name one module, or for blocks two layers or more.</source>
        <translation>请指明一个模块；blocks 须指明两层或更多。</translation>
    </message>
    <message>
        <source>A region that saves ops is nested, reentrant, or of a kind that cannot save.</source>
        <translation>保存操作结果的重算区域是嵌套的、可重入的，或属于不能保存的种类。</translation>
    </message>
    <message>
        <source>Remove &quot;save&quot;, or the regions inside and around it.</source>
        <translation>请删去“save”，或删去其内外的区域。</translation>
    </message>
    <message>
        <source>Regions are nested more than {0} deep.</source>
        <translation>重算区域的嵌套超过 {0} 层。</translation>
    </message>
    <message>
        <source>Nest fewer of them.</source>
        <translation>请减少嵌套。</translation>
    </message>
    <message>
        <source>Not even one sample fits {0}: {1} is needed.</source>
        <translation>{0} 连一个样本也放不下：需要 {1}。</translation>
    </message>
    <message>
        <source>The article counts a layer&apos;s activations only; with weights, gradients, optimizer, head and working memory {0} samples fit {1}.</source>
        <translation>文章只计层的激活值；算上权重、梯度、优化器、输出头和临时显存，{1} 可放下 {0} 个样本。</translation>
    </message>
    <message>
        <source>The article has no such row; {0} samples fit {1}.</source>
        <translation>文章没有这一行；{1} 可放下 {0} 个样本。</translation>
    </message>
    <message>
        <source>The article&apos;s own batch over seconds gives {0} times the samples of &quot;none&quot;, not the {1} that it claims.</source>
        <translation>按文章自己的批大小除以秒数，每秒样本是“none”的 {0} 倍，而不是它所称的 {1} 倍。</translation>
    </message>
    <message>
        <source>Recomputing adds {0} % to a step, and a larger batch does not make a busy device faster: it only spreads the optimizer&apos;s step and what each operation costs beyond its work over more samples. What is left is {1} times &quot;none&quot;.</source>
        <translation>重计算使一步增加 {0} %，而更大的批并不会让满载的设备更快：它只是把优化器步骤和每个运算的固定开销分摊到更多样本上。最终是“none”的 {1} 倍。</translation>
    </message>
    <message>
        <source>&quot;{0}&quot; is not one of {1}.</source>
        <translation>“{0}”不在下列名称之中：{1}。</translation>
    </message>
    <message>
        <source>Use one of these names.</source>
        <translation>请使用其中一个名称。</translation>
    </message>
    <message>
        <source>The plan has {0} layers, the model has {1}.</source>
        <translation>方案有 {0} 层，模型有 {1} 层。</translation>
    </message>
    <message>
        <source>Make the plan anew.</source>
        <translation>请重新制定方案。</translation>
    </message>
    <message>
        <source>A sequence of {0} tokens is longer than the {1} positions that the model knows.</source>
        <translation>序列长 {0} 个词元，超过模型支持的 {1} 个位置。</translation>
    </message>
    <message>
        <source>An image model&apos;s sequence follows from its image: {1} tokens, not {0}.</source>
        <translation>图像模型的序列长度由图像决定：应为 {1} 个词元，而不是 {0} 个。</translation>
    </message>
    <message>
        <source>Leave the flag out.</source>
        <translation>请去掉该选项。</translation>
    </message>
    <message>
        <source>{0} is no size: a step has at least one of each.</source>
        <translation>{0} 不是有效的大小：每一步至少各有一个。</translation>
    </message>
    <message>
        <source>Use a whole number from 1.</source>
        <translation>请使用不小于 1 的整数。</translation>
    </message>
    <message>
        <source>A step of {0} x {1} tokens passes what 61 bits can count.</source>
        <translation>一步 {0} × {1} 个词元超出了 61 位整数所能表示的范围。</translation>
    </message>
    <message>
        <source>The profile pytorch has no strategy {0}: it plans what torch.utils.checkpoint can do.</source>
        <translation>计算口径 pytorch 没有策略 {0}：它只规划 torch.utils.checkpoint 能做到的。</translation>
    </message>
    <message>
        <source>A layer of model type {0} has no module that is its FFN, so that none can be wrapped.</source>
        <translation>模型类型 {0} 的层没有单独的前馈网络模块，因此无法包裹。</translation>
    </message>
    <message>
        <source>Use full, attention-only or optimal.</source>
        <translation>请使用 full、attention-only 或 optimal。</translation>
    </message>
    <message>
        <source>The name of the kernels has {0} bytes, more than {1}.</source>
        <translation>内核名称有 {0} 字节，超过 {1}。</translation>
    </message>
    <message>
        <source>The system gave no {0} for a buffer; {1} are in use already.</source>
        <translation>系统没有为一个缓冲区给出 {0}；已在使用 {1}。</translation>
    </message>
    <message>
        <source>The panel {0} is no table.</source>
        <translation>面板 {0} 不是表格。</translation>
    </message>
    <message>
        <source>End the name in .png, .svg or .pdf, or export one of the tables.</source>
        <translation>请让文件名以 .png、.svg 或 .pdf 结尾，或导出某个表格。</translation>
    </message>
    <message>
        <source>There is no panel &quot;{0}&quot;.</source>
        <translation>没有面板“{0}”。</translation>
    </message>
    <message>
        <source>Did you mean {1}? Panels: {2}.</source>
        <translation>是指 {1} 吗？面板：{2}。</translation>
    </message>
    <message>
        <source>This JSON is no file of this program and no Hugging Face config.</source>
        <translation>此 JSON 不是本程序的文件，也不是 Hugging Face 配置。</translation>
    </message>
    <message>
        <source>The window shows no {0} files.</source>
        <translation>窗口不显示 {0} 文件。</translation>
    </message>
    <message>
        <source>This one is for: {1}.</source>
        <translation>它用于：{1}。</translation>
    </message>
    <message>
        <source>&quot;{0}&quot; is no such figure.</source>
        <translation>“{0}”不是这样的数字。</translation>
    </message>
    <message>
        <source>Write a number greater than 0, with a point.</source>
        <translation>请写一个大于 0 的数，用小数点。</translation>
    </message>
    <message>
        <source>&quot;{0}&quot; can be no file&apos;s name.</source>
        <translation>“{0}”不能作为文件名。</translation>
    </message>
    <message>
        <source>Use letters, digits, dashes, points and spaces, and begin with a letter or a digit.</source>
        <translation>请使用字母、数字、连字符、点和空格，并以字母或数字开头。</translation>
    </message>
    <message>
        <source>There is no configuration folder.</source>
        <translation>没有配置目录。</translation>
    </message>
    <message>
        <source>Set HOME or XDG_CONFIG_HOME and start again.</source>
        <translation>请设置 HOME 或 XDG_CONFIG_HOME 后重新启动。</translation>
    </message>
    <message>
        <source>This is a model of type {0}: its text part, of type {1}, is described alone.</source>
        <translation>这是 {0} 类型的模型：只描述其 {1} 类型的文本部分。</translation>
    </message>
    <message>
        <source>{0} is {1}: the training step is described without what it adds.</source>
        <translation>{0} 是 {1}：训练步的描述不包含它增加的部分。</translation>
    </message>
    <message>
        <source>Positions start behind the padding token&apos;s number {0}, but there are {1} rows.</source>
        <translation>位置从填充词元的编号 {0} 之后开始，但位置表只有 {1} 行。</translation>
    </message>
    <message>
        <source>Give a pad_token_id below max_position_embeddings - 1.</source>
        <translation>请给出小于 max_position_embeddings - 1 的 pad_token_id。</translation>
    </message>
    <message>
        <source>An image&apos;s or a patch&apos;s size is one number or a list of height and width, not {0}.</source>
        <translation>图像或图块的尺寸应是一个数，或由高和宽组成的列表，而不是 {0}。</translation>
    </message>
    <message>
        <source>Give a number such as 224, or [224, 224].</source>
        <translation>请给出一个数，例如 224，或 [224, 224]。</translation>
    </message>
    <message>
        <source>attention_types is a list of pairs of kinds and a count, not {0}.</source>
        <translation>attention_types 应是由种类列表和次数组成的列表，而不是 {0}。</translation>
    </message>
    <message>
        <source>Write for example [[[&quot;global&quot;, &quot;local&quot;], 12]].</source>
        <translation>例如写成 [[[&quot;global&quot;, &quot;local&quot;], 12]]。</translation>
    </message>
    <message>
        <source>No Falcon has num_ln_in_parallel_attn {0} with new_decoder_architecture {1} and parallel_attn {2}.</source>
        <translation>没有哪个 Falcon 同时具有 num_ln_in_parallel_attn {0}、new_decoder_architecture {1} 和 parallel_attn {2}。</translation>
    </message>
    <message>
        <source>Use 2 with the new architecture, or leave the key out; the new architecture is always parallel.</source>
        <translation>新架构请使用 2，或省略此键；新架构总是并行的。</translation>
    </message>
    <message>
        <source>feed_forward_proj is an activation or gated-ACTIVATION, not &quot;{0}&quot;.</source>
        <translation>feed_forward_proj 应是激活函数或 gated-激活函数，而不是“{0}”。</translation>
    </message>
    <message>
        <source>Use relu, gated-gelu or gated-silu, as published models do.</source>
        <translation>请像已发布的模型那样使用 relu、gated-gelu 或 gated-silu。</translation>
    </message>
    <message>
        <source>tie_word_embeddings is false: T5&apos;s tables stay tied, the head&apos;s input is not scaled.</source>
        <translation>tie_word_embeddings 是 false：T5 的词表仍然共享，输出头的输入不缩放。</translation>
    </message>
    <message>
        <source>A turned part of {0} of a head that is {1} wide leaves no pair to turn.</source>
        <translation>头宽为 {1} 时，旋转比例 {0} 得不到可旋转的元素对。</translation>
    </message>
    <message>
        <source>Use a share of the head above 0 and at most 1, such as 0.5.</source>
        <translation>请使用大于 0 且不超过 1 的比例，例如 0.5。</translation>
    </message>
    <message>
        <source>A share {0} of each head is to be turned, but models of this type turn whole heads.</source>
        <translation>每个头要旋转的比例是 {0}，但此类型的模型旋转整个头。</translation>
    </message>
    <message>
        <source>Set the key to 1.0, or leave it out.</source>
        <translation>请把此键设为 1.0，或省略它。</translation>
    </message>
    <message>
        <source>Use --profile pytorch, or a model of type {1}.</source>
        <translation>请使用 --profile pytorch，或 {1} 类型的模型。</translation>
    </message>
    <message>
        <source>Layers of type &quot;{0}&quot; are not supported.</source>
        <translation>不支持“{0}”类型的层。</translation>
    </message>
    <message>
        <source>Supported are {1} and {2}.</source>
        <translation>支持 {1} 和 {2}。</translation>
    </message>
    <message>
        <source>{0} names {1} layers, but there are {2}: the list is repeated.</source>
        <translation>{0} 列出 {1} 层，但模型有 {2} 层：列表会重复使用。</translation>
    </message>
    <message>
        <source>{0} is not given: by transformers&apos; default the layers are {1}, repeated (s with the window, f without).</source>
        <translation>未给出 {0}：按 transformers 的默认值，各层依 {1} 重复（s 有窗口，f 没有）。</translation>
    </message>
    <message>
        <source>PyTorch&apos;s grouped product of experts takes widths that are multiples of 8; here they are {0} and {1}.</source>
        <translation>PyTorch 的专家分组乘积只接受 8 的倍数的宽度；此处为 {0} 和 {1}。</translation>
    </message>
    <message>
        <source>Use such widths; describe without --profile lists the weights of this model.</source>
        <translation>请使用这样的宽度；不带 --profile 的 describe 会列出此模型的权重。</translation>
    </message>
    <message>
        <source>The axis has no values.</source>
        <translation>该轴没有取值。</translation>
    </message>
    <message>
        <source>List at least one, or leave the axis out.</source>
        <translation>请至少列出一个值，或去掉该轴。</translation>
    </message>
    <message>
        <source>{0} is no value of a flag.</source>
        <translation>{0} 不能作为选项的值。</translation>
    </message>
    <message>
        <source>Use a text, a number, or a group of flags such as {1}.</source>
        <translation>请使用文本、数字，或一组选项，例如 {1}。</translation>
    </message>
    <message>
        <source>The axis &quot;{0}&quot; takes single values only.</source>
        <translation>轴“{0}”只接受单个值。</translation>
    </message>
    <message>
        <source>Give groups of flags to the axis &quot;model&quot;, or to one of another name.</source>
        <translation>请把成组的选项放在轴“model”或其他名称的轴里。</translation>
    </message>
    <message>
        <source>The flag --{0} belongs to the whole sweep.</source>
        <translation>选项 --{0} 属于整个扫描。</translation>
    </message>
    <message>
        <source>Leave it out here; &quot;remat sweep --help&quot; lists the sweep&apos;s own flags.</source>
        <translation>请在此处去掉它；“remat sweep --help”列出扫描自身的选项。</translation>
    </message>
    <message>
        <source>Both {1} and this axis set the flag --{0}.</source>
        <translation>{1} 与该轴都设置了选项 --{0}。</translation>
    </message>
    <message>
        <source>Let one of them set it.</source>
        <translation>请只由其中之一设置。</translation>
    </message>
    <message>
        <source>The grid has more than {0} points.</source>
        <translation>网格的点超过 {0} 个。</translation>
    </message>
    <message>
        <source>Shorten an axis, or cut the grid in two.</source>
        <translation>请缩短某个轴，或把网格分成两份。</translation>
    </message>
    <message>
        <source>The journal cannot be written: {0}.</source>
        <translation>无法写入日志：{0}。</translation>
    </message>
    <message>
        <source>What it holds is safe: make room or choose another --out, and run the same command again.</source>
        <translation>其中已有的内容是安全的：请腾出空间或另选 --out，然后再次运行同一命令。</translation>
    </message>
    <message>
        <source>Another sweep is writing this journal.</source>
        <translation>另一个扫描正在写入此日志。</translation>
    </message>
    <message>
        <source>Wait for it, or choose another --out.</source>
        <translation>请等待它结束，或另选 --out。</translation>
    </message>
    <message>
        <source>The journal belongs to another sweep: {0} differs.</source>
        <translation>该日志属于另一个扫描：{0} 不同。</translation>
    </message>
    <message>
        <source>Delete it to begin anew, or choose another --out.</source>
        <translation>请删除它以重新开始，或另选 --out。</translation>
    </message>
    <message>
        <source>The system gave no memory for study {0}.</source>
        <translation>系统没有为第 {0} 项研究提供内存。</translation>
    </message>
    <message>
        <source>Run the same command again with fewer threads: it goes on where it was.</source>
        <translation>请用更少的线程再次运行同一命令：它会从中断处继续。</translation>
    </message>
    <message>
        <source>The system gave no thread: {0}.</source>
        <translation>系统没有提供线程：{0}。</translation>
    </message>
    <message>
        <source>Use fewer threads.</source>
        <translation>请使用更少的线程。</translation>
    </message>
    <message>
        <source>&quot;{0}&quot; belongs to the profiles pytorch and paper, which this cannot use.</source>
        <translation>“{0}”属于计算口径 pytorch 和 paper，此处不能使用。</translation>
    </message>
    <message>
        <source>The paper&apos;s formulas know one stack of serial blocks with a plain FFN of four times the width, and as many key/value heads as heads.</source>
        <translation>论文的公式只适用于由串行块组成的单个堆栈，FFN 为普通形式且宽度为四倍，键/值头数与注意力头数相同。</translation>
    </message>
    <message>
        <source>Use the profile pytorch, or a model such as BERT or GPT-2.</source>
        <translation>请使用计算口径 pytorch，或 BERT、GPT-2 之类的模型。</translation>
    </message>
    <message>
        <source>{0} is outside 1 to {1}.</source>
        <translation>{0} 不在 1 到 {1} 之间。</translation>
    </message>
    <message>
        <source>Use a whole number within these.</source>
        <translation>请使用该范围内的整数。</translation>
    </message>
    <message>
        <source>{0} is no parallel degree.</source>
        <translation>{0} 不是并行度。</translation>
    </message>
    <message>
        <source>ZeRO has no stage {0}.</source>
        <translation>ZeRO 没有阶段 {0}。</translation>
    </message>
    <message>
        <source>Use 0 for none, 1 for the optimizer&apos;s states, 2 for gradients as well, 3 for weights as well.</source>
        <translation>0 表示不用，1 表示优化器状态，2 表示梯度也分片，3 表示权重也分片。</translation>
    </message>
    <message>
        <source>{0} ranks cannot share {1} evenly: {2} is not a multiple.</source>
        <translation>{0} 个 rank 无法均分{1}：{2} 不是其倍数。</translation>
    </message>
    <message>
        <source>Use a degree that divides heads and FFN width, such as {3}.</source>
        <translation>请使用能整除注意力头数和 FFN 宽度的并行度，例如 {3}。</translation>
    </message>
    <message>
        <source>{0} pipeline stages cannot share {1} layers evenly.</source>
        <translation>{0} 个流水线阶段无法均分 {1} 层。</translation>
    </message>
    <message>
        <source>Use a divisor of {1}, such as {2}.</source>
        <translation>请使用 {1} 的约数，例如 {2}。</translation>
    </message>
    <message>
        <source>A model of an encoder and a decoder is not cut into pipeline stages here.</source>
        <translation>这里不把编码器-解码器模型切分为流水线阶段。</translation>
    </message>
    <message>
        <source>Use 1 pipeline stage.</source>
        <translation>请使用 1 个流水线阶段。</translation>
    </message>
    <message>
        <source>Sequence parallelism shares tokens among the ranks of tensor parallelism, but there is 1.</source>
        <translation>序列并行在张量并行的各 rank 之间分摊词元，但这里只有 1 个。</translation>
    </message>
    <message>
        <source>Add --tp 2 or more.</source>
        <translation>请加上 --tp 2 或更大的值。</translation>
    </message>
    <message>
        <source>ZeRO shares states among data parallel ranks, but there is 1.</source>
        <translation>ZeRO 在数据并行的各 rank 之间分摊状态，但这里只有 1 个。</translation>
    </message>
    <message>
        <source>Add --dp 2 or more.</source>
        <translation>请加上 --dp 2 或更大的值。</translation>
    </message>
    <message>
        <source>Use costs that &quot;remat profile&quot; measured: of cpu, cuda or emulated.</source>
        <translation>请使用由 “remat profile” 测得的开销：cpu、cuda 或 emulated 的。</translation>
    </message>
    <message>
        <source>The emulator computes every GPU thread on this CPU: a step of this plan would take it about {0}.</source>
        <translation>仿真器在这个 CPU 上计算每一个 GPU 线程：本方案的一步大约需要 {0}。</translation>
    </message>
    <message>
        <source>Use a tiny model, such as tiny-gpt2, a batch of 1 and a short sequence; or run on the CPU or a GPU.</source>
        <translation>请使用很小的模型（如 tiny-gpt2）、批大小 1 和较短的序列；或在 CPU 或 GPU 上运行。</translation>
    </message>
    <message>
        <source>A step has a forward, a backward and an optimizer phase, and the file tells of {0}.</source>
        <translation>一步有前向、反向和优化器三个阶段，而文件给出了 {0} 个。</translation>
    </message>
    <message>
        <source>The machine did not tell when its operations ran.</source>
        <translation>该机器没有给出各操作运行的时间。</translation>
    </message>
    <message>
        <source>The steps from what the model needs to what the machine counted do not add up to the file&apos;s own figures.</source>
        <translation>从模型所需到机器所计的各步与文件自身的数字不符。</translation>
    </message>
    <message>
        <source>&quot;{0}&quot; is no machine that runs steps.</source>
        <translation>“{0}”不是能运行训练步的机器。</translation>
    </message>
    <message>
        <source>Run it on a GPU (--machine cuda), or make the plan with the precision fp32.</source>
        <translation>请在 GPU 上运行（--machine cuda），或用 fp32 精度制定方案。</translation>
    </message>
    <message>
        <source>There is no machine &quot;{0}&quot;.</source>
        <translation>没有机器“{0}”。</translation>
    </message>
    <message>
        <source>Use cpu, cuda or emulated.</source>
        <translation>请使用 cpu、cuda 或 emulated。</translation>
    </message>
    <message>
        <source>The GPU&apos;s memory pool gave no {0}; {1} are in use.</source>
        <translation>GPU 的内存池无法给出 {0}；已使用 {1}。</translation>
    </message>
    <message>
        <source>Lower the batch, plan with a smaller budget, or close other programs that use the GPU.</source>
        <translation>请减小批大小，用更小的预算制定方案，或关闭其他使用 GPU 的程序。</translation>
    </message>
    <message>
        <source>The GPU&apos;s memory figures cannot be read: {0}.</source>
        <translation>无法读取 GPU 的内存数字：{0}。</translation>
    </message>
    <message>
        <source>A model of type {0} has no region &quot;{1}&quot; in PyTorch.</source>
        <translation>类型为 {0} 的模型在 PyTorch 中没有区域“{1}”。</translation>
    </message>
    <message>
        <source>Make the plan again: this version does not offer that region.</source>
        <translation>请重新制定方案：此版本不提供该区域。</translation>
    </message>
    <message>
        <source>Use none, full, full-no-early-stop, every-K, ffn-only, attention-only, core-attention or optimal.</source>
        <translation>请使用 none、full、full-no-early-stop、every-K、ffn-only、attention-only、core-attention 或 optimal。</translation>
    </message>
    <message>
        <source>Models of type {0} call no attention function that could be wrapped: their softmax stands in the module.</source>
        <translation>类型为 {0} 的模型不调用可以包装的注意力函数：其 softmax 写在模块之内。</translation>
    </message>
    <message>
        <source>There is no launch profile &quot;{0}&quot;.</source>
        <translation>没有名为“{0}”的启动配置。</translation>
    </message>
    <message>
        <source>Write it as {1} (docs/runs.md), or leave out --launch to run here.</source>
        <translation>请把它写成 {1}（见 docs/runs.md），或去掉 --launch 在本机运行。</translation>
    </message>
    <message>
        <source>The first word names no program.</source>
        <translation>第一个词没有指明程序。</translation>
    </message>
    <message>
        <source>Begin with the program, such as srun or ssh.</source>
        <translation>请以程序开头，例如 srun 或 ssh。</translation>
    </message>
    <message>
        <source>&quot;{0}&quot; ended with exit code {1} before a worker answered. The last it said: {2}.</source>
        <translation>“{0}”在工作进程应答之前以退出码 {1} 结束。它最后说：{2}。</translation>
    </message>
    <message>
        <source>Try the launch profile&apos;s words by hand, with remat-worker --self-test at their end.</source>
        <translation>请手动执行启动配置中的各词，并在末尾加上 remat-worker --self-test。</translation>
    </message>
    <message>
        <source>A document has no profile &quot;{0}&quot;.</source>
        <translation>文档没有计算口径“{0}”。</translation>
    </message>
    <message>
        <source>Use runtime or pytorch.</source>
        <translation>请用 runtime 或 pytorch。</translation>
    </message>
    <message>
        <source>The profile pytorch describes a GPU, not this machine&apos;s CPU.</source>
        <translation>计算口径 pytorch 描述的是 GPU，而不是本机的 CPU。</translation>
    </message>
    <message>
        <source>Choose a GPU, or this program&apos;s own run.</source>
        <translation>请选择一块 GPU，或本程序的自身运行。</translation>
    </message>
    <message>
        <source>With {0} stages rotor takes seconds; it is computed when it is chosen.</source>
        <translation>有 {0} 个阶段时 rotor 需要数秒；选择它时才计算。</translation>
    </message>
    <message>
        <source>Choose the row.</source>
        <translation>请选择这一行。</translation>
    </message>
    <message>
        <source>End the name in .json, .csv, .md or .py.</source>
        <translation>文件名请以 .json、.csv、.md 或 .py 结尾。</translation>
    </message>
    <message>
        <source>A plan of the profile pytorch is not written as .{}.</source>
        <translation>计算口径 pytorch 的方案不能写成 .{}。</translation>
    </message>
    <message>
        <source>End the name in .json or .py.</source>
        <translation>文件名请以 .json 或 .py 结尾。</translation>
    </message>
    <message>
        <source>The profile pytorch simulates every layer of a step and takes at most {1} of them, not {0}.</source>
        <translation>计算口径 pytorch 会模拟一个步骤的每一层，最多 {1} 层，而不是 {0} 层。</translation>
    </message>
    <message>
        <source>Raise the budget to {3}. Half precision, an optimizer with less state or GPUs that share them (ZeRO) shrink this part; a smaller batch hardly does.</source>
        <translation>请把预算提高到 {3}。半精度、状态更少的优化器，或由多个 GPU 分担（ZeRO），能减小这一部分；减小批大小几乎没有作用。</translation>
    </message>
    <message>
        <source>Raise the budget to {1}, lower the batch or the sequence length, or choose half precision, an optimizer with less state or more GPUs.</source>
        <translation>请把预算提高到 {1}，减小批大小或序列长度，或改用半精度、状态更少的优化器或更多 GPU。</translation>
    </message>
    <message>
        <source>Lower the layers, or use another profile.</source>
        <translation>请减少层数，或使用另一种计算口径。</translation>
    </message>
    <message>
        <source>The host was not reached: &quot;{0}&quot; ended with exit code {1}. The last it said: {2}.</source>
        <translation>没有连上主机：“{0}”以退出码 {1} 结束。它最后说：{2}。</translation>
    </message>
    <message>
        <source>Check the host&apos;s name and that ssh gets in without a question: try the launch profile&apos;s words by hand.</source>
        <translation>请检查主机名，并确认 ssh 无需提问即可登录：手动试一试启动配置中的命令。</translation>
    </message>
    <message>
        <source>The grid in the file has {0} points; these are {1}.</source>
        <translation>文件中的网格有 {0} 个点；这里有 {1} 个。</translation>
    </message>
    <message>
        <source>Write the results again: remat sweep GRID, or --gather.</source>
        <translation>请重新写出结果：remat sweep GRID，或 --gather。</translation>
    </message>
    <message>
        <source>The grid in the file says {0} here.</source>
        <translation>文件中的网格在此处为 {0}。</translation>
    </message>
    <message>
        <source>The window has no field for --{0}.</source>
        <translation>窗口没有对应 --{0} 的字段。</translation>
    </message>
    <message>
        <source>Plan this point on the command line: remat plan, with the flags of the point.</source>
        <translation>请在命令行规划这个点：remat plan 加上该点的参数。</translation>
    </message>
    <message>
        <source>&quot;{0}&quot; is no number.</source>
        <translation>“{0}”不是数字。</translation>
    </message>
    <message>
        <source>Write one.</source>
        <translation>请写一个数字。</translation>
    </message>
    <message>
        <source>The layers&apos; ways are none that the planner has for this model under these names.</source>
        <translation>这些层的做法不在规划器为该模型以这些名称提供的做法之中。</translation>
    </message>
    <message>
        <source>The file was changed or is damaged: make the plan anew.</source>
        <translation>该文件被改动过或已损坏：请重新制定方案。</translation>
    </message>
    <message>
        <source>The window plans regions of PyTorch; this plan keeps single tensors.</source>
        <translation>窗口规划 PyTorch 的区域；该方案按单个张量保留。</translation>
    </message>
    <message>
        <source>Read it with &quot;remat explain&quot;, and put it into your training with &quot;remat export --to pytorch&quot;.</source>
        <translation>请用“remat explain”查看，并用“remat export --to pytorch”将其用于训练。</translation>
    </message>
    <message>
        <source>No plan that PyTorch can carry out fits into {0}: the leanest needs {1}, {2} more; {3} of that is there whatever is recomputed.</source>
        <translation>PyTorch 能执行的方案都放不进 {0}：最省的方案需要 {1}，还差 {2}；其中 {3} 无论重计算什么都要占用。</translation>
    </message>
</context>
<context>
    <name>main</name>
    <message>
        <source>Explorer for activation recomputation in Transformer training</source>
        <translation>Transformer 训练中激活重计算的探索工具</translation>
    </message>
    <message>
        <source>Documents, plans, reports or config.json files to open</source>
        <translation>要打开的文档、方案、报告或 config.json 文件</translation>
    </message>
    <message>
        <source>Start with the first example instead of the last session.</source>
        <translation>从第一个示例开始，而不是上次的会话。</translation>
    </message>
    <message>
        <source>Speak this language instead of the desktop&apos;s, for example zh_CN.</source>
        <translation>使用该语言而不是桌面的语言，例如 zh_CN。</translation>
    </message>
    <message>
        <source>rematscope --help lists the flags.</source>
        <translation>rematscope --help 列出各选项。</translation>
    </message>
    <message>
        <source>%1: %2 steps, %3 questions; it plays to its end.</source>
        <translation>%1：%2 步，%3 个问题；可以播放到底。</translation>
    </message>
    <message>
        <source>Give one of --export, --screenshots and --check-lesson, and once.</source>
        <translation>--export、--screenshots 和 --check-lesson 只能给一个，且只给一次。</translation>
    </message>
    <message>
        <source>Read a lesson file, play it to its end without a screen, and say what is wrong with it.</source>
        <translation>读取课程文件，不用屏幕播放到底，并说明其中的错误。</translation>
    </message>
    <message>
        <source>Write the board, or the panel that is named before the file, as PNG, SVG or PDF, a table also as CSV, by the file&apos;s suffix, and end.</source>
        <translation>把整个面板，或文件名之前指定的面板，按文件后缀写成 PNG、SVG 或 PDF（表格也可为 CSV），然后结束。</translation>
    </message>
    <message>
        <source>Print versions, devices and folders, and end.</source>
        <translation>打印版本、设备和目录，然后结束。</translation>
    </message>
    <message>
        <source>Write pictures of the window&apos;s states, or of those that are named, into a folder, say what looks wrong, and end.</source>
        <translation>将窗口各种状态（或指定的状态）的图片写入一个文件夹，指出其中看起来有误之处，然后退出。</translation>
    </message>
    <message>
        <source>There is no state %1 of the window.</source>
        <translation>窗口没有名为 %1 的状态。</translation>
    </message>
    <message>
        <source>The folder %1 cannot be made.</source>
        <translation>无法创建文件夹 %1。</translation>
    </message>
    <message>
        <source>The state %1 has no answer.</source>
        <translation>状态 %1 没有得到答案。</translation>
    </message>
    <message>
        <source>%1 cannot be written.</source>
        <translation>无法写入 %1。</translation>
    </message>
</context>
<context>
    <name>remat::ui::AliveTableModel</name>
    <message>
        <source>alive</source>
        <translation>存活</translation>
    </message>
    <message>
        <source>bytes</source>
        <translation>字节</translation>
    </message>
    <message>
        <source>share</source>
        <translation>占比</translation>
    </message>
    <message>
        <source>why</source>
        <translation>原因</translation>
    </message>
</context>
<context>
    <name>remat::ui::AnswerCard</name>
    <message>
        <source>Drag the handle or press ← and →: the grid below shows what the planner keeps for that budget.</source>
        <translation>拖动手柄或按 ← 和 →：下方的网格显示规划器在该显存预算下保留什么。</translation>
    </message>
    <message>
        <source>Close</source>
        <translation>关闭</translation>
    </message>
    <message numerus="yes">
        <source>Release %n pin(s)</source>
        <translation>
            <numerusform>放开 %n 个固定项</numerusform>
        </translation>
    </message>
    <message>
        <source>release pins</source>
        <translation>放开固定项</translation>
    </message>
    <message>
        <source>Batch %1 fits</source>
        <translation>批大小 %1 放得下</translation>
    </message>
    <message>
        <source>change batch</source>
        <translation>更改批大小</translation>
    </message>
    <message>
        <source>Budget %1</source>
        <translation>显存预算 %1</translation>
    </message>
    <message>
        <source>This strategy needs %1; the budget is %2. The optimal plan fits.</source>
        <translation>该策略需要 %1；显存预算是 %2。最优方案放得下。</translation>
    </message>
    <message>
        <source>Use the optimal plan</source>
        <translation>使用最优方案</translation>
    </message>
    <message>
        <source>change strategy</source>
        <translation>更改策略</translation>
    </message>
    <message>
        <source>It fits without: %1.</source>
        <translation>去掉以下固定项就放得下：%1。</translation>
    </message>
    <message>
        <source>Shown is the last input that made sense.</source>
        <translation>图中仍是上一次有效输入的结果。</translation>
    </message>
    <message>
        <source>The device has %1, of which its driver takes %2: plans up to %3 run on it.</source>
        <translation>设备共有 %1，驱动占用 %2：可运行峰值不超过 %3 的方案。</translation>
    </message>
    <message>
        <source>The machine has %1.</source>
        <translation>本机共有 %1。</translation>
    </message>
    <message>
        <source>Shown is the plan in which every layer runs forward once.</source>
        <translation>图中是每层只前向一次的方案。</translation>
    </message>
    <message>
        <source>Why?</source>
        <translation>为什么？</translation>
    </message>
    <message>
        <source>What the peak is made of, what is left, and what more or less budget would change (Ctrl+I)</source>
        <translation>峰值由什么组成、还剩多少、预算增减会改变什么 (Ctrl+I)</translation>
    </message>
    <message>
        <source>Why this plan</source>
        <translation>为何是此方案</translation>
    </message>
    <message>
        <source>Shown is the optimal plan of regions.</source>
        <translation>显示的是最优的区域方案。</translation>
    </message>
</context>
<context>
    <name>remat::ui::ArticlePanel</name>
    <message>
        <source>The article&apos;s models at its sequence length on the device that is chosen, with all the memory that it has for a step. A rate is samples per second against keeping everything.</source>
        <translation>文章的模型，按文章的序列长度，在所选设备上，可用其一步的全部显存。速率是每秒样本数，相对于全部保留。</translation>
    </message>
    <message>
        <source>The article&apos;s claims beside what comes out</source>
        <translation>文章的说法与这里的结果</translation>
    </message>
    <message>
        <source>The article&apos;s table appears here.</source>
        <translation>这里显示文章的表格。</translation>
    </message>
    <message>
        <source>This row is being computed.</source>
        <translation>正在计算这一行。</translation>
    </message>
    <message>
        <source>%1 of %2 rows computed</source>
        <translation>已计算 %1 / %2 行</translation>
    </message>
    <message>
        <source>Choose a row to see why it differs.</source>
        <translation>选择一行，查看为何不同。</translation>
    </message>
    <message>
        <source>Precision of the article&apos;s models</source>
        <translation>文章中模型的精度</translation>
    </message>
    <message>
        <source>The article counts FP16, two bytes a number. A CPU computes in fp32.</source>
        <translation>文章按 FP16(每个数两字节)计算。CPU 以 fp32 计算。</translation>
    </message>
    <message>
        <source>fp32</source>
        <translation>fp32</translation>
    </message>
    <message>
        <source>bf16</source>
        <translation>bf16</translation>
    </message>
    <message>
        <source>%1, %2 for a step, %3; rates against keeping everything</source>
        <translation>%1，一步可用 %2，%3；速率相对于全部保留</translation>
    </message>
</context>
<context>
    <name>remat::ui::ArticleTableModel</name>
    <message>
        <source>model</source>
        <translation>模型</translation>
    </message>
    <message>
        <source>strategy</source>
        <translation>策略</translation>
    </message>
    <message>
        <source>claim: batch</source>
        <translation>文章：批</translation>
    </message>
    <message>
        <source>batch</source>
        <translation>批大小</translation>
    </message>
    <message>
        <source>claim: step</source>
        <translation>文章：步时</translation>
    </message>
    <message>
        <source>step</source>
        <translation>步时</translation>
    </message>
    <message>
        <source>claim: rate</source>
        <translation>文章：速率</translation>
    </message>
    <message>
        <source>rate</source>
        <translation>速率</translation>
    </message>
</context>
<context>
    <name>remat::ui::BatchMapWidget</name>
    <message>
        <source>What every budget costs at every batch appears here.</source>
        <translation>这里显示每个批大小下各预算的代价。</translation>
    </message>
    <message>
        <source>%1 of %2 batches solved</source>
        <translation>已求解 %1 / %2 个批大小</translation>
    </message>
    <message>
        <source>Extra time by budget and batch; a click takes both.</source>
        <translation>按预算和批大小的额外时间；单击即采用两者。</translation>
    </message>
</context>
<context>
    <name>remat::ui::BottomTabs</name>
    <message>
        <source>Timeline</source>
        <translation>时间线</translation>
    </message>
    <message>
        <source>Per layer</source>
        <translation>逐层</translation>
    </message>
    <message>
        <source>Tensors</source>
        <translation>张量</translation>
    </message>
    <message>
        <source>No plan yet.</source>
        <translation>还没有方案。</translation>
    </message>
    <message>
        <source>Trade-off</source>
        <translation>权衡曲线</translation>
    </message>
    <message>
        <source>Strategies are compared once a plan is there.</source>
        <translation>有了方案后会比较各种策略。</translation>
    </message>
    <message>
        <source>Strategies</source>
        <translation>策略</translation>
    </message>
    <message>
        <source>Runs</source>
        <translation>运行</translation>
    </message>
    <message>
        <source>Nothing yet.</source>
        <translation>还没有内容。</translation>
    </message>
    <message>
        <source>Log</source>
        <translation>日志</translation>
    </message>
    <message>
        <source>change strategy</source>
        <translation>更改策略</translation>
    </message>
    <message>
        <source>No run yet.</source>
        <translation>还没有运行。</translation>
    </message>
    <message>
        <source>Details</source>
        <translation>详情</translation>
    </message>
    <message>
        <source>Stop</source>
        <translation>停止</translation>
    </message>
    <message>
        <source>Run %1 failed: %2</source>
        <translation>运行 %1 失败：%2</translation>
    </message>
    <message>
        <source>Batch %1 fits</source>
        <translation>批大小 %1 放得下</translation>
    </message>
    <message>
        <source>change batch</source>
        <translation>更改批大小</translation>
    </message>
    <message>
        <source>A run of this plan takes about %1 a step and %2 here.</source>
        <translation>在这里运行该方案每步约需 %1，占用 %2。</translation>
    </message>
    <message>
        <source>A run of this plan takes %1 here.</source>
        <translation>在这里运行该方案占用 %1。</translation>
    </message>
    <message>
        <source>Plan with measured costs</source>
        <translation>用实测开销规划</translation>
    </message>
    <message>
        <source>Times each operation as the last run of this step did. The device &quot;This CPU&quot;, or undo, leads back to times measured in general.</source>
        <translation>按该步骤最近一次运行测得的时间为每个操作计时。选择设备“这个 CPU”或撤销，即可恢复通用的测量时间。</translation>
    </message>
    <message>
        <source>Compare</source>
        <translation>比较</translation>
    </message>
    <message>
        <source>Article</source>
        <translation>文章</translation>
    </message>
    <message>
        <source>Batch map</source>
        <translation>批大小图</translation>
    </message>
    <message>
        <source>Compare as B</source>
        <translation>作为 B 比较</translation>
    </message>
    <message>
        <source>Run memory</source>
        <translation>运行内存</translation>
    </message>
    <message>
        <source>A run tells here where its memory went.</source>
        <translation>运行后，这里显示其内存的去向。</translation>
    </message>
    <message>
        <source>Run %1 on %2.</source>
        <translation>运行 %1，在 %2 上。</translation>
    </message>
    <message>
        <source>A step of PyTorch is not run here: what is shown is what PyTorch would ask of the GPU. Choose this program&apos;s own run as the profile to run one.</source>
        <translation>PyTorch 的训练步不在这里运行：显示的是 PyTorch 会向 GPU 申请的内容。要运行，请把计算口径选为自身运行。</translation>
    </message>
    <message>
        <source>Sweep</source>
        <translation>扫描</translation>
    </message>
    <message>
        <source>A run of this plan takes %1 there; what goes on stands in the log.</source>
        <translation>此方案在那里运行需要 %1；进展见日志。</translation>
    </message>
</context>
<context>
    <name>remat::ui::BusyBar</name>
    <message>
        <source>Working</source>
        <translation>正在计算</translation>
    </message>
</context>
<context>
    <name>remat::ui::ChainInquiry</name>
    <message>
        <source>%1 is a chain of %2 stages without a model: %3 plans, from %4 in %5 to %6 in %7. The command &quot;remat solve&quot; gives the schedule for a budget.</source>
        <translation>%1 是没有模型的链，共 %2 个阶段：%3 个方案，从 %4、%5 到 %6、%7。命令“remat solve”给出某个预算的调度。</translation>
    </message>
</context>
<context>
    <name>remat::ui::CommandPalette</name>
    <message>
        <source>Commands</source>
        <translation>命令</translation>
    </message>
    <message>
        <source>Type a few letters of what you want</source>
        <translation>输入你要找的几个字母</translation>
    </message>
    <message>
        <source>Search commands</source>
        <translation>搜索命令</translation>
    </message>
</context>
<context>
    <name>remat::ui::ComparePanel</name>
    <message>
        <source>Set as B</source>
        <translation>设为 B</translation>
    </message>
    <message>
        <source>Side A of the comparison</source>
        <translation>比较的 A 方</translation>
    </message>
    <message>
        <source>Side B of the comparison</source>
        <translation>比较的 B 方</translation>
    </message>
    <message>
        <source>Swap A and B</source>
        <translation>交换 A 与 B</translation>
    </message>
    <message>
        <source>Puts the plan shown aside as B; A goes on with the window, to another budget, batch or model.</source>
        <translation>把显示的方案放到一边作为 B；A 随窗口继续变化，可换预算、批大小或模型。</translation>
    </message>
    <message>
        <source>Choose what to compare with as B: a strategy, a run, or the plan shown, put aside.</source>
        <translation>请选择 B：某个策略、某次运行，或放到一边的当前方案。</translation>
    </message>
    <message>
        <source>What changes from A to B</source>
        <translation>从 A 到 B 的变化</translation>
    </message>
    <message>
        <source>nothing yet</source>
        <translation>尚未选择</translation>
    </message>
    <message>
        <source>No difference in what is kept.</source>
        <translation>保留的内容没有差别。</translation>
    </message>
    <message>
        <source>Their layers are not alike: decisions cannot be put side by side.</source>
        <translation>两者的层不同：无法逐项对比决定。</translation>
    </message>
    <message>
        <source>What is compared: the plan shown, a strategy, an opened plan or a measured run</source>
        <translation>比较的对象：当前方案、某个策略、打开的方案或实测运行</translation>
    </message>
    <message>
        <source>What it is compared with; differences are B less A</source>
        <translation>与之比较的对象；差值为 B 减 A</translation>
    </message>
    <message>
        <source>in the grid</source>
        <translation>在网格中</translation>
    </message>
    <message>
        <source>A</source>
        <comment>side of a comparison</comment>
        <translation>A</translation>
    </message>
    <message>
        <source>B</source>
        <comment>side of a comparison</comment>
        <translation>B</translation>
    </message>
    <message>
        <source>Only the cells about which A and B decide otherwise keep their look in the grid.</source>
        <translation>网格中只突出 A 与 B 决定不同的单元格。</translation>
    </message>
    <message>
        <source>One side is PyTorch&apos;s step, the other this program&apos;s own run: what they keep cannot be put side by side.</source>
        <translation>一边是 PyTorch 的训练步，另一边是本程序的自身运行：二者保留的内容无法并排比较。</translation>
    </message>
</context>
<context>
    <name>remat::ui::CompareTableModel</name>
    <message>
        <source>peak</source>
        <translation>峰值</translation>
    </message>
    <message>
        <source>peak by the system&apos;s count</source>
        <translation>系统统计的峰值</translation>
    </message>
    <message>
        <source>resident throughout</source>
        <translation>始终常驻</translation>
    </message>
    <message>
        <source>saved at the end of the forward</source>
        <translation>前向结束时保留</translation>
    </message>
    <message>
        <source>step</source>
        <translation>一步</translation>
    </message>
    <message>
        <source>extra time</source>
        <translation>额外时间</translation>
    </message>
    <message>
        <source>samples per second</source>
        <translation>每秒样本</translation>
    </message>
    <message>
        <source>tokens per second</source>
        <translation>每秒词元</translation>
    </message>
    <message>
        <source>reruns</source>
        <translation>重计算次数</translation>
    </message>
    <message>
        <source>kept</source>
        <translation>保留</translation>
    </message>
    <message>
        <source>recomputed</source>
        <translation>重计算</translation>
    </message>
    <message>
        <source>%1, %2</source>
        <comment>op, layers</comment>
        <translation>%1，%2</translation>
    </message>
    <message>
        <source>what</source>
        <translation>项目</translation>
    </message>
    <message>
        <source>A</source>
        <translation>A</translation>
    </message>
    <message>
        <source>B</source>
        <translation>B</translation>
    </message>
    <message>
        <source>B against A</source>
        <translation>B 对 A</translation>
    </message>
</context>
<context>
    <name>remat::ui::Comparison</name>
    <message>
        <source>the plan shown</source>
        <translation>显示的方案</translation>
    </message>
    <message>
        <source>strategy: %1</source>
        <translation>策略：%1</translation>
    </message>
    <message>
        <source>run %1: %2</source>
        <translation>运行 %1：%2</translation>
    </message>
    <message>
        <source>snapshot %1</source>
        <translation>快照 %1</translation>
    </message>
</context>
<context>
    <name>remat::ui::DetailsPanel</name>
    <message>
        <source>Why</source>
        <translation>原因</translation>
    </message>
    <message>
        <source>Sets the peak</source>
        <translation>决定峰值</translation>
    </message>
    <message>
        <source>More budget buys</source>
        <translation>更多预算可换来</translation>
    </message>
    <message>
        <source>&amp;Keep</source>
        <translation>保留(&amp;K)</translation>
    </message>
    <message>
        <source>&amp;Recompute</source>
        <translation>重计算(&amp;R)</translation>
    </message>
    <message>
        <source>&amp;Auto</source>
        <translation>自动(&amp;A)</translation>
    </message>
    <message>
        <source>Pin: hold it between forward and backward</source>
        <translation>固定：从前向一直保留到反向</translation>
    </message>
    <message>
        <source>Pin: drop it and compute it again</source>
        <translation>固定：丢弃后再计算一次</translation>
    </message>
    <message>
        <source>Let the planner decide</source>
        <translation>由规划器决定</translation>
    </message>
    <message>
        <source>Nothing selected</source>
        <translation>未选择</translation>
    </message>
    <message>
        <source>kept: %1</source>
        <translation>保留：%1</translation>
    </message>
    <message>
        <source>recomputed: %1</source>
        <translation>重计算：%1</translation>
    </message>
    <message>
        <source>Click a cell, or move with the arrow keys, to see what it holds and what dropping it would cost.</source>
        <translation>点击单元格或用方向键移动，可以看到它保留什么，丢弃它要付出多少。</translation>
    </message>
    <message>
        <source>No backward reads what is made here, so nothing is held and nothing can be freed.</source>
        <translation>没有反向读取这里的结果，因此这里不保留任何内容，也没有可释放的内容。</translation>
    </message>
    <message>
        <source>From %1 on a plan fits.</source>
        <translation>从 %1 起有方案放得下。</translation>
    </message>
    <message>
        <source>Nothing: everything is kept already.</source>
        <translation>没有：已经全部保留。</translation>
    </message>
    <message>
        <source>Choose the optimal strategy to see what more memory would buy.</source>
        <translation>选择最优策略，可以看到更多显存能换来什么。</translation>
    </message>
    <message>
        <source>release pin</source>
        <translation>放开固定项</translation>
    </message>
    <message>
        <source>pin</source>
        <translation>固定</translation>
    </message>
    <message>
        <source>freed, not needed again: %1</source>
        <translation>释放，之后不再需要：%1</translation>
    </message>
    <message>
        <source>(%1 for each ms)</source>
        <translation>（每毫秒 %1）</translation>
    </message>
    <message>
        <source>Recomputing saves %1 here and takes %2</source>
        <translation>此处重计算省下 %1，耗时 %2</translation>
    </message>
    <message>
        <source>Recomputing the rest too would free %1 more and take %2 more</source>
        <translation>其余也重计算可再省 %1，再多耗时 %2</translation>
    </message>
    <message>
        <source>Recomputing this would free %1 and take %2 more</source>
        <translation>改为重计算可释放 %1，多耗时 %2</translation>
    </message>
    <message>
        <source>Nothing here: the device has no room for more.</source>
        <translation>在此设备上没有：显存已无余地。</translation>
    </message>
    <message>
        <source>Leave this instant</source>
        <translation>离开此时刻</translation>
    </message>
    <message>
        <source>What is alive at this instant</source>
        <translation>此时刻存活的内容</translation>
    </message>
    <message>
        <source>Less budget costs</source>
        <translation>减少预算的代价</translation>
    </message>
    <message>
        <source>alive then: %1 of the peak&apos;s %2</source>
        <translation>此时存活 %1，峰值为 %2</translation>
    </message>
    <message>
        <source>All layers</source>
        <translation>所有层</translation>
    </message>
    <message>
        <source>all of it</source>
        <translation>整层</translation>
    </message>
    <message>
        <source>Tensors of the cell</source>
        <translation>格子的张量</translation>
    </message>
    <message>
        <source>layer itself</source>
        <translation>层本身</translation>
    </message>
    <message>
        <source>saved for backward: %1 of %2</source>
        <translation>为反向保留：%2 中的 %1</translation>
    </message>
</context>
<context>
    <name>remat::ui::DeviceDialog</name>
    <message>
        <source>Edit device</source>
        <translation>编辑设备</translation>
    </message>
    <message>
        <source>Saved under the same name, it takes the place of the built-in device; under another, it joins the list.</source>
        <translation>用同一名称保存会取代内置设备；用其他名称则加入列表。</translation>
    </message>
    <message>
        <source>Title</source>
        <translation>标题</translation>
    </message>
    <message>
        <source>Memory</source>
        <translation>显存</translation>
    </message>
    <message>
        <source>Context of the driver</source>
        <translation>驱动上下文</translation>
    </message>
    <message>
        <source>Peak rate in fp32, TFLOP/s</source>
        <translation>fp32 峰值速率，TFLOP/s</translation>
    </message>
    <message>
        <source>Peak rate in bf16, TFLOP/s; empty: none</source>
        <translation>bf16 峰值速率，TFLOP/s；留空：无</translation>
    </message>
    <message>
        <source>Memory bandwidth, GB/s</source>
        <translation>显存带宽，GB/s</translation>
    </message>
    <message>
        <source>Launch of an operation, µs; empty: none</source>
        <translation>一个运算的启动开销，µs；留空：无</translation>
    </message>
    <message>
        <source>Source of the figures</source>
        <translation>数字的来源</translation>
    </message>
</context>
<context>
    <name>remat::ui::ExplorerState</name>
    <message>
        <source>change budget</source>
        <translation>更改显存预算</translation>
    </message>
    <message>
        <source>The sequence was shortened to %1: %2 has no more positions.</source>
        <translation>序列已缩短到 %1：%2 没有更多位置。</translation>
    </message>
    <message>
        <source>The sequence was shortened to %1, the sliding window of %2.</source>
        <translation>序列已缩短到 %1，即 %2 的滑动窗口。</translation>
    </message>
    <message>
        <source>plan with measured costs</source>
        <translation>用实测开销规划</translation>
    </message>
    <message>
        <source>PyTorch&apos;s step is described on a GPU: the device is now %1.</source>
        <translation>PyTorch 的训练步是按 GPU 描述的：设备现为 %1。</translation>
    </message>
    <message>
        <source>Pins wait until this program&apos;s own run is shown again.</source>
        <translation>固定项会保留，到再次显示自身运行时生效。</translation>
    </message>
    <message>
        <source>change profile</source>
        <translation>更改计算口径</translation>
    </message>
    <message>
        <source>This program&apos;s own run does not know this model; what is shown is its step in PyTorch.</source>
        <translation>本程序的自身运行不认识此模型；显示的是它在 PyTorch 中的训练步。</translation>
    </message>
    <message>
        <source>The sequence follows from the image: %1 tokens.</source>
        <translation>序列长度由图像决定：%1 个词元。</translation>
    </message>
</context>
<context>
    <name>remat::ui::FitDialog</name>
    <message>
        <source>Model</source>
        <translation>模型</translation>
    </message>
    <message>
        <source>GPU</source>
        <translation>显卡</translation>
    </message>
    <message>
        <source>Batch</source>
        <translation>批大小</translation>
    </message>
    <message>
        <source>Fit my model on my GPU</source>
        <translation>把我的模型放进我的显卡</translation>
    </message>
    <message>
        <source>%1 (shown now)</source>
        <translation>%1（当前显示）</translation>
    </message>
    <message>
        <source>Plan</source>
        <translation>规划</translation>
    </message>
    <message>
        <source>Choose what you train and on what; the planner finds what to keep so that a step fits.</source>
        <translation>选择训练什么、在什么上训练；规划器会找出该保留什么，使一步放得下。</translation>
    </message>
    <message>
        <source>%1 memory − %2 context − %3 reserve = %4 budget</source>
        <translation>%1 显存 − %2 上下文 − %3 预留 = %4 预算</translation>
    </message>
    <message>
        <source>fit model on GPU</source>
        <translation>把模型放进显卡</translation>
    </message>
</context>
<context>
    <name>remat::ui::FittingTabs</name>
    <message>
        <source>More tabs</source>
        <translation>更多标签页</translation>
    </message>
</context>
<context>
    <name>remat::ui::GpuInquiry</name>
    <message>
        <source>CUDA off</source>
        <translation>CUDA 未启用</translation>
    </message>
    <message>
        <source>%1: %2 of %3 free</source>
        <translation>%1：共 %3，空闲 %2</translation>
    </message>
    <message>
        <source>GPU found</source>
        <translation>已找到 GPU</translation>
    </message>
</context>
<context>
    <name>remat::ui::GridCard</name>
    <message>
        <source>What is kept, layer by layer</source>
        <translation>逐层保留的内容</translation>
    </message>
    <message>
        <source>&amp;group equal layers</source>
        <translation>合并相同的层(&amp;G)</translation>
    </message>
    <message>
        <source>Neighbouring layers with the same decisions become one column; edits then act on all of them.</source>
        <translation>决定相同的相邻层合并为一列；之后的修改对它们全部生效。</translation>
    </message>
    <message>
        <source>What a cell&apos;s fill means</source>
        <translation>单元格填充的含义</translation>
    </message>
    <message>
        <source>bytes</source>
        <translation>字节</translation>
    </message>
    <message>
        <source>FLOPs</source>
        <translation>FLOPs</translation>
    </message>
    <message>
        <source>recompute time</source>
        <translation>重计算时间</translation>
    </message>
    <message>
        <source>bytes per µs</source>
        <translation>每 µs 的字节</translation>
    </message>
    <message>
        <source>release pin</source>
        <translation>放开固定项</translation>
    </message>
    <message>
        <source>pin</source>
        <translation>固定</translation>
    </message>
    <message>
        <source>kept %1 of %2</source>
        <translation>保留 %1，共 %2</translation>
    </message>
    <message>
        <source>forward and backward %1</source>
        <translation>前向和反向 %1</translation>
    </message>
    <message>
        <source>recomputing takes %1</source>
        <translation>重计算用时 %1</translation>
    </message>
    <message>
        <source>dropping all of it would take %1</source>
        <translation>全部丢弃将用时 %1</translation>
    </message>
    <message>
        <source>pinned by you: keep</source>
        <translation>由你固定：保留</translation>
    </message>
    <message>
        <source>pinned by you: recompute</source>
        <translation>由你固定：重计算</translation>
    </message>
    <message>
        <source>Keep</source>
        <translation>保留</translation>
    </message>
    <message>
        <source>Recompute</source>
        <translation>重计算</translation>
    </message>
    <message>
        <source>Let the planner decide</source>
        <translation>由规划器决定</translation>
    </message>
    <message>
        <source>layer %1</source>
        <translation>第 %1 层</translation>
    </message>
    <message>
        <source>%1, all layers</source>
        <translation>%1，所有层</translation>
    </message>
    <message>
        <source>%1, all of it</source>
        <translation>%1，整层</translation>
    </message>
    <message>
        <source>Fold the tensors of %1</source>
        <translation>折叠 %1 的张量</translation>
    </message>
    <message>
        <source>Show the tensors of %1</source>
        <translation>显示 %1 的张量</translation>
    </message>
    <message>
        <source>What a cell&apos;s fill means: kept bytes, work, the time that recomputing takes, or the bytes that recomputing frees in each microsecond of it.</source>
        <translation>格子填充的含义：保留的字节、计算量、重计算所需的时间，或重计算每微秒释放的字节。</translation>
    </message>
    <message>
        <source>The profile pytorch has no pins: what runs again there are regions, which the planner chooses.</source>
        <translation>计算口径 pytorch 没有固定项：重新运行的是区域，由规划器选择。</translation>
    </message>
</context>
<context>
    <name>remat::ui::GridWidget</name>
    <message>
        <source>Scroll the sublayers</source>
        <translation>滚动子层</translation>
    </message>
    <message>
        <source>What is kept, layer by layer</source>
        <translation>逐层保留的内容</translation>
    </message>
    <message>
        <source>No cell selected. Arrow keys select, Space pins.</source>
        <translation>未选择单元格。方向键选择，空格键固定。</translation>
    </message>
    <message>
        <source>Layer %1, %2: kept %3 of %4</source>
        <translation>第 %1 层，%2：保留 %3，共 %4</translation>
    </message>
    <message>
        <source>All layers, %1: kept %2 of %3</source>
        <translation>所有层，%1：保留 %2 / %3</translation>
    </message>
    <message>
        <source>Layer %1, all of it</source>
        <translation>第 %1 层，整层</translation>
    </message>
</context>
<context>
    <name>remat::ui::KeysSheet</name>
    <message>
        <source>Keys</source>
        <translation>按键</translation>
    </message>
</context>
<context>
    <name>remat::ui::LaunchDialog</name>
    <message>
        <source>Launch profile</source>
        <translation>启动配置</translation>
    </message>
    <message>
        <source>How the worker of a real run is started elsewhere. One word a line, handed over as it stands, without a shell: srun and its options for Slurm; ssh, -T, -o, BatchMode=yes and the host for another computer. &quot;remat run --launch&quot; takes the same profiles.</source>
        <translation>真实运行的工作进程怎样在别处启动。每行一个词，原样传递，不经过 shell：Slurm 用 srun 及其选项；另一台计算机用 ssh、-T、-o、BatchMode=yes 和主机名。“remat run --launch”使用同样的配置。</translation>
    </message>
    <message>
        <source>Program and its words, before the worker&apos;s path</source>
        <translation>程序及其参数，位于工作进程路径之前</translation>
    </message>
    <message>
        <source>remat-worker there</source>
        <translation>那里的 remat-worker</translation>
    </message>
    <message>
        <source>What ends a job, {job} being its number; empty: only a signal</source>
        <translation>结束作业的命令，{job} 为作业号；留空：只发信号</translation>
    </message>
</context>
<context>
    <name>remat::ui::LayerBarsChart</name>
    <message>
        <source>layer</source>
        <translation>层</translation>
    </message>
    <message numerus="yes">
        <source>layer, mean of %n neighbours</source>
        <translation>
            <numerusform>层，%n 个相邻层的平均</numerusform>
        </translation>
    </message>
    <message>
        <source>kept</source>
        <translation>保留</translation>
    </message>
    <message>
        <source>attention</source>
        <translation>注意力</translation>
    </message>
    <message>
        <source>FFN</source>
        <translation>FFN</translation>
    </message>
    <message>
        <source>norm</source>
        <translation>归一化</translation>
    </message>
    <message>
        <source>residual</source>
        <translation>残差</translation>
    </message>
    <message>
        <source>Kept bytes of every layer</source>
        <translation>每层保留的字节</translation>
    </message>
    <message>
        <source>What every layer keeps appears here with the first plan.</source>
        <translation>有了第一个方案后，这里显示每层保留的内容。</translation>
    </message>
    <message numerus="yes">
        <source>%n layers keep %1 together, between %2 and %3 each.</source>
        <translation>
            <numerusform>%n 层共保留 %1，每层在 %2 到 %3 之间。</numerusform>
        </translation>
    </message>
    <message>
        <source>Layer %1 keeps %2.</source>
        <translation>第 %1 层保留 %2。</translation>
    </message>
    <message>
        <source>layer %1 keeps %2</source>
        <translation>第 %1 层保留 %2</translation>
    </message>
    <message>
        <source>residual %1</source>
        <translation>残差 %1</translation>
    </message>
    <message>
        <source>norm %1</source>
        <translation>归一化 %1</translation>
    </message>
    <message>
        <source>FFN %1</source>
        <translation>FFN %1</translation>
    </message>
    <message>
        <source>attention %1</source>
        <translation>注意力 %1</translation>
    </message>
    <message>
        <source>last run: %1, predicted %2</source>
        <translation>最近一次运行：%1，预测 %2</translation>
    </message>
    <message>
        <source>last run: %1</source>
        <translation>最近一次运行：%1</translation>
    </message>
    <message>
        <source>No layer keeps anything inside for its backward.</source>
        <translation>没有任何层为反向在内部保留内容。</translation>
    </message>
</context>
<context>
    <name>remat::ui::LessonCard</name>
    <message>
        <source>Hint</source>
        <translation>提示</translation>
    </message>
    <message>
        <source>Show me</source>
        <translation>示范</translation>
    </message>
    <message>
        <source>Back</source>
        <translation>上一步</translation>
    </message>
    <message>
        <source>Reset</source>
        <translation>重置</translation>
    </message>
    <message>
        <source>Next</source>
        <translation>下一步</translation>
    </message>
    <message>
        <source>Projector</source>
        <translation>投影</translation>
    </message>
    <message>
        <source>A word on how to find the answer.</source>
        <translation>关于如何找到答案的一句话。</translation>
    </message>
    <message>
        <source>Does what the lesson&apos;s author would do.</source>
        <translation>照课程作者的做法做一遍。</translation>
    </message>
    <message>
        <source>The step before, as it was at its start.</source>
        <translation>上一步，恢复到它开始时的样子。</translation>
    </message>
    <message>
        <source>Brings this step&apos;s own state back, whatever was changed.</source>
        <translation>无论改动了什么，恢复这一步自己的状态。</translation>
    </message>
    <message>
        <source>The next step; an unanswered question may stay.</source>
        <translation>下一步；没回答的问题可以留着。</translation>
    </message>
    <message>
        <source>Everything 1.5 times as large, for the back rows.</source>
        <translation>全部放大 1.5 倍，让后排也看得清。</translation>
    </message>
    <message>
        <source>Finish</source>
        <translation>结束</translation>
    </message>
    <message>
        <source>Step %1 of %2</source>
        <translation>第 %1 步，共 %2 步</translation>
    </message>
    <message>
        <source>Right.</source>
        <translation>正确。</translation>
    </message>
    <message>
        <source>Not this one.</source>
        <translation>不是这个。</translation>
    </message>
</context>
<context>
    <name>remat::ui::LessonDock</name>
    <message>
        <source>Lesson</source>
        <translation>课程</translation>
    </message>
    <message>
        <source>Starts this lesson; what you have now comes back when it ends.</source>
        <translation>开始这一课；结束后恢复你现在的内容。</translation>
    </message>
</context>
<context>
    <name>remat::ui::LessonPlayer</name>
    <message>
        <source>end lesson</source>
        <translation>结束课程</translation>
    </message>
</context>
<context>
    <name>remat::ui::LogListModel</name>
    <message>
        <source>time</source>
        <translation>时间</translation>
    </message>
    <message>
        <source>text</source>
        <translation>内容</translation>
    </message>
</context>
<context>
    <name>remat::ui::MainWindow</name>
    <message>
        <source>Open config.json</source>
        <translation>打开 config.json</translation>
    </message>
    <message>
        <source>Hugging Face configuration (*.json)</source>
        <translation>Hugging Face 配置 (*.json)</translation>
    </message>
    <message>
        <source>this CPU was measured again</source>
        <translation>已重新测量这个 CPU</translation>
    </message>
    <message>
        <source>exact</source>
        <translation>精确</translation>
    </message>
    <message>
        <source>within %1 of exact</source>
        <translation>与精确解相差不超过 %1</translation>
    </message>
    <message>
        <source>solving</source>
        <translation>正在求解</translation>
    </message>
    <message>
        <source>measuring this CPU</source>
        <translation>正在测量这个 CPU</translation>
    </message>
    <message>
        <source>worker: %1</source>
        <translation>工作进程：%1</translation>
    </message>
    <message>
        <source>worker idle</source>
        <translation>工作进程空闲</translation>
    </message>
    <message>
        <source>untitled</source>
        <translation>未命名</translation>
    </message>
    <message>
        <source>%1, %2</source>
        <translation>%1，%2</translation>
    </message>
    <message>
        <source>plan written to %1</source>
        <translation>方案已写入 %1</translation>
    </message>
    <message>
        <source>Unsaved changes</source>
        <translation>未保存的更改</translation>
    </message>
    <message>
        <source>Save the changes to %1?</source>
        <translation>要把更改保存到 %1 吗？</translation>
    </message>
    <message>
        <source>Save document</source>
        <translation>保存文档</translation>
    </message>
    <message>
        <source>RematScope document (*.json)</source>
        <translation>RematScope 文档 (*.json)</translation>
    </message>
    <message>
        <source>Clear list</source>
        <translation>清空列表</translation>
    </message>
    <message>
        <source>The last session could not be opened and was put aside as %1: %2</source>
        <translation>无法打开上次的会话，已另存为 %1：%2</translation>
    </message>
    <message>
        <source>The last session could not be opened, so this one is not saved: %1</source>
        <translation>无法打开上次的会话，因此本次会话不会保存：%1</translation>
    </message>
    <message>
        <source>&amp;Edit</source>
        <translation>编辑(&amp;E)</translation>
    </message>
    <message>
        <source>Undo</source>
        <translation>撤销</translation>
    </message>
    <message>
        <source>Redo</source>
        <translation>重做</translation>
    </message>
    <message>
        <source>Copy &amp;picture</source>
        <translation>复制图片(&amp;P)</translation>
    </message>
    <message>
        <source>Ctrl+Shift+C</source>
        <translation>Ctrl+Shift+C</translation>
    </message>
    <message>
        <source>&amp;Run</source>
        <translation>运行(&amp;R)</translation>
    </message>
    <message>
        <source>&amp;Run for real</source>
        <translation>真实运行(&amp;R)</translation>
    </message>
    <message>
        <source>&amp;Stop</source>
        <translation>停止(&amp;S)</translation>
    </message>
    <message>
        <source>&amp;Measure this CPU again</source>
        <translation>重新测量这个 CPU(&amp;M)</translation>
    </message>
    <message>
        <source>&amp;File</source>
        <translation>文件(&amp;F)</translation>
    </message>
    <message>
        <source>&amp;New</source>
        <translation>新建(&amp;N)</translation>
    </message>
    <message>
        <source>&amp;Open…</source>
        <translation>打开(&amp;O)…</translation>
    </message>
    <message>
        <source>Open</source>
        <translation>打开</translation>
    </message>
    <message>
        <source>Open &amp;recent</source>
        <translation>打开最近的文件(&amp;R)</translation>
    </message>
    <message>
        <source>&amp;Save</source>
        <translation>保存(&amp;S)</translation>
    </message>
    <message>
        <source>Save &amp;as…</source>
        <translation>另存为(&amp;A)…</translation>
    </message>
    <message>
        <source>Export &amp;plan…</source>
        <translation>导出方案(&amp;P)…</translation>
    </message>
    <message>
        <source>Ctrl+E</source>
        <translation>Ctrl+E</translation>
    </message>
    <message>
        <source>Export plan</source>
        <translation>导出方案</translation>
    </message>
    <message>
        <source>Plan (*.json)</source>
        <translation>方案 (*.json)</translation>
    </message>
    <message>
        <source>Export p&amp;icture…</source>
        <translation>导出图片(&amp;I)…</translation>
    </message>
    <message>
        <source>Ctrl+Shift+E</source>
        <translation>Ctrl+Shift+E</translation>
    </message>
    <message>
        <source>Export picture</source>
        <translation>导出图片</translation>
    </message>
    <message>
        <source>&amp;Quit</source>
        <translation>退出(&amp;Q)</translation>
    </message>
    <message>
        <source>&amp;View</source>
        <translation>视图(&amp;V)</translation>
    </message>
    <message>
        <source>&amp;Follow the desktop</source>
        <translation>跟随桌面(&amp;F)</translation>
    </message>
    <message>
        <source>&amp;Light</source>
        <translation>浅色(&amp;L)</translation>
    </message>
    <message>
        <source>&amp;Dark</source>
        <translation>深色(&amp;D)</translation>
    </message>
    <message>
        <source>&amp;Projector</source>
        <translation>投影模式(&amp;P)</translation>
    </message>
    <message>
        <source>Ctrl+Shift+P</source>
        <translation>Ctrl+Shift+P</translation>
    </message>
    <message>
        <source>Ctrl+%1</source>
        <translation>Ctrl+%1</translation>
    </message>
    <message>
        <source>Full &amp;screen</source>
        <translation>全屏(&amp;S)</translation>
    </message>
    <message>
        <source>&amp;Restore default layout</source>
        <translation>恢复默认布局(&amp;R)</translation>
    </message>
    <message>
        <source>Ctrl+0</source>
        <translation>Ctrl+0</translation>
    </message>
    <message>
        <source>&amp;Plan</source>
        <translation>方案(&amp;P)</translation>
    </message>
    <message>
        <source>&amp;Next larger budget that buys time</source>
        <translation>下一个能省时间的更大预算(&amp;N)</translation>
    </message>
    <message>
        <source>Ctrl+Right</source>
        <translation>Ctrl+Right</translation>
    </message>
    <message>
        <source>&amp;Previous budget</source>
        <translation>上一个预算(&amp;P)</translation>
    </message>
    <message>
        <source>Ctrl+Left</source>
        <translation>Ctrl+Left</translation>
    </message>
    <message>
        <source>&amp;Least memory</source>
        <translation>最少显存(&amp;L)</translation>
    </message>
    <message>
        <source>Ctrl+Home</source>
        <translation>Ctrl+Home</translation>
    </message>
    <message>
        <source>Keep &amp;everything</source>
        <translation>全部保留(&amp;E)</translation>
    </message>
    <message>
        <source>Ctrl+End</source>
        <translation>Ctrl+End</translation>
    </message>
    <message>
        <source>&amp;Release all pins</source>
        <translation>放开所有固定项(&amp;R)</translation>
    </message>
    <message>
        <source>Ctrl+Shift+R</source>
        <translation>Ctrl+Shift+R</translation>
    </message>
    <message>
        <source>release pins</source>
        <translation>放开固定项</translation>
    </message>
    <message>
        <source>&amp;Help</source>
        <translation>帮助(&amp;H)</translation>
    </message>
    <message>
        <source>&amp;Keys</source>
        <translation>按键(&amp;K)</translation>
    </message>
    <message>
        <source>Ctrl+/</source>
        <translation>Ctrl+/</translation>
    </message>
    <message>
        <source>&amp;Diagnostics</source>
        <translation>诊断信息(&amp;D)</translation>
    </message>
    <message>
        <source>&amp;About</source>
        <translation>关于(&amp;A)</translation>
    </message>
    <message>
        <source>About RematScope</source>
        <translation>关于 RematScope</translation>
    </message>
    <message>
        <source>&lt;b&gt;RematScope %1&lt;/b&gt;&lt;p&gt;Where the memory of a Transformer training step goes, the cheapest way to make it fit, and a real run that proves it.&lt;/p&gt;&lt;p&gt;The window is free software under the GNU GPL, version 3.&lt;/p&gt;</source>
        <translation>&lt;b&gt;RematScope %1&lt;/b&gt;&lt;p&gt;Transformer 训练步的显存用在哪里，怎样以最小代价放得下，并用一次真实运行来证明。&lt;/p&gt;&lt;p&gt;该窗口程序是自由软件，采用 GNU GPL 第 3 版。&lt;/p&gt;</translation>
    </message>
    <message>
        <source>Diagnostics</source>
        <translation>诊断信息</translation>
    </message>
    <message>
        <source>%1: %2, %3</source>
        <translation>%1：%2，%3</translation>
    </message>
    <message>
        <source>Copy</source>
        <translation>复制</translation>
    </message>
    <message>
        <source>open plan</source>
        <translation>打开方案</translation>
    </message>
    <message>
        <source>%1: the plan shown is the file&apos;s own.</source>
        <translation>%1：显示的就是文件中的方案。</translation>
    </message>
    <message>
        <source>%1 was solved again: the plan shown keeps other tensors and peaks at %2; the file&apos;s peaks at %3.</source>
        <translation>%1 已重新求解：显示的方案保留的张量不同，峰值为 %2；文件中的峰值为 %3。</translation>
    </message>
    <message>
        <source>open %1</source>
        <translation>打开 %1</translation>
    </message>
    <message>
        <source>Save the changes to this untitled document?</source>
        <translation>要保存这份未命名文档的修改吗？</translation>
    </message>
    <message>
        <source>Table of layers (*.csv)</source>
        <translation>逐层表格 (*.csv)</translation>
    </message>
    <message>
        <source>Report in Markdown (*.md)</source>
        <translation>Markdown 报告 (*.md)</translation>
    </message>
    <message>
        <source>PNG picture (*.png)</source>
        <translation>PNG 图片 (*.png)</translation>
    </message>
    <message>
        <source>SVG drawing (*.svg)</source>
        <translation>SVG 矢量图 (*.svg)</translation>
    </message>
    <message>
        <source>PDF page (*.pdf)</source>
        <translation>PDF 页面 (*.pdf)</translation>
    </message>
    <message>
        <source>solving with layers that run again</source>
        <translation>正在求解层可重跑的方案</translation>
    </message>
    <message>
        <source>&amp;Plan with measured costs</source>
        <translation>用实测开销规划(&amp;P)</translation>
    </message>
    <message>
        <source>&amp;Lesson</source>
        <translation>课程(&amp;L)</translation>
    </message>
    <message>
        <source>&amp;Open lesson file…</source>
        <translation>打开课程文件(&amp;O)…</translation>
    </message>
    <message>
        <source>Open lesson</source>
        <translation>打开课程</translation>
    </message>
    <message>
        <source>Lessons (*.json)</source>
        <translation>课程 (*.json)</translation>
    </message>
    <message>
        <source>Plays a lesson that you write, and reads it again whenever you save it.</source>
        <translation>播放你正在编写的课程，每次保存后重新读取。</translation>
    </message>
    <message>
        <source>&amp;Next step</source>
        <translation>下一步(&amp;N)</translation>
    </message>
    <message>
        <source>Ctrl+Alt+Right</source>
        <translation>Ctrl+Alt+Right</translation>
    </message>
    <message>
        <source>&amp;Back one step</source>
        <translation>上一步(&amp;B)</translation>
    </message>
    <message>
        <source>Ctrl+Alt+Left</source>
        <translation>Ctrl+Alt+Left</translation>
    </message>
    <message>
        <source>&amp;Reset this step</source>
        <translation>重置这一步(&amp;R)</translation>
    </message>
    <message>
        <source>Ctrl+Alt+R</source>
        <translation>Ctrl+Alt+R</translation>
    </message>
    <message>
        <source>&amp;End lesson</source>
        <translation>结束课程(&amp;E)</translation>
    </message>
    <message>
        <source>Wh&amp;y this plan</source>
        <translation>为何是此方案(&amp;Y)</translation>
    </message>
    <message>
        <source>Ctrl+I</source>
        <translation>Ctrl+I</translation>
    </message>
    <message>
        <source>Set as &amp;B to compare with</source>
        <translation>设为比较的 &amp;B</translation>
    </message>
    <message>
        <source>Ctrl+B</source>
        <translation>Ctrl+B</translation>
    </message>
    <message>
        <source>S&amp;wap A and B</source>
        <translation>交换 A 与 B(&amp;W)</translation>
    </message>
    <message>
        <source>Ctrl+Shift+B</source>
        <translation>Ctrl+Shift+B</translation>
    </message>
    <message>
        <source>Board</source>
        <translation>总览</translation>
    </message>
    <message>
        <source>Budget and peak</source>
        <translation>预算与峰值</translation>
    </message>
    <message>
        <source>What is kept, layer by layer</source>
        <translation>逐层保留的内容</translation>
    </message>
    <message>
        <source>Details</source>
        <translation>详情</translation>
    </message>
    <message numerus="yes">
        <source>%n layer(s)</source>
        <translation>
            <numerusform>%n 层</numerusform>
        </translation>
    </message>
    <message>
        <source>width %1</source>
        <translation>宽度 %1</translation>
    </message>
    <message>
        <source>batch %1 × %2 tokens</source>
        <translation>批大小 %1 × %2 个 token</translation>
    </message>
    <message>
        <source>attention %1</source>
        <translation>注意力 %1</translation>
    </message>
    <message>
        <source>budget %1</source>
        <translation>预算 %1</translation>
    </message>
    <message numerus="yes">
        <source>%n pin(s)</source>
        <translation>
            <numerusform>%n 个固定</numerusform>
        </translation>
    </message>
    <message>
        <source>%1 written to %2</source>
        <translation>%1 已写入 %2</translation>
    </message>
    <message>
        <source>No table is open: choose Tensors, Strategies, Runs or Log first.</source>
        <translation>没有打开的表格：请先选择“张量”、“策略”、“运行”或“日志”。</translation>
    </message>
    <message>
        <source>Export pane&amp;l</source>
        <translation>导出面板(&amp;L)</translation>
    </message>
    <message>
        <source>Writes it with title, axes and configuration as PNG, SVG or PDF; tables as CSV too.</source>
        <translation>连同标题、坐标轴和配置写成 PNG、SVG 或 PDF；表格也可为 CSV。</translation>
    </message>
    <message>
        <source>Table for other programs (*.csv)</source>
        <translation>供其他程序使用的表格 (*.csv)</translation>
    </message>
    <message>
        <source>Export panel</source>
        <translation>导出面板</translation>
    </message>
    <message>
        <source>%1 (missing)</source>
        <translation>%1（找不到）</translation>
    </message>
    <message>
        <source>Opens this file.</source>
        <translation>打开这个文件。</translation>
    </message>
    <message>
        <source>Takes this entry out of the list.</source>
        <translation>从列表中移除此项。</translation>
    </message>
    <message>
        <source>Forgets which files were open.</source>
        <translation>忘掉打开过哪些文件。</translation>
    </message>
    <message>
        <source>&amp;Command palette…</source>
        <translation>命令面板(&amp;C)…</translation>
    </message>
    <message>
        <source>Ctrl+K</source>
        <translation>Ctrl+K</translation>
    </message>
    <message>
        <source>Ctrl+Shift+K</source>
        <translation>Ctrl+Shift+K</translation>
    </message>
    <message>
        <source>Finds any command or field by a few letters.</source>
        <translation>用几个字母找到任何命令或字段。</translation>
    </message>
    <message>
        <source>All keys on one sheet.</source>
        <translation>一张表列出所有按键。</translation>
    </message>
    <message>
        <source>&amp;What&apos;s this?</source>
        <translation>这是什么(&amp;W)？</translation>
    </message>
    <message>
        <source>Click anything afterwards: what it means, by which formula, from which source.</source>
        <translation>然后点击任何东西：它的含义、公式和来源。</translation>
    </message>
    <message>
        <source>Versions, devices, folders and the log, ready to be copied.</source>
        <translation>版本、设备、目录和日志，可直接复制。</translation>
    </message>
    <message>
        <source>Version and licence.</source>
        <translation>版本与许可证。</translation>
    </message>
    <message>
        <source>Grid</source>
        <translation>网格</translation>
    </message>
    <message>
        <source>arrows</source>
        <translation>方向键</translation>
    </message>
    <message>
        <source>select a cell</source>
        <translation>选择格子</translation>
    </message>
    <message>
        <source>keep</source>
        <translation>保留</translation>
    </message>
    <message>
        <source>recompute</source>
        <translation>重计算</translation>
    </message>
    <message>
        <source>leave it to the planner</source>
        <translation>交给规划器</translation>
    </message>
    <message>
        <source>Space</source>
        <translation>空格</translation>
    </message>
    <message>
        <source>go through the three</source>
        <translation>在三者间切换</translation>
    </message>
    <message>
        <source>drag along a row</source>
        <translation>沿一行拖动</translation>
    </message>
    <message>
        <source>pin all cells like the last</source>
        <translation>像上次那样固定所有格子</translation>
    </message>
    <message>
        <source>open and fold a row</source>
        <translation>展开和折叠一行</translation>
    </message>
    <message>
        <source>Ruler</source>
        <translation>标尺</translation>
    </message>
    <message>
        <source>from plan to plan</source>
        <translation>逐个方案移动</translation>
    </message>
    <message>
        <source>Shift+←, Shift+→</source>
        <translation>Shift+←、Shift+→</translation>
    </message>
    <message>
        <source>by 0.1 GiB</source>
        <translation>每次 0.1 GiB</translation>
    </message>
    <message>
        <source>Home, End</source>
        <translation>Home、End</translation>
    </message>
    <message>
        <source>to the ends</source>
        <translation>到两端</translation>
    </message>
    <message>
        <source>Field</source>
        <translation>字段</translation>
    </message>
    <message>
        <source>RematScope %1, Qt %2, %3</source>
        <translation>RematScope %1，Qt %2，%3</translation>
    </message>
    <message>
        <source>Language %1, platform %2</source>
        <translation>语言 %1，平台 %2</translation>
    </message>
    <message>
        <source>Configuration folder: %1</source>
        <translation>配置目录：%1</translation>
    </message>
    <message>
        <source>Session: %1</source>
        <translation>会话：%1</translation>
    </message>
    <message>
        <source>Devices:</source>
        <translation>设备：</translation>
    </message>
    <message>
        <source>GPUs were not asked for.</source>
        <translation>没有查询显卡。</translation>
    </message>
    <message>
        <source>Log:</source>
        <translation>日志：</translation>
    </message>
    <message>
        <source>The next step; an unanswered question may stay.</source>
        <translation>下一步；没回答的问题可以留着。</translation>
    </message>
    <message>
        <source>The step before, as it was at its start.</source>
        <translation>上一步，恢复到它开始时的样子。</translation>
    </message>
    <message>
        <source>Brings this step&apos;s own state back, whatever was changed.</source>
        <translation>无论改动了什么，恢复这一步自己的状态。</translation>
    </message>
    <message>
        <source>Ends lesson mode; what you had before comes back.</source>
        <translation>结束课程模式；恢复你之前的内容。</translation>
    </message>
    <message>
        <source>Takes the last edit back.</source>
        <translation>撤销上一次编辑。</translation>
    </message>
    <message>
        <source>Does what was taken back again.</source>
        <translation>重做被撤销的编辑。</translation>
    </message>
    <message>
        <source>Copies the panel that has the focus, or the board, with title and configuration.</source>
        <translation>复制有焦点的面板（或整个窗口内容），带标题和配置。</translation>
    </message>
    <message>
        <source>Copy &amp;table</source>
        <translation>复制表格(&amp;T)</translation>
    </message>
    <message>
        <source>Ctrl+Alt+C</source>
        <translation>Ctrl+Alt+C</translation>
    </message>
    <message>
        <source>Copies the table that has the focus, or the open one, for a spreadsheet.</source>
        <translation>复制有焦点或打开的表格，供电子表格使用。</translation>
    </message>
    <message>
        <source>Ends the run under way.</source>
        <translation>结束正在进行的运行。</translation>
    </message>
    <message>
        <source>Times each operation as the last run of this step did.</source>
        <translation>每个运算按这一步上次运行的实测时间计算。</translation>
    </message>
    <message>
        <source>Measures rates and bandwidth anew, in about a second; plans for this CPU follow.</source>
        <translation>约一秒内重新测量速率和带宽；本机 CPU 的方案随之更新。</translation>
    </message>
    <message>
        <source>Starts from the first example.</source>
        <translation>从最初的示例开始。</translation>
    </message>
    <message>
        <source>Documents, plans, reports, lessons, config.json (*.json)</source>
        <translation>文档、方案、报告、课程、config.json (*.json)</translation>
    </message>
    <message>
        <source>Opens any file of the project, or a Hugging Face config.json; dropping it on the window does the same.</source>
        <translation>打开本项目的任何文件，或 Hugging Face 的 config.json；拖放到窗口上效果相同。</translation>
    </message>
    <message>
        <source>Saves model, step, budget, strategy, pins and view as a document.</source>
        <translation>把模型、步骤、预算、策略、固定和视图保存为文档。</translation>
    </message>
    <message>
        <source>Saves the document under another name.</source>
        <translation>用另一个名称保存文档。</translation>
    </message>
    <message>
        <source>Writes the whole board with title and configuration.</source>
        <translation>写出整个窗口内容，带标题和配置。</translation>
    </message>
    <message>
        <source>Prin&amp;t…</source>
        <translation>打印(&amp;T)…</translation>
    </message>
    <message>
        <source>Prints the panel that has the focus, or the board.</source>
        <translation>打印有焦点的面板，或整个窗口内容。</translation>
    </message>
    <message>
        <source>Closes the window; what is open comes back at the next start.</source>
        <translation>关闭窗口；打开的内容下次启动时恢复。</translation>
    </message>
    <message>
        <source>Chooses the colours of the window.</source>
        <translation>选择窗口的配色。</translation>
    </message>
    <message>
        <source>Everything 1.5 times as large, for the back rows.</source>
        <translation>全部放大 1.5 倍，让后排也看得清。</translation>
    </message>
    <message>
        <source>Sizes in &amp;GB instead of GiB</source>
        <translation>大小用 GB 而不是 GiB(&amp;G)</translation>
    </message>
    <message>
        <source>Powers of 1000 (kB, MB, GB) instead of 1024 (KiB, MiB, GiB), everywhere in the window.</source>
        <translation>整个窗口都用 1000 的幂（kB、MB、GB）代替 1024 的幂（KiB、MiB、GiB）。</translation>
    </message>
    <message>
        <source>Opens this tab.</source>
        <translation>打开这个标签页。</translation>
    </message>
    <message>
        <source>Pl&amp;ay the step</source>
        <translation>播放这一步(&amp;A)</translation>
    </message>
    <message>
        <source>Ctrl+Space</source>
        <translation>Ctrl+Space</translation>
    </message>
    <message>
        <source>Plays forward and backward over the timeline and the grid, or pauses.</source>
        <translation>在时间线和网格上播放前向与反向，或暂停。</translation>
    </message>
    <message>
        <source>One operation &amp;on</source>
        <translation>前进一个运算(&amp;O)</translation>
    </message>
    <message>
        <source>Ctrl+.</source>
        <translation>Ctrl+.</translation>
    </message>
    <message>
        <source>Goes to the next operation of the step.</source>
        <translation>转到这一步的下一个运算。</translation>
    </message>
    <message>
        <source>One operation &amp;back</source>
        <translation>后退一个运算(&amp;B)</translation>
    </message>
    <message>
        <source>Ctrl+,</source>
        <translation>Ctrl+,</translation>
    </message>
    <message>
        <source>Goes to the operation before.</source>
        <translation>转到前一个运算。</translation>
    </message>
    <message>
        <source>The window alone, and back.</source>
        <translation>只显示窗口，再按恢复。</translation>
    </message>
    <message>
        <source>Size, tabs and grid as at the first start.</source>
        <translation>大小、标签页和网格恢复为首次启动时的样子。</translation>
    </message>
    <message>
        <source>&amp;Fit my model on my GPU…</source>
        <translation>把我的模型放进我的显卡(&amp;F)…</translation>
    </message>
    <message>
        <source>Ctrl+G</source>
        <translation>Ctrl+G</translation>
    </message>
    <message>
        <source>Three fields: model, GPU, batch; the budget follows from the card.</source>
        <translation>三个字段：模型、显卡、批大小；预算由显卡得出。</translation>
    </message>
    <message>
        <source>Goes to the next plan of the frontier with more memory.</source>
        <translation>转到边界上显存更多的下一个方案。</translation>
    </message>
    <message>
        <source>Goes to the next plan of the frontier with less memory.</source>
        <translation>转到边界上显存更少的下一个方案。</translation>
    </message>
    <message>
        <source>The smallest budget that any plan meets.</source>
        <translation>任何方案能达到的最小预算。</translation>
    </message>
    <message>
        <source>The budget at which nothing is recomputed.</source>
        <translation>什么都不用重计算的预算。</translation>
    </message>
    <message>
        <source>What sets the peak, term by term, and what more or less budget would change.</source>
        <translation>逐项说明什么决定峰值，以及预算增减会改变什么。</translation>
    </message>
    <message>
        <source>Puts the plan shown aside; the tab Compare holds it against what is shown from now on.</source>
        <translation>把所示方案放在一边；“比较”页将它与之后显示的内容对照。</translation>
    </message>
    <message>
        <source>Exchanges the two sides of the comparison.</source>
        <translation>交换比较的两边。</translation>
    </message>
    <message>
        <source>Leaves every cell to the planner again.</source>
        <translation>把每个格子重新交给规划器。</translation>
    </message>
    <message>
        <source>Save model as pre&amp;set…</source>
        <translation>把模型存为预设(&amp;S)…</translation>
    </message>
    <message>
        <source>Keeps the shape shown under a name, in your configuration folder.</source>
        <translation>在你的配置目录中用一个名称保存所示形状。</translation>
    </message>
    <message>
        <source>E&amp;dit device…</source>
        <translation>编辑设备(&amp;D)…</translation>
    </message>
    <message>
        <source>Changes memory and rates of the device chosen, or makes another of it, in your configuration folder.</source>
        <translation>在你的配置目录中更改所选设备的显存和速率，或另存为一个新设备。</translation>
    </message>
    <message>
        <source>preset written to %1</source>
        <translation>预设已写入 %1</translation>
    </message>
    <message>
        <source>change model</source>
        <translation>更改模型</translation>
    </message>
    <message>
        <source>device written to %1</source>
        <translation>设备已写入 %1</translation>
    </message>
    <message>
        <source>change device</source>
        <translation>更改设备</translation>
    </message>
    <message>
        <source>Times are now those that the run measured, operation by operation; others follow their kind. Undo, or another device, leads back.</source>
        <translation>现在的时间是该次运行逐个操作测得的；其他操作按其类别估计。撤销或选择其他设备即可返回。</translation>
    </message>
    <message>
        <source>A step of PyTorch is not run here; the profile &quot;own run&quot; is.</source>
        <translation>PyTorch 的训练步不在这里运行；计算口径“自身运行”的可以。</translation>
    </message>
    <message>
        <source>profile pytorch</source>
        <translation>计算口径 pytorch</translation>
    </message>
    <message>
        <source>Python module for PyTorch (*.py)</source>
        <translation>用于 PyTorch 的 Python 模块 (*.py)</translation>
    </message>
    <message>
        <source>Writes the plan shown: as a file that can be verified and run, as code for PyTorch, as a table, or as a report.</source>
        <translation>写出所示方案：可核实和运行的文件、用于 PyTorch 的代码、表格或报告。</translation>
    </message>
    <message>
        <source>Trains a step of the plan shown, here or where the field Where says, and measures it.</source>
        <translation>按所示方案真实训练一步并测量，在本机或“地点”字段所选之处。</translation>
    </message>
    <message>
        <source>&amp;Launch profiles…</source>
        <translation>启动配置(&amp;L)…</translation>
    </message>
    <message>
        <source>Says how a run starts elsewhere, by ssh or through Slurm; in your configuration folder.</source>
        <translation>说明运行怎样经 ssh 或 Slurm 在别处启动；保存在您的配置文件夹中。</translation>
    </message>
    <message>
        <source>open a point of a sweep</source>
        <translation>打开扫描的一个点</translation>
    </message>
    <message>
        <source>launch profile written to %1</source>
        <translation>启动配置已写入 %1</translation>
    </message>
    <message>
        <source>solved in %1 · regions, every plan simulated whole · profile: PyTorch</source>
        <translation>求解用时 %1 · 区域，每个方案都完整模拟 · 计算口径：PyTorch</translation>
    </message>
    <message>
        <source>solved in %1 · %2 · profile: own run</source>
        <translation>求解用时 %1 · %2 · 计算口径：自身运行</translation>
    </message>
</context>
<context>
    <name>remat::ui::MapPanel</name>
    <message>
        <source>Extra time by budget and batch</source>
        <translation>按预算和批大小的额外时间</translation>
    </message>
    <message>
        <source>take batch and budget from the map</source>
        <translation>采用图中的批大小和预算</translation>
    </message>
</context>
<context>
    <name>remat::ui::ModelPanel</name>
    <message>
        <source>Model</source>
        <translation>模型</translation>
    </message>
    <message>
        <source>Preset</source>
        <translation>预设</translation>
    </message>
    <message>
        <source>Open config.json…</source>
        <translation>打开 config.json…</translation>
    </message>
    <message>
        <source>Edit shape</source>
        <translation>编辑形状</translation>
    </message>
    <message>
        <source>Layers</source>
        <translation>层数</translation>
    </message>
    <message>
        <source>Width</source>
        <translation>宽度</translation>
    </message>
    <message>
        <source>Heads</source>
        <translation>头数</translation>
    </message>
    <message>
        <source>FFN width</source>
        <translation>FFN 宽度</translation>
    </message>
    <message>
        <source>Vocabulary</source>
        <translation>词表</translation>
    </message>
    <message>
        <source>Positions</source>
        <translation>位置数</translation>
    </message>
    <message>
        <source>change model</source>
        <translation>更改模型</translation>
    </message>
    <message>
        <source>own shape</source>
        <translation>自定义形状</translation>
    </message>
    <message>
        <source>change shape</source>
        <translation>更改形状</translation>
    </message>
    <message>
        <source>GPU and budget</source>
        <translation>GPU 与显存预算</translation>
    </message>
    <message>
        <source>Device</source>
        <translation>设备</translation>
    </message>
    <message>
        <source>Budget</source>
        <translation>显存预算</translation>
    </message>
    <message>
        <source>change device</source>
        <translation>更改设备</translation>
    </message>
    <message>
        <source>This CPU</source>
        <translation>这个 CPU</translation>
    </message>
    <message>
        <source>%1: %2. %3</source>
        <translation>%1：%2。%3</translation>
    </message>
    <message>
        <source>Training step</source>
        <translation>训练步</translation>
    </message>
    <message>
        <source>Batch</source>
        <translation>批大小</translation>
    </message>
    <message>
        <source>Sequence</source>
        <translation>序列长度</translation>
    </message>
    <message>
        <source>Attention</source>
        <translation>注意力</translation>
    </message>
    <message>
        <source>blocked</source>
        <translation>分块</translation>
    </message>
    <message>
        <source>The T × T scores exist only in small blocks.</source>
        <translation>T × T 分数只以小块存在。</translation>
    </message>
    <message>
        <source>scores stored</source>
        <translation>存储分数</translation>
    </message>
    <message>
        <source>The T × T probabilities are kept for backward.</source>
        <translation>T × T 概率为反向保留。</translation>
    </message>
    <message>
        <source>Loss head</source>
        <translation>损失头</translation>
    </message>
    <message>
        <source>whole</source>
        <translation>整体</translation>
    </message>
    <message>
        <source>4 chunks</source>
        <translation>4 块</translation>
    </message>
    <message>
        <source>8 chunks</source>
        <translation>8 块</translation>
    </message>
    <message>
        <source>16 chunks</source>
        <translation>16 块</translation>
    </message>
    <message>
        <source>64 chunks</source>
        <translation>64 块</translation>
    </message>
    <message>
        <source>Dropout</source>
        <translation>Dropout</translation>
    </message>
    <message>
        <source>off</source>
        <translation>关闭</translation>
    </message>
    <message>
        <source>Optimizer</source>
        <translation>优化器</translation>
    </message>
    <message>
        <source>AdamW</source>
        <translation>AdamW</translation>
    </message>
    <message>
        <source>SGD</source>
        <translation>SGD</translation>
    </message>
    <message>
        <source>none</source>
        <translation>无</translation>
    </message>
    <message>
        <source>change batch</source>
        <translation>更改批大小</translation>
    </message>
    <message>
        <source>change sequence</source>
        <translation>更改序列长度</translation>
    </message>
    <message>
        <source>change attention</source>
        <translation>更改注意力</translation>
    </message>
    <message>
        <source>change loss head</source>
        <translation>更改损失头</translation>
    </message>
    <message>
        <source>change dropout</source>
        <translation>更改 dropout</translation>
    </message>
    <message>
        <source>change optimizer</source>
        <translation>更改优化器</translation>
    </message>
    <message>
        <source>Strategy</source>
        <translation>策略</translation>
    </message>
    <message>
        <source>Rule</source>
        <translation>规则</translation>
    </message>
    <message>
        <source>change strategy</source>
        <translation>更改策略</translation>
    </message>
    <message numerus="yes">
        <source>%n layer(s)</source>
        <translation>
            <numerusform>%n 层</numerusform>
        </translation>
    </message>
    <message>
        <source>width %1</source>
        <translation>宽度 %1</translation>
    </message>
    <message numerus="yes">
        <source>%n head(s)</source>
        <translation>
            <numerusform>%n 个头</numerusform>
        </translation>
    </message>
    <message>
        <source>Stop (%1 %)</source>
        <translation>停止（%1 %）</translation>
    </message>
    <message>
        <source>about %1 a step, %2</source>
        <translation>每步约 %1，%2</translation>
    </message>
    <message>
        <source>this plan needs %1 here</source>
        <translation>该方案在这里需要 %1</translation>
    </message>
    <message>
        <source>last run: %1 a step, peak as predicted to the byte</source>
        <translation>上次运行：每步 %1，峰值与预测逐字节一致</translation>
    </message>
    <message>
        <source>last run: %1 a step, peak %2 off</source>
        <translation>上次运行：每步 %1，峰值偏差 %2</translation>
    </message>
    <message numerus="yes">
        <source>%n K/V head(s)</source>
        <translation>
            <numerusform>%n 个键/值头</numerusform>
        </translation>
    </message>
    <message>
        <source>A Hugging Face config.json of a GPT-2, BERT, LLaMA, Mistral or Qwen2 model; dropping the file on the window does the same.</source>
        <translation>GPT-2、BERT、LLaMA、Mistral 或 Qwen2 模型的 Hugging Face config.json；把文件拖到窗口上效果相同。</translation>
    </message>
    <message>
        <source>K/V heads</source>
        <translation>键/值头数</translation>
    </message>
    <message>
        <source>Heads of keys and values: as many as heads, or fewer that groups of heads share.</source>
        <translation>键和值的头数：与头数相同，或更少并由各组头共享。</translation>
    </message>
    <message>
        <source>Precision</source>
        <translation>精度</translation>
    </message>
    <message>
        <source>fp32</source>
        <translation>fp32</translation>
    </message>
    <message>
        <source>bf16</source>
        <translation>bf16</translation>
    </message>
    <message>
        <source>Weights, values and gradients in bf16; on a GPU only.</source>
        <translation>权重、数值和梯度均为 bf16；仅限 GPU。</translation>
    </message>
    <message>
        <source>bf16, fp32 master</source>
        <translation>bf16，fp32 主权重</translation>
    </message>
    <message>
        <source>As bf16; the optimizer keeps an fp32 copy of every weight too.</source>
        <translation>同 bf16；优化器另外保存每个权重的 fp32 副本。</translation>
    </message>
    <message>
        <source>change precision</source>
        <translation>更改精度</translation>
    </message>
    <message>
        <source>This CPU, as a run measured it</source>
        <translation>这个 CPU（运行实测）</translation>
    </message>
    <message>
        <source>Last measured error: run %1 peaked at %2, predicted were %3 (%4).</source>
        <translation>上次实测误差：运行 %1 的峰值为 %2，预测为 %3（%4）。</translation>
    </message>
    <message>
        <source>%1: %2 of %3 free</source>
        <translation>%1：共 %3，空闲 %2</translation>
    </message>
    <message>
        <source>Whether there is a GPU is being asked.</source>
        <translation>正在查询是否有 GPU。</translation>
    </message>
    <message>
        <source>fp32 alone</source>
        <translation>仅 fp32</translation>
    </message>
    <message>
        <source>CUDA: no GPU</source>
        <translation>CUDA：没有 GPU</translation>
    </message>
    <message>
        <source>Emulated GPU</source>
        <translation>仿真 GPU</translation>
    </message>
    <message>
        <source>Run on</source>
        <translation>运行于</translation>
    </message>
    <message>
        <source>PyTorch&apos;s step is described on a GPU.</source>
        <translation>PyTorch 的训练步是按 GPU 描述的。</translation>
    </message>
    <message>
        <source>this plan is for PyTorch: %1</source>
        <translation>此方案用于 PyTorch：%1</translation>
    </message>
    <message>
        <source>Profile</source>
        <translation>计算口径</translation>
    </message>
    <message>
        <source>own run</source>
        <translation>自身运行</translation>
    </message>
    <message>
        <source>The step as this program runs it: every operation, to the byte; can be run here.</source>
        <translation>本程序所运行的训练步：逐算子、精确到字节；可在此运行。</translation>
    </message>
    <message>
        <source>PyTorch</source>
        <translation>PyTorch</translation>
    </message>
    <message>
        <source>The step as PyTorch and transformers run it on a GPU; what runs again are regions of torch.utils.checkpoint.</source>
        <translation>PyTorch 与 transformers 在 GPU 上运行的训练步；重新运行的是 torch.utils.checkpoint 的区域。</translation>
    </message>
    <message>
        <source>Micro-batches</source>
        <translation>微批次</translation>
    </message>
    <message>
        <source>change micro-batches</source>
        <translation>更改微批次</translation>
    </message>
    <message>
        <source>Everything in bf16: model.to(torch.bfloat16).</source>
        <translation>全部用 bf16：model.to(torch.bfloat16)。</translation>
    </message>
    <message>
        <source>fp16</source>
        <translation>fp16</translation>
    </message>
    <message>
        <source>Everything in fp16: model.half().</source>
        <translation>全部用 fp16：model.half()。</translation>
    </message>
    <message>
        <source>AMP, bf16</source>
        <translation>AMP，bf16</translation>
    </message>
    <message>
        <source>fp32 weights; torch.autocast in bf16.</source>
        <translation>权重为 fp32；torch.autocast 用 bf16。</translation>
    </message>
    <message>
        <source>AMP, fp16</source>
        <translation>AMP，fp16</translation>
    </message>
    <message>
        <source>fp32 weights; torch.autocast in fp16.</source>
        <translation>权重为 fp32；torch.autocast 用 fp16。</translation>
    </message>
    <message>
        <source>Everything in fp32, TF32 off.</source>
        <translation>全部用 fp32，关闭 TF32。</translation>
    </message>
    <message>
        <source>SDPA</source>
        <translation>SDPA</translation>
    </message>
    <message>
        <source>scaled_dot_product_attention: flash, efficient or math, as PyTorch picks.</source>
        <translation>scaled_dot_product_attention：flash、efficient 或 math，由 PyTorch 选择。</translation>
    </message>
    <message>
        <source>eager</source>
        <translation>eager</translation>
    </message>
    <message>
        <source>The scores as a tensor: attn_implementation=&quot;eager&quot;.</source>
        <translation>分数是一个张量：attn_implementation=&quot;eager&quot;。</translation>
    </message>
    <message>
        <source>Loss</source>
        <translation>损失</translation>
    </message>
    <message>
        <source>What the Hugging Face class computes from labels.</source>
        <translation>Hugging Face 的类由标签算出的损失。</translation>
    </message>
    <message>
        <source>sum of logits</source>
        <translation>logits 求和</translation>
    </message>
    <message>
        <source>out.logits.sum(): no loss of its own.</source>
        <translation>out.logits.sum()：没有自己的损失。</translation>
    </message>
    <message>
        <source>AdamW, fused</source>
        <translation>AdamW，fused</translation>
    </message>
    <message>
        <source>Adafactor</source>
        <translation>Adafactor</translation>
    </message>
    <message>
        <source>AdamW, 8 bit</source>
        <translation>AdamW，8 位</translation>
    </message>
    <message>
        <source>PyTorch&apos;s habits</source>
        <translation>PyTorch 的习惯</translation>
    </message>
    <message>
        <source>Regions</source>
        <translation>区域</translation>
    </message>
    <message>
        <source>early stop</source>
        <translation>提前停止</translation>
    </message>
    <message>
        <source>use_reentrant=False: a second run ends at the last tensor that is asked for.</source>
        <translation>use_reentrant=False：第二次运行在最后一个要用的张量处结束。</translation>
    </message>
    <message>
        <source>to the end</source>
        <translation>到末尾</translation>
    </message>
    <message>
        <source>use_reentrant=False without early stop.</source>
        <translation>use_reentrant=False，不提前停止。</translation>
    </message>
    <message>
        <source>reentrant</source>
        <translation>可重入</translation>
    </message>
    <message>
        <source>use_reentrant=True: nothing inside is saved by choice.</source>
        <translation>use_reentrant=True：内部不能选择保存。</translation>
    </message>
    <message>
        <source>Gradients</source>
        <translation>梯度</translation>
    </message>
    <message>
        <source>made anew</source>
        <translation>每步新建</translation>
    </message>
    <message>
        <source>zero_grad(set_to_none=True), the default.</source>
        <translation>zero_grad(set_to_none=True)，默认值。</translation>
    </message>
    <message>
        <source>stay</source>
        <translation>常驻</translation>
    </message>
    <message>
        <source>zero_grad(set_to_none=False): they are there all step long.</source>
        <translation>zero_grad(set_to_none=False)：整步都在显存中。</translation>
    </message>
    <message>
        <source>Outputs</source>
        <translation>输出</translation>
    </message>
    <message>
        <source>dropped</source>
        <translation>释放</translation>
    </message>
    <message>
        <source>Only the loss outlives forward.</source>
        <translation>前向之后只留下损失。</translation>
    </message>
    <message>
        <source>held</source>
        <translation>持有</translation>
    </message>
    <message>
        <source>The script holds the model&apos;s output, logits included, during backward.</source>
        <translation>反向期间脚本持有模型的输出，包括 logits。</translation>
    </message>
    <message>
        <source>Cache</source>
        <translation>缓存</translation>
    </message>
    <message>
        <source>use_cache=False.</source>
        <translation>use_cache=False。</translation>
    </message>
    <message>
        <source>on</source>
        <translation>开</translation>
    </message>
    <message>
        <source>Keys and values go into the output.</source>
        <translation>键和值进入输出。</translation>
    </message>
    <message>
        <source>Loss code</source>
        <translation>损失代码</translation>
    </message>
    <message>
        <source>current</source>
        <translation>当前</translation>
    </message>
    <message>
        <source>Labels are shifted, logits are not copied.</source>
        <translation>错开的是标签，logits 不复制。</translation>
    </message>
    <message>
        <source>older</source>
        <translation>旧版</translation>
    </message>
    <message>
        <source>Older transformers: fp32 logits are returned, and copied shifted.</source>
        <translation>旧版 transformers：返回 fp32 的 logits，并错位复制。</translation>
    </message>
    <message>
        <source>change loss</source>
        <translation>更改损失</translation>
    </message>
    <message>
        <source>change regions</source>
        <translation>更改区域</translation>
    </message>
    <message>
        <source>change gradients</source>
        <translation>更改梯度</translation>
    </message>
    <message>
        <source>change outputs</source>
        <translation>更改输出</translation>
    </message>
    <message>
        <source>change cache</source>
        <translation>更改缓存</translation>
    </message>
    <message>
        <source>What GPU there is, the worker says when the run begins.</source>
        <translation>那里有什么 GPU，工作进程在运行开始时会说明。</translation>
    </message>
    <message>
        <source>A GPU there</source>
        <translation>那里的 GPU</translation>
    </message>
    <message>
        <source>A CPU there</source>
        <translation>那里的 CPU</translation>
    </message>
    <message>
        <source>A GPU&apos;s kernels and memory pool on a CPU, thread by thread: for tiny steps. Bytes are a GPU&apos;s, times are not.</source>
        <translation>在 CPU 上逐线程执行 GPU 的内核和显存池：仅适合很小的训练步。字节与 GPU 相同，时间则不然。</translation>
    </message>
    <message>
        <source>this plan needs %1 there</source>
        <translation>此方案在那里需要 %1</translation>
    </message>
    <message>
        <source>this computer</source>
        <translation>本机</translation>
    </message>
    <message>
        <source>The worker is a process beside this window.</source>
        <translation>工作进程是本窗口旁的一个进程。</translation>
    </message>
    <message>
        <source>As launch/%1.json in your configuration folder says.</source>
        <translation>按您配置文件夹中的 launch/%1.json。</translation>
    </message>
    <message>
        <source>Where</source>
        <translation>地点</translation>
    </message>
    <message>
        <source>as in model</source>
        <translation>与模型相同</translation>
    </message>
</context>
<context>
    <name>remat::ui::OwnDialog</name>
    <message>
        <source>Name</source>
        <translation>名称</translation>
    </message>
</context>
<context>
    <name>remat::ui::Playback</name>
    <message>
        <source>Play the step, or go through it op by op: cells light up while they hold something.</source>
        <translation>播放这一步，或逐个运算查看：格子在保存内容时亮起。</translation>
    </message>
    <message>
        <source>optimizer step</source>
        <translation>优化器更新</translation>
    </message>
    <message>
        <source>%1, backward of %2</source>
        <translation>%1，%2 的反向</translation>
    </message>
    <message>
        <source>%1, %2 again</source>
        <translation>%1，重新执行 %2</translation>
    </message>
    <message>
        <source>%1, forward of %2</source>
        <translation>%1，%2 的前向</translation>
    </message>
    <message>
        <source>%1 alive</source>
        <translation>占用 %1</translation>
    </message>
    <message numerus="yes">
        <source>%1 %n more</source>
        <comment>sign of what appears or leaves</comment>
        <translation>
            <numerusform>%1 另有 %n 项</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>remat::ui::PlaybackBar</name>
    <message>
        <source>To the first operation</source>
        <translation>到第一个运算</translation>
    </message>
    <message>
        <source>One operation back</source>
        <translation>后退一个运算</translation>
    </message>
    <message>
        <source>Play the step</source>
        <translation>播放这一步</translation>
    </message>
    <message>
        <source>One operation on</source>
        <translation>前进一个运算</translation>
    </message>
    <message>
        <source>Place in the step</source>
        <translation>在这一步中的位置</translation>
    </message>
    <message>
        <source>Where in the step one is; arrow keys go op by op.</source>
        <translation>当前在这一步中的位置；方向键逐个运算移动。</translation>
    </message>
    <message>
        <source>Speed</source>
        <translation>速度</translation>
    </message>
    <message>
        <source>At speed 1 the step takes 20 seconds, in the proportions of its predicted times.</source>
        <translation>速度为 1 时，这一步按预测时间的比例持续 20 秒。</translation>
    </message>
    <message>
        <source>Pause</source>
        <translation>暂停</translation>
    </message>
    <message numerus="yes">
        <source>%n more</source>
        <translation>
            <numerusform>另有 %n 项</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>remat::ui::PresetDialog</name>
    <message>
        <source>Save model as preset</source>
        <translation>把模型存为预设</translation>
    </message>
    <message>
        <source>The shape that the window shows joins the list of presets, here and on the command line.</source>
        <translation>窗口显示的形状加入预设列表，命令行也能使用。</translation>
    </message>
</context>
<context>
    <name>remat::ui::RankGroup</name>
    <message>
        <source>Nothing runs again</source>
        <translation>不重计算</translation>
    </message>
    <message>
        <source>Attention&apos;s core runs again (selective)</source>
        <translation>重计算注意力核心（选择性）</translation>
    </message>
    <message>
        <source>Every layer runs again</source>
        <translation>重计算每一层</translation>
    </message>
    <message numerus="yes">
        <source>saved for backward %1, of %n micro-batch(es)</source>
        <translation>
            <numerusform>为反向保留 %1，来自 %n 个微批</numerusform>
        </translation>
    </message>
    <message>
        <source>peak allocated %1</source>
        <translation>分配峰值 %1</translation>
    </message>
    <message>
        <source>reserved %1 to %2</source>
        <translation>保留显存 %1 至 %2</translation>
    </message>
    <message>
        <source>reserved: no closed form</source>
        <translation>保留显存：没有闭式公式</translation>
    </message>
    <message>
        <source>on the device %1: fits %2</source>
        <translation>设备上共 %1：放得下（%2）</translation>
    </message>
    <message>
        <source>on the device %1: does not fit %2</source>
        <translation>设备上共 %1：放不下（%2）</translation>
    </message>
    <message>
        <source>a step %1, without communication</source>
        <translation>一步 %1，不计通信</translation>
    </message>
    <message>
        <source>a layer keeps %1: attention %2, MLP %3, norms %4, input %5</source>
        <translation>每层保留 %1：注意力 %2，MLP %3，归一化 %4，输入 %5</translation>
    </message>
    <message>
        <source>All of it in closed forms: activations by Korthikanti et al. 2022, states by Rajbhandari et al. 2020 (ZeRO, 2 + 2 + 12 bytes a weight), stages by Narayanan et al. 2021 (1F1B). These are three points, not a plan: nothing can be pinned, exported or run.</source>
        <translation>全部为闭式公式：激活值按 Korthikanti 等 2022，状态按 Rajbhandari 等 2020（ZeRO，每个权重 2 + 2 + 12 字节），流水线按 Narayanan 等 2021（1F1B）。这是三个点而不是方案：不能固定、导出或运行。</translation>
    </message>
    <message>
        <source>Simulated: what one GPU computes, with heads, FFN and vocabulary over TP and layers over PP.</source>
        <translation>模拟所得：一块 GPU 的计算，头、FFN 和词表除以 TP，层数除以 PP。</translation>
    </message>
    <message>
        <source>Closed form: a layer&apos;s saved bytes over TP (Korthikanti et al. 2022, table 2).</source>
        <translation>闭式公式：每层保留的字节除以 TP（Korthikanti 等 2022，表 2）。</translation>
    </message>
    <message>
        <source>Closed form: stage i holds min(m, p − i) micro-batches (Narayanan et al. 2021, 1F1B).</source>
        <translation>闭式公式：第 i 段同时持有 min(m, p − i) 个微批（Narayanan 等 2021，1F1B）。</translation>
    </message>
    <message>
        <source>Closed form: states over DP (Rajbhandari et al. 2020, ZeRO).</source>
        <translation>闭式公式：状态除以 DP（Rajbhandari 等 2020，ZeRO）。</translation>
    </message>
    <message>
        <source>The plan above is for one GPU.</source>
        <translation>窗口中的方案针对一块 GPU。</translation>
    </message>
    <message>
        <source>Several GPUs</source>
        <translation>多块 GPU</translation>
    </message>
    <message>
        <source>Counted by</source>
        <translation>计算方式</translation>
    </message>
    <message>
        <source>TP</source>
        <translation>TP</translation>
    </message>
    <message>
        <source>SP</source>
        <translation>SP</translation>
    </message>
    <message>
        <source>PP</source>
        <translation>PP</translation>
    </message>
    <message>
        <source>DP</source>
        <translation>DP</translation>
    </message>
    <message>
        <source>ZeRO</source>
        <translation>ZeRO</translation>
    </message>
    <message>
        <source>PyTorch</source>
        <translation>PyTorch 模拟</translation>
    </message>
    <message>
        <source>The simulation of one GPU&apos;s step, with closed forms for what GPUs share.</source>
        <translation>模拟一块 GPU 的训练步，GPU 之间共享的部分用闭式公式。</translation>
    </message>
    <message>
        <source>paper</source>
        <translation>论文</translation>
    </message>
    <message>
        <source>The closed forms of Korthikanti et al. 2022 alone; for models with a plain FFN of width 4C.</source>
        <translation>只用 Korthikanti 等 2022 的闭式公式；适用于 FFN 宽度为 4C 的普通模型。</translation>
    </message>
    <message>
        <source>off</source>
        <translation>关</translation>
    </message>
    <message>
        <source>on</source>
        <translation>开</translation>
    </message>
    <message>
        <source>Tokens between the products are shared too.</source>
        <translation>矩阵乘之间的部分也按词元分担。</translation>
    </message>
    <message>
        <source>1: optimizer</source>
        <translation>1：优化器</translation>
    </message>
    <message>
        <source>2: and gradients</source>
        <translation>2：以及梯度</translation>
    </message>
    <message>
        <source>3: and weights (FSDP)</source>
        <translation>3：以及权重 (FSDP)</translation>
    </message>
    <message>
        <source>change GPUs</source>
        <translation>更改 GPU 划分</translation>
    </message>
    <message numerus="yes">
        <source>Several GPUs: %n</source>
        <translation>
            <numerusform>多块 GPU：%n 块</numerusform>
        </translation>
    </message>
    <message>
        <source>Choose a GPU as the device to see what one of several holds.</source>
        <translation>请选择一块 GPU 作为设备，以查看多块中的一块占用多少。</translation>
    </message>
    <message numerus="yes">
        <source>The fullest GPU, of pipeline stage %1 with %n layer(s):</source>
        <translation>
            <numerusform>最满的 GPU，位于流水线第 %1 段，%n 层：</numerusform>
        </translation>
    </message>
    <message>
        <source>Each GPU:</source>
        <translation>每块 GPU：</translation>
    </message>
</context>
<context>
    <name>remat::ui::RulerWidget</name>
    <message>
        <source>Budget ruler</source>
        <translation>显存预算标尺</translation>
    </message>
    <message>
        <source>Budget %1; least possible %2, keep everything %3. Arrow keys move the budget.</source>
        <translation>显存预算 %1；最少 %2，全部保留 %3。方向键移动预算。</translation>
    </message>
</context>
<context>
    <name>remat::ui::RunController</name>
    <message>
        <source>this CPU</source>
        <translation>这个 CPU</translation>
    </message>
    <message>
        <source>checking that it fits</source>
        <translation>正在检查是否放得下</translation>
    </message>
    <message>
        <source>run %1 started: %2</source>
        <translation>运行 %1 已开始：%2</translation>
    </message>
    <message>
        <source>starting the worker</source>
        <translation>正在启动工作进程</translation>
    </message>
    <message>
        <source>stopping</source>
        <translation>正在停止</translation>
    </message>
    <message>
        <source>%1 (%2 of %3)</source>
        <translation>%1（第 %2 项，共 %3 项）</translation>
    </message>
    <message>
        <source>%1: step %2 of %3</source>
        <translation>%1：第 %2 步，共 %3 步</translation>
    </message>
    <message>
        <source>run %1 done</source>
        <translation>运行 %1 完成</translation>
    </message>
    <message>
        <source>stopped</source>
        <translation>已停止</translation>
    </message>
    <message>
        <source>run %1: %2</source>
        <translation>运行 %1：%2</translation>
    </message>
    <message>
        <source>a GPU</source>
        <translation>一个 GPU</translation>
    </message>
    <message>
        <source>emulated GPU</source>
        <translation>仿真 GPU</translation>
    </message>
    <message>
        <source>waiting for %1: no worker has answered yet</source>
        <translation>正在等待 %1：还没有工作进程应答</translation>
    </message>
    <message>
        <source>waiting in the queue: job %1</source>
        <translation>正在排队：作业 %1</translation>
    </message>
    <message>
        <source>job %1</source>
        <translation>作业 %1</translation>
    </message>
    <message>
        <source>run %1 is at work: %2</source>
        <translation>运行 %1 正在工作：%2</translation>
    </message>
    <message>
        <source>CPU</source>
        <translation>CPU</translation>
    </message>
    <message>
        <source>GPU</source>
        <translation>GPU</translation>
    </message>
    <message>
        <source>Run for real (%1)</source>
        <translation>真实运行 (%1)</translation>
    </message>
    <message>
        <source>Run on %1 (%2)</source>
        <translation>在 %1 上运行 (%2)</translation>
    </message>
</context>
<context>
    <name>remat::ui::RunMemoryTableModel</name>
    <message>
        <source>forward</source>
        <translation>前向</translation>
    </message>
    <message>
        <source>backward</source>
        <translation>反向</translation>
    </message>
    <message>
        <source>optimizer</source>
        <translation>优化器</translation>
    </message>
    <message>
        <source>%1 %2 as predicted</source>
        <comment>a phase and its peak</comment>
        <translation>%1 %2（与预测一致）</translation>
    </message>
    <message>
        <source>%1 %2 (predicted %3)</source>
        <comment>a phase and its peak</comment>
        <translation>%1 %2（预测 %3）</translation>
    </message>
    <message>
        <source>, pool %1</source>
        <comment>bytes in use by a GPU&apos;s memory pool</comment>
        <translation>，内存池 %1</translation>
    </message>
    <message>
        <source>Peaks: %1.</source>
        <translation>峰值：%1。</translation>
    </message>
    <message>
        <source>Measured twice, and equal.</source>
        <translation>测量两次，结果相同。</translation>
    </message>
    <message>
        <source>Measured twice, and not equal.</source>
        <translation>测量两次，结果不同。</translation>
    </message>
    <message>
        <source>activations kept for backward</source>
        <translation>为反向保留的激活值</translation>
    </message>
    <message>
        <source>gradients of activations, what was made again</source>
        <translation>激活值的梯度和重计算的内容</translation>
    </message>
    <message>
        <source>gradients of weights</source>
        <translation>权重的梯度</translation>
    </message>
    <message>
        <source>weights</source>
        <translation>权重</translation>
    </message>
    <message>
        <source>optimizer state</source>
        <translation>优化器状态</translation>
    </message>
    <message>
        <source>token ids</source>
        <translation>词元编号</translation>
    </message>
    <message>
        <source>workspace</source>
        <translation>工作区</translation>
    </message>
    <message>
        <source>beyond the prediction</source>
        <translation>超出预测</translation>
    </message>
    <message>
        <source>tracked by the executor</source>
        <translation>执行器统计</translation>
    </message>
    <message>
        <source>rounding of the pool</source>
        <translation>内存池的取整</translation>
    </message>
    <message>
        <source>in use in the GPU&apos;s pool</source>
        <translation>GPU 内存池已使用</translation>
    </message>
    <message>
        <source>reserved and not in use</source>
        <translation>已保留但未使用</translation>
    </message>
    <message>
        <source>reserved by the GPU&apos;s pool</source>
        <translation>GPU 内存池已保留</translation>
    </message>
    <message>
        <source>context and libraries</source>
        <translation>上下文和库</translation>
    </message>
    <message>
        <source>unexplained</source>
        <translation>未解释</translation>
    </message>
    <message>
        <source>this process, by the driver</source>
        <translation>驱动所计的本进程</translation>
    </message>
    <message>
        <source>by which the GPU&apos;s free memory shrank</source>
        <translation>GPU 空闲内存的减少量</translation>
    </message>
    <message>
        <source>growth of the process&apos;s resident memory</source>
        <translation>进程常驻内存的增长</translation>
    </message>
    <message>
        <source>Every allocation of the step counted, base included.</source>
        <translation>统计该步的每一次分配，包括基础部分。</translation>
    </message>
    <message>
        <source>What the driver&apos;s memory pool counts beyond the sizes that it was asked for.</source>
        <translation>驱动的内存池在所请求大小之外多计的部分。</translation>
    </message>
    <message>
        <source>Fragments, and blocks that the pool keeps for the next allocation.</source>
        <translation>碎片，以及内存池为下次分配保留的块。</translation>
    </message>
    <message>
        <source>What the driver and its libraries take before the first allocation.</source>
        <translation>第一次分配之前驱动及其库所占的部分。</translation>
    </message>
    <message>
        <source>What no figure before it accounts for.</source>
        <translation>前面各数字都没有说明的部分。</translation>
    </message>
    <message>
        <source>What nvidia-smi shows for this process.</source>
        <translation>nvidia-smi 对本进程显示的数值。</translation>
    </message>
    <message>
        <source>Other programs on the GPU count too.</source>
        <translation>GPU 上的其他程序也计算在内。</translation>
    </message>
    <message>
        <source>at the peak</source>
        <translation>峰值时</translation>
    </message>
    <message>
        <source>bytes</source>
        <translation>字节</translation>
    </message>
    <message>
        <source>together</source>
        <translation>累计</translation>
    </message>
</context>
<context>
    <name>remat::ui::RunsTableModel</name>
    <message>
        <source>%1: %2</source>
        <comment>state of a run: its stage or reason</comment>
        <translation>%1：%2</translation>
    </message>
    <message>
        <source>waiting</source>
        <translation>等待中</translation>
    </message>
    <message>
        <source>running</source>
        <translation>运行中</translation>
    </message>
    <message>
        <source>done</source>
        <translation>完成</translation>
    </message>
    <message>
        <source>failed</source>
        <translation>失败</translation>
    </message>
    <message>
        <source>stopped</source>
        <translation>已停止</translation>
    </message>
    <message>
        <source>equal</source>
        <translation>相等</translation>
    </message>
    <message>
        <source>differ</source>
        <translation>不同</translation>
    </message>
    <message>
        <source>plan</source>
        <translation>方案</translation>
    </message>
    <message>
        <source>machine</source>
        <translation>机器</translation>
    </message>
    <message>
        <source>state</source>
        <translation>状态</translation>
    </message>
    <message>
        <source>predicted</source>
        <translation>预测</translation>
    </message>
    <message>
        <source>predicted peak</source>
        <translation>预测峰值</translation>
    </message>
    <message>
        <source>tracked</source>
        <translation>程序统计</translation>
    </message>
    <message>
        <source>peak by our own bookkeeping, to the byte</source>
        <translation>本程序自己统计的峰值，精确到字节</translation>
    </message>
    <message>
        <source>system</source>
        <translation>系统</translation>
    </message>
    <message>
        <source>peak that the driver or the operating system counted</source>
        <translation>驱动或操作系统统计的峰值</translation>
    </message>
    <message>
        <source>difference</source>
        <translation>差值</translation>
    </message>
    <message>
        <source>tracked peak minus predicted peak</source>
        <translation>统计峰值减预测峰值</translation>
    </message>
    <message>
        <source>step time</source>
        <translation>每步时间</translation>
    </message>
    <message>
        <source>gradients</source>
        <translation>梯度</translation>
    </message>
    <message>
        <source>compared bit for bit with a step that keeps everything</source>
        <translation>与全部保留的训练步逐位比较</translation>
    </message>
    <message>
        <source>loss</source>
        <translation>损失</translation>
    </message>
    <message>
        <source>system peak %1</source>
        <translation>系统峰值 %1</translation>
    </message>
    <message>
        <source>tracked minus predicted %1</source>
        <translation>跟踪值减预测值 %1</translation>
    </message>
    <message>
        <source>gradients bit-equal to keeping everything</source>
        <translation>梯度与全部保留时逐位一致</translation>
    </message>
    <message>
        <source>gradients differ from keeping everything</source>
        <translation>梯度与全部保留时不同</translation>
    </message>
    <message>
        <source>first loss %1</source>
        <translation>首步损失 %1</translation>
    </message>
    <message>
        <source>Run %1, %2: %3</source>
        <translation>运行 %1，%2：%3</translation>
    </message>
    <message>
        <source>%1 %2 (predicted %3)</source>
        <comment>a phase of the step and its times</comment>
        <translation>%1 %2（预测 %3）</translation>
    </message>
    <message>
        <source>%1 %2</source>
        <comment>a phase of the step and its time</comment>
        <translation>%1 %2</translation>
    </message>
    <message>
        <source>forward</source>
        <translation>前向</translation>
    </message>
    <message>
        <source>made again</source>
        <translation>重计算</translation>
    </message>
    <message>
        <source>backward</source>
        <translation>反向</translation>
    </message>
    <message>
        <source>optimizer</source>
        <translation>优化器</translation>
    </message>
    <message>
        <source>Of a step: %1.</source>
        <translation>一步之中：%1。</translation>
    </message>
</context>
<context>
    <name>remat::ui::SizeField</name>
    <message>
        <source>%1 bytes. Units: B, KiB, MiB, GiB, TiB, kB, MB, GB, TB.</source>
        <translation>%1 字节。单位：B、KiB、MiB、GiB、TiB、kB、MB、GB、TB。</translation>
    </message>
    <message>
        <source>A size is needed, such as %1.</source>
        <translation>需要一个大小，例如 %1。</translation>
    </message>
    <message>
        <source>%1 is too small: at least %2.</source>
        <translation>%1 太小：至少 %2。</translation>
    </message>
    <message>
        <source>%1 is too large: at most %2.</source>
        <translation>%1 太大：最多 %2。</translation>
    </message>
</context>
<context>
    <name>remat::ui::StrategyTableModel</name>
    <message>
        <source>not applicable: %1</source>
        <translation>不适用：%1</translation>
    </message>
    <message>
        <source>fits</source>
        <translation>放得下</translation>
    </message>
    <message>
        <source>does not fit</source>
        <translation>放不下</translation>
    </message>
    <message>
        <source>strategy</source>
        <translation>策略</translation>
    </message>
    <message>
        <source>peak</source>
        <translation>峰值</translation>
    </message>
    <message>
        <source>saved</source>
        <translation>为反向保留</translation>
    </message>
    <message>
        <source>time</source>
        <translation>时间</translation>
    </message>
    <message>
        <source>overhead</source>
        <translation>额外时间</translation>
    </message>
    <message>
        <source>reruns</source>
        <translation>重跑次数</translation>
    </message>
    <message>
        <source>computed when idle</source>
        <translation>空闲时计算</translation>
    </message>
</context>
<context>
    <name>remat::ui::SweepMapWidget</name>
    <message>
        <source>Open or drop the JSON that &quot;remat sweep&quot; wrote: its points become a map.</source>
        <translation>打开或拖入“remat sweep”写出的 JSON：其中的点会成为一张图。</translation>
    </message>
    <message>
        <source>Extra time of every point; a click opens its configuration.</source>
        <translation>每个点的额外时间；单击可打开其配置。</translation>
    </message>
    <message>
        <source>no such point</source>
        <translation>没有这个点</translation>
    </message>
</context>
<context>
    <name>remat::ui::SweepPanel</name>
    <message>
        <source>Across</source>
        <translation>横轴</translation>
    </message>
    <message>
        <source>The axis of the sweep that runs to the right</source>
        <translation>扫描中向右展开的轴</translation>
    </message>
    <message>
        <source>Up</source>
        <translation>纵轴</translation>
    </message>
    <message>
        <source>The axis of the sweep that runs upwards</source>
        <translation>扫描中向上展开的轴</translation>
    </message>
    <message>
        <source>Results of a sweep</source>
        <translation>扫描结果</translation>
    </message>
    <message>
        <source>Which value of --%1 is shown</source>
        <translation>显示 --%1 的哪个值</translation>
    </message>
</context>
<context>
    <name>remat::ui::TableView</name>
    <message>
        <source>Copy rows</source>
        <translation>复制行</translation>
    </message>
</context>
<context>
    <name>remat::ui::TensorTableModel</name>
    <message>
        <source>kept, pinned</source>
        <translation>保留，已固定</translation>
    </message>
    <message>
        <source>recomputed, pinned</source>
        <translation>重计算，已固定</translation>
    </message>
    <message>
        <source>kept</source>
        <translation>保留</translation>
    </message>
    <message>
        <source>recomputed</source>
        <translation>重计算</translation>
    </message>
    <message>
        <source>no backward</source>
        <translation>反向不用</translation>
    </message>
    <message>
        <source>tensor</source>
        <translation>张量</translation>
    </message>
    <message>
        <source>sublayer</source>
        <translation>子层</translation>
    </message>
    <message>
        <source>shape</source>
        <translation>形状</translation>
    </message>
    <message>
        <source>size</source>
        <translation>大小</translation>
    </message>
    <message>
        <source>decision</source>
        <translation>决定</translation>
    </message>
    <message>
        <source>read in backward by</source>
        <translation>反向中被谁读取</translation>
    </message>
    <message>
        <source>freed</source>
        <translation>释放</translation>
    </message>
    <message>
        <source>recompute</source>
        <translation>重计算</translation>
    </message>
</context>
<context>
    <name>remat::ui::TimelineChart</name>
    <message>
        <source>step time</source>
        <translation>每步时间</translation>
    </message>
    <message>
        <source>predicted</source>
        <translation>预测</translation>
    </message>
    <message>
        <source>budget %1</source>
        <translation>显存预算 %1</translation>
    </message>
    <message>
        <source>Memory over the step</source>
        <translation>训练步中的显存</translation>
    </message>
    <message>
        <source>The memory of the step appears here with the first plan.</source>
        <translation>有了第一个方案后，这里显示训练步中的显存。</translation>
    </message>
    <message>
        <source>Predicted memory peaks at %1, %2 into a step of %3.</source>
        <translation>预测的显存峰值为 %1，在长 %3 的训练步的 %2 处。</translation>
    </message>
    <message>
        <source>The budget is %1.</source>
        <translation>显存预算是 %1。</translation>
    </message>
    <message>
        <source>The measured peak is %1.</source>
        <translation>实测峰值是 %1。</translation>
    </message>
    <message>
        <source>predicted %1</source>
        <translation>预测 %1</translation>
    </message>
    <message>
        <source>measured %1</source>
        <translation>实测 %1</translation>
    </message>
    <message>
        <source>measured (%1)</source>
        <translation>实测（%1）</translation>
    </message>
    <message>
        <source>sets the peak</source>
        <translation>决定峰值</translation>
    </message>
</context>
<context>
    <name>remat::ui::TradeoffChart</name>
    <message>
        <source>peak memory</source>
        <translation>峰值显存</translation>
    </message>
    <message>
        <source>extra time</source>
        <translation>额外时间</translation>
    </message>
    <message>
        <source>this plan</source>
        <translation>当前方案</translation>
    </message>
    <message>
        <source>Trade-off between memory and time</source>
        <translation>显存与时间的权衡</translation>
    </message>
    <message>
        <source>What more memory would buy appears here with the first plan.</source>
        <translation>有了第一个方案后，这里显示更多显存能换来什么。</translation>
    </message>
    <message>
        <source>The least peak is %1 at %2 time; %3 is enough for %4.</source>
        <translation>最低峰值是 %1，时间 %2；%3 足以达到 %4。</translation>
    </message>
    <message>
        <source>This plan peaks at %1 and costs %2.</source>
        <translation>该方案峰值为 %1，代价为 %2。</translation>
    </message>
    <message>
        <source>%1: %2, %3.</source>
        <comment>strategy: peak, extra time</comment>
        <translation>%1：%2，%3。</translation>
    </message>
    <message>
        <source>peak %1</source>
        <translation>峰值 %1</translation>
    </message>
    <message>
        <source>%1 time</source>
        <translation>时间 %1</translation>
    </message>
    <message>
        <source>fits</source>
        <translation>放得下</translation>
    </message>
    <message>
        <source>does not fit</source>
        <translation>放不下</translation>
    </message>
    <message>
        <source>budget %1</source>
        <translation>显存预算 %1</translation>
    </message>
    <message>
        <source>no plan fits</source>
        <translation>没有方案放得下</translation>
    </message>
    <message>
        <source>plan peaks at %1</source>
        <translation>方案峰值 %1</translation>
    </message>
</context>
</TS>
