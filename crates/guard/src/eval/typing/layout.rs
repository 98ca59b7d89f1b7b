//! Files that describe terminal windows and what is typed into each: tmuxinator, teamocil, tmuxp and the like.

use crate::{
    eval::{Evaluator, Frame, flow::Flow, handlers::Call},
    program::ParseFlag,
    program::Role,
    qualities::qualities,
    vocabulary::Modifier,
};
use checkrein_shell::Word;

/// The directories of such files that are called by their names.
const DIRECTORIES: [&str; 9] = [
    "",
    "~/.config/tmuxinator/",
    "~/.tmuxinator/",
    "~/.teamocil/",
    "~/.config/teamocil/",
    "~/.tmuxp/",
    "~/.config/tmuxp/",
    "~/.config/smug/",
    "~/.itermocil/",
];
/// Their endings.
const ENDINGS: [&str; 4] = ["", ".yml", ".yaml", ".json"];
/// Files that are read without a name.
const UNNAMED: [&str; 5] = [".tmuxinator.yml", ".tmuxp.yaml", ".teamocil.yml", ".smug.yml", "iTermocil.yml"];
/// The maximum number of lines of one that are read.
const LINES: usize = 256;

/// Follows the content of the file as typed text, if the call itself wrote it.
pub(in crate::eval) fn layout(evaluator: &mut Evaluator<'_>, call: &Call<'_>, frame: &mut Frame) -> Flow {
    let parsed = call.parsed;
    if parsed.qualities.has_any(qualities![ParseFlag::Help, Modifier::Lists]) {
        return Flow::default();
    }
    evaluator.select_terminal("layout", None);
    let given = parsed.roles.iter().filter(|(role, _)| matches!(role, Role::Read | Role::Text));
    let names: Vec<String> = given.flat_map(|(_, word)| evaluator.names_of(word)).collect();
    let unnamed = UNNAMED.iter().map(|name| (*name).to_owned());
    let named = names.iter().flat_map(|name| {
        DIRECTORIES
            .iter()
            .flat_map(move |directory| ENDINGS.iter().map(move |ending| format!("{directory}{name}{ending}")))
    });
    let files: Vec<String> = named.chain(unnamed).take(256).collect();
    let mut text = None;
    for file in files {
        let file = file.replacen('~', &evaluator.home, usize::from(file.starts_with('~')));
        text = text.or(evaluator.content_of(&Word::text(&file, 0..0), frame).text);
    }
    let Some(text) = text else {
        evaluator.type_text(&super::unknown(), false, frame);
        return Flow::default();
    };
    for line in text.lines().take(LINES) {
        // `- command`, `key: command`, `- key: command`.
        let item = line.trim().trim_start_matches("- ").trim();
        let value = item.split_once(": ").map_or(item, |(_, value)| value);
        let value = value.trim().trim_matches(['"', '\'', ',', '[', ']']);
        // Lists and objects may be in one line.
        let quoted = ['"', '\''].into_iter().flat_map(|quote| item.split(quote).skip(1).step_by(2));
        let whole = Some(value).filter(|value| !value.is_empty() && !item.ends_with(':'));
        for value in whole.into_iter().chain(quoted.filter(|text| text.contains(' '))).take(16) {
            evaluator.type_text(&Word::text(&format!("{value}\n"), 0..0), false, frame);
        }
    }
    Flow::default()
}
