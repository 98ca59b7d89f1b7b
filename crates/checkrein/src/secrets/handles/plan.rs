//! Judges one command with a tag by the table: which program it is, what is passed how, and whether the value may go there.

use super::{
    checks, destination, learn,
    table::{self, Handle, Place, Program},
    words::{self, Piece},
};
use crate::state::origins::{self, Origin};
use checkrein_core::sanitize;
use checkrein_secrets::{Key, tags};
use std::path::Path;

/// A tag, and the way of its value into the program.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Pass {
    pub(super) tag: String,
    pub(super) way: Way,
    /// The template of what is passed; `{}` is the value.
    pub(super) content: String,
    /// The account that is written next to it.
    pub(super) user: String,
}

/// The three ways of a value into a program.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Way {
    /// In a variable that it reads; an address with the tag loses it.
    Variable(String),
    /// On standard input.
    Stdin,
    /// Through a descriptor: the word of this number and its option become these words.
    Descriptor { word: usize, becomes: Vec<String> },
}

impl Way {
    /// The word for it on the command line of `checkrein run`.
    pub(super) fn shown(&self) -> &str {
        match self {
            Self::Variable(name) => name,
            Self::Stdin => "stdin",
            Self::Descriptor { .. } => "descriptor",
        }
    }
}

/// One command, as the shell would run it.
#[derive(Clone, Debug, Default)]
pub(super) struct Command {
    /// The program as it is written, and its words.
    pub(super) words: Vec<String>,
    pub(super) assignments: Vec<(String, String)>,
    /// The text on standard input, if it is known.
    pub(super) stdin: Option<String>,
}

/// The command that takes the place of another.
#[derive(Clone, Debug)]
pub(super) struct Plan {
    /// The words after the program, joined options taken apart.
    pub(super) words: Vec<String>,
    pub(super) before: Vec<String>,
    pub(super) passes: Vec<Pass>,
    pub(super) environment: Vec<(String, String)>,
}

/// Everything that a command is judged with.
pub(super) struct Judge<'a> {
    pub(super) state: &'a Path,
    pub(super) session: &'a str,
    pub(super) key: &'a Key,
    pub(super) configured: &'a [Handle],
    pub(super) home: Option<&'a str>,
    /// The directory that the command runs in.
    pub(super) directory: &'a Path,
}

impl Judge<'_> {
    /// Returns what a command becomes; an error is the reason for a denial.
    pub(super) fn plan(&self, name: &str, command: &Command) -> Result<Plan, String> {
        let entries = table::find(name, self.configured);
        let mut first_error = None;
        for entry in &entries {
            match self.by(entry, command) {
                Ok(plan) => return Ok(plan),
                Err(error) => first_error = first_error.or(Some(error)),
            }
        }
        Err(first_error
            .unwrap_or_else(|| format!("`{name}` is not among the programs that may be given a secret")))
    }

    fn by(&self, program: &Program, command: &Command) -> Result<Plan, String> {
        let pieces = words::sorted(program, command.words.get(1..).unwrap_or_default())?;
        let mut passes = Vec::new();
        let variables = self.assignments(program, command, &mut passes)?;
        self.pieces(program, &pieces, &mut passes)?;
        self.stdin(program, command, &pieces, &mut passes)?;
        if !words::begins(&pieces, &program.commands) {
            return Err(format!(
                "only these commands of it are safe with a secret: {}",
                program.commands.join(", ")
            ));
        }
        checks::pass(program, &pieces, &variables, self.directory, self.home)?;
        let servers = destination::of(program, &pieces, &variables)?;
        for pass in &passes {
            self.belongs(program, pass, &servers)?;
        }
        let host = servers.first().map(|server| server.host.clone()).unwrap_or_default();
        let fixed = program
            .environment
            .iter()
            .map(|(name, value)| (name.replace("{host}", &host), value.replace("{host}", &host)));
        Ok(Plan {
            words: pieces.iter().map(|piece| piece.text().to_owned()).collect(),
            before: program.before.clone(),
            passes,
            environment: variables.into_iter().chain(fixed).collect(),
        })
    }

    /// Sorts what is assigned in front of the program into tags and plain values.
    fn assignments(
        &self,
        program: &Program,
        command: &Command,
        passes: &mut Vec<Pass>,
    ) -> Result<Vec<(String, String)>, String> {
        let mut plain = Vec::new();
        for (name, value) in &command.assignments {
            if tags(value).next().is_none() {
                if !program.variables.contains(name) {
                    return Err(format!(
                        "`{name}` is not among the variables that are safe next to a secret"
                    ));
                }
                plain.push((name.clone(), value.clone()));
                continue;
            }
            let place = program
                .places
                .iter()
                .find(|place| place.is_assignment() && place.variable.as_ref() == Some(name));
            let passed =
                place.and_then(Place::passed_as).filter(|_| checkrein_secrets::is_tag(value.as_bytes()));
            let Some(passed) = passed else {
                return Err(format!(
                    "`{name}` is not a variable from which the program reads a secret, or it has more than the tag"
                ));
            };
            passes.push(Pass {
                tag: value.clone(),
                way: Way::Variable(passed.to_owned()),
                content: "{}".into(),
                user: String::new(),
            });
        }
        Ok(plain)
    }

    fn pieces(&self, program: &Program, pieces: &[Piece], passes: &mut Vec<Pass>) -> Result<(), String> {
        for (at, piece) in pieces.iter().enumerate() {
            let mut found = tags(piece.text()).filter_map(|tag| piece.text().get(tag));
            let Some(tag) = found.next() else { continue };
            if found.next().is_some() {
                return Err("a word has two tags in it".to_owned());
            }
            let pass = match piece {
                Piece::Value(option, value) => {
                    let place = program
                        .places
                        .iter()
                        .find(|place| place.option.contains(option) && fits(place, value));
                    let place = place
                        .ok_or_else(|| format!("the value of `{option}` is not a place for a secret"))?;
                    let way = Way::Descriptor { word: at, becomes: place.becomes.clone() };
                    Pass {
                        tag: tag.to_owned(),
                        way,
                        content: place.content.clone().unwrap_or_default(),
                        user: String::new(),
                    }
                }
                Piece::Operand(word) => {
                    let address =
                        destination::Address::read(word).filter(|address| is_credential(address, tag));
                    let place = address.as_ref().and_then(|address| {
                        program.places.iter().find(|place| place.address.contains(&address.scheme))
                    });
                    let (Some(address), Some(variable)) =
                        (&address, place.and_then(|place| place.variable.as_ref()))
                    else {
                        return Err(format!(
                            "`{tag}` is not where this program takes a secret: an argument is visible to every process"
                        ));
                    };
                    let user = if address.password.is_some() { address.user.clone() } else { None };
                    let content =
                        place.and_then(|place| place.content.clone()).unwrap_or_else(|| "{}".into());
                    Pass {
                        tag: tag.to_owned(),
                        way: Way::Variable(variable.clone()),
                        content,
                        user: user.unwrap_or_default(),
                    }
                }
                Piece::Option(_) => return Err(format!("`{tag}` is in the name of an option")),
            };
            passes.push(pass);
        }
        Ok(())
    }

    fn stdin(
        &self,
        program: &Program,
        command: &Command,
        pieces: &[Piece],
        passes: &mut Vec<Pass>,
    ) -> Result<(), String> {
        let Some(text) = command.stdin.as_deref().filter(|text| tags(text).next().is_some()) else {
            return Ok(());
        };
        let has = |option: &String| {
            pieces.iter().any(|piece| matches!(piece, Piece::Option(word) if word == option))
        };
        let place = program.places.iter().find(|place| place.stdin.iter().any(has));
        match place {
            Some(place) if checkrein_secrets::is_tag(text.trim().as_bytes()) => {
                let content = place.content.clone().unwrap_or_else(|| "{}".into());
                passes.push(Pass {
                    tag: text.trim().to_owned(),
                    way: Way::Stdin,
                    content,
                    user: String::new(),
                });
                Ok(())
            }
            _ => Err(
                "the program does not take a secret from its standard input, or there is more than the tag"
                    .to_owned(),
            ),
        }
    }

    /// Finds the origin of a tag, and whether its value may go to these servers.
    fn belongs(&self, program: &Program, pass: &Pass, servers: &[origins::Server]) -> Result<(), String> {
        let origin = self.origin(&pass.tag)?;
        let recovered = learn::recover(self.key, &origin)
            .map_err(|why| format!("the value of `{}` cannot be put back: {why}", pass.tag))?;
        if recovered.value.chars().any(sanitize::is_hidden) && pass.way != Way::Stdin {
            return Err(format!(
                "the value of `{}` has several lines, which cannot be passed in this way",
                pass.tag
            ));
        }
        // A value that is kept under the name of the variable that this program reads is meant for the program.
        let is_named = program.sends.is_none()
            && program
                .places
                .iter()
                .any(|place| place.is_assignment() && place.variable.as_ref() == Some(&origin.name));
        let is_own = |server: &origins::Server| {
            is_named || destination::is_allowed(server, &recovered.hosts, &origin.servers, program.port)
        };
        let Some(foreign) = servers.iter().find(|server| !is_own(server)) else { return Ok(()) };
        let mut own: Vec<String> = recovered.hosts.iter().map(|host| (*host).to_owned()).collect();
        own.extend(origin.servers.iter().map(|server| server.host.clone()));
        let (tag, host) = (&pass.tag, &foreign.host);
        Err(if own.is_empty() {
            format!(
                "it is not known that the value of `{tag}` belongs to `{host}`: nothing next to it names that server, and its form has no service of its own"
            )
        } else {
            format!("the value of `{tag}` does not belong to `{host}`; it belongs to {}", own.join(", "))
        })
    }

    fn origin(&self, tag: &str) -> Result<Origin, String> {
        origins::find(self.state, self.session, tag).ok_or_else(|| {
            format!("the value of `{tag}` cannot be put back: this session has not seen a file or a variable of this machine that it came from")
        })
    }
}

/// Returns whether the value of an option is one in which this place has a secret: a header by its name, an account, or nothing else.
fn fits(place: &Place, value: &str) -> bool {
    match (place.headers.is_empty(), value.split_once(':')) {
        (false, Some((name, _))) => place.headers.contains(&name.trim().to_ascii_lowercase()),
        (false, None) => false,
        (true, account) => {
            let secret = account.map_or(value, |(_, password)| password);
            checkrein_secrets::is_tag(secret.as_bytes())
        }
    }
}

/// Returns whether a tag is the password of an address, or its only account.
fn is_credential(address: &destination::Address, tag: &str) -> bool {
    match (&address.user, &address.password) {
        (_, Some(password)) => password == tag,
        (Some(user), None) => user == tag,
        (None, None) => false,
    }
}
