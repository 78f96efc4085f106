//! From words to a program, by recursive descent.
use super::function::Action;
use super::lex::{Token, words};
use super::mistake::{Mistake, Wrong};
use super::program::{Op, Program};
use super::{DEEPEST, FUNCTIONS, LONGEST};
use crate::log::{Problem, names};
use stiction_io::near::near;

/// What the names in an expression may mean. A constant goes before a column; `pi` is known unless something else has
/// its name.
#[derive(Clone, Debug, Default)]
pub struct Names<'a> {
    /// Columns, in order.
    pub columns: Vec<&'a str>,
    /// Constants and their values; the first of a name counts.
    pub constants: Vec<(&'a str, f64)>,
}

impl Program {
    /// Parses an expression.
    ///
    /// # Errors
    /// [`Mistake`], with the place in the text.
    pub fn parse(text: &str, names: &Names) -> Result<Self, Mistake> {
        if text.len() > LONGEST {
            return Err(Mistake { at: LONGEST + 1, wrong: Wrong::Long });
        }
        let words = words(text)?;
        let end = text.chars().count() + 1;
        let mut parser = Parser { words: &words, at: 0, end, names, program: Self::default(), level: 0 };
        parser.sum()?;
        if parser.at < words.len() {
            return Err(parser.expected("an operator or the end"));
        }
        parser.program.text = text.trim().to_owned();
        Ok(parser.program)
    }
}

struct Parser<'a> {
    words: &'a [(usize, Token)],
    at: usize,
    /// The place after the last character.
    end: usize,
    names: &'a Names<'a>,
    program: Program,
    level: usize,
}

impl Parser<'_> {
    fn place(&self) -> usize {
        self.words.get(self.at).map_or(self.end, |word| word.0)
    }
    fn expected(&self, wanted: &'static str) -> Mistake {
        let found = self.words.get(self.at).map(|word| match &word.1 {
            Token::Number(x) => stiction_io::number::short(*x),
            Token::Name(name) => name.clone(),
            Token::Place(place) => format!("${place}"),
            Token::Sign(sign) => sign.to_string(),
        });
        Mistake { at: self.place(), wrong: Wrong::Expected { wanted, found } }
    }
    /// The next word, if it is one of these signs.
    fn sign(&mut self, signs: &[char]) -> Option<char> {
        match self.words.get(self.at) {
            Some((_, Token::Sign(sign))) if signs.contains(sign) => {
                self.at += 1;
                Some(*sign)
            }
            _ => None,
        }
    }
    fn close(&mut self, wanted: &'static str) -> Result<(), Mistake> {
        self.sign(&[')']).map(drop).ok_or_else(|| self.expected(wanted))
    }
    /// All recursion passes here.
    fn deeper(&mut self, part: fn(&mut Self) -> Result<(), Mistake>) -> Result<(), Mistake> {
        if self.level == DEEPEST {
            return Err(Mistake { at: self.place(), wrong: Wrong::Deep });
        }
        self.level += 1;
        part(self)?;
        self.level -= 1;
        Ok(())
    }
    fn sum(&mut self) -> Result<(), Mistake> {
        self.product()?;
        while let Some(sign) = self.sign(&['+', '-']) {
            self.product()?;
            self.program.push(if sign == '+' { Op::Add } else { Op::Sub });
        }
        Ok(())
    }
    fn product(&mut self) -> Result<(), Mistake> {
        self.signed()?;
        while let Some(sign) = self.sign(&['*', '/']) {
            self.signed()?;
            self.program.push(if sign == '*' { Op::Mul } else { Op::Div });
        }
        Ok(())
    }
    /// `-x^2` is `-(x^2)`.
    fn signed(&mut self) -> Result<(), Mistake> {
        match self.sign(&['-', '+']) {
            Some('-') => {
                self.deeper(Self::signed)?;
                self.program.push(Op::Neg);
                Ok(())
            }
            Some(_) => self.deeper(Self::signed),
            None => self.power(),
        }
    }
    /// `x^y^z` is `x^(y^z)`, and `x^-y` is allowed.
    fn power(&mut self) -> Result<(), Mistake> {
        self.atom()?;
        if self.sign(&['^']).is_some() {
            self.deeper(Self::signed)?;
            self.program.push(Op::Pow);
        }
        Ok(())
    }
    fn atom(&mut self) -> Result<(), Mistake> {
        let (place, token) = match self.words.get(self.at) {
            Some(word) if !matches!(word.1, Token::Sign(sign) if sign != '(') => word,
            _ => return Err(self.expected("a number, a name or '('")),
        };
        let place = *place;
        self.at += 1;
        match token {
            Token::Number(x) => self.program.push(Op::Push(*x)),
            Token::Place(number) => {
                if !(1..=self.names.columns.len()).contains(number) {
                    return Err(Mistake { at: place, wrong: self.unknown(&format!("${number}")) });
                }
                self.program.load(number - 1);
            }
            Token::Name(name) if self.sign(&['(']).is_some() => return self.call(place, name),
            Token::Name(name) => self.name(name).map_err(|wrong| Mistake { at: place, wrong })?,
            Token::Sign(_) => {
                self.deeper(Self::sum)?;
                self.close("')' or an operator")?;
            }
        }
        Ok(())
    }
    fn name(&mut self, name: &str) -> Result<(), Wrong> {
        if let Some((_, value)) = self.names.constants.iter().find(|constant| constant.0 == name) {
            self.program.push(Op::Push(*value));
            return Ok(());
        }
        // a number in braces is a name like any other
        match names::find(name, &self.names.columns) {
            Ok(column) => self.program.load(column),
            Err(Problem::Ambiguous { name, columns }) => return Err(Wrong::Ambiguous { name, columns }),
            Err(_) if name == "pi" => self.program.push(Op::Push(std::f64::consts::PI)),
            Err(_) => return Err(self.unknown(name)),
        }
        Ok(())
    }
    fn unknown(&self, name: &str) -> Wrong {
        let known = || self.names.columns.iter().copied().chain(self.names.constants.iter().map(|c| c.0));
        let near = near(name, known()).into_iter().map(str::to_owned).collect();
        Wrong::Name { name: name.to_owned(), near, known: known().map(str::to_owned).collect() }
    }
    fn call(&mut self, place: usize, name: &str) -> Result<(), Mistake> {
        let Some(function) = FUNCTIONS.iter().find(|f| f.name.eq_ignore_ascii_case(name)) else {
            let near = near(name, FUNCTIONS.iter().map(|f| f.name)).into_iter().map(str::to_owned).collect();
            return Err(Mistake { at: place, wrong: Wrong::Function { name: name.to_owned(), near } });
        };
        let mut given = 0;
        loop {
            self.deeper(Self::sum)?;
            given += 1;
            if let (Action::Many(f), true) = (function.action, given > 1) {
                self.program.push(Op::Pair(f));
            }
            if self.sign(&[',']).is_none() {
                break;
            }
        }
        self.close("',' or ')'")?;
        if !function.takes(given) {
            let wrong = Wrong::Arguments { name: function.name, takes: function.arguments(), given };
            return Err(Mistake { at: place, wrong });
        }
        match function.action {
            Action::One(f) => self.program.push(Op::Call(f)),
            Action::Clip => self.program.push(Op::Clip),
            Action::Many(_) => {}
        }
        Ok(())
    }
}
