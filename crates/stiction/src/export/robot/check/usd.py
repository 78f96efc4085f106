import math
from pxr import Usd, UsdGeom, UsdPhysics

# the attributes are single precision
ACCURACY = 1e-6


def friction(joint):
    stage = Usd.Stage.Open(FILE)
    prim = stage.GetPrimAtPath(joint)
    axis = "angular" if prim.GetTypeName() == "PhysicsRevoluteJoint" else "linear"
    value = lambda name: prim.GetAttribute(f"physxJointAxis:{axis}:{name}").Get()
    metres = UsdGeom.GetStageMetersPerUnit(stage)
    mass = UsdPhysics.GetStageKilogramsPerUnit(stage)
    if axis == "angular":
        effort, viscous = mass * metres**2, mass * metres**2 * 180 / math.pi
    else:
        effort, viscous = mass * metres, mass
    level, damping = value("dynamicFrictionEffort") * effort, value("viscousFrictionCoefficient") * viscous
    return lambda v: level * (1 if v > 0 else -1) + damping * v
