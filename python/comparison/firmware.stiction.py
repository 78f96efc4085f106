# the servo of a scenario as C99, with a test
import stiction as st

result = st.export("a12-encoder", "c").text
