# mass, Coulomb level and viscous friction with their intervals of 95 %, from columns t, x and force of a log
import mujoco
import numpy as np
from mujoco.sysid import ModelSequences, Parameter, ParameterDict, TimeSeries, build_residual_fn, calculate_intervals, create_initial_state, optimize

log = np.genfromtxt("log.csv", delimiter=",", names=True)
axis = mujoco.MjSpec.from_string("""<mujoco><option timestep="0.001" gravity="0 0 0" integrator="implicitfast"/>
  <worldbody><body name="slide"><inertial pos="0 0 0" mass="1" diaginertia="1 1 1"/><joint name="rail" type="slide" axis="1 0 0"/></body></worldbody>
  <actuator><motor joint="rail"/></actuator><sensor><jointpos name="x" joint="rail"/></sensor></mujoco>""")
modifiers = {
    "mass": lambda spec, p: setattr(spec.body("slide"), "mass", p.value[0]),
    "fc": lambda spec, p: setattr(spec.joint("rail"), "frictionloss", p.value[0]),
    "fv": lambda spec, p: setattr(spec.joint("rail"), "damping", [p.value[0], 0, 0]),
}
parameters = ParameterDict()
for name, modifier in modifiers.items():
    parameters.add(Parameter(name, 1.0, 0.01, 20.0, modifier=modifier))
model = axis.compile()
start = create_initial_state(model, log["x"][:1], np.zeros(1))
force = TimeSeries(log["t"], log["force"][:, None])
position = TimeSeries.from_names(log["t"], log["x"][:, None], model)
record = ModelSequences("axis", axis, "log", start, force, position)
residual = build_residual_fn(models_sequences=[record])
fitted, found = optimize(parameters, residual, verbose=False)
_, half = calculate_intervals(residual(found.x, fitted)[0], found.jac)
result = {name: (found.x[k] - half[k], found.x[k] + half[k]) for k, name in enumerate(modifiers)}
