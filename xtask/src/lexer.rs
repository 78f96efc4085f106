//! Splits Rust source text into tokens. Comments are dropped and a literal is one token without its content, so what follows
//! sees only code.

/// A token and the line it is on, counted from 1.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Token<'a> {
    pub line: usize,
    pub kind: Kind<'a>,
}

/// What a token is.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Kind<'a> {
    /// An identifier or keyword; `r#type` is `type`.
    Word(&'a str),
    /// `::`
    PathSeparator,
    /// Any other single character of punctuation.
    Punctuation(char),
    /// A number, character or text.
    Literal,
    /// `'a`
    Lifetime,
}

impl<'a> Token<'a> {
    /// The identifier or keyword, if it is one.
    pub fn word(&self) -> Option<&'a str> {
        if let Kind::Word(word) = self.kind { Some(word) } else { None }
    }
    /// Whether it is this character of punctuation.
    pub fn is(&self, c: char) -> bool {
        self.kind == Kind::Punctuation(c)
    }
}

/// All tokens of a source file, except those of items marked `#[cfg(test)]`.
pub fn tokens_without_tests(text: &str) -> Vec<Token<'_>> {
    let all = tokens(text);
    let mut out = Vec::with_capacity(all.len());
    let mut at = 0;
    while at < all.len() {
        match end_of_test_item(&all, at) {
            Some(end) => at = end,
            None => {
                out.push(all[at]);
                at += 1;
            }
        }
    }
    out
}

/// The names of modules in files of their own that are declared `#[cfg(test)] mod NAME;`.
pub fn test_modules(text: &str) -> Vec<String> {
    let all = tokens(text);
    let mut out = Vec::new();
    for at in 0..all.len() {
        let Some(end) = end_of_test_item(&all, at) else { continue };
        if let [.., module, name, last] = &all[at..end]
            && module.word() == Some("mod")
            && last.is(';')
        {
            out.extend(name.word().map(str::to_owned));
        }
    }
    out
}

/// If `#[cfg(test)]` begins at `at`: the index after the item it marks.
fn end_of_test_item(all: &[Token<'_>], at: usize) -> Option<usize> {
    let kinds: Vec<Kind<'_>> = all.get(at..at + 7)?.iter().map(|token| token.kind).collect();
    let wanted = ["#", "[", "cfg", "(", "test", ")", "]"].map(|part| match part.chars().next() {
        Some(c) if !c.is_alphabetic() => Kind::Punctuation(c),
        _ => Kind::Word(part),
    });
    if kinds != wanted {
        return None;
    }
    let mut depth = 0_usize;
    for (k, token) in all.iter().enumerate().skip(at + 7) {
        match token.kind {
            Kind::Punctuation('(' | '[' | '{') => depth += 1,
            Kind::Punctuation(')' | ']') => depth = depth.saturating_sub(1),
            Kind::Punctuation('}') => {
                depth = depth.saturating_sub(1);
                // `use a::{b};` goes on to the semicolon
                if depth == 0 && !all.get(k + 1).is_some_and(|next| next.is(';')) {
                    return Some(k + 1);
                }
            }
            Kind::Punctuation(';') if depth == 0 => return Some(k + 1),
            _ => {}
        }
    }
    Some(all.len())
}

/// All tokens of a source file.
pub fn tokens(text: &str) -> Vec<Token<'_>> {
    let mut lexer = Lexer { text, at: 0, line: 1 };
    std::iter::from_fn(|| lexer.next()).collect()
}

struct Lexer<'a> {
    text: &'a str,
    at: usize,
    line: usize,
}

impl<'a> Lexer<'a> {
    fn rest(&self) -> &'a str {
        &self.text[self.at..]
    }

    fn skip(&mut self, bytes: usize) {
        let passed = &self.rest()[..bytes];
        self.line += passed.matches('\n').count();
        self.at += bytes;
    }

    fn next(&mut self) -> Option<Token<'a>> {
        self.skip_blanks_and_comments();
        let (rest, line) = (self.rest(), self.line);
        let first = rest.chars().next()?;
        let (kind, length) = if let Some(length) = text_literal(rest) {
            (Kind::Literal, length)
        } else if first == '\'' {
            quote(rest)
        } else if first.is_ascii_digit() {
            (Kind::Literal, number(rest))
        } else if first.is_alphabetic() || first == '_' {
            let prefix = if rest.starts_with("r#") { 2 } else { 0 };
            let length = prefix + word(&rest[prefix..]);
            (Kind::Word(&rest[prefix..length]), length)
        } else if rest.starts_with("::") {
            (Kind::PathSeparator, 2)
        } else {
            (Kind::Punctuation(first), first.len_utf8())
        };
        self.skip(length);
        Some(Token { line, kind })
    }

    fn skip_blanks_and_comments(&mut self) {
        loop {
            let rest = self.rest();
            let blanks = rest.len() - rest.trim_start().len();
            if blanks > 0 {
                self.skip(blanks);
            } else if rest.starts_with("//") {
                self.skip(rest.find('\n').unwrap_or(rest.len()));
            } else if rest.starts_with("/*") {
                self.skip(block_comment(rest));
            } else {
                return;
            }
        }
    }
}

/// Bytes of an identifier at the start.
fn word(text: &str) -> usize {
    text.find(|c: char| !(c.is_alphanumeric() || c == '_')).unwrap_or(text.len())
}

/// Bytes of a number at the start; `1..2` is a number and two dots.
fn number(text: &str) -> usize {
    let whole = word(text);
    let fraction = text[whole..].strip_prefix('.').filter(|rest| rest.starts_with(|c: char| c.is_ascii_digit()));
    fraction.map_or(whole, |rest| whole + 1 + word(rest))
}

/// Bytes of a comment `/* ... */` at the start; such comments nest.
fn block_comment(text: &str) -> usize {
    let (mut depth, mut at) = (0_usize, 0);
    while at < text.len() {
        let step = if text[at..].starts_with("/*") {
            depth += 1;
            2
        } else if text[at..].starts_with("*/") {
            depth -= 1;
            2
        } else {
            text[at..].chars().next().map_or(1, char::len_utf8)
        };
        at += step;
        if depth == 0 {
            return at;
        }
    }
    text.len()
}

/// Bytes of a text `"..."`, `r#"..."#`, `b"..."` or `c"..."` at the start, if there is one.
fn text_literal(text: &str) -> Option<usize> {
    let prefix = ["br", "cr", "b", "c", "r", ""].into_iter().find(|prefix| {
        text.strip_prefix(prefix).is_some_and(|rest| match rest.chars().next() {
            Some('"') => true,
            Some('#') => prefix.ends_with('r') && rest.trim_start_matches('#').starts_with('"'),
            _ => false,
        })
    })?;
    let body = &text[prefix.len()..];
    if prefix.ends_with('r') {
        let hashes = body.len() - body.trim_start_matches('#').len();
        let close = format!("\"{}", "#".repeat(hashes));
        let start = prefix.len() + hashes + 1;
        return Some(text[start..].find(&close).map_or(text.len(), |end| start + end + close.len()));
    }
    let mut escaped = false;
    for (k, c) in body.char_indices().skip(1) {
        match c {
            _ if escaped => escaped = false,
            '\\' => escaped = true,
            '"' => return Some(prefix.len() + k + 1),
            _ => {}
        }
    }
    Some(text.len())
}

/// A character `'x'` or a lifetime `'x`, and its bytes.
fn quote<'a>(text: &str) -> (Kind<'a>, usize) {
    let mut letters = text.char_indices().skip(1);
    match (letters.next(), letters.next()) {
        (Some((_, '\\')), Some((after, escaped))) => {
            let from = after + escaped.len_utf8();
            (Kind::Literal, text[from..].find('\'').map_or(text.len(), |end| from + end + 1))
        }
        (Some(_), Some((end, '\''))) => (Kind::Literal, end + 1),
        _ => (Kind::Lifetime, 1 + word(&text[1..])),
    }
}

#[cfg(test)]
mod tests {
    use super::{Kind, test_modules, tokens, tokens_without_tests};

    fn words(text: &str) -> Vec<&str> {
        tokens(text).iter().filter_map(super::Token::word).collect()
    }

    #[test]
    fn comments_and_literals_hold_no_words() {
        let text = r####"a // b
/* c /* d */ e */ f "g \" h" r#"i " j"# b"k" 'l' '\'' 'm: loop b'n' r#type 1.5e3 0..o"####;
        assert_eq!(words(text), ["a", "f", "loop", "b", "type", "o"]);
    }

    #[test]
    fn tokens_know_their_line() {
        let found = tokens("a\n\"x\ny\" /*\n*/ b::c");
        let lines: Vec<usize> = found.iter().map(|token| token.line).collect();
        assert_eq!(lines, [1, 2, 4, 4, 4]);
        assert_eq!(found[3].kind, Kind::PathSeparator);
    }

    #[test]
    fn test_items_are_left_out() {
        let text = "a; #[cfg(test)] mod tests { fn b() { c } } d; #[cfg(test)] use e::{f}; g #[cfg(test)] mod h; i";
        let left: Vec<&str> = tokens_without_tests(text).iter().filter_map(super::Token::word).collect();
        assert_eq!(left, ["a", "d", "g", "i"]);
        assert_eq!(test_modules(text), ["h"]);
    }
}
