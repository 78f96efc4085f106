import math
from pxr import Sdf, Usd, UsdGeom, UsdPhysics

# the attributes are single precision
ACCURACY = 1e-6


def units(stage):
    """Metres and kilograms in a unit of the robot. Those of the layer with the friction replace the robot's own, so they must be the same."""
    own = UsdGeom.GetStageMetersPerUnit(stage), UsdPhysics.GetStageKilogramsPerUnit(stage)
    top = stage.GetRootLayer()
    for path in top.subLayerPaths:
        robot = Usd.Stage.Open(Sdf.ComputeAssetPathRelativeToLayer(top, path))
        there = UsdGeom.GetStageMetersPerUnit(robot), UsdPhysics.GetStageKilogramsPerUnit(robot)
        if any(abs(a - b) > 1e-9 * b for a, b in zip(own, there)):
            sys.exit(f"{path} has metersPerUnit = {there[0]} and kilogramsPerUnit = {there[1]}, and the layer {own[0]} and {own[1]}")
    return own


def friction(joint):
    stage = Usd.Stage.Open(FILE)
    prim = stage.GetPrimAtPath(joint)
    axis = "angular" if prim.GetTypeName() == "PhysicsRevoluteJoint" else "linear"

    def value(name):
        found = prim.GetAttribute(f"physxJointAxis:{axis}:{name}").Get()
        if found is None:
            sys.exit(f"{joint} is a {prim.GetTypeName()}, and has no {axis} {name}")
        return found

    metres, mass = units(stage)
    if axis == "angular":
        effort, viscous = mass * metres**2, mass * metres**2 * 180 / math.pi
    else:
        effort, viscous = mass * metres, mass
    level, damping = value("dynamicFrictionEffort") * effort, value("viscousFrictionCoefficient") * viscous
    return lambda v: level * (1 if v > 0 else -1) + damping * v
