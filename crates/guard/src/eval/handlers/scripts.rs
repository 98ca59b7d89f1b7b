//! Programs that run commands from a project's own files: `make` with its file, `npm run` with the scripts of a package.
//! If the call itself wrote that file, its commands are followed.

use crate::data::{RUN_JUSTFILES, RUN_MAKEFILES};
use crate::{
    eval::{Evaluator, Frame, flow::Flow, handlers::Call, installed, run_files::RunBy},
    path::LinkPolicy,
    program::{ParseFlag, Parsed, Role},
    qualities::qualities,
    vocabulary::Modifier,
};
use checkrein_code::{Language, Started};
use checkrein_shell::Word;

/// The file of a package.
const PACKAGE: &str = "package.json";
/// The maximum number of scripts of a package that are followed.
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

/// Follows `just`: its recipes are those of `make`, indented with spaces.
pub(in crate::eval) fn just(evaluator: &mut Evaluator<'_>, call: &Call<'_>, frame: &mut Frame) -> Flow {
    let parsed = call.parsed;
    let rest = call.rest();
    let quiet = qualities![ParseFlag::Help, Modifier::Lists, Modifier::DryRun];
    if !parsed.qualities.has_any(quiet) && parsed.command.is_empty() {
        evaluator.record_justfile(&parsed.operands, frame);
        let goals: Vec<String> = parsed.operands.iter().filter_map(Word::constant).map(Into::into).collect();
        // The file that it is given, or the one that it finds.
        let given: Vec<&Word> =
            parsed.roles.iter().filter(|(role, _)| *role == Role::Recipe).map(|(_, word)| word).collect();
        let texts: Vec<String> = if given.is_empty() {
            RUN_JUSTFILES.iter().filter_map(|name| evaluator.written_content(name, frame)).collect()
        } else {
            given.iter().filter_map(|word| evaluator.content_of(word, frame).text).collect()
        };
        for text in texts {
            let text = wanted(&recipes(&text), &goals);
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
    let name = match parsed.program.name.items() {
        [_, "run" | "run-script"] => parsed.operands.first().and_then(Word::constant).map(String::from),
        [_, "t"] => Some("test".to_owned()),
        [.., name] => Some((*name).to_owned()),
        [] => None,
    };
    if let Some(name) = name {
        let given = given_to_script(parsed.program.name.first().copied(), &name, rest);
        let scripts = PackageScripts { names: vec![name], installs: false };
        evaluator.follow_package(scripts, &given, &inner);
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
        for name in RUN_MAKEFILES {
            if let Some(text) = self.written_content(name, frame) {
                let text = wanted(&text, &goals);
                self.program_content(Language::Make, &Flow::text(text), &Started::default(), frame);
            }
        }
    }

    /// A script of the package on disk that starts an agent is given the words after its name.
    fn agents_of_package(&mut self, parsed: &Parsed, frame: &Frame) {
        let Some((name, given)) = parsed.operands.split_first() else { return };
        let package = self.on_disk(&Word::text(PACKAGE, 0..0), frame).unwrap_or_default();
        let scripts = scripts_of(&package);
        let script = scripts.iter().find(|script| name.constant().as_deref() == Some(&script.name));
        let Some(PackageScript { text: script, .. }) = script else { return };
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

    /// Follows what package managers run from a package that the call wrote, other than by `run`, and what they write
    /// into one.
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
        let installs = words.iter().any(|word| INSTALLS.contains(&word.as_str())) || words.is_empty();
        // `yarn NAME`: the rest is for the script.
        let given = if installs { &[] } else { rest.get(1..).unwrap_or_default() };
        self.follow_package(PackageScripts { names: words, installs }, given, &inner);
    }

    /// The scripts of a package that run: those of a file that the call wrote, or else of the one on the disk.
    /// `given`: what the script that is named is given.
    fn follow_package(&mut self, scripts: PackageScripts, given: &[Word], frame: &Frame) {
        let Some(text) = self.written_content(PACKAGE, frame) else {
            self.record_run(&Word::text(PACKAGE, 0..0), RunBy::Package(scripts), given, frame);
            return;
        };
        for script in scripts.of(&text) {
            self.follow_package_script(&script, given, frame);
        }
    }

    /// Follows a script of a package. Its arguments are put behind its text, so that they belong to its last command.
    pub(in crate::eval) fn follow_package_script(
        &mut self,
        script: &RunScript,
        given: &[Word],
        frame: &Frame,
    ) {
        self.follow_text(&script.text, frame);
        if given.is_empty() || !script.is_named {
            return;
        }
        let last = crate::read(&script.text, &checkrein_shell::ShellEnv::default()).commands.pop();
        if let Some(last) = last {
            let words: Vec<Word> = last.words.iter().chain(given).cloned().collect();
            self.follow_argv(&words, frame);
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

    /// Returns what the call itself wrote to a file.
    fn written_content(&self, name: &str, frame: &Frame) -> Option<String> {
        let word = Word::text(name, 0..0);
        let places = self.places(&word, LinkPolicy::Follow, frame);
        places.iter().find_map(|(spot, _)| self.session.files.get(&spot.path)?.flow.text.clone())
    }
}

/// The scripts of a package that run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(in crate::eval) struct PackageScripts {
    /// Those with these names, and the ones before and after them.
    names: Vec<String>,
    /// Those that run when the package is installed.
    installs: bool,
}

impl PackageScripts {
    /// The scripts of a package that run.
    pub(in crate::eval) fn of(&self, package: &str) -> Vec<RunScript> {
        let named = |script: &str| self.names.iter().any(|name| name == script);
        let runs = |script: &str| {
            let around = script.strip_prefix("pre").or(script.strip_prefix("post"));
            named(script) || around.is_some_and(named) || self.installs && LIFECYCLE.contains(&script)
        };
        let all = scripts_of(package).into_iter().filter(|script| runs(&script.name));
        let run = |script: PackageScript| RunScript {
            is_named: named(&script.name),
            at: script.at,
            text: script.text,
        };
        all.map(run).collect()
    }
}

/// A script that runs.
pub(in crate::eval) struct RunScript {
    /// Its text.
    text: String,
    /// The start of its text in the file.
    pub(in crate::eval) at: usize,
    /// The script is the one that the command names, not one that runs before or after it.
    is_named: bool,
}

/// Returns the words that a script is given: all behind its name, and from npm the options only behind `--`.
fn given_to_script(manager: Option<&str>, name: &str, rest: &[Word]) -> Vec<Word> {
    let behind = rest.iter().position(|word| word.constant().as_deref() == Some(name)).map_or(0, |at| at + 1);
    let words = rest.get(behind..).unwrap_or_default();
    let end = words.iter().position(|word| word.constant().as_deref() == Some("--")).unwrap_or(words.len());
    let (before, after) = words.split_at_checked(end).unwrap_or((words, &[]));
    let is_given = |word: &&Word| manager != Some("npm") || !word.lead().starts_with('-');
    before.iter().filter(is_given).chain(after.iter().skip(1)).cloned().collect()
}

/// A script of a package.
struct PackageScript {
    name: String,
    text: String,
    /// The start of its text.
    at: usize,
}

/// The texts in the object `scripts` of a package. It is read as far as it goes: a text that is not whole runs nothing.
fn scripts_of(text: &str) -> Vec<PackageScript> {
    let Some((_, rest)) = text.split_once("\"scripts\"") else { return Vec::new() };
    let Some((_, rest)) = rest.split_once('{') else { return Vec::new() };
    let mut strings = Vec::new();
    let mut chars = rest.chars();
    while let Some(char) = chars.next() {
        match char {
            '}' => break,
            '"' => {
                let at = text.len() - chars.as_str().len();
                strings.push((at, string(&mut chars)));
            }
            _ => {}
        }
        if strings.len() >= 2 * SCRIPTS {
            break;
        }
    }
    // Names and texts, one after the other.
    let mut strings = strings.into_iter();
    let next = || {
        let ((_, name), (at, text)) = (strings.next()?, strings.next()?);
        Some(PackageScript { name, text, at })
    };
    std::iter::from_fn(next).collect()
}

/// The recipes of `just` as rules of `make`, line for line: `{{name}}` is `$(name)` there, and `$` is one of the shell.
pub(in crate::eval) fn recipes(text: &str) -> String {
    let line = |line: &str| {
        let Some(recipe) = line.strip_prefix([' ', '\t']) else { return header(line) };
        let command = recipe.trim_start().replace('$', "$$").replace("{{", "$(").replace("}}", ")");
        format!("\t{}", command.replace("$( ", "$(").replace(" )", ")"))
    };
    text.lines().map(line).collect::<Vec<_>>().join("\n")
}

/// A line of `just` that is not a command: a variable, or a recipe with its parameters.
fn header(line: &str) -> String {
    if let Some((name, value)) = line.split_once(":=") {
        return format!("{} := {}", name.trim(), value.trim().trim_matches(['"', '\'']));
    }
    match line.split_once(':') {
        Some((recipe, needs)) if !line.starts_with(['#', '[']) => {
            let name = recipe.split_whitespace().next().unwrap_or_default().trim_start_matches('@');
            format!("{name}:{needs}")
        }
        _ => line.to_owned(),
    }
}

/// The rules of a makefile that a call of `make` leads to: those of its goals, or of the first, and what these need. All other
/// lines are empty, so that each line stays where it is.
pub(in crate::eval) fn wanted(text: &str, goals: &[String]) -> String {
    let mut blocks: Vec<Block<'_>> = Vec::new();
    // The rule that each line belongs to.
    let mut owners: Vec<(&str, Option<usize>)> = Vec::new();
    for line in text.lines() {
        let recipe = line.starts_with('\t');
        let rule = line
            .split_once(':')
            .filter(|(_, rest)| !recipe && !rest.starts_with('=') && !line.starts_with('#'))
            .filter(|(targets, _)| !targets.contains('='));
        if let Some((targets, rest)) = rule {
            let needs = rest.split(';').next().unwrap_or_default();
            blocks.push(Block {
                targets: targets.split_whitespace().collect(),
                needs: needs.split_whitespace().collect(),
            });
        }
        let owned = rule.is_some() || recipe;
        owners.push((line, blocks.len().checked_sub(1).filter(|_| owned)));
    }
    let first =
        blocks.iter().flat_map(|block| &block.targets).find(|target| !target.starts_with('.')).copied();
    let mut names: Vec<&str> = if goals.is_empty() {
        first.into_iter().collect()
    } else {
        goals.iter().map(String::as_str).collect()
    };
    let mut place = 0;
    while let Some(name) = names.get(place).copied() {
        for need in blocks.iter().filter(|block| block.targets.contains(&name)).flat_map(|block| &block.needs)
        {
            if !names.contains(need) && names.len() < 256 {
                names.push(need);
            }
        }
        place += 1;
    }
    let is_wanted = |place: usize| {
        let targets = blocks.get(place).map(|block| block.targets.as_slice()).unwrap_or_default();
        targets.iter().any(|target| names.contains(target) || target.contains('%'))
    };
    let kept = owners.iter().map(|(line, owner)| if owner.is_none_or(is_wanted) { line } else { "" });
    kept.collect::<Vec<_>>().join("\n")
}

/// A rule of a makefile.
struct Block<'a> {
    targets: Vec<&'a str>,
    needs: Vec<&'a str>,
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
