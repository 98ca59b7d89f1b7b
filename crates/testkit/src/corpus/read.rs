//! Parses the text of a corpus file. An unknown key is an error, so that a typo cannot drop an expectation.

use super::{Case, Children, Expect, Form, HookCase, Saying, Stdin};
use checkrein_core::{EventName, Map, OnFailure, Role, json};
use checkrein_exec::answer::Exit;
use serde_json::{Number, Value};
use std::collections::BTreeMap;
use toml::de::{DeTable, DeValue};

/// Returns every `[[case]]` of a file.
pub(super) fn cases(text: &str) -> Result<Vec<Case>, String> {
    let mut top = table(text)?;
    let cases = objects(top.take("case"), "case")?;
    top.done("the file")?;
    cases
        .into_iter()
        .map(|fields| {
            let name =
                fields.get("name").and_then(Value::as_str).unwrap_or("a case without a name").to_owned();
            case(Fields(fields)).map_err(|error| format!("case `{name}`: {error}"))
        })
        .collect()
}

/// Returns a TOML text as JSON values.
pub(super) fn table(text: &str) -> Result<Fields, String> {
    let table = DeTable::parse(text).map_err(|error| error.to_string())?;
    Ok(Fields(object(table.get_ref())?))
}

fn object(table: &DeTable<'_>) -> Result<Map, String> {
    table.iter().map(|(key, value)| Ok((key.get_ref().to_string(), json_of(value.get_ref())?))).collect()
}

fn json_of(value: &DeValue<'_>) -> Result<Value, String> {
    Ok(match value {
        DeValue::String(text) => Value::String(text.to_string()),
        DeValue::Boolean(value) => Value::Bool(*value),
        DeValue::Integer(number) => {
            let read = i64::from_str_radix(number.as_str(), number.radix());
            Value::Number(read.map_err(|_| format!("`{number}` is too large"))?.into())
        }
        DeValue::Float(number) => {
            let read = number.as_str().parse().ok().and_then(Number::from_f64);
            Value::Number(read.ok_or_else(|| format!("`{number}` is no number"))?)
        }
        DeValue::Array(values) => {
            values.iter().map(|value| json_of(value.get_ref())).collect::<Result<Vec<_>, _>>()?.into()
        }
        DeValue::Table(table) => Value::Object(object(table)?),
        DeValue::Datetime(_) => return Err("dates are not used here".to_owned()),
    })
}

/// Fields that are taken one by one, so that those left over can be named.
pub(super) struct Fields(pub(super) Map);

impl Fields {
    pub(super) fn take(&mut self, key: &str) -> Option<Value> {
        self.0.remove(key)
    }

    pub(super) fn done(self, what: &str) -> Result<(), String> {
        match self.0.keys().next() {
            None => Ok(()),
            Some(key) => Err(format!("unknown key `{key}` in {what}")),
        }
    }

    pub(super) fn text(&mut self, key: &str) -> Result<Option<String>, String> {
        match self.take(key) {
            None => Ok(None),
            Some(Value::String(text)) => Ok(Some(text)),
            Some(_) => Err(format!("`{key}` should be a string")),
        }
    }

    pub(super) fn texts(&mut self, key: &str) -> Result<Option<Vec<String>>, String> {
        match self.take(key) {
            None => Ok(None),
            Some(Value::String(text)) => Ok(Some(vec![text])),
            Some(Value::Array(values)) => {
                let texts =
                    values.iter().map(|value| value.as_str().map(str::to_owned)).collect::<Option<_>>();
                texts.map(Some).ok_or_else(|| format!("`{key}` should be a list of strings"))
            }
            Some(_) => Err(format!("`{key}` should be a list of strings")),
        }
    }

    fn number(&mut self, key: &str) -> Result<Option<f64>, String> {
        let value = self.take(key);
        value.map(|value| value.as_f64().ok_or_else(|| format!("`{key}` should be a number"))).transpose()
    }

    fn integer(&mut self, key: &str) -> Result<Option<i32>, String> {
        let value = self.take(key);
        let read = |value: Value| value.as_i64().and_then(|number| i32::try_from(number).ok());
        value.map(|value| read(value).ok_or_else(|| format!("`{key}` should be a small number"))).transpose()
    }

    fn flag(&mut self, key: &str) -> Result<bool, String> {
        match self.take(key) {
            None => Ok(false),
            Some(Value::Bool(flag)) => Ok(flag),
            Some(_) => Err(format!("`{key}` should be true or false")),
        }
    }

    fn map(&mut self, key: &str) -> Result<Option<Map>, String> {
        match self.take(key) {
            None => Ok(None),
            Some(Value::Object(fields)) => Ok(Some(fields)),
            Some(_) => Err(format!("`{key}` should be a table")),
        }
    }
}

fn objects(value: Option<Value>, key: &str) -> Result<Vec<Map>, String> {
    let wrong = || format!("`{key}` should be a list of tables");
    let Some(value) = value else { return Ok(Vec::new()) };
    let Value::Array(values) = value else { return Err(wrong()) };
    values
        .into_iter()
        .map(|value| if let Value::Object(fields) = value { Ok(fields) } else { Err(wrong()) })
        .collect()
}

fn word<T: Copy>(found: Option<&str>, words: &[(&str, T)], what: &str) -> Result<Option<T>, String> {
    let Some(found) = found else { return Ok(None) };
    let known = words.iter().find(|(word, _)| *word == found);
    known.map(|(_, value)| Some(*value)).ok_or_else(|| format!("unknown {what} `{found}`"))
}

fn case(mut fields: Fields) -> Result<Case, String> {
    let name = fields.text("name")?.ok_or("no `name`")?;
    let about = fields.text("about")?.ok_or("no `about`")?;
    let payload = match fields.take("payload").ok_or("no `payload`")? {
        Value::Object(payload) => payload,
        // For values that TOML does not have, such as null.
        Value::String(text) => json::parse_object(text.as_bytes()).map_err(|error| error.to_string())?,
        _ => return Err("`payload` should be a table, or a JSON object as a string".into()),
    };
    let event = payload.get("hook_event_name").and_then(Value::as_str).and_then(|name| name.parse().ok());
    let form = match (fields.text("broken_config")?, fields.text("config")?.as_deref()) {
        (Some(text), None) => Form::Broken(text),
        (None, None) => Form::Toml,
        (None, Some("json list")) => Form::JsonList,
        (_, Some(other)) => return Err(format!("unknown form of configuration `{other}`")),
    };
    let hooks = objects(fields.take("hook"), "hook")?
        .into_iter()
        .map(|fields| hook(Fields(fields), event))
        .collect::<Result<Vec<_>, _>>()?;
    let expect = expect(Fields(fields.map("expect")?.unwrap_or_default()), &hooks)?;
    fields.done("the case")?;
    if event.is_none() && expect.rejected.is_none() {
        return Err("the payload names no event that we know".into());
    }
    Ok(Case { name, about, payload, form, hooks, expect })
}

fn hook(mut fields: Fields, event: Option<EventName>) -> Result<HookCase, String> {
    let name = fields.text("name")?.ok_or("a hook without a name")?;
    let own = fields.text("event")?;
    let event = own.map(|name| name.parse().map_err(|error| format!("{error}"))).transpose()?.or(event);
    let mut scope = Fields(fields.map("match")?.unwrap_or_default());
    let (only, except) = (scope.texts("tool")?, scope.texts("except")?.unwrap_or_default());
    scope.done("`match`")?;
    let role = fields.text("role")?;
    let role = role.map(|role| role.parse::<Role>().map_err(|error| error.to_string())).transpose()?;
    let rules = [("deny", OnFailure::Deny), ("ask", OnFailure::Ask), ("ignore", OnFailure::Ignore)];
    let stdins = [("read", Stdin::Read), ("ignore", Stdin::Ignore), ("close", Stdin::Close)];
    let when = objects(fields.take("when"), "when")?
        .into_iter()
        .map(|fields| {
            let mut fields = Fields(fields);
            let has = fields.text("stdin_has")?.ok_or("`when` without `stdin_has`")?;
            let said = saying(&mut fields)?;
            fields.done("`when`").map(|()| (has, said))
        })
        .collect::<Result<Vec<_>, String>>()?;
    let hook = HookCase {
        name,
        event: event.ok_or("a hook without an event")?,
        role: role.unwrap_or_default(),
        only,
        except,
        on_failure: word(fields.text("on_failure")?.as_deref(), &rules, "on_failure")?,
        may_allow: fields.flag("may_allow")?,
        timeout: fields.number("timeout")?,
        args: fields.texts("args")?,
        cwd: fields.text("cwd")?,
        missing: fields.flag("missing")?,
        stdin: word(fields.text("stdin")?.as_deref(), &stdins, "use of stdin")?.unwrap_or(Stdin::Read),
        child: fields.flag("child")?,
        when,
        otherwise: saying(&mut fields)?,
    };
    fields.done("the hook").map(|()| hook)
}

fn saying(fields: &mut Fields) -> Result<Saying, String> {
    let streams = [("stdout", "stdout"), ("stderr", "stderr")];
    let exit = match (fields.integer("exit")?, fields.integer("signal")?) {
        (code, None) => Exit::Code(code.unwrap_or(0)),
        (None, Some(signal)) => Exit::Signal(signal),
        (Some(_), Some(_)) => return Err("`exit` and `signal` exclude each other".into()),
    };
    let noise = fields.integer("noise")?.unwrap_or(0);
    Ok(Saying {
        stdout: fields.text("stdout")?.unwrap_or_default(),
        stderr: fields.text("stderr")?.unwrap_or_default(),
        exit,
        sleep: fields.number("sleep")?.unwrap_or(0.0),
        noise: usize::try_from(noise).map_err(|_| "`noise` should not be negative")?,
        flood: word(fields.text("flood")?.as_deref(), &streams, "stream")?,
    })
}

fn expect(mut fields: Fields, hooks: &[HookCase]) -> Result<Expect, String> {
    let of_role = |observe: bool| {
        let these = hooks.iter().filter(move |hook| (hook.role == Role::Observe) == observe);
        these.map(|hook| hook.name.clone()).collect::<Vec<_>>()
    };
    let children = [("killed", Children::Killed), ("alive", Children::Alive)];
    let mut saw = BTreeMap::new();
    for (hook, times) in fields.map("saw")?.unwrap_or_default() {
        saw.insert(hook, objects(Some(times), "saw")?);
    }
    let mut env = BTreeMap::new();
    for (hook, variables) in fields.map("env")?.unwrap_or_default() {
        let Value::Object(variables) = variables else {
            return Err("`env` should be a table per hook".into());
        };
        env.insert(hook, variables);
    }
    let mut ran_in = BTreeMap::new();
    for (hook, directory) in fields.map("ran_in")?.unwrap_or_default() {
        ran_in
            .insert(hook, directory.as_str().ok_or("`ran_in` should name a directory per hook")?.to_owned());
    }
    let expect = Expect {
        rejected: fields.text("rejected")?,
        refused: fields.texts("refused")?.unwrap_or_default(),
        decision: fields.text("decision")?.unwrap_or_else(|| "abstain".to_owned()),
        asked: fields.texts("asked")?.unwrap_or_else(|| of_role(false)),
        observers: fields.texts("observers")?.unwrap_or_else(|| of_role(true)),
        reasons: fields.texts("reasons")?.unwrap_or_default(),
        input: fields.map("input")?,
        output: fields.text("output")?,
        prompt: fields.text("prompt")?,
        context: fields.texts("context")?.unwrap_or_default(),
        notices: fields.texts("notices")?.unwrap_or_default(),
        stop: fields.text("stop")?,
        retry: fields.take("retry"),
        failures: fields.texts("failures")?.unwrap_or_default(),
        saw,
        env,
        no_env: fields.texts("no_env")?.unwrap_or_default(),
        ran_in,
        children: word(fields.text("children")?.as_deref(), &children, "fate of children")?,
    };
    fields.done("`expect`").map(|()| expect)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn error(text: &str) -> String {
        cases(text).unwrap_err()
    }

    #[test]
    fn an_unknown_key_is_an_error_that_names_the_case() {
        let case = "[[case]]\nname = 'a'\nabout = 'b'\npayload = { hook_event_name = 'Stop' }\n";
        assert!(cases(case).is_ok());
        for (more, message) in [
            ("hooks = []", "case `a`: unknown key `hooks` in the case"),
            ("expect = { reason = 'x' }", "case `a`: unknown key `reason` in `expect`"),
            ("hook = [{ name = 'h', stout = 'x' }]", "case `a`: unknown key `stout` in the hook"),
            ("hook = [{ name = 'h', match = { tools = 'x' } }]", "case `a`: unknown key `tools` in `match`"),
            (
                "hook = [{ name = 'h', when = [{ stdin_has = 'x', exti = 2 }] }]",
                "case `a`: unknown key `exti` in `when`",
            ),
            (
                "hook = [{ name = 'h', exit = 1, signal = 9 }]",
                "case `a`: `exit` and `signal` exclude each other",
            ),
            ("config = 'yaml'", "case `a`: unknown form of configuration `yaml`"),
        ] {
            assert_eq!(error(&format!("{case}{more}")), message);
        }
        assert_eq!(error("[cases]"), "unknown key `cases` in the file");
    }
}
