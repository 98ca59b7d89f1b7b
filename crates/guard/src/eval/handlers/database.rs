//! Clients of databases.

use crate::{
    effect::Target,
    eval::{Evaluator, Frame, flow::Flow, handlers::Call, network},
    path::LinkPolicy,
    program::ParseFlag,
    program::{Role, environment},
    qualities::{Qualities, qualities},
    vocabulary::{Action, Domain, Environment, Modifier, Tag, Taint, Zone},
};
use checkrein_shell::{Source, Word};
use checkrein_sql::{self as sql, Client, Object, Scope, Statement};

/// Follows `database`.
pub(in crate::eval) fn database(evaluator: &mut Evaluator<'_>, call: &Call<'_>, frame: &mut Frame) -> Flow {
    let parsed = call.parsed;
    let words = call.words;
    let (Some(name), rest) = (words.first(), words.get(1..).unwrap_or_default()) else {
        return Flow::default();
    };
    let name = evaluator.names_of(name).into_iter().next().unwrap_or_default();
    let base = name.rsplit('/').next().unwrap_or_default();
    let Some(client) = Client::of(base) else { return evaluator.passthrough(rest, frame) };
    let invocation = sql::text_of(client, rest);
    let scratch = invocation.database.as_ref().is_some_and(|database| evaluator.is_scratch(database, frame));
    // A database in memory is not the only one if the text also opens another.
    let opens = |text: &Word| {
        let found = sql::statements_of(client, &evaluator.source_of(text));
        found.iter().any(|statement| {
            matches!(statement, Statement::ReadFile(file)
                if found.contains(&Statement::WriteFile(file.clone())) && !evaluator.is_scratch(&Word::text(file, 0..0), frame))
        })
    };
    let scratch = scratch && !invocation.texts.iter().any(opens);
    let scratch = scratch || evaluator.session.own_database && is_for_this_machine(rest);
    let far = !is_for_this_machine(rest) || frame.qualities.has(Environment::Elsewhere);
    let qualities =
        if scratch { qualities![Environment::Throwaway] } else { Qualities::NONE }.and(parsed.qualities);
    let qualities = if far { qualities.with(Environment::Remote) } else { qualities };
    for text in &invocation.texts {
        evaluator.statement(client, text, qualities, frame);
    }
    for file in &invocation.files {
        if let Some(text) = evaluator.kept_statements(file, frame) {
            evaluator.statements(client, &sql::statements_of_file(client, text.text()), qualities, frame);
        }
    }
    if invocation.reads_stdin {
        evaluator.consume_typed(&frame.stdin, frame);
    }
    if invocation.reads_stdin
        && let Some(text) = evaluator.typed_statements(frame)
    {
        evaluator.statements(client, &sql::statements_of(client, &text), qualities, frame);
    }
    let mut flow = evaluator.passthrough(rest, frame);
    flow.partial = evaluator.selected(client, &invocation.texts).partial;
    // A database that is a file: cookies and passwords of browsers are.
    if matches!(base, "sqlite3" | "sqlite" | "duckdb")
        && let Some(file) = rest.iter().find(|word| !word.lead().starts_with('-'))
        && evaluator
            .places(file, LinkPolicy::Follow, frame)
            .iter()
            .any(|(spot, _)| spot.tags.has(Tag::Secret))
    {
        flow.qualities = flow.qualities.and(evaluator.read_file(file, frame).qualities);
    }
    flow
}

/// A client of which the table says where its texts are.
pub(in crate::eval) fn query(evaluator: &mut Evaluator<'_>, call: &Call<'_>, frame: &mut Frame) -> Flow {
    let parsed = call.parsed;
    let rest = call.rest();
    let quiet = qualities![ParseFlag::Help, Modifier::DryRun];
    if parsed.qualities.has_any(quiet) {
        return Flow::default();
    }
    let name = parsed.program.name.join(" ");
    let client = Client::of(&name).unwrap_or(Client::Postgres);
    let here = parsed.qualities.has(Environment::Local) && !parsed.qualities.has(Environment::Remote);
    let scratch = parsed.qualities.has(Environment::Test) || here;
    let qualities =
        if scratch { qualities![Environment::Throwaway] } else { Qualities::NONE }.and(parsed.qualities);
    let mut given = false;
    for (role, word) in &parsed.roles {
        match role {
            Role::Statement => {
                given = true;
                evaluator.statement(client, word, qualities, frame);
            }
            Role::Read => {
                given = true;
                evaluator.read_file(word, frame);
                if let Some(text) = evaluator.kept_statements(word, frame) {
                    evaluator.statements(client, &sql::statements_of(client, &text), qualities, frame);
                }
            }
            _ => {}
        }
    }
    if !given {
        evaluator.consume_typed(&frame.stdin, frame);
    }
    if !given && let Some(text) = evaluator.typed_statements(frame) {
        evaluator.statements(client, &sql::statements_of(client, &text), qualities, frame);
    }
    evaluator.passthrough(rest, frame)
}

impl Evaluator<'_> {
    /// Returns the text of a file that a client runs: what the call wrote to it, or what is on the disk. Unlike a
    /// program, such a file is all that will be done.
    fn kept_statements(&self, file: &Word, frame: &Frame) -> Option<Source> {
        let elsewhere = frame.qualities.has_any(qualities![Environment::Elsewhere, Environment::Throwaway]);
        let on_disk = || {
            let places = self.places(file, LinkPolicy::Follow, frame);
            places.iter().find_map(|(spot, _)| self.world.text(&spot.path))
        };
        self.content_of(file, frame).source().or_else(|| Some(on_disk().filter(|_| !elsewhere)?.into()))
    }

    /// Returns the statements that a client reads from standard input.
    fn typed_statements(&self, frame: &Frame) -> Option<Source> {
        let file = frame.opened.as_ref().filter(|_| frame.stdin.qualities.has(Taint::File));
        frame.stdin.source().or_else(|| self.kept_statements(file?, frame))
    }

    fn statement(&mut self, client: Client, text: &Word, qualities: Qualities, frame: &Frame) {
        match self.value_of(text).text {
            Some(text) => self.statements(client, &sql::statements(client, &text), qualities, frame),
            None => {
                self.statements(client, &sql::statements_of(client, &self.source_of(text)), qualities, frame);
            }
        }
    }

    /// Statements that a program of another language gives to a database.
    pub(super) fn follow_queries(&mut self, text: &Word, frame: &Frame) {
        let found = sql::statements_of(Client::Postgres, &self.source_of(text));
        let destroys = |statement: &Statement| matches!(statement, Statement::Destroy { .. });
        let found: Vec<Statement> = found.into_iter().filter(destroys).collect();
        self.statements(Client::Postgres, &found, Qualities::NONE, frame);
    }

    /// A database that is plainly there to be thrown away: by its name, in memory, or in a temporary directory.
    fn is_scratch(&self, database: &Word, frame: &Frame) -> bool {
        let Some(name) = database.constant() else { return false };
        let last = name.rsplit(['/', ':']).next().unwrap_or_default();
        let last = last.split(['?', '.']).next().unwrap_or_default();
        if name == ":memory:" || sql::is_throwaway(last) {
            return true;
        }
        let is_path = name.contains('/') && !name.contains("://");
        is_path
            && self
                .places(database, LinkPolicy::Follow, frame)
                .iter()
                .any(|(spot, _)| matches!(spot.zone, Zone::Temporary | Zone::Generated))
    }

    fn statements(&mut self, client: Client, statements: &[Statement], how: Qualities, frame: &Frame) {
        for statement in statements.iter().cloned() {
            match statement {
                Statement::Destroy { what, name, scope, throwaway } => {
                    let mut qualities = how.with(Domain::Database);
                    qualities = match scope {
                        Scope::All => qualities.with(Modifier::All),
                        // What is piped in may be everything.
                        Scope::Some if frame.qualities.has(Taint::Piped) => qualities,
                        // A part of the rows, but all of a column.
                        Scope::Some if what == Object::Column => qualities,
                        Scope::Some => qualities.with(Modifier::Some),
                    };
                    if scope == Scope::All
                        && is_whole(client, what, &name, qualities.has(Environment::Remote))
                    {
                        qualities = qualities.with(Modifier::Whole);
                    }
                    let test =
                        what == Object::Database && environment::qualities(&name).has(Environment::Test);
                    if throwaway || test {
                        qualities = qualities.with(Environment::Throwaway);
                    }
                    let target = if name.is_empty() { Target::Nothing } else { Target::Name(name) };
                    self.emit(Action::Destroy, target, qualities, frame);
                }
                Statement::Shell(text) => drop(self.follow_text(&self.with_holes(&text), frame)),
                Statement::ReadFile(path) => {
                    let file = Word::text(&path, 0..0);
                    let read = self.read_file(&file, frame);
                    // A file of statements, by its name or since the call wrote it; others hold data.
                    let kept = || self.kept_statements(&file, frame).filter(|_| path.ends_with("sql"));
                    let Some(text) = read.source().or_else(kept) else { continue };
                    if self.sink.is_too_deep() || !self.sink.burn(text.len()) {
                        self.emit_too_much(frame);
                        continue;
                    }
                    self.sink.descend();
                    self.statements(client, &sql::statements_of(client, &text), how, frame);
                    self.sink.ascend();
                }
                Statement::WriteFile(path) => {
                    drop(self.emit_path(Action::Write, &Word::text(&path, 0..0), Qualities::NONE, frame));
                }
                Statement::Grant => {
                    self.emit(Action::Account, Target::Nothing, qualities![Environment::Remote], frame);
                }
                Statement::TooMuch => {
                    self.emit_too_much(frame);
                }
                Statement::Change | Statement::Read | Statement::Unknown => {}
            }
        }
    }
}

/// Returns true if a server loses everything that it keeps for an application: a database, or on another machine a schema with
/// everything in it or all that a Redis server holds.
fn is_whole(client: Client, what: Object, name: &str, far: bool) -> bool {
    match (what, client) {
        (Object::Database, Client::Redis) | (Object::Schema, _) => far,
        (Object::Database, Client::Mongo) => true,
        (Object::Database, _) => !name.is_empty(),
        _ => false,
    }
}

/// Returns true if a client connects to this machine: the host says so, or there is none.
fn is_for_this_machine(rest: &[Word]) -> bool {
    let mut words = rest.iter();
    while let Some(word) = words.next() {
        let lead = word.lead();
        let host = match lead {
            "-h" | "--host" => words.next().map(Word::lead),
            _ if lead.contains("://") => Some(lead),
            _ => lead
                .strip_prefix("--host=")
                .or_else(|| lead.strip_prefix("-h").filter(|host| !host.is_empty())),
        };
        if host.is_some_and(|host| !network::is_local(&network::host_name(host))) || word.is_unknown() {
            return false;
        }
    }
    true
}
