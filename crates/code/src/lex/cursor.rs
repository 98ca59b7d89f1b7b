//! A place in a text that only moves forward, and only by whole characters.

/// A place in a text.
#[derive(Clone, Debug)]
pub(crate) struct Cursor<'a> {
    text: &'a str,
    pub(crate) at: usize,
}

impl<'a> Cursor<'a> {
    pub(crate) fn new(text: &'a str) -> Self {
        Self { text, at: 0 }
    }

    pub(crate) fn rest(&self) -> &'a str {
        self.text.get(self.at..).unwrap_or("")
    }

    pub(crate) fn slice(&self, from: usize, to: usize) -> &'a str {
        self.text.get(from..to).unwrap_or("")
    }

    pub(crate) fn peek(&self) -> Option<char> {
        self.rest().chars().next()
    }

    pub(crate) fn second(&self) -> Option<char> {
        self.rest().chars().nth(1)
    }

    /// The character before.
    pub(crate) fn before(&self) -> Option<char> {
        self.text.get(..self.at).and_then(|text| text.chars().next_back())
    }

    pub(crate) fn bump(&mut self) -> Option<char> {
        let char = self.peek()?;
        self.at = self.at.saturating_add(char.len_utf8());
        Some(char)
    }

    pub(crate) fn starts(&self, prefix: &str) -> bool {
        self.rest().starts_with(prefix)
    }

    pub(crate) fn eat(&mut self, prefix: &str) -> bool {
        let found = self.starts(prefix);
        if found {
            self.at = self.at.saturating_add(prefix.len());
        }
        found
    }

    /// Returns the next place of a text.
    pub(crate) fn find(&self, text: &str) -> Option<usize> {
        self.rest().find(text).map(|at| self.at.saturating_add(at))
    }

    pub(crate) fn finish(&mut self) {
        self.at = self.text.len();
    }

    pub(crate) fn skip_while(&mut self, wanted: impl Fn(char) -> bool) {
        while self.peek().is_some_and(&wanted) {
            self.bump();
        }
    }

    pub(crate) fn take_while(&mut self, wanted: impl Fn(char) -> bool) -> String {
        let from = self.at;
        self.skip_while(wanted);
        self.slice(from, self.at).to_owned()
    }
}
