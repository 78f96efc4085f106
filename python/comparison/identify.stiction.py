# mass, Coulomb level and viscous friction with their intervals of 95 %, from columns t, x and force
import stiction as st

fit = st.identify(log, position="x", force="force", model="stiction")
result = {name: fit[name].interval for name in ("mass", "fc", "fv")}
