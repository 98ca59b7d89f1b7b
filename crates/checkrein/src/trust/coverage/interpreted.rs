//! Coverage of interpreters: the file, the text or the module that they are handed, or their input.

use super::{Depth, Item, Look, Position, Sent, is_path};
use crate::trust::{
    programs::{Flag, Interpreter, interpreter, is_python, runs_the_project, wraps},
    uncovered::WhyNot,
};
use checkrein_guard::read;
use std::fs;

/// The maximum nesting of texts that are examined.
const DEEPEST: u8 = 4;

impl Look<'_> {
    /// Follows the words of a command that may run them. Words before an interpreter (`env`, `timeout 5`, `sudo`)
    /// lead to it.
    pub(super) fn run(&mut self, items: &[Item], sent: &Sent, depth: Depth) {
        let wraps = items.first().and_then(|item| item.value.as_deref()).is_some_and(wraps);
        let mut at = 0;
        while let Some(item) = items.get(at) {
            let is_run = wraps && item.value.as_deref().is_some_and(|value| value.contains('/'));
            match at {
                0 => {}
                _ if is_run => self.word(item, Position::Script),
                _ => self.word(item, Position::Argument),
            }
            at += 1;
            // `.` is a directory anywhere else.
            let of_the_shell = |language: &Interpreter| match language {
                Interpreter::Source | Interpreter::Eval => at == 1 || wraps,
                Interpreter::Shell | Interpreter::Other => true,
            };
            if item.value.as_deref().is_some_and(is_python) {
                at = self.python(items, at, sent, depth);
            } else if let Some(language) = item.value.as_deref().and_then(interpreter).filter(of_the_shell) {
                at = self.interpreted(items, at, language, sent, depth);
            }
        }
    }

    /// The words after an interpreter: its options, and what it runs. Returns the place of the first word after that.
    fn interpreted(
        &mut self,
        items: &[Item],
        mut at: usize,
        language: Interpreter,
        sent: &Sent,
        depth: Depth,
    ) -> usize {
        while let Some(item) = items.get(at) {
            at += 1;
            let Some(value) = item.value.as_deref() else {
                self.word(item, Position::Script);
                return at;
            };
            let next = || items.get(at).filter(|next| !next.shown.starts_with('-'));
            match language.flag(value) {
                Some(Flag::Alone) => self.word(item, Position::Argument),
                Some(Flag::Help) => return at,
                Some(Flag::Stdin) => break,
                Some(Flag::Value) => at += 1,
                Some(Flag::File) => {
                    next().into_iter().for_each(|next| self.word(next, Position::Script));
                    at += 1;
                }
                Some(Flag::Module) => {
                    next().into_iter().for_each(|next| self.module(next));
                    return at + 1;
                }
                Some(Flag::Joined(text)) => {
                    self.code(text, &item.shown);
                    return at;
                }
                Some(Flag::Text) => {
                    if let Some(next) = next() {
                        self.text(next, language, depth);
                        return at + 1;
                    }
                }
                None if language == Interpreter::Eval => {
                    self.text(item, language, depth);
                    if items.get(at).is_none() {
                        return at;
                    }
                }
                None => {
                    // `deno run x.ts`: the first word need not be the file.
                    let is_there = self.directory.join(value).symlink_metadata().is_ok();
                    let is_file = language != Interpreter::Other || is_path(value) || is_there;
                    self.word(item, if is_file { Position::Script } else { Position::Argument });
                    return at;
                }
            }
        }
        self.sent(sent, items, language, depth);
        at
    }

    /// The words after Python. What it runs without a file looks for modules in the working directory first: also for those
    /// that a module of the machine imports, so that no list of names would do. The options `-I` and `-P` end that.
    fn python(&mut self, items: &[Item], mut at: usize, sent: &Sent, depth: Depth) -> usize {
        let mut isolated = false;
        while let Some(item) = items.get(at) {
            at += 1;
            let Some(letters) = item.value.as_deref().and_then(|value| value.strip_prefix('-')) else {
                self.word(item, Position::Script);
                return at;
            };
            let letters = match letters {
                "" => break,
                "-version" | "-help" => return at,
                long if long.starts_with('-') => {
                    at += usize::from(long == "-check-hash-based-pycs");
                    continue;
                }
                letters => letters,
            };
            for (place, letter) in letters.char_indices() {
                let attached = letters.get(place + letter.len_utf8()..).filter(|rest| !rest.is_empty());
                let next = || Some(items.get(at)?.copy());
                let given = match attached {
                    Some(text) => Some(Item { value: Some(text.to_owned()), place: None, ..item.copy() }),
                    None => next(),
                };
                let after = at + usize::from(attached.is_none());
                match letter {
                    'I' | 'P' => isolated = true,
                    'h' | 'V' | '?' => return at,
                    'W' | 'X' => {
                        at = after;
                        break;
                    }
                    'c' => {
                        given.iter().for_each(|text| self.python_text(text, isolated));
                        return after;
                    }
                    'm' => {
                        given.iter().for_each(|module| self.python_module(module, isolated));
                        return after;
                    }
                    _ => {}
                }
            }
        }
        if let Sent::Text(Some(text)) = sent {
            let item = Item { value: Some(text.clone()), shown: text.clone(), place: None, is_number: false };
            self.python_text(&item, isolated);
        } else {
            if let (Sent::File(item), false) = (sent, isolated) {
                self.refuse(&item.shown, WhyNot::Modules);
            }
            self.sent(sent, items, Interpreter::Other, depth);
        }
        at
    }

    /// The options of Python in words that are left.
    pub(super) fn python_left(&mut self, words: &[String]) {
        let item = |word: &String| Item {
            value: Some(word.clone()),
            shown: word.clone(),
            place: None,
            is_number: false,
        };
        // A script is pinned, or looked at as any word.
        let takes_value = |word: &String| matches!(word.chars().last(), Some('c' | 'm' | 'W' | 'X'));
        let mut items: Vec<Item> = Vec::new();
        for word in words {
            let is_value = items.last().and_then(|item| item.value.as_ref()).is_some_and(takes_value);
            if !word.starts_with('-') && !is_value {
                break;
            }
            items.push(item(word));
        }
        let runs_text = |item: &Item| {
            item.value.as_deref().is_some_and(|word| word.starts_with('-') && word.contains(['c', 'm']))
        };
        if items.iter().any(runs_text) {
            let nothing = Sent::Text(Some(String::new()));
            self.python(&items, 0, &nothing, Depth::Inside(0));
        }
    }

    fn python_text(&mut self, item: &Item, isolated: bool) {
        let Some(text) = &item.value else { return self.refuse(&item.shown, WhyNot::OnlyTheShell) };
        self.code(text, &item.shown);
        if !isolated && imports_files(text) {
            self.refuse(&item.shown, WhyNot::Modules);
        }
    }

    fn python_module(&mut self, item: &Item, isolated: bool) {
        self.module(item);
        if !isolated {
            self.refuse(&item.shown, WhyNot::Modules);
        }
        if item.value.as_deref().is_some_and(runs_the_project) {
            self.refuse(&item.shown, WhyNot::Project);
        }
    }

    /// Follows the input of an interpreter that gets no file.
    fn sent(&mut self, sent: &Sent, items: &[Item], language: Interpreter, depth: Depth) {
        match sent {
            Sent::Text(Some(text)) if language == Interpreter::Shell => self.inside(text, depth),
            Sent::Text(Some(text)) => self.code(text, text),
            Sent::File(item) => self.word(item, Position::Script),
            Sent::Text(None) | Sent::Other => {
                let shown: Vec<&str> = items.iter().map(|item| item.shown.as_str()).collect();
                self.refuse(&shown.join(" "), WhyNot::Piped);
            }
        }
    }

    /// A text that an interpreter runs.
    fn text(&mut self, item: &Item, language: Interpreter, depth: Depth) {
        match (&item.value, language) {
            (None, _) => self.refuse(&item.shown, WhyNot::OnlyTheShell),
            (Some(text), Interpreter::Shell | Interpreter::Eval | Interpreter::Source) => {
                self.inside(text, depth);
            }
            (Some(text), Interpreter::Other) => self.code(text, &item.shown),
        }
    }

    /// A shell text in a word.
    fn inside(&mut self, text: &str, depth: Depth) {
        let level = match depth {
            Depth::Top => 1,
            Depth::Inside(level) => level + 1,
        };
        if level > DEEPEST {
            return self.refuse(text, WhyNot::Unreadable);
        }
        let script = read(text, &self.setting());
        self.script(text, &script, Depth::Inside(level));
    }

    /// A text in another language: whatever in it looks like a path is one.
    fn code(&mut self, text: &str, shown: &str) {
        let part_of_path = |c: char| c.is_alphanumeric() || "_-./+@".contains(c);
        let item = Item { value: None, shown: shown.to_owned(), place: None, is_number: false };
        for part in text.split(|c| !part_of_path(c)).filter(|part| is_path(part)) {
            self.path(part, &item, Position::Data);
        }
        self.imports(text, shown);
    }

    /// Modules that a text imports: a text has no place of its own, so that they are looked for where it runs.
    fn imports(&mut self, text: &str, shown: &str) {
        const IMPORTS: &[&str] =
            &["import", "from", "require", "require_relative", "load", "use", "__import__", "import_module"];
        for statement in text.split([';', '\n']) {
            let words = || statement.split(|c: char| !(c.is_alphanumeric() || "_./-@".contains(c)));
            if !words().any(|word| IMPORTS.contains(&word)) {
                continue;
            }
            for name in words().filter(|word| !word.is_empty() && !IMPORTS.contains(word)) {
                let is_here = self.directory.join(name).exists() && name != "." && name != "..";
                if is_here || self.is_found_by_name(name) {
                    self.refuse(shown, WhyNot::Indirect);
                } else {
                    self.absent_module(name);
                }
            }
        }
    }

    /// A module: a file or a directory of its name, in the directory in which it runs.
    fn module(&mut self, item: &Item) {
        let Some(name) = &item.value else { return self.refuse(&item.shown, WhyNot::OnlyTheShell) };
        let path = name.replace('.', "/");
        let first = path.split('/').next().unwrap_or_default();
        for place in [first.to_owned(), format!("{first}.py")] {
            match fs::symlink_metadata(self.directory.join(&place)) {
                Ok(_) => self.refuse(&item.shown, WhyNot::Indirect),
                Err(_) => self.found.absent.push(place),
            }
        }
    }
}

/// Returns true if a Python text imports something that is searched in the file system: not a part of the
/// interpreter, and not loaded before the text runs.
fn imports_files(text: &str) -> bool {
    const LOADED: &[&str] =
        &["builtins", "errno", "gc", "io", "itertools", "marshal", "os", "posix", "sys", "time"];
    text.split([';', '\n', ':']).any(|statement| {
        let mut words = statement
            .split(|c: char| !(c.is_alphanumeric() || "_.".contains(c)))
            .filter(|word| !word.is_empty());
        let is_loaded = |word: &str| LOADED.contains(&word.split('.').next().unwrap_or_default());
        match words.next() {
            Some("from") => !words.next().is_some_and(is_loaded),
            Some("import") => {
                // `import a, b as c`
                let names = statement.split(',').map(|part| {
                    let part = part.trim().strip_prefix("import ").unwrap_or(part).trim();
                    part.split_whitespace().next().unwrap_or_default()
                });
                !names.into_iter().all(is_loaded)
            }
            first => {
                let all = || first.into_iter().chain(words.clone());
                all().any(|word| word == "import" || word == "__import__" || word.ends_with("import_module"))
            }
        }
    })
}
