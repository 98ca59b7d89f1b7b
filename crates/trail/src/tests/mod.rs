//! The promises of the trail: nothing acknowledged is lost, and nothing is changed without being noticed.

mod faults;
mod processes;
mod secrets;
mod tampering;

use crate::{
    Cleaner, Draft, HookEntry, Level, Line, Reader, Record, Report, Retention, Store, next_id, verify,
};
use checkrein_core::{Decision, EventId};
use checkrein_secrets::{Key, Redactor, Scanner};
use std::{path::Path, time::Duration};

fn redactor() -> Option<Redactor> {
    Some(Redactor::new(Scanner::new(), Key::new([7; 32])))
}

fn cleaner() -> Cleaner<'static> {
    Cleaner::new(&redactor)
}

/// An event of a session.
fn draft<'a>(event: &'a str, call: &'a str, decision: Decision) -> Draft<'a> {
    Draft {
        id: next_id(),
        host: Some("claude"),
        version: "0.1.0",
        session: Some("s1"),
        agent: None,
        parent: None,
        event,
        tool: Some("Bash"),
        call: Some(call),
        summary: Some("git push --force origin main".into()),
        effects: vec!["rewrite-history main".into()],
        bare_effects: vec!["rewrite-history".into()],
        decision,
        rules: vec!["git/force-push".into()],
        reason: Some("no".into()),
        hooks: vec![HookEntry { name: "guard", decision, micros: Some(31) }],
        micros: Some(40),
        edited: false,
        cwd: Some("/home/dev/shop"),
        policy: "0011223344556677",
        monitor: false,
        before: None,
        undo: None,
        digests: Some(("00".into(), None)),
        input: None,
        alarm: false,
    }
}

fn line() -> Line {
    draft("PreToolUse", "c1", Decision::Deny).line(Level::Summary, &cleaner())
}

/// A store with segments of a few lines.
fn small(directory: &Path) -> Store {
    Store::new(directory.join("trail")).with_retention(Retention { segment: 1500, ..Retention::default() })
}

fn records(store: &Store) -> Vec<Record> {
    Reader::open(store.directory()).unwrap().map(|stored| stored.unwrap().record.unwrap()).collect()
}

fn ids(store: &Store) -> Vec<EventId> {
    records(store).iter().map(|record| record.id).collect()
}

fn whole(store: &Store) -> Report {
    let report = verify(store.directory()).unwrap();
    assert_eq!(report.broken, None);
    report
}

#[test]
fn lines_come_back_in_both_directions() {
    let directory = tempfile::tempdir().unwrap();
    let store = small(directory.path());
    let lines: Vec<Line> = (0..20).map(|_| line()).collect();
    for line in &lines {
        store.append(line).unwrap();
    }
    let expected: Vec<EventId> = lines.iter().map(Line::id).collect();
    assert_eq!(ids(&store), expected);
    let newest = crate::Newest::open(store.directory()).unwrap();
    let mut newest: Vec<EventId> = newest.map(|stored| stored.unwrap().record.unwrap().id).collect();
    newest.reverse();
    assert_eq!(newest, expected);
    let report = whole(&store);
    assert_eq!((report.records, report.first), (20, 1));
    assert!(report.segments > 5, "{report:?}");
}

#[test]
fn old_segments_go_and_the_chain_knows_it() {
    let directory = tempfile::tempdir().unwrap();
    let retention = Retention { segment: 1500, bytes: 6_000, age: Duration::from_secs(3600) };
    let store = small(directory.path()).with_retention(retention);
    for _ in 0..40 {
        store.append(&line()).unwrap();
    }
    let report = whole(&store);
    assert!(report.records < 20 && report.first > 20, "{report:?}");
    let size: u64 = std::fs::read_dir(store.directory())
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .filter(|path| !path.ends_with("heads.jsonl"))
        .map(|path| path.metadata().unwrap().len())
        .sum();
    assert!(size <= 6_000 + 1500, "{size}");
    // Without the list of heads, the beginning is missing.
    std::fs::remove_file(store.directory().join("heads.jsonl")).unwrap();
    assert_eq!(verify(store.directory()).unwrap().broken.unwrap().kind, crate::BreakKind::Removed);
}

#[test]
fn everything_may_be_too_old() {
    let directory = tempfile::tempdir().unwrap();
    let store = small(directory.path()).with_retention(Retention {
        segment: 700,
        bytes: 0,
        age: Duration::from_secs(0),
    });
    for _ in 0..5 {
        store.append(&line()).unwrap();
    }
    let report = whole(&store);
    assert_eq!((report.records, report.first), (1, 5));
}

/// A result for a denied call is noticed when it arrives, and afterwards in the trail.
#[test]
fn a_denied_call_with_a_result_is_an_alarm() {
    let directory = tempfile::tempdir().unwrap();
    let store = small(directory.path());
    store.append(&draft("PreToolUse", "c1", Decision::Deny).line(Level::Summary, &cleaner())).unwrap();
    store.note_denied("s1", "c1");
    assert!(!store.was_denied("s1", "c2") && !store.was_denied("s2", "c1"));
    assert!(store.was_denied("s1", "c1"));
    assert!(!store.was_denied("s1", "c1"));
    assert!(whole(&store).disobeyed.is_empty());
    store.append(&draft("PostToolUse", "c1", Decision::Abstain).line(Level::Summary, &cleaner())).unwrap();
    assert_eq!(whole(&store).disobeyed, [ids(&store)[0]]);
}

#[test]
fn what_a_host_did_is_known_from_what_came_later() {
    let mut edited = draft("PreToolUse", "c3", Decision::Abstain);
    edited.edited = true;
    edited.digests = Some(("00".into(), Some("11".into())));
    let mut ran = draft("PostToolUse", "c3", Decision::Abstain);
    ran.digests = Some(("11".into(), None));
    let drafts = [
        (draft("PreToolUse", "c1", Decision::Deny), "no"),
        (draft("PreToolUse", "c2", Decision::Deny), "yes"),
        (edited.clone(), "yes"),
        (ran, "unknown"),
        (edited, "unknown"),
        (draft("PostToolUse", "c1", Decision::Abstain), "unknown"),
        (draft("PreToolUse", "c4", Decision::Deny), "unknown"),
    ];
    let mut backwards = crate::Backwards::default();
    for (place, (draft, expected)) in drafts.iter().enumerate().rev() {
        let record = Record::parse(draft.line(Level::Summary, &cleaner()).text().as_bytes()).unwrap();
        assert_eq!(backwards.see(&record).as_str(), *expected, "{place}");
    }
}

#[test]
fn each_level_keeps_what_it_says() {
    let mut draft = draft("PreToolUse", "c1", Decision::Deny);
    let mut input = checkrein_core::Map::new();
    input.insert("command".into(), "git push --force origin main".into());
    draft.input = Some(&input);
    let shown = |level| draft.line(level, &cleaner()).text();
    let structure = shown(Level::Structure);
    for text in ["git push", "/home/dev", "rewrite-history main", "\"reason\":\"no\"", "\"input\""] {
        assert!(!structure.contains(text), "{text}: {structure}");
    }
    assert!(structure.contains("\"effects\":[\"rewrite-history\"]"), "{structure}");
    assert!(shown(Level::Summary).contains("\"summary\":\"git push --force origin main\",\"whole\":true"));
    assert!(!shown(Level::Summary).contains("\"input\""));
    assert!(shown(Level::Full).contains("\"input\":{\"command\":\"git push --force origin main\"}"));
}

#[test]
fn a_filter_wants_what_it_says() {
    let record = Record::parse(line().text().as_bytes()).unwrap();
    let wants = |filter: &crate::Filter| filter.wants(&record);
    let none = crate::Filter::default();
    assert!(wants(&none));
    assert!(wants(&crate::Filter { rule: Some("git/*".into()), ..none.clone() }));
    assert!(!wants(&crate::Filter { rule: Some("git".into()), ..none.clone() }));
    assert!(wants(&crate::Filter { agent: Some("claude".into()), ..none.clone() }));
    assert!(!wants(&crate::Filter { agent: Some("codex".into()), ..none.clone() }));
    assert!(!wants(&crate::Filter { decisions: vec![Decision::Ask], ..none.clone() }));
    assert!(!wants(&crate::Filter { session: Some("s2".into()), ..none.clone() }));
    let now = record.id.micros();
    assert!(!wants(&crate::Filter { since: Some(now + 1), ..none }));
    assert_eq!(crate::since("30m", 10_000_000_000), Ok(10_000_000_000 - 1_800_000_000));
    assert_eq!(crate::since("1970-01-02", 0), Ok(86_400_000_000));
    assert!(crate::since("yesterday", 0).is_err());
    assert!(crate::since("99999999999999999999d", 0).is_err());
}

/// `schema/trail.schema.json` describes what is stored, at every level.
#[test]
fn the_schema_describes_a_line() {
    let schema = serde_json::from_str(include_str!("../../../../schema/trail.schema.json")).unwrap();
    let schema = jsonschema::validator_for(&schema).unwrap();
    let directory = tempfile::tempdir().unwrap();
    let store = small(directory.path());
    let mut input = checkrein_core::Map::new();
    input.insert("command".into(), "make".into());
    for (level, alarm) in [(Level::Structure, false), (Level::Summary, true), (Level::Full, false)] {
        let mut draft = draft("PreToolUse", "c1", Decision::Ask);
        (draft.input, draft.alarm) = (Some(&input), alarm);
        store.append(&draft.line(level, &cleaner())).unwrap();
    }
    let mut bare = draft("SessionStart", "c1", Decision::Abstain);
    (bare.tool, bare.call, bare.summary, bare.digests, bare.cwd) = (None, None, None, None, None);
    store.append(&bare.line(Level::Summary, &cleaner())).unwrap();
    let records = records(&store);
    assert_eq!(records.len(), 4);
    for record in records {
        let value = serde_json::Value::Object(record.fields);
        let errors: Vec<String> = schema.iter_errors(&value).map(|error| error.to_string()).collect();
        assert!(errors.is_empty(), "{errors:?}: {value}");
    }
}
