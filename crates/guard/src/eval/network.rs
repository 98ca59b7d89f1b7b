//! Data that goes to other machines and comes from them.

use super::{Evaluator, Frame, flow::Flow, whole};
use crate::{
    effect::{Host, Target},
    program::ParseFlag,
    program::{Parsed, Role, Trait},
    qualities::{Qualities, qualities},
    vocabulary::{Action, Domain, Environment, Modifier, Taint},
};
use checkrein_shell::{Part, Word};

/// Data that goes to another machine, and its hosts.
#[derive(Default)]
pub(super) struct Traffic {
    pub(super) hosts: Vec<Word>,
    pub(super) sent: Qualities,
    pub(super) sends: bool,
}

/// The target of a deletion in a document store.
enum Deleted {
    /// Those that a query finds.
    Documents,
    /// A whole index, with the method that deletes.
    Index,
}

/// Returns what a deletion at this address of a document store is about.
fn deleted_index(address: &str) -> Option<Deleted> {
    let (host, path) = address.split_once("://").map_or(address, |(_, rest)| rest).split_once('/')?;
    let path = path.split(['?', '#']).next().unwrap_or_default();
    let steps: Vec<&str> = path.split('/').filter(|step| !step.is_empty()).collect();
    match steps.as_slice() {
        [.., "_delete_by_query"] => Some(Deleted::Documents),
        ["_all" | "*" | "_data_stream" | "_index_template", ..] => Some(Deleted::Index),
        // Recognised by its usual port; an index is the only segment.
        [_] if host.ends_with(":9200") || host.ends_with(":9201") => Some(Deleted::Index),
        _ => None,
    }
}

/// The qualities of data that may flow to another machine.
const CARGO: Qualities = qualities![
    Taint::Secret,
    Taint::Environment,
    Taint::Identity,
    Taint::File,
    Taint::Credential,
    Taint::Stdin,
    Modifier::Lookup,
    Modifier::Uploads,
    Modifier::Mirror,
];

impl Evaluator<'_> {
    /// Remembers the files that a download makes: those that are named, or the last step of the address.
    pub(super) fn record_downloads(&mut self, parsed: &Parsed, traffic: &Traffic, frame: &Frame) {
        if traffic.hosts.iter().all(|host| self.host(host).local) {
            return;
        }
        self.search_engine(parsed, traffic, frame);
        if parsed.qualities.has(Modifier::Remove) {
            for address in &traffic.hosts {
                let host = self.host(address);
                let whole = self.texts(address).iter().any(|text| whole::of_address(text));
                let qualities = qualities![Environment::Remote];
                let qualities = if whole { qualities.with(Modifier::Whole) } else { qualities };
                self.emit(Action::Destroy, Target::Host(host), qualities, frame);
            }
        }
        let flow = Flow::of(qualities![Taint::Downloaded]);
        let named: Vec<Word> = parsed
            .roles
            .iter()
            .filter(|(role, _)| *role == Role::Write)
            .map(|(_, word)| word.clone())
            .collect();
        let of_address = traffic.hosts.iter().filter_map(|address| {
            let text = self.texts(address).into_iter().next()?;
            let path = text.split(['?', '#']).next()?.rsplit('/').next()?;
            (!path.is_empty()).then(|| Word::text(path, address.span.clone()))
        });
        let keeps = parsed.qualities.has(ParseFlag::OutputGiven) || parsed.program.has(Trait::KeepsDownload);
        let by_name = named.is_empty();
        let files: Vec<Word> = if by_name { of_address.collect() } else { named };
        if parsed.qualities.has(Modifier::Extracts) && by_name && !parsed.qualities.has(Modifier::Lists) {
            // The other end says what the files are called.
            let here = Word::text(".", 0..0);
            self.emit_if_ours(Action::Create, &here, qualities![Modifier::Extracts], frame);
        }
        if files.is_empty()
            && keeps
            && by_name
            && !parsed.qualities.has_any(qualities![Modifier::Lists, ParseFlag::Help])
        {
            // Neither is the address known, nor what the file is called.
            let here = Word::text(".", 0..0);
            self.emit_if_ours(Action::Create, &here, qualities![Modifier::Extracts], frame);
        }
        for file in &files {
            if keeps && by_name && !parsed.qualities.has(Modifier::Lists) {
                self.emit_path(Action::Write, file, Qualities::NONE, frame);
            }
            self.write_file(file, &flow, false, frame);
        }
    }

    /// A document store with an HTTP interface: deletions are final. One on this machine is for tests.
    fn search_engine(&mut self, parsed: &Parsed, traffic: &Traffic, frame: &Frame) {
        let data = || parsed.roles.iter().filter(|(role, _)| *role == Role::Data).map(|(_, word)| word);
        // A query that chooses says by what.
        let chooses = data().next().is_some()
            && data().all(|word| word.constant().is_some_and(|text| !text.contains("match_all")));
        for address in &traffic.hosts {
            for text in self.texts(address).into_iter().take(4) {
                let all = match deleted_index(&text) {
                    Some(Deleted::Documents) => !chooses,
                    Some(Deleted::Index) if parsed.qualities.has(Modifier::Remove) => true,
                    Some(Deleted::Index) | None => continue,
                };
                let qualities =
                    qualities![Domain::Database, if all { Modifier::All } else { Modifier::Some }];
                self.emit(Action::Destroy, Target::Name(text), qualities, frame);
            }
        }
    }

    /// Returns the qualities of a piece of data: its own, or those of the file that it names.
    pub(super) fn data_carried(&mut self, role: Role, word: &Word, frame: &Frame) -> Qualities {
        let lead = word.lead().to_owned();
        let file = match role {
            Role::Form => {
                let named = lead.find("=@").or_else(|| lead.find("=<")).map(|place| place + 2);
                named.or_else(|| lead.starts_with('@').then_some(1)).or_else(|| named_file(&lead))
            }
            _ => lead
                .starts_with('@')
                .then_some(1)
                .or_else(|| lead.find("=@").filter(|_| lead.len() < 64).map(|place| place + 2))
                .or_else(|| named_file(&lead)),
        };
        match file {
            Some(length) => self.file_or_input(&word.skip(length), frame).qualities,
            None => self.flow_of(word),
        }
    }

    pub(super) fn add_carried(&mut self, traffic: &Traffic, frame: &Frame) {
        if traffic.hosts.is_empty() && traffic.sent.has(Modifier::Uploads) {
            // Only the program knows the destination, but that it sends is known here, too.
            self.send(&Word::default(), traffic.sent, frame);
        }
        for host in &traffic.hosts {
            self.connect(host, frame);
            if traffic.sends {
                let piped = frame.stdin.qualities.has(Modifier::Mirror) && traffic.sent.has(Modifier::Mirror);
                let sent = if piped { traffic.sent.with(Modifier::Uploads) } else { traffic.sent };
                self.send(host, sent, frame);
            }
        }
    }

    /// The machine that an address names.
    pub(super) fn host(&self, word: &Word) -> Host {
        let text = self.texts(word).into_iter().next();
        // The end of a name says whose it is.
        let known = text.or_else(|| match word.parts.as_slice() {
            [Part::Text(text), ..] if text.contains("://") && text.matches('/').count() > 2 => {
                Some(text.clone())
            }
            [.., Part::Text(text)] if text.starts_with('.') => Some(format!("…{text}")),
            _ => None,
        });
        let name = host_name(known.as_deref().unwrap_or_default());
        let local = is_local(&name);
        Host { name, local }
    }

    /// Notes a connection.
    pub(super) fn connect(&mut self, word: &Word, frame: &Frame) {
        // `file://` is no machine.
        if word.lead().starts_with("file://") {
            self.read_file(&word.skip("file://".len()), frame);
            return;
        }
        let host = self.host(word);
        let qualities = if host.local { qualities![Environment::Local] } else { Qualities::NONE };
        self.emit(Action::Connect, Target::Host(host), qualities, frame);
    }

    /// Notes that something goes to another machine.
    pub(super) fn send(&mut self, word: &Word, what: Qualities, frame: &Frame) {
        let host = self.host(word);
        // `https://token@host`: where a credential belongs.
        let login = word.lead().contains("://")
            && word
                .parts
                .windows(2)
                .any(|pair| matches!(pair, [Part::Unknown(_), Part::Text(text)] if text.starts_with('@')));
        let what = if login { what.without(Taint::Secret).with(Taint::Credential) } else { what };
        let qualities = what.only(CARGO);
        let qualities = if host.local { qualities.with(Environment::Local) } else { qualities };
        self.emit(Action::Send, Target::Host(host), qualities, frame);
    }

    /// Follows the installation of a package. One from a URL is code of whatever is there.
    pub(super) fn package(&mut self, word: &Word, qualities: Qualities, frame: &Frame) {
        let lead = word.lead();
        let from_address = ["http://", "https://", "git+", "git://", "ssh://", "ftp://"]
            .iter()
            .any(|scheme| lead.contains(scheme));
        if from_address {
            let qualities = qualities.with(Taint::Downloaded).with(Modifier::Url);
            self.emit(Action::Run, Target::Name(super::words::show(word)), qualities, frame);
        }
    }
}

/// Returns the place of `@` in `name@file`, which is neither a mail address nor a text with spaces.
fn named_file(lead: &str) -> Option<usize> {
    let (name, rest) = lead.split_once('@')?;
    let is_name =
        !name.is_empty() && name.chars().all(|char| char.is_alphanumeric() || matches!(char, '_' | '-'));
    (is_name && (rest.is_empty() || rest.starts_with(['/', '.', '~']))).then(|| name.len() + 1)
}

/// The machine in `host:path`, if that is what it is.
pub(super) fn remote(word: &Word) -> Option<Word> {
    let lead = word.lead();
    if let Some((scheme, _)) = lead.split_once("://") {
        return (scheme != "file").then(|| word.clone());
    }
    let colon = lead.find(':')?;
    let (host, _) = lead.split_at(colon);
    // A path may hold a colon behind a slash; a drive of Windows is one letter.
    (!host.contains('/') && host.len() > 1).then(|| Word::text(host, word.span.clone()))
}

/// The name of the machine in an address.
pub(super) fn host_name(address: &str) -> String {
    let rest = address.split_once("://").map_or(address, |(_, rest)| rest);
    let rest = rest.split(['/', '?', '#']).next().unwrap_or_default();
    let rest = rest.rsplit_once('@').map_or(rest, |(_, host)| host);
    let host = match rest.strip_prefix('[') {
        Some(inside) => inside.split(']').next().unwrap_or_default(),
        None if rest.matches(':').count() > 1 => rest,
        // `:8000/items` is how clients abbreviate this machine.
        None if rest.starts_with(':') => "localhost",
        None => rest.split(':').next().unwrap_or_default(),
    };
    dotted(host.trim_end_matches('.').to_ascii_lowercase())
}

/// An address as it is usually written: `2852039166`, `0xa9fea9fe` and `::ffff:169.254.169.254` are one.
fn dotted(host: String) -> String {
    let number = match host.strip_prefix("0x") {
        Some(digits) => u32::from_str_radix(digits, 16).ok(),
        None => host.parse().ok(),
    };
    match (number, host.strip_prefix("::ffff:")) {
        (Some(number), _) => std::net::Ipv4Addr::from(number).to_string(),
        (None, Some(inside)) => inside.to_owned(),
        (None, None) => host,
    }
}

/// Returns true if a host is this machine.
pub(super) fn is_local(host: &str) -> bool {
    host == "localhost"
        || host.ends_with(".localhost")
        || host == "::1"
        || host == "0.0.0.0"
        || host == "host.docker.internal"
        || (host.starts_with("127.") && host.chars().all(|char| char.is_ascii_digit() || char == '.'))
}

/// A header that is made to carry a credential.
pub(super) fn is_credential(lead: &str) -> bool {
    let lead = lead.to_ascii_lowercase();
    let name = lead.split(':').next().unwrap_or_default().trim();
    matches!(
        name,
        "authorization"
            | "proxy-authorization"
            | "private-token"
            | "x-auth-token"
            | "x-api-key"
            | "api-key"
            | "apikey"
            | "x-access-token"
            | "x-vault-token"
    ) || (name.starts_with("x-") && name.ends_with("-token"))
        || name.ends_with("-api-key")
        || name == "cookie"
}

/// Returns the protocol of an address, which may be the value of an option: `tcp` carries `stratum` in
/// `--url=stratum+tcp://pool`.
pub(super) fn protocol(text: &str) -> Option<&str> {
    let (before, _) = text.split_once("://")?;
    let scheme = before
        .rsplit(|char: char| !char.is_ascii_alphanumeric() && !matches!(char, '+' | '-' | '.'))
        .next()?;
    scheme.split('+').next().filter(|protocol| !protocol.is_empty())
}
