//! Clients of databases.

use crate::{
    effect::Target,
    lower::{Context, DEPTH, Lowering, flow::Flow},
    path::Last,
    program::{Parsed, Role, realm},
    sql::{self, Client, Object, Scope, Statement},
    vocabulary::{Mark, Marks, Tag, Verb, Zone},
    word::Word,
};

impl Lowering<'_> {
    pub(super) fn database(&mut self, parsed: &Parsed, words: &[Word], context: &Context) -> Flow {
        let (Some(name), rest) = (words.first(), words.get(1..).unwrap_or_default()) else {
            return Flow::default();
        };
        let name = self.names_of(name).into_iter().next().unwrap_or_default();
        let base = name.rsplit('/').next().unwrap_or_default();
        let Some(client) = Client::of(base) else { return self.through(rest, context) };
        let invocation = sql::text_of(client, rest);
        let scratch = invocation.database.as_ref().is_some_and(|database| self.is_scratch(database, context));
        // A database in memory is not the only one, if the text opens another beside it.
        let opens = |text: &Word| {
            let found = sql::statements_of(client, text);
            found.iter().any(|statement| {
                matches!(statement, Statement::ReadFile(file)
                    if found.contains(&Statement::WriteFile(file.clone())) && !self.is_scratch(&Word::text(file, 0..0), context))
            })
        };
        let scratch = scratch && !invocation.texts.iter().any(opens);
        let marks = if scratch { Marks::of(&[Mark::Throwaway]) } else { Marks::NONE }.and(parsed.marks);
        for text in &invocation.texts {
            self.statement(client, text, marks, context);
        }
        for file in &invocation.files {
            if let Some(text) = self.content_of(file, context).text {
                self.statements(client, &sql::statements_of_file(client, &text), marks, context);
            }
        }
        if let (true, Some(text)) = (invocation.reads_stdin, &context.stdin.text) {
            self.statements(client, &sql::statements(client, text), marks, context);
        }
        let mut flow = self.through(rest, context);
        // A database that is a file: cookies and passwords of browsers are.
        if matches!(base, "sqlite3" | "sqlite" | "duckdb")
            && let Some(file) = rest.iter().find(|word| !word.lead().starts_with('-'))
            && self.places(file, Last::Follow, context).iter().any(|(spot, _)| spot.tags.has(Tag::Secret))
        {
            flow.marks = flow.marks.and(self.reads(file, context).marks);
        }
        flow
    }

    /// A client of which the table says where its texts are.
    pub(super) fn query(&mut self, parsed: &Parsed, rest: &[Word], context: &Context) -> Flow {
        let quiet = Marks::of(&[Mark::Help, Mark::DryRun]);
        if parsed.marks.has_any(quiet) {
            return Flow::default();
        }
        let name = parsed.program.name.join(" ");
        let client = Client::of(&name).unwrap_or(Client::Postgres);
        let here = parsed.marks.has(Mark::Local) && !parsed.marks.has(Mark::Remote);
        let scratch = parsed.marks.has(Mark::Rehearsal) || here;
        let marks = if scratch { Marks::of(&[Mark::Throwaway]) } else { Marks::NONE }.and(parsed.marks);
        let mut given = false;
        for (role, word) in &parsed.roles {
            match role {
                Role::Statement => {
                    given = true;
                    self.statement(client, word, marks, context);
                }
                Role::Read => {
                    given = true;
                    if let Some(text) = self.reads(word, context).text {
                        self.statements(client, &sql::statements(client, &text), marks, context);
                    }
                }
                _ => {}
            }
        }
        if let (false, Some(text)) = (given, &context.stdin.text) {
            self.statements(client, &sql::statements(client, text), marks, context);
        }
        self.through(rest, context)
    }

    fn statement(&mut self, client: Client, text: &Word, marks: Marks, context: &Context) {
        match self.value_of(text).text {
            Some(text) => self.statements(client, &sql::statements(client, &text), marks, context),
            None => self.statements(client, &sql::statements_of(client, text), marks, context),
        }
    }

    /// Statements that a program of another language gives to a database.
    pub(super) fn queried(&mut self, text: &Word, context: &Context) {
        let found = sql::statements_of(Client::Postgres, text);
        let destroys = |statement: &Statement| matches!(statement, Statement::Destroy { .. });
        let found: Vec<Statement> = found.into_iter().filter(destroys).collect();
        self.statements(Client::Postgres, &found, Marks::NONE, context);
    }

    /// A database that is plainly there to be thrown away: by its name, in memory, or in a temporary folder.
    fn is_scratch(&self, database: &Word, context: &Context) -> bool {
        let Some(name) = database.constant() else { return false };
        let last = name.rsplit(['/', ':']).next().unwrap_or_default();
        let last = last.split(['?', '.']).next().unwrap_or_default();
        if name == ":memory:" || sql::is_throwaway(last) {
            return true;
        }
        let is_path = name.contains('/') && !name.contains("://");
        is_path
            && self
                .places(database, Last::Follow, context)
                .iter()
                .any(|(spot, _)| matches!(spot.zone, Zone::Temporary | Zone::Generated))
    }

    fn statements(&mut self, client: Client, statements: &[Statement], how: Marks, context: &Context) {
        for statement in statements.iter().cloned() {
            match statement {
                Statement::Destroy { what, name, scope, throwaway } => {
                    let mut marks = how.with(Mark::Database);
                    marks = match scope {
                        Scope::All => marks.with(Mark::All),
                        // What is piped in may be everything.
                        Scope::Some if context.marks.has(Mark::Piped) => marks,
                        // A part of the rows, but all of a column.
                        Scope::Some if what == Object::Column => marks,
                        Scope::Some => marks.with(Mark::Some),
                    };
                    let rehearsal = what == Object::Database && realm::marks(&name).has(Mark::Rehearsal);
                    if throwaway || rehearsal {
                        marks = marks.with(Mark::Throwaway);
                    }
                    self.say(Verb::Destroy, Target::Name(name), marks, context);
                }
                Statement::Shell(text) => drop(self.text(&text, context)),
                Statement::ReadFile(path) => {
                    let read = self.reads(&Word::text(&path, 0..0), context);
                    // A file that the call wrote may be one of statements.
                    if let Some(text) = read.text
                        && self.depth < DEPTH
                        && self.burn(text.len())
                    {
                        self.depth += 1;
                        self.statements(client, &sql::statements(client, &text), how, context);
                        self.depth -= 1;
                    }
                }
                Statement::WriteFile(path) => {
                    drop(self.path(Verb::Write, &Word::text(&path, 0..0), Marks::NONE, context));
                }
                Statement::Grant => {
                    self.say(Verb::Account, Target::Nothing, Marks::of(&[Mark::Remote]), context);
                }
                Statement::Change | Statement::Read | Statement::Unknown => {}
            }
        }
    }
}
