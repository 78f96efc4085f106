import xml.etree.ElementTree as ElementTree

ACCURACY = 1e-12


def joints(element, models=()):
    """The joints of a file, each with the names of the models around it."""
    for child in element:
        if child.tag == "joint":
            yield "::".join((*models, child.get("name") or "")), child
        else:
            yield from joints(child, (*models, child.get("name")) if child.tag == "model" else models)


def friction(joint):
    for name, found in joints(ElementTree.parse(FILE).getroot()):
        dynamics = found.find("axis/dynamics")
        if joint in (name, found.get("name")) and dynamics is not None:
            level, viscous = (float(dynamics.findtext(name)) for name in ("friction", "damping"))
            return lambda v: level * (1 if v > 0 else -1) + viscous * v
    sys.exit(f"there is no joint {joint} with friction")
