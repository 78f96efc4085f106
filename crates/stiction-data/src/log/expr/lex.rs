//! An expression as words.
use super::mistake::{Mistake, Wrong};

/// A word.
#[derive(Clone, Debug, PartialEq)]
pub enum Token {
    Number(f64),
    Name(String),
    /// `$3`, from one.
    Place(usize),
    Sign(char),
}

/// The words of `text`, each with the character, from one, at which it begins.
pub fn words(text: &str) -> Result<Vec<(usize, Token)>, Mistake> {
    let letters: Vec<char> = text.chars().collect();
    let mut out = Vec::new();
    let mut at = 0;
    while let Some(&letter) = letters.get(at) {
        let begin = at;
        let fail = |wrong| Err(Mistake { at: begin + 1, wrong });
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
                    _ => return fail(Wrong::Number(text)),
                }
            }
            '$' => {
                at = run(at + 1, &|c| c.is_ascii_digit());
                let text: String = letters[begin + 1..at].iter().collect();
                let Ok(place) = text.parse() else { return fail(Wrong::Number(format!("${text}"))) };
                Token::Place(place)
            }
            '{' => {
                let end = run(at + 1, &|c| c != '}');
                if end == letters.len() {
                    return Err(Mistake { at: end + 1, wrong: Wrong::Expected { wanted: "'}'", found: None } });
                }
                at = end + 1;
                Token::Name(letters[begin + 1..end].iter().collect())
            }
            _ if letter.is_alphabetic() || letter == '_' => {
                at = run(at, &|c| c.is_alphanumeric() || matches!(c, '_' | '.' | '\''));
                Token::Name(letters[begin..at].iter().collect())
            }
            // what word processors make of them
            '\u{2212}' | '\u{2013}' => single(&mut at, '-'),
            '\u{b7}' | '\u{d7}' => single(&mut at, '*'),
            '+' | '-' | '*' | '/' | '^' | '(' | ')' | ',' => single(&mut at, letter),
            _ => {
                let found = Some(letter.escape_default().to_string());
                return fail(Wrong::Expected { wanted: "a number, a name or an operator", found });
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

/// Where the number ends that begins at `at`: digits, a point, digits, an exponent, and all letters that run into it, so
/// that `2x` is refused as a whole.
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
