//! The file of a plugin that registers us: the same entries as `init` writes, with a program in the plugin's own directory.
//!
//! A plugin has only the events that are always registered: it does not know what the user has configured.

use super::{
    entry::{Wanted, install},
    layout::Kind,
    recipe::Recipe,
    tree::SyntaxError,
    whole,
};

/// The path of the program in the directory of a plugin. It selects the program for the system.
pub const PLUGIN_PROGRAM: &str = "program/checkrein";

/// Returns the text of the file that registers us in a plugin. `root` is the host's notation for the directory of the plugin, such as
/// `${CLAUDE_PLUGIN_ROOT}`; a module needs none, because it knows where it is.
///
/// # Errors
///
/// If the host's layout has no such file.
pub fn plugin_file(recipe: &Recipe, root: &str) -> Result<String, SyntaxError> {
    let wanted: Vec<Wanted> =
        recipe.registered(None, &[]).map(|fired| Wanted::in_plugin(recipe, fired, root)).collect();
    match recipe.layout.kind {
        Kind::Bridge(source) => Ok(whole::module_of_plugin(recipe, source, &wanted)),
        _ => install("", recipe, &wanted).map(|installed| installed.text),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::install::{CLAUDE, CODEX, COPILOT, GEMINI, OPENCODE, PI, QWEN, entries};

    #[test]
    fn the_commands_say_nothing_of_a_version_and_are_recognised() {
        for recipe in [&CLAUDE, &CODEX, &COPILOT, &GEMINI, &QWEN] {
            let text = plugin_file(recipe, "${ROOT}").unwrap();
            let handlers = text.matches("${ROOT}/program/checkrein").count();
            assert_eq!(handlers, recipe.registered(None, &[]).count(), "{text}");
            assert!(!text.contains(env!("CARGO_PKG_VERSION")), "{text}");
            let there = text.replace("${ROOT}", "/home/dev/plugins/checkrein");
            let found = entries(&there, recipe).unwrap();
            assert_eq!(found.len(), handlers);
            assert!(found.iter().all(|entry| !entry.command.is_handmade), "{found:?}");
            assert!(found.iter().all(|entry| entry.matches_all()));
        }
    }

    #[test]
    fn a_module_starts_the_program_next_to_it_and_requires_it() {
        for recipe in [&PI, &OPENCODE] {
            let text = plugin_file(recipe, "").unwrap();
            assert!(text.contains("new URL(\"./program/checkrein\", import.meta.url)"), "{text}");
            assert!(text.contains("const ABSENT: string | undefined = undefined;"), "{text}");
            // `init` and `uninstall` leave it alone.
            assert!(entries(&text, recipe).unwrap().is_empty());
        }
    }
}
