//! Opening files and reaching hosts: the effect depends on a mode, a URL, or the given data.

use super::{Args, Follower, Value, call::list_of};
use crate::{
    Does, Language,
    names::Call,
    value::{Origin, Shape, word},
};
use checkrein_shell::{Part, Word};
use std::ops::Range;

impl Follower {
    pub(super) fn open(&mut self, args: &Args, span: &Range<usize>) -> Value {
        let path = args.at(0);
        let constant = path.constant().unwrap_or_default();
        if constant.contains("://") {
            let local = ["php://", "data://", "file://"].iter().any(|local| constant.starts_with(local));
            return if local { Value::default() } else { self.reach(&path, args, span) };
        }
        if let (Language::Ruby, Some(command)) = (self.language, constant.strip_prefix('|')) {
            self.shell(&Value::text(command), span);
            return Value::default();
        }
        let mode = args.list.get(1).cloned().or_else(|| args.option("mode")).or_else(|| args.option("flags"));
        let mode = match mode.map(|mode| (mode.constant(), mode.shape)) {
            None => "r".to_owned(),
            Some((Some(mode), _)) => mode,
            Some((None, Shape::Name(name))) if name.ends_with("O_RDONLY") => "r".to_owned(),
            Some((None, Shape::Map(_))) => "w".to_owned(),
            Some((None, _)) => "w".to_owned(),
        };
        let append = mode.contains('a');
        let writes = append || mode.contains(['w', 'x', '+', 'c']);
        for path in path.words() {
            let path = self.at_directory(path);
            let does = if writes { Does::Write { path, append } } else { Does::Read(path) };
            self.act(does, span);
        }
        let from = if writes { Vec::new() } else { vec![Origin::File(path.as_word())] };
        Value { shape: Shape::File(path.as_word()), from }
    }

    fn at_directory(&self, path: Word) -> Word {
        match &self.directory {
            Some(directory) => Value::word(directory.clone()).below(&Value::word(path)).as_word(),
            None => path,
        }
    }

    /// `open(F, ">x")`, `open(F, '>', x)`, `open(F, "cmd |")`, `open(F, "-|", …)`.
    pub(super) fn perl_open(&mut self, args: &Args, span: &Range<usize>) -> Value {
        let Some(second) = args.list.get(1) else { return Value::default() };
        let rest: Vec<Value> = args.list.iter().skip(2).cloned().collect();
        let mut target = second.as_word();
        let mode = match target.parts.first() {
            Some(Part::Text(text)) => text.trim_start().to_owned(),
            _ => String::new(),
        };
        if mode.starts_with(">&") || mode.starts_with("<&") || mode.starts_with("+<&") {
            // Whatever its name, the connection becomes standard input here.
            self.tied |= self.host.is_some();
            return Value::default();
        }
        let pipe = mode.starts_with('|') || mode.starts_with("-|");
        let tail = matches!(target.parts.last(), Some(Part::Text(text)) if text.trim_end().ends_with('|'));
        if pipe || tail && rest.is_empty() {
            match rest.as_slice() {
                [] => {
                    let bare =
                        |text: &str| text.trim().trim_start_matches("-|").trim_matches('|').trim().to_owned();
                    for part in &mut target.parts {
                        if let Part::Text(text) = part {
                            *text = bare(text);
                        }
                    }
                    self.shell(&Value::word(target), span);
                }
                [one] => self.shell(one, span),
                several => {
                    let words = several.iter().flat_map(list_of).map(|value| value.as_word()).collect();
                    self.act(Does::Run(words), span);
                }
            }
            return Value::default();
        }
        let path = match rest.first() {
            Some(path) => path.as_word(),
            None => {
                if let Some(Part::Text(text)) = target.parts.first_mut() {
                    *text = text.trim_start().trim_start_matches(['<', '>', '+', ' ']).to_owned();
                    if text.is_empty() {
                        target.parts.remove(0);
                    }
                }
                target
            }
        };
        let append = mode.starts_with(">>");
        let writes = mode.starts_with(['>', '+']);
        let path = self.at_directory(path);
        self.act(if writes { Does::Write { path, append } } else { Does::Read(path) }, span);
        Value::default()
    }

    pub(super) fn read_file(&mut self, call: Call, args: &Args, span: &Range<usize>) -> Value {
        let path = args.at(0);
        let constant = path.constant().unwrap_or_default();
        if call == Call::ReadOrFetch && constant.contains("://") {
            let local = ["php://", "data://", "file://"].iter().any(|local| constant.starts_with(local));
            return if local { Value::default() } else { self.reach(&path, args, span) };
        }
        match &path.shape {
            // A file that was opened was read then.
            Shape::File(path) => return Value::of(Origin::File(path.clone())),
            Shape::Socket(_) | Shape::Unknown | Shape::Name(_)
                if call == Call::Read && self.language == Language::Ruby =>
            {
                return Value::unknown_from([&path]);
            }
            _ => {}
        }
        for path in path.words() {
            let path = self.at_directory(path);
            self.act(Does::Read(path), span);
        }
        Value::of(Origin::File(path.as_word()))
    }

    /// A request that deletes, as a client of the command line makes it.
    pub(super) fn erase(&mut self, url: &Value, span: &Range<usize>) -> Value {
        for address in url.words() {
            self.act(Does::Run(vec![word("curl"), word("-X"), word("DELETE"), address]), span);
        }
        Value::of(Origin::Network)
    }

    /// Fetches from a URL, or sends data to it.
    pub(super) fn reach(&mut self, url: &Value, args: &Args, span: &Range<usize>) -> Value {
        const DATA: &[&str] = &["data", "json", "files", "body", "content", "form", "params"];
        let given = DATA.iter().filter_map(|name| args.option(name));
        let rest: Vec<Value> =
            args.list.iter().skip(1).filter(|value| !matches!(value.shape, Shape::Map(_))).cloned().collect();
        let data: Vec<Value> = given.chain(rest).chain([url.clone()]).collect();
        let what = self.files(&data);
        let posts = args.option("method").and_then(|method| method.constant());
        let posts = posts
            .is_some_and(|method| matches!(method.to_ascii_uppercase().as_str(), "POST" | "PUT" | "PATCH"));
        let with = DATA.iter().any(|name| *name != "params" && args.option(name).is_some());
        self.environment(data.iter(), span);
        let address = match &url.shape {
            Shape::Map(_) => {
                let host = args
                    .option("hostname")
                    .or(args.option("host"))
                    .or(args.option("url"))
                    .unwrap_or_default();
                host.words()
            }
            _ => url.words(),
        };
        for to in address {
            self.host = Some(to.clone());
            if with || posts || !what.is_empty() {
                self.act(Does::Send { to, what: what.clone() }, span);
            } else {
                self.act(Does::Connect(to), span);
            }
        }
        Value { shape: Shape::Unknown, from: vec![Origin::Network] }
    }

    /// Connects to a host and a port, in whatever order and form they are given.
    pub(super) fn connect(&mut self, args: &Args, span: &Range<usize>) -> Value {
        let option = |names: &[&str]| names.iter().find_map(|name| args.option(name));
        let named = option(&["host", "hostname", "PeerAddr", "PeerHost", "PeerAddress"]);
        let flat: Vec<Value> = args.list.iter().flat_map(list_of).flat_map(|value| list_of(&value)).collect();
        let is_port = |value: &&Value| {
            value.number().is_some() || value.constant().is_some_and(|text| text.parse::<u16>().is_ok())
        };
        let host = named.or_else(|| {
            let other =
                |value: &&Value| !is_port(value) && !matches!(value.shape, Shape::Map(_) | Shape::Name(_));
            flat.iter().find(other).cloned()
        });
        let port = option(&["port", "PeerPort"]).or_else(|| flat.iter().find(is_port).cloned());
        let mut host = match host {
            Some(host) => host.as_word(),
            None if self.language == Language::JavaScript && port.is_some() => word("localhost"),
            None => crate::unknown_word(),
        };
        let has_port = matches!(host.constant(), Some(text) if text.contains(':'));
        if !has_port && let Some(port) = port.and_then(|port| port.constant()) {
            host.push_text(":");
            if !matches!(host.parts.last(), Some(Part::Text(_))) {
                host.push(Part::Text(":".to_owned()));
            }
            host.push_text(&port);
        }
        self.host = Some(host.clone());
        self.act(Does::Connect(host.clone()), span);
        Value { shape: Shape::Socket(host), from: vec![Origin::Network] }
    }
}
