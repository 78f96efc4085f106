//! From tokens to a list of parts in postfix order, by recursive descent.
use super::error::{SyntaxError, SyntaxErrorKind};
use super::lexer::{Token, tokens};
use super::{Function, MAX_DEPTH, MAX_LENGTH, Node, Operator, Part};

/// The parts of an expression in postfix order.
///
/// # Errors
/// [`SyntaxError`], with the position in the text.
pub fn parse(text: &str) -> Result<Vec<Part>, SyntaxError> {
    if text.len() > MAX_LENGTH {
        return Err(SyntaxError { position: MAX_LENGTH + 1, kind: SyntaxErrorKind::TooLong });
    }
    let tokens = tokens(text)?;
    let end = text.chars().count() + 1;
    let mut parser = Parser { tokens: &tokens, at: 0, end, parts: Vec::new(), level: 0 };
    parser.either()?;
    if parser.at < tokens.len() {
        return Err(parser.unexpected("an operator or the end"));
    }
    Ok(parser.parts)
}

struct Parser<'a> {
    tokens: &'a [(usize, Token)],
    at: usize,
    /// The position after the last character.
    end: usize,
    parts: Vec<Part>,
    level: usize,
}

impl Parser<'_> {
    fn position(&self) -> usize {
        self.tokens.get(self.at).map_or(self.end, |token| token.0)
    }
    fn unexpected(&self, expected: &'static str) -> SyntaxError {
        let found = self.tokens.get(self.at).map(|token| match &token.1 {
            Token::Number(x) => crate::number::short(*x),
            Token::Name(name) => name.clone(),
            Token::ColumnNumber(number) => format!("${number}"),
            Token::Sign(sign) => sign.to_string(),
            Token::Comparison(sign) | Token::Word(sign) => (*sign).to_owned(),
        });
        SyntaxError { position: self.position(), kind: SyntaxErrorKind::UnexpectedToken { expected, found } }
    }
    fn push(&mut self, node: Node, position: usize) {
        self.parts.push(Part { node, position });
    }
    /// The next token, if it is one of these signs, with its position.
    fn sign(&mut self, signs: &[char]) -> Option<(char, usize)> {
        match self.tokens.get(self.at) {
            Some((position, Token::Sign(sign))) if signs.contains(sign) => {
                self.at += 1;
                Some((*sign, *position))
            }
            _ => None,
        }
    }
    /// The next token, if it is this word, with its position.
    fn word(&mut self, word: &str) -> Option<usize> {
        match self.tokens.get(self.at) {
            Some((position, Token::Word(found))) if *found == word => {
                self.at += 1;
                Some(*position)
            }
            _ => None,
        }
    }
    fn close(&mut self, expected: &'static str) -> Result<(), SyntaxError> {
        self.sign(&[')']).map(drop).ok_or_else(|| self.unexpected(expected))
    }
    /// Every recursion goes through this function, which limits its depth.
    fn deeper(&mut self, part: fn(&mut Self) -> Result<(), SyntaxError>) -> Result<(), SyntaxError> {
        if self.level == MAX_DEPTH {
            return Err(SyntaxError { position: self.position(), kind: SyntaxErrorKind::TooDeep });
        }
        self.level += 1;
        part(self)?;
        self.level -= 1;
        Ok(())
    }
    fn either(&mut self) -> Result<(), SyntaxError> {
        self.both()?;
        while let Some(position) = self.word("or") {
            self.both()?;
            self.push(Node::Operator(Operator::Or), position);
        }
        Ok(())
    }
    fn both(&mut self) -> Result<(), SyntaxError> {
        self.negation()?;
        while let Some(position) = self.word("and") {
            self.negation()?;
            self.push(Node::Operator(Operator::And), position);
        }
        Ok(())
    }
    fn negation(&mut self) -> Result<(), SyntaxError> {
        match self.word("not") {
            Some(position) => {
                self.deeper(Self::negation)?;
                self.push(Node::Not, position);
                Ok(())
            }
            None => self.comparison(),
        }
    }
    fn comparison(&mut self) -> Result<(), SyntaxError> {
        self.sum()?;
        if let Some((operator, position)) = self.comparison_sign() {
            self.sum()?;
            self.push(Node::Operator(operator), position);
            if let Some((_, position)) = self.comparison_sign() {
                return Err(SyntaxError { position, kind: SyntaxErrorKind::ComparisonChain });
            }
        }
        Ok(())
    }
    fn comparison_sign(&mut self) -> Option<(Operator, usize)> {
        let Some((position, Token::Comparison(sign))) = self.tokens.get(self.at) else { return None };
        self.at += 1;
        let operator = match *sign {
            "<" => Operator::Less,
            "<=" => Operator::LessOrEqual,
            ">" => Operator::Greater,
            ">=" => Operator::GreaterOrEqual,
            "==" => Operator::Equal,
            _ => Operator::NotEqual,
        };
        Some((operator, *position))
    }
    fn sum(&mut self) -> Result<(), SyntaxError> {
        self.product()?;
        while let Some((sign, position)) = self.sign(&['+', '-']) {
            self.product()?;
            let operator = if sign == '+' { Operator::Add } else { Operator::Subtract };
            self.push(Node::Operator(operator), position);
        }
        Ok(())
    }
    fn product(&mut self) -> Result<(), SyntaxError> {
        self.signed()?;
        while let Some((sign, position)) = self.sign(&['*', '/']) {
            self.signed()?;
            let operator = if sign == '*' { Operator::Multiply } else { Operator::Divide };
            self.push(Node::Operator(operator), position);
        }
        Ok(())
    }
    /// `-x^2` is `-(x^2)`.
    fn signed(&mut self) -> Result<(), SyntaxError> {
        match self.sign(&['-', '+']) {
            Some(('-', position)) => {
                self.deeper(Self::signed)?;
                self.push(Node::Negate, position);
                Ok(())
            }
            Some(_) => self.deeper(Self::signed),
            None => self.power(),
        }
    }
    /// `x^y^z` is `x^(y^z)`, and `x^-y` is allowed.
    fn power(&mut self) -> Result<(), SyntaxError> {
        self.operand()?;
        if let Some((_, position)) = self.sign(&['^']) {
            self.deeper(Self::signed)?;
            self.push(Node::Operator(Operator::Power), position);
        }
        Ok(())
    }
    fn operand(&mut self) -> Result<(), SyntaxError> {
        let (position, token) = match self.tokens.get(self.at) {
            Some((_, Token::Comparison(_) | Token::Word(_))) | None => {
                return Err(self.unexpected("a number, a name or '('"));
            }
            Some((_, Token::Sign(sign))) if *sign != '(' => return Err(self.unexpected("a number, a name or '('")),
            Some(token) => token,
        };
        let position = *position;
        self.at += 1;
        match token {
            Token::Number(x) => self.push(Node::Number(*x), position),
            Token::ColumnNumber(number) => self.push(Node::Column(*number), position),
            Token::Name(name) if self.sign(&['(']).is_some() => return self.call(position, name),
            Token::Name(name) => self.push(Node::Name(name.clone()), position),
            Token::Sign(_) | Token::Comparison(_) | Token::Word(_) => {
                self.deeper(Self::either)?;
                self.close("')' or an operator")?;
            }
        }
        Ok(())
    }
    fn call(&mut self, position: usize, name: &str) -> Result<(), SyntaxError> {
        let Some(function) = Function::find(name) else {
            let near = Function::meant_by(name).into_iter().map(str::to_owned).collect();
            let kind = SyntaxErrorKind::UnknownFunction { name: name.to_owned(), near };
            return Err(SyntaxError { position, kind });
        };
        let mut given = 0;
        loop {
            self.deeper(Self::either)?;
            given += 1;
            if self.sign(&[',']).is_none() {
                break;
            }
        }
        self.close("',' or ')'")?;
        if !function.takes(given) {
            let kind = SyntaxErrorKind::ArgumentCount { name: function.name(), takes: function.arguments(), given };
            return Err(SyntaxError { position, kind });
        }
        self.push(Node::Call(function, given), position);
        Ok(())
    }
}
