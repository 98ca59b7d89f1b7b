//! Runners of what a project's own files say: `make` with its file, `npm run` with the scripts of a package. If the call
//! itself wrote that file, what is in it runs.

use crate::{
    eval::{Evaluator, Frame, flow::Flow, handlers::Call, installed},
    path::LinkPolicy,
    program::ParseFlag,
    program::Parsed,
    qualities::qualities,
    vocabulary::Modifier,
};
use checkrein_code::{Language, Started};
use checkrein_shell::Word;

/// Files that `make` reads by itself.
const MAKEFILES: [&str; 3] = ["Makefile", "makefile", "GNUmakefile"];
/// Files that `just` reads by itself.
const JUSTFILES: [&str; 3] = ["justfile", "Justfile", ".justfile"];
/// How many scripts of a package are followed.
const SCRIPTS: usize = 32;

/// Commands that install, and so run what a package has for that.
const INSTALLS: [&str; 8] = ["install", "i", "ci", "add", "update", "rebuild", "pack", "publish"];
/// Scripts that run by themselves.
const LIFECYCLE: [&str; 8] = [
    "preinstall",
    "install",
    "postinstall",
    "prepare",
    "preprepare",
    "postprepare",
    "prepack",
    "prepublishOnly",
];

/// `just`: recipes are those of `make`, with blanks before their lines.
pub(in crate::eval) fn just(evaluator: &mut Evaluator<'_>, call: &Call<'_>, frame: &mut Frame) -> Flow {
    let parsed = call.parsed;
    let rest = call.rest();
    let quiet = qualities![ParseFlag::Help, Modifier::Lists, Modifier::DryRun];
    if !parsed.qualities.has_any(quiet) && parsed.command.is_empty() {
        let goals: Vec<String> = parsed.operands.iter().filter_map(Word::constant).map(Into::into).collect();
        for text in
            JUSTFILES.iter().filter_map(|name| evaluator.written_content(name, frame)).collect::<Vec<_>>()
        {
            let recipe = |line: &str| match line.strip_prefix([' ', '\t']) {
                Some(rest) => format!("\t{}", rest.trim_start()),
                None => line.to_owned(),
            };
            let rules: Vec<String> = text.lines().map(recipe).collect();
            let text = wanted(&rules.join("\n"), &goals);
            evaluator.program_content(Language::Make, &Flow::text(text), &Started::default(), frame);
        }
    }
    evaluator.follow_table(parsed, rest, frame)
}

/// `npm run`, `yarn`, `pnpm`: the scripts of a package that the call wrote.
pub(in crate::eval) fn scripts(evaluator: &mut Evaluator<'_>, call: &Call<'_>, frame: &mut Frame) -> Flow {
    let parsed = call.parsed;
    let rest = call.rest();
    if parsed.qualities.has(ParseFlag::Help) {
        return Flow::default();
    }
    let frame = &evaluator.in_directory(parsed, frame);
    let inner = Frame { stdin: frame.stdin.left(), ..frame.clone() };
    if let Some(text) = evaluator.written_content("package.json", frame) {
        let asked: Vec<String> =
            parsed.operands.iter().take(1).filter_map(Word::constant).map(Into::into).collect();
        let name = match parsed.program.name {
            [_, "run" | "run-script"] => asked.first().cloned(),
            [_, "t"] => Some("test".to_owned()),
            [.., name] => Some((*name).to_owned()),
            [] => None,
        };
        let runs = |script: &str| {
            name.as_deref().is_none_or(|name| {
                script == name || script.strip_prefix("pre").or(script.strip_prefix("post")) == Some(name)
            })
        };
        for (_, script) in scripts_of(&text).into_iter().filter(|(script, _)| runs(script)) {
            evaluator.follow_text(&script, &inner);
        }
    }
    evaluator.agents_of_package(parsed, &inner);
    evaluator.passthrough(rest, frame)
}

impl Evaluator<'_> {
    /// The rules that `make` finds by itself, if the call wrote them.
    pub(super) fn own_makefile(&mut self, goals: &[Word], frame: &Frame) {
        let goals: Vec<String> = goals
            .iter()
            .filter_map(Word::constant)
            .filter(|goal| !goal.contains('='))
            .map(Into::into)
            .collect();
        for name in MAKEFILES {
            if let Some(text) = self.written_content(name, frame) {
                let text = wanted(&text, &goals);
                self.program_content(Language::Make, &Flow::text(text), &Started::default(), frame);
            }
        }
    }

    /// A script of the package on disk that starts an agent is given the words after its name.
    fn agents_of_package(&mut self, parsed: &Parsed, frame: &Frame) {
        let Some((name, given)) = parsed.operands.split_first() else { return };
        let package = self.on_disk(&Word::text("package.json", 0..0), frame).unwrap_or_default();
        let scripts = scripts_of(&package);
        let script = scripts.iter().find(|(own, _)| name.constant().as_deref() == Some(own));
        let Some((_, script)) = script else { return };
        let last = crate::read(script, &checkrein_shell::ShellEnv::default()).commands.pop();
        let Some(command) = last.filter(|command| {
            let first = command.words.iter().find(|word| !word.lead().contains('=')).map(Word::lead);
            first.is_some_and(|first| installed::agent_of(first).is_some())
        }) else {
            return;
        };
        let words: Vec<Word> = command.words.iter().chain(given).cloned().collect();
        self.follow_argv(&words, frame);
    }

    /// What package managers run of a package that the call wrote, by other ways than `run`; and what they write into one.
    pub(in crate::eval) fn follow_package_scripts(&mut self, rest: &[Word], frame: &Frame) {
        let inner = Frame { stdin: frame.stdin.left(), ..frame.clone() };
        let words: Vec<String> = rest.iter().filter_map(Word::constant).map(Into::into).collect();
        if let [first, second, ..] = words.as_slice()
            && first == "pkg"
            && second == "set"
        {
            let later = Frame { qualities: inner.qualities.with(Modifier::Later), ..inner };
            for word in rest.iter().filter(|word| word.lead().starts_with("scripts.")) {
                if let Some((name, _)) = word.lead().split_once('=') {
                    self.run_text(&word.skip(name.len() + 1), &later);
                }
            }
            return;
        }
        let Some(text) = self.written_content("package.json", frame) else { return };
        let installs = words.iter().any(|word| INSTALLS.contains(&word.as_str())) || words.is_empty();
        let runs = |script: &str| {
            let named = |script: &str| words.iter().any(|word| word == script);
            let around = script.strip_prefix("pre").or(script.strip_prefix("post"));
            named(script) || around.is_some_and(named) || installs && LIFECYCLE.contains(&script)
        };
        for (_, script) in scripts_of(&text).into_iter().filter(|(script, _)| runs(script)) {
            self.follow_text(&script, &inner);
        }
    }

    /// An entry of a menu that the call wrote is opened: its command runs.
    pub(in crate::eval) fn follow_launcher(&mut self, rest: &[Word], frame: &Frame) {
        for word in rest.iter().filter(|word| word.lead().ends_with(".desktop")) {
            let Some(text) = self.content_of(word, frame).text else { continue };
            for command in text.lines().filter_map(|line| line.trim().strip_prefix("Exec")).take(8) {
                if let Some((_, command)) = command.split_once('=') {
                    self.follow_text(command, &frame.without_stdin());
                }
            }
        }
    }

    /// What the call itself wrote to a file.
    fn written_content(&self, name: &str, frame: &Frame) -> Option<String> {
        let word = Word::text(name, 0..0);
        let places = self.places(&word, LinkPolicy::Follow, frame);
        places.iter().find_map(|(spot, _)| self.session.files.get(&spot.path)?.flow.text.clone())
    }
}

/// The texts in the object `scripts` of a package. It is read as far as it goes: a text that is not whole runs nothing.
fn scripts_of(text: &str) -> Vec<(String, String)> {
    let Some((_, rest)) = text.split_once("\"scripts\"") else { return Vec::new() };
    let Some((_, rest)) = rest.split_once('{') else { return Vec::new() };
    let mut strings = Vec::new();
    let mut chars = rest.chars();
    while let Some(char) = chars.next() {
        match char {
            '}' => break,
            '"' => strings.push(string(&mut chars)),
            _ => {}
        }
        if strings.len() >= 2 * SCRIPTS {
            break;
        }
    }
    // Names and texts, one after the other.
    let mut strings = strings.into_iter();
    std::iter::from_fn(|| Some((strings.next()?, strings.next()?))).collect()
}

/// The rules of a makefile that a call of `make` leads to: those of its goals, or of the first, and what these need.
fn wanted(text: &str, goals: &[String]) -> String {
    let mut blocks: Vec<(Vec<&str>, Vec<&str>, Vec<&str>)> = Vec::new();
    let mut others = Vec::new();
    for line in text.lines() {
        let recipe = line.starts_with('\t');
        let rule = line
            .split_once(':')
            .filter(|(_, rest)| !recipe && !rest.starts_with('=') && !line.starts_with('#'));
        match (rule, blocks.last_mut()) {
            (Some((targets, rest)), _) if !targets.contains('=') => {
                let needs = rest.split(';').next().unwrap_or_default();
                blocks.push((
                    targets.split_whitespace().collect(),
                    needs.split_whitespace().collect(),
                    vec![line],
                ));
            }
            (None, Some((.., lines))) if recipe => lines.push(line),
            _ => others.push(line),
        }
    }
    let first =
        blocks.iter().flat_map(|(targets, ..)| targets).find(|target| !target.starts_with('.')).copied();
    let mut names: Vec<&str> = if goals.is_empty() {
        first.into_iter().collect()
    } else {
        goals.iter().map(String::as_str).collect()
    };
    let mut place = 0;
    while let Some(name) = names.get(place).copied() {
        for (_, needs, _) in blocks.iter().filter(|(targets, ..)| targets.contains(&name)) {
            for need in needs {
                if !names.contains(need) && names.len() < 256 {
                    names.push(need);
                }
            }
        }
        place += 1;
    }
    let is_wanted =
        |targets: &[&str]| targets.iter().any(|target| names.contains(target) || target.contains('%'));
    let kept = blocks
        .iter()
        .filter(|(targets, ..)| is_wanted(targets))
        .flat_map(|(.., lines)| lines.iter().copied());
    others.into_iter().chain(kept).collect::<Vec<_>>().join("\n")
}

/// The rest of a string of JSON.
fn string(chars: &mut std::str::Chars<'_>) -> String {
    let mut text = String::new();
    while let Some(char) = chars.next() {
        match char {
            '"' => break,
            '\\' => match chars.next() {
                Some('n') => text.push('\n'),
                Some('t') => text.push('\t'),
                Some('u') => {
                    let code: String = chars.by_ref().take(4).collect();
                    text.extend(u32::from_str_radix(&code, 16).ok().and_then(char::from_u32));
                }
                Some(other) => text.push(other),
                None => break,
            },
            char => text.push(char),
        }
    }
    text
}
