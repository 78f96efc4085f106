"""The methods of a system that add a component each; `_component_methods.pyi` has their arguments."""

from ._components import METHODS, method


class Components:
    """Methods that add a component each."""

    __slots__ = ()


for _component in METHODS:
    setattr(Components, _component.name, method(_component))
del _component
