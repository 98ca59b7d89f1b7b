//! Programs that start themselves again and again.

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
