# SPDX-FileCopyrightText: 2026 The RematScope authors
# SPDX-License-Identifier: 0BSD
# ---- exact keep-sets ---------------------------------------------------------------------------------------------------
import collections
import fnmatch
import typing

from torch.utils._python_dispatch import TorchDispatchMode

_REALIZATION = "exact"


class _Op:
    """One op of a layer's forward, with what it takes to run it again."""

    def __init__(self, function, args, kwargs, states):
        self.function, self.args, self.kwargs, self.states = function, args, kwargs, states
        self.outputs = []  # the values that it made, each with its place among the outputs

    def reads(self):
        return {ref.value: ref for ref in tree_leaves((self.args, self.kwargs)) if isinstance(ref, _Ref)}

    def forget(self):
        """Tensors from outside that it reads are held no longer than it can be run."""
        self.args, self.kwargs, self.outputs = (), {}, []


class _Value:
    """One storage that an op of the layer made. Others refer to it through views of it (_Ref)."""

    def __init__(self, layer, name):
        self.layer, self.name = layer, name
        self.recipe = []  # the op that made it, then those that wrote to it in place
        self.uses = 0  # how many readers it still has: saved ones, and ops that run again
        self.tensor = None  # it, while it is held
        self.noise = None  # of the factors of a composed dropout: the name of the whole

    def release(self):
        self.uses -= 1
        if self.uses == 0:
            self.tensor = None

    def rebuild(self):
        """Runs the ops that made it again, just before something reads it."""
        if not self.recipe or self.uses <= 0:
            raise RematError(
                f"'{self.name}' of '{self.layer}' was freed: an exact plan allows one backward for each forward, without "
                "retain_graph."
            )
        for op in self.recipe:
            inputs = op.reads()
            kept = {value: value.get() for value in inputs if value is not self}
            kept[self] = self.tensor
            args, kwargs = tree_map(lambda a: a.of(kept[a.value]) if isinstance(a, _Ref) else a, (op.args, op.kwargs))
            out = _run_again(op, args, kwargs)
            for value, place in op.outputs:
                if value.uses > 0:
                    value.tensor = out if place is None else out[place]
            kept.clear()
            del args, kwargs, out  # what nothing else needs goes before the next op runs
            for value in inputs:
                if value is not self:
                    value.release()
            op.forget()
        self.recipe = []

    def get(self):
        if self.tensor is None:
            self.rebuild()
        return self.tensor


class _Ref:
    """A view of a value, as it stood after `version` in-place writes."""

    def __init__(self, value, tensor):
        self.value, self.version = value, len(value.recipe)
        self.shape = (tensor.shape, tensor.stride(), tensor.storage_offset())
        self.dtype, self.flags = tensor.dtype, (tensor.is_conj(), tensor.is_neg())

    def of(self, base):
        with torch.no_grad():
            if base.dtype != self.dtype or any(self.flags):
                raise RematError(f"'{self.value.name}' is read as another type than it was made: keep it.")
            return base.as_strided(*self.shape)


def _run_again(op, args, kwargs):
    """One op, without a graph, without autocast (its casts are ops of their own), and with the masks of its first run."""
    before = [(write, read()) for read, write, _ in op.states]
    for _, write, state in op.states:
        write(state)
    kinds = {leaf.device.type for leaf in tree_leaves((args, kwargs)) if isinstance(leaf, torch.Tensor)} or {"cpu"}
    try:
        with torch.no_grad(), torch.autocast(kinds.pop(), enabled=False):
            return op.function(*args, **kwargs)
    finally:
        for write, state in before:
            write(state)


class _Forward(TorchDispatchMode):
    """One forward of one layer: sees every op below autograd, and every tensor that autograd saves."""

    def __init__(self, layer, keep):
        super().__init__()
        self.layer, self.keep = layer, keep
        self.running = []  # names of the modules that are running, outermost first
        self.counts, self.ran, self.kept = collections.Counter(), [], set()
        self.ops, self.values = [], {}  # values by storage, as long as that exists
        self.saved = []  # what autograd saved

    def value_of(self, tensor):
        entry = self.values.get(tensor.untyped_storage()._cdata)
        return entry[0] if entry else None

    def __torch_dispatch__(self, function, types, args=(), kwargs=None):
        kwargs = kwargs or {}
        tensors = [leaf for leaf in tree_leaves((args, kwargs)) if isinstance(leaf, torch.Tensor)]
        storages = {t.untyped_storage()._cdata for t in tensors}
        states = _generators((args, kwargs)) if _is_random(function) else []
        op = _Op(function, *tree_map(self._hold, (args, kwargs)), states)
        self.ops.append(op)
        out = function(*args, **kwargs)
        if function._schema.is_mutable:
            self._note_write(op, function, args, kwargs)
            return out
        places = enumerate(out) if isinstance(out, (tuple, list)) else [(None, out)]
        made = [(place, t) for place, t in places
                if isinstance(t, torch.Tensor) and t.untyped_storage()._cdata not in storages]
        if made:
            self._note_made(op, made)
        return out

    def _hold(self, leaf):
        if not isinstance(leaf, torch.Tensor):
            return leaf
        value = self.value_of(leaf)
        return _Ref(value, leaf) if value else leaf.detach()

    def _note_made(self, op, made):
        name = _op_name(op.function)
        if name == "empty_like":  # needs the shape alone, so what it reads need not come back for it
            like = made[0][1]
            op.function, op.args = torch.empty_strided, (tuple(like.shape), like.stride())
            op.kwargs = {"dtype": like.dtype, "device": like.device}
        noise = next((value.noise for value in op.reads() if value.noise), None) if name == "mul" else None
        name = noise or self._name(name)
        for place, tensor in made:
            value = _Value(self.layer, name)
            value.recipe.append(op)
            op.outputs.append((value, place))
            storage = tensor.untyped_storage()
            key = storage._cdata
            self.values[key] = (value, weakref.ref(storage, lambda _, key=key: self.values.pop(key, None)))
            self._keep(value, tensor)

    def _name(self, name):
        """The name of an op that runs now: its module, which one there, and which one of the layer."""
        path = self.running[-1] if self.running else ""
        name = _Name(path, name, self.counts[path, name], self.counts[name])
        self.counts[path, name.op] += 1
        self.counts[name.op] += 1
        return name

    def _keep(self, value, tensor):
        asked = [pattern for pattern in self.keep if _names(pattern, value.name)]
        self.kept.update(asked)
        self.ran.append(str(value.name))
        if asked:
            value.tensor = tensor.detach()

    def _note_write(self, op, function, args, kwargs):
        name = _op_name(function)
        given = list(args) + [None] * (len(function._schema.arguments) - len(args))
        for i, argument in enumerate(function._schema.arguments):
            if argument.alias_info is None or not argument.alias_info.is_write:
                continue
            target = given[i] if i < len(args) else kwargs.get(argument.name)
            value = self.value_of(target) if isinstance(target, torch.Tensor) else None
            if value is None:
                raise RematError(
                    f"'{self.layer}' changes a tensor from outside in place ({name}): an exact plan cannot run that again. "
                    "Use regions, or leave this layer out of the plan."
                )
            value.recipe.append(op)
            if name == "bernoulli_" and value.name.op == "empty_like":
                # Where dropout is no op of its own, as on the CPU, it is these two and the product with what they made.
                value.name = value.noise = self._name("native_dropout")
                self._keep(value, target)

    def pack(self, tensor):
        value = self.value_of(tensor)
        if value is None:
            return tensor
        ref = _Ref(value, tensor)
        self.saved.append(ref)
        return ref

    @staticmethod
    def unpack(packed):
        if isinstance(packed, torch.Tensor):
            return packed
        value = packed.value
        tensor = packed.of(value.get())
        value.release()
        return tensor

    def finish(self, out):
        """After the forward: what will be read, what must run again for that, and nothing else is held."""
        for pattern in self.keep:
            if pattern not in self.kept:
                near = difflib.get_close_matches(pattern, self.ran, 3, 0.3)
                raise RematError(f"The plan keeps '{pattern}' in '{self.layer}', which never ran. Similar: {', '.join(near)}.")
        hidden = out[0] if isinstance(out, (tuple, list)) else out  # it exists anyway: the next layer reads it
        value = self.value_of(hidden) if isinstance(hidden, torch.Tensor) else None
        if value and value.tensor is None:
            value.tensor = hidden.detach()
        again, needed = set(), {}
        for ref in self.saved:
            self._need(ref, needed)
        todo = list(needed)
        while todo:
            value = todo.pop()
            if value.tensor is not None:
                continue
            for op in value.recipe:
                if op not in again:
                    again.add(op)
                    reads = [ref for read, ref in op.reads().items() if read is not value]
                    todo += [ref.value for ref in reads if self._need(ref, needed)]
        for value in {**needed, **{entry[0]: 0 for entry in self.values.values()}}:
            if value.uses == 0:
                value.tensor = None
        for op in self.ops:
            if op not in again:
                op.forget()
        self.ops, self.values, self.saved = [], {}, []

    def _need(self, ref, needed):
        """Counts one reader of a value; true for its first."""
        value = ref.value
        if ref.version != len(value.recipe):
            raise RematError(
                f"'{value.name}' of '{self.layer}' is changed in place after something read it that backward needs: an exact "
                "plan cannot run that again. Use regions, or leave this layer out of the plan."
            )
        value.uses += 1
        if value in needed:
            return False
        needed[value] = True
        return True


class _Name(typing.NamedTuple):
    """Of an op of a layer: the module that ran it, its place among such ops there, and among such ops of the layer."""

    path: str
    op: str
    number: int
    count: int

    def __str__(self):
        return f"{self.path}/{self.op}#{self.number}"


def _names(pattern, name):
    """A name of a keep-set: "mlp.c_fc/addmm#0", without "#0" each such op, with * as in file names; "mlp/addmm@3", the fourth
    addmm of the layer, which mlp or a module inside it runs; "sdpa" fused attention."""
    if pattern == "sdpa":
        return name.op in _FUSED_ATTENTION
    path, _, op = pattern.rpartition("/")
    if "@" in op:
        return op == f"{name.op}@{name.count}" and (not path or f"{name.path}.".startswith(path + "."))
    return fnmatch.fnmatchcase(str(name) if "#" in pattern else f"{name.path}/{name.op}", pattern)


def _apply_layer(applied, layer):
    path, keep = layer["layer"], layer["keep"]
    module = applied.module(path)
    _refuse_sharded(path, module.modules())
    forward, current = module.forward, []

    def named(name, inner):
        @functools.wraps(inner)
        def run(*args, **kwargs):
            if not current:
                return inner(*args, **kwargs)
            current[-1].running.append(name)
            try:
                return inner(*args, **kwargs)
            finally:
                current[-1].running.pop()

        return run

    for name, part in module.named_modules():
        if part is not module:
            applied.set(part, "forward", named(name, part.forward))

    @functools.wraps(forward)
    def recorded(*args, **kwargs):
        if not torch.is_grad_enabled():
            return forward(*args, **kwargs)
        if torch.compiler.is_compiling():
            raise RematError("An exact plan runs in eager mode alone: do not compile the model, or export regions.")
        record = _Forward(path, keep)
        current.append(record)
        try:
            with torch.autograd.graph.saved_tensors_hooks(record.pack, record.unpack), record:
                out = forward(*args, **kwargs)
        finally:
            current.pop()
        record.finish(out)
        return out

    applied.set(module, "forward", recorded)
