//! A request whose answer is a stream of events. The client blocks, so it has its own thread.

use super::Answer;
use serde_json::Value;
use std::{
    io::{BufRead, BufReader},
    time::Duration,
};
use tokio::{sync::mpsc, task};

/// A request: URL, headers and body.
pub(crate) struct Request {
    pub(crate) url: String,
    pub(crate) headers: Vec<(&'static str, String)>,
    pub(crate) body: Value,
}

/// Assembles the events of one answer.
pub(crate) trait Reader: Send + 'static {
    /// Takes an event, and returns the text in it.
    fn event(&mut self, event: &Value) -> Result<Option<String>, String>;

    /// Returns the answer, if it is complete.
    fn finish(self) -> Option<Answer>;
}

/// The reason why there is no answer.
pub(crate) enum Failed {
    /// Retrying will not help.
    ForGood(String),
    /// Retrying may help.
    ForNow(String),
}

/// The timeout for a whole answer.
const PATIENCE: Duration = Duration::from_secs(600);

/// Sends the request, and passes on the text as it arrives.
pub(crate) async fn stream<R: Reader>(request: Request, reader: R, say: fn(&str)) -> Result<Answer, Failed> {
    let (words, mut heard) = mpsc::channel(64);
    // A caller that gives up drops `heard`, and the thread ends at the next word.
    let job = task::spawn_blocking(move || talk(&request, reader, &words));
    while let Some(piece) = heard.recv().await {
        say(&piece);
    }
    job.await.unwrap_or_else(|error| Err(Failed::ForGood(format!("the request was lost: {error}"))))
}

fn talk<R: Reader>(request: &Request, mut reader: R, words: &mpsc::Sender<String>) -> Result<Answer, Failed> {
    let broken = |why: &dyn std::fmt::Display| Failed::ForNow(format!("the answer broke off: {why}"));
    let mut call = client(&request.url).post(&request.url).header("accept", "text/event-stream");
    for (name, value) in &request.headers {
        call = call.header(*name, value);
    }
    let body = request.body.to_string();
    let mut response = match call.content_type("application/json").send(body) {
        Ok(response) => response,
        Err(error) => return Err(Failed::ForGood(format!("{}: {error}", request.url))),
    };
    let status = response.status();
    if !status.is_success() {
        let text = response.body_mut().read_to_string().unwrap_or_default();
        let why = format!("{} answers {status}: {}", request.url, text.trim());
        let busy = status.is_server_error() || status.as_u16() == 429;
        return Err(if busy { Failed::ForNow(why) } else { Failed::ForGood(why) });
    }
    for line in BufReader::new(response.body_mut().as_reader()).lines() {
        let line = line.map_err(|error| broken(&error))?;
        let Some(data) = line.strip_prefix("data:").map(str::trim) else { continue };
        if data == "[DONE]" {
            break;
        }
        let event = serde_json::from_str(data).map_err(|error| broken(&error))?;
        if let Some(piece) = reader.event(&event).map_err(Failed::ForNow)?
            && words.blocking_send(piece).is_err()
        {
            return Err(Failed::ForGood("given up".into()));
        }
    }
    reader.finish().ok_or_else(|| broken(&"it has no end"))
}

/// Creates a client for this host. It uses no proxy for this machine itself.
fn client(url: &str) -> ureq::Agent {
    let rest = url.split_once("://").map_or(url, |(_, rest)| rest);
    let local = ["127.0.0.1", "localhost", "[::1]"].iter().any(|host| rest.starts_with(host));
    let config = ureq::Agent::config_builder().http_status_as_error(false).timeout_global(Some(PATIENCE));
    let config = if local { config.proxy(None) } else { config };
    config.build().into()
}
