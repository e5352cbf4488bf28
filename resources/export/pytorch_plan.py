# SPDX-FileCopyrightText: 2026 The RematScope authors
# SPDX-License-Identifier: 0BSD
# ---- the plan and the model --------------------------------------------------------------------------------------------
import difflib
import functools
import weakref

import torch
from torch.utils._pytree import tree_flatten, tree_leaves, tree_map, tree_unflatten


class RematError(RuntimeError):
    """The plan and the model do not fit together; the message says where and what to do."""


class Applied:
    """What apply() changed. remove() takes everything back, also of a model that half took a plan."""

    def __init__(self, model):
        self.model = model
        self.cores = {}  # attention modules whose core is recomputed, and by which region
        self._undo = []

    def undo(self, step):
        self._undo.append(step)

    def set(self, owner, name, value):
        """Sets an attribute of one object, never of its class."""
        had, before = name in vars(owner), vars(owner).get(name)
        self.undo(lambda: setattr(owner, name, before) if had else delattr(owner, name))
        setattr(owner, name, value)

    def set_item(self, mapping, key, value):
        had, before = key in mapping, mapping.get(key)
        self.undo(lambda: mapping.__setitem__(key, before) if had else mapping.pop(key))
        mapping[key] = value

    def remove(self):
        while self._undo:
            self._undo.pop()()

    def module(self, path):
        """The module at a path of the plan."""
        try:
            return self.model.get_submodule(path)
        except AttributeError:
            near = difflib.get_close_matches(path, [name for name, _ in self.model.named_modules()], 3, 0.5)
            raise RematError(
                f"The plan names the module '{path}', which {type(self.model).__name__} does not have. "
                + (f"Similar ones: {', '.join(near)}. " if near else "")
                + "Apply the plan to the Hugging Face model that it was made for, before it is wrapped or compiled."
            ) from None


def _check_model(model, plan):
    if getattr(model, "_remat_applied", False):
        raise RematError("The model has a plan already: call remove() of what apply() returned first.")
    wanted = plan.get("model_class")
    if wanted and wanted not in (base.__name__ for base in type(model).__mro__):
        raise RematError(f"The plan is for {wanted}, the model is {type(model).__name__}: make a plan for that class.")
    for name, module in model.named_modules():
        if getattr(module, "gradient_checkpointing", False):
            raise RematError(
                f"Gradient checkpointing is on already ('{name}'): call model.gradient_checkpointing_disable(), "
                "or every layer is recomputed twice."
            )


def _switch_cache_off(applied):
    """A cache of keys and values would be filled twice by a recomputation."""
    config = getattr(applied.model, "config", None)
    for part in (config, getattr(config, "text_config", None)):
        if getattr(part, "use_cache", False):
            applied.set(part, "use_cache", False)


def _refuse_sharded(path, modules):
    """FSDP units inside a recomputed part gather their weights at the wrong time and give wrong gradients."""
    for module in modules:
        if any(base.__name__ in ("FSDPModule", "FullyShardedDataParallel") for base in type(module).__mro__):
            raise RematError(
                f"'{path}' is recomputed, and {type(module).__name__} inside it is an FSDP unit of its own, which gives "
                "wrong gradients: shard whole layers, so that the unit equals or encloses what is recomputed."
            )


def _generators(values):
    """The default generators of the devices of some tensors: functions that read and set them, and their states."""
    found = []
    for device in {leaf.device for leaf in tree_leaves(values) if isinstance(leaf, torch.Tensor)} or {torch.device("cpu")}:
        if device.type == "cpu":
            found.append((torch.get_rng_state, torch.set_rng_state))
        elif torch.get_device_module(device).is_initialized():
            on = torch.get_device_module(device)
            found.append((functools.partial(on.get_rng_state, device), functools.partial(on.set_rng_state, device=device)))
    return [(read, write, read()) for read, write in found]


def _is_random(op):
    return torch.Tag.nondeterministic_seeded in op.tags


# What scaled_dot_product_attention runs where it does not fall back to plain products.
_FUSED_ATTENTION = (
    "_scaled_dot_product_flash_attention",
    "_scaled_dot_product_efficient_attention",
    "_scaled_dot_product_cudnn_attention",
    "_scaled_dot_product_fused_attention_overrideable",
    "_scaled_dot_product_flash_attention_for_cpu",
)


def _op_name(op):
    """aten.addmm.default -> addmm"""
    return op._schema.name.split("::")[-1]


def _layers(plan):
    if plan.get("format") != "remat-torch" or plan.get("version") != 1:
        raise RematError("This is no plan that this module can read: use the PLAN of the file it was written with.")
    if plan.get("realization") != _REALIZATION:
        raise RematError(f"This module applies {_REALIZATION}; the plan is of kind '{plan.get('realization')}'.")
    return plan["layers"]


def apply(model, plan=None):
    """Lets `model` recompute what `plan` (PLAN, unless another is given) drops; returns a handle with remove()."""
    plan = PLAN if plan is None else plan
    layers = _layers(plan)
    _check_model(model, plan)
    applied = Applied(model)
    try:
        applied.set(model, "_remat_applied", True)
        _switch_cache_off(applied)
        for layer in layers:
            _apply_layer(applied, layer)
    except Exception:
        applied.remove()
        raise
    return applied
