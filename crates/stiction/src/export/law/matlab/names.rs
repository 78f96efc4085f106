//! Names that MATLAB and Octave take.
use super::LawCode;

/// Words that are no names, in MATLAB or Octave.
const KEYWORDS: &str = "__FILE__ __LINE__ arguments break case catch classdef continue do else elseif end end_try_catch \
    end_unwind_protect endclassdef endenumeration endevents endfor endfunction endif endmethods endparfor endproperties endspmd \
    endswitch endwhile enumeration events for function global if methods otherwise parfor persistent properties return spmd switch \
    try until unwind_protect unwind_protect_cleanup while";

/// Names that the functions have a meaning for.
const OWN: &str = "v load dt mass applied force stuck memory rate p shape where expand common_size uniform scramble word64 plus64 \
    times64 real_log real_log1p real_sqrt real_power exp expm1 log log1p tanh sqrt floor abs isnan isscalar size error any nargin \
    repmat true false NaN Inf minus64 typecast bitand bitor bitxor bitshift uint64";

/// Most characters of a name.
const LONGEST: usize = 60;

/// The names of a law.
pub(super) struct Names {
    /// What the names of the functions begin with.
    law: String,
    /// The fields of the parameters.
    pub fields: Vec<String>,
    /// The local variables of the parameters.
    pub params: Vec<String>,
    /// The local variables of the memory.
    pub states: Vec<String>,
}

impl Names {
    pub fn new(code: &LawCode) -> Self {
        let mut taken = Vec::new();
        let fields = code.params().iter().map(|p| unique(p.name, is_keyword, &mut taken)).collect();
        let mut taken = Vec::new();
        let own = |name: &str| is_keyword(name) || OWN.split_whitespace().any(|word| word == name) || is_result(name);
        let params = code.params().iter().map(|p| unique(p.name, own, &mut taken)).collect();
        let states = code.law.states.iter().map(|z| unique(z.name, own, &mut taken)).collect();
        Self { law: code.name.chars().take(LONGEST - 10).collect(), fields, params, states }
    }
    /// The name of a function.
    pub fn function(&self, of: &str) -> String {
        format!("{}_{of}", self.law)
    }
}

fn is_keyword(name: &str) -> bool {
    KEYWORDS.split_whitespace().any(|word| word == name)
}

/// Whether the result of an operation may have this name: letters, a number, and perhaps another one.
fn is_result(name: &str) -> bool {
    let digits = |text: &str| !text.is_empty() && text.chars().all(|c| c.is_ascii_digit());
    ["t", "m", "w", "r", "k", "open"].iter().filter_map(|letters| name.strip_prefix(letters)).any(|rest| {
        let (one, other) = rest.split_once('_').unwrap_or((rest, "0"));
        digits(one) && digits(other)
    })
}

/// The name, or one like it that is neither taken nor refused.
fn unique(name: &str, refused: impl Fn(&str) -> bool, taken: &mut Vec<String>) -> String {
    let begin = if name.starts_with(|c: char| c.is_ascii_alphabetic()) { "" } else { "x" };
    let mut out: String = format!("{begin}{name}").chars().take(LONGEST).collect();
    while refused(&out) || taken.contains(&out) {
        out.push('_');
    }
    taken.push(out.clone());
    out
}
