//! Fenced blocks of a Markdown page. The tests of the library that parse the blocks include this file, too.

/// A fenced block.
pub struct Block {
    /// Line of the opening fence, from 1.
    pub line: usize,
    /// The language; empty if none is given.
    pub language: String,
    /// What follows it after a comma: `ignore` in `rust,ignore`.
    pub options: Vec<String>,
    /// What a comment `<!-- KEY: VALUE -->` on the line before says.
    pub note: Option<(String, String)>,
    /// The lines between the fences, without their common indentation.
    pub body: String,
}

impl Block {
    /// The value of the comment before the block, if its key is this one.
    pub fn note(&self, key: &str) -> Option<&str> {
        self.note.as_ref().filter(|(name, _)| name == key).map(|(_, value)| value.as_str())
    }
}

/// All blocks of a page, in their order.
pub fn blocks(page: &str) -> Vec<Block> {
    let mut out = Vec::new();
    let mut lines = page.lines().enumerate();
    let mut before = "";
    while let Some((number, line)) = lines.next() {
        let text = line.trim_start();
        let ticks = text.len() - text.trim_start_matches('`').len();
        if ticks < 3 {
            // there may be a blank line between a comment and its block
            before = if text.is_empty() { before } else { text };
            continue;
        }
        let (fence, indent) = ("`".repeat(ticks), line.len() - text.len());
        let info = text[ticks..].trim();
        let mut words = info.split(',').map(|word| word.trim().to_owned());
        let language = words.next().unwrap_or_default();
        let mut body = String::new();
        for (_, line) in lines.by_ref() {
            if line.trim() == fence {
                break;
            }
            let spaces = line.len() - line.trim_start().len();
            body += &line[spaces.min(indent)..];
            body.push('\n');
        }
        out.push(Block { line: number + 1, language, options: words.collect(), note: note(before), body });
        before = "";
    }
    out
}

fn note(line: &str) -> Option<(String, String)> {
    let (key, value) = line.strip_prefix("<!--")?.strip_suffix("-->")?.split_once(':')?;
    Some((key.trim().to_owned(), value.trim().to_owned()))
}
