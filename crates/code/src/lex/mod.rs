//! From text to tokens, for the languages that look alike.
//!
//! What differs between them (comments, quotes, names with sigils) is asked of `quote` and of the small tables here. The
//! lexer never fails: a literal without an end goes to the end of the text and is reported as [`Tokens::broken`].

mod cursor;
mod heredoc;
mod inside;
mod quote;

pub(super) use cursor::Cursor;

use super::Language;
use std::{collections::HashSet, ops::Range};

/// The name of `<STDIN>` and `<>` in Perl.
pub(super) const STDIN: &str = "$<STDIN>";

/// The literals of a text that are plain.
pub(super) fn literals(language: Language, source: &str) -> Vec<String> {
    let plain = |token: Token| match token.tok {
        Tok::Text(pieces) => match pieces.as_slice() {
            [Piece::Text(text)] => Some(text.clone()),
            _ => None,
        },
        _ => None,
    };
    lex(language, source).list.into_iter().filter_map(plain).collect()
}

/// A text in tokens.
#[derive(Debug, Default)]
pub(super) struct Tokens {
    pub(super) list: Vec<Token>,
    /// A literal or a document had no end: what follows its beginning was not read.
    pub(super) broken: bool,
}

#[derive(Debug)]
pub(super) struct Token {
    pub(super) tok: Tok,
    pub(super) span: Range<usize>,
    /// True if white space precedes it.
    pub(super) spaced: bool,
    /// It is the first of its line, and indented.
    pub(super) indented: bool,
    /// For an opening bracket: the index of its closing one, or the end.
    pub(super) close: usize,
}

/// The kind of a token.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Tok {
    /// A name, with its sigil; those of Perl all begin with `$`.
    Name(String),
    Number(i64),
    Text(Vec<Piece>),
    /// A text that a shell is handed: backticks, `%x()`, `qx//`.
    Shell(Vec<Piece>),
    /// `%w[…]`, `qw(…)`.
    Words(Vec<String>),
    /// `<*.c>` of Perl.
    Glob(Vec<Piece>),
    /// A pattern; with the code that it evaluates, if it does.
    Pattern(Option<Range<usize>>),
    Op(&'static str),
    /// The end of a statement.
    End,
}

/// A piece of a literal.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Piece {
    Text(String),
    /// An expression inside.
    Code(Range<usize>),
}

/// Longest first.
const OPERATORS: &[&str] = &[
    "...", "===", "!==", "**=", "||=", "&&=", "??=", "<=>", "//=", ">>>", "=>", "->", "::", "?.", "&.", "==",
    "!=", "<=", ">=", "&&", "||", "??", "+=", "-=", "*=", "/=", ".=", "%=", "|=", "<<", ">>", "..", "//",
    "**", ":=", "=~", "!~", "++", "--", "~=",
];
const SINGLE: &str = "!\"#$%&'()*+,-./:;<=>?@[\\]^_`{|}~";

/// Words that are followed by an operand, although they look like one themselves.
const BEFORE_OPERAND: &[&str] = &[
    "return",
    "if",
    "elsif",
    "unless",
    "while",
    "until",
    "and",
    "or",
    "not",
    "when",
    "in",
    "of",
    "typeof",
    "case",
    "do",
    "else",
    "split",
    "grep",
    "map",
    "join",
    "push",
    "print",
    "puts",
    "x",
    "then",
    "await",
    "yield",
    "throw",
    "new",
    "void",
    "delete",
    "instanceof",
    "lt",
    "gt",
    "eq",
    "ne",
    "getline",
    "match",
];

/// Reads a text.
pub(super) fn lex(language: Language, text: &str) -> Tokens {
    let mut lexer = Lexer {
        language,
        cursor: Cursor::new(text),
        tokens: Vec::new(),
        open: Vec::new(),
        assigned: HashSet::new(),
        resume: None,
        no_pattern_before: 0,
        no_angle_before: 0,
        broken: false,
        spaced: false,
        column: 0,
    };
    lexer.start();
    while lexer.step() {}
    lexer.finish()
}

struct Lexer<'a> {
    language: Language,
    cursor: Cursor<'a>,
    tokens: Vec<Token>,
    /// The indexes of the brackets that are open, with their kind.
    open: Vec<(usize, char)>,
    /// The names that are assigned to: they are no functions, so that a slash after them divides.
    assigned: HashSet<String>,
    /// The place to continue at after this line, past the here-documents that start in it.
    resume: Option<usize>,
    /// A pattern without an end was tried up to here.
    no_pattern_before: usize,
    /// No angle of Perl closes before this place.
    no_angle_before: usize,
    broken: bool,
    spaced: bool,
    /// Bytes of white space since the beginning of the line, if there was nothing else.
    column: usize,
}

impl Lexer<'_> {
    /// The text of a PHP file before its first tag is not a program.
    fn start(&mut self) {
        if self.language == Language::Php {
            let tag = self.cursor.find("<?php").into_iter().chain(self.cursor.find("<?=")).min();
            if let Some(at) = tag {
                self.cursor.at = at;
                self.php_tag();
            }
        }
        if self.cursor.starts("#!") {
            self.cursor.skip_while(|char| char != '\n');
        }
        self.document();
    }

    fn push(&mut self, tok: Tok, from: usize) {
        let index = self.tokens.len();
        let first = self.tokens.last().is_none_or(|token| token.tok == Tok::End);
        let indented = first && self.column > 0;
        if let Tok::Op(op) = tok {
            match op {
                "(" | "[" | "{" => self.open.push((index, op.chars().next().unwrap_or('('))),
                ")" | "]" | "}" => {
                    if let Some((at, _)) = self.open.pop()
                        && let Some(opener) = self.tokens.get_mut(at)
                    {
                        opener.close = index;
                    }
                }
                "=" => {
                    if let Some(Token { tok: Tok::Name(name), .. }) = self.tokens.last() {
                        self.assigned.insert(name.clone());
                    }
                }
                _ => {}
            }
        }
        let span = from..self.cursor.at;
        self.tokens.push(Token { tok, span, spaced: self.spaced, indented, close: usize::MAX });
        self.spaced = false;
    }

    /// Reads one token, or the text between two. Returns `false` at the end.
    fn step(&mut self) -> bool {
        let from = self.cursor.at;
        let Some(char) = self.cursor.peek() else { return false };
        if char == '\n' {
            self.newline();
        } else if char.is_whitespace() || char == '\0' {
            self.cursor.bump();
            self.spaced = true;
            if self.tokens.last().is_none_or(|token| token.tok == Tok::End) {
                self.column = self.column.saturating_add(1);
            }
        } else if char == '\\' && self.cursor.starts("\\\n") {
            self.cursor.eat("\\\n");
            self.spaced = true;
        } else if self.comment() {
            self.spaced = true;
        } else if char == ';' {
            self.cursor.bump();
            self.push(Tok::End, from);
            self.column = 0;
        } else if let Some(tok) = self.literal() {
            self.push(tok, from);
        } else if char.is_ascii_digit() {
            let number = self.number();
            self.push(Tok::Number(number), from);
        } else if let Some(name) = self.name() {
            self.push(Tok::Name(name), from);
        } else {
            let tok = self.operator();
            self.push(tok, from);
        }
        true
    }

    fn newline(&mut self) {
        let from = self.cursor.at;
        self.cursor.bump();
        if let Some(resume) = self.resume.take() {
            self.cursor.at = self.cursor.at.max(resume);
        }
        let inside =
            self.open.last().is_some_and(|(_, kind)| *kind != '{' || self.language == Language::Python);
        self.spaced = true;
        if inside {
            return;
        }
        self.push(Tok::End, from);
        self.column = 0;
        self.spaced = true;
        self.document();
    }

    /// Documents between lines: `=begin … =end`, `=pod … =cut`, and what follows the end of the program.
    fn document(&mut self) {
        let (begin, end) = match self.language {
            Language::Ruby => ("=begin", "\n=end"),
            Language::Perl => ("=", "\n=cut"),
            _ => return,
        };
        let rest = self.cursor.rest();
        let letter = rest.chars().nth(1).is_some_and(|char| char.is_ascii_alphabetic());
        if self.cursor.starts("__END__") || self.cursor.starts("__DATA__") {
            self.cursor.finish();
        } else if self.cursor.starts(begin) && letter {
            match self.cursor.find(end) {
                Some(at) => {
                    self.cursor.at = at;
                    self.cursor.eat(end);
                    self.cursor.skip_while(|char| char != '\n');
                }
                None => self.cursor.finish(),
            }
        }
    }

    fn comment(&mut self) -> bool {
        let (lines, blocks): (&[&str], &[(&str, &str)]) = match self.language {
            Language::JavaScript | Language::Go => (&["//"], &[("/*", "*/")]),
            Language::Php => (&["//", "#"], &[("/*", "*/")]),
            Language::Lua => (&["--"], &[("--[==[", "]==]"), ("--[=[", "]=]"), ("--[[", "]]")]),
            Language::Python | Language::Perl | Language::Ruby | Language::Awk => (&["#"], &[]),
            Language::Sed | Language::PowerShell | Language::AppleScript | Language::Make => (&["#"], &[]),
        };
        for (begin, end) in blocks {
            if self.cursor.eat(begin) {
                match self.cursor.find(end) {
                    Some(at) => {
                        self.cursor.at = at;
                        self.cursor.eat(end);
                    }
                    None => self.cursor.finish(),
                }
                return true;
            }
        }
        // `#[Attribute]` of PHP, and `$#list` of Perl, are no comments.
        let attribute = self.language == Language::Php && self.cursor.starts("#[");
        if !attribute && lines.iter().any(|begin| self.cursor.starts(begin)) {
            let php = self.language == Language::Php;
            while let Some(char) = self.cursor.peek() {
                if char == '\n' || php && self.cursor.starts("?>") {
                    break;
                }
                self.cursor.bump();
            }
            return true;
        }
        false
    }

    fn number(&mut self) -> i64 {
        let text = self.cursor.take_while(|char| char.is_ascii_alphanumeric() || char == '_');
        let fraction = self.cursor.peek() == Some('.')
            && self.cursor.rest().chars().nth(1).is_some_and(|char| char.is_ascii_digit());
        if fraction {
            self.cursor.bump();
            self.cursor.skip_while(|char| char.is_ascii_alphanumeric() || char == '_');
        }
        let text = text.replace('_', "").to_ascii_lowercase();
        let radix = |digits: &str, radix| i64::from_str_radix(digits, radix).unwrap_or(-1);
        if let Some(digits) = text.strip_prefix("0x") {
            radix(digits, 16)
        } else if let Some(digits) = text.strip_prefix("0o") {
            radix(digits, 8)
        } else if let Some(digits) = text.strip_prefix("0b") {
            radix(digits, 2)
        } else if text.len() > 1 && text.starts_with('0') {
            radix(&text, 8)
        } else {
            text.trim_end_matches(['n', 'l']).parse().unwrap_or(-1)
        }
    }

    fn name(&mut self) -> Option<String> {
        let char = self.cursor.peek()?;
        let next = self.cursor.rest().chars().nth(1);
        let begins = |char: char| char.is_alphabetic() || char == '_';
        let sigil = match (self.language, char) {
            (Language::Php | Language::Ruby, '$') => next.is_some_and(begins),
            (Language::Perl, '$' | '@') => {
                next.is_some_and(|next| begins(next) || "0123456789&!@/\\,;.".contains(next))
            }
            (Language::Perl, '%' | '&') => next.is_some_and(begins) && self.wants_operand(),
            (Language::Ruby, '@') => next.is_some_and(|next| begins(next) || next == '@'),
            _ => false,
        };
        if sigil {
            self.cursor.bump();
            let mut name = match char {
                '@' if self.language == Language::Perl && self.cursor.starts("_") => "@".to_owned(),
                '@' | '%' if self.language == Language::Perl => "$".to_owned(),
                '&' => String::new(),
                _ => char.to_string(),
            };
            let rest = self.cursor.take_while(|char| char.is_alphanumeric() || char == '_');
            name.push_str(&rest);
            if rest.is_empty() {
                name.extend(self.cursor.peek());
                self.cursor.bump();
            }
            return Some(name);
        }
        let dollar = self.language == Language::JavaScript;
        if !begins(char) && !(dollar && (char == '$' || char == '#')) {
            return None;
        }
        self.cursor.bump();
        let rest =
            self.cursor.take_while(|char| char.is_alphanumeric() || char == '_' || dollar && char == '$');
        let mut name = format!("{char}{rest}");
        // `empty?` and `delete!` of Ruby; not the `?` of a condition, nor a comparison.
        if self.language == Language::Ruby
            && self.cursor.peek().is_some_and(|char| char == '?' || char == '!')
            && !self.cursor.rest().chars().nth(1).is_some_and(|char| char == '=' || char == ':')
        {
            name.extend(self.cursor.peek());
            self.cursor.bump();
        }
        Some(name)
    }

    fn operator(&mut self) -> Tok {
        let longer = self.cursor.second().is_some_and(|char| "=.&|?<>*/:+-~".contains(char));
        if longer && let Some(op) = OPERATORS.iter().find(|op| self.cursor.starts(op)) {
            self.cursor.eat(op);
            return Tok::Op(op);
        }
        let Some(char) = self.cursor.bump() else { return Tok::End };
        let at = SINGLE.find(char);
        // A character that no language uses is a separator, like anything else that is not understood.
        at.and_then(|at| SINGLE.get(at..at.saturating_add(1))).map_or(Tok::Op(","), Tok::Op)
    }

    /// Returns true if an operand is expected here, rather than an operator: then a slash starts a pattern.
    fn wants_operand(&self) -> bool {
        let Some(last) = self.tokens.last() else { return true };
        match &last.tok {
            Tok::End => true,
            Tok::Op(op) => !matches!(*op, ")" | "]" | "}" | "++" | "--"),
            Tok::Name(name) => {
                let after_dot =
                    self.tokens.iter().rev().nth(1).is_some_and(|token| token.tok == Tok::Op("."));
                let commands = matches!(self.language, Language::Ruby | Language::Perl);
                let glued =
                    self.cursor.rest().chars().nth(1).is_none_or(|char| !char.is_whitespace() && char != '=');
                let call = commands
                    && self.spaced
                    && glued
                    && !name.starts_with(['$', '@'])
                    && !self.assigned.contains(name);
                let repeats = name == "x" && self.language != Language::Perl;
                !after_dot && !repeats && BEFORE_OPERAND.contains(&name.as_str()) || call
            }
            Tok::Number(_)
            | Tok::Text(_)
            | Tok::Shell(_)
            | Tok::Words(_)
            | Tok::Glob(_)
            | Tok::Pattern(_) => false,
        }
    }

    fn finish(self) -> Tokens {
        let end = self.tokens.len();
        let mut list = self.tokens;
        for (at, _) in self.open {
            if let Some(token) = list.get_mut(at) {
                token.close = end;
            }
        }
        Tokens { list, broken: self.broken }
    }
}
