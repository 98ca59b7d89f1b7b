//! A place in a text that only moves forward, and only by whole characters.

/// A place in a text.
#[derive(Clone, Debug)]
pub(in crate::code) struct Cursor<'a> {
    text: &'a str,
    pub(in crate::code) at: usize,
}

impl<'a> Cursor<'a> {
    pub(in crate::code) fn new(text: &'a str) -> Self {
        Self { text, at: 0 }
    }

    pub(in crate::code) fn rest(&self) -> &'a str {
        self.text.get(self.at..).unwrap_or("")
    }

    pub(in crate::code) fn slice(&self, from: usize, to: usize) -> &'a str {
        self.text.get(from..to).unwrap_or("")
    }

    pub(in crate::code) fn peek(&self) -> Option<char> {
        self.rest().chars().next()
    }

    pub(in crate::code) fn second(&self) -> Option<char> {
        self.rest().chars().nth(1)
    }

    /// The character before.
    pub(in crate::code) fn before(&self) -> Option<char> {
        self.text.get(..self.at).and_then(|text| text.chars().next_back())
    }

    pub(in crate::code) fn bump(&mut self) -> Option<char> {
        let char = self.peek()?;
        self.at = self.at.saturating_add(char.len_utf8());
        Some(char)
    }

    pub(in crate::code) fn starts(&self, prefix: &str) -> bool {
        self.rest().starts_with(prefix)
    }

    pub(in crate::code) fn eat(&mut self, prefix: &str) -> bool {
        let found = self.starts(prefix);
        if found {
            self.at = self.at.saturating_add(prefix.len());
        }
        found
    }

    /// Where a text stands next.
    pub(in crate::code) fn find(&self, text: &str) -> Option<usize> {
        self.rest().find(text).map(|at| self.at.saturating_add(at))
    }

    pub(in crate::code) fn finish(&mut self) {
        self.at = self.text.len();
    }

    pub(in crate::code) fn skip_while(&mut self, wanted: impl Fn(char) -> bool) {
        while self.peek().is_some_and(&wanted) {
            self.bump();
        }
    }

    pub(in crate::code) fn take_while(&mut self, wanted: impl Fn(char) -> bool) -> String {
        let from = self.at;
        self.skip_while(wanted);
        self.slice(from, self.at).to_owned()
    }
}
