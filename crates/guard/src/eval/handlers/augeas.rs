//! `augtool`: an editor of settings, whose commands name a file and a place in it as one path.

use crate::{
    eval::{Evaluator, Frame, flow::Flow, handlers::Call},
    path::LinkPolicy,
    program::Role,
    qualities::{Qualities, qualities},
    vocabulary::{Action, Modifier, Taint},
    world::FileKind,
};
use checkrein_shell::Word;

/// Commands that change what is at their first path, or at both.
const CHANGES: [&str; 14] = [
    "set",
    "setm",
    "rm",
    "clear",
    "clearm",
    "touch",
    "ins",
    "insert",
    "mv",
    "move",
    "cp",
    "rename",
    "store",
    "text_store",
];
/// Files are below this node.
const FILES: &str = "/files";
/// The maximum number of commands that are followed.
const COMMANDS: usize = 128;

/// Follows `augtool`.
pub(in crate::eval) fn augtool(evaluator: &mut Evaluator<'_>, call: &Call<'_>, frame: &mut Frame) -> Flow {
    let parsed = call.parsed;
    // A command in the words, in a file, or on the lines of its input.
    let told: Vec<&Word> = parsed.operands.iter().collect();
    if !told.is_empty() {
        let words: Vec<String> = told.iter().flat_map(|word| evaluator.texts(word)).collect();
        evaluator.change_tree(&words, frame);
        return Flow::default();
    }
    let file = parsed.roles.iter().find(|(role, _)| *role == Role::Read).map(|(_, word)| word);
    let input = match file {
        Some(file) => evaluator.content_of(file, frame),
        None => frame.stdin.clone(),
    };
    match &input.text {
        Some(text) => {
            for line in text.lines().take(COMMANDS) {
                let words: Vec<String> = line.split_whitespace().map(str::to_owned).collect();
                evaluator.change_tree(&words, frame);
            }
        }
        None if file.is_some() || input.qualities.has(Taint::Computed) => {
            let home = Word::text(&evaluator.home.clone(), 0..0);
            evaluator.emit_arrives_in(&home, Qualities::NONE, frame);
        }
        None => {}
    }
    Flow::default()
}

impl Evaluator<'_> {
    /// One command: the paths after it are those of nodes.
    fn change_tree(&mut self, words: &[String], frame: &Frame) {
        let Some((command, rest)) = words.split_first() else { return };
        if !CHANGES.contains(&command.as_str()) {
            return;
        }
        for path in rest.iter().filter_map(|word| word.trim_matches(['"', '\'']).strip_prefix(FILES)) {
            let file = self.file_of_node(path, frame);
            let word = Word::text(&file, 0..0);
            self.emit_path(Action::Append, &word, qualities![Modifier::InPlace], frame);
        }
    }

    /// The file in the path of a node: as much of it as is a file, or all of it.
    fn file_of_node(&self, path: &str, frame: &Frame) -> String {
        let ends = path.match_indices('/').map(|(at, _)| at).skip(1).chain([path.len()]);
        for end in ends {
            let start = path.get(..end).unwrap_or_default();
            let spots = self.places(&Word::text(start, 0..0), LinkPolicy::Follow, frame);
            if spots.iter().any(|(spot, _)| self.world.entry(&spot.path) == Some(FileKind::File)) {
                return start.to_owned();
            }
        }
        // Nodes of files have an ending more often than directories.
        let mut file = String::new();
        for step in path.split('/').skip(1) {
            file.push('/');
            file.push_str(step);
            if step.trim_start_matches('.').contains('.') {
                break;
            }
        }
        file
    }
}
