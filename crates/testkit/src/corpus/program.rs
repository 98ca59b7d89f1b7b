//! The second door: the program, with the event on its stdin and real scripts as hooks.

use super::{Case, Children, Form, Seen, script, write_config};
use checkrein_core::{Class, EventName, Map, Role, ToolKind, json};
use serde_json::Value;
use std::{
    collections::BTreeMap,
    fs::{self, File},
    path::Path,
    process::{Command, Output, Stdio},
    time::{Duration, Instant},
};

/// A secret that agents pass to their children, and that hooks must not get.
const SECRET: (&str, &str) = ("FAKE_API_KEY", "do-not-pass-on");
/// The timeout for things that happen after the answer.
const PATIENCE: Duration = Duration::from_secs(20);

/// Runs a case through `program hook --host checkrein --config ...` and compares.
pub fn run_program(case: &Case, program: &Path) -> Result<(), String> {
    let fail = |what: String| format!("{}: {what}", case.name);
    let scratch = tempfile::tempdir().map_err(|error| fail(error.to_string()))?;
    // Hooks report their directory without symlinks.
    let dir = scratch.path().canonicalize().map_err(|error| fail(error.to_string()))?;
    let shown = dir.to_str().ok_or_else(|| fail("the directory's name is not UTF-8".into()))?;
    for directory in ["home", "work"] {
        fs::create_dir(dir.join(directory)).map_err(|error| fail(error.to_string()))?;
    }
    let case = &case.filled(shown);
    let config = write_config(case, &dir).map_err(fail)?;
    let event = Value::Object(with_something_to_do(case)).to_string();
    fs::write(dir.join("event.json"), event).map_err(|error| fail(error.to_string()))?;

    let hook = ["hook", "--host", "checkrein", "--config"];
    let output = start(program, &hook, &config, &dir).map_err(|error| fail(error.to_string()))?;
    let (stdout, stderr) = (String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
    let whole = |what: String| {
        fail(format!("{what}\nexit: {:?}\nstdout: {stdout}\nstderr: {stderr}", output.status.code()))
    };
    let answer = json::parse_object(&output.stdout).map_err(|error| whole(format!("bad answer: {error}")))?;
    if let Some(part) = &case.expect.rejected {
        return rejected(&answer, part, output.status.code()).map_err(whole);
    }
    if matches!(case.form, Form::Broken(_)) {
        // The model gets the place and kind of the problem; the user gets the whole text.
        let shown =
            start(program, &["hooks", "--config"], &config, &dir).map_err(|error| fail(error.to_string()))?;
        let shown = String::from_utf8_lossy(&shown.stderr);
        return refused(case, &answer, &shown).map_err(whole);
    }
    // An answer that does not deny must not exit with the code for a denial.
    if answer.get("decision") != Some(&"deny".into()) && output.status.code() != Some(0) {
        return Err(whole("the exit code should be 0".into()));
    }
    let log = wait_for_observers(case, &dir);
    let mut seen = seen(case, &answer, &log).map_err(&whole)?;
    seen.saw = shown_to_hooks(case, &dir).map_err(&whole)?;
    seen.check(&as_logged(case)).map_err(whole)?;
    process_state(case, &dir).map_err(whole)
}

/// Returns the event of a case. The cases are about hooks, and most calls are minimal; but the program
/// includes the guard, which stops a shell call without a command, and a file tool without a file. So such
/// a call gets something harmless to do.
fn with_something_to_do(case: &Case) -> Map {
    let mut payload = case.payload.clone();
    let kind = payload.get("tool_name").and_then(Value::as_str).map(ToolKind::of);
    let Some(Value::Object(input)) = payload.get_mut("tool_input").filter(|_| case.expect.input.is_none())
    else {
        return payload;
    };
    let (keys, value) = match kind {
        Some(ToolKind::Shell) => (["command", "cmd"], "true"),
        Some(ToolKind::Read | ToolKind::Write | ToolKind::Edit | ToolKind::Delete) => {
            (["file_path", "path"], "notes.txt")
        }
        _ => return payload,
    };
    if !keys.iter().any(|key| input.contains_key(*key)) {
        let [key, _] = keys;
        input.insert(key.into(), value.into());
    }
    payload
}

/// Compares an answer in our own dialect with the expectations of `case`. `asked_log` has the names of the
/// hooks that were called, one per line. The payloads that hooks were shown are not compared.
pub fn check_answer(case: &Case, answer: &Map, asked_log: &str) -> Result<(), String> {
    if matches!(case.form, Form::Broken(_)) {
        return refused(case, answer, &Value::Object(answer.clone()).to_string());
    }
    let mut case = as_logged(case);
    case.expect.saw.clear();
    seen(&case, answer, asked_log)?.check(&case)
}

/// Returns the case as a log can show it: a missing program writes nothing to it.
fn as_logged(case: &Case) -> Case {
    let mut case = case.clone();
    let missing = |name: &String| case.hooks.iter().any(|hook| hook.name == *name && hook.missing);
    case.expect.asked.retain(|name| !missing(name));
    case
}

fn start(program: &Path, arguments: &[&str], config: &Path, dir: &Path) -> std::io::Result<Output> {
    let mut command = Command::new(program);
    command.args(arguments).arg(config);
    // Nothing from the user's environment, except the path to `sh`.
    command.env_clear().env("HOME", dir.join("home")).env(SECRET.0, SECRET.1);
    for name in ["PATH", "TMPDIR"] {
        if let Some(value) = std::env::var_os(name) {
            command.env(name, value);
        }
    }
    command.current_dir(dir).stdin(Stdio::from(File::open(dir.join("event.json"))?));
    command.output()
}

fn rejected(answer: &Map, part: &str, code: Option<i32>) -> Result<(), String> {
    let reason = answer.get("reason").and_then(Value::as_str).unwrap_or_default();
    if answer.get("decision") != Some(&"deny".into()) || !reason.contains(part) {
        return Err(format!("expected a denial whose reason holds `{part}`"));
    }
    if code == Some(2) { Ok(()) } else { Err("the exit code should be 2".into()) }
}

fn refused(case: &Case, answer: &Map, stderr: &str) -> Result<(), String> {
    if answer.get("decision") != Some(&case.expect.decision.as_str().into()) {
        return Err(format!("expected the decision `{}`", case.expect.decision));
    }
    let silent = case.expect.refused.iter().find(|part| !stderr.contains(part.as_str()));
    silent.map_or(Ok(()), |part| Err(format!("expected a message that holds `{part}`")))
}

fn seen(case: &Case, answer: &Map, asked_log: &str) -> Result<Seen, String> {
    let mut fields = answer.clone();
    let mut take = |key: &str| fields.remove(key);
    let decision =
        take("decision").and_then(|word| word.as_str().map(str::to_owned)).ok_or("no `decision`")?;
    let reason = take("reason").and_then(|reason| reason.as_str().map(str::to_owned)).unwrap_or_default();
    if matches!(decision.as_str(), "deny" | "ask") && reason.trim().is_empty() {
        return Err(format!("`{decision}` without a reason"));
    }
    let observer = |name: &str| case.hooks.iter().any(|hook| hook.name == name && hook.role == Role::Observe);
    let (observers, asked): (_, Vec<String>) =
        asked_log.lines().map(str::to_owned).partition(|name| observer(name));
    let failures = texts(take("failures"), "failure")?;
    let watched = |text: &String| text.split_once(": ").is_some_and(|(hook, _)| observer(hook));
    let output = text_of(take("tool_output"))?;
    let seen = Seen {
        output: if decision == "deny" { withheld(case, output)? } else { output },
        decision,
        asked,
        observers,
        reasons: texts(take("reasons"), "text")?,
        input: take("tool_input")
            .map(|input| input.as_object().cloned().ok_or("`tool_input`"))
            .transpose()?,
        prompt: text_of(take("prompt"))?,
        context: texts(take("context"), "text")?,
        notices: texts(take("notices"), "text")?,
        stop: take("stop").map(|stop| one(&stop, "reason")).transpose()?,
        retry: take("retry"),
        failures: failures.into_iter().filter(|text| !watched(text)).collect(),
        saw: BTreeMap::new(),
    };
    take("downgraded");
    // It differs in every run.
    take("id");
    fields.keys().next().map_or(Ok(seen), |key| Err(format!("unknown key `{key}` in the answer")))
}

/// Checks that the notice in place of a denied result does not contain that result.
fn withheld(case: &Case, output: Option<String>) -> Result<Option<String>, String> {
    let text = |key: &str| case.payload.get(key).and_then(Value::as_str);
    let class = text("hook_event_name").and_then(|name| name.parse::<EventName>().ok()).map(EventName::class);
    if class != Some(Class::Result) {
        return Ok(output);
    }
    let notice = output.filter(|notice| !notice.is_empty()).ok_or("nothing replaces the withheld result")?;
    let original = text("tool_output").or(text("error")).filter(|original| !original.is_empty());
    match original.filter(|original| notice.contains(original)) {
        Some(_) => Err("the withheld result is in the answer".into()),
        None => Ok(None),
    }
}

fn text_of(value: Option<Value>) -> Result<Option<String>, String> {
    value
        .map(|value| value.as_str().map(str::to_owned).ok_or_else(|| format!("{value} is no text")))
        .transpose()
}

/// Returns a list of `{"hook": .., field: ..}` as `hook: text`.
fn texts(value: Option<Value>, field: &str) -> Result<Vec<String>, String> {
    let Some(value) = value else { return Ok(Vec::new()) };
    value.as_array().ok_or("expected a list")?.iter().map(|text| one(text, field)).collect()
}

fn one(text: &Value, field: &str) -> Result<String, String> {
    let part =
        |key: &str| text.get(key).and_then(Value::as_str).ok_or_else(|| format!("no `{key}` in {text}"));
    Ok(format!("{}: {}", part("hook")?, part(field)?))
}

/// Returns the log, once every expected observer has written to it.
fn wait_for_observers(case: &Case, dir: &Path) -> String {
    let started = Instant::now();
    loop {
        let log = fs::read_to_string(dir.join(script::LOG)).unwrap_or_default();
        let here = |name: &String| log.lines().any(|line| line == name);
        if case.expect.observers.iter().all(here) || started.elapsed() > PATIENCE {
            return log;
        }
        std::thread::sleep(Duration::from_millis(10));
    }
}

fn shown_to_hooks(case: &Case, dir: &Path) -> Result<BTreeMap<String, Vec<Map>>, String> {
    let mut saw = BTreeMap::new();
    for hook in &case.hooks {
        let text = fs::read_to_string(dir.join(format!("{}.stdin.jsonl", hook.name))).unwrap_or_default();
        let read = text.lines().map(|line| json::parse_object(line.as_bytes()));
        let shown = read.collect::<Result<Vec<_>, _>>();
        saw.insert(hook.name.clone(), shown.map_err(|error| format!("stdin of `{}`: {error}", hook.name))?);
    }
    Ok(saw)
}

/// Checks what only a process has: its environment, its directory, its arguments, its children.
fn process_state(case: &Case, dir: &Path) -> Result<(), String> {
    let kept = |hook: &str, what: &str| fs::read_to_string(dir.join(format!("{hook}.{what}")));
    for hook in case.hooks.iter().filter(|hook| case.expect.asked.contains(&hook.name) && !hook.missing) {
        let env = kept(&hook.name, "env").map_err(|error| format!("`{}`: {error}", hook.name))?;
        let held = |name: &str| env.lines().find_map(|line| line.strip_prefix(name)?.strip_prefix('='));
        for name in case.expect.no_env.iter().map(String::as_str).chain([SECRET.0]) {
            if held(name).is_some() {
                return Err(format!("`{name}` is in the environment of `{}`", hook.name));
            }
        }
        for (name, value) in case.expect.env.get(&hook.name).into_iter().flatten() {
            let expected = value.as_str().unwrap_or_default();
            if held(name) != Some(expected) {
                return Err(format!(
                    "`{name}` of `{}`: expected `{expected}`, found {:?}",
                    hook.name,
                    held(name)
                ));
            }
        }
        if let Some(directory) = case.expect.ran_in.get(&hook.name) {
            let found = kept(&hook.name, "pwd").unwrap_or_default();
            if directory != found.trim_end() {
                return Err(format!("`{}` ran in `{}`, expected `{directory}`", hook.name, found.trim_end()));
            }
        }
        if let Some(args) = &hook.args {
            let found = kept(&hook.name, "args").unwrap_or_default();
            if found.lines().ne(args.iter()) {
                return Err(format!("`{}` was started with {found:?}, expected {args:?}", hook.name));
            }
        }
        if let (true, Some(fate)) = (hook.child, case.expect.children) {
            child(&kept(&hook.name, "child").unwrap_or_default(), fate)?;
        }
    }
    Ok(())
}

/// Checks that the child of a hook has the expected fate, and kills it if it is still running.
fn child(pid: &str, fate: Children) -> Result<(), String> {
    let pid: u32 = pid.trim().parse().map_err(|_| "the hook did not name its child".to_owned())?;
    let signal = |signal: &str| {
        let kill = Command::new("kill").args([signal, &pid.to_string()]).stderr(Stdio::null()).status();
        kill.is_ok_and(|status| status.success())
    };
    // A killed process is gone when its parent has waited for it.
    let zombie = || {
        let stat = fs::read_to_string(format!("/proc/{pid}/stat")).unwrap_or_default();
        stat.rsplit_once(") ").is_some_and(|(_, rest)| rest.starts_with('Z'))
    };
    let started = Instant::now();
    match fate {
        Children::Alive if signal("-0") && !zombie() => {
            signal("-9");
            Ok(())
        }
        Children::Alive => Err("the child did not outlive its hook".into()),
        Children::Killed => {
            while signal("-0") && !zombie() {
                if started.elapsed() > PATIENCE {
                    signal("-9");
                    return Err("the child outlived its hook".into());
                }
                std::thread::sleep(Duration::from_millis(10));
            }
            Ok(())
        }
    }
}
