//! Cancellation: nothing keeps running, and every record is complete.

use crate::desk::{builder, handle, say, texts};
use checkrein_harness::{
    Approval, Approver, Cancel, Ending, Entry, EventName, Payload, Report, Request, Verdict,
    checkrein::exec::{CommandHook, Program},
    on, on_async,
};
use std::{
    path::{Path, PathBuf},
    sync::{Arc, Mutex},
    time::Duration,
};
use tokio::time::{sleep, timeout};

/// Long enough for any machine, and shorter than the time budget of an event: what ends by then was cancelled.
const PATIENCE: Duration = Duration::from_secs(15);

/// The timeout of a hook in these tests.
const LONG: Duration = Duration::from_secs(600);

/// The recorded calls and their endings.
type Records = Arc<Mutex<Vec<(String, Ending)>>>;

fn recorded() -> (Records, impl Fn(&Report) + Send + Sync + 'static) {
    let records = Arc::new(Mutex::new(Vec::new()));
    let keep = Arc::clone(&records);
    let record = move |report: &Report| {
        keep.lock()
            .unwrap()
            .push((report.call.text("text").unwrap_or("-").to_owned(), report.ending.clone()));
    };
    (records, record)
}

/// A command that writes its process id to a file and sleeps.
fn stubborn(directory: &Path) -> (Entry, PathBuf) {
    let file = directory.join("id");
    let script = format!("echo $$ > '{0}.new'; mv '{0}.new' '{0}'; sleep 600", file.display());
    let path = std::env::var_os("PATH").unwrap();
    let hook =
        CommandHook::new(Program::Shell(script)).named("stubborn").environment([("PATH".into(), path)]);
    (Entry::new(EventName::PreToolUse, hook).with_timeout(LONG), file)
}

async fn appears(file: &Path) -> String {
    while !file.exists() {
        sleep(Duration::from_millis(5)).await;
    }
    std::fs::read_to_string(file).unwrap().trim().to_owned()
}

fn runs(id: &str) -> bool {
    std::fs::read_to_string(format!("/proc/{id}/stat")).is_ok_and(|stat| !stat.contains(") Z"))
}

#[tokio::test]
async fn a_cancelled_tool_ends_and_no_other_starts() {
    let (records, record) = recorded();
    let (pipeline, log) = builder();
    let cancel = Cancel::new();
    let agent = handle(pipeline.limit(2).record(record)).with_cancel(&cancel);
    let canceller = async {
        while texts(&log).len() < 2 {
            sleep(Duration::from_millis(1)).await;
        }
        cancel.cancel();
    };
    let calls = vec![say("hang"), say("hang"), say("c")];
    let (batch, ()) = timeout(PATIENCE, async { tokio::join!(agent.batch(calls), canceller) }).await.unwrap();
    assert!(batch.reports.iter().all(|report| report.ending == Ending::Cancelled), "{batch:?}");
    assert_eq!(texts(&log), ["hang", "hang"]);
    assert_eq!(records.lock().unwrap().len(), 3);
    // A cancellation is final.
    assert_eq!(agent.call(say("later")).await.ending, Ending::Cancelled);
}

#[tokio::test]
async fn when_a_cancelled_call_is_reported_its_hooks_process_is_gone() {
    let directory = tempfile::tempdir().unwrap();
    let (entry, file) = stubborn(directory.path());
    let (pipeline, log) = builder();
    let cancel = Cancel::new();
    let agent = handle(pipeline.hook(entry)).with_cancel(&cancel);
    let canceller = async {
        let id = appears(&file).await;
        assert!(runs(&id));
        cancel.cancel();
        id
    };
    let (report, id) =
        timeout(PATIENCE, async { tokio::join!(agent.call(say("hello")), canceller) }).await.unwrap();
    assert_eq!(report.ending, Ending::Cancelled);
    assert!(!runs(&id), "it still runs");
    assert!(texts(&log).is_empty());
}

#[tokio::test]
async fn a_caller_who_goes_away_leaves_no_process_and_one_whole_record() {
    let directory = tempfile::tempdir().unwrap();
    let (entry, file) = stubborn(directory.path());
    let (records, record) = recorded();
    let agent = handle(builder().0.hook(entry).record(record));
    let id = tokio::select! {
        _ = agent.call(say("hello")) => panic!("it cannot be done yet"),
        id = appears(&file) => id,
    };
    assert_eq!(*records.lock().unwrap(), [("hello".to_owned(), Ending::Cancelled)]);
    timeout(PATIENCE, async {
        while runs(&id) {
            sleep(Duration::from_millis(5)).await;
        }
    })
    .await
    .expect("it still runs");
}

#[tokio::test]
async fn a_batch_that_is_dropped_drops_its_tools() {
    let (records, record) = recorded();
    let (pipeline, log) = builder();
    let agent = handle(pipeline.record(record));
    let both = async {
        while texts(&log).len() < 2 {
            sleep(Duration::from_millis(1)).await;
        }
    };
    tokio::select! {
        _ = agent.batch(vec![say("hang"), say("hang")]) => panic!("it cannot be done"),
        () = both => {}
    }
    assert_eq!(
        *records.lock().unwrap(),
        [("hang".to_owned(), Ending::Cancelled), ("hang".to_owned(), Ending::Cancelled)]
    );
    let metrics = tokio::runtime::Handle::current().metrics();
    timeout(PATIENCE, async {
        while metrics.num_alive_tasks() > 0 {
            sleep(Duration::from_millis(1)).await;
        }
    })
    .await
    .expect("tasks are left");
}

#[tokio::test]
async fn a_cancelled_result_whose_hooks_did_not_finish_is_not_shown() {
    let cancel = Cancel::new();
    let seen = cancel.clone();
    let slow = on_async(EventName::PostToolUse, "slow", async move |_: &Payload| {
        seen.cancel();
        std::future::pending::<Verdict>().await
    });
    let agent = handle(builder().0.hook(slow.timeout(LONG))).with_cancel(&cancel);
    let report = timeout(PATIENCE, agent.call(say("s3cret"))).await.unwrap();
    assert_eq!((report.ending.clone(), report.output.text()), (Ending::Cancelled, "cancelled"));
    assert!(!format!("{:?}", report.output).contains("s3cret"));
}

struct Nobody;

impl Approver for Nobody {
    async fn approve(&self, _: &Request<'_>) -> Approval {
        std::future::pending().await
    }
}

#[tokio::test]
async fn a_question_can_be_cancelled() {
    let cancel = Cancel::new();
    let (pipeline, log) = builder();
    let ask = on(EventName::PreToolUse, "ask", |_: &Payload| Verdict::ask("?"));
    let agent = handle(pipeline.hook(ask).approver(Nobody)).with_cancel(&cancel);
    let (report, ()) = tokio::join!(agent.call(say("hello")), async {
        sleep(Duration::from_millis(5)).await;
        cancel.cancel();
    });
    assert_eq!(report.ending, Ending::Cancelled);
    assert!(texts(&log).is_empty());
}

#[tokio::test]
async fn every_report_is_recorded_once() {
    let (records, record) = recorded();
    let deny = on(EventName::PreToolUse, "deny", |payload: &Payload| {
        match payload.event.call().and_then(|call| call.text("text")) {
            Some("b") => Verdict::deny("no"),
            _ => Verdict::abstain(),
        }
    });
    let batch =
        handle(builder().0.hook(deny).record(record)).batch(vec![say("a"), say("b"), say("fail c")]).await;
    let reported: Vec<_> = batch
        .reports
        .iter()
        .map(|report| (report.call.text("text").unwrap().to_owned(), report.ending.clone()))
        .collect();
    assert_eq!(*records.lock().unwrap(), reported);
}
