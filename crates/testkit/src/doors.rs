//! The cases of `corpus/doors`: the same layers and the same call through every door of the engine.

use serde_json::Value;
use std::{fs, io, path::Path};

/// One case.
#[derive(Clone, Debug, Default)]
pub struct Case {
    /// The behaviour that it shows.
    pub name: String,
    /// The user layer.
    pub user: Option<String>,
    /// The project layer.
    pub project: Option<String>,
    /// The file on the command line.
    pub flag: Option<String>,
    /// The tool of the call.
    pub tool: String,
    /// The argument that holds the command.
    pub argument: String,
    /// The command of the call.
    pub command: String,
    decision: String,
    says: Vec<String>,
    again: Option<Vec<String>>,
    unsaid: Vec<String>,
    remarks: Option<Vec<String>>,
}

/// A text of a hook.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Heard {
    /// The hook.
    pub hook: String,
    /// The text.
    pub text: String,
}

/// The result of a case.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Seen {
    /// The layers are broken, with the reason.
    Broken(String),
    /// The layers are valid.
    Decided {
        /// The decision.
        decision: String,
        /// The hooks' texts.
        said: Vec<Heard>,
        /// Remarks for the user about the layers.
        remarks: Vec<String>,
    },
}

/// Returns every case, or what is wrong with the file.
pub fn load(path: &Path) -> Result<Vec<Case>, String> {
    let text = fs::read_to_string(path).map_err(|error| format!("{}: {error}", path.display()))?;
    let cases: Vec<Value> = serde_json::from_str(&text).map_err(|error| error.to_string())?;
    let cases: Vec<Case> = cases.iter().map(read).collect::<Result<_, String>>()?;
    if cases.len() < 20 { Err(format!("there are only {} cases", cases.len())) } else { Ok(cases) }
}

fn read(case: &Value) -> Result<Case, String> {
    let text = |key: &str| case.get(key).and_then(Value::as_str).map(str::to_owned);
    let needed = |key: &str| text(key).ok_or_else(|| format!("{case}: no `{key}`"));
    let list = |key: &str| -> Option<Vec<String>> {
        case.get(key)?.as_array()?.iter().map(|text| text.as_str().map(str::to_owned)).collect()
    };
    Ok(Case {
        name: needed("name")?,
        user: text("user"),
        project: text("project"),
        flag: text("flag"),
        tool: text("tool").unwrap_or_else(|| "Bash".to_owned()),
        argument: text("argument").unwrap_or_else(|| "command".to_owned()),
        command: needed("command")?,
        decision: needed("decision")?,
        says: list("says").unwrap_or_default(),
        again: list("again"),
        unsaid: list("unsaid").unwrap_or_default(),
        remarks: case.get("remarks").map_or_else(|| Some(Vec::new()), |_| list("remarks")),
    })
}

impl Case {
    /// Writes the layers into a home directory. `in_7_days` is that day, in UTC.
    pub fn lay_out(&self, home: &Path, in_7_days: &str) -> io::Result<()> {
        let files = [
            (".config/checkrein/config.toml", &self.user),
            ("project/.checkrein.toml", &self.project),
            ("flag.toml", &self.flag),
        ];
        for (name, text) in files {
            let file = home.join(name);
            fs::create_dir_all(file.parent().unwrap_or(home))?;
            if let Some(text) = text {
                fs::write(&file, text.replace("@in-7-days", in_7_days))?;
            }
        }
        Ok(())
    }

    /// Returns the differences between the case and the results of the first and the second call.
    pub fn compare(&self, first: &Seen, second: &Seen) -> Vec<String> {
        let again = self.again.as_ref().unwrap_or(&self.says);
        let mut wrong = self.compare_one(first, &self.says, &self.unsaid);
        wrong.extend(self.compare_one(second, again, &[]));
        wrong
    }

    fn compare_one(&self, seen: &Seen, says: &[String], unsaid: &[String]) -> Vec<String> {
        let mut wrong = Vec::new();
        let mut complain = |what: String| wrong.push(format!("{}: {what}\n  {seen:?}", self.name));
        match seen {
            Seen::Broken(why) => {
                if self.decision != "broken" {
                    complain(format!("expected {}", self.decision));
                }
                says.iter()
                    .filter(|part| !why.contains(*part))
                    .for_each(|part| complain(format!("no `{part}`")));
            }
            Seen::Decided { decision, said, remarks } => {
                if *decision != self.decision {
                    complain(format!("expected {}", self.decision));
                }
                for part in says {
                    let (hook, text) = part.split_once(": ").unwrap_or((part, ""));
                    if !said.iter().any(|heard| heard.hook == hook && heard.text.contains(text)) {
                        complain(format!("no `{part}`"));
                    }
                }
                if says.is_empty() && decision != "allow" && !said.is_empty() {
                    complain("nothing is to be said".to_owned());
                }
                for part in unsaid {
                    let has = |text: &String| text.contains(part.as_str());
                    if said.iter().any(|heard| has(&heard.hook) || has(&heard.text))
                        || remarks.iter().any(has)
                    {
                        complain(format!("`{part}` is said"));
                    }
                }
                let named = |(remark, part): (&String, &String)| remark.contains(part.as_str());
                if let Some(expected) = &self.remarks
                    && !(remarks.len() == expected.len() && remarks.iter().zip(expected).all(named))
                {
                    complain("other remarks".to_owned());
                }
            }
        }
        wrong
    }
}

/// A result of a tool, and what a model gets of it.
#[derive(Clone, Debug, Default)]
pub struct ResultCase {
    /// The behaviour that it shows.
    pub name: String,
    /// The command that printed it.
    pub command: String,
    /// The output.
    pub result: String,
    user: Option<String>,
    files: Vec<(String, String)>,
    shown: Option<String>,
    literal: Option<String>,
    withheld: Option<String>,
}

/// Returns every case about a result, or what is wrong with the file.
pub fn load_results(path: &Path) -> Result<Vec<ResultCase>, String> {
    let text = fs::read_to_string(path).map_err(|error| format!("{}: {error}", path.display()))?;
    let cases: Vec<Value> = serde_json::from_str(&text).map_err(|error| error.to_string())?;
    cases.iter().map(read_result).collect()
}

fn read_result(case: &Value) -> Result<ResultCase, String> {
    let text = |key: &str| case.get(key).and_then(Value::as_str).map(str::to_owned);
    let needed = |key: &str| text(key).ok_or_else(|| format!("{case}: no `{key}`"));
    let files = case.get("files").and_then(Value::as_object).into_iter().flatten();
    let read = ResultCase {
        name: needed("name")?,
        command: "./report".to_owned(),
        result: needed("result")?,
        user: text("user"),
        files: files
            .map(|(name, text)| (name.clone(), text.as_str().unwrap_or_default().to_owned()))
            .collect(),
        shown: text("shown"),
        literal: text("literal"),
        withheld: text("withheld"),
    };
    let expected = [&read.shown, &read.literal, &read.withheld].into_iter().flatten().count();
    if expected == 1 {
        Ok(read)
    } else {
        Err(format!("{case}: one of `shown`, `literal`, `withheld` is needed"))
    }
}

impl ResultCase {
    /// Writes the layer and the files into a home directory.
    pub fn lay_out(&self, home: &Path) -> io::Result<()> {
        let layer = self.user.iter().map(|text| (".config/checkrein/config.toml".to_owned(), text));
        let files = self.files.iter().map(|(name, text)| (format!("project/{name}"), text));
        for (name, text) in layer.chain(files) {
            let file = home.join(name);
            fs::create_dir_all(file.parent().unwrap_or(home))?;
            fs::write(&file, text)?;
        }
        Ok(())
    }

    /// Returns the difference between the case and what a model would get: the text, or the reason that it gets none.
    pub fn compare(&self, got: Result<&str, &str>) -> Option<String> {
        let is_right = match (got, &self.shown, &self.literal, &self.withheld) {
            (Ok(text), Some(shown), _, _) => without_tags(text) == *shown,
            (Ok(text), _, Some(literal), _) => text == literal,
            (Err(reason), _, _, Some(part)) => reason.contains(part.as_str()),
            _ => false,
        };
        (!is_right).then(|| format!("{}: {got:?}", self.name))
    }
}

/// A text with `@` in place of each tag.
fn without_tags(text: &str) -> String {
    let is_word = |char: char| char.is_ascii_alphanumeric() || char == '_';
    let (mut whole, mut rest) = (String::new(), text);
    while let Some((before, after)) = rest.split_once("secret_") {
        whole.push_str(before);
        whole.push('@');
        rest = after.trim_start_matches(is_word);
    }
    whole + rest
}
