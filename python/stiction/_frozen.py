"""Results that do not change, and that pickle."""

from __future__ import annotations

from typing import Any, NoReturn, TypeVar

Self = TypeVar("Self", bound="Frozen")


class Frozen:
    """An object whose attributes are set once, when it is made."""

    __slots__ = ()

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
