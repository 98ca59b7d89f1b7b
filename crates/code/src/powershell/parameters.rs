//! The parameters of a command: names may be shortened, and a comma makes a list.

use super::{Shape, Value};

include!(concat!(env!("OUT_DIR"), "/cmdlets.rs"));

/// The parameters of a command.
#[derive(Debug, Default)]
pub(super) struct Parameters {
    pub(super) list: Vec<Value>,
    named: Vec<(String, Value)>,
    switches: Vec<String>,
    /// A script block.
    pub(super) block: Option<Value>,
    /// The next value belongs to this name.
    waiting: Option<String>,
    /// After a comma: the next value belongs to the last one.
    pub(super) goes_on: bool,
    /// The last value belongs to a name.
    last_is_named: bool,
    /// As they are written, for a program that is not a command of PowerShell.
    pub(super) words: Vec<Value>,
}

impl Parameters {
    pub(super) fn name(&mut self, written: &str, given: Option<Value>) {
        let text = if given.is_some() {
            Value::text(written).then(&given.clone().unwrap_or_default())
        } else {
            Value::text(written)
        };
        self.words.push(text);
        let bare = written.trim_start_matches('-').to_lowercase();
        let (bare, glued) = match bare.split_once(':') {
            Some((bare, rest)) => (bare.to_owned(), (!rest.is_empty()).then(|| Value::text(rest))),
            None => (bare, None),
        };
        let given = given.or(glued);
        if let Some(given) = given {
            let off = matches!(&given.shape, Shape::Text(_))
                && given.constant().is_some_and(|text| text.ends_with("false"));
            let is_switch = SWITCHES.iter().any(|name| name.starts_with(bare.as_str()));
            if is_switch
                && !off
                && given.constant().is_none_or(|text| text.ends_with("true"))
                && !bare.starts_with('w')
            {
                self.switches.push(bare.clone());
            }
            self.named.push((bare, given));
            return;
        }
        // An abbreviation means a switch if it can.
        if !OTHERS.contains(&bare.as_str()) && SWITCHES.iter().any(|name| name.starts_with(bare.as_str())) {
            self.switches.push(bare);
        } else {
            self.waiting = Some(bare);
        }
    }

    pub(super) fn value(&mut self, value: Value) {
        let goes_on = std::mem::take(&mut self.goes_on);
        self.words.push(value.clone());
        let slot = match self.waiting.take() {
            Some(name) => {
                self.named.push((name, value));
                self.last_is_named = true;
                return;
            }
            None if goes_on && self.last_is_named => self.named.last_mut().map(|(_, slot)| slot),
            None if goes_on => self.list.last_mut(),
            None => None,
        };
        match slot {
            Some(slot) => {
                let old = std::mem::take(slot);
                let mut list = match old.shape {
                    Shape::List(list) => list,
                    shape => vec![Value { shape, from: old.from }],
                };
                list.push(value);
                *slot = Value::list(list);
            }
            None => {
                self.list.push(value);
                self.last_is_named = false;
            }
        }
    }

    /// A parameter by its name or an abbreviation of at least two letters.
    pub(super) fn get(&self, name: &str) -> Option<Value> {
        let is = |known: &str| known == name || known.len() >= 2 && name.starts_with(known);
        self.named.iter().find(|(known, _)| is(known)).map(|(_, value)| value.clone())
    }

    pub(super) fn switch(&self, name: &str) -> bool {
        self.switches.iter().any(|known| {
            name.starts_with(known.as_str()) || name == "recurse" && matches!(known.as_str(), "rf" | "fr")
        })
    }

    pub(super) fn first(&self, names: &[&str]) -> Option<Value> {
        names.iter().find_map(|name| self.get(name)).or_else(|| self.list.first().cloned())
    }
}
