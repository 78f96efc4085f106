import xml.etree.ElementTree as ElementTree

ACCURACY = 1e-12


def friction(joint):
    for found in ElementTree.parse(FILE).iter("joint"):
        dynamics = found.find("axis/dynamics")
        if found.get("name") == joint and dynamics is not None:
            level, viscous = (float(dynamics.findtext(name)) for name in ("friction", "damping"))
            return lambda v: level * (1 if v > 0 else -1) + viscous * v
    sys.exit(f"there is no joint {joint} with friction")
