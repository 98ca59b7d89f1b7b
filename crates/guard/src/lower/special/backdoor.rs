//! Programs that connect to another machine and run what comes from there.
//!
//! The follower of values sees the usual forms. There are many others: a stream that is tied to a shell, a loop that runs each
//! line. What they have in common is a bare socket, which few programs open themselves, beside a shell or a command that
//! nobody wrote down.

/// How languages open a socket to another machine.
const SOCKETS: [&str; 16] = [
    "/inet/tcp/",
    "/inet/udp/",
    "/inet4/tcp/",
    "net.connect",
    "net.createConnection",
    "net.Socket",
    "require(\"net\")",
    "require('net')",
    "TCPSocket",
    "IO::Socket",
    "socket.socket",
    "create_connection",
    "fsockopen",
    "Sockets.TCPClient",
    "require(\"socket\")",
    "require('socket')",
];
/// How they start a shell, or run what they were sent.
const RUNS: [&str; 23] = [
    "/bin/sh",
    "/bin/bash",
    "/bin/zsh",
    "\"sh\"",
    "'sh'",
    "\"bash\"",
    "'bash'",
    "cmd.exe",
    "powershell",
    "pty.spawn",
    "|& getline",
    "|&getline",
    "|getline",
    "| getline",
    "io.popen",
    "IO.popen",
    "iex ",
    "Invoke-Expression",
    "system$_",
    "system($_",
    "proc_open",
    "shell_exec",
    "`$",
];
/// Names of this machine.
const HERE: [&str; 4] = ["localhost", "127.0.0.1", "::1", "0.0.0.0"];

/// Whether a text looks like a shell for somebody else.
pub(super) fn is_one(source: &str) -> bool {
    let has = |words: &[&str]| words.iter().any(|word| source.contains(word));
    has(&SOCKETS)
        && has(&RUNS)
        && !has(&HERE)
        && (source.contains("onnect") || source.contains("inet") || opens(source))
}

/// Whether the socket is opened by its own constructor.
fn opens(source: &str) -> bool {
    ["TCPSocket", "IO::Socket", "fsockopen", "TCPClient"].iter().any(|word| source.contains(word))
}

/// Whether a text starts processes without an end.
pub(super) fn forks_on(source: &str) -> bool {
    const LOOPS: [&str; 12] = [
        "fork while",
        "while fork",
        "while 1",
        "while(1)",
        "while (1)",
        "while True",
        "while true",
        "while(true)",
        "iter(int",
        "loop {",
        "loop{",
        "for(;;)",
    ];
    source.contains("fork") && !source.contains("wait") && LOOPS.iter().any(|word| source.contains(word))
}
