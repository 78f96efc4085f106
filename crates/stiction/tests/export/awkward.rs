//! Laws from files that are unusual: in their names, without any parameter, with as many states as there can be.
use stiction::LawFile;
use stiction::core::registry::LawEntry;

/// Keywords, names that generated code could have given to its own variables, and names that differ by an underscore.
const NAMES: &str = r#"
name = "end-class"
summary = "A law with awkward names; it ends the comment */ here."
doc = "%{ \" ' ` ${x} \\ */"

[params]
lambda = { unit = "N", default = 1.0, min = 1e-9, max = 1e9, doc = "Level */ %{" }
lambda_ = { unit = "N", default = 0.5, min = 1e-9, max = 1e9, doc = "More of it" }
load2 = { unit = "N/m", default = 1e4, min = 1.0, max = 1e9, doc = "Stiffness" }
end = { unit = "N·s/m", default = 0.3, min = 0.0, max = 1e9, doc = "Viscous coefficient" }
end_ = { unit = "-", default = 1.5, min = 0.1, max = 3.0, doc = "Exponent" }
t0 = { unit = "m/s", default = 1e-2, min = 1e-6, max = 1e3, doc = "Velocity" }
k0 = { unit = "1/s", default = 30.0, min = 0.0, max = 1e6, doc = "Rate" }
r0_0 = { unit = "-", default = 1.0, min = 0.5, max = 2.0, doc = "Factor" }
_x = { unit = "-", default = 1.0, min = 0.5, max = 2.0, doc = "Factor" }
__proto__ = { unit = "-", default = 1.1, min = 0.5, max = 2.0, doc = "Factor" }
mass = { unit = "-", default = 1.0, min = 0.5, max = 2.0, doc = "Factor" }
p = { unit = "-", default = 1.2, min = 0.5, max = 2.0, doc = "Factor" }

[states]
in = "m"
class = "N"
stuck = "-"
y0 = "-"

[equations]
level = "(lambda + lambda_*exp(-(abs(v)/t0)^end_))*r0_0*_x*__proto__*mass*p"
rate.in = "v*(1 - load2*in*sign(v)/level)"
rate.class = "(level - class)*abs(v)/t0*k0"
rate.stuck = "0"
rate.y0 = "(1 - y0)*k0"
force = "load*(load2*in + class*sign(v)*0.1) + end*v + 0*stuck*y0"
"#;

/// Exponents that are parameters, of bases with a sign: 0, 1 and 2 exactly.
pub const POWERS: &str = r#"
name = "powers"

[params]
fc = { unit = "N", default = 1.0, min = 1e-9, max = 1e9 }
vs = { unit = "m/s", default = 1.0, min = 1e-9, max = 1e9 }
l = { unit = "m", default = 1e-2, min = 1e-9, max = 1e9 }
none = { unit = "-", default = 0.0, min = 0.0, max = 0.0 }
one = { unit = "-", default = 1.0, min = 1.0, max = 1.0 }
two = { unit = "-", default = 2.0, min = 2.0, max = 2.0 }

[states]
z = "m"

[equations]
rate.z = "v*(1 - (z/l)^two) - (z/l)^one*abs(v)"
force = "load*fc*((v/vs)^one + 0.1*(v/vs)^two + 0.01*(v/vs)^none*(z/l)^two)"
"#;

/// Rates that compare their own states: two springs that stop stretching, and a bristle whose decay begins at a stretch.
pub const COMPARED: &str = r#"
name = "compared-states"

[params]
f1 = { unit = "N", default = 0.5, min = 1e-9, max = 1e9 }
f2 = { unit = "N", default = 1.0, min = 1e-9, max = 1e9 }
k = { unit = "N/m", default = 1e4, min = 1e-3, max = 1e12 }
l = { unit = "m", default = 1e-4, min = 1e-9, max = 1.0 }

[states]
a = "m"
b = "m"
c = "m"

[equations]
rate.a = "where(k*a*sign(v) >= f1, 0, v)"
rate.b = "v*(1 - sign(2*k*b*sign(v) - f2))/2"
rate.c = "v - where(abs(c) > l and c*v > 0, abs(v)*c/l, 0)"
force = "load*k*(a + 2*b + c)"
"#;

/// Two states that move along a common surface, with a rate that is not linear.
pub const SHARED: &str = r#"
name = "shared-surface"

[params]
k = { unit = "N/m", default = 1e4, min = 1e-3, max = 1e12 }
l = { unit = "m", default = 1e-4, min = 1e-9, max = 1.0 }

[states]
a = "m"
b = "m"

[equations]
rate.a = "where((a + b)*sign(v) >= l, -v, v)"
rate.b = "v/2 - abs(v)*b*abs(b)/l^2"
force = "load*k*(a + b)"
"#;

/// Points alone: no parameters, no memory.
const BARE: &str = r#"
name = "bare"

[table]
rows = [[1e-3, 1.5], [1e-2, 1.0], [1.0, 1.2]]
"#;

/// Most states of a law, each with a parameter.
fn wide() -> String {
    let mut out =
        "name = \"wide\"\n\n[params]\nvs = { unit = \"m/s\", default = 1e-2, min = 1e-6, max = 1e3 }\nl = { unit = \"m\", default = 1e-2, min = 1e-6, max = 1e3 }\n".to_owned();
    for i in 0..32 {
        let k = 10.0 + f64::from(i);
        out += &format!("k{i} = {{ unit = \"N/m\", default = {k:?}, min = 0.0, max = 1e9 }}\n");
    }
    out += "\n[states]\n";
    (0..32).for_each(|i| out += &format!("z{i} = \"m\"\n"));
    out += "\n[equations]\n";
    (0..32).for_each(|i| out += &format!("rate.z{i} = \"v*(1 - {}.5*abs(v)/vs) - abs(v)*z{i}/l\"\n", i));
    let force: Vec<String> = (0..32).map(|i| format!("k{i}*z{i}")).collect();
    out + &format!("force = \"load*({})\"\n", force.join(" + "))
}

/// These laws.
pub fn awkward_laws() -> Vec<&'static LawEntry> {
    let entry =
        |text: &str| LawFile::parse(text, "law.toml".as_ref()).unwrap_or_else(|e| panic!("{e}\n{text}")).entry();
    [NAMES, POWERS, COMPARED, SHARED, BARE, &wide()].map(entry).to_vec()
}
