# SPDX-FileCopyrightText: 2026 The RematScope authors
# SPDX-License-Identifier: Apache-2.0
"""One training step on a fake CUDA device, and what it asks of the allocator.

No GPU is needed: FakeTensorMode runs the CUDA code paths on tensors without data, and a dispatch mode follows every
storage from birth to death.  The same method and conventions as the tool that made tests/data/torch: sizes rounded up to
512 bytes, the engine's in-place sums, and the large temporaries inside attention kernels."""
import contextlib
import ctypes
import gc
import importlib
import os
import sys
import weakref

from models import torch, transformers
from torch._subclasses.fake_tensor import FakeTensor, FakeTensorMode
from torch.utils._python_dispatch import TorchDispatchMode
from torch.utils._pytree import tree_leaves
from torch.utils.flop_counter import flop_registry

F, aten = torch.nn.functional, torch.ops.aten
TYPES = {"fp16": torch.float16, "bf16": torch.bfloat16, "fp32": torch.float32}


def up(size):
    return (size + 511) // 512 * 512


def enable_fake_cuda():
    """The autograd engine asks CUDAHooks::hasPrimaryContext(0) and throws without a driver: the object's table of virtual
    functions is copied with slot 4 (two destructors, isBuilt, isAvailable, hasPrimaryContext) answering "no"."""
    if getattr(enable_fake_cuda, "keep", None):
        return
    library = ctypes.CDLL(os.path.join(os.path.dirname(torch.__file__), "lib", "libtorch_cpu.so"))
    hooks = library._ZN2at6detail12getCUDAHooksEv
    hooks.restype = ctypes.c_void_p
    here = ctypes.cast(hooks(), ctypes.POINTER(ctypes.c_void_p))
    table = (ctypes.c_void_p * 162)()
    ctypes.memmove(table, here[0] - 16, 8 * 162)
    answer = ctypes.CFUNCTYPE(ctypes.c_bool, ctypes.c_void_p, ctypes.c_int8)(lambda self, device: False)
    table[2 + 4] = ctypes.cast(answer, ctypes.c_void_p).value
    if not torch.cuda.is_available():
        here[0] = ctypes.addressof(table) + 16
    enable_fake_cuda.keep = (table, answer)
    torch.autograd.set_multithreading_enabled(False)
    torch.cuda.amp.common.amp_definitely_not_available = lambda: False
    torch.cuda.is_bf16_supported = lambda *args, **kwargs: True
    torch.cuda.get_device_capability = lambda *args, **kwargs: (8, 0)
    F.scaled_dot_product_attention = _fused_attention
    for name, module in list(sys.modules.items()):
        if name.startswith("transformers") and "is_fake_tensor" in vars(module):
            module.is_fake_tensor = lambda *args, **kwargs: False
    masks, models = (importlib.import_module("transformers." + n) for n in ("masking_utils", "modeling_utils"))
    masks.find_packed_sequence_indices = lambda position_ids: None
    models.PreTrainedModel._initialize_weights = lambda self, *args, **kwargs: None


_real_attention = F.scaled_dot_product_attention


def _fused_attention(query, key, value, attn_mask=None, dropout_p=0.0, is_causal=False, scale=None, enable_gqa=False):
    """The kernel that an A100 would take; fake CUDA itself always says "math"."""
    if torch.is_autocast_enabled("cuda"):
        half = torch.get_autocast_dtype("cuda")
        query, key, value = (t.to(half) for t in (query, key, value))
    width, same = query.shape[-1], query.shape[1] == key.shape[1]
    is_half = query.dtype in (torch.float16, torch.bfloat16)
    with torch.autocast("cuda", enabled=False):
        if is_half and attn_mask is None and width <= 256 and width % 8 == 0 and (same or enable_gqa):
            return aten._scaled_dot_product_flash_attention(query, key, value, dropout_p, is_causal, scale=scale)[0]
        if same and attn_mask is None and width % (8 if is_half else 4) == 0:
            return aten._scaled_dot_product_efficient_attention(
                query, key, value, None, True, dropout_p, is_causal, scale=scale)[0]
        return _real_attention(query, key, value, attn_mask=attn_mask, dropout_p=dropout_p, is_causal=is_causal, scale=scale,
                               enable_gqa=enable_gqa)


def _inside_kernels(op, args):
    """What the host code of a CUDA kernel allocates unseen: copies for cuBLAS, the accumulators of attention's backward."""
    kind = op._overloadpacket
    if kind in (aten.mm, aten.addmm, aten.bmm, aten.baddbmm):
        size = 0
        for t in args[-2:] if kind in (aten.mm, aten.bmm) else args[1:3]:
            (rows, columns), (by_row, by_column) = t.shape[-2:], t.stride()[-2:]
            if not ((by_row == 1 and by_column >= max(1, rows)) or (by_column == 1 and by_row >= max(1, columns))):
                size += up(t.numel() * t.itemsize)
        return size
    if kind is aten._scaled_dot_product_flash_attention_backward:
        q, k = args[1], args[2]
        rows, heads, length, width = q.shape
        step = 32 if width <= 128 else 64
        long, wide = -(-length // 128) * 128, -(-width // step) * step
        shared = 2 * up(q.itemsize * rows * heads * k.shape[2] * width) if k.shape[1] != heads else 0
        return up(4 * rows * heads * long * wide) + up(4 * rows * heads * long) + shared
    if kind is aten._scaled_dot_product_efficient_attention_backward:
        q = args[1]
        return up(4 * q.shape[0] * q.shape[1] * q.shape[2]) + (up(4 * q.numel()) if q.itemsize == 2 else 0)
    return 0


def _engine_adds_in_place(op, args):
    """The engine sums gradients in place where nobody else holds the buffer, but never for tensor subclasses."""
    if op is not aten.add.Tensor or len(args) != 2 or torch.is_grad_enabled() or torch._C._current_autograd_node() is None:
        return False
    a, b = args
    return (isinstance(a, FakeTensor) and isinstance(b, FakeTensor) and a.shape == b.shape and a.dtype == b.dtype
            and a._use_count() == 4 and aten.is_non_overlapping_and_dense(a)
            and torch._C._storage_Use_Count(a.untyped_storage()._cdata) == 2)


class Tracker(TorchDispatchMode):
    """Live bytes of CUDA storages, their peak, and FLOPs of products by phase."""

    def __init__(self):
        super().__init__()
        self.live, self.now, self.peak, self.phase = {}, 0, 0, "init"
        self.flops = {"forward": 0, "backward": 0, "recompute": 0}

    def add(self, tensor):
        storage = tensor.untyped_storage()
        key, size = storage._cdata, up(storage.nbytes())
        if key not in self.live and size:
            self.live[key] = (size, weakref.ref(storage, lambda _: self._drop(key)))
            self.now += size

    def _drop(self, key):
        self.now -= self.live.pop(key)[0]

    def __torch_dispatch__(self, op, types, args=(), kwargs=None):
        kwargs = kwargs or {}
        if op is torch.ops.prim.device.default:
            return op(*args, **kwargs)
        out = args[0].add_(args[1]) if _engine_adds_in_place(op, args) else op(*args, **kwargs)
        phase = self.phase
        if phase == "backward" and torch.is_grad_enabled() and torch._C._current_autograd_node() is not None:
            phase = "recompute"
        count = flop_registry.get(op._overloadpacket)
        if count and phase in self.flops:
            self.flops[phase] += count(*args, **kwargs, out_val=out)
        for tensor in tree_leaves(out):
            if isinstance(tensor, FakeTensor) and tensor.fake_device.type == "cuda":
                self.add(tensor)
        self.peak = max(self.peak, self.now + _inside_kernels(op, args))
        return out


def measure(case, apply_plan=None):
    """One step of a case (config, precision, dtype, attention, batch, seq, dropout): bytes saved at the end of forward, peak
    and FLOPs.  `apply_plan` is called with the model."""
    enable_fake_cuda()
    gc.collect()
    config = transformers.AutoConfig.for_model(**case["config"])
    config.use_cache, config._attn_implementation = False, case["attention"]
    for key, value in config.to_dict().items():
        if ("drop" in key or key == "attn_pdrop") and isinstance(value, float) and "classifier" not in key and key != "layerdrop":
            setattr(config, key, case.get("dropout", 0.0))
    is_half = case["precision"] == "half"
    with FakeTensorMode(allow_non_fake_inputs=True), Tracker() as tracker:
        torch.set_default_dtype(TYPES[case["dtype"]] if is_half else torch.float32)
        try:
            with torch.device("cuda"):
                model = getattr(transformers, case["model_class"])(config).train()
                ids = torch.zeros((case["batch"], case["seq"]), dtype=torch.long)
        finally:
            torch.set_default_dtype(torch.float32)
        labels = torch.zeros_like(ids)
        tracker.live.clear()
        tracker.now = 0
        for tensor in [*model.parameters(), *model.buffers(), ids, labels]:
            tracker.add(tensor)
        applied = apply_plan(model) if apply_plan else None
        base, tracker.peak, tracker.phase = tracker.now, tracker.now, "forward"
        half = torch.autocast("cuda", dtype=TYPES[case["dtype"]]) if case["precision"] == "amp" else contextlib.nullcontext()
        with half:
            loss = model(input_ids=ids, labels=labels).loss
        gc.collect()
        saved, tracker.phase = tracker.now - base, "backward"
        loss.backward()
        if applied:
            applied.remove()
        return {"saved_bytes": saved, "peak_bytes": tracker.peak, "base_bytes": base, "flops": dict(tracker.flops)}
