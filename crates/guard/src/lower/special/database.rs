//! Clients of databases.

use crate::{
    effect::Target,
    lower::{Context, Lowering, flow::Flow},
    sql::{self, Client, Scope, Statement},
    vocabulary::{Mark, Marks, Tag, Verb},
    word::Word,
};

impl Lowering<'_> {
    pub(super) fn database(&mut self, words: &[Word], context: &Context) -> Flow {
        let (Some(name), rest) = (words.first(), words.get(1..).unwrap_or_default()) else {
            return Flow::default();
        };
        let name = self.names_of(name).into_iter().next().unwrap_or_default();
        let base = name.rsplit('/').next().unwrap_or_default();
        let Some(client) = Client::of(base) else { return self.through(rest, context) };
        let invocation = sql::text_of(client, rest);
        for text in &invocation.texts {
            match self.value_of(text).text {
                Some(text) => self.statements(&sql::statements(client, &text), context),
                None => self.statements(&sql::statements_of(client, text), context),
            }
        }
        for file in &invocation.files {
            if let Some(text) = self.content_of(file, context).text {
                self.statements(&sql::statements(client, &text), context);
            }
        }
        if let (true, Some(text)) = (invocation.reads_stdin, &context.stdin.text) {
            self.statements(&sql::statements(client, text), context);
        }
        let mut flow = self.through(rest, context);
        // A database that is a file: cookies and passwords of browsers are.
        if matches!(base, "sqlite3" | "sqlite" | "duckdb")
            && let Some(file) = rest.iter().find(|word| !word.lead().starts_with('-'))
            && self
                .places(file, crate::path::Last::Follow, context)
                .iter()
                .any(|(spot, _)| spot.tags.has(Tag::Secret))
        {
            flow.marks = flow.marks.and(self.reads(file, context).marks);
        }
        flow
    }

    fn statements(&mut self, statements: &[Statement], context: &Context) {
        for statement in statements.iter().cloned() {
            match statement {
                Statement::Destroy { name, scope, throwaway, .. } => {
                    let mut marks = match scope {
                        Scope::All => Marks::of(&[Mark::All]),
                        // What is piped in may be everything.
                        Scope::Some if context.marks.has(Mark::Piped) => Marks::NONE,
                        Scope::Some => Marks::of(&[Mark::Some]),
                    };
                    if throwaway {
                        marks = marks.with(Mark::Throwaway);
                    }
                    self.say(Verb::Destroy, Target::Name(name), marks, context);
                }
                Statement::Shell(text) => drop(self.text(&text, context)),
                Statement::ReadFile(path) => drop(self.reads(&Word::text(&path, 0..0), context)),
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
