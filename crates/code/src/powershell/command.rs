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

/// A text as a path: patterns count inside quotes, too.
fn path_of(value: &Value) -> Vec<Word> {
    let made = |path: &Word| {
        let text = path.constant()?;
        tilde(&text).or_else(|| text.contains(['*', '?']).then(|| glob(&text)))
    };
    value.words().into_iter().map(|path| made(&path).unwrap_or(path)).collect()
}

/// Commands that change the machine, which the table of programs has.
const RUNS: &[&str] = &[
    "stop-computer",
    "restart-computer",
    "format-volume",
    "clear-disk",
    "initialize-disk",
    "set-executionpolicy",
    "set-mppreference",
    "remove-localuser",
    "new-localuser",
    "set-itemproperty",
    "new-itemproperty",
    "remove-itemproperty",
    "register-scheduledtask",
    "new-service",
    "stop-service",
    "clear-eventlog",
    "set-acl",
    "disable-netfirewallrule",
    "set-netfirewallprofile",
    "remove-ciminstance",
    "remove-wmiobject",
    "clear-recyclebin",
];

/// A command with its parameters and its input.
struct Invoked<'a> {
    name: &'a Value,
    /// The name in lower case, without its module.
    lower: &'a str,
    parameters: &'a Parameters,
    input: &'a Value,
    start: usize,
}

impl Invoked<'_> {
    /// Returns the paths that the command is about: those that a parameter names, or those from the pipeline.
    fn paths(&self) -> Vec<Word> {
        match self.parameters.first(&["path", "literalpath", "lp", "filepath"]) {
            Some(value) => path_of(&value),
            None if self.input.shape == Shape::Unknown && self.input.from.is_empty() => {
                vec![crate::unknown_word()]
            }
            None => path_of(self.input),
        }
    }

    /// Returns a parameter by its name, or by its place among those without one.
    fn parameter(&self, name: &str, place: usize) -> Option<Value> {
        self.parameters.get(name).or_else(|| self.parameters.list.get(place).cloned())
    }
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
        let call = Invoked { name, lower, parameters: &parameters, input, start };
        self.file_command(&call)
            .or_else(|| self.running_command(&call))
            .unwrap_or_else(|| self.other_command(&call))
    }

    /// Follows a command that changes or reads files.
    fn file_command(&mut self, call: &Invoked<'_>) -> Option<Value> {
        match call.lower {
            "remove-item" | "rm" | "del" | "ri" | "rd" | "rmdir" | "erase" => {
                if !call.parameters.switch("whatif") {
                    let recursive = call.parameters.switch("recurse");
                    for path in call.paths() {
                        let path = self.path(path);
                        self.act(Does::Delete { path, recursive }, call.start);
                    }
                }
            }
            "set-content" | "sc" | "out-file" | "clear-content" | "clc" | "add-content" | "ac"
            | "tee-object" | "tee" | "export-csv" | "export-clixml" | "new-item" | "ni" => {
                self.writing_command(call);
            }
            "move-item" | "mv" | "mi" | "move" | "rename-item" | "ren" | "rni" | "copy-item" | "cp"
            | "cpi" | "copy" => self.moving_command(call),
            "get-content" | "gc" | "cat" | "type" => {
                let paths = call.paths();
                for path in paths.iter().cloned() {
                    let path = self.path(path);
                    self.act(Does::Read(path), call.start);
                }
                let from = paths.into_iter().map(Origin::File).collect();
                return Some(Value { shape: Shape::Unknown, from });
            }
            "get-childitem" | "gci" | "ls" | "dir" => return Some(self.children(call.parameters)),
            "get-item" | "gi" | "resolve-path" | "rvpa" | "convert-path" => {
                return Some(Value::list(call.paths().into_iter().map(Value::word).collect()));
            }
            "join-path" => {
                let directory = call.parameters.first(&["path"]).unwrap_or_default();
                return Some(directory.below(&call.parameter("childpath", 1).unwrap_or_default()));
            }
            "set-location" | "cd" | "sl" | "chdir" | "push-location" | "pushd" => {
                self.directory = call.paths().into_iter().next().map(|directory| self.path(directory));
            }
            _ => return None,
        }
        Some(Value::default())
    }

    fn writing_command(&mut self, call: &Invoked<'_>) {
        let parameters = call.parameters;
        let kind = parameters.get("itemtype").or(parameters.get("type")).and_then(|kind| kind.constant());
        let directory = kind.is_some_and(|kind| kind.to_lowercase().starts_with('d'));
        let append = matches!(call.lower, "add-content" | "ac") || parameters.switch("append");
        if call.input.origins().contains(&Origin::Environment) {
            self.act(Does::Environment, call.start);
        }
        if !directory && parameters.first(&["path", "literalpath", "filepath"]).is_some() {
            for path in call.paths() {
                self.write(&Value::word(path), append, call.start);
            }
        }
    }

    fn moving_command(&mut self, call: &Invoked<'_>) {
        let parameters = call.parameters;
        let to = parameters.get("destination").or(parameters.get("newname"));
        let to = to.or_else(|| parameters.list.get(usize::from(parameters.get("path").is_none())).cloned());
        let to = self.path(to.map_or_else(crate::unknown_word, |to| to.as_word()));
        let copies = matches!(call.lower, "copy-item" | "cp" | "cpi" | "copy");
        for from in call.paths() {
            let (from, to) = (self.path(from), to.clone());
            self.act(if copies { Does::Copy { from, to } } else { Does::Move { from, to } }, call.start);
        }
    }

    /// Follows a command that runs something, defines a command or talks to another machine.
    fn running_command(&mut self, call: &Invoked<'_>) -> Option<Value> {
        let parameters = call.parameters;
        let named = |program: &str, key: &str| {
            let name = parameters.first(&[key]).unwrap_or_default().as_word();
            Does::Run(vec![Word::text(program, 0..0), name])
        };
        match call.lower {
            "set-alias" | "sal" | "new-alias" | "nal" => self.act(named("set-alias", "name"), call.start),
            "set-item" | "si" => self.act(named("set-item", "path"), call.start),
            "get-command" | "gcm" | "where.exe" => self.act(named("which", "name"), call.start),
            "invoke-webrequest" | "iwr" | "curl" | "wget" | "invoke-restmethod" | "irm"
            | "start-bitstransfer" => return Some(self.web(parameters, call.start)),
            "test-netconnection" | "tnc" => {
                let host = parameters.first(&["computername"]).unwrap_or_default();
                self.act(Does::Connect(host.as_word()), call.start);
            }
            "invoke-expression" | "iex" => {
                let text = parameters.first(&["command"]).unwrap_or_else(|| call.input.clone());
                self.evaluate(&text, call.start);
            }
            // A shell that is given what was downloaded.
            "powershell" | "pwsh" | "powershell.exe" | "pwsh.exe" | "cmd" | "cmd.exe"
                if call.input.from.contains(&Origin::Network) =>
            {
                self.act(Does::Evaluate(call.input.source()), call.start);
            }
            "start-process" | "saps" | "start" => {
                let program = parameters.first(&["filepath"]).unwrap_or_default();
                let rest = parameters.get("argumentlist").or_else(|| call.parameter("args", 1));
                let mut words = vec![program.as_word()];
                words.extend(rest.into_iter().flat_map(|rest| rest.words()));
                self.act(Does::Run(words), call.start);
            }
            "new-object" => return Some(self.new_object(call)),
            "stop-process" | "kill" | "spps" => {
                self.act(Does::Kill, call.start);
                // By its name, or as what a search for it found.
                let name = parameters.get("name").or_else(|| parameters.get("processname"));
                let name =
                    name.or_else(|| Some(call.input.clone()).filter(|input| input.constant().is_some()));
                if let Some(name) = name {
                    let words = vec![Word::text("pkill", 0..0), Word::text("-x", 0..0), name.as_word()];
                    self.act(Does::Run(words), call.start);
                }
            }
            "get-process" | "gps" | "ps" => {
                return Some(parameters.first(&["name", "processname"]).unwrap_or_default());
            }
            _ => return None,
        }
        Some(Value::default())
    }

    /// Follows `New-Object T(a, b)` and `New-Object T -ArgumentList a, b`.
    fn new_object(&mut self, call: &Invoked<'_>) -> Value {
        let kind = call.parameters.first(&["typename"]).and_then(|kind| kind.constant());
        let kind = kind.unwrap_or_default().to_lowercase();
        let kind = kind.strip_prefix("system.").unwrap_or(&kind).to_owned();
        let given = call.parameter("argumentlist", 1);
        let args: Vec<Value> = match given.map(|given| (given.shape, given.from)) {
            Some((Shape::List(list), _)) => list,
            Some((shape, from)) => vec![Value { shape, from }],
            None => Vec::new(),
        };
        self.create(&kind, &args, call.start)
    }

    /// Follows a command that passes data on, a program, or a command that is not known here.
    fn other_command(&mut self, call: &Invoked<'_>) -> Value {
        match call.lower {
            "write-host" | "write-output" | "echo" | "write" | "out-string" | "out-host" | "format-table"
            | "ft" | "fl" => {
                let list = &call.parameters.list;
                let value = if list.is_empty() { call.input.clone() } else { Value::any(list.clone()) };
                if value.origins().contains(&Origin::Environment) {
                    self.act(Does::Environment, call.start);
                }
                value
            }
            "foreach-object" | "%" | "foreach" => {
                call.parameters.block.clone().unwrap_or_else(|| call.input.clone())
            }
            "where-object" | "?" | "where" | "select-object" | "select" | "sort-object" | "sort" => {
                call.input.clone()
            }
            // Any other verb and noun is a command of PowerShell that is not known here; the rest are programs.
            lower if is_cmdlet(lower) && !RUNS.contains(&lower) => Value::unknown_from([call.input]),
            _ => {
                self.run(call.name, call.parameters, call.start);
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
