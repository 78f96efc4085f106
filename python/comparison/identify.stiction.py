# mass, Coulomb level and viscous friction with their intervals of 95 %, from columns t, x and force of a log
import stiction as st

fit = st.identify("log.csv", position="x", force="force", model="stiction")
result = {name: fit[name].interval for name in ("mass", "fc", "fv")}
