//! The meaning of a client's arguments: the texts and files that it would run, where it connects, whether it reads on from its
//! standard input. Redirections are the shell's and not seen here.

use super::client::Client;
use super::options::{Role, Style, style, table};
use checkrein_shell::{Part, Word};

/// The meaning of the arguments of a client.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Invocation {
    /// Texts that the client runs. The words of a Redis command are joined to one.
    pub texts: Vec<Word>,
    /// Files whose text the client runs.
    pub files: Vec<Word>,
    /// Files that the client writes.
    pub outputs: Vec<Word>,
    /// The host it connects to, if one is named.
    pub host: Option<Word>,
    /// The database, or the file that is one.
    pub database: Option<Word>,
    /// True if it runs what its standard input says.
    pub reads_stdin: bool,
    /// True if a password is among the arguments, where other users of the machine can read it.
    pub password_in_args: bool,
}

/// Reads the arguments of a client, without the program's own name.
pub fn text_of(client: Client, args: &[Word]) -> Invocation {
    let mut reader =
        CommandLine { client, found: Invocation::default(), rest: Vec::new(), ends: false, goes_on: false };
    let mut args = args.iter();
    let mut only_positional = false;
    while let Some(arg) = args.next() {
        let start = arg.lead();
        // The first word of a Redis command ends the options: `redis-cli SET -n 1`.
        let is_command = client == Client::Redis && !reader.rest.is_empty();
        if only_positional || is_command || !start.starts_with('-') || start == "-" {
            reader.rest.push(arg.clone());
        } else if start == "--" && arg.parts.len() == 1 {
            only_positional = true;
        } else {
            reader.option(arg, start, &mut args);
        }
    }
    reader.finish()
}

fn constant(text: &str, near: &Word) -> Word {
    Word { parts: vec![Part::Text(text.to_owned())], span: near.span.clone() }
}

struct CommandLine {
    client: Client,
    found: Invocation,
    /// The words that are not options.
    rest: Vec<Word>,
    /// True if an option makes the client do something else than run texts.
    ends: bool,
    /// True if the client goes on with its standard input after its texts.
    goes_on: bool,
}

impl CommandLine {
    fn option<'w>(&mut self, arg: &'w Word, start: &str, args: &mut impl Iterator<Item = &'w Word>) {
        let dashes = if start.starts_with("--") { 2 } else { 1 };
        let body = start.get(dashes..).unwrap_or_default();
        let is_long = dashes == 2 || style(self.client) == Style::SingleDash;
        if is_long {
            let (name, has_value) = match body.split_once('=') {
                Some((name, _)) => (name, true),
                None => (body, false),
            };
            let Some(role) = self.long(name) else { return };
            let value = has_value.then(|| arg.skip(dashes + name.len() + 1));
            self.value(role, value, args);
            return;
        }
        // `-Atc text`: letters without a value, then at most one that takes what follows.
        for (at, letter) in body.char_indices() {
            let end = dashes + at + letter.len_utf8();
            let mut buffer = [0; 4];
            let name: &str = letter.encode_utf8(&mut buffer);
            let Some((_, role)) = table(self.client).iter().find(|(known, _)| *known == name) else {
                match style(self.client) {
                    Style::FirstLetter => return,
                    Style::Getopt | Style::SingleDash => continue,
                }
            };
            let attached = arg.skip(end);
            let value = (!attached.parts.is_empty()).then_some(attached);
            match role {
                Role::Nothing => self.ends = true,
                Role::Text
                | Role::TextFirst
                | Role::File
                | Role::FileFirst
                | Role::Output
                | Role::Host
                | Role::Database
                | Role::Password
                | Role::AttachedPassword
                | Role::Address
                | Role::Other => {
                    self.value(*role, value, args);
                    return;
                }
            }
        }
    }

    /// The role of a long option, by its name or a beginning of it.
    fn long(&self, name: &str) -> Option<Role> {
        let table = table(self.client);
        let name = if self.client == Client::MySql { name.replace('_', "-") } else { name.to_owned() };
        let is_same =
            |known: &str| known == name && (known.len() > 1 || style(self.client) == Style::SingleDash);
        let exact = table.iter().find(|(known, _)| is_same(known));
        // Only a beginning that fits one name, and only where the client takes it: `--ssl` is none of `--ssl-ca`.
        let takes_beginnings = matches!(self.client, Client::Postgres | Client::MySql) && !name.is_empty();
        let begun = || {
            let mut fitting = table.iter().filter(|(known, _)| known.len() > 1 && known.starts_with(&name));
            fitting.next().filter(|_| takes_beginnings && fitting.next().is_none())
        };
        exact.or_else(begun).map(|(_, role)| *role)
    }

    fn value<'w>(&mut self, role: Role, attached: Option<Word>, args: &mut impl Iterator<Item = &'w Word>) {
        match role {
            Role::Nothing => {
                self.ends = true;
                return;
            }
            Role::AttachedPassword => {
                self.found.password_in_args |= attached.is_some();
                return;
            }
            Role::Text
            | Role::TextFirst
            | Role::File
            | Role::FileFirst
            | Role::Output
            | Role::Host
            | Role::Database
            | Role::Password
            | Role::Address
            | Role::Other => {}
        }
        let Some(value) = attached.or_else(|| args.next().cloned()) else { return };
        match role {
            Role::Text => self.found.texts.push(value),
            Role::TextFirst => {
                self.found.texts.push(value);
                self.goes_on = true;
            }
            Role::File if value.constant().as_deref() == Some("-") => self.goes_on = true,
            Role::File => self.found.files.push(value),
            Role::FileFirst => {
                self.found.files.push(value);
                self.goes_on = true;
            }
            Role::Output => self.found.outputs.push(value),
            Role::Host => self.found.host = Some(value),
            Role::Database | Role::Address => self.address(value),
            Role::Password => self.found.password_in_args = true,
            // `psql -v x='…'` is only text where the script uses it.
            Role::Other | Role::Nothing | Role::AttachedPassword => {}
        }
    }

    /// A database's name, or an address with host, database and password in it.
    fn address(&mut self, word: Word) {
        // The `?` of an address is a pattern to the shell.
        let text = word.pattern().unwrap_or_default();
        if let Some((_, after)) = text.split_once("://") {
            let (place, path) = after.split_once('/').unwrap_or((after, ""));
            let (user, host) = place.rsplit_once('@').unwrap_or(("", place));
            self.found.password_in_args |= user.contains(':') || path.contains("password=");
            if !host.is_empty() {
                self.found.host = Some(constant(host, &word));
            }
            let database = path.split('?').next().unwrap_or_default();
            self.found.database = (!database.is_empty()).then(|| constant(database, &word));
        } else if self.client == Client::Postgres && text.contains('=') {
            for pair in text.split_ascii_whitespace() {
                match pair.split_once('=') {
                    Some(("host" | "hostaddr", host)) => self.found.host = Some(constant(host, &word)),
                    Some(("dbname", name)) => self.found.database = Some(constant(name, &word)),
                    Some(("password", _)) => self.found.password_in_args = true,
                    Some(_) | None => {}
                }
            }
        } else {
            // What starts like an address but depends on the run may hold a password; the text does not show it.
            self.found.database = Some(word);
        }
    }

    fn finish(mut self) -> Invocation {
        let mut rest = std::mem::take(&mut self.rest).into_iter();
        match self.client {
            Client::Postgres | Client::MySql => {
                if let Some(database) = rest.next()
                    && self.found.database.is_none()
                {
                    self.address(database);
                }
            }
            Client::Sqlite | Client::DuckDb => {
                if let Some(database) = rest.next() {
                    self.found.database = Some(database);
                }
                let texts: Vec<Word> = rest.collect();
                // With a text among its arguments it does not read on.
                self.goes_on &= texts.is_empty();
                self.found.texts.extend(texts);
            }
            // The name of the tool (`client`, `local`), or a query.
            Client::ClickHouse => {
                let is_query = |word: &Word| word.is_unknown() || word.lead().contains([' ', '\n']);
                self.found.texts.extend(rest.filter(is_query));
            }
            Client::Mongo => {
                for word in rest {
                    let is_file = word.parts.last().is_some_and(|part| match part {
                        Part::Text(text) | Part::Glob(text) => {
                            text.ends_with(".js") || text.ends_with(".mjs") || text.ends_with(".mongodb")
                        }
                        Part::Unknown(_) => false,
                    });
                    if is_file {
                        self.found.files.push(word);
                    } else {
                        self.address(word);
                    }
                }
            }
            Client::Redis => {
                let words: Vec<Word> = rest.collect();
                if !words.is_empty() {
                    self.found.texts.push(joined(&words));
                }
            }
            Client::Cassandra => self.found.host = rest.next().or(self.found.host.take()),
            Client::SqlServer | Client::Cypher => {}
            Client::Oracle => {
                for word in rest {
                    match word.lead().strip_prefix('@') {
                        Some(_) => self.found.files.push(word.skip(1)),
                        None => {
                            let text = word.constant().unwrap_or_default();
                            self.found.password_in_args |= text
                                .split('@')
                                .next()
                                .is_some_and(|user| user.contains('/') && user.len() > 1);
                        }
                    }
                }
            }
        }
        let runs_something = !self.found.texts.is_empty() || !self.found.files.is_empty();
        self.found.reads_stdin = !self.ends && (self.goes_on || !runs_something);
        self.found
    }
}

/// The words of a command as one text, quoted where a word would fall apart.
fn joined(words: &[Word]) -> Word {
    let mut whole = Word::default();
    let mut text = String::new();
    for (at, word) in words.iter().enumerate() {
        if at == 0 {
            whole.span = word.span.clone();
        } else {
            text.push(' ');
        }
        let needs_quotes = word.parts.iter().any(|part| match part {
            Part::Text(text) | Part::Glob(text) => text.contains([' ', '\t', '\r', '\n', '"', '\'', '\\']),
            Part::Unknown(_) => false,
        }) || word.parts.is_empty();
        let quote = if needs_quotes { "\"" } else { "" };
        text.push_str(quote);
        for part in &word.parts {
            match part {
                Part::Text(part) | Part::Glob(part) => {
                    for char in part.chars() {
                        match char {
                            // The reader of commands goes by lines, and a script means the same with spaces.
                            '\n' => text.push(' '),
                            '"' | '\\' => text.extend(['\\', char]),
                            _ => text.push(char),
                        }
                    }
                }
                Part::Unknown(_) => {
                    whole.parts.push(Part::Text(std::mem::take(&mut text)));
                    whole.parts.push(part.clone());
                }
            }
        }
        text.push_str(quote);
    }
    whole.parts.push(Part::Text(text));
    whole.parts.retain(|part| !matches!(part, Part::Text(text) if text.is_empty()));
    whole
}
