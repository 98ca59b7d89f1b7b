//! Texts that a shell evaluates once more: expressions, names with a subscript, prompts.
//!
//! A subscript is expanded with the commands in it, wherever it comes from: `(( x ))` runs what the value of `x` holds between
//! brackets, and so does `[[ -v $x ]]`. What a variable may be is every value that the text gives it.

use super::{Evaluator, Frame};
use checkrein_shell::{Candidates, Evaluation, Part, Script, Unknown, UnknownSource, Word, arithmetic_names};

/// The maximum length of a chain of variables that is followed.
const STEPS: usize = 16;
/// The maximum number of values of one variable that are followed.
const VALUES: usize = 32;
/// The line that ends the text that is expanded. No real text has it.
const END: &str = "CHECKREIN_END_OF_TEXT";

/// Built-in commands that take a name and evaluate its subscript.
const NAMED: [&str; 12] = [
    "test",
    "[",
    "read",
    "printf",
    "unset",
    "mapfile",
    "readarray",
    "getopts",
    "wait",
    "export",
    "readonly",
    "local",
];
/// Those that can make a variable a number, so that its value is an expression.
const DECLARES: [&str; 2] = ["declare", "typeset"];

impl Evaluator<'_> {
    /// Follows what the shell evaluates in the text itself.
    pub(super) fn follow_evaluated(&mut self, script: &Script, frame: &Frame) {
        for evaluation in &script.evaluated {
            match evaluation {
                Evaluation::Arithmetic(word) => self.follow_arithmetic(word, frame),
                Evaluation::Prompt(word) => {
                    for text in self.some(self.texts(word), frame) {
                        self.follow_expanded(&text, frame);
                    }
                }
                Evaluation::Unknown => {
                    self.emit_too_much(frame);
                }
            }
        }
    }

    /// Follows what built-in commands evaluate in their arguments.
    pub(super) fn follow_subscripts(&mut self, name: &str, arguments: &[Word], frame: &Frame) {
        let declares = DECLARES.contains(&name);
        if name != "let" && !declares && !NAMED.contains(&name) {
            return;
        }
        let flags = |letter: char| {
            arguments.iter().any(|word| word.lead().starts_with('-') && word.lead().contains(letter))
        };
        let numbers = name == "let" || declares && flags('i');
        for word in arguments {
            if numbers {
                self.follow_arithmetic(word, frame);
                continue;
            }
            for text in self.some(self.texts(word), frame) {
                self.follow_subscript(&text, frame);
                // An array that is given as a text is read again.
                if let Some((_, value)) = text.split_once('=').filter(|(_, value)| value.starts_with('('))
                    && declares
                {
                    self.follow_text(&format!("CHECKREIN={value}"), frame);
                }
            }
        }
    }

    /// An expression, and the values of the variables in it, which are expressions, too.
    fn follow_arithmetic(&mut self, word: &Word, frame: &Frame) {
        let mut known: Vec<String> = Vec::new();
        let mut words = vec![word.clone()];
        for _ in 0..STEPS {
            let mut texts: Vec<String> = Vec::new();
            for word in std::mem::take(&mut words) {
                texts.extend(self.some(self.texts_of_expression(&word), frame));
            }
            for text in &texts {
                self.follow_subscript(text, frame);
                for name in arithmetic_names(text)
                    .into_iter()
                    .filter(|name| !known.contains(name))
                    .collect::<Vec<_>>()
                {
                    if self.sink.burn(8) && known.len() < 4 * VALUES {
                        words.push(variable(&name));
                        known.push(name);
                    }
                }
            }
            if words.is_empty() {
                return;
            }
        }
        self.emit_too_much(frame);
    }

    /// Returns as many of the texts as are followed, and reports if there are more.
    fn some(&mut self, mut texts: Vec<String>, frame: &Frame) -> Vec<String> {
        let hides = |text: &String| text.contains("$(") || text.contains('`');
        if texts.iter().skip(VALUES).any(hides) {
            self.emit_too_much(frame);
        }
        texts.truncate(VALUES);
        texts
    }

    /// The texts that an expression may be; what is not known in it is left out.
    fn texts_of_expression(&self, word: &Word) -> Vec<String> {
        let texts = self.texts(word);
        if !texts.is_empty() || word.parts.len() < 2 {
            return texts;
        }
        let known = |part: &Part| match part {
            Part::Text(text) | Part::Glob(text) => text.clone(),
            Part::Unknown(_) => " ".to_owned(),
        };
        let rest: String = word.parts.iter().map(known).collect();
        let single = word.parts.iter().filter(|part| matches!(part, Part::Unknown(_)));
        let values = single.flat_map(|part| self.texts(&Word { parts: vec![part.clone()], span: 0..0 }));
        std::iter::once(rest).chain(values).collect()
    }

    /// Follows a name or an expression: the text between brackets is expanded.
    fn follow_subscript(&mut self, text: &str, frame: &Frame) {
        if let Some(place) = text.find('[')
            && let Some(inside) = text.get(place..)
        {
            self.follow_expanded(inside, frame);
        }
    }

    /// A text that is expanded as if it stood in double quotes.
    pub(super) fn follow_expanded(&mut self, text: &str, frame: &Frame) {
        if text.contains("$(") || text.contains('`') {
            self.follow_text(&format!(": <<{END}\n{text}\n{END}\n"), frame);
        }
    }
}

/// A word that is a variable.
fn variable(name: &str) -> Word {
    let unknown = Unknown {
        why: UnknownSource::Variable(name.to_owned()),
        empty: false,
        splits: false,
        many: false,
        among: Candidates::Anything,
        made_of: None,
    };
    Word { parts: vec![Part::Unknown(unknown)], span: 0..0 }
}
