//! The server: one thread that listens, one per connection, and a record of the requests.

use crate::{
    Answered, Request, Script, Turn, Wire,
    http::{self, Received},
    wire::{Conversation, Speech},
};
use serde_json::{Value, json};
use std::{
    collections::HashMap,
    io::{self, BufReader, BufWriter, Write},
    net::{Ipv4Addr, Shutdown, SocketAddr, TcpListener, TcpStream},
    sync::{
        Arc, Mutex, MutexGuard, PoisonError,
        atomic::{AtomicBool, Ordering},
    },
    thread::{self, JoinHandle},
};

const JSON: &str = "application/json";
const STREAM: &str = "text/event-stream";

/// The answer to a side request.
const ASIDE: &str = "Noted.";
/// The answer when the script has no more turns.
const OVER: &str = "The script is over.";

/// A scripted model that listens on loopback until it is dropped.
#[derive(Debug)]
pub struct Server {
    address: SocketAddr,
    shared: Arc<Shared>,
    listener: Option<JoinHandle<()>>,
}

#[derive(Debug)]
struct Shared {
    script: Script,
    state: Mutex<State>,
    over: AtomicBool,
}

#[derive(Debug, Default)]
struct State {
    /// The next turn of the main conversation and of each branch.
    next: HashMap<Option<usize>, usize>,
    /// The number of answers so far.
    answers: u64,
    requests: Vec<Request>,
    /// Other requests, as method and path.
    others: Vec<String>,
    connections: Vec<TcpStream>,
}

impl Server {
    /// Listens on a free port of 127.0.0.1 and follows `script`.
    ///
    /// # Errors
    ///
    /// If there is no port to listen on, or no thread to listen with.
    pub fn start(script: Script) -> io::Result<Self> {
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0))?;
        let address = listener.local_addr()?;
        let shared = Arc::new(Shared { script, state: Mutex::default(), over: AtomicBool::new(false) });
        let theirs = Arc::clone(&shared);
        let listener = thread::Builder::new()
            .name("scripted model".to_owned())
            .spawn(move || listen(&listener, &theirs))?;
        Ok(Self { address, shared, listener: Some(listener) })
    }

    /// Returns the address on which it listens.
    #[must_use]
    pub fn address(&self) -> SocketAddr {
        self.address
    }

    /// Returns the root of its paths, such as `http://127.0.0.1:40123`. The OpenAI protocols are below its
    /// `/v1`.
    #[must_use]
    pub fn url(&self) -> String {
        format!("http://{}", self.address)
    }

    /// Returns all requests so far, including side requests, in the order of the answers.
    #[must_use]
    pub fn requests(&self) -> Vec<Request> {
        self.shared.state().requests.clone()
    }

    /// Returns the requests that took a turn of the script.
    #[must_use]
    pub fn turns(&self) -> Vec<Request> {
        let mut requests = self.requests();
        requests.retain(|request| matches!(request.answered, Answered::Turn(_)));
        requests
    }

    /// Returns requests that belong to no protocol, such as `GET /v1/models`.
    #[must_use]
    pub fn others(&self) -> Vec<String> {
        self.shared.state().others.clone()
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        self.shared.over.store(true, Ordering::SeqCst);
        // The listener waits for a connection: it gets this one, and sees the end.
        drop(TcpStream::connect(self.address));
        if let Some(listener) = self.listener.take() {
            // A thread that panicked has no result.
            let _ = listener.join();
        }
        for connection in &self.shared.state().connections {
            // It may be closed already.
            let _ = connection.shutdown(Shutdown::Both);
        }
    }
}

impl Shared {
    /// Returns the state. A thread that panicked leaves a valid list of requests.
    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Takes the next turn, or the fallback, and the number of the answer.
    fn take(&self, conversation: &Conversation, request: impl FnOnce(Answered) -> Request) -> (Turn, u64) {
        let mut state = self.state();
        let branch = self.script.branch_of(&conversation.messages);
        let number = state.next.get(&branch).copied().unwrap_or_default();
        let (answered, turn) = match self.script.turn_of(branch, number) {
            None => (Answered::AfterTheEnd, Turn::text(OVER)),
            Some(turn) if self.script.is_aside(turn, &conversation.tools) => {
                (Answered::Aside, Turn::text(ASIDE))
            }
            Some(turn) => {
                state.next.insert(branch, number + 1);
                (Answered::Turn(number), turn.clone())
            }
        };
        state.requests.push(request(answered));
        state.answers += 1;
        (turn, state.answers)
    }
}

fn listen(listener: &TcpListener, shared: &Arc<Shared>) {
    for connection in listener.incoming() {
        if shared.over.load(Ordering::SeqCst) {
            return;
        }
        let Ok(connection) = connection else { continue };
        if let Ok(ours) = connection.try_clone() {
            shared.state().connections.push(ours);
        }
        let theirs = Arc::clone(shared);
        // Without a thread the connection is dropped, and the client notices.
        let _ = thread::Builder::new().name("scripted model's connection".to_owned()).spawn(move || {
            // A client that disconnects is not our error.
            let _ = serve(&connection, &theirs);
            let _ = connection.shutdown(Shutdown::Both);
        });
    }
}

/// The next step of a connection after an answer.
enum Then {
    GoOn,
    Break,
}

fn serve(connection: &TcpStream, shared: &Shared) -> io::Result<()> {
    connection.set_nodelay(true)?;
    let mut from = BufReader::new(connection);
    let mut to = BufWriter::new(connection);
    loop {
        let Some(received) = http::receive(&mut from, &mut { connection })? else { return Ok(()) };
        match respond(&received, &mut to, shared)? {
            Then::GoOn if received.keeps_alive() => {}
            Then::GoOn | Then::Break => return Ok(()),
        }
    }
}

fn respond(received: &Received, to: &mut impl Write, shared: &Shared) -> io::Result<Then> {
    let Received { method, path, headers, body } = received;
    let refuse = |to: &mut _, status: u16, wire: Wire, message: &str| {
        http::answer(to, status, JSON, wire.error(message).to_string().as_bytes()).map(|()| Then::GoOn)
    };
    let wire = match Wire::at(path) {
        Some(wire) if method == "POST" => wire,
        Some(_) | None => {
            shared.state().others.push(format!("{method} {path}"));
            return elsewhere(method, path, to);
        }
    };
    if let Some(packing) = received.packing() {
        return refuse(to, 415, wire, &format!("a body packed with `{packing}` is not understood"));
    }
    let Ok(body) = serde_json::from_slice::<Value>(body) else {
        return refuse(to, 400, wire, "the body is not JSON");
    };
    let conversation = wire.read(&body);
    let stream = wire.streams(path, &body);
    let (turn, number) = shared.take(&conversation, |answered| Request {
        wire,
        stream,
        model: wire.model(path, &body).to_owned(),
        tools: conversation.tools.clone(),
        results: conversation.results.clone(),
        messages: conversation.messages.clone(),
        answered,
        headers: headers.clone(),
        body: body.clone(),
    });
    let (text, calls, ending) = match &turn {
        Turn::Say { text, calls } => (text, calls.as_slice(), Then::GoOn),
        Turn::Cut { text } => (text, [].as_slice(), Then::Break),
        Turn::Fail { status, message } => return refuse(to, *status, wire, message),
    };
    let speech = Speech { text, calls, request: &body, number };
    if stream { speak(to, wire, &speech, ending) } else { say(to, wire, &speech, ending) }
}

/// Sends the answer as a stream; a cut one ends in the middle of its events.
fn speak(to: &mut impl Write, wire: Wire, speech: &Speech<'_>, ending: Then) -> io::Result<Then> {
    let events = wire.stream(speech);
    let sent = match ending {
        Then::GoOn => events.len(),
        Then::Break => events.len() / 2,
    };
    http::open(to, STREAM)?;
    for event in events.iter().take(sent) {
        http::piece(to, event.text().as_bytes())?;
    }
    if let Then::GoOn = ending {
        http::close(to)?;
    }
    Ok(ending)
}

/// Sends the answer as one object; a cut one ends before its length.
fn say(to: &mut impl Write, wire: Wire, speech: &Speech<'_>, ending: Then) -> io::Result<Then> {
    let whole = wire.whole(speech).to_string();
    match ending {
        Then::GoOn => http::answer(to, 200, JSON, whole.as_bytes())?,
        Then::Break => {
            http::open(to, JSON)?;
            let half: String = whole.chars().take(whole.len() / 2).collect();
            http::piece(to, half.as_bytes())?;
        }
    }
    Ok(ending)
}

/// Answers requests of agents that are not part of the conversation.
fn elsewhere(method: &str, path: &str, to: &mut impl Write) -> io::Result<Then> {
    let (status, body) = if method == "HEAD" {
        (200, String::new())
    } else if path.ends_with("/count_tokens") {
        (200, json!({"input_tokens": 10}).to_string())
    } else if path.ends_with("/models") {
        let model = json!({"id": "scripted", "object": "model", "owned_by": "checkrein"});
        (200, json!({"object": "list", "data": [model], "models": []}).to_string())
    } else {
        (404, json!({"error": {"message": "there is nothing here"}}).to_string())
    };
    http::answer(to, status, JSON, body.as_bytes()).map(|()| Then::GoOn)
}
