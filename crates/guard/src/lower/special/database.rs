//! Clients of databases.

use crate::{
    effect::Target,
    lower::{Context, Lowering, flow::Flow},
    sql::{self, Client, Scope, Statement},
    vocabulary::{Mark, Marks, Verb},
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
            let flow = self.value_of(text);
            self.statements(client, &flow, context);
        }
        for file in &invocation.files {
            let flow = self.content_of(file, context);
            self.statements(client, &flow, context);
        }
        if invocation.reads_stdin {
            let flow = context.stdin.clone();
            self.statements(client, &flow, context);
        }
        self.through(rest, context)
    }

    fn statements(&mut self, client: Client, flow: &Flow, context: &Context) {
        let Some(text) = &flow.text else { return };
        for statement in sql::statements(client, text) {
            match statement {
                Statement::Destroy { name, scope, throwaway, .. } => {
                    let mut marks = match scope {
                        Scope::All => Marks::of(&[Mark::All]),
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
