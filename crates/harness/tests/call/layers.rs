//! Tower layers around the tools.

use crate::desk::{builder, handle, say, texts};
use checkrein_harness::{
    Cause, Edit, Ending, EventName, Invocation, Output, Payload, ToolError, Verdict, on,
};
use serde_json::json;
use std::{
    sync::{Arc, Mutex},
    task::{Context, Poll},
    time::Duration,
};
use tower::{Layer, Service, timeout::TimeoutLayer};

/// A layer that records calls, and answers `ping` itself.
#[derive(Clone, Default)]
struct Notes(Arc<Mutex<Vec<String>>>);

impl<S> Layer<S> for Notes {
    type Service = Noting<S>;

    fn layer(&self, inner: S) -> Noting<S> {
        Noting { inner, notes: self.clone() }
    }
}

#[derive(Clone)]
struct Noting<S> {
    inner: S,
    notes: Notes,
}

type Answer = std::pin::Pin<Box<dyn Future<Output = Result<Output, ToolError>> + Send>>;

impl<S> Service<Invocation> for Noting<S>
where
    S: Service<Invocation, Response = Output, Error = ToolError>,
    S::Future: Send + 'static,
{
    type Response = Output;
    type Error = ToolError;
    type Future = Answer;

    fn poll_ready(&mut self, cx: &mut Context<'_>) -> Poll<Result<(), ToolError>> {
        self.inner.poll_ready(cx)
    }

    fn call(&mut self, invocation: Invocation) -> Answer {
        let text = invocation.call().text("text").unwrap_or("-").to_owned();
        self.notes.0.lock().unwrap().push(format!("{text} {}", invocation.running().attempt));
        if text == "ping" {
            return Box::pin(async { Ok("pong".into()) });
        }
        Box::pin(self.inner.call(invocation))
    }
}

#[tokio::test]
async fn a_layer_sees_what_was_judged_and_may_answer() {
    let (pipeline, log) = builder();
    let notes = Notes::default();
    let rewrite = on(EventName::PreToolUse, "rewrite", |payload: &Payload| {
        match payload.event.call().and_then(|call| call.text("text")) {
            Some("old") => {
                Verdict::edit(Edit::MergeInput(json!({"text": "new"}).as_object().unwrap().clone()))
            }
            Some("evil") => Verdict::deny("no"),
            _ => Verdict::abstain(),
        }
    });
    let agent = pipeline.hook(rewrite).layer(&notes).build().unwrap().handle(Default::default());
    assert_eq!(agent.call(say("old")).await.output.text(), "new");
    assert_eq!(agent.call(say("ping")).await.output.text(), "pong");
    assert_eq!(agent.call(say("evil")).await.ending, Ending::Denied);
    let report = agent.call(say("fail it")).await;
    assert_eq!((report.ending.clone(), report.output.text()), (Ending::Failed(Cause::Error), "it"));
    assert_eq!(*notes.0.lock().unwrap(), ["new 1", "ping 1", "fail it 1"]);
    assert_eq!(texts(&log), ["new", "fail it"]);
}

#[tokio::test]
async fn other_peoples_layers_fit_and_their_errors_are_failures_of_the_tool() {
    let (pipeline, _) = builder();
    let notes = Notes::default();
    let agent = pipeline
        .layer(&notes)
        .layer(&TimeoutLayer::new(Duration::from_millis(20)))
        .build()
        .unwrap()
        .handle(Default::default());
    assert_eq!(agent.call(say("hello")).await.output.text(), "hello");
    let report = agent.call(say("hang")).await;
    assert_eq!(
        (report.ending.clone(), report.output.text()),
        (Ending::Failed(Cause::Error), "request timed out")
    );
    // The tool's own error is passed through.
    assert_eq!(agent.call(say("fail as ever")).await.output.text(), "as ever");
}

#[tokio::test]
async fn without_a_layer_nothing_changes() {
    assert_eq!(handle(builder().0).call(say("hello")).await.output.text(), "hello");
}
