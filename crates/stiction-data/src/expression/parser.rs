//! From tokens to a list of operations, by recursive descent.
use super::compiled::{Expression, Operation};
use super::error::{ExpressionError, ExpressionErrorKind};
use super::function::FunctionKind;
use super::lexer::{Token, tokens};
use super::{FUNCTIONS, MAX_DEPTH, MAX_LENGTH};
use crate::column_name::{ColumnNameError, find_column};
use stiction_io::similar_names::similar;

/// The columns and constants that an expression may use. A constant takes precedence over a column of the same name; `pi`
/// is known unless a column or constant has that name.
#[derive(Clone, Debug, Default)]
pub struct SymbolTable<'a> {
    /// Columns, in order.
    pub columns: Vec<&'a str>,
    /// Constants and their values; of several with one name the first is used.
    pub constants: Vec<(&'a str, f64)>,
}

impl Expression {
    /// Parses an expression.
    ///
    /// # Errors
    /// [`ExpressionError`], with the position in the text.
    pub fn parse(text: &str, symbols: &SymbolTable) -> Result<Self, ExpressionError> {
        if text.len() > MAX_LENGTH {
            return Err(ExpressionError { position: MAX_LENGTH + 1, kind: ExpressionErrorKind::TooLong });
        }
        let tokens = tokens(text)?;
        let end = text.chars().count() + 1;
        let mut parser = Parser { tokens: &tokens, at: 0, end, symbols, compiled: Self::default(), level: 0 };
        parser.sum().map_err(|error| needs_braces(text, symbols, error))?;
        if parser.at < tokens.len() {
            return Err(parser.unexpected("an operator or the end"));
        }
        parser.compiled.text = text.trim().to_owned();
        Ok(parser.compiled)
    }
}

/// A better error for an unknown name that is the beginning of a column's name: `Ist-Position*1e-3` would subtract.
fn needs_braces(text: &str, symbols: &SymbolTable, error: ExpressionError) -> ExpressionError {
    let ExpressionErrorKind::UnknownName { name, .. } = &error.kind else { return error };
    let at = text.char_indices().nth(error.position - 1).map_or(text.len(), |(at, _)| at);
    let begins = |(_, column): &(usize, &&str)| column.len() > name.len() && text[at..].starts_with(**column);
    let longest = symbols.columns.iter().enumerate().filter(begins).max_by_key(|(_, column)| column.len());
    let Some((index, column)) = longest else { return error };
    let (before, after) = (&text[..at], &text[at + column.len()..]);
    let kind = ExpressionErrorKind::NeedsBraces {
        column: (*column).to_owned(),
        braced: format!("{before}{{{column}}}{after}"),
        numbered: format!("{before}${}{after}", index + 1),
    };
    ExpressionError { kind, ..error }
}

struct Parser<'a> {
    tokens: &'a [(usize, Token)],
    at: usize,
    /// The position after the last character.
    end: usize,
    symbols: &'a SymbolTable<'a>,
    compiled: Expression,
    level: usize,
}

impl Parser<'_> {
    fn position(&self) -> usize {
        self.tokens.get(self.at).map_or(self.end, |token| token.0)
    }
    fn unexpected(&self, expected: &'static str) -> ExpressionError {
        let found = self.tokens.get(self.at).map(|token| match &token.1 {
            Token::Number(x) => stiction_io::number::short(*x),
            Token::Name(name) => name.clone(),
            Token::ColumnNumber(number) => format!("${number}"),
            Token::Sign(sign) => sign.to_string(),
        });
        ExpressionError { position: self.position(), kind: ExpressionErrorKind::UnexpectedToken { expected, found } }
    }
    /// The next token, if it is one of these signs.
    fn sign(&mut self, signs: &[char]) -> Option<char> {
        match self.tokens.get(self.at) {
            Some((_, Token::Sign(sign))) if signs.contains(sign) => {
                self.at += 1;
                Some(*sign)
            }
            _ => None,
        }
    }
    fn close(&mut self, expected: &'static str) -> Result<(), ExpressionError> {
        self.sign(&[')']).map(drop).ok_or_else(|| self.unexpected(expected))
    }
    /// Every recursion goes through this function, which limits its depth.
    fn deeper(&mut self, part: fn(&mut Self) -> Result<(), ExpressionError>) -> Result<(), ExpressionError> {
        if self.level == MAX_DEPTH {
            return Err(ExpressionError { position: self.position(), kind: ExpressionErrorKind::TooDeep });
        }
        self.level += 1;
        part(self)?;
        self.level -= 1;
        Ok(())
    }
    fn sum(&mut self) -> Result<(), ExpressionError> {
        self.product()?;
        while let Some(sign) = self.sign(&['+', '-']) {
            self.product()?;
            self.compiled.push(if sign == '+' { Operation::Add } else { Operation::Sub });
        }
        Ok(())
    }
    fn product(&mut self) -> Result<(), ExpressionError> {
        self.signed()?;
        while let Some(sign) = self.sign(&['*', '/']) {
            self.signed()?;
            self.compiled.push(if sign == '*' { Operation::Mul } else { Operation::Div });
        }
        Ok(())
    }
    /// `-x^2` is `-(x^2)`.
    fn signed(&mut self) -> Result<(), ExpressionError> {
        match self.sign(&['-', '+']) {
            Some('-') => {
                self.deeper(Self::signed)?;
                self.compiled.push(Operation::Neg);
                Ok(())
            }
            Some(_) => self.deeper(Self::signed),
            None => self.power(),
        }
    }
    /// `x^y^z` is `x^(y^z)`, and `x^-y` is allowed.
    fn power(&mut self) -> Result<(), ExpressionError> {
        self.operand()?;
        if self.sign(&['^']).is_some() {
            self.deeper(Self::signed)?;
            self.compiled.push(Operation::Pow);
        }
        Ok(())
    }
    fn operand(&mut self) -> Result<(), ExpressionError> {
        let (position, token) = match self.tokens.get(self.at) {
            Some(token) if !matches!(token.1, Token::Sign(sign) if sign != '(') => token,
            _ => return Err(self.unexpected("a number, a name or '('")),
        };
        let position = *position;
        self.at += 1;
        match token {
            Token::Number(x) => self.compiled.push(Operation::Push(*x)),
            Token::ColumnNumber(number) => {
                if !(1..=self.symbols.columns.len()).contains(number) {
                    return Err(ExpressionError { position, kind: self.unknown(&format!("${number}")) });
                }
                self.compiled.load(number - 1);
            }
            Token::Name(name) if self.sign(&['(']).is_some() => return self.call(position, name),
            Token::Name(name) => self.name(name).map_err(|kind| ExpressionError { position, kind })?,
            Token::Sign(_) => {
                self.deeper(Self::sum)?;
                self.close("')' or an operator")?;
            }
        }
        Ok(())
    }
    fn name(&mut self, name: &str) -> Result<(), ExpressionErrorKind> {
        if let Some((_, value)) = self.symbols.constants.iter().find(|constant| constant.0 == name) {
            self.compiled.push(Operation::Push(*value));
            return Ok(());
        }
        // a number in braces is a name like any other
        match find_column(name, &self.symbols.columns) {
            Ok(column) => self.compiled.load(column),
            Err(ColumnNameError::Ambiguous { name, columns }) => {
                return Err(ExpressionErrorKind::AmbiguousName { name, columns });
            }
            Err(_) if name == "pi" => self.compiled.push(Operation::Push(std::f64::consts::PI)),
            Err(_) => return Err(self.unknown(name)),
        }
        Ok(())
    }
    fn unknown(&self, name: &str) -> ExpressionErrorKind {
        let known = || self.symbols.columns.iter().copied().chain(self.symbols.constants.iter().map(|c| c.0));
        let near = similar(name, known()).into_iter().map(str::to_owned).collect();
        ExpressionErrorKind::UnknownName { name: name.to_owned(), near, known: known().map(str::to_owned).collect() }
    }
    fn call(&mut self, position: usize, name: &str) -> Result<(), ExpressionError> {
        let Some(function) = FUNCTIONS.iter().find(|f| f.name.eq_ignore_ascii_case(name)) else {
            let near = similar(name, FUNCTIONS.iter().map(|f| f.name)).into_iter().map(str::to_owned).collect();
            return Err(ExpressionError {
                position,
                kind: ExpressionErrorKind::UnknownFunction { name: name.to_owned(), near },
            });
        };
        let mut given = 0;
        loop {
            self.deeper(Self::sum)?;
            given += 1;
            if let (FunctionKind::Many(f), true) = (function.action, given > 1) {
                self.compiled.push(Operation::Pair(f));
            }
            if self.sign(&[',']).is_none() {
                break;
            }
        }
        self.close("',' or ')'")?;
        if !function.takes(given) {
            let kind = ExpressionErrorKind::ArgumentCount { name: function.name, takes: function.arguments(), given };
            return Err(ExpressionError { position, kind });
        }
        match function.action {
            FunctionKind::One(f) => self.compiled.push(Operation::Call(f)),
            FunctionKind::Clip => self.compiled.push(Operation::Clip),
            FunctionKind::Many(_) => {}
        }
        Ok(())
    }
}
