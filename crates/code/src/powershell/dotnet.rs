//! Objects and static calls of .NET that delete, write, read, run and connect.

use super::{Does, Origin, PowerShellScript, Shape, Value, command::host_port};
use crate::decode;

impl PowerShellScript {
    /// `New-Object T`, `[T]::new()`.
    pub(super) fn create(&mut self, kind: &str, args: &[Value], start: usize) -> Value {
        match kind {
            "net.sockets.tcpclient" | "net.sockets.udpclient" => {
                if let Some(host) = args.first() {
                    let to = host_port(host, args.get(1));
                    self.act(Does::Connect(to.clone()), start);
                    return Value { shape: Shape::Socket(to), from: vec![Origin::Network] };
                }
                Value { shape: Shape::Socket(crate::unknown_word()), from: vec![Origin::Network] }
            }
            "io.streamwriter" => {
                if let Some(path) = args.first()
                    && matches!(path.shape, Shape::Text(_))
                {
                    self.write(path, false, start);
                }
                Value::unknown_from(args)
            }
            "io.streamreader" => Value::unknown_from(args),
            "uri" => args.first().cloned().unwrap_or_default(),
            _ => Value { shape: Shape::Name(kind.to_owned()), from: Value::unknown_from(args).from },
        }
    }

    /// Follows a member of a value or of a type.
    pub(super) fn member(&mut self, value: Value, name: &str, args: &[Value], start: usize) -> Value {
        let kind = match &value.shape {
            Shape::Name(kind) => kind.clone(),
            _ => String::new(),
        };
        if name == "new" && !kind.is_empty() {
            return self.create(&kind, args, start);
        }
        self.file_member(&kind, name, args, start)
            .or_else(|| self.system_member(&kind, name, args, start))
            .or_else(|| self.network_member(&value, name, args, start))
            .unwrap_or_else(|| self.other_member(value, &kind, name, args, start))
    }

    /// Follows a static member of the types for files and paths.
    fn file_member(&mut self, kind: &str, name: &str, args: &[Value], start: usize) -> Option<Value> {
        let first = args.first().cloned().unwrap_or_default();
        Some(match (kind, name) {
            ("io.file", "delete") | ("io.directory", "delete") => {
                let recursive = kind == "io.directory" && is_true(args.get(1));
                let path = self.path(first.as_word());
                self.act(Does::Delete { path, recursive }, start);
                Value::default()
            }
            (
                "io.file",
                "writealltext" | "writeallbytes" | "writealllines" | "create" | "createtext" | "openwrite",
            ) => {
                self.write(&first, false, start);
                Value::default()
            }
            ("io.file", "appendalltext" | "appendalllines" | "appendtext") => {
                self.write(&first, true, start);
                Value::default()
            }
            ("io.file", "readalltext" | "readallbytes" | "readalllines" | "openread" | "opentext") => {
                let path = self.path(first.as_word());
                self.act(Does::Read(path.clone()), start);
                Value::of(Origin::File(path))
            }
            ("io.file" | "io.directory", "move") | ("io.file", "copy" | "replace") => {
                let (from, to) =
                    (first.as_word(), args.get(1).map_or_else(crate::unknown_word, Value::as_word));
                self.act(
                    if name == "copy" { Does::Copy { from, to } } else { Does::Move { from, to } },
                    start,
                );
                Value::default()
            }
            ("io.path", "combine") => {
                args.iter().cloned().reduce(|one, two| one.below(&two)).unwrap_or_default()
            }
            ("io.directory", "getfiles" | "getdirectories" | "enumeratefiles" | "getfilesystementries") => {
                Value::list(vec![first.below(&Value::pattern("*"))])
            }
            _ => return None,
        })
    }

    /// Follows a static member of the types for processes, the environment and encodings.
    fn system_member(&mut self, kind: &str, name: &str, args: &[Value], start: usize) -> Option<Value> {
        let first = args.first().cloned().unwrap_or_default();
        Some(match (kind, name) {
            ("diagnostics.process", "start") => {
                let mut words = vec![first.as_word()];
                words.extend(args.iter().skip(1).flat_map(Value::words));
                self.act(Does::Run(words), start);
                Value::default()
            }
            ("environment", "getfolderpath") => Value::home(),
            ("environment", "getenvironmentvariable") => match first.constant().as_deref() {
                Some("HOME" | "USERPROFILE") => Value::home(),
                _ => Value::default(),
            },
            ("environment", "getenvironmentvariables") => Value::of(Origin::Environment),
            ("convert", "frombase64string") => {
                match first.constant().and_then(|text| decode::base64(&text)) {
                    // The bytes as a text in hexadecimal digits, until an encoding says what they are.
                    Some(bytes) => {
                        let digits: String = bytes.iter().map(|byte| format!("{byte:02x}")).collect();
                        Value::text(&digits).with(vec![Origin::Decoded])
                    }
                    None => Value::of(Origin::Decoded),
                }
            }
            (kind, "utf8" | "unicode" | "ascii" | "default") if kind.ends_with("encoding") => {
                Value::name(format!("encoding.{name}"))
            }
            ("encoding.unicode" | "encoding.utf8" | "encoding.ascii" | "encoding.default", "getstring") => {
                let bytes = first.constant().and_then(|digits| decode::hex(&digits));
                let text = bytes.and_then(|bytes| match kind {
                    "encoding.unicode" => decode::utf16(&bytes),
                    _ => String::from_utf8(bytes).ok(),
                });
                match text {
                    Some(text) if first.from == [Origin::Decoded] => Value::text(&text),
                    // Bytes of a buffer that a stream filled.
                    _ if self.heard => Value::unknown_from([&first]).with(vec![Origin::Network]),
                    _ => Value::unknown_from([&first]),
                }
            }
            ("scriptblock", "create") => {
                self.evaluate(&first, start);
                Value::default()
            }
            _ => return None,
        })
    }

    /// Follows a member that talks to another machine.
    fn network_member(&mut self, value: &Value, name: &str, args: &[Value], start: usize) -> Option<Value> {
        let first = args.first().cloned().unwrap_or_default();
        Some(match name {
            "downloadstring" | "downloaddata" | "getstringasync" | "getasync" | "openread" => {
                self.act(Does::Connect(first.as_word()), start);
                Value::of(Origin::Network)
            }
            "downloadfile" => {
                self.act(Does::Connect(first.as_word()), start);
                if let Some(path) = args.get(1) {
                    self.write(path, false, start);
                }
                Value::default()
            }
            "uploadstring" | "uploaddata" | "uploadfile" | "postasync" => {
                let upload = args.last().cloned().unwrap_or_default();
                let mut what: Vec<checkrein_shell::Word> = upload
                    .origins()
                    .into_iter()
                    .filter_map(|origin| match origin {
                        Origin::File(path) => Some(path),
                        _ => None,
                    })
                    .collect();
                if name == "uploadfile" {
                    what.push(upload.as_word());
                }
                self.act(Does::Send { to: first.as_word(), what }, start);
                Value::of(Origin::Network)
            }
            "connect" if !args.is_empty() => {
                let to = host_port(&first, args.get(1));
                self.act(Does::Connect(to), start);
                Value::of(Origin::Network)
            }
            "read" | "receive" | "readasync" if value.origins().contains(&Origin::Network) => {
                self.heard = true;
                Value::of(Origin::Network)
            }
            _ => return None,
        })
    }

    /// Follows a member of a value that is neither a type nor a connection.
    fn other_member(&mut self, value: Value, kind: &str, name: &str, args: &[Value], start: usize) -> Value {
        let first = args.first().cloned().unwrap_or_default();
        match name {
            "delete" if kind.is_empty() && !matches!(value.shape, Shape::Socket(_)) => {
                for path in value.words() {
                    let path = self.path(path);
                    self.act(Does::Delete { path, recursive: is_true(args.first()) }, start);
                }
                Value::default()
            }
            "kill" if args.is_empty() => {
                self.act(Does::Kill, start);
                Value::default()
            }
            // `{ENTER}` and `~` are the key that ends a line.
            "sendkeys" | "sendwait" | "send"
                if args.len() < 3 && !matches!(value.shape, Shape::Socket(_)) =>
            {
                let text = match first.constant() {
                    Some(text) => Value::text(
                        &text.replace("{ENTER}", "\n").replace("{enter}", "\n").replace('~', "\n"),
                    ),
                    None => first,
                };
                if name != "send" {
                    self.act(Does::Type(text.as_word()), start);
                }
                Value::default()
            }
            "invokescript" | "invokecommand" => {
                self.evaluate(&first, start);
                Value::default()
            }
            "fullname" | "path" | "tostring" | "trim" | "content" => value,
            "replace" => match (value.constant(), first.constant(), args.get(1).and_then(Value::constant)) {
                (Some(text), Some(old), Some(new)) if !old.is_empty() && new.len() <= old.len() => {
                    Value::text(&text.replace(&old, &new))
                }
                _ => Value::unknown_from([&value]),
            },
            _ => Value::unknown_from(args.iter().chain([&value])),
        }
    }
}

/// Returns true if an argument is given and not `$false`.
fn is_true(value: Option<&Value>) -> bool {
    value.is_some_and(|value| value.constant().as_deref() != Some("$false"))
}
