//! Splits Rust source into its string literals, its comments and the names of its functions.

/// The texts of a source file. Each keeps the line breaks of the file, so that line numbers are right.
#[derive(Default)]
pub(super) struct Source {
    /// String literals, each followed by a full stop, so that two of them are never a phrase.
    pub(super) literals: String,
    /// Comments, without code spans and code blocks.
    pub(super) comments: String,
    /// The names of functions, as words.
    pub(super) functions: String,
    /// The first line of each documentation comment, with its line number.
    pub(super) documentation: Vec<(usize, String)>,
}

impl Source {
    pub(super) fn of(code: &str) -> Self {
        let mut source = Self::default();
        let mut rest = code;
        let (mut fenced, mut documented) = (false, 0);
        while let Some(first) = rest.chars().next() {
            let length = if rest.starts_with("//") {
                let end = rest.find('\n').unwrap_or(rest.len());
                let line = 1 + source.comments.matches('\n').count();
                if rest.starts_with("///") || rest.starts_with("//!") {
                    if documented + 1 != line || line == 1 {
                        source.documentation.push((line, rest[3..end].trim_start().to_owned()));
                    }
                    documented = line;
                }
                source.comment(&rest[..end], &mut fenced);
                end
            } else if let Some((open, hashes)) = raw(rest) {
                let close = format!("\"{}", "#".repeat(hashes));
                let end = rest[open..].find(&close).map_or(rest.len(), |end| open + end + close.len());
                source.literal(&rest[open..end]);
                end
            } else if first == '"' {
                let mut escaped = false;
                let is_end = |letter: char| {
                    let end = letter == '"' && !escaped;
                    escaped = letter == '\\' && !escaped;
                    end
                };
                let end = rest[1..].find(is_end).map_or(rest.len(), |end| end + 2);
                // An escaped line end joins two lines into one text.
                source.literal(&rest[..end].replace("\\\n", " \n"));
                end
            } else if rest.starts_with("'\"'") || rest.starts_with("'\\\"'") {
                rest[1..].find('\'').unwrap() + 2
            } else if let Some(name) = function(rest) {
                source.functions += &name.replace('_', " ");
                source.functions.push('.');
                "fn ".len() + name.len()
            } else if first.is_alphanumeric() || first == '_' {
                // The whole word, so that `fn` and `r` are only found at its start.
                rest.find(|letter: char| !letter.is_alphanumeric() && letter != '_').unwrap_or(rest.len())
            } else {
                if first == '\n' {
                    source.literals.push('\n');
                    source.comments.push('\n');
                    source.functions.push('\n');
                }
                first.len_utf8()
            };
            rest = &rest[length..];
        }
        source
    }

    fn literal(&mut self, text: &str) {
        self.literals += text;
        self.literals.push('.');
        let lines = "\n".repeat(text.matches('\n').count());
        self.comments += &lines;
        self.functions += &lines;
    }

    fn comment(&mut self, line: &str, fenced: &mut bool) {
        let text = line.trim_start_matches('/').trim_start_matches('!').trim_start();
        if text.starts_with("```") {
            *fenced = !*fenced;
        } else if !*fenced {
            self.comments += &without_code_spans(text);
        }
    }
}

/// Returns a text without its code spans.
pub(super) fn without_code_spans(text: &str) -> String {
    // Every second part is a code span.
    text.split('`').enumerate().map(|(index, part)| if index % 2 == 0 { part } else { "`" }).collect()
}

/// Returns the name of the function that is defined at the start of `code`.
fn function(code: &str) -> Option<&str> {
    let name = code.strip_prefix("fn ")?;
    name.split(|letter: char| !letter.is_alphanumeric() && letter != '_').next()
}

/// Returns the start of a raw string's content, and the number of `#` that end it.
fn raw(code: &str) -> Option<(usize, usize)> {
    let after = code.strip_prefix('r')?;
    let text = after.trim_start_matches('#');
    let hashes = after.len() - text.len();
    text.starts_with('"').then_some((hashes + 2, hashes))
}
