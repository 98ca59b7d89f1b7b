//! Load test: ten thousand calls, 64 at once, with hooks of every kind, and no leaks.
//!
//! It is a separate test program because it counts the resources of its process: tasks, blocking threads, children,
//! descriptors.

#![cfg(target_os = "linux")]
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing, reason = "tests")]

use checkrein_harness::{
    Approval, Edit, Ending, EventName, Output, Payload, Pipeline, Request, Running, Session, ToolError,
    ToolSpec, Toolbox, Verdict, answer, checkrein::ToolCall, on, on_async, policy, tool_fn,
};
use serde::Deserialize;
use serde_json::json;
use std::{collections::BTreeMap, fs, time::Duration};
use tokio::runtime::{Builder, Handle};

const CALLS: u64 = 10_000;
const AT_ONCE: usize = 64;
/// One in this many calls also runs a command hook.
const COMMAND_EACH: u64 = 50;

#[derive(Deserialize)]
struct Work {
    number: u64,
}

async fn work(input: Work, _: Running) -> Result<String, ToolError> {
    match input.number % 10 {
        0 => Err("a tenth fails".into()),
        1 => std::panic::resume_unwind(Box::new("a tenth panics")),
        2 => {
            tokio::time::sleep(Duration::from_millis(1)).await;
            Ok("s3cret".into())
        }
        _ => Ok("s3cret".into()),
    }
}

fn pipeline(file: &std::path::Path) -> Pipeline<Toolbox> {
    let schema =
        json!({"type": "object", "required": ["number"], "properties": {"number": {"type": "integer"}}});
    let tools = Toolbox::new()
        .with(tool_fn(ToolSpec::new("work", schema.clone()).unwrap(), work))
        .with(tool_fn(ToolSpec::new("commanded", schema).unwrap().needs_approval(), work));
    Pipeline::builder(tools)
        .config(file)
        .unwrap()
        .hook(on(EventName::PreToolUse, "deny", |payload: &Payload| {
            match payload.event.call().unwrap().input["number"].as_u64() {
                Some(number) if number % 10 == 3 => Verdict::deny("a tenth is denied"),
                Some(number) if number % 10 == 4 => Verdict::ask("a tenth is asked about"),
                _ => Verdict::abstain(),
            }
        }))
        .hook(on_async(EventName::PreToolUse, "wait", async |_: &Payload| {
            tokio::task::yield_now().await;
            Verdict::abstain()
        }))
        .hook(on(EventName::PostToolUse, "redact", |_: &Payload| {
            Verdict::edit(Edit::Output("[redacted]".into()))
        }))
        .hook(on(EventName::PostToolUse, "watch", |_: &Payload| Verdict::abstain()).observe())
        .answer(answer("cache", |call: &ToolCall| {
            (call.input["number"].as_u64()? % 10 == 5).then(|| Output::from("s3cret"))
        }))
        .approver(policy(|_: &Request<'_>| Approval::Yes))
        .limit(AT_ONCE)
        .build()
        .unwrap()
}

/// Returns the number of descriptors and children of this process.
fn held() -> (usize, usize) {
    let descriptors = fs::read_dir("/proc/self/fd").unwrap().count();
    let own = std::process::id().to_string();
    let is_child =
        |stat: &str| stat.rsplit(')').next().and_then(|rest| rest.split_whitespace().nth(1)) == Some(&own);
    let children = fs::read_dir("/proc")
        .unwrap()
        .filter_map(|entry| fs::read_to_string(entry.ok()?.path().join("stat")).ok())
        .filter(|stat| is_child(stat))
        .count();
    (descriptors, children)
}

async fn run(pipeline: &Pipeline<Toolbox>, calls: u64) -> BTreeMap<String, u64> {
    let agent = pipeline.handle(Session::default());
    let calls = (0..calls).map(|number| {
        let name = if number % COMMAND_EACH == 7 { "commanded" } else { "work" };
        ToolCall::new(name, json!({ "number": number }).as_object().unwrap().clone())
    });
    let mut endings = BTreeMap::new();
    for report in agent.batch(calls).await.reports {
        assert!(!report.output.text().contains("s3cret"), "{report:?}");
        let ending = match report.ending {
            Ending::AnsweredBy(who) => format!("answered by {who}"),
            other => format!("{other:?}"),
        };
        *endings.entry(ending).or_default() += 1;
    }
    pipeline.settle().await;
    endings
}

#[test]
fn ten_thousand_calls_leave_nothing_behind() {
    let directory = tempfile::tempdir().unwrap();
    let file = directory.path().join("hooks.toml");
    let command = r#"
        [[hook]]
        event = "PreToolUse"
        name = "command"
        match = { tool = "commanded" }
        command = "cat > /dev/null"
    "#;
    fs::write(&file, command).unwrap();
    let runtime = Builder::new_multi_thread().worker_threads(2).enable_time().build().unwrap();
    let (before, after, endings) = runtime.block_on(async {
        let pipeline = pipeline(&file);
        // The first calls let threads start and queues grow.
        let _ = run(&pipeline, 200).await;
        let before = held();
        let endings = run(&pipeline, CALLS).await;
        drop(pipeline);
        // The task of the observers ends when the pipeline is dropped.
        let metrics = Handle::current().metrics();
        for _ in 0..60_000 {
            if metrics.num_alive_tasks() == 0 {
                break;
            }
            tokio::time::sleep(Duration::from_millis(1)).await;
        }
        assert_eq!(metrics.num_alive_tasks(), 0, "tasks are left");
        (before, held(), endings)
    });
    let tenth = CALLS / 10;
    let expected = [
        ("Denied", tenth),
        ("Failed(Error)", tenth),
        ("Failed(Panicked)", tenth),
        ("Ran", CALLS - 4 * tenth),
        ("answered by cache", tenth),
    ];
    assert_eq!(endings, expected.map(|(ending, count)| (ending.to_owned(), count)).into());
    println!("{CALLS} calls, {AT_ONCE} at once: descriptors and children before {before:?}, after {after:?}");
    assert_eq!(after.1, 0, "children are left");
    assert!(after.0 <= before.0, "descriptors are left: {} before, {} after", before.0, after.0);
}
