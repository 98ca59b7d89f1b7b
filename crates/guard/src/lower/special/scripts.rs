//! Runners of what a project's own files say: `make` with its file, `npm run` with the scripts of a package. If the call
//! itself wrote that file, what is in it runs.

use crate::{
    code::Language,
    lower::{Context, Lowering, flow::Flow},
    path::Last,
    program::Parsed,
    vocabulary::Mark,
    word::Word,
};

/// Files that `make` reads by itself.
const MAKEFILES: [&str; 3] = ["Makefile", "makefile", "GNUmakefile"];
/// How many scripts of a package are followed.
const SCRIPTS: usize = 32;

impl Lowering<'_> {
    /// The rules that `make` finds by itself, if the call wrote them.
    pub(super) fn own_makefile(&mut self, context: &Context) {
        for name in MAKEFILES {
            if let Some(text) = self.written(name, context) {
                self.program_content(Language::Make, &Flow::text(text), context);
            }
        }
    }

    /// `npm run`, `yarn`, `pnpm`: the scripts of a package that the call wrote.
    pub(super) fn scripts(&mut self, parsed: &Parsed, rest: &[Word], context: &Context) -> Flow {
        if parsed.marks.has(Mark::Help) {
            return Flow::default();
        }
        let context = &self.in_folder(parsed, context);
        let inner = Context { stdin: Flow::default(), ..context.clone() };
        if let Some(text) = self.written("package.json", context) {
            for script in scripts_of(&text) {
                self.text(&script, &inner);
            }
        }
        self.through(rest, context)
    }

    /// What the call itself wrote to a file.
    fn written(&self, name: &str, context: &Context) -> Option<String> {
        let word = Word::text(name, 0..0);
        let places = self.places(&word, Last::Follow, context);
        places.iter().find_map(|(spot, _)| self.files.get(&spot.path)?.flow.text.clone())
    }
}

/// The texts in the object `scripts` of a package. It is read as far as it goes: a text that is not whole runs nothing.
fn scripts_of(text: &str) -> Vec<String> {
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
    strings.into_iter().skip(1).step_by(2).collect()
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
