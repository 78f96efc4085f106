"""Results that do not change, compare, and pickle."""

from __future__ import annotations

from typing import Any, NoReturn, TypeVar

import numpy as np

Self = TypeVar("Self", bound="Frozen")


def same(a: Any, b: Any) -> bool:
    """Whether two values have the same content, that of arrays and of objects of the native module included; NaN is equal to NaN."""
    if a is b:
        return True
    if type(a) is not type(b):
        return False
    if isinstance(a, np.ndarray):
        return bool(np.array_equal(a, b, equal_nan=a.dtype.kind in "fc"))
    if isinstance(a, float):
        return a == b or (a != a and b != b)
    if isinstance(a, dict):
        return list(a) == list(b) and all(same(a[key], b[key]) for key in a)
    if isinstance(a, list | tuple):
        return len(a) == len(b) and all(same(x, y) for x, y in zip(a, b, strict=True))
    if type(a).__module__ == "stiction._native":
        return same(a.__reduce__()[1], b.__reduce__()[1])
    return bool(a == b)


class Frozen:
    """An object whose attributes are set once, when it is made. Two are equal if all their attributes are."""

    __slots__ = ()

    def __eq__(self, other: object) -> bool:
        if type(other) is not type(self):
            return NotImplemented
        names = [name for kind in type(self).__mro__ for name in getattr(kind, "__slots__", ()) if name != "__weakref__"]
        return all(same(getattr(self, name), getattr(other, name)) for name in names)

    def __hash__(self) -> int:
        # equal ones look the same
        return hash(repr(self))

    def _set(self, **values: object) -> None:
        for name, value in values.items():
            object.__setattr__(self, name, value)

    def __setattr__(self, name: str, value: object) -> NoReturn:
        raise AttributeError(f"{name}: a {type(self).__name__} does not change")

    def __delattr__(self, name: str) -> NoReturn:
        raise AttributeError(f"{name}: a {type(self).__name__} does not change")

    def __setstate__(self, state: tuple[None, dict[str, Any]]) -> None:
        # as copy and pickle give the values of slots
        self._set(**state[1])


def refused(self: object, *_: object, **__: object) -> NoReturn:
    """Takes the place of what would change a frozen list or dict."""
    raise TypeError("a result does not change: copy what you want to change, as dict(...) or list(...)")


class FrozenDict(dict[str, Any]):
    """A dict that does not change."""

    __slots__ = ()
    __setitem__ = __delitem__ = __ior__ = clear = pop = popitem = setdefault = update = refused

    def __reduce__(self) -> tuple[Any, ...]:
        return FrozenDict, (dict(self),)


class FrozenList(list[Any]):
    """A list that does not change."""

    __slots__ = ()
    __setitem__ = __delitem__ = __iadd__ = __imul__ = refused
    append = clear = extend = insert = pop = remove = reverse = sort = refused

    def __reduce__(self) -> tuple[Any, ...]:
        return FrozenList, (list(self),)


def frozen(value: Any) -> Any:
    """Lists and dicts, and what is in them, so that they do not change."""
    if isinstance(value, dict):
        return FrozenDict({key: frozen(inner) for key, inner in value.items()})
    if isinstance(value, list):
        return FrozenList([frozen(inner) for inner in value])
    return value
