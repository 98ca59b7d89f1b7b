//! The effects of known calls on files and databases.

use super::{Args, Follower, Value};
use crate::{
    Does,
    names::{Call, Deep},
    value::{Shape, word},
};
use checkrein_shell::Word;
use std::ops::Range;

impl Follower {
    /// Writes or extends the file that the first argument names.
    pub(super) fn write_file(&mut self, call: Call, args: &Args, span: &Range<usize>) -> Value {
        let value = args.at(0);
        let append = call == Call::Append
            || args
                .list
                .iter()
                .any(|value| matches!(&value.shape, Shape::Name(name) if name == "FILE_APPEND"))
            || args
                .option("flags")
                .or(args.option("flag"))
                .is_some_and(|flags| flags.constant().is_some_and(|flags| flags.contains('a')));
        for path in self.paths(&value) {
            self.act(Does::Write { path: path.clone(), append }, span);
            if let Some(Shape::Text(text)) = args.list.get(1).map(|value| &value.shape) {
                self.act(Does::Fill { path, text: text.clone() }, span);
            }
        }
        self.environment(args.list.iter().skip(1), span);
        Value { shape: Shape::File(value.as_word()), from: Vec::new() }
    }

    /// Moves, copies or links a file.
    pub(super) fn relocate(&mut self, call: Call, args: &Args, span: &Range<usize>) -> Value {
        let (one, two) = (args.at(0), args.at(1));
        let to = self.path(two.as_word());
        for from in self.paths(&one) {
            let to = to.clone();
            let does = match call {
                Call::Move => Does::Move { from, to },
                Call::Copy => Does::Copy { from, to },
                Call::Link => Does::Link { path: to, to: from },
                _ => Does::Link { path: from, to },
            };
            self.act(does, span);
        }
        two
    }

    /// Changes the permissions of files.
    pub(super) fn change_mode(&mut self, call: Call, deep: Deep, args: &Args, span: &Range<usize>) -> Value {
        let first = matches!(call, Call::ModeFirst(_));
        let mode = mode(&args.at(usize::from(!first)));
        let paths: Vec<Value> =
            if first { args.list.iter().skip(1).cloned().collect() } else { vec![args.at(0)] };
        let paths: Vec<Word> = paths.iter().flat_map(|value| self.paths(value)).collect();
        for path in paths {
            let recursive = deep == Deep::Always;
            self.act(Does::Mode { path, mode: mode.clone(), recursive }, span);
        }
        Value::default()
    }

    /// Changes the owner of files.
    pub(super) fn change_owner(&mut self, call: Call, args: &Args, span: &Range<usize>) -> Value {
        let skip = if call == Call::OwnerLast { 2 } else { 0 };
        let take = if call == Call::OwnerLast { usize::MAX } else { 1 };
        let paths: Vec<Word> =
            args.list.iter().skip(skip).take(take).flat_map(|value| self.paths(value)).collect();
        for path in paths {
            self.act(Does::Owner { path }, span);
        }
        Value::default()
    }

    /// Fetches a URL into a file.
    pub(super) fn fetch_to(&mut self, args: &Args, span: &Range<usize>) -> Value {
        let result = self.reach(&args.at(0), &Args::default(), span);
        if let Some(path) = args.list.get(1) {
            let path = self.path(path.as_word());
            self.act(Does::Write { path, append: false }, span);
        }
        result
    }

    /// Gives a text to a database.
    pub(super) fn query(&mut self, args: &Args, span: &Range<usize>) -> Value {
        // Only a text that looks like a statement is one, since many objects have a method of this name.
        let reads = |value: &Value| -> Vec<Word> {
            let text = |value: &Value| match &value.shape {
                Shape::Text(word) if word.lead().contains(char::is_whitespace) => Some(word.clone()),
                _ => None,
            };
            match &value.shape {
                Shape::OneOf(list) => list.iter().filter_map(text).collect(),
                _ => text(value).into_iter().collect(),
            }
        };
        let texts = args.list.iter().take(2).map(reads).find(|texts| !texts.is_empty());
        for text in texts.unwrap_or_default() {
            self.act(Does::Query(text), span);
        }
        Value::unknown_from(args.list.iter())
    }
}

/// Octal digits for a number.
fn mode(value: &Value) -> Word {
    match value.number() {
        Some(number) if number >= 0 => word(&format!("{number:o}")),
        _ => value.as_word(),
    }
}
