//! Tools that record their input, and helpers for the tests.

use checkrein_harness::{
    Builder, Handle, Map, Output, Pipeline, Report, Running, Session, ToolError, ToolSpec, Tools,
    checkrein::ToolCall,
};
use serde_json::{Value, json};
use std::{
    sync::{Arc, Mutex},
    time::Duration,
};

/// The inputs of the calls, in the order in which they started.
pub(crate) type Log = Arc<Mutex<Vec<Value>>>;

/// One tool, `say`, which needs a `text`. The text selects what the tool does: `fail ...`, `panic`, `hang`, `wait
/// ...`; any other text is returned.
pub(crate) struct Desk {
    spec: Arc<ToolSpec>,
    risky: Arc<ToolSpec>,
    pub(crate) log: Log,
}

impl Desk {
    pub(crate) fn new() -> (Self, Log) {
        let log = Log::default();
        let schema = json!({
            "type": "object",
            "required": ["text"],
            "properties": {"text": {"type": "string", "maxLength": 100}, "note": {"type": "string"}},
        });
        let spec = ToolSpec::new("say", schema).unwrap().into();
        let risky = ToolSpec::unchecked("risky").needs_approval().into();
        (Self { spec, risky, log: Arc::clone(&log) }, log)
    }
}

impl Tools for Desk {
    fn tool(&self, name: &str) -> Option<Arc<ToolSpec>> {
        [&self.spec, &self.risky].into_iter().find(|spec| spec.name() == name).cloned()
    }

    async fn run(&self, call: &ToolCall, running: &Running) -> Result<Output, ToolError> {
        self.log.lock().unwrap().push(Value::Object(call.input.clone()));
        let text = call.text("text").unwrap_or("nothing").to_owned();
        if let Some(error) = text.strip_prefix("fail ") {
            return Err(error.into());
        }
        match text.as_str() {
            "panic" => std::panic::resume_unwind(Box::new("the tool's own panic")),
            "hang" => std::future::pending().await,
            "wait" => tokio::time::sleep(Duration::from_millis(30)).await,
            "flaky" if running.attempt == 1 => return Err("not yet".into()),
            _ => {}
        }
        Ok(text.into())
    }
}

pub(crate) fn builder() -> (Builder<Desk>, Log) {
    let (desk, log) = Desk::new();
    (Pipeline::builder(desk), log)
}

pub(crate) fn handle(builder: Builder<Desk>) -> Handle<Desk> {
    builder.build().unwrap().handle(Session::default())
}

pub(crate) fn map(value: Value) -> Map {
    let Value::Object(map) = value else { panic!("not an object: {value}") };
    map
}

pub(crate) fn say(text: &str) -> ToolCall {
    let mut call = ToolCall::new("say", map(json!({ "text": text })));
    call.id = Some(text.to_owned());
    call
}

pub(crate) fn texts(log: &Log) -> Vec<String> {
    let log = log.lock().unwrap();
    log.iter().map(|input| input["text"].as_str().unwrap_or("-").to_owned()).collect()
}

pub(crate) fn notes(report: &Report) -> Vec<String> {
    report.notes.iter().map(|note| format!("{:?} {}: {}", note.kind, note.hook, note.text)).collect()
}
