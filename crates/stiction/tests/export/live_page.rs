//! Laws as live pages: read as text, run by Node, and opened in a browser.
use crate::build::{folder, run};
use crate::skip::skip;
use std::fs;
use std::path::Path;
use std::process::Command;
use stiction::core::{Input, models};
use stiction::digest::sha256;
use stiction::export::live_page::{self, LiveLaw};
use stiction::scenario::Scenario;
use stiction::sim::Trace;
use stiction::{LawFile, Spec};

/// What stands between two marks.
fn between<'a>(text: &'a str, from: &str, to: &str) -> &'a str {
    let (_, rest) = text.split_once(from).unwrap_or_else(|| panic!("no {from}"));
    rest.split_once(to).unwrap_or_else(|| panic!("no {to}")).0
}

fn page(law: &str) -> String {
    LiveLaw::new(&Spec::new(law).unwrap(), law).page().unwrap()
}

/// The script of a page.
fn script(html: &str) -> &str {
    between(html, "<script>", "</script>")
}

#[test]
fn a_page_of_every_law_needs_nothing_else() {
    for law in models::ALL {
        let html = page(law.name);
        for outside in ["://", " src=", " href=", "@import", "url("] {
            assert!(!html.contains(outside), "{}: {outside}", law.name);
        }
        assert!(html.contains(&format!("<h1>{}</h1>", law.name)));
    }
}

/// Browsers show the equations as formulas: nothing of LaTeX is left over, and no element has a style that the policy would refuse.
#[test]
fn equations_of_every_law_are_typeset() {
    for law in models::ALL {
        let mut spec = Spec::new(law.name).unwrap();
        for wrapped in [false, true] {
            if wrapped {
                let first = law.params[0];
                spec.set(&format!("reverse.{}", first.name), first.default).unwrap();
            }
            let html = LiveLaw::new(&spec, law.name).equations().unwrap().into_string();
            assert!(html.contains("<math display=\"block\""), "{}: {html}", law.name);
            for left in ["\\", "$", " style=", "merror", "begin{"] {
                assert!(!html.contains(left), "{}: {left} in {html}", law.name);
            }
            assert_eq!(html.contains("direction of motion:"), wrapped, "{}", law.name);
        }
    }
}

/// The policy allows this script and this style alone, by their digests.
#[test]
fn the_policy_names_the_script() {
    let html = page("lugre");
    let named = between(&html, "script-src 'sha256-", "'").to_owned();
    // base64 by hand: the alphabet of the standard, six bits a letter
    let hex = sha256(script(&html).as_bytes()).unwrap();
    let bits: String = hex.chars().map(|c| format!("{:04b}", c.to_digit(16).unwrap())).collect();
    let letters: Vec<char> = ('A'..='Z').chain('a'..='z').chain('0'..='9').chain(['+', '/']).collect();
    let groups = bits.as_bytes().chunks(6).map(|group| {
        let text = format!("{:0<6}", std::str::from_utf8(group).unwrap());
        letters[usize::from_str_radix(&text, 2).unwrap()]
    });
    assert_eq!(named, groups.collect::<String>() + "=");
}

/// Markup in what a user writes stays text.
#[test]
fn markup_in_a_law_file_stays_text() {
    let bad = "</script><img onerror=alert(1)>";
    let text = format!(
        "name = 'mine'\nsummary = '{bad}'\n[params]\nfc = {{ unit = 'N', default = 1.0, min = 1e-9, max = 1e9, doc = '{bad}' }}\n\
         vs = {{ unit = 'm/s', default = 1e-3, min = 1e-9, max = 1e3 }}\n\
         [equations]\nforce = 'load*fc*tanh(v/vs)'\n"
    );
    let law = LawFile::parse(&text, Path::new("mine.toml")).unwrap().entry();
    let html = LiveLaw::new(&Spec::of(law), bad).page().unwrap();
    assert!(!html.contains("<img"), "{}", between(&html, "<header>", "</header>"));
    assert_eq!(html.matches("</script>").count(), 2);
}

/// A body on a spring in the page and in the simulator: the extremes of the force of the spring after the first slip, and the speed.
fn simulated(law: &str, [mass, stiffness, speed, end]: [f64; 4]) -> [f64; 3] {
    let text = format!(
        "[run]\nend = {end:e}\nrtol = 1e-8\nsample = {:e}\n[body.b]\nmass = {mass:e}\n[contact.c]\nbetween = ['b', 'ground']\n\
         law = '{law}'\n[motion.hand]\nposition.ramp.slope = {speed:e}\n[spring.s]\nbetween = ['hand', 'b']\nstiffness = {stiffness:e}\n",
        end / 4000.0
    );
    let scenario = Scenario::parse(&text, Path::new("s.toml"), &[""; 0]).unwrap();
    let mut trace = Trace::default();
    let simulation = scenario.simulation().unwrap();
    let names: Vec<String> = simulation.columns().iter().map(|column| column.name.to_string()).collect();
    simulation.run(&scenario.options, &mut trace).unwrap();
    let column = |name: &str| -> Vec<f64> {
        let at = names.iter().position(|other| other == name).unwrap_or_else(|| panic!("{name}: {names:?}"));
        trace.rows.iter().map(|row| row[at]).collect()
    };
    let (times, force) = (column("t"), column("s.force"));
    let late: Vec<f64> = times.iter().zip(&force).filter(|(t, _)| **t > end / 3.0).map(|(_, f)| f.abs()).collect();
    let most = |list: &[f64]| list.iter().copied().fold(f64::MIN, f64::max);
    [most(&late), late.iter().copied().fold(f64::MAX, f64::min), most(&column("b.v"))]
}

#[test]
fn node_finds_what_the_simulator_finds() {
    if !Command::new("node").arg("--version").output().is_ok_and(|out| out.status.success()) {
        return skip("there is no Node here, so the script of live pages is not run");
    }
    let at = folder("live_page");
    let driver = "const module = new WebAssembly.Module(Buffer.from(about.module, 'base64'));
const law = new Law(module, new WebAssembly.Instance(module));
const say = (...numbers) => console.log(numbers.join(' '));
say(...[-1e-2, -1e-4, 1e-4, 1e-2].map((v) => law.steady(v)));
const { mass, stiffness, speed, end } = rig;
const pulled = stickSlip(law, rig);
const late = pulled.spring.filter((p) => p[0] > end / 3).map((p) => p[1]);
say(Math.max(...late), Math.min(...late), pulled.fastest);
say(breakAway(law, { mass, rate: 1, end: 2 }).top[1]);
law.values[1] = 0.5 * law.values[0];
console.log(law.broken(about.conditions).join(';'));
";
    for (name, rig) in [("stribeck", [60.0, 7500.0, 3e-4, 4.0]), ("lugre", [6.5, 96.0, 3e-4, 300.0])] {
        let html = page(name);
        let data = between(&html, "type=\"application/json\">", "</script>");
        let [mass, stiffness, speed, end] = rig;
        let functions = script(&html).split("// Line plots").next().unwrap();
        let text = format!(
            "{functions}\nconst about = {data};\nconst rig = {{ mass: {mass}, stiffness: {stiffness}, speed: {speed}, end: {end} }};\n{driver}"
        );
        fs::write(at.join("run.mjs"), text).unwrap();
        let said = String::from_utf8(run(Command::new("node").current_dir(&at).arg("run.mjs"))).unwrap();
        let lines: Vec<&str> = said.lines().collect();
        let numbers = |k: usize| -> Vec<f64> { lines[k].split(' ').map(|x| x.parse().unwrap()).collect() };
        // the same bits
        let law = Spec::new(name).unwrap().build().unwrap();
        let want = [-1e-2, -1e-4, 1e-4, 1e-2].map(|v| law.steady(&Input::at(v)));
        assert_eq!(numbers(0), want, "{name}");
        // a line of the picture is two of 236 pixels wide
        let want = simulated(name, rig);
        for (got, want) in numbers(1).iter().zip(want) {
            assert!((got - want).abs() < 2.0 / 236.0 * want, "{name}: {:?} instead of {want:?}", numbers(1));
        }
        // the force of 1 N/s breaks both away at their level of 1.5 N, less what the bristles damp
        let top = numbers(2)[0];
        assert!((top - 1.5).abs() < 0.1, "{name}: {top}");
        assert_eq!(lines[3], "fs >= fc", "{name}");
    }
}

/// The browser, if there is one.
fn browser() -> Option<&'static str> {
    let names = ["chromium", "chromium-browser", "google-chrome"];
    names.into_iter().find(|name| Command::new(name).arg("--version").output().is_ok_and(|out| out.status.success()))
}

/// The page as it is after its script has run, and what the script complained of.
fn opened(browser: &str, path: &Path, values: &str) -> (String, String) {
    let profile = path.with_extension("profile");
    let out = Command::new(browser)
        .args(["--headless", "--no-sandbox", "--disable-gpu", "--no-first-run", "--disable-background-networking"])
        .args([
            "--disable-component-update",
            "--disable-sync",
            "--enable-logging=stderr",
            "--virtual-time-budget=10000",
        ])
        .arg(format!("--user-data-dir={}", profile.display()))
        .args(["--dump-dom", &format!("file://{}{values}", path.display())])
        .output()
        .unwrap();
    let complaints =
        String::from_utf8_lossy(&out.stderr).lines().filter(|line| line.contains("CONSOLE")).collect::<String>();
    (String::from_utf8_lossy(&out.stdout).into_owned(), complaints)
}

#[test]
fn a_browser_draws_what_the_address_says() {
    let Some(browser) = browser() else {
        return skip("there is no Chromium here, so live pages are not opened");
    };
    let at = folder("live_page_in_a_browser");
    let path = at.join("stribeck.html");
    fs::write(&path, page("stribeck")).unwrap();
    let (html, complaints) = opened(browser, &path, "#fc=2&fs=3");
    assert_eq!(complaints, "");
    assert!(html.contains("data-drawn=\"1\""), "{}", between(&html, "<main", ">"));
    // the largest force of the steady curve is fs, that of the loops too, and both turn with the direction
    assert!(html.contains("Steady curve: F [N] from -3 to 3"), "{}", between(&html, "data-part=\"steady\"", ">"));
    assert!(html.contains("Loops: F [N] from -3 to 3"), "{}", between(&html, "data-part=\"loops\"", ">"));
    assert!(html.contains("stiction curve stribeck --set fc=2 --set fs=3 --range "));
    // seven lines, and six of the law with the values given: all but the force that is applied
    assert_eq!(html.matches("<polyline").count(), 13);
    assert_eq!(html.matches("class=\"line before\"").count(), 6);
    let shown = between(&html, "<main>", "</main>");
    assert!(!shown.contains("NaN") && shown.contains("data-part=\"condition\" role=\"status\"></p>"), "{shown}");
    // a condition between parameters that does not hold is told, values that cannot be are not taken
    let (html, _) = opened(browser, &path, "#fs=0.5&vs=-1");
    assert!(
        html.contains("The law holds for fs &gt;= fc: not so now."),
        "{}",
        between(&html, "data-part=\"condition\"", "</p>")
    );
    assert!(html.contains("stiction curve stribeck --set fs=0.5 --range "));
}

/// A law in two directions, under a load in its own unit, of a contact that turns: the page has its values, units and command.
#[test]
fn a_browser_draws_both_directions() {
    let Some(browser) = browser() else {
        return skip("there is no Chromium here, so live pages are not opened");
    };
    let mut spec = Spec::new("stribeck").unwrap();
    for (key, value) in [("fc", 2.0), ("fs", 3.0), ("reverse.fs", 5.0), ("load.base", 0.0), ("load.slope", 0.01)] {
        spec.set(key, value).unwrap();
    }
    let at = folder("live_page_of_two_directions");
    let path = at.join("joint.html");
    fs::write(&path, LiveLaw::new(&spec, "joint.toml").turns(Some(true)).page().unwrap()).unwrap();
    let (html, complaints) = opened(browser, &path, "#reverse.fs=4");
    assert_eq!(complaints, "");
    // 100 is the load at which the levels hold
    assert!(html.contains("Steady curve: F [N·m] from -4 to 3"), "{}", between(&html, "data-part=\"steady\"", ">"));
    assert!(html.contains("stiction curve joint.toml --set reverse.fs=4 --load 100 --range "));
    assert!(html.contains("kg·m²") && html.contains("rad/s") && !html.contains("[N]") && !html.contains("m/s]"));
    // the condition between the parameters of reverse motion
    let (html, _) = opened(browser, &path, "#reverse.fs=1");
    assert!(html.contains("reverse.fs &gt;= fc"), "{}", between(&html, "data-part=\"condition\"", "</p>"));
}

/// What a notebook does with the module of a cell: it hands over a model, whose values the program of the notebook reads and sets.
#[test]
fn a_cell_of_a_notebook_follows_the_program_and_the_sliders() {
    let Some(browser) = browser() else {
        return skip("there is no Chromium here, so cells of notebooks are not opened");
    };
    let markup = LiveLaw::new(&Spec::new("stribeck").unwrap(), "stribeck").section().unwrap().into_string();
    let text = |text: &str| format!("{text:?}").replace('<', "\\u003c");
    let script = live_page::cell_script();
    let (script, _) = script.split_once("export default { render };").unwrap();
    let driver = "const store = { _markup: MARKUP, _style: STYLE, values: { fc: 2, fs: 3 } };
const listeners = [];
const model = { get: (key) => store[key], set: (key, value) => { store[key] = value; }, save_changes: () => {}, on: (_, f) => listeners.push(f), off: () => {} };
const frame = () => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)));
const say = (text) => document.body.append(Object.assign(document.createElement('p'), { textContent: text }));
const cell = document.getElementById('cell');
// the browser's time runs on while WebAssembly compiles beside it, and the page is written down at its end: work in between makes it last
const work = setInterval(() => { for (let i = 0, sum = 0; i < 2e7; i++) sum += i; }, 50);
await render({ model, el: cell });
const root = cell.firstChild.shadowRoot;
const steady = () => say(root.querySelector('[data-part=steady]').getAttribute('aria-label'));
steady();
store.values = { ...store.values, fs: 4 };
listeners.forEach((f) => f());
await frame();
steady();
const field = root.querySelector('input[type=number]');
field.value = '1.5';
field.dispatchEvent(new Event('input'));
await frame();
say('now ' + JSON.stringify(store.values));
say(getComputedStyle(root.querySelector('.controls')).borderRadius + getComputedStyle(document.body).marginLeft);
clearInterval(work);
";
    let driver = driver.replace("MARKUP", &text(&markup)).replace("STYLE", &text(&live_page::cell_style()));
    let html =
        format!("<!doctype html><title>cell</title><div id=cell></div><script type=module>{script}\n{driver}</script>");
    let path = folder("live_page_in_a_notebook").join("cell.html");
    fs::write(&path, html).unwrap();
    let (html, complaints) = opened(browser, &path, "");
    assert_eq!(complaints, "");
    let said: Vec<&str> = html.split("<p>").skip(1).filter_map(|rest| rest.split("</p>").next()).collect();
    let said = &said[said.len() - 4..];
    assert_eq!(said[0], "Steady curve: F [N] from -3 to 3");
    assert_eq!(said[1], "Steady curve: F [N] from -4 to 4");
    assert!(said[2].contains("\"fc\":1.5,\"fs\":4,"), "{}", said[2]);
    // the style of the part holds in it, and not outside
    assert_eq!(said[3], "8px8px");
}
