//! The effects of PowerShell's commands with their parameters.

use super::{Does, Origin, Parameters, PowerShellScript, Shape, Value};
use crate::value::{glob, tilde, word};
use checkrein_shell::Word;

/// A bare word: a path may begin with `~` and hold patterns.
pub(super) fn bare(text: &str) -> Value {
    match tilde(text) {
        Some(word) => Value::word(word),
        None if text.contains(['*', '?']) => Value::word(glob(text)),
        None => Value::text(text),
    }
}

/// A text as a path: patterns count inside of quotes, too.
fn path_of(value: &Value) -> Vec<Word> {
    let made = |path: &Word| {
        let text = path.constant()?;
        tilde(&text).or_else(|| text.contains(['*', '?']).then(|| glob(&text)))
    };
    value.words().into_iter().map(|path| made(&path).unwrap_or(path)).collect()
}

impl PowerShellScript {
    /// Follows a command by its name, with the words after it.
    pub(super) fn command(&mut self, name: &Value, input: &Value, start: usize) -> Value {
        let parameters = self.parameters(input);
        let Some(written) = name.constant() else {
            // The name itself is computed.
            self.run(name, &parameters, start);
            return Value::default();
        };
        let lower = written.to_lowercase();
        let lower = lower.rsplit('\\').next().unwrap_or(&lower);
        if self.functions.contains(lower) {
            return Value::default();
        }
        let paths = || match parameters.first(&["path", "literalpath", "lp", "filepath"]) {
            Some(value) => path_of(&value),
            None if input.shape == Shape::Unknown && input.from.is_empty() => {
                vec![crate::unknown_word()]
            }
            None => path_of(input),
        };
        match lower {
            "remove-item" | "rm" | "del" | "ri" | "rd" | "rmdir" | "erase" => {
                if !parameters.switch("whatif") {
                    let recursive = parameters.switch("recurse");
                    for path in paths() {
                        let path = self.path(path);
                        self.act(Does::Delete { path, recursive }, start);
                    }
                }
                Value::default()
            }
            "set-content" | "sc" | "out-file" | "clear-content" | "clc" | "add-content" | "ac"
            | "tee-object" | "tee" | "export-csv" | "export-clixml" | "new-item" | "ni" => {
                let directory =
                    parameters.get("itemtype").or(parameters.get("type")).and_then(|kind| kind.constant());
                let directory = directory.is_some_and(|kind| kind.to_lowercase().starts_with('d'));
                let append = matches!(lower, "add-content" | "ac") || parameters.switch("append");
                if input.origins().contains(&Origin::Environment) {
                    self.act(Does::Environment, start);
                }
                if !directory && parameters.first(&["path", "literalpath", "filepath"]).is_some() {
                    for path in paths() {
                        self.write(&Value::word(path), append, start);
                    }
                }
                Value::default()
            }
            "move-item" | "mv" | "mi" | "move" | "rename-item" | "ren" | "rni" | "copy-item" | "cp"
            | "cpi" | "copy" => {
                let to = parameters.get("destination").or(parameters.get("newname"));
                let to = to
                    .or_else(|| parameters.list.get(usize::from(parameters.get("path").is_none())).cloned());
                let to = self.path(to.map_or_else(crate::unknown_word, |to| to.as_word()));
                for from in paths() {
                    let from = self.path(from);
                    let to = to.clone();
                    let copies = matches!(lower, "copy-item" | "cp" | "cpi" | "copy");
                    self.act(if copies { Does::Copy { from, to } } else { Does::Move { from, to } }, start);
                }
                Value::default()
            }
            "get-content" | "gc" | "cat" | "type" => {
                let paths = paths();
                for path in paths.iter().cloned() {
                    let path = self.path(path);
                    self.act(Does::Read(path), start);
                }
                Value { shape: Shape::Unknown, from: paths.into_iter().map(Origin::File).collect() }
            }
            "set-alias" | "sal" | "new-alias" | "nal" => {
                let name = parameters.first(&["name"]).unwrap_or_default().as_word();
                self.act(Does::Run(vec![Word::text("set-alias", 0..0), name]), start);
                Value::default()
            }
            "set-item" | "si" => {
                let path = parameters.first(&["path"]).unwrap_or_default().as_word();
                self.act(Does::Run(vec![Word::text("set-item", 0..0), path]), start);
                Value::default()
            }
            "get-command" | "gcm" | "where.exe" => {
                let name = parameters.first(&["name"]).unwrap_or_default().as_word();
                self.act(Does::Run(vec![Word::text("which", 0..0), name]), start);
                Value::default()
            }
            "get-childitem" | "gci" | "ls" | "dir" => self.children(&parameters),
            "get-item" | "gi" | "resolve-path" | "rvpa" | "convert-path" => {
                Value::list(paths().into_iter().map(Value::word).collect())
            }
            "join-path" => {
                let (one, two) =
                    (parameters.first(&["path"]).unwrap_or_default(), parameters.get("childpath"));
                let two = two.or_else(|| parameters.list.get(1).cloned()).unwrap_or_default();
                one.below(&two)
            }
            "invoke-webrequest" | "iwr" | "curl" | "wget" | "invoke-restmethod" | "irm"
            | "start-bitstransfer" => self.web(&parameters, start),
            "test-netconnection" | "tnc" => {
                let host = parameters.first(&["computername"]).unwrap_or_default();
                self.act(Does::Connect(host.as_word()), start);
                Value::default()
            }
            "invoke-expression" | "iex" => {
                let text = parameters.first(&["command"]).unwrap_or_else(|| input.clone());
                self.evaluate(&text, start);
                Value::default()
            }
            // A shell that is given what was downloaded.
            "powershell" | "pwsh" | "powershell.exe" | "pwsh.exe" | "cmd" | "cmd.exe"
                if input.from.contains(&Origin::Network) =>
            {
                self.act(Does::Evaluate(input.source()), start);
                Value::default()
            }
            "start-process" | "saps" | "start" => {
                let program = parameters.first(&["filepath"]).unwrap_or_default();
                let rest = parameters.get("argumentlist").or(parameters.get("args"));
                let rest = rest.or_else(|| parameters.list.get(1).cloned());
                let mut words = vec![program.as_word()];
                words.extend(rest.into_iter().flat_map(|rest| rest.words()));
                self.act(Does::Run(words), start);
                Value::default()
            }
            "new-object" => {
                let kind = parameters
                    .first(&["typename"])
                    .and_then(|kind| kind.constant())
                    .unwrap_or_default()
                    .to_lowercase();
                let kind = kind.strip_prefix("system.").unwrap_or(&kind).to_owned();
                // `New-Object T(a, b)` and `-ArgumentList a, b`.
                let given = parameters.get("argumentlist").or_else(|| parameters.list.get(1).cloned());
                let args: Vec<Value> = match given.map(|given| (given.shape, given.from)) {
                    Some((Shape::List(list), _)) => list,
                    Some((shape, from)) => vec![Value { shape, from }],
                    None => Vec::new(),
                };
                self.create(&kind, &args, start)
            }
            "stop-process" | "kill" | "spps" => {
                self.act(Does::Kill, start);
                Value::default()
            }
            "set-location" | "cd" | "sl" | "chdir" | "push-location" | "pushd" => {
                self.directory = paths().into_iter().next().map(|directory| self.path(directory));
                Value::default()
            }
            "write-host" | "write-output" | "echo" | "write" | "out-string" | "out-host" | "format-table"
            | "ft" | "fl" => {
                let value =
                    if parameters.list.is_empty() { input.clone() } else { Value::any(parameters.list) };
                if value.origins().contains(&Origin::Environment) {
                    self.act(Does::Environment, start);
                }
                value
            }
            "foreach-object" | "%" | "foreach" => parameters.block.unwrap_or_else(|| input.clone()),
            "where-object" | "?" | "where" | "select-object" | "select" | "sort-object" | "sort" => {
                input.clone()
            }
            "stop-computer"
            | "restart-computer"
            | "format-volume"
            | "clear-disk"
            | "initialize-disk"
            | "set-executionpolicy"
            | "set-mppreference"
            | "remove-localuser"
            | "new-localuser"
            | "set-itemproperty"
            | "new-itemproperty"
            | "remove-itemproperty"
            | "register-scheduledtask"
            | "new-service"
            | "stop-service"
            | "clear-eventlog"
            | "set-acl"
            | "disable-netfirewallrule"
            | "set-netfirewallprofile"
            | "remove-ciminstance"
            | "remove-wmiobject"
            | "clear-recyclebin" => {
                self.run(name, &parameters, start);
                Value::default()
            }
            // Any other verb and noun is a command of PowerShell that is not known here; the rest are programs.
            _ if is_cmdlet(lower) => Value::unknown_from([input]),
            _ => {
                self.run(name, &parameters, start);
                Value::default()
            }
        }
    }

    fn run(&mut self, name: &Value, parameters: &Parameters, start: usize) {
        let mut words = vec![name.as_word()];
        words.extend(parameters.words.iter().flat_map(Value::words));
        self.act(Does::Run(words), start);
    }

    fn children(&mut self, parameters: &Parameters) -> Value {
        let directory = parameters.first(&["path", "literalpath"]).unwrap_or_else(|| Value::text("."));
        if directory.constant().is_some_and(|text| text.to_lowercase().starts_with("env:")) {
            // Shown, unless something takes it.
            if !matches!(self.peek(), Some(super::Tok::Op("|"))) {
                self.act(Does::Environment, self.at.saturating_sub(1));
            }
            return Value::of(Origin::Environment);
        }
        let filter = parameters
            .get("filter")
            .or(parameters.get("include"))
            .and_then(|filter| filter.as_word().pattern());
        // Several names: each of them.
        let included: Vec<String> = parameters
            .get("include")
            .map(|names| names.words().iter().filter_map(Word::pattern).collect())
            .unwrap_or_default();
        let filters = match filter {
            Some(filter) => vec![filter],
            None if included.is_empty() => vec!["*".to_owned()],
            None => included,
        };
        let below = |path: Word| {
            let has_pattern = path.parts.iter().any(|part| matches!(part, checkrein_shell::Part::Glob(_)));
            let inside = |filter: &String| Value::word(path.clone()).below(&Value::pattern(filter));
            if has_pattern { vec![Value::word(path)] } else { filters.iter().map(inside).collect() }
        };
        Value::list(path_of(&directory).into_iter().flat_map(below).collect())
    }

    fn web(&mut self, parameters: &Parameters, start: usize) -> Value {
        let url = parameters.first(&["uri", "source"]).unwrap_or_default();
        let body = parameters.get("body").or(parameters.get("form"));
        let mut what: Vec<Word> = body
            .iter()
            .flat_map(Value::origins)
            .filter_map(|origin| match origin {
                Origin::File(path) => Some(path),
                _ => None,
            })
            .collect();
        what.extend(parameters.get("infile").iter().map(Value::as_word));
        let posts = parameters.get("method").and_then(|method| method.constant());
        let posts =
            posts.is_some_and(|method| matches!(method.to_lowercase().as_str(), "post" | "put" | "patch"));
        if body.iter().flat_map(Value::origins).any(|origin| origin == Origin::Environment) {
            self.act(Does::Environment, start);
        }
        let to = url.as_word();
        if body.is_some() || posts || !what.is_empty() {
            self.act(Does::Send { to, what }, start);
        } else {
            self.act(Does::Connect(to), start);
        }
        if let Some(path) = parameters.get("outfile").or(parameters.get("destination")) {
            self.write(&path, false, start);
        }
        Value::of(Origin::Network)
    }
}

/// `Verb-Noun`
fn is_cmdlet(name: &str) -> bool {
    const VERBS: &[&str] = &[
        "get",
        "set",
        "new",
        "add",
        "out",
        "write",
        "read",
        "convertto",
        "convertfrom",
        "select",
        "sort",
        "test",
        "measure",
        "group",
        "compare",
        "import",
        "export",
        "format",
        "join",
        "split",
        "update",
        "wait",
        "start",
        "where",
        "foreach",
        "resolve",
        "find",
        "install",
        "save",
        "enable",
        "disable",
        "show",
        "clear",
        "remove",
        "invoke",
        "register",
        "convert",
    ];
    name.split_once('-')
        .is_some_and(|(verb, noun)| VERBS.contains(&verb) && noun.starts_with(char::is_alphabetic))
        || matches!(
            name,
            "cls"
                | "pwd"
                | "gl"
                | "gm"
                | "gps"
                | "ps"
                | "gsv"
                | "measure"
                | "tee"
                | "popd"
                | "h"
                | "history"
                | "md"
                | "mkdir"
                | "sleep"
                | "gv"
                | "sv"
                | "man"
                | "help"
                | "true"
                | "false"
                | "exit"
        )
}

/// The word itself, for tests of a name.
pub(super) fn host_port(host: &Value, port: Option<&Value>) -> Word {
    let mut made = host.as_word();
    if let Some(port) = port.and_then(Value::constant) {
        for part in word(&format!(":{port}")).parts {
            made.push(part);
        }
    }
    made
}
