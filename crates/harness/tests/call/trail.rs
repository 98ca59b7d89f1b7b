//! A pipeline that keeps records of what its hooks decide.

use crate::desk::{Desk, say};
use checkrein_harness::{
    Ending, EventName, Payload, Pipeline, Session, Verdict,
    checkrein::{
        TrailSettings,
        trail::{Reader, Record, Trail, directory, verify},
    },
    on,
};
use std::{
    fs,
    path::Path,
    sync::{Arc, Mutex},
};

fn records(state: &Path) -> Vec<Record> {
    let reader = Reader::open(&directory(state)).unwrap();
    reader.map(|stored| stored.unwrap().record.unwrap()).collect()
}

fn judge(payload: &Payload) -> Verdict {
    match payload.event.call().and_then(|call| call.text("text")) {
        Some("no") => Verdict::deny("not this"),
        _ => Verdict::abstain(),
    }
}

/// One line turns it on, and nothing is kept without it.
#[tokio::test]
async fn decisions_are_kept_if_that_is_asked_for() {
    let state = tempfile::tempdir().unwrap();
    let quiet =
        Pipeline::builder(Desk::new().0).hook(on(EventName::PreToolUse, "judge", judge)).build().unwrap();
    assert_eq!(quiet.handle(Session::default()).call(say("no")).await.ending, Ending::Denied);
    assert!(records(state.path()).is_empty());
    let pipeline = Pipeline::builder(Desk::new().0)
        .hook(on(EventName::PreToolUse, "judge", judge))
        .trail(Trail::at(state.path(), TrailSettings::default()))
        .host("my-agent")
        .build()
        .unwrap();
    let agent = pipeline.handle(Session::default());
    assert_eq!(agent.call(say("no")).await.ending, Ending::Denied);
    assert_eq!(agent.call(say("yes")).await.ending, Ending::Ran);
    let records = records(state.path());
    let seen: Vec<(&str, &str, Option<&str>)> =
        records.iter().map(|record| (record.event(), record.decision.as_str(), record.host())).collect();
    assert_eq!(seen, [("PreToolUse", "deny", Some("my-agent")), ("PreToolUse", "abstain", Some("my-agent"))]);
    assert!(verify(&directory(state.path())).unwrap().broken.is_none());
}

/// A record that cannot be kept is a remark, and the answer stays.
#[tokio::test]
async fn a_record_that_is_not_kept_is_a_remark() {
    let state = tempfile::tempdir().unwrap();
    fs::write(directory(state.path()), "a file").unwrap();
    let remarks = Arc::new(Mutex::new(Vec::new()));
    let heard = Arc::clone(&remarks);
    let pipeline = Pipeline::builder(Desk::new().0)
        .hook(on(EventName::PreToolUse, "judge", judge))
        .trail(Trail::at(state.path(), TrailSettings::default()))
        .remarks(move |text| heard.lock().unwrap().push(text.to_owned()))
        .build()
        .unwrap();
    assert_eq!(pipeline.handle(Session::default()).call(say("yes")).await.ending, Ending::Ran);
    let remarks = remarks.lock().unwrap();
    assert!(
        remarks.iter().any(|text| text.starts_with("the record of this event was not kept")),
        "{remarks:?}"
    );
}
