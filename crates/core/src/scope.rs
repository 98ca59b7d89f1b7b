//! Patterns that select the tool calls of a hook.
//!
//! A pattern that cannot match what its author meant is an error when it is parsed; it never silently matches
//! nothing.

use crate::{ToolCall, ToolKind, tool::UnknownKind};
use regex_lite::{Regex, RegexBuilder};
use std::{fmt, str::FromStr};

/// A pattern for tools: `Bash`, `Edit*`, `*`, `kind:shell` or `/^mcp__.*__delete/`.
///
/// A pattern matches the canonical name or the host's own. A regular expression is not anchored.
#[derive(Clone, Debug)]
pub struct Pattern {
    text: String,
    form: Form,
}

#[derive(Clone, Debug)]
enum Form {
    Any,
    Exact,
    Prefix(String),
    Kind(ToolKind),
    /// The compiled expression and the maximum of memory it takes.
    Regex(Box<Regex>, usize),
}

/// The size limits for a compiled regular expression, in bytes. A small limit is tried first, since most expressions
/// are small; a few characters can ask for megabytes.
const SIZES: [usize; 3] = [4 * 1024, 64 * 1024, LARGEST];

const LARGEST: usize = 1024 * 1024;

/// The reason why a pattern is invalid.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum PatternError {
    /// The pattern is empty.
    #[error("the pattern is empty; write `*` for every tool")]
    Empty,
    /// `A|B` outside a regular expression.
    #[error("`{0}` contains `|`; write a list of names, or `/{0}/` for a regular expression")]
    Alternatives(String),
    /// A star that is not at the end.
    #[error("`{0}` contains `*` before its end; write `/…/` for a regular expression")]
    InnerStar(String),
    /// A character that belongs to a regular expression or to a permission rule: as a name the pattern would never
    /// match.
    #[error("`{text}` contains `{found}`, which no tool name contains; write `/…/` for a regular expression")]
    NoName {
        /// The pattern.
        text: String,
        /// The characters that no tool name contains.
        found: String,
    },
    /// `kind:` with an unknown word.
    #[error(transparent)]
    Kind(#[from] UnknownKind),
    /// The regular expression is invalid.
    #[error("`{text}` is not a regular expression: {why}")]
    Regex {
        /// The pattern.
        text: String,
        /// The error.
        why: String,
    },
    /// The regular expression takes more memory than the limit.
    #[error("`{text}` takes more than {} KiB when compiled; use fewer repetitions", limit / 1024)]
    TooLarge {
        /// The pattern.
        text: String,
        /// The limit in bytes.
        limit: usize,
    },
}

impl FromStr for Pattern {
    type Err = PatternError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        Self::within(text, usize::MAX)
    }
}

impl Pattern {
    /// Creates a pattern for exactly this name, whatever characters it has.
    pub fn exact(name: impl Into<String>) -> Self {
        Self { text: name.into(), form: Form::Exact }
    }

    /// Parses a pattern where at most `limit` bytes are left for a regular expression. An expression that takes more
    /// than a megabyte is always an error.
    pub fn within(text: &str, limit: usize) -> Result<Self, PatternError> {
        let form = if text.is_empty() {
            return Err(PatternError::Empty);
        } else if text == "*" {
            Form::Any
        } else if let Some(kind) = text.strip_prefix("kind:") {
            Form::Kind(kind.parse()?)
        } else if let Some(regex) = text.strip_prefix('/').and_then(|rest| rest.strip_suffix('/')) {
            if regex.is_empty() {
                return Err(PatternError::Empty);
            }
            compiled(text, regex, limit)?
        } else if text.contains('|') {
            return Err(PatternError::Alternatives(text.to_owned()));
        } else if let Some(found) = no_name(text) {
            return Err(PatternError::NoName { text: text.to_owned(), found: found.to_owned() });
        } else if let Some(prefix) = text.strip_suffix('*') {
            if prefix.contains('*') {
                return Err(PatternError::InnerStar(text.to_owned()));
            }
            Form::Prefix(prefix.to_owned())
        } else if text.contains('*') {
            return Err(PatternError::InnerStar(text.to_owned()));
        } else {
            Form::Exact
        };
        Ok(Self { text: text.to_owned(), form })
    }
}

/// Compiles a regular expression with the smallest of [`SIZES`] that it fits into.
fn compiled(text: &str, regex: &str, limit: usize) -> Result<Form, PatternError> {
    let mut refused = PatternError::TooLarge { text: text.to_owned(), limit: limit.min(LARGEST) };
    for size in SIZES.into_iter().filter(|size| *size <= limit) {
        match RegexBuilder::new(regex).size_limit(size).build() {
            Ok(regex) => return Ok(Form::Regex(Box::new(regex), size)),
            // A larger limit only helps if the size was the problem.
            Err(error) if error.to_string().contains("size limit") => {}
            Err(error) => {
                refused = PatternError::Regex { text: text.to_owned(), why: error.to_string() };
                break;
            }
        }
    }
    Err(refused)
}

/// Returns the part of a pattern that no tool name contains. `mcp__.*` is how other systems write `mcp__*`.
fn no_name(text: &str) -> Option<&str> {
    let strange = |found: &char| found.is_whitespace() || "()[]{}^$?+\\".contains(*found);
    let end = text.ends_with(".*").then_some(".*");
    end.or_else(|| text.matches(|found: char| strange(&found)).next())
}

impl Pattern {
    /// Returns the one name or `kind:` that the pattern matches, if it has that form, for an index.
    pub fn exactly(&self) -> Option<&str> {
        match self.form {
            Form::Exact | Form::Kind(_) => Some(&self.text),
            Form::Any | Form::Prefix(_) | Form::Regex(..) => None,
        }
    }

    /// Returns the maximum of bytes that the compiled pattern takes.
    pub const fn compiled_size(&self) -> usize {
        match self.form {
            Form::Regex(_, size) => size,
            Form::Any | Form::Exact | Form::Prefix(_) | Form::Kind(_) => 0,
        }
    }

    /// Returns true if the pattern matches the call.
    pub fn matches(&self, call: &ToolCall) -> bool {
        let name_fits =
            |fits: &dyn Fn(&str) -> bool| fits(&call.name) || call.host_name.as_deref().is_some_and(fits);
        match &self.form {
            Form::Any => true,
            Form::Exact => name_fits(&|name| name == self.text),
            Form::Prefix(prefix) => name_fits(&|name| name.starts_with(prefix.as_str())),
            Form::Kind(kind) => call.kind == *kind,
            Form::Regex(regex, _) => name_fits(&|name| regex.is_match(name)),
        }
    }
}

impl fmt::Display for Pattern {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&self.text)
    }
}

impl PartialEq for Pattern {
    fn eq(&self, other: &Self) -> bool {
        self.text == other.text
    }
}

/// The calls that a hook is called for: all, only some, all except some, or only some except others.
///
/// An event that is not about a tool is matched by `all` and by a bare `except`, never by `only`.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Scope {
    only: Option<Vec<Pattern>>,
    except: Vec<Pattern>,
}

impl Scope {
    /// Creates a scope that covers every event.
    pub fn all() -> Self {
        Self::default()
    }

    /// Creates a scope that covers only calls that one of these patterns matches.
    pub fn only(patterns: impl Into<Vec<Pattern>>) -> Self {
        Self { only: Some(patterns.into()), except: Vec::new() }
    }

    /// Excludes the calls that one of these patterns matches.
    #[must_use]
    pub fn except(mut self, patterns: impl IntoIterator<Item = Pattern>) -> Self {
        self.except.extend(patterns);
        self
    }

    /// Returns the patterns; if there are any, one of them must match.
    pub fn tools(&self) -> Option<&[Pattern]> {
        self.only.as_deref()
    }

    /// Returns the patterns that must not match.
    pub fn exceptions(&self) -> &[Pattern] {
        &self.except
    }

    /// Returns true if the scope covers an event about `call`, or about no tool.
    pub fn covers(&self, call: Option<&ToolCall>) -> bool {
        let hit = |patterns: &[Pattern]| {
            call.is_some_and(|call| patterns.iter().any(|pattern| pattern.matches(call)))
        };
        self.only.as_deref().is_none_or(hit) && !hit(&self.except)
    }
}

impl fmt::Display for Scope {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let list =
            |patterns: &[Pattern]| patterns.iter().map(Pattern::to_string).collect::<Vec<_>>().join(", ");
        f.write_str(&self.only.as_deref().map_or_else(|| "all".to_owned(), list))?;
        if self.except.is_empty() { Ok(()) } else { write!(f, " except {}", list(&self.except)) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Map;

    fn patterns(texts: &[&str]) -> Vec<Pattern> {
        texts.iter().map(|text| text.parse().unwrap()).collect()
    }

    #[test]
    fn forms() {
        let mut call = ToolCall::new("Bash", Map::new());
        call.host_name = Some("run_shell_command".into());
        for (pattern, expected) in [
            ("Bash", true),
            ("bash", false),
            ("Bas", false),
            ("Ba*", true),
            ("*", true),
            ("run_shell_command", true),
            ("run_*", true),
            ("kind:shell", true),
            ("kind:read", false),
            ("/^B.sh$/", true),
            ("/shell/", true),
            ("/^shell/", false),
        ] {
            assert_eq!(pattern.parse::<Pattern>().unwrap().matches(&call), expected, "{pattern}");
        }
    }

    #[test]
    fn patterns_that_cannot_match_are_refused() {
        for (pattern, message) in [
            ("", "the pattern is empty; write `*` for every tool"),
            ("//", "the pattern is empty; write `*` for every tool"),
            (
                "Edit|Write",
                "`Edit|Write` contains `|`; write a list of names, or `/Edit|Write/` for a regular expression",
            ),
            ("*Edit", "`*Edit` contains `*` before its end; write `/…/` for a regular expression"),
            ("a*b*", "`a*b*` contains `*` before its end; write `/…/` for a regular expression"),
            (
                "mcp__.*",
                "`mcp__.*` contains `.*`, which no tool name contains; write `/…/` for a regular expression",
            ),
            (
                "Bash ",
                "`Bash ` contains ` `, which no tool name contains; write `/…/` for a regular expression",
            ),
            (
                "Bash(git:*)",
                "`Bash(git:*)` contains `(`, which no tool name contains; write `/…/` for a regular expression",
            ),
            ("kind:shel", "unknown kind of tool `shel`, did you mean `shell`?"),
        ] {
            assert_eq!(pattern.parse::<Pattern>().unwrap_err().to_string(), message);
        }
        assert!(
            "/(/"
                .parse::<Pattern>()
                .unwrap_err()
                .to_string()
                .starts_with("`/(/` is not a regular expression")
        );
    }

    #[test]
    fn a_regular_expression_takes_no_more_than_the_limit() {
        let size = |text: &str, limit| Pattern::within(text, limit).map(|pattern| pattern.compiled_size());
        assert_eq!(size("/^mcp__.*__delete/", usize::MAX), Ok(4 * 1024));
        assert_eq!(size("Bash", 0), Ok(0));
        assert_eq!(size(r"/(\w{50}){100}/", usize::MAX), Ok(1024 * 1024));
        let large = |limit| PatternError::TooLarge { text: r"/(\w{50}){100}/".into(), limit };
        assert_eq!(size(r"/(\w{50}){100}/", 64 * 1024), Err(large(64 * 1024)));
        assert_eq!(size("/a/", 100), Err(PatternError::TooLarge { text: "/a/".into(), limit: 100 }));
        let huge = r"/((\w{100}){100}){100}/".parse::<Pattern>().unwrap_err();
        assert!(huge.to_string().contains("takes more than 1024 KiB"), "{huge}");
        assert!(matches!(size("/(/", usize::MAX), Err(PatternError::Regex { .. })));
    }

    #[test]
    fn only_and_except_combine() {
        let scope = Scope::only(patterns(&["Write", "Edit*"])).except(patterns(&["EditDraft"]));
        let covers = |name: &str| scope.covers(Some(&ToolCall::new(name, Map::new())));
        assert!(covers("Write") && covers("EditFile") && !covers("EditDraft") && !covers("Read"));
        assert!(!scope.covers(None));
        assert!(Scope::all().covers(None));
        assert!(Scope::all().except(patterns(&["Bash"])).covers(None));
        assert_eq!(scope.to_string(), "Write, Edit* except EditDraft");
    }
}
