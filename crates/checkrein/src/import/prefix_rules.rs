//! Imports Codex's `*.rules`: prefixes of commands with a decision, in Starlark.
//!
//! ```text
//! prefix_rule(pattern = ["git", ["status", "log"]], decision = "allow", justification = "only looks")
//! ```
//!
//! A prefix that is allowed becomes an allow rule, which covers less: only what reads, and only in the project. Everything else has no
//! equal here, and is listed. Only calls with literal arguments are read, as Codex writes them; other statements are listed as well.

use super::{Found, permissions};

/// The function whose calls are read.
const RULE: &str = "prefix_rule";
/// The maximum number of commands that one pattern with its alternatives means.
const MOST: usize = 64;
/// The maximum depth of a list.
const DEEPEST: usize = 8;

/// Returns whether a text is a file of such rules.
pub(super) fn is_known(text: &str) -> bool {
    text.lines().any(|line| {
        line.trim_start().strip_prefix(RULE).is_some_and(|rest| rest.trim_start().starts_with('('))
    })
}

/// A literal value.
#[derive(Clone, Debug, PartialEq)]
enum Literal {
    Text(String),
    List(Vec<Self>),
    Word,
}

/// Reads a file.
pub(super) fn read(text: &str) -> Found {
    let mut found = Found::default();
    let mut reader = RuleParser { text, at: 0 };
    while reader.skip_space() {
        let (start, line) = (reader.at, reader.line());
        let statement = reader.call();
        match statement {
            Some((name, arguments)) if name == RULE => rule(line, &arguments, &mut found),
            Some((name, _)) => {
                found
                    .remarks
                    .push(format!("line {line}: `{name}` has no equivalent here, so keep it in Codex"));
            }
            None => {
                reader.at = start;
                reader.skip_statement();
                found
                    .remarks
                    .push(format!("line {line} is not a rule with plain values, so it was left out"));
            }
        }
    }
    found
}

/// Adds one rule.
fn rule(line: usize, arguments: &[(String, Literal)], found: &mut Found) {
    let value = |name: &str| arguments.iter().find(|(known, _)| known == name).map(|(_, value)| value);
    let decision = match value("decision") {
        None => "allow",
        Some(Literal::Text(text)) => text,
        Some(Literal::List(_) | Literal::Word) => "",
    };
    let Some(commands) = value("pattern").and_then(commands) else {
        return found.remarks.push(format!("line {line}: its `pattern` cannot be read, so it was left out"));
    };
    let allowed: Option<Vec<Vec<String>>> =
        commands.iter().map(|command| permissions::plain_commands(command, true)).collect();
    match allowed.filter(|_| decision == "allow") {
        Some(allowed) => found.allowed.extend(allowed.into_iter().flatten()),
        None => found.remarks.push(format!(
            "line {line}: `{}` with the decision `{decision}` has no equivalent here, so keep it in Codex, or write a `[[rule]]` about the \
             effect",
            commands.join("`, `")
        )),
    }
}

/// Returns the commands that begin with a pattern. An element may be a list of alternatives.
fn commands(pattern: &Literal) -> Option<Vec<String>> {
    let Literal::List(elements) = pattern else { return None };
    let mut commands = vec![String::new()];
    for element in elements {
        let words: Vec<&String> = match element {
            Literal::Text(word) => vec![word],
            Literal::List(words) => {
                let texts =
                    words.iter().map(|word| if let Literal::Text(word) = word { Some(word) } else { None });
                texts.collect::<Option<_>>()?
            }
            Literal::Word => return None,
        };
        // A word with a space in it is one argument, which the text of a command does not show.
        if words.iter().any(|word| word.is_empty() || word.contains(char::is_whitespace)) {
            return None;
        }
        let with = |command: &String, word: &String| match command.as_str() {
            "" => word.clone(),
            command => format!("{command} {word}"),
        };
        commands =
            commands.iter().flat_map(|command| words.iter().map(move |word| with(command, word))).collect();
        if commands.len() > MOST {
            return None;
        }
    }
    (!elements.is_empty() && !commands.is_empty()).then_some(commands)
}

/// Reads calls with literal arguments.
struct RuleParser<'t> {
    text: &'t str,
    at: usize,
}

impl RuleParser<'_> {
    fn rest(&self) -> &str {
        self.text.get(self.at..).unwrap_or_default()
    }

    fn next(&self) -> Option<char> {
        self.rest().chars().next()
    }

    fn line(&self) -> usize {
        self.text.get(..self.at).unwrap_or_default().matches('\n').count() + 1
    }

    /// Skips spaces, line breaks and comments. Returns false at the end.
    fn skip_space(&mut self) -> bool {
        while let Some(next) = self.next() {
            match next {
                '#' => self.skip_line(),
                next if next.is_whitespace() || next == ';' => self.at += next.len_utf8(),
                _ => return true,
            }
        }
        false
    }

    fn skip_line(&mut self) {
        self.at += self.rest().find('\n').map_or(self.rest().len(), |end| end + 1);
    }

    /// Skips a statement that is not understood: its line, and those that are indented or close a bracket.
    fn skip_statement(&mut self) {
        self.skip_line();
        while self.next().is_some_and(|next| matches!(next, ' ' | '\t' | ')' | ']' | '}')) {
            self.skip_line();
        }
    }

    fn takes(&mut self, wanted: char) -> bool {
        let is_there = self.skip_space() && self.next() == Some(wanted);
        if is_there {
            self.at += wanted.len_utf8();
        }
        is_there
    }

    fn word(&mut self) -> Option<String> {
        self.skip_space();
        let rest = self.rest();
        let end = rest.find(|next: char| !next.is_ascii_alphanumeric() && next != '_').unwrap_or(rest.len());
        let word = rest.get(..end).filter(|word| !word.is_empty())?.to_owned();
        self.at += end;
        Some(word)
    }

    /// Reads `name(key = value, ...)`.
    fn call(&mut self) -> Option<(String, Vec<(String, Literal)>)> {
        let name = self.word()?;
        if !self.takes('(') {
            return None;
        }
        let mut arguments = Vec::new();
        while !self.takes(')') {
            let key = self.word()?;
            if !self.takes('=') {
                return None;
            }
            arguments.push((key, self.value(0)?));
            if !self.takes(',') && !self.rest().starts_with(')') {
                return None;
            }
        }
        Some((name, arguments))
    }

    fn value(&mut self, depth: usize) -> Option<Literal> {
        self.skip_space();
        match self.next()? {
            quote @ ('"' | '\'') => self.quoted(quote).map(Literal::Text),
            '[' if depth < DEEPEST => {
                self.at += 1;
                let mut list = Vec::new();
                while !self.takes(']') {
                    list.push(self.value(depth + 1)?);
                    if !self.takes(',') && !self.rest().starts_with(']') {
                        return None;
                    }
                }
                Some(Literal::List(list))
            }
            _ => self.word().map(|_| Literal::Word),
        }
    }

    /// Reads a string in one line, with the usual escapes.
    fn quoted(&mut self, quote: char) -> Option<String> {
        let mut text = String::new();
        let mut letters = self.rest().char_indices().skip(1);
        while let Some((at, letter)) = letters.next() {
            match letter {
                '\n' => return None,
                '\\' => match letters.next()?.1 {
                    'n' => text.push('\n'),
                    't' => text.push('\t'),
                    other @ ('\\' | '"' | '\'') => text.push(other),
                    _ => return None,
                },
                letter if letter == quote => {
                    self.at += at + quote.len_utf8();
                    return Some(text);
                }
                letter => text.push(letter),
            }
        }
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn what_is_allowed_is_translated_and_the_rest_is_listed() {
        let found = read(
            "# Rules of a user.\n\
             prefix_rule(pattern = [\"git\", [\"status\", 'log']])\n\
             prefix_rule(\n    pattern = [\"ls\"],  # everywhere\n    decision = \"allow\",\n    match = [\"ls -l\", [\"ls\"]],\n)\n\
             prefix_rule(pattern=[\"git\", \"push\"], decision=\"prompt\", justification=\"it's sent\")\n\
             prefix_rule(pattern=[\"rm\"], decision=\"forbidden\")\n\
             prefix_rule(pattern=[\"bash\", \"-c\", \"a b\"])\n\
             network_rule(host = \"example.test\", decision = \"allow\")\n\
             WORDS = [\n    \"a\",\n]\n\
             prefix_rule(pattern = WORDS)\n",
        );
        assert_eq!(found.allowed, ["git status", "git status *", "git log", "git log *", "ls", "ls *"]);
        let starts = [
            "line 8: `git push`",
            "line 9: `rm`",
            "line 10: its `pattern`",
            "line 11: `network_rule`",
            "line 12 ",
            "line 15: its",
        ];
        assert_eq!(found.remarks.len(), starts.len(), "{:#?}", found.remarks);
        for (remark, start) in found.remarks.iter().zip(starts) {
            assert!(remark.starts_with(start), "{remark}");
        }
    }

    proptest! {
        #[test]
        fn any_text_can_be_read(text in any::<String>(), odd in "(prefix_rule|\\(|\\)|\\[|\\]|=|,|\"|'|#|a|\n| ){0,30}") {
            for text in [text, odd] {
                let _ = read(&text);
            }
        }
    }
}
