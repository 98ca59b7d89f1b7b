//! Measures the scan for secrets, next to counting line breaks, which is the least that a pass over the text costs, and next to a
//! set of regular expressions.

pub(crate) mod load;
mod scaling;
mod tree;

use crate::{
    Job,
    sample::{Row, Summary, interleaved},
    table::{self, Goal, Line},
    texts::sizes,
};
use checkrein_secrets::{
    Kind, Patterns, Scanner, count_candidates, rarity,
    sample::{self, Random, figures, labelled},
    scan,
};
use regex::bytes::RegexSet;
use std::{hint::black_box, time::Instant};

const ROUNDS: usize = 101;
/// The size of the text.
const SIZE: usize = 1 << 20;

const LABELLED: &str = include_str!("../../corpus/secrets/labelled.txt");

/// Commands and source that agents write, again and again up to a megabyte.
fn clean() -> Vec<u8> {
    let texts: Vec<String> = sizes().into_iter().flat_map(|size| size.texts).collect();
    let mut text: Vec<u8> =
        texts.iter().flat_map(|text| [text.as_bytes(), b"\n"].concat()).cycle().take(SIZE).collect();
    text.push(b'\n');
    text
}

/// A text with ten secrets of different kinds in it.
fn with_ten(clean: &[u8]) -> Vec<u8> {
    let mut random = Random::new(1);
    let kinds: Vec<Kind> = Kind::all().collect();
    let mut text = clean.to_vec();
    for number in 1..=10 {
        let value = kinds
            .iter()
            .skip(number * 20)
            .find_map(|kind| sample::of(*kind, &mut random))
            .unwrap_or_default();
        let at = text.len() / 11 * number;
        let line = text.iter().skip(at).position(|byte| *byte == b'\n').map_or(at, |line| at + line + 1);
        text.splice(line..line, format!("x = \"{value}\"\n").into_bytes());
    }
    text
}

/// The patterns of the table that the predecessor published: words with a number.
fn patterns(count: usize) -> Vec<(String, String)> {
    (0..count).map(|number| (format!("p{number}"), format!(r"\btoken{number}\b"))).collect()
}

fn scanner(count: usize) -> Result<Scanner, String> {
    let patterns = patterns(count);
    let pairs = patterns.iter().map(|(name, expression)| (name.as_str(), expression.as_str()));
    Ok(Scanner::new().with_patterns(Patterns::new(pairs).map_err(|error| error.to_string())?))
}

pub(crate) fn bench(job: &Job, doubts: &mut Vec<String>) -> crate::Result<()> {
    let clean = clean();
    let dirty = with_ten(&clean);
    let (ten, thousand) = (scanner(10)?, scanner(1_000)?);
    let set = |count: usize| {
        RegexSet::new(patterns(count).iter().map(|(_, expression)| expression.as_str()))
            .map_err(|error| error.to_string())
    };
    let (set_ten, set_thousand) = (set(10)?, set(1_000)?);
    let timed = |work: &dyn Fn() -> usize| {
        let start = Instant::now();
        black_box(work());
        start.elapsed().as_secs_f64() * 1e6
    };
    let rows = vec![
        Row::new("count line breaks", || timed(&|| memchr::memchr_iter(b'\n', &clean).count())),
        Row::new("prefilter alone", || timed(&|| count_candidates(&clean))),
        Row::new("clean text, every kind", || timed(&|| scan(&clean).len())),
        Row::new("the same with ten secrets", || timed(&|| scan(&dirty).len())),
        Row::new("with 10 patterns of a user", || timed(&|| ten.scan(&clean).len())),
        Row::new("with 1000 patterns of a user", || timed(&|| thousand.scan(&clean).len())),
        Row::new("RegexSet of 10 patterns alone", || timed(&|| set_ten.matches(&clean).iter().count())),
        Row::new("RegexSet of 1000 patterns alone", || {
            timed(&|| set_thousand.matches(&clean).iter().count())
        }),
    ];
    let found: Vec<(String, Summary)> = interleaved(rows, ROUNDS)
        .into_iter()
        .filter_map(|(name, samples)| Some((name, Summary::of(samples)?)))
        .collect();
    let least = |row: usize| found.get(row).map_or(f64::NAN, |(_, time)| time.least);
    let megabytes = |row: usize| clean.len() as f64 / least(row);
    let ratio = |row: usize, floor: usize| least(row) / least(floor);
    let lines: Vec<Line> = found
        .iter()
        .enumerate()
        .map(|(row, (name, time))| Line {
            name: name.clone(),
            time: *time,
            cpu: None,
            ratio: Some(ratio(row, 0)),
            goals: match row {
                1 => vec![Goal::at_most("at least 1,000 MB/s", 1_000.0, megabytes(1))],
                2 => vec![Goal::at_most("at least 300 MB/s", 300.0, megabytes(2))],
                3 => vec![Goal::at_most("at most 1.5 times the clean text", ratio(3, 2), 1.5)],
                5 => vec![Goal::at_most("at most 1.3 times 10 patterns", ratio(5, 4), 1.3)],
                _ => Vec::new(),
            },
        })
        .collect();
    table::print("secrets in 1 MiB of commands and source; ratios of the least", "µs", &lines, doubts);
    for (row, name) in [(1, "prefilter alone, MB/s"), (2, "clean text, MB/s")] {
        table::figure(name, &format!("{:.0}", megabytes(row)), &[]);
    }
    scaling::bench(&clean)?;
    load::bench(&job.directory)?;
    match job.release.as_deref().or(job.dynamic.as_deref()) {
        Some(program) => tree::bench(program, &job.directory, doubts)?,
        None => println!("\nthere is no program here: the scan of a source tree is left out"),
    }
    let cases = labelled(LABELLED);
    let show = |name: &str, (precision, recall): (f64, f64)| {
        table::figure(name, &format!("{:.1} % / {:.1} %", precision * 100.0, recall * 100.0), &[]);
    };
    println!("\nprecision and recall on {} labelled values", cases.len());
    show(
        "scanner",
        figures(&cases, |case| !scan(format!("{}=\"{}\"", case.name, case.value).as_bytes()).is_empty()),
    );
    show("rarity alone", figures(&cases, |case| rarity::is_rare(case.value.as_bytes())));
    for least in [3.0, 3.5, 4.0, 4.5] {
        let entropy = figures(&cases, |case| rarity::entropy(case.value.as_bytes()) >= least);
        show(&format!("entropy of at least {least} bits"), entropy);
    }
    Ok(())
}
