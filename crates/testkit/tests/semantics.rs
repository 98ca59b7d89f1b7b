//! The semantics corpus through the library, and the list of lines that it must cover.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing, reason = "tests")]

use checkrein::{Config, Entry, Environment, Map, Setup};
use checkrein_testkit::corpus::{self, Case, Expect, Form};
use std::{path::Path, time::Duration};

#[test]
fn every_case_holds_in_the_library() {
    let cases = corpus::load(&corpus::directory()).unwrap();
    let broken: Vec<String> = cases
        .iter()
        .filter_map(|case| match &case.form {
            Form::Broken(text) => refused(case, text).err(),
            Form::Toml | Form::JsonList => corpus::library::run(case).err(),
        })
        .collect();
    assert!(broken.is_empty(), "{} of {} cases:\n{}", broken.len(), cases.len(), broken.join("\n"));
}

/// Checks that the library reports what is wrong with a broken configuration, which has no dispatcher.
fn refused(case: &Case, text: &str) -> Result<(), String> {
    let problems = match Config::parse(text, Path::new("broken.toml")) {
        Ok(_) => return Err(format!("{}: the configuration is accepted", case.name)),
        Err(problems) => problems.to_string(),
    };
    let silent = case.expect.refused.iter().find(|part| !problems.contains(part.as_str()));
    silent.map_or(Ok(()), |part| Err(format!("{}: expected `{part}` in:\n{problems}", case.name)))
}

/// The configuration for the program matches the case.
#[test]
fn every_case_can_be_configured() {
    for case in corpus::load(&corpus::directory()).unwrap() {
        if matches!(case.form, Form::Broken(_)) {
            continue;
        }
        let directory = tempfile::tempdir().unwrap();
        let path = corpus::write_config(&case, directory.path()).unwrap();
        let config = Config::load(&path).unwrap_or_else(|problems| panic!("{}: {problems}", case.name));
        let hooks = config.dispatcher(&Setup::new(Environment::default()));
        let entries: Vec<_> = hooks
            .entries()
            .iter()
            .map(|entry| (entry.name(), entry.event(), entry.role(), entry.may_allow(), entry.timeout()))
            .collect();
        let expected: Vec<_> = case
            .hooks
            .iter()
            .map(|hook| {
                let timeout = hook.timeout.map_or(Entry::TIMEOUT, Duration::from_secs_f64);
                (hook.name.as_str(), hook.event, hook.role, hook.may_allow, timeout)
            })
            .collect();
        assert_eq!(entries, expected, "{}", case.name);
    }
}

/// A part of the expectations, and a way to make it wrong.
type Spoil = (&'static str, fn(&mut Expect));

/// A corpus proves nothing if a wrong expectation passes.
#[test]
fn a_wrong_expectation_is_noticed() {
    let spoils: [Spoil; 12] = [
        ("decision", |expect| expect.decision = "other".into()),
        ("asked", |expect| expect.asked.push("nobody".into())),
        ("observers", |expect| expect.observers.push("nobody".into())),
        ("reasons", |expect| expect.reasons.push("nobody: nothing".into())),
        ("context", |expect| expect.context.push("nobody: nothing".into())),
        ("notices", |expect| expect.notices.push("nobody: nothing".into())),
        ("failures", |expect| expect.failures.push("nobody: nothing".into())),
        ("input", |expect| expect.input = expect.input.is_none().then(Map::new)),
        ("output", |expect| expect.output = expect.output.is_none().then(String::new)),
        ("prompt", |expect| expect.prompt = expect.prompt.is_none().then(String::new)),
        ("stop", |expect| expect.stop = expect.stop.is_none().then(String::new)),
        ("retry", |expect| expect.retry = expect.retry.is_none().then(|| true.into())),
    ];
    for case in corpus::load(&corpus::directory()).unwrap() {
        if case.expect.rejected.is_some() || matches!(case.form, Form::Broken(_)) {
            continue;
        }
        for (what, spoil) in spoils {
            let mut wrong = case.clone();
            spoil(&mut wrong.expect);
            let error = corpus::library::run(&wrong).expect_err(&case.name);
            assert!(error.contains(&format!("{what}: expected")), "{error}");
        }
    }
}

#[test]
fn every_line_of_the_specification_has_a_case_a_test_or_a_reason() {
    let cases = corpus::load(&corpus::directory()).unwrap();
    let lines = corpus::read_lines(&corpus::directory()).unwrap();
    let shown = |id: &str| {
        cases.iter().any(|case| {
            case.name == id || case.name.strip_prefix(id).is_some_and(|rest| rest.starts_with('-'))
        })
    };
    let tested = |id: &str| lines.tests.iter().any(|(other, ..)| other == id);
    let changed = |id: &str| lines.changed.iter().any(|(other, _)| other == id);
    let noted = |id: &str| lines.notes.iter().any(|other| other == id);
    let known = |id: &str| lines.all.iter().any(|(other, _)| other == id);

    let missing: Vec<&str> = lines
        .all
        .iter()
        .map(|(id, _)| id.as_str())
        .filter(|id| !shown(id) && !tested(id) && !changed(id) && !noted(id))
        .collect();
    assert!(missing.is_empty(), "neither a case nor a test nor a reason: {missing:?}");
    for (id, why) in &lines.changed {
        assert!(known(id) && why.len() > 20, "{id}: {why}");
    }
    for id in &lines.notes {
        assert!(known(id) && !shown(id) && !tested(id), "{id} is more than a note");
    }
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    for (id, file, name) in &lines.tests {
        let text = std::fs::read_to_string(root.join(file)).unwrap();
        let word = if file.ends_with(".py") { "def" } else { "fn" };
        assert!(known(id) && text.contains(&format!("{word} {name}(")), "{id}: no test `{name}` in {file}");
    }
    let strange: Vec<&str> = cases
        .iter()
        .map(|case| case.name.as_str())
        .filter(|name| !name.starts_with("ours-") && !known(name.split('-').next().unwrap()))
        .collect();
    assert!(strange.is_empty(), "named after no line: {strange:?}");
}

#[test]
fn every_case_states_in_one_sentence_what_it_shows() {
    for case in corpus::load(&corpus::directory()).unwrap() {
        assert!(case.about.ends_with('.') && case.about.len() > 20, "{}: {}", case.name, case.about);
        assert!(
            case.about.chars().next().is_some_and(|first| !first.is_lowercase()),
            "{}: {}",
            case.name,
            case.about
        );
    }
}
