//! The spans of a call, with the feature `tracing`.
#![cfg(feature = "tracing")]
#![allow(clippy::unwrap_used, clippy::panic, clippy::indexing_slicing, reason = "tests")]

use checkrein_harness::{
    EventName, Payload, Pipeline, Running, Session, ToolError, ToolSpec, Toolbox, Verdict, call, on, tool_fn,
};
use serde_json::{Value, json};
use std::{
    fmt::Debug,
    sync::{Arc, Mutex},
};
use tracing::{
    Subscriber,
    field::{Field, Visit},
    span::{Attributes, Id, Record},
};
use tracing_subscriber::{
    Layer,
    layer::{Context, SubscriberExt},
    registry::LookupSpan,
};

/// Keeps each span with its parents and the values of its fields.
#[derive(Clone, Default)]
struct Kept(Arc<Mutex<Vec<String>>>);

struct Fields(String);

impl Visit for Fields {
    fn record_debug(&mut self, field: &Field, value: &dyn Debug) {
        self.0.push_str(&format!(" {}={value:?}", field.name()));
    }
}

impl<S: Subscriber + for<'a> LookupSpan<'a>> Layer<S> for Kept {
    fn on_new_span(&self, attributes: &Attributes<'_>, id: &Id, context: Context<'_, S>) {
        let mut fields = Fields(String::new());
        attributes.record(&mut fields);
        let path: Vec<&str> = context.span(id).unwrap().scope().from_root().map(|span| span.name()).collect();
        self.0.lock().unwrap().push(format!("{}{}", path.join("/"), fields.0));
    }

    fn on_record(&self, id: &Id, values: &Record<'_>, context: Context<'_, S>) {
        let mut fields = Fields(String::new());
        values.record(&mut fields);
        self.0.lock().unwrap().push(format!("{}:{}", context.span(id).unwrap().name(), fields.0));
    }
}

/// One test, because the subscriber is that of the whole process: hooks that wait run on other threads.
#[tokio::test]
async fn a_call_its_hooks_and_its_tool_are_spans() {
    async fn ping(_: Value, _: Running) -> Result<String, ToolError> {
        Ok("pong".into())
    }
    let kept = Kept::default();
    tracing::subscriber::set_global_default(tracing_subscriber::registry().with(kept.clone())).unwrap();
    let agent = Pipeline::builder(Toolbox::new().with(tool_fn(ToolSpec::unchecked("ping"), ping)))
        .hook(on(EventName::PreToolUse, "quick", |_: &Payload| Verdict::abstain()).judge())
        .hook(on(EventName::PostToolUse, "slow", |_: &Payload| Verdict::deny("no")).waits())
        .build()
        .unwrap()
        .handle(Session::default());
    let expected = [
        "tool_call tool=\"ping\" id=\"i\"",
        "tool_call/hook name=\"quick\" event=PreToolUse role=judge",
        "hook: decision=\"abstain\"",
        "tool_call/tool name=\"ping\" attempt=1",
        "tool_call/hook name=\"slow\" event=PostToolUse role=plain",
        "hook: decision=\"deny\"",
        "tool_call: attempts=1",
        "tool_call: ending=Ran",
    ];
    let _ = agent.call(call("ping", json!({})).id("i")).await;
    assert_eq!(*kept.0.lock().unwrap(), expected);
    kept.0.lock().unwrap().clear();
    let _ = agent.batch([call("ping", json!({})).id("i")]).await;
    assert_eq!(*kept.0.lock().unwrap(), expected, "a batch looks the same");
}
