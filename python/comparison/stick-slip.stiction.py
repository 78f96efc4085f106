# the period of stick-slip: a block of 1 kg on LuGre friction, pulled through a spring at 2 m/s
import stiction as st

system = (
    st.System(end=60)
    .body("block", mass=1)
    .motion("hand", position={"ramp": {"slope": 2}})
    .spring("pull", between=["hand", "block"], stiffness=2)
    .contact("table", body="block", law="lugre", fc=3, fs=6, vs=0.1, exponent=1, sigma0=1000, sigma1=2 * 1000**0.5, sigma2=0)
)
result = st.cycle(system.scenario()).period
