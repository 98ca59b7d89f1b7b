//! The hooks of a case as real scripts, and the configuration that names them.
//!
//! A script first stores its stdin (`<hook>.stdin.jsonl`), then writes its name to `asked.log`, then
//! behaves as the case requires. Its texts are files, so that no quoting is needed between the corpus and
//! the pipe.

use super::{Case, Form, HookCase, Saying, Stdin};
use checkrein_core::{OnFailure, Role};
use checkrein_exec::answer::Exit;
use serde_json::{Value, json};
use std::{
    fmt::Write as _,
    fs,
    path::{Path, PathBuf},
};

/// The file of a run that names the hooks that were called.
pub(super) const LOG: &str = "asked.log";
/// More bytes than we keep of a stream.
const FLOOD: usize = 1_200_000;

/// Writes the scripts of a case and a configuration for them below `dir`, and returns the configuration's
/// path.
pub fn write_config(case: &Case, dir: &Path) -> Result<PathBuf, String> {
    let shown = dir.to_str().ok_or("the directory's name is not UTF-8")?;
    let case = &case.filled(shown);
    let hooks = dir.join("hooks");
    fs::create_dir_all(&hooks).map_err(|error| error.to_string())?;
    let write = |path: &Path, text: &str| {
        fs::write(path, text).map_err(|error| format!("{}: {error}", path.display()))
    };
    for hook in &case.hooks {
        write(&hooks.join(format!("{}.sh", hook.name)), &script(hook, shown))?;
        let sayings = hook.when.iter().map(|(_, said)| said).chain([&hook.otherwise]);
        for (at, said) in sayings.enumerate() {
            write(&hooks.join(format!("{}.{at}.stdout", hook.name)), &said.stdout)?;
            write(&hooks.join(format!("{}.{at}.stderr", hook.name)), &said.stderr)?;
        }
    }
    let (name, text) = match &case.form {
        // An empty file is not a configuration.
        Form::Toml if case.hooks.is_empty() => ("checkrein.toml", "# no hooks\n".to_owned()),
        Form::Toml => ("checkrein.toml", case.hooks.iter().map(|hook| toml(hook, shown)).collect()),
        Form::JsonList => ("hooks.json", json_list(&case.hooks, shown)?),
        Form::Broken(text) => ("broken.toml", text.clone()),
    };
    let path = dir.join(name);
    write(&path, &text).map(|()| path)
}

/// Quotes a text for the shell and TOML.
fn quoted(text: &str) -> String {
    format!("'{}'", text.replace('\'', r"'\''"))
}

fn script(hook: &HookCase, dir: &str) -> String {
    let name = &hook.name;
    let mut text = format!("dir={}\ninput=\n", quoted(dir));
    text.push_str(match hook.stdin {
        Stdin::Read => "input=$(cat)\n",
        Stdin::Ignore => "",
        Stdin::Close => "exec <&-\n",
    });
    if hook.stdin == Stdin::Read {
        let _ = writeln!(text, "printf '%s\\n' \"$input\" >> \"$dir/{name}.stdin.jsonl\"");
    }
    let _ = writeln!(text, "env > \"$dir/{name}.env\"");
    let _ = writeln!(text, "pwd -P > \"$dir/{name}.pwd\"");
    let _ = writeln!(text, "for arg in \"$@\"; do printf '%s\\n' \"$arg\"; done > \"$dir/{name}.args\"");
    if hook.child {
        let _ = writeln!(text, "sleep 60 &\nprintf '%s\\n' $! > \"$dir/{name}.child\"");
    }
    let _ = writeln!(text, "printf '%s\\n' {} >> \"$dir/{LOG}\"", quoted(name));
    text.push_str("case $input in\n");
    for (at, (part, said)) in hook.when.iter().enumerate() {
        let _ = writeln!(text, "*{}*)\n{};;", quoted(part), says(name, at, said));
    }
    let _ = writeln!(text, "*)\n{};;\nesac", says(name, hook.when.len(), &hook.otherwise));
    text
}

/// Returns the lines of a script for one behaviour.
fn says(name: &str, at: usize, said: &Saying) -> String {
    let noise = |bytes: usize| format!("head -c {bytes} /dev/zero | tr '\\0' x");
    let mut text = String::new();
    if said.sleep > 0.0 {
        let _ = writeln!(text, "sleep {}", said.sleep);
    }
    if said.noise > 0 {
        let _ = writeln!(text, "{} >&2", noise(said.noise));
    }
    if let Some(stream) = said.flood {
        let _ = writeln!(text, "{}{}", noise(FLOOD), if stream == "stderr" { " >&2" } else { "" });
    }
    let _ = writeln!(text, "cat \"$dir/hooks/{name}.{at}.stdout\"");
    let _ = writeln!(text, "cat \"$dir/hooks/{name}.{at}.stderr\" >&2");
    let _ = match said.exit {
        Exit::Code(code) => writeln!(text, "exit {code}"),
        Exit::Signal(signal) => writeln!(text, "kill -{signal} $$"),
    };
    text
}

fn command(hook: &HookCase, dir: &str) -> Value {
    let path = format!("{dir}/hooks/{}.sh", hook.name);
    match &hook.args {
        _ if hook.missing => json!([format!("{dir}/hooks/no-such-program")]),
        Some(args) => ["/bin/sh".to_owned(), path].into_iter().chain(args.iter().cloned()).collect(),
        // Without a shell around it, which would turn a signal into an exit code.
        None => format!("exec sh {}", quoted(&path)).into(),
    }
}

/// Returns one `[[hook]]`. Strings and lists are written as in JSON, which TOML reads as well.
fn toml(hook: &HookCase, dir: &str) -> String {
    let mut text = String::from("[[hook]]\n");
    let mut field = |key: &str, value: Value| {
        let _ = writeln!(text, "{key} = {value}");
    };
    field("event", hook.event.as_str().into());
    field("name", hook.name.as_str().into());
    field("command", command(hook, dir));
    if hook.role != Role::Plain {
        field("role", hook.role.as_str().into());
    }
    if let Some(rule) = hook.on_failure {
        field("on_failure", OnFailure::as_str(rule).into());
    }
    if let Some(timeout) = hook.timeout {
        field("timeout", timeout.into());
    }
    if hook.may_allow {
        field("may_allow", true.into());
    }
    if let Some(cwd) = &hook.cwd {
        field("cwd", cwd.as_str().into());
    }
    let tool = hook.only.as_ref().map(|only| format!("tool = {}", Value::from(only.clone())));
    let except = (!hook.except.is_empty()).then(|| format!("except = {}", Value::from(hook.except.clone())));
    let scope: Vec<String> = tool.into_iter().chain(except).collect();
    if !scope.is_empty() {
        let _ = writeln!(text, "match = {{ {} }}", scope.join(", "));
    }
    text
}

fn json_list(hooks: &[HookCase], dir: &str) -> Result<String, String> {
    let entries = hooks.iter().map(|hook| {
        let command = command(hook, dir);
        if !command.is_string() || hook.role != Role::Plain || hook.on_failure.is_some() || hook.may_allow {
            return Err(format!("`{}` cannot be in a JSON list", hook.name));
        }
        let mut entry = json!({"event": hook.event.as_str(), "name": hook.name, "command": command});
        if let Value::Object(fields) = &mut entry {
            if let Some(only) = &hook.only {
                // The two forms of a list: one name, or several.
                let names = if let [one] = only.as_slice() { json!(one) } else { json!(only) };
                fields.insert("match".into(), json!({"tool": names}));
            }
            if let Some(timeout) = hook.timeout {
                fields.insert("timeout".into(), timeout.into());
            }
        }
        Ok(entry)
    });
    Ok(Value::Array(entries.collect::<Result<_, _>>()?).to_string())
}
