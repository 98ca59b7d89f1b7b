//! Prompts, session starts and ends, and subagents.

use crate::desk::{builder, handle, say, texts};
use checkrein_harness::{
    Approval, Edit, Ending, EventDecision, EventName, Payload, PromptDecision, Request, Session, StopRetry,
    Verdict, on, policy,
};
use serde_json::json;
use std::sync::{Arc, Mutex};

#[tokio::test]
async fn without_hooks_everything_passes_as_it_is() {
    let agent = handle(builder().0);
    assert!(agent.session_start("startup").await.notes.is_empty());
    assert!(matches!(agent.prompt("hi").await, PromptDecision::Accepted { prompt, .. } if prompt == "hi"));
    assert!(matches!(agent.stopping(None, StopRetry::No).await, EventDecision::Proceed(_)));
    assert!(matches!(agent.child("a").subagent_starting("go").await, EventDecision::Proceed(_)));
    assert!(agent.session_end("done").await.stop.is_none());
}

#[tokio::test]
async fn a_prompt_is_denied_rewritten_asked_about_and_given_context() {
    let hook = on(EventName::UserPromptSubmit, "door", |payload: &Payload| match payload.event.prompt() {
        Some("deny") => Verdict::deny("not here"),
        Some("ask") => Verdict::ask("sure?"),
        Some("stop") => Verdict::abstain().with_stop("closed"),
        Some(prompt) => Verdict::edit(Edit::Prompt(format!("{prompt}, please"))).with_context("it is late"),
        None => Verdict::abstain(),
    });
    let agent = handle(builder().0.hook(hook));
    let PromptDecision::Accepted { prompt, hooks } = agent.prompt("help").await else { panic!("refused") };
    assert_eq!((prompt.as_str(), hooks.notes[0].text.as_str()), ("help, please", "it is late"));
    for (prompt, expected) in [
        ("deny", "blocked by door: not here"),
        ("ask", "not approved: no approver is configured"),
        ("stop", "closed"),
    ] {
        let PromptDecision::Refused { reason, .. } = agent.prompt(prompt).await else {
            panic!("{prompt} is accepted")
        };
        assert_eq!(reason, expected);
    }
    let ask = on(EventName::UserPromptSubmit, "door", |_: &Payload| Verdict::ask("sure?"));
    let agent = handle(builder().0.hook(ask).approver(policy(|_: &Request<'_>| Approval::Yes)));
    assert!(matches!(agent.prompt("ask").await, PromptDecision::Accepted { .. }));
}

#[tokio::test]
async fn a_hook_makes_an_agent_go_on_unless_one_ends_the_turn() {
    let more = || {
        on(EventName::Stop, "more", |payload: &Payload| {
            if payload.field("stop_hook_active") == Some(&true.into()) {
                return Verdict::abstain();
            }
            assert_eq!(payload.field("last_assistant_message"), Some(&json!("done")));
            Verdict::deny("the tests do not pass yet")
        })
    };
    let agent = handle(builder().0.hook(more()));
    let EventDecision::Blocked { reason, .. } = agent.stopping(Some("done"), StopRetry::No).await else {
        panic!("free")
    };
    assert_eq!(reason, "more: the tests do not pass yet");
    assert!(matches!(agent.stopping(Some("done"), StopRetry::Yes).await, EventDecision::Proceed(_)));
    let end = on(EventName::Stop, "end", |_: &Payload| Verdict::abstain().with_stop("out of money"));
    let agent = handle(builder().0.hook(more()).hook(end));
    let EventDecision::Proceed(hooks) = agent.stopping(Some("done"), StopRetry::No).await else {
        panic!("blocked")
    };
    assert_eq!(hooks.stop.unwrap().reason, "out of money");
}

#[tokio::test]
async fn a_subagent_has_the_same_hooks_and_its_lineage() {
    let seen = Arc::new(Mutex::new(Vec::new()));
    let keep = Arc::clone(&seen);
    let (pipeline, log) = builder();
    let guard = on(EventName::PreToolUse, "guard", move |payload: &Payload| {
        keep.lock().unwrap().push((
            payload.agent.id.clone(),
            payload.agent.lineage.clone(),
            payload.session.id.clone(),
        ));
        Verdict::deny("no")
    });
    let bar = on(EventName::SubagentStart, "bar", |payload: &Payload| {
        if payload.agent.lineage.is_empty() { Verdict::abstain() } else { Verdict::deny("too deep") }
    });
    let pipeline = pipeline.hook(guard).hook(bar).build().unwrap();
    let main = pipeline.handle(Session { id: Some("s".into()), ..Session::default() });
    let child = main.child("child");
    assert!(matches!(child.subagent_starting("go").await, EventDecision::Proceed(_)));
    let grandchild = child.child("grandchild");
    assert!(matches!(grandchild.subagent_starting("go").await, EventDecision::Blocked { .. }));
    for agent in [&main, &child, &grandchild] {
        assert_eq!(agent.call(say("hello")).await.ending, Ending::Denied);
    }
    let id = |id: &str| Some(id.to_owned());
    assert_eq!(
        *seen.lock().unwrap(),
        [
            (None, vec![], id("s")),
            (id("child"), vec![], id("s")),
            (id("grandchild"), vec!["child".to_owned()], id("s"))
        ]
    );
    assert!(texts(&log).is_empty());
}
