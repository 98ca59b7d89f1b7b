//! Cuts a text into statements and puts their meanings together: where a statement ends, which part of the text is only the
//! body of a routine that is stored and not run, and what a `ROLLBACK` at the end takes back.

use super::client::Client;
use super::token::{Kind, Token, tokens};
use super::{Object, Scope, Statement, client_commands, names, statement};
use std::cell::Cell;

/// The depth to which texts are followed inside texts: a procedure that runs a text that prepares a text.
const MAX_DEPTH: usize = 6;

/// The number of bytes that are read in all, with texts inside texts. Each can be met more than once: as prepared, as executed, as the
/// possible value of a variable.
const MAX_BYTES: usize = 8 * super::MAX_TEXT;

/// The rest of the bounds.
#[derive(Clone, Copy)]
pub(super) struct Bounds<'b> {
    depth: usize,
    bytes: &'b Cell<usize>,
}

impl Bounds<'_> {
    /// The bounds for a text in this one.
    pub(super) fn deeper(self) -> Self {
        Self { depth: self.depth.saturating_add(1), ..self }
    }

    /// Returns whether a text of this length may still be read.
    pub(super) fn allow(self, text: &str) -> bool {
        let left = self.bytes.get().checked_sub(text.len());
        self.bytes.set(left.unwrap_or(0));
        left.is_some() && self.depth <= MAX_DEPTH
    }
}

/// The state that statements of one text share.
pub(super) struct State<'b> {
    pub(super) client: Client,
    pub(super) bounds: Bounds<'b>,
    /// The things that the text created and did not drop.
    created: Vec<(Object, String)>,
    /// Strings that a later `EXECUTE` of a variable may run.
    pub(super) texts: Vec<String>,
    /// Names of prepared statements: what they do was said where they were prepared.
    pub(super) prepared: Vec<String>,
}

impl State<'_> {
    /// Remembers that the text created this.
    pub(super) fn create(&mut self, what: Object, name: &str) {
        self.created.push((what, name.to_ascii_lowercase()));
    }

    /// The end of something, with a look at whether the same text created it.
    pub(super) fn destroy(&mut self, what: Object, names: &str, scope: Scope) -> Statement {
        let holder = match what {
            Object::Rows | Object::Column => Object::Table,
            Object::Database
            | Object::Schema
            | Object::Table
            | Object::Keys
            | Object::View
            | Object::Index
            | Object::Role
            | Object::Other => what,
        };
        let mut throwaway = !names.is_empty();
        for name in names.split(", ") {
            let lower = name.to_ascii_lowercase();
            let own = self.created.iter().rposition(|(kind, known)| *kind == holder && *known == lower);
            throwaway &= own.is_some() || names::is_throwaway(name);
            // A second drop of the name would hit another object that the first one hid.
            if let Some(own) = own.filter(|_| holder == what) {
                self.created.swap_remove(own);
            }
        }
        Statement::Destroy { what, name: names.to_owned(), scope, throwaway }
    }
}

/// The meaning of a statement for a transaction.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Verb {
    Begin,
    End,
    Rollback,
    /// Reads or changes rows.
    Rows,
    /// Anything else: some servers commit before it.
    Other,
}

struct Step {
    verb: Verb,
    found: Vec<Statement>,
}

/// Returns the effects of a text of SQL.
pub(super) fn statements(client: Client, text: &str) -> Vec<Statement> {
    nested(client, text, Bounds { depth: 0, bytes: &Cell::new(MAX_BYTES) })
}

/// Returns the effects of a text inside a text.
pub(super) fn nested(client: Client, text: &str, bounds: Bounds<'_>) -> Vec<Statement> {
    if !bounds.allow(text) {
        return vec![Statement::TooMuch];
    }
    let mut state = State { client, bounds, created: Vec::new(), texts: Vec::new(), prepared: Vec::new() };
    let mut steps = Vec::new();
    let mut statement = Body::default();
    for token in tokens(client, text) {
        match token.kind {
            Kind::Command => {
                // `\gexec` runs what the query says: its strings are the best that is known of that.
                if token.text.starts_with("\\gexec") {
                    let texts = statement.tokens.iter().filter(|token| token.kind == Kind::Text);
                    state.texts.extend(texts.map(|token| token.text.clone().into_owned()));
                    let found = statement::remembered(&mut state);
                    steps.push(Step { verb: Verb::Other, found });
                }
                let found = client_commands::meaning(client, &token.text, bounds.deeper());
                steps.push(Step { verb: Verb::Rows, found });
            }
            Kind::End if !statement.goes_on(client, &token) => {
                statement.finish(&mut state, &mut steps);
                statement = Body::default();
            }
            Kind::End | Kind::Word | Kind::Name | Kind::Text | Kind::Number | Kind::Symbol | Kind::Broken => {
                statement.push(token);
            }
        }
    }
    let is_open = statement.is_open(client);
    statement.finish(&mut state, &mut steps);
    if is_open {
        steps.push(Step { verb: Verb::Other, found: vec![Statement::Unknown] });
    }
    take_back(client, &mut steps);
    steps.into_iter().flat_map(|step| step.found).collect()
}

/// The tokens of a statement as they come.
#[derive(Default)]
struct Body<'a> {
    tokens: Vec<Token<'a>>,
    /// The number of open blocks of a routine.
    begun: usize,
}

impl<'a> Body<'a> {
    fn push(&mut self, token: Token<'a>) {
        let after_begin = self.tokens.last().is_some_and(|last| last.is("BEGIN"));
        if self.begun > 0 && token.is("CASE") || after_begin && token.is("ATOMIC") && self.is_routine() {
            self.begun = self.begun.saturating_add(1);
        } else if token.is("END") {
            self.begun = self.begun.saturating_sub(1);
        }
        self.tokens.push(token);
    }

    /// Returns whether it defines something whose body holds statements.
    fn is_routine(&self) -> bool {
        is_routine(&self.tokens)
    }

    /// Returns whether this end is one inside a body, as the client sees it.
    fn goes_on(&self, client: Client, end: &Token<'_>) -> bool {
        match client {
            Client::Postgres | Client::DuckDb => self.begun > 0,
            Client::Sqlite => {
                let is_trigger =
                    self.is_routine() && self.tokens.iter().take(3).any(|token| token.is("TRIGGER"));
                is_trigger && !self.tokens.last().is_some_and(|last| last.is("END"))
            }
            Client::SqlServer => self.is_routine() && end.text.starts_with(';'),
            Client::Oracle => {
                let is_block = self.tokens.first().is_some_and(|first| first.is_any(&["BEGIN", "DECLARE"]));
                (is_block || self.is_routine()) && end.text.starts_with(';')
            }
            // The client of MySQL cuts at every delimiter, wherever it is.
            Client::MySql
            | Client::ClickHouse
            | Client::Cassandra
            | Client::Mongo
            | Client::Redis
            | Client::Cypher => false,
        }
    }

    /// Returns whether the text ended inside a body.
    fn is_open(&self, client: Client) -> bool {
        let holds_statements =
            client == Client::Sqlite && self.tokens.iter().any(|token| token.kind == Kind::End);
        self.begun > 0 || holds_statements && !self.tokens.last().is_some_and(|last| last.is("END"))
    }

    fn finish(self, state: &mut State<'_>, steps: &mut Vec<Step>) {
        if self.tokens.is_empty() {
            return;
        }
        let verb = verb(&self.tokens);
        let mut found = statement::of(state, &self.tokens, 0);
        if self.tokens.iter().any(|token| token.kind == Kind::Broken) {
            found.push(Statement::Unknown);
        }
        steps.push(Step { verb, found });
    }
}

/// Returns whether a statement defines a routine or a trigger. Only the word in the place of the kind counts: an index may be called
/// `event`, and what follows its definition is run.
pub(super) fn is_routine(tokens: &[Token<'_>]) -> bool {
    const KINDS: [&str; 8] =
        ["TRIGGER", "FUNCTION", "PROCEDURE", "PROC", "EVENT", "RULE", "PACKAGE", "AGGREGATE"];
    const BEFORE: [&str; 9] = [
        "OR",
        "REPLACE",
        "ALTER",
        "TEMP",
        "TEMPORARY",
        "CONSTRAINT",
        "EDITIONABLE",
        "NONEDITIONABLE",
        "MATERIALIZED",
    ];
    let Some((first, rest)) = tokens.split_first() else { return false };
    let kind = rest.iter().find(|token| !token.is_any(&BEFORE));
    first.is_any(&["CREATE", "ALTER"]) && kind.is_some_and(|kind| kind.is_any(&KINDS))
}

fn verb(tokens: &[Token<'_>]) -> Verb {
    let (Some(first), second) = (tokens.first(), tokens.get(1)) else { return Verb::Other };
    const OF_TRANSACTIONS: [&str; 10] = [
        "TRANSACTION",
        "TRAN",
        "WORK",
        "ISOLATION",
        "READ",
        "DEFERRED",
        "IMMEDIATE",
        "EXCLUSIVE",
        "DEFERRABLE",
        "CONCURRENT",
    ];
    let is_bare = second.is_none_or(|second| second.is_any(&OF_TRANSACTIONS));
    if first.is_any(&["BEGIN", "START"]) && is_bare {
        Verb::Begin
    } else if first.is_any(&["ROLLBACK", "ABORT"]) && tokens.len() <= 2 && is_bare {
        Verb::Rollback
    } else if first.is_any(&["COMMIT", "END", "ROLLBACK", "ABORT"]) {
        Verb::End
    } else if first
        .is_any(&["SELECT", "INSERT", "UPDATE", "DELETE", "WITH", "REPLACE", "SHOW", "EXPLAIN", "VALUES"])
    {
        Verb::Rows
    } else {
        Verb::Other
    }
}

/// Takes back what is between a `BEGIN` and the `ROLLBACK` that ends the text, if nothing there can have ended the transaction
/// before: a definition where those commit, a file, a shell, anything unknown.
fn take_back(client: Client, steps: &mut [Step]) {
    let Some((last, before)) = steps.split_last_mut() else { return };
    if last.verb != Verb::Rollback || !client.rolls_back() {
        return;
    }
    let Some(begin) = before.iter().rposition(|step| step.verb == Verb::Begin) else { return };
    let Some(inside) = before.get_mut(begin..) else { return };
    let is_safe = inside.iter().skip(1).all(|step| {
        let may_commit = match step.verb {
            Verb::Begin | Verb::End | Verb::Rollback => true,
            Verb::Rows => false,
            Verb::Other => !client.rolls_back_definitions(),
        };
        let is_contained = step.found.iter().all(|one| match one {
            Statement::Destroy { what, .. } => *what != Object::Database,
            Statement::Change | Statement::Read | Statement::Grant => true,
            Statement::Shell(_)
            | Statement::ReadFile(_)
            | Statement::WriteFile(_)
            | Statement::Unknown
            | Statement::TooMuch => false,
        });
        !may_commit && is_contained
    });
    if !is_safe {
        return;
    }
    for one in inside.iter_mut().flat_map(|step| step.found.iter_mut()) {
        if matches!(one, Statement::Destroy { .. }) {
            *one = Statement::Change;
        }
    }
}
