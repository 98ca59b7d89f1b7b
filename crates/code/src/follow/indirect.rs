//! Calls that another function makes: of a function that is passed as a value, or of an unknown one.

use super::{Args, Follower, Value, call::list_of};
use crate::{Does, Language, names::Call, value::Shape};

/// The maximum number of values of one call that are examined.
const VALUES: usize = 32;

impl Follower {
    /// `Thread(target=os.system, args=(text,))`, `register(os.system, text)`: a function that gets another function may call
    /// it with its other arguments.
    pub(super) fn call_given(&mut self, args: &Args, start: usize) {
        let all = args.list.iter().chain(args.named.iter().map(|(_, value)| value));
        let all: Vec<Value> = all.flat_map(list_of).flat_map(|value| list_of(&value)).take(VALUES).collect();
        let acting: Vec<Value> = all.iter().filter_map(|value| self.acting(value)).collect();
        if acting.is_empty() {
            return;
        }
        let list: Vec<Value> = all
            .iter()
            .filter(|value| {
                matches!(value.shape, Shape::Text(_) | Shape::OneOf(_)) && self.acting(value).is_none()
            })
            .cloned()
            .collect();
        for function in acting {
            let given = Args { list: list.clone(), named: Vec::new() };
            if !list.is_empty() {
                self.call(&function, None, None, given, start);
            }
        }
    }

    /// A value that is a function with an effect; PHP passes functions by their names.
    fn acting(&self, value: &Value) -> Option<Value> {
        let name = match &value.shape {
            Shape::Name(name) => name.clone(),
            Shape::Text(_) if self.language == Language::Php => value.constant()?,
            _ => return None,
        };
        let acts = matches!(
            self.known(&name)?,
            Call::Shell
                | Call::Run
                | Call::Words
                | Call::Spawn
                | Call::Vector(_)
                | Call::Delete(_)
                | Call::Evaluate
        );
        acts.then(|| Value::name(name))
    }

    /// Something that the program computed is called with a text.
    pub(super) fn call_unknown(&mut self, args: &Args, start: usize) {
        let span = self.span(start);
        for value in args.list.iter().flat_map(list_of).take(VALUES) {
            if let Shape::Text(text) = value.shape
                && text.lead().contains(char::is_whitespace)
            {
                self.act(Does::Indirect(text), &span);
            }
        }
    }
}
