//! Conditions between parameters that a unit or a plugin checks, such as `fs >= fc`.
use stiction_core::program::{Builder, OperationId, Precision, Program};
use stiction_core::registry::LawEntry;

/// Conditions that are sums of products compared with each other, or alternatives of these.
#[derive(Clone, Debug)]
pub(super) struct Conditions {
    /// Each as text.
    pub texts: Vec<String>,
    /// For each 1 if it holds, else 0.
    pub program: Program,
}

impl Conditions {
    /// The conditions of a law, over so many signals, its memory and its `count` parameters. One that is more than a comparison of sums is
    /// left out. The parameters of reverse motion follow those of the law; `reverse` has the place of each among those, and `same` the places of
    /// those that must have the forward value.
    pub fn in_each_direction(law: &LawEntry, signals: u32, reverse: &[usize], count: usize, same: &[usize]) -> Self {
        let first = signals + law.states.len() as u32;
        let mut parameters = Parameters { law, first, reverse: &[], builder: Builder::new(Precision::Double) };
        let (mut texts, mut outputs) = (Vec::new(), Vec::new());
        let directions: &[&[usize]] = if reverse.is_empty() { &[&[]] } else { &[&[], reverse] };
        for own in directions {
            parameters.reverse = own;
            for relation in law.relations {
                let named = parameters.named(relation.text);
                // a condition without a parameter of the reverse motion's own is that of the forward motion
                if !own.is_empty() && !named.contains("reverse.") {
                    continue;
                }
                let alternatives: Option<Vec<OperationId>> =
                    relation.text.split(" or ").map(|text| parameters.comparison(text)).collect();
                let builder = &mut parameters.builder;
                let any = alternatives.and_then(|all| all.into_iter().reduce(|a, b| builder.or(a, b)));
                if let Some(any) = any {
                    let (one, zero) = (builder.number(1.0), builder.number(0.0));
                    texts.push(named);
                    outputs.push(builder.select(any, one, zero));
                }
            }
        }
        for (k, i) in reverse.iter().enumerate().filter(|(_, i)| same.contains(i)) {
            let builder = &mut parameters.builder;
            let [forward, backward] = [*i, law.params.len() + k].map(|place| builder.input(first + place as u32));
            let (equal, one, zero) = (builder.equal(forward, backward), builder.number(1.0), builder.number(0.0));
            let name = law.params[*i].name;
            texts.push(format!(
                "reverse.{name} = {name}, without which forces at rest are a set that this unit was not made for,"
            ));
            outputs.push(builder.select(equal, one, zero));
        }
        let inputs = first + count as u32;
        Self { texts, program: parameters.builder.program(inputs, &outputs) }
    }
}

/// Reads terms of the parameters of a law into a program.
struct Parameters<'a> {
    law: &'a LawEntry,
    /// The first parameter among the inputs.
    first: u32,
    /// Places of the parameters that have a value of their own, which come after those of the law.
    reverse: &'a [usize],
    builder: Builder,
}

impl Parameters<'_> {
    /// A condition on one line, as in the sources and in the file for the prebuilt library, with the names of the parameters that it is of.
    fn named(&self, text: &str) -> String {
        let own = |word: &str| self.reverse.iter().any(|i| self.law.params[*i].name == word);
        let name = |word: &str| if own(word) { format!("reverse.{word}") } else { word.to_owned() };
        text.split_whitespace().map(name).collect::<Vec<_>>().join(" ")
    }
    fn comparison(&mut self, text: &str) -> Option<OperationId> {
        let words: Vec<&str> = text.split_whitespace().collect();
        let at = words.iter().position(|word| matches!(*word, "<" | "<=" | ">" | ">=" | "="))?;
        let (left, right) = (self.sum(&words[..at])?, self.sum(&words[at + 1..])?);
        let builder = &mut self.builder;
        Some(match words[at] {
            "<" => builder.less(left, right),
            ">" => builder.less(right, left),
            "=" => builder.equal(left, right),
            // not the opposite, so that it does not hold for what is not a number
            "<=" => {
                let (less, equal) = (builder.less(left, right), builder.equal(left, right));
                builder.or(less, equal)
            }
            _ => {
                let (less, equal) = (builder.less(right, left), builder.equal(left, right));
                builder.or(less, equal)
            }
        })
    }
    fn sum(&mut self, words: &[&str]) -> Option<OperationId> {
        let Some(at) = words.iter().rposition(|word| matches!(*word, "+" | "-")) else { return self.product(words) };
        let (left, right) = (self.sum(&words[..at])?, self.product(&words[at + 1..])?);
        Some(if words[at] == "+" { self.builder.add(left, right) } else { self.builder.subtract(left, right) })
    }
    fn product(&mut self, words: &[&str]) -> Option<OperationId> {
        match words {
            [word] => self.term(word),
            [before @ .., "*", word] => {
                let (left, right) = (self.product(before)?, self.term(word)?);
                Some(self.builder.multiply(left, right))
            }
            _ => None,
        }
    }
    fn term(&mut self, word: &str) -> Option<OperationId> {
        if let Some(i) = self.law.params.iter().position(|p| p.name == word) {
            let own = self.reverse.iter().position(|place| *place == i).map(|k| self.law.params.len() + k);
            return Some(self.builder.input(self.first + own.unwrap_or(i) as u32));
        }
        word.parse().ok().filter(|x: &f64| x.is_finite()).map(|x| self.builder.number(x))
    }
}
