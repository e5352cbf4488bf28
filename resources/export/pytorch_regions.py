# SPDX-FileCopyrightText: 2026 The RematScope authors
# SPDX-License-Identifier: 0BSD
# ---- regions of torch.utils.checkpoint ---------------------------------------------------------------------------------
import inspect
import sys

from torch.utils._python_dispatch import TorchDispatchMode
from torch.utils.checkpoint import CheckpointPolicy, checkpoint, create_selective_checkpoint_contexts

_REALIZATION = "regions"
_PRODUCTS = ("mm", "addmm", "bmm", "baddbmm", "linear", "matmul", "mkldnn_linear")
# Newer releases ask whether hooks of the person's (save_on_cpu) see what a region saves: they do.
_SEES_HOOKS = "respect_saved_tensors_hooks" in inspect.signature(checkpoint).parameters


class _Region:
    """One call that is recomputed in backward: `function` of what it is called with, and of nothing else that changes."""

    def __init__(self, spec):
        self.spec = spec
        self.path = spec.get("path") or spec["paths"][0]
        self.saved = _Saved(self) if spec.get("save") else None
        self.inside = []  # modules whose weights the region uses
        self.seen = False  # a first call has been checked

    def __call__(self, function, args, kwargs):
        if not torch.is_grad_enabled():
            return function(*args, **kwargs)
        # Tensors go in by position: one inside a keyword argument or a tuple would be held by the call and not by autograd.
        leaves, tree = tree_flatten((args, kwargs))
        tensors = list({id(leaf): leaf for leaf in leaves if isinstance(leaf, torch.Tensor)}.values())
        number = {id(tensor): i for i, tensor in enumerate(tensors)}
        places = [number.get(id(leaf)) for leaf in leaves]
        others = [None if isinstance(leaf, torch.Tensor) else leaf for leaf in leaves]

        def body(*tensors):
            values = [other if place is None else tensors[place] for place, other in zip(places, others)]
            again, by_name = tree_unflatten(values, tree)
            return function(*again, **by_name)

        options = {"use_reentrant": bool(self.spec.get("reentrant"))}
        if not options["use_reentrant"]:
            if not self.spec.get("early_stop", True):
                options["early_stop"] = False
            if _SEES_HOOKS:
                options["respect_saved_tensors_hooks"] = True
            if self.saved:
                options["context_fn"] = self.saved.contexts
        if not self.seen:
            _refuse_sharded(self.path, self.inside)
        out = checkpoint(body, *tensors, **options)
        if self.saved and not self.seen:
            self.saved.check()
        self.seen = True
        return out


class _Saved:
    """The ops of a region that run once: products of named Linear layers, and "sdpa", the fused attention.

    A named layer says that it is running by lying on a stack; early stop leaves a layer by an exception, so its name is
    taken off in a finally."""

    def __init__(self, region):
        self.region, self.names = region, set(region.spec["save"])
        self.running, self.ran, self.others = [], set(), set()

    def watch(self, applied, layer):
        for name in self.names - {"sdpa"}:
            module = applied.module(f"{layer}.{name}")
            applied.set(module, "forward", self._named(name, module.forward))

    def _named(self, name, forward):
        @functools.wraps(forward)
        def named(*args, **kwargs):
            self.running.append(name)
            try:
                return forward(*args, **kwargs)
            finally:
                self.running.pop()

        return named

    def name_of(self, op):
        """By which name the plan saves this op; None: it does not."""
        kind = _op_name(op)
        if kind in _FUSED_ATTENTION:
            return "sdpa" if "sdpa" in self.names else None
        if not self.running:
            return None
        name = self.running[-1]
        if op._schema.is_mutable and kind.rstrip("_") in _PRODUCTS:
            raise RematError(
                f"'{name}' in '{self.region.path}' writes its product in place ({kind}), and such a value cannot be saved: "
                "take the name out of \"save\", or use a layer that makes a new tensor."
            )
        self.others.add(f"{name}: {kind}")
        return name if kind in _PRODUCTS else None

    def policy(self, context, op, *args, **kwargs):
        name = self.name_of(op)
        if name is None:
            return CheckpointPolicy.PREFER_RECOMPUTE
        self.ran.add(name)
        return CheckpointPolicy.MUST_SAVE

    def contexts(self):
        save, reuse = create_selective_checkpoint_contexts(self.policy)
        save.respect_saved_tensors_hooks = True
        states = []
        return _Both(save, _NoteGenerators(self, states)), _Both(reuse, _SetGenerators(self, states))

    def check(self):
        for name in sorted(self.names - self.ran):
            if name == "sdpa":
                why = 'no fused attention ran: attn_implementation must be "sdpa", and on a CPU without attention dropout'
            else:
                ops = sorted(other for other in self.others if other.startswith(name + ": "))
                why = f"it ran no product ({', '.join(ops) or 'it was not called'})"
            raise RematError(f"The plan saves '{name}' in '{self.region.path}', but {why}.")


class _Both:
    """Two contexts as one: the inner one sees each op first."""

    def __init__(self, outer, inner):
        self.outer, self.inner = outer, inner

    def __enter__(self):
        self.outer.__enter__()
        self.inner.__enter__()

    def __exit__(self, *exception):
        self.inner.__exit__(*exception)
        self.outer.__exit__(*exception)


class _NoteGenerators(TorchDispatchMode):
    """Notes where the random generators stand after each saved random op (fused attention with dropout)."""

    def __init__(self, saved, states):
        super().__init__()
        self.saved, self.states = saved, states

    def __torch_dispatch__(self, op, types, args=(), kwargs=None):
        out = op(*args, **(kwargs or {}))
        if _is_random(op) and self.saved.name_of(op):
            self.states.append(_generators((args, out)))
        return out


class _SetGenerators(TorchDispatchMode):
    """In the recomputation such an op does not run, so the generators are set to where it left them: otherwise every later
    dropout of the region draws another mask, and gradients are silently wrong."""

    def __init__(self, saved, states):
        super().__init__()
        self.saved, self.states = saved, iter(states)

    def __torch_dispatch__(self, op, types, args=(), kwargs=None):
        out = op(*args, **(kwargs or {}))
        if _is_random(op) and self.saved.name_of(op):
            for _, write, state in next(self.states):
                write(state)
        return out


def _apply_layer(applied, layer):
    for region in layer["regions"]:
        _apply_region(applied, layer["layer"], region, False)


def _apply_region(applied, layer, spec, is_nested):
    """Wraps one region, those inside it first."""
    inside = spec.get("inside", [])
    if spec.get("save") and (is_nested or inside):
        raise RematError(f"The region of '{layer}' saves ops and is nested: saved ops would be held twice. Drop \"save\".")
    if spec.get("save") and (spec.get("reentrant") or spec["kind"] in ("core", "blocks")):
        raise RematError(f"The region of '{layer}' of kind {spec['kind']} cannot save ops: drop \"save\".")
    for part in inside:
        _apply_region(applied, part.get("layer", layer), part, True)
    region = _Region(spec)
    wrap = {"block": _wrap_module, "attention": _wrap_module, "ffn": _wrap_module, "core": _wrap_core, "blocks": _wrap_blocks}
    if spec["kind"] not in wrap:
        raise RematError(f"'{layer}' has a region of the unknown kind '{spec['kind']}'.")
    wrap[spec["kind"]](applied, layer, region)
    if region.saved:
        region.saved.watch(applied, layer)


def _wrap_module(applied, layer, region):
    """A module's forward, or with "path:method" another method of it, is recomputed. Its hooks stay outside."""
    path, _, method = region.path.partition(":")
    module, method = applied.module(path), method or "forward"
    if not hasattr(module, method):
        raise RematError(f"'{path}' ({type(module).__name__}) has no method '{method}'.")
    inner = getattr(module, method)
    region.inside = list(module.modules())[1:]
    _refuse_sharded(path, region.inside)
    into = _NormInside(applied, layer, region, module) if region.spec.get("norm") else None
    tail = _DropoutOutside(applied, region) if region.spec.get("tail") else None

    @functools.wraps(inner)  # Hugging Face reads signatures
    def recomputed(*args, **kwargs):
        function = inner
        if into:
            into.check(args[0] if args else kwargs.get("hidden_states"))
            function = functools.partial(into.run, inner)
        out = region(function, args, kwargs)
        return tail.run(out) if tail else out

    applied.set(module, method, recomputed)


class _NormInside:
    """The norm before a region is run by the region: called where it stands, it passes its input through.

    Right only where nothing else reads the norm's output, so the first forward looks who does."""

    def __init__(self, applied, layer, region, target):
        self.path = region.spec["norm"]
        norm = applied.module(self.path)
        self.forward, self.passed, self.first, self.watches = norm.forward, None, None, []
        _refuse_sharded(self.path, [norm])
        mine = {applied.module(layer), *target.modules(), *norm.modules()}
        for module in applied.module(layer).modules():
            if module not in mine:
                self.watches.append(module.register_forward_pre_hook(self._see, with_kwargs=True))
        applied.undo(self._unwatch)
        applied.set(norm, "forward", self.pass_through)

    def pass_through(self, x):
        if self.first is not None:
            self._unwatch()
        self.passed = self.first = weakref.ref(x)
        return x

    def _see(self, module, args, kwargs):
        x = self.first and self.first()
        if x is not None and any(leaf is x for leaf in tree_leaves((args, kwargs))):
            self._fail(f"{type(module).__name__} reads it too")

    def check(self, x):
        passed, self.passed = self.passed and self.passed(), None
        if x is None or passed is not x:
            self._fail("the region is called with something else")

    def _unwatch(self):
        while self.watches:
            self.watches.pop().remove()

    def _fail(self, why):
        raise RematError(f"'{self.path}' cannot stand inside the region behind it: {why}. Use a region without the norm.")

    def run(self, inner, *args, **kwargs):
        if args:
            return inner(self.forward(args[0]), *args[1:], **kwargs)
        return inner(**{**kwargs, "hidden_states": self.forward(kwargs["hidden_states"])})


class _DropoutOutside:
    """The dropout that ends a module is done behind the region, so that its last product need not run again.

    It is a module, or where a modelling file calls the function, the number that it gives to it ("mlp.residual_dropout")."""

    def __init__(self, applied, region):
        self.path, self.passed = region.spec["tail"], None
        owner, _, name = self.path.rpartition(".")
        owner = applied.module(owner)
        probability = vars(owner).get(name)
        self.is_module = not isinstance(probability, float)
        if not self.is_module:
            applied.set(owner, name, 0.0)
            self.forward = lambda x: torch.nn.functional.dropout(x, probability, owner.training)
        else:
            dropout = applied.module(self.path)
            self.forward = dropout.forward
            applied.set(dropout, "forward", self.pass_through)

    def pass_through(self, x):
        self.passed = weakref.ref(x)
        return x

    def run(self, out):
        first = out[0] if isinstance(out, tuple) else out
        passed, self.passed = self.passed and self.passed(), None
        if self.is_module and passed is not first:
            raise RematError(f"'{self.path}' does not end its region: use a region without \"tail\".")
        first = self.forward(first)
        return (first, *out[1:]) if isinstance(out, tuple) else first


def _wrap_core(applied, layer, region):
    """softmax(Q K^T) V is recomputed: the attention function that the modelling file calls, for this module alone."""
    module = applied.module(region.path)
    _refuse_sharded(region.path, list(module.modules())[1:])
    file = sys.modules[type(module).__module__]
    name = getattr(getattr(module, "config", None), "_attn_implementation", None)
    table = getattr(file, "ALL_ATTENTION_FUNCTIONS", None)
    if name == "eager" and hasattr(file, "eager_attention_forward"):
        mapping, key = vars(file), "eager_attention_forward"
    elif table is not None and name in table:
        mapping, key = table._local_mapping, name
    else:
        raise RematError(
            f"{type(module).__name__} ('{region.path}') calls no attention function of Hugging Face's interface "
            f"(attn_implementation {name}): use a region of kind attention."
        )
    if not applied.cores:
        inner, cores = mapping[key] if key in mapping else table[key], applied.cores

        @functools.wraps(inner)
        def recomputed(caller, *args, **kwargs):
            if caller not in cores:
                return inner(caller, *args, **kwargs)
            return cores[caller](functools.partial(inner, caller), args, kwargs)

        applied.set_item(mapping, key, recomputed)
    applied.cores[module] = region


def _wrap_blocks(applied, layer, region):
    """k consecutive blocks are one region: the first k-1 calls only note their arguments, the last one runs them all."""
    blocks = [applied.module(path) for path in region.spec["paths"]]
    region.inside = [module for block in blocks for module in block.modules()]
    _refuse_sharded(region.path, region.inside)
    if getattr(getattr(applied.model, "config", None), "output_hidden_states", False):
        raise RematError("A region of several blocks makes no hidden states between them: set output_hidden_states=False.")
    calls = []

    def chain(x, calls):
        for forward, args, kwargs in calls:
            x = forward(x, *args, **kwargs)
            if not isinstance(x, torch.Tensor):
                raise RematError(
                    f"The blocks of '{region.path}' return {type(x).__name__}: only blocks that return one tensor can be "
                    "recomputed together. Use regions of one block."
                )
        return x

    def at(place, forward):
        @functools.wraps(forward)
        def noted(*args, **kwargs):
            if not args:
                args, kwargs = (kwargs["hidden_states"],), {k: v for k, v in kwargs.items() if k != "hidden_states"}
            if place == 0:
                calls.clear()
            if len(calls) != place or (place and calls[0][1][0] is not args[0]):
                raise RematError(
                    f"Something between the blocks of '{region.path}' reads or changes the hidden state: they cannot be "
                    "recomputed together. Use regions of one block."
                )
            calls.append((forward, args, kwargs))
            if place + 1 < len(blocks):
                return args[0]
            run = [(call, values[1:], by_name) for call, values, by_name in calls]
            calls.clear()
            return region(chain, (args[0], run), {})

        return noted

    for place, block in enumerate(blocks):
        applied.set(block, "forward", at(place, block.forward))
