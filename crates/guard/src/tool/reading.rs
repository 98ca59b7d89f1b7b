//! Reads source text that something runs: its language, and what it would do.
//!
//! A text is read whole, if it is short enough, and else in pieces, each of whole statements. What is too long, too deep or
//! too convoluted for that counts as unread, never as harmless.

use crate::{
    Action, CallContext, Certainties, Certainty, Finding, Judgement, MAX_BYTES, ShellEnv, Target, World,
    judge, judge_argv, read, work,
};
use checkrein_core::Decision;

/// The longest text that is read in pieces.
const MOST: usize = 256 * 1024;
/// The intended length of a piece.
const PIECE: usize = 8 * 1024;
/// Maximum number of commands of a shell in one text of a notebook that are looked at.
const MAGICS: usize = 64;
/// Maximum number of functions of one text that are looked into.
const FUNCTIONS: usize = 64;

/// The way in which a text is run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Language {
    /// By a shell.
    Shell,
    /// As the last word of this command.
    Program(&'static [&'static str]),
    /// By a shell with a syntax of its own; only its plain commands are understood.
    NotCoverable,
    /// In a way that is not known here: what its literals say counts.
    Foreign,
    /// By `make`; recipes may be indented with spaces, as for `just`.
    Make,
}

const PYTHON: Language = Language::Program(&["python3", "-c"]);
/// The interpreter of JavaScript outside a page.
pub(super) const NODE: Language = Language::Program(&["node", "-e"]);

/// Languages by their names, the endings of their files and their interpreters.
const LANGUAGES: &[(&[&str], Language)] = &[
    (
        &[
            "sh",
            "bash",
            "zsh",
            "ksh",
            "dash",
            "ash",
            "shell",
            "shellscript",
            "command",
            "bats",
            "envrc",
            "console",
        ],
        Language::Shell,
    ),
    (&["fish", "csh", "tcsh", "nu", "elvish", "tclsh", "expect"], Language::NotCoverable),
    (&["awk", "gawk", "mawk"], Language::Program(&["awk"])),
    (&["python", "python3", "python2", "py", "ipynb", "ipython", "pypy", "uv", "jupyter"], PYTHON),
    (&["javascript", "js", "mjs", "cjs", "jsx", "node", "nodejs", "bun", "zx"], NODE),
    (&["typescript", "ts", "mts", "cts", "tsx", "deno"], Language::Program(&["tsx", "-e"])),
    (&["ruby", "rb", "rake", "gemspec"], Language::Program(&["ruby", "-e"])),
    (&["perl", "pl", "pm"], Language::Program(&["perl", "-e"])),
    (&["php"], Language::Program(&["php", "-r"])),
    (&["lua", "luajit"], Language::Program(&["lua", "-e"])),
    (&["powershell", "pwsh", "ps1", "psm1"], Language::Program(&["pwsh", "-Command"])),
    (&["applescript", "osascript"], Language::Program(&["osascript", "-e"])),
    (&["make", "makefile", "mk", "mak", "just", "justfile"], Language::Make),
];

impl Language {
    /// The language of this name, of files with this ending, or of the interpreter at this path.
    pub(super) fn named(name: &str) -> Option<Self> {
        let name = name.rsplit('/').next().unwrap_or(name).to_ascii_lowercase();
        let stem = name.trim_end_matches(|char: char| char.is_ascii_digit() || char == '.');
        LANGUAGES
            .iter()
            .find(|(names, _)| names.contains(&name.as_str()) || !stem.is_empty() && names.contains(&stem))
            .map(|(_, language)| *language)
    }

    /// Returns the language of a file that is run.
    pub(super) fn of_file(path: &str, content: &str) -> Option<Self> {
        let name = path.rsplit(['/', '\\']).next().unwrap_or(path);
        let whole = name.trim_start_matches('.').to_ascii_lowercase();
        if matches!(
            whole.as_str(),
            "makefile" | "gnumakefile" | "bsdmakefile" | "justfile" | "envrc" | "rakefile"
        ) {
            return Self::named(if whole.ends_with("makefile") { "make" } else { &whole })
                .or_else(|| Self::named("rb"));
        }
        let ending = name.rsplit_once('.').map(|(_, ending)| ending);
        ending.and_then(Self::named).or_else(|| shebang(content))
    }

    fn judge(self, text: &str, place: &CallContext, world: &dyn World) -> Judgement {
        match self {
            Self::Shell | Self::NotCoverable | Self::Foreign => judge(text, place, world),
            Self::Program(words) => {
                let words: Vec<String> = words.iter().copied().chain([text]).map(str::to_owned).collect();
                judge_argv(&words, place, world)
            }
            Self::Make => {
                let rules: Vec<String> = text.lines().map(recipe).collect();
                let words = ["make".to_owned(), "--eval".to_owned(), rules.join("\n")];
                judge_argv(&words, place, world)
            }
        }
    }
}

/// A line of a rule: what is indented is one of its commands.
fn recipe(line: &str) -> String {
    match line.strip_prefix([' ', '\t']) {
        Some(rest) => format!("\t{}", rest.trim_start()),
        None => line.to_owned(),
    }
}

/// The language of the program that the first line of a script names, behind whatever starts it: `env -S`, `sudo`, `nice`.
/// A second such line names the program that `nix-shell` starts.
fn shebang(content: &str) -> Option<Language> {
    let lines = content.trim_start_matches('\u{feff}').lines().take(2);
    let lines: Vec<&str> = lines.map_while(|line| line.strip_prefix("#!")).collect();
    let joined = |word: &'static str| move |whole: &str| whole.strip_prefix(word).map(str::to_owned);
    let named = lines.first()?.trim_start().starts_with('/').then_some(Language::Foreign);
    let mut words = lines.iter().flat_map(|line| line.split_whitespace());
    let known = words.find_map(|word| {
        let word =
            joined("--split-string=")(word).or_else(|| joined("-S")(word)).unwrap_or_else(|| word.to_owned());
        Language::named(word.rsplit('/').next().unwrap_or(&word))
    });
    known.or(named)
}

/// Returns the shell commands between the lines of Python in a notebook: `!ls`, `x = !ls`, `%sx ls`, `%%bash`.
fn magics(text: &str) -> Vec<String> {
    const LINES: [&str; 5] = ["!", "%sx ", "%system ", "%bash ", "%sh "];
    const CELLS: [&str; 6] = ["%%bash", "%%sh", "%%zsh", "%%system", "%%sx", "%%!"];
    let text = text.trim_start_matches('\u{feff}').trim_start();
    let (first, rest) = text.split_once('\n').unwrap_or((text, ""));
    if CELLS.iter().any(|name| first.starts_with(name))
        || first.starts_with("%%script") && first.contains("sh")
    {
        return vec![rest.to_owned()];
    }
    let command = |line: &str| LINES.iter().find_map(|name| line.strip_prefix(name)).map(str::to_owned);
    let found = text.lines().filter_map(|line| {
        let line = line.trim_start();
        let assigned = || line.split_once('=').and_then(|(_, value)| command(value.trim_start()));
        // A comparison is none.
        command(line).filter(|rest| !rest.starts_with('=')).or_else(assigned)
    });
    found.map(|command| command.trim_start_matches('!').to_owned()).take(MAGICS).collect()
}

/// Maximum number of literals of a text that are looked at.
const LITERALS: usize = 200;

/// The literals of a text in a language that is not known, and those between the same brackets as one line: a program with
/// its arguments.
pub(super) fn literals(text: &str) -> Vec<String> {
    let mut found: Vec<String> = Vec::new();
    let mut groups: Vec<Vec<String>> = vec![Vec::new()];
    let mut chars = text.chars();
    while let Some(char) = chars.next().filter(|_| found.len() < LITERALS) {
        match char {
            '"' | '\'' | '`' => {
                let mut literal = String::new();
                while let Some(inner) = chars.next().filter(|inner| *inner != char) {
                    literal.push(if inner == '\\' { chars.next().unwrap_or(inner) } else { inner });
                }
                if let Some(group) = groups.last_mut() {
                    group.push(literal.clone());
                }
                found.push(literal);
            }
            '(' | '[' | '{' => groups.push(Vec::new()),
            ')' | ']' | '}' => {
                let group = groups.pop().unwrap_or_default();
                if group.len() > 1 {
                    found.push(group.join(" "));
                }
                match groups.last_mut() {
                    // A list among the arguments is a part of them.
                    Some(outer) => outer.extend(group),
                    None => groups.push(Vec::new()),
                }
            }
            // A command of an editor or a debugger: `:!ls`, `shell ls`.
            '!' => found.push(chars.as_str().lines().next().unwrap_or_default().to_owned()),
            _ => {}
        }
    }
    found.extend(
        text.lines()
            .take(LITERALS)
            .filter_map(|line| line.trim_start().strip_prefix("shell "))
            .map(str::to_owned),
    );
    found
}

/// The known facts about a text.
#[derive(Debug, Default)]
pub(super) struct Reading {
    /// The judgements of its pieces.
    pub(super) said: Vec<Judgement>,
    /// Too long, too deep or too twisted to be read.
    pub(super) too_much: bool,
    /// Broken: a quote, a bracket, a here-document without an end.
    pub(super) broken: bool,
}

impl Reading {
    /// Removes the effects on files: those of another machine, which is made anew for each run.
    pub(super) fn forget_files(&mut self) {
        for judgement in &mut self.said {
            let effects = &judgement.effects;
            let of_file = |finding: &Finding| {
                effects.get(finding.effect).is_some_and(|effect| matches!(effect.target, Target::Path(_)))
            };
            judgement.findings.retain(|finding| !of_file(finding));
        }
        (self.too_much, self.broken) = (false, false);
    }

    /// The first thing in it that would be denied when it runs, unless that depends on a value that is not known.
    pub(super) fn denied_when_run(&self) -> Option<&Finding> {
        let open = Certainties::of(&[Certainty::Unknown, Certainty::EmptyVariable]);
        let findings =
            self.said.iter().flat_map(|one| one.findings.iter().map(move |finding| (one, finding)));
        findings
            .filter(|(judgement, finding)| {
                let effect = judgement.effects.get(finding.effect);
                finding.rule.decision == Decision::Deny
                    && effect.is_some_and(|effect| !effect.certainty.has_any(open))
            })
            .map(|(_, finding)| finding)
            .next()
    }

    /// The first thing in it that would be denied, and that the text itself says.
    pub(super) fn denied(&self) -> Option<&Finding> {
        let findings =
            self.said.iter().flat_map(|one| one.findings.iter().map(move |finding| (one, finding)));
        findings
            .filter(|(judgement, finding)| {
                finding.rule.decision == Decision::Deny && is_told(judgement, finding)
            })
            .map(|(_, finding)| finding)
            .next()
    }
}

/// Reads a text in its language.
pub(super) fn reading(language: Language, text: &str, place: &CallContext, world: &dyn World) -> Reading {
    let mut found = Reading::default();
    if work::is_out() {
        return Reading { too_much: true, ..found };
    }
    if language == Language::Foreign {
        literals(text).iter().for_each(|literal| found.add(judge(literal, place, world)));
        return Reading { broken: false, too_much: false, ..found };
    }
    if language == PYTHON {
        for command in magics(text) {
            found.add(judge(&command, place, world));
        }
    }
    let Some(pieces) = pieces(language, text) else { return Reading { too_much: true, ..found } };
    for piece in pieces {
        found.add(language.judge(piece, place, world));
        if language == Language::Shell {
            found.functions(piece, place, world);
            found.broken |= !is_whole(piece);
        }
        found.too_much |= work::is_out();
        if found.too_much || found.denied().is_some() {
            break;
        }
    }
    found.broken &= language != Language::NotCoverable;
    found
}

impl Reading {
    fn add(&mut self, judgement: Judgement) {
        let opaque = |certainty: Certainty| {
            judgement
                .effects
                .iter()
                .any(|effect| effect.action == Action::Opaque && effect.certainty.has(certainty))
        };
        self.too_much |= opaque(Certainty::TooMuch);
        self.broken |= opaque(Certainty::Unreadable);
        self.said.push(judgement);
    }

    /// Judges functions that the text defines and does not call: a shell that sources it may.
    fn functions(&mut self, text: &str, place: &CallContext, world: &dyn World) {
        let script = read(text, &ShellEnv::default());
        for function in script.functions.iter().take(FUNCTIONS) {
            if work::is_out() {
                break;
            }
            if let Some(source) = text.get(function.span.clone()) {
                self.add(judge(&format!("{source}\n{}", function.name), place, world));
            }
        }
        self.too_much |= script.functions.len() > FUNCTIONS;
    }
}

/// Returns true if the finding results from the text itself, and not from what others put into it.
pub(crate) fn is_told(judgement: &Judgement, finding: &Finding) -> bool {
    let open = Certainties::of(&[
        Certainty::Unknown,
        Certainty::EmptyVariable,
        Certainty::TooMuch,
        Certainty::Unreadable,
        Certainty::AnyProgram,
    ]);
    judgement
        .effects
        .get(finding.effect)
        .is_some_and(|effect| effect.action != Action::Opaque && !effect.certainty.has_any(open))
}

/// The text in pieces that are short enough to be read; nothing, if there is no such way to cut it.
fn pieces(language: Language, text: &str) -> Option<Vec<&str>> {
    if text.len() <= MAX_BYTES / 2 {
        return Some(vec![text]);
    }
    if text.len() > MOST {
        return None;
    }
    let mut pieces = Vec::new();
    let mut rest = text;
    while !rest.is_empty() {
        let mut wanted = PIECE;
        let end = loop {
            let end = cut(language, rest, wanted);
            let piece = rest.get(..end)?;
            if work::is_out() {
                return None;
            }
            if language != Language::Shell || end == rest.len() || is_whole(piece) {
                break end;
            }
            wanted = end.max(wanted) * 2;
            if wanted > MAX_BYTES {
                return None;
            }
        };
        // What `-c` is given has to fit with the words before it.
        if end + 64 > MAX_BYTES {
            return None;
        }
        pieces.push(rest.get(..end)?);
        rest = rest.get(end..)?;
    }
    Some(pieces)
}

/// Returns the end of a piece of about this length: before a line that may start a statement.
fn cut(language: Language, text: &str, wanted: usize) -> usize {
    let mut end = 0;
    for line in text.split_inclusive('\n') {
        let begins = language == Language::Shell || !line.starts_with([' ', '\t', ')', '}', ']', '\n', '\r']);
        if end >= wanted && begins {
            return end;
        }
        end += line.len();
    }
    end
}

/// Returns true if a shell would not wait for more: a command after it is a separate one.
fn is_whole(text: &str) -> bool {
    const NEXT: &str = "checkrein_next_command";
    let script = read(&format!("{text}\n{NEXT}\n"), &ShellEnv::default());
    let last = script.commands.last();
    last.is_some_and(|last| {
        matches!(last.words.as_slice(), [word] if word.constant().as_deref() == Some(NEXT))
            && last.within.is_empty()
    })
}
