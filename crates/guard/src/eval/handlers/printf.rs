//! `printf`: a format with its arguments.

use super::Call;
use crate::{
    eval::{
        Evaluator, Frame,
        flow::Flow,
        stdout::{unescape, unescaped},
    },
    vocabulary::Taint,
};
use checkrein_shell::{Source, Word};
use std::rc::Rc;

/// Follows `printf`.
pub(in crate::eval) fn printf(evaluator: &mut Evaluator<'_>, call: &Call<'_>, _: &mut Frame) -> Flow {
    evaluator.printf(call.rest())
}

impl Evaluator<'_> {
    pub(super) fn printf(&mut self, rest: &[Word]) -> Flow {
        if let [option, name, rest @ ..] = rest
            && option.lead() == "-v"
        {
            let flow = self.printf(rest);
            if let (Some(name), Some(scope)) = (name.constant(), self.scopes.last_mut()) {
                // An element of an array is kept with all of it.
                let name = name.split('[').next().unwrap_or_default();
                scope.variables.insert(name.to_owned(), flow);
            }
            return Flow::default();
        }
        let mut words = rest.iter().skip_while(|word| word.lead() == "--");
        let Some(format) = words.next() else { return Flow::default() };
        let arguments: Vec<Word> = words.cloned().collect();
        let qualities = arguments
            .iter()
            .fold(self.flow_of(format), |qualities, word| qualities.and(self.value_of(word).qualities));
        let filled = format.constant().and_then(|format| self.fill(&format, &arguments));
        let text = filled.as_ref().and_then(Source::constant).map(str::to_owned);
        let partial = filled.filter(|_| text.is_none()).map(Rc::new);
        let shown = text.is_none() && qualities.has(Taint::Secret);
        let qualities = if shown { qualities.with(Taint::Revealed) } else { qualities };
        Flow { text, qualities, partial, ..Flow::default() }
    }

    /// A format with its arguments, as long as there are any.
    fn fill(&self, format: &str, arguments: &[Word]) -> Option<Source> {
        let mut result = Source::default();
        let mut arguments = arguments.iter();
        loop {
            let before = arguments.len();
            let mut rest = format;
            while let Some((text, after)) = rest.split_once('%') {
                result.push_text(&unescape(text));
                let end = after.find(|char: char| char.is_ascii_alphabetic() || char == '%')?;
                let kind = after.get(end..)?.chars().next()?;
                rest = after.get(end + 1..)?;
                match kind {
                    '%' => result.push_text("%"),
                    's' | 'd' | 'i' | 'q' | 'u' | 'x' => {
                        if let Some(argument) = arguments.next() {
                            result.push_source(&self.source_of(argument));
                        }
                    }
                    'b' => {
                        if let Some(argument) = arguments.next() {
                            result.push_source(&unescaped(&self.source_of(argument)));
                        }
                    }
                    _ => return None,
                }
            }
            result.push_text(&unescape(rest));
            if arguments.len() == 0 || arguments.len() == before || result.len() > 65_536 {
                return Some(result);
            }
        }
    }
}
