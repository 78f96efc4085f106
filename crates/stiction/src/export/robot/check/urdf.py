import yourdfpy

ACCURACY = 1e-12


def friction(joint):
    robot = yourdfpy.URDF.load(FILE, build_scene_graph=False, load_meshes=False)
    dynamics = robot.joint_map[joint].dynamics
    # this reader gives the text of the attributes
    level, viscous = float(dynamics.friction), float(dynamics.damping)
    return lambda v: level * (1 if v > 0 else -1) + viscous * v
