# the largest error of a servo that follows a sine against friction, after a second
import numpy as np
import stiction as st

run = (
    st.System(end=3.0, sample=1e-3, rtol=1e-8)
    .body("slide", mass=2)
    .contact("rail", body="slide", law="lugre", fc=3, fs=4, vs=0.01, sigma0=2e3, sigma1=20, sigma2=5)
    .control("servo", on="slide", measure=["slide.x", "slide.v"], gains=[800, 80], reference={"sine": {"amplitude": 0.05, "omega": 6}})
    .run()
)
late = run.t > 1.0
result = np.abs(run["slide.x"] - 0.05 * np.sin(6.0 * run.t))[late].max()
