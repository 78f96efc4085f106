//! An expression as tokens.
use super::error::{SyntaxError, SyntaxErrorKind};

/// A number, a name, a column number or an operator.
#[derive(Clone, Debug, PartialEq)]
pub enum Token {
    Number(f64),
    Name(String),
    /// `$3`, from one.
    ColumnNumber(usize),
    Sign(char),
    /// `and`, `or` or `not`, unless in braces.
    Word(&'static str),
    /// `<`, `<=`, `>`, `>=`, `==` or `!=`
    Comparison(&'static str),
}

/// The tokens of `text`, each with the position of its first character, from one.
pub fn tokens(text: &str) -> Result<Vec<(usize, Token)>, SyntaxError> {
    let letters: Vec<char> = text.chars().collect();
    let mut out = Vec::new();
    let mut at = 0;
    while let Some(&letter) = letters.get(at) {
        let begin = at;
        let fail = |kind| Err(SyntaxError { position: begin + 1, kind });
        let run = |from: usize, more: &dyn Fn(char) -> bool| {
            from + letters[from..].iter().take_while(|letter| more(**letter)).count()
        };
        let token = match letter {
            _ if letter.is_whitespace() => {
                at += 1;
                continue;
            }
            '0'..='9' | '.' => {
                at = number(&letters, at);
                let text: String = letters[begin..at].iter().collect();
                match text.parse::<f64>() {
                    Ok(x) if x.is_finite() => Token::Number(x),
                    _ => return fail(SyntaxErrorKind::InvalidNumber(text)),
                }
            }
            '$' => {
                at = run(at + 1, &|c| c.is_ascii_digit());
                let text: String = letters[begin + 1..at].iter().collect();
                let Ok(number) = text.parse() else {
                    return fail(SyntaxErrorKind::InvalidNumber(format!("${text}")));
                };
                Token::ColumnNumber(number)
            }
            '{' => {
                let end = run(at + 1, &|c| c != '}');
                if end == letters.len() {
                    return Err(SyntaxError {
                        position: end + 1,
                        kind: SyntaxErrorKind::UnexpectedToken { expected: "'}'", found: None },
                    });
                }
                at = end + 1;
                Token::Name(letters[begin + 1..end].iter().collect())
            }
            _ if letter.is_alphabetic() || letter == '_' => {
                at = run(at, &|c| c.is_alphanumeric() || matches!(c, '_' | '.' | '\''));
                let name: String = letters[begin..at].iter().collect();
                ["and", "or", "not"].into_iter().find(|word| *word == name).map_or(Token::Name(name), Token::Word)
            }
            // what word processors write for minus and times
            '\u{2212}' | '\u{2013}' => single(&mut at, '-'),
            '\u{b7}' | '\u{d7}' => single(&mut at, '*'),
            '+' | '-' | '*' | '/' | '^' | '(' | ')' | ',' => single(&mut at, letter),
            '\u{2264}' | '\u{2265}' | '\u{2260}' => {
                at += 1;
                Token::Comparison(match letter {
                    '\u{2264}' => "<=",
                    '\u{2265}' => ">=",
                    _ => "!=",
                })
            }
            '<' | '>' | '=' | '!' => {
                let pair = letters.get(at + 1) == Some(&'=');
                at += if pair { 2 } else { 1 };
                Token::Comparison(match (letter, pair) {
                    ('<', true) => "<=",
                    ('<', false) => "<",
                    ('>', true) => ">=",
                    ('>', false) => ">",
                    ('=', true) => "==",
                    ('!', true) => "!=",
                    _ => {
                        let found = Some(letter.to_string());
                        return fail(SyntaxErrorKind::UnexpectedToken { expected: "an operator", found });
                    }
                })
            }
            _ => {
                let found = Some(letter.escape_default().to_string());
                return fail(SyntaxErrorKind::UnexpectedToken { expected: "a number, a name or an operator", found });
            }
        };
        out.push((begin + 1, token));
    }
    Ok(out)
}

fn single(at: &mut usize, letter: char) -> Token {
    *at += 1;
    Token::Sign(letter)
}

/// The end of the number that begins at `at`: digits, a point, digits, an exponent, and all letters that follow directly, so
/// that `2x` is rejected as a whole.
fn number(letters: &[char], mut at: usize) -> usize {
    while let Some(&letter) = letters.get(at) {
        let sign = matches!(letter, '+' | '-') && matches!(letters[at - 1], 'e' | 'E');
        if !(letter.is_alphanumeric() || matches!(letter, '.' | '_') || sign) {
            break;
        }
        at += 1;
    }
    at
}
