//! Approval requests: who asks, about what, and the default.

use crate::desk::{builder, handle, map, say, texts};
use checkrein_harness::{
    Approval, Builder, Edit, Ending, EventName, Payload, Registration, Request, Subject, Verdict,
    checkrein::ToolCall, on, policy,
};
use serde_json::json;
use std::sync::{Arc, Mutex};

fn ask(name: &str) -> Registration {
    on(EventName::PreToolUse, name, |_: &Payload| Verdict::ask("really?")).judge()
}

fn risky() -> ToolCall {
    ToolCall::new("risky", map(json!({"text": "jump"})))
}

/// An approver that answers `approval` and records the requests.
fn keeping<T: checkrein_harness::Tools>(
    builder: Builder<T>,
    approval: Approval,
) -> (Builder<T>, Arc<Mutex<Vec<String>>>) {
    let asked = Arc::new(Mutex::new(Vec::new()));
    let keep = Arc::clone(&asked);
    let builder = builder.approver(policy(move |request: &Request<'_>| {
        let what = match request.subject {
            Subject::Call(call) => format!("call {}", serde_json::Value::Object(call.input.clone())),
            Subject::Output(call, output) => format!("output of {}: {}", call.name, output.text()),
            Subject::Prompt(prompt) => format!("prompt {prompt}"),
            Subject::Event(payload) => format!("event {}", payload.name()),
        };
        let why: Vec<String> =
            request.reasons.iter().map(|said| format!("{}: {}", said.hook, said.text)).collect();
        keep.lock().unwrap().push(format!("{:?} {what} [{}]", request.asker, why.join(", ")));
        approval.clone()
    }));
    (builder, asked)
}

#[tokio::test]
async fn a_question_without_an_approver_is_a_refusal() {
    let (pipeline, log) = builder();
    let agent = handle(pipeline.hook(ask("careful")));
    let report = agent.call(say("hello")).await;
    assert_eq!(report.ending, Ending::NotApproved);
    assert_eq!(report.output.text(), "not approved: no approver is configured (careful: really?)");
    let report = agent.call(risky()).await;
    assert_eq!(report.ending, Ending::NotApproved);
    assert!(texts(&log).is_empty());
}

#[tokio::test]
async fn what_is_approved_is_what_runs() {
    let (pipeline, log) = builder();
    let rewrite = on(EventName::PreToolUse, "rewrite", |_: &Payload| {
        Verdict::edit(Edit::MergeInput(map(json!({"text": "new"}))))
    });
    let (pipeline, asked) = keeping(pipeline.hook(ask("careful")).hook(rewrite.edit()), Approval::Yes);
    let report = handle(pipeline).call(say("old")).await;
    assert_eq!(report.output.text(), "new");
    assert_eq!(*asked.lock().unwrap(), [r#"Hook call {"text":"new"} [careful: really?]"#]);
    assert_eq!(texts(&log), ["new"]);
}

#[tokio::test]
async fn a_refusal_is_reported_with_its_reason() {
    let (pipeline, log) = builder();
    let denied = Arc::new(Mutex::new(Vec::new()));
    let keep = Arc::clone(&denied);
    let told = on(EventName::PermissionDenied, "told", move |payload: &Payload| {
        keep.lock().unwrap().push(payload.event.call().unwrap().name.clone());
        Verdict::abstain()
    });
    let (pipeline, _) = keeping(pipeline.hook(told), Approval::No(Some("not today".into())));
    let report = handle(pipeline).call(risky()).await;
    assert_eq!(
        (report.ending.clone(), report.output.text()),
        (Ending::NotApproved, "not approved: not today")
    );
    assert_eq!(*denied.lock().unwrap(), ["risky"]);
    assert!(texts(&log).is_empty());
}

#[tokio::test]
async fn an_allow_spares_the_hosts_question_and_no_other() {
    let allowing =
        || on(EventName::PreToolUse, "allower", |_: &Payload| Verdict::allow()).judge().may_allow();
    let (pipeline, asked) = keeping(builder().0.hook(allowing()), Approval::NO);
    assert_eq!(handle(pipeline).call(risky()).await.ending, Ending::Ran);
    assert!(asked.lock().unwrap().is_empty());
    // An `allow` from a hook that may not allow has no effect.
    let silence = on(EventName::PreToolUse, "fan", |_: &Payload| Verdict::allow()).judge();
    let (pipeline, asked) = keeping(builder().0.hook(silence), Approval::NO);
    assert_eq!(handle(pipeline).call(risky()).await.ending, Ending::NotApproved);
    assert_eq!(*asked.lock().unwrap(), [r#"Host call {"text":"jump"} []"#]);
    let (pipeline, asked) = keeping(builder().0.hook(allowing()).hook(ask("careful")), Approval::NO);
    assert_eq!(handle(pipeline).call(risky()).await.ending, Ending::NotApproved);
    assert_eq!(asked.lock().unwrap().len(), 1);
}

#[tokio::test]
async fn hooks_may_spare_the_user_the_question() {
    let request = |verdict: fn() -> Verdict| {
        on(EventName::PermissionRequest, "spare", move |_: &Payload| verdict()).judge().may_allow()
    };
    let (pipeline, asked) = keeping(builder().0.hook(request(Verdict::allow)), Approval::NO);
    assert_eq!(handle(pipeline).call(risky()).await.ending, Ending::Ran);
    let denied = request(|| Verdict::deny("no need to ask"));
    let (pipeline, asked_too) = keeping(builder().0.hook(denied), Approval::Yes);
    let report = handle(pipeline).call(risky()).await;
    assert_eq!(
        (report.ending.clone(), report.output.text()),
        (Ending::Denied, "blocked by spare: no need to ask")
    );
    assert!(asked.lock().unwrap().is_empty() && asked_too.lock().unwrap().is_empty());
    // It does not answer the question of another hook.
    let (pipeline, asked) =
        keeping(builder().0.hook(ask("careful")).hook(request(Verdict::allow)), Approval::NO);
    assert_eq!(handle(pipeline).call(say("hello")).await.ending, Ending::NotApproved);
    assert_eq!(asked.lock().unwrap().len(), 1);
}

#[tokio::test]
async fn what_is_about_to_be_approved_cannot_be_changed_any_more() {
    let (pipeline, log) = builder();
    let late = on(EventName::PermissionRequest, "late", |_: &Payload| {
        Verdict::edit(Edit::MergeInput(map(json!({"text": "other"}))))
    });
    let (pipeline, asked) = keeping(pipeline.hook(late.edit()), Approval::Yes);
    let report = handle(pipeline).call(risky()).await;
    assert_eq!(report.ending, Ending::Denied);
    assert_eq!(report.call.input, map(json!({"text": "jump"})));
    assert!(texts(&log).is_empty() && asked.lock().unwrap().is_empty());
}

#[tokio::test]
async fn an_approver_that_panics_says_no() {
    let (pipeline, log) = builder();
    let pipeline = pipeline
        .approver(policy(|_: &Request<'_>| -> Approval { std::panic::resume_unwind(Box::new("gone")) }));
    let report = handle(pipeline).call(risky()).await;
    assert_eq!(report.output.text(), "not approved: the approver panicked: gone");
    assert!(texts(&log).is_empty());
}

#[tokio::test]
async fn a_question_about_a_result_is_asked_before_the_model_sees_it() {
    let doubt = || on(EventName::PostToolUse, "doubt", |_: &Payload| Verdict::ask("is this public?"));
    let (pipeline, asked) = keeping(builder().0.hook(doubt()), Approval::Yes);
    assert_eq!(handle(pipeline).call(say("hello")).await.output.text(), "hello");
    assert_eq!(*asked.lock().unwrap(), ["Hook output of say: hello [doubt: is this public?]"]);
    let report = handle(builder().0.hook(doubt())).call(say("hello")).await;
    assert!(report.withheld && report.is_error());
    assert!(!report.for_model().contains("hello"), "{report:?}");
}
