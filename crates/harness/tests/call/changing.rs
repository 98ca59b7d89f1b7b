//! Everything that can change while a pipeline runs, and what hooks know and turn.

use crate::desk::{builder, handle, map, say, texts};
use checkrein_harness::{
    Approval, Asker, Ending, EventDecision, EventName, Json, Map, ModelAnswer, NoteKind, Output, Payload,
    Pipeline, Request, RequestDecision, ResultKind, Running, Session, Subject, ToolCall, ToolError,
    ToolInput, ToolKind, ToolSpec, Toolbox, Verdict, after_model, after_typed, before, before_model, call,
    on, policy, tool_fn,
};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use std::sync::{Arc, Mutex};

fn deny(name: &str) -> checkrein_harness::Registration {
    on(EventName::PreToolUse, name, |_: &Payload| Verdict::deny("no"))
}

/// T2: all, only some, all except some.
#[tokio::test]
async fn a_hook_covers_all_tools_except_some() {
    async fn any(_: Value, _: Running) -> Result<String, ToolError> {
        Ok("ran".into())
    }
    let tools = ["read_file", "write_file", "write_draft"]
        .into_iter()
        .fold(Toolbox::new(), |tools, name| tools.with(tool_fn(ToolSpec::unchecked(name), any)));
    for (hook, denied) in [
        (deny("h"), vec!["read_file", "write_file", "write_draft"]),
        (deny("h").except(&["read_file"]), vec!["write_file", "write_draft"]),
        (deny("h").only(&["write_*"]).except(&["write_draft"]), vec!["write_file"]),
        (deny("h").except(&["write_draft"]).only(&["write_*"]), vec!["write_file"]),
        (deny("h").except(&["kind:read", "/draft/"]), vec!["write_file"]),
    ] {
        let agent = Pipeline::builder(tools.clone()).hook(hook).build().unwrap().handle(Session::default());
        let mut found = Vec::new();
        for name in ["read_file", "write_file", "write_draft"] {
            if agent.call(call(name, json!({}))).await.ending == Ending::Denied {
                found.push(name);
            }
        }
        assert_eq!(found, denied);
    }
    let wrong = Pipeline::builder(tools).hook(deny("h").except(&["a|b"])).build().unwrap_err();
    assert!(wrong.to_string().contains("invalid tool pattern in hook `h`"), "{wrong}");
}

/// A hook with a misspelled name is never called.
#[tokio::test]
async fn a_hook_for_a_tool_that_does_not_exist_is_a_remark() {
    struct Misspelled;
    impl<'de> Deserialize<'de> for Misspelled {
        fn deserialize<D: serde::Deserializer<'de>>(_: D) -> Result<Self, D::Error> {
            Ok(Self)
        }
    }
    impl ToolInput for Misspelled {
        const TOOL: &'static str = "write-file";
    }
    async fn any(_: Value, _: Running) -> Result<String, ToolError> {
        Ok("ran".into())
    }
    let told = Arc::new(Mutex::new(Vec::new()));
    let remarks = Arc::clone(&told);
    let tools = Toolbox::new().with(tool_fn(ToolSpec::unchecked("write_file"), any));
    let typed = before("typed", |_: &ToolCall<'_, Misspelled>| Verdict::deny("no"));
    Pipeline::builder(tools)
        .remarks(move |line| remarks.lock().unwrap().push(line.to_owned()))
        .hook(typed)
        .hook(deny("several").only(&["a", "write_file"]))
        .hook(deny("later").only(&["a", "b"]))
        .hook(deny("prefix").only(&["a*"]))
        .hook(deny("kind").only(&["kind:shell"]))
        .hook(deny("all"))
        .build()
        .unwrap();
    assert_eq!(
        *told.lock().unwrap(),
        [
            "the hook `typed` is only for write-file, and there is no such tool",
            "the hook `later` is only for a, b, and there is no such tool",
        ]
    );
}

/// T3: hooks are added and removed while the pipeline runs.
#[tokio::test]
async fn hooks_come_and_go_while_the_pipeline_runs() {
    let (pipeline, _) = builder();
    let pipeline = pipeline.build().unwrap();
    let agent = pipeline.handle(Session::default());
    assert_eq!(agent.call(say("a")).await.ending, Ending::Ran);
    pipeline.add_hook(deny("lunch")).unwrap();
    pipeline.add_hook(deny("lunch")).unwrap();
    assert_eq!(agent.call(say("b")).await.ending, Ending::Denied);
    assert_eq!(pipeline.dispatcher().entries().len(), 3, "with the judge of the schema");
    assert_eq!(pipeline.remove_hook("lunch"), 2);
    assert_eq!(pipeline.remove_hook("lunch"), 0);
    assert_eq!(agent.call(say("c")).await.ending, Ending::Ran);
    assert_eq!(pipeline.dispatcher().entries().len(), 0);
    assert!(pipeline.add_hook(deny("x").only(&["a|b"])).is_err());
}

#[tokio::test]
async fn a_call_keeps_the_hooks_that_it_began_with() {
    let (pipeline, _) = builder();
    let pipeline = pipeline.build().unwrap();
    let weak = pipeline.downgrade();
    let seen = Arc::new(Mutex::new(Vec::new()));
    let log = Arc::clone(&seen);
    pipeline
        .add_hook(on(EventName::PreToolUse, "before", move |_: &Payload| {
            let pipeline = weak.upgrade().unwrap();
            pipeline.remove_hook("after");
            Verdict::abstain()
        }))
        .unwrap();
    pipeline
        .add_hook(on(EventName::PostToolUse, "after", move |_: &Payload| {
            log.lock().unwrap().push("after");
            Verdict::abstain()
        }))
        .unwrap();
    let agent = pipeline.handle(Session::default());
    let _ = agent.call(say("a")).await;
    let _ = agent.call(say("b")).await;
    assert_eq!(*seen.lock().unwrap(), ["after"], "the first call, and not the second");
}

#[tokio::test]
async fn the_guard_cannot_be_removed() {
    let (pipeline, log) = builder();
    let pipeline = pipeline.guard().build().unwrap();
    assert_eq!(pipeline.remove_hook("guard"), 0);
    assert!(pipeline.dispatcher().entries().iter().any(|entry| entry.name() == "guard"));
    pipeline.add_hook(on(EventName::PreToolUse, "late", |_: &Payload| Verdict::abstain())).unwrap();
    let names: Vec<String> = pipeline
        .dispatcher()
        .entries()
        .iter()
        .filter(|entry| entry.event() == EventName::PreToolUse)
        .map(|entry| entry.name().to_owned())
        .collect();
    assert_eq!(names, ["schema", "late", "rewrites", "secrets", "guard"]);
    assert!(texts(&log).is_empty());
}

/// T4: hooks know the session's id, its metadata and the names of the tools.
#[tokio::test]
async fn hooks_know_what_the_host_says_of_the_session() {
    let seen = Arc::new(Mutex::new(Vec::new()));
    let log = Arc::clone(&seen);
    let hook = on(EventName::PreToolUse, "look", move |payload: &Payload| {
        log.lock().unwrap().push((payload.session.id.clone(), Value::Object(payload.session.extra.clone())));
        Verdict::abstain()
    });
    let extra = json!({"tools": ["say", "risky"], "tenant": {"name": "acme"}});
    let session = Session { id: Some("s".into()), extra: map(extra.clone()), ..Session::default() };
    let _ = builder().0.hook(hook).build().unwrap().handle(session).call(say("a")).await;
    assert_eq!(*seen.lock().unwrap(), [(Some("s".to_owned()), extra)]);
}

/// P4: an after-hook turns an error into a success, and a success into an error.
#[tokio::test]
async fn an_after_hook_turns_a_result() {
    let turn = |event, kind, text: Option<&'static str>| {
        on(event, "turn", move |_: &Payload| {
            let verdict = text.map_or_else(Verdict::abstain, Verdict::replace_output);
            verdict.with_result(kind)
        })
    };
    let (after, failed) = (EventName::PostToolUse, EventName::PostToolUseFailure);
    for (hook, sent, text, is_error) in [
        (turn(failed, ResultKind::Success, None), "fail no match", "no match", false),
        (turn(failed, ResultKind::Success, Some("nothing found")), "fail no match", "nothing found", false),
        (turn(after, ResultKind::Error, None), "0 rows", "0 rows", true),
        (turn(after, ResultKind::Success, None), "0 rows", "0 rows", false),
    ] {
        let report = handle(builder().0.hook(hook)).call(say(sent)).await;
        assert_eq!((report.output.text(), report.is_error()), (text, is_error), "{sent}");
        assert!(report.has_run());
    }
    // A denial is still an error.
    let both = handle(builder().0.hook(turn(after, ResultKind::Success, None)).hook(on(
        after,
        "secret",
        |_: &Payload| Verdict::deny("secret"),
    )));
    let report = both.call(say("a")).await;
    assert!(report.is_error() && report.withheld);
}

#[tokio::test]
async fn a_call_whose_tool_was_replaced_is_judged_again() {
    async fn any(_: Value, _: Running) -> Result<String, ToolError> {
        Ok("ran".into())
    }
    let tools = Toolbox::new()
        .with(tool_fn(ToolSpec::unchecked("first"), any))
        .with(tool_fn(ToolSpec::unchecked("second"), any));
    let other = tools.clone();
    let swap = move |_: Value, _: Running| {
        let strict = json!({"type": "object", "required": ["path"]});
        other.add(tool_fn(ToolSpec::new("second", strict).unwrap(), any));
        other.remove("third");
        async { Ok::<_, ToolError>("swapped") }
    };
    tools.add(tool_fn(ToolSpec::unchecked("first"), swap));
    tools.add(tool_fn(ToolSpec::unchecked("third"), any));
    let agent = Pipeline::builder(tools).limit(1).build().unwrap().handle(Session::default());
    let batch = agent.batch(["first", "second", "third"].map(|name| call(name, json!({})))).await;
    let endings: Vec<&Ending> = batch.reports.iter().map(|report| &report.ending).collect();
    assert_eq!(endings, [&Ending::Ran, &Ending::InvalidInput, &Ending::UnknownTool]);
}

#[derive(Deserialize)]
struct Query {}

impl ToolInput for Query {
    const TOOL: &str = "query";
}

#[derive(Deserialize, Serialize)]
struct Rows {
    rows: Vec<u32>,
}

/// A field that other hosts show to the model says nothing about a result of ours.
#[tokio::test]
async fn every_field_of_a_result_is_seen_and_told() {
    async fn look(_: Value, _: Running) -> Result<Json<Value>, ToolError> {
        Ok(Json(json!({"output": "fine", "key": "hunter2"})))
    }
    let redact = on(EventName::PostToolUse, "redact", |payload: &Payload| {
        let output = payload.event.output().map(Output::text).unwrap_or_default();
        Verdict::replace_output(output.replace("hunter2", "-"))
    });
    let tools = Toolbox::new().with(tool_fn(ToolSpec::unchecked("look"), look));
    let agent = Pipeline::builder(tools).hook(redact.edit()).build().unwrap().handle(Session::default());
    let report = agent.call(call("look", json!({}))).await;
    assert_eq!(report.for_model(), r#"{"output":"fine","key":"-"}"#);
    assert_eq!(report.output.native().unwrap().into_owned(), json!({"output": "fine", "key": "-"}));
}

#[tokio::test]
async fn results_have_types_as_well() {
    async fn query(_: Value, _: Running) -> Result<Json<Rows>, ToolError> {
        Ok(Json(Rows { rows: vec![1, 2, 3] }))
    }
    async fn text(_: Value, _: Running) -> Result<String, ToolError> {
        Ok("no rows at all".into())
    }
    let first = || {
        after_typed("first", |_: &ToolCall<'_, Query>, found: &Rows| {
            Json(Rows { rows: found.rows.iter().take(1).copied().collect() }).replace()
        })
        .edit()
    };
    let tools = Toolbox::new().with(tool_fn(ToolSpec::unchecked("query"), query));
    let agent = Pipeline::builder(tools.clone()).hook(first()).build().unwrap().handle(Session::default());
    let report = agent.call(call("query", json!({}))).await;
    assert_eq!(report.output.native().unwrap().into_owned(), json!({"rows": [1]}));
    // A result that the hook cannot read may be anything, and is withheld.
    tools.add(tool_fn(ToolSpec::unchecked("query"), text));
    let report = agent.call(call("query", json!({}))).await;
    assert!(report.withheld && !report.for_model().contains("rows"), "{report:?}");
    assert_eq!(report.output.text(), "withheld by first: the hook failed");
    // What it could not read is told to the author, and not to the model.
    let failures: Vec<&str> = report.notes_of(NoteKind::Failure).map(|note| note.text.as_str()).collect();
    assert!(failures[0].starts_with("cannot read the result: "), "{failures:?}");
}

/// R13: hooks before and after the call of a model, which allow, block, modify or ask.
#[tokio::test]
async fn hooks_stand_around_the_call_of_a_model() {
    let request = || map(json!({"model": "m", "messages": []}));
    let sent = |decision: RequestDecision| match decision {
        RequestDecision::Send { request, .. } => Ok(Value::Object(request)),
        RequestDecision::Refused { reason, .. } => Err(reason),
    };
    let plain = handle(builder().0);
    assert_eq!(sent(plain.model_request(request()).await), Ok(Value::Object(request())));
    let rewrite = before_model("small", |_: &Map| Verdict::rewrite(map(json!({"max_tokens": 1}))));
    assert_eq!(
        sent(handle(builder().0.hook(rewrite)).model_request(request()).await),
        Ok(json!({"model": "m", "messages": [], "max_tokens": 1}))
    );
    let deny = || before_model("no", |_: &Map| Verdict::deny("too expensive"));
    assert_eq!(
        sent(handle(builder().0.hook(deny())).model_request(request()).await),
        Err("blocked by no: too expensive".to_owned())
    );
    let ask = || before_model("ask", |_: &Map| Verdict::ask("really?"));
    assert_eq!(
        sent(handle(builder().0.hook(ask())).model_request(request()).await),
        Err("not approved: no approver is configured".to_owned())
    );
    let yes = policy(|request: &Request<'_>| {
        assert!(matches!(request.subject, Subject::Event(_)) && request.asker == Asker::Hook);
        Approval::Yes
    });
    assert!(sent(handle(builder().0.hook(ask()).approver(yes)).model_request(request()).await).is_ok());

    let redact = after_model("redact", |response: &Output| {
        Verdict::replace_output(response.text().replace("hunter2", "-"))
    });
    let ModelAnswer { output, withheld, .. } =
        handle(builder().0.hook(redact)).model_response("it is hunter2").await;
    assert_eq!((output.text(), withheld), ("it is -", false));
    let deny = after_model("no", |_: &Output| Verdict::deny("private"));
    let answer = handle(builder().0.hook(deny)).model_response("it is hunter2").await;
    assert_eq!((answer.output.text(), answer.withheld), ("withheld by no: private", true));
    let crash = after_model("crash", |_: &Output| -> Verdict { panic!("no") });
    let answer = handle(builder().0.hook(crash)).model_response("it is hunter2").await;
    assert!(answer.withheld && !answer.output.text().contains("hunter2"), "{answer:?}");
}

#[tokio::test]
async fn telling_a_gate_returns_the_decision() {
    let gate = EventName::PreCompact;
    let blocked = |decision: EventDecision| match decision {
        EventDecision::Proceed(_) => None,
        EventDecision::Blocked { reason, .. } => Some(reason),
    };
    let agent =
        |verdict: fn() -> Verdict| handle(builder().0.hook(on(gate, "h", move |_: &Payload| verdict())));
    assert_eq!(blocked(agent(Verdict::abstain).tell(gate, []).await), None);
    assert_eq!(blocked(agent(|| Verdict::deny("no")).tell(gate, []).await), Some("h: no".to_owned()));
    assert_eq!(blocked(agent(|| Verdict::ask("hm")).tell(gate, []).await), Some("h: hm".to_owned()));
    assert_eq!(
        blocked(agent(|| Verdict::abstain().with_stop("over")).tell(gate, []).await),
        Some("over".to_owned())
    );
    let crash = handle(builder().0.hook(on(gate, "h", |_: &Payload| -> Verdict { panic!("no") })));
    assert!(blocked(crash.tell(gate, []).await).is_some());
    let approved = builder()
        .0
        .hook(on(gate, "h", |_: &Payload| Verdict::ask("hm")))
        .approver(policy(|_: &Request<'_>| Approval::Yes));
    assert_eq!(blocked(handle(approved).tell(gate, []).await), None);
    // An event that only reports something always happens.
    let report = EventName::SessionStart;
    let late = handle(builder().0.hook(on(report, "h", |_: &Payload| Verdict::deny("no"))));
    assert_eq!(blocked(late.tell(report, []).await), None);
    // A cancelled gate stays shut.
    let agent = agent(Verdict::abstain);
    let cancel = checkrein_harness::Cancel::new();
    cancel.cancel();
    assert_eq!(blocked(agent.with_cancel(&cancel).tell(gate, []).await), Some("cancelled".to_owned()));
}

#[tokio::test]
async fn arguments_that_are_no_object_are_reported_like_any_bad_input() {
    let agent = handle(builder().0);
    for (input, text) in [
        (call("say", json!(3)), "expected an object, found a number"),
        (checkrein_harness::Call::from_json("say", "{\"text\": "), "the arguments are not JSON"),
        (checkrein_harness::Call::from_json("say", ""), "\"text\" is a required property"),
    ] {
        let report = agent.call(input.id("i")).await;
        assert_eq!(report.ending, Ending::InvalidInput);
        assert_eq!(report.call.id.as_deref(), Some("i"));
        assert!(report.output.text().contains(text), "{}", report.output.text());
    }
    let report = agent.call(checkrein_harness::Call::from_json("say", r#"{"text": "hi"}"#)).await;
    assert_eq!(report.output.text(), "hi");
    assert_eq!(report.call.kind, ToolKind::Other);
}

#[tokio::test]
async fn a_timed_pipeline_shows_where_the_time_went() {
    let slow = on(EventName::PreToolUse, "slow", |_: &Payload| {
        std::thread::sleep(std::time::Duration::from_millis(15));
        Verdict::abstain()
    });
    let pipeline = builder().0.hook(slow).timed().limit(1);
    let batch = handle(pipeline).batch([say("wait"), say("b")]).await;
    let [first, second] = &batch.reports[..] else { panic!("{batch:?}") };
    let (one, two) = (first.times.unwrap(), second.times.unwrap());
    let millis = std::time::Duration::from_millis;
    assert!(one.hooks >= millis(15) && one.tool >= millis(30) && one.approval.is_zero(), "{one:?}");
    assert!(two.waited >= millis(30) && two.tool < one.tool, "{two:?}");
    let steps: Vec<_> =
        first.trail.iter().flat_map(|one| one.steps().map(|(hook, step)| (one.event, hook, step))).collect();
    assert!(steps.iter().any(|(event, hook, step)| {
        *event == EventName::PreToolUse && *hook == "slow" && step.elapsed >= Some(millis(15))
    }));
    let untimed = handle(builder().0).call(say("a")).await;
    assert!(untimed.times.is_none() && untimed.trail.is_empty());
}

#[test]
fn without_a_runtime_the_reports_say_so() {
    // The simplest executor there is.
    fn poll<F: Future>(future: F) -> F::Output {
        let mut future = std::pin::pin!(future);
        let mut context = std::task::Context::from_waker(std::task::Waker::noop());
        loop {
            if let std::task::Poll::Ready(output) = future.as_mut().poll(&mut context) {
                return output;
            }
        }
    }
    let text = "not started: the pipeline needs a tokio runtime with a timer (`enable_time`)";
    let agent = handle(builder().0);
    let report = poll(agent.call(say("a")));
    assert_eq!((report.ending, report.output.text()), (Ending::NotStarted, text));
    let batch = poll(agent.batch([say("a"), say("b")]));
    assert!(batch.reports.iter().all(|report| report.output.text() == text), "{batch:?}");
    // A gate without its hooks is shut.
    let waits = on(EventName::PreToolUse, "w", |_: &Payload| Verdict::abstain()).waits();
    let report = poll(handle(builder().0.hook(waits)).call(say("a")));
    assert_eq!(report.ending, Ending::Denied);
    assert!(report.output.text().contains("needs a tokio runtime"), "{}", report.output.text());
    let timeless = tokio::runtime::Builder::new_current_thread().build().unwrap();
    let report = timeless.block_on(agent.call(say("a")));
    assert_eq!((report.ending, report.output.text()), (Ending::NotStarted, text));
}
