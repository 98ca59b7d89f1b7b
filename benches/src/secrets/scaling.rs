//! The scaling table that the predecessor published: 10 to 1000 patterns against a text, here with texts of four sizes, next to a plain
//! `RegexSet` and to a loop in Python.

use super::{patterns, scanner};
use crate::table::{self, Goal};
use regex::bytes::RegexSet;
use std::{
    hint::black_box,
    io::Write,
    process::{Command, Stdio},
    time::{Duration, Instant},
};

const COUNTS: [usize; 5] = [10, 50, 100, 500, 1_000];
/// The sizes of the texts. The first is that of the predecessor.
const SIZES: [(&str, usize); 4] =
    [("805 characters", 805), ("1 KB", 1_000), ("100 KB", 100_000), ("10 MB", 10_000_000)];
/// Python needs minutes for a larger text.
const MOST_FOR_PYTHON: usize = 100_000;
/// The time for one figure.
const ENOUGH: Duration = Duration::from_millis(300);

/// Searches a text with each pattern in turn, and prints the seconds of the fastest round.
const PYTHON: &str = "import re, sys, time
patterns = [re.compile(r'\\btoken%d\\b' % i) for i in range(int(sys.argv[1]))]
text = sys.stdin.read()
least, end = float('inf'), time.perf_counter() + 0.3
while True:
    start = time.perf_counter()
    for pattern in patterns:
        pattern.search(text)
    now = time.perf_counter()
    least = min(least, now - start)
    if now > end:
        break
print(least)
";

/// Returns the microseconds of the fastest round.
fn least(mut work: impl FnMut() -> usize) -> f64 {
    let (mut least, end) = (f64::INFINITY, Instant::now() + ENOUGH);
    loop {
        let start = Instant::now();
        black_box(work());
        least = least.min(start.elapsed().as_secs_f64() * 1e6);
        if Instant::now() > end {
            return least;
        }
    }
}

/// Returns the microseconds of Python's fastest round; `None` without Python.
fn python(count: usize, text: &[u8]) -> Option<f64> {
    let mut child = Command::new("python3")
        .args(["-c", PYTHON, &count.to_string()])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .ok()?;
    child.stdin.take()?.write_all(text).ok()?;
    let output = child.wait_with_output().ok()?;
    let seconds: f64 = String::from_utf8(output.stdout).ok()?.trim().parse().ok()?;
    Some(seconds * 1e6)
}

pub(super) fn bench(clean: &[u8]) -> crate::Result<()> {
    println!(
        "\npatterns of a user, least µs: the scanner with every kind and these / RegexSet alone / a loop in Python"
    );
    for (name, size) in SIZES {
        let text: Vec<u8> = clean.iter().copied().cycle().take(size).collect();
        let mut first = None;
        for count in COUNTS {
            let scanner = scanner(count)?;
            let expressions = patterns(count);
            let set = RegexSet::new(expressions.iter().map(|(_, expression)| expression.as_str()))
                .map_err(|error| error.to_string())?;
            let ours = least(|| scanner.scan(&text).len());
            let set = least(|| set.matches(&text).iter().count());
            let python = (size <= MOST_FOR_PYTHON).then(|| python(count, &text)).flatten();
            let python = python.map_or("-".to_owned(), |python| format!("{python:.1}"));
            let first = *first.get_or_insert(ours);
            let goal = (count == 1_000)
                .then(|| Goal::at_most("1000 patterns at most 1.3 times 10", ours / first, 1.3));
            table::figure(
                &format!("{name}, {count} patterns"),
                &format!("{ours:.1} / {set:.1} / {python}"),
                goal.as_slice(),
            );
        }
    }
    Ok(())
}
