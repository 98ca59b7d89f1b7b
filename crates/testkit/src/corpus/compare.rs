//! The actual result of a case, in one form for every door, compared with the expected one.

use super::{Case, Expect};
use checkrein_core::Map;
use serde_json::Value;
use std::{collections::BTreeMap, fmt::Debug};

/// The actual result of a case, whichever door it went through. The fields are those of [`Expect`].
#[derive(Clone, Debug, Default)]
#[expect(missing_docs, reason = "the fields are explained where they are expected")]
pub struct Seen {
    pub decision: String,
    pub asked: Vec<String>,
    pub observers: Vec<String>,
    pub reasons: Vec<String>,
    pub input: Option<Map>,
    pub output: Option<String>,
    pub prompt: Option<String>,
    pub context: Vec<String>,
    pub notices: Vec<String>,
    pub stop: Option<String>,
    pub retry: Option<Value>,
    pub failures: Vec<String>,
    /// The payloads that each hook was shown; without hooks that do not read their stdin.
    pub saw: BTreeMap<String, Vec<Map>>,
}

impl Seen {
    /// Compares with the expectations of `case`, and names every difference.
    pub fn check(&self, case: &Case) -> Result<(), String> {
        let Expect { decision, asked, reasons, input, output, prompt, context, notices, stop, retry, .. } =
            &case.expect;
        let mut found = Differences(Vec::new());
        found.equal("decision", decision, &self.decision);
        found.equal("asked", asked, &self.asked);
        found.texts("reasons", reasons, &self.reasons);
        found.equal("input", input, &self.input);
        found.equal("output", output, &self.output);
        found.equal("prompt", prompt, &self.prompt);
        found.texts("context", context, &self.context);
        found.texts("notices", notices, &self.notices);
        found.texts("stop", stop.as_slice(), self.stop.as_slice());
        found.equal("retry", retry, &self.retry);
        found.texts("failures", &sorted(&case.expect.failures), &sorted(&self.failures));
        found.equal("observers", &sorted(&case.expect.observers), &sorted(&self.observers));
        self.check_saw(case, &mut found);
        if found.0.is_empty() { Ok(()) } else { Err(format!("{}: {}", case.name, found.0.join("; "))) }
    }

    fn check_saw(&self, case: &Case, found: &mut Differences) {
        for (hook, times) in &case.expect.saw {
            let shown = self.saw.get(hook).map(Vec::as_slice).unwrap_or_default();
            found.equal(&format!("times that `{hook}` was asked"), &times.len(), &shown.len());
            for (expected, shown) in times.iter().zip(shown) {
                for (key, value) in expected {
                    found.equal(&format!("`{key}` as `{hook}` saw it"), &Some(value), &shown.get(key));
                }
            }
        }
    }
}

fn sorted(texts: &[String]) -> Vec<String> {
    let mut texts = texts.to_vec();
    texts.sort();
    texts
}

struct Differences(Vec<String>);

impl Differences {
    fn equal<T: PartialEq + Debug>(&mut self, what: &str, expected: &T, found: &T) {
        if expected != found {
            self.0.push(format!("{what}: expected {expected:?}, found {found:?}"));
        }
    }

    /// Compares texts. An expectation that ends with a star matches every text with that start.
    fn texts(&mut self, what: &str, expected: &[String], found: &[String]) {
        let fits = |(expected, found): (&String, &String)| match expected.strip_suffix('*') {
            Some(start) => found.starts_with(start),
            None => expected == found,
        };
        if expected.len() != found.len() || !expected.iter().zip(found).all(fits) {
            self.0.push(format!("{what}: expected {expected:?}, found {found:?}"));
        }
    }
}
