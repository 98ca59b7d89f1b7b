//! Tables on stdout: one line per row, each goal next to its figure.

use crate::sample::Summary;

/// The relative deviation from which a figure is not reliable.
const DOUBTFUL: f64 = 0.1;

/// A goal, and whether it was met.
#[derive(Clone, Debug)]
pub(crate) struct Goal {
    text: String,
    met: bool,
}

impl Goal {
    /// Creates the goal `text`: `figure` must be at most `limit`.
    pub(crate) fn at_most(text: impl Into<String>, figure: f64, limit: f64) -> Self {
        Self { text: text.into(), met: figure <= limit }
    }

    /// Creates the goal `text`: `figure` must be at least `limit`.
    pub(crate) fn at_least(text: impl Into<String>, figure: f64, limit: f64) -> Self {
        Self { text: text.into(), met: figure >= limit }
    }
}

/// One line.
#[derive(Clone, Debug)]
pub(crate) struct Line {
    pub(crate) name: String,
    pub(crate) time: Summary,
    /// The processor time, where it is measured separately from wall-clock time.
    pub(crate) cpu: Option<Summary>,
    /// The multiple of the line that the others are compared with.
    pub(crate) ratio: Option<f64>,
    pub(crate) goals: Vec<Goal>,
}

/// Prints the lines below a title, with times in `unit`. If one line is unreliable, it leaves all goals of
/// the table open: noise in the line that others are compared with makes them look good.
pub(crate) fn print(title: &str, unit: &str, lines: &[Line], doubts: &mut Vec<String>) {
    println!("\n{title}, in {unit}");
    println!("{:44} {:>9} {:>9} {:>5} {:>9} {:>6}  goal", "", "median", "least", "±", "cpu", "ratio");
    for Line { name, time, cpu, ratio, goals } in lines {
        let cpu = cpu.map(|cpu| format!("{:.1}", cpu.median)).unwrap_or_default();
        let ratio = ratio.map(|ratio| format!("{ratio:.2}")).unwrap_or_default();
        let line = format!(
            "{name:44} {:9.1} {:9.1} {:4.0}% {cpu:>9} {ratio:>6}  {}",
            time.median,
            time.least,
            time.deviation * 100.0,
            if sure(lines) { list(goals) } else { unknown(goals) },
        );
        println!("{}", line.trim_end());
        if time.deviation > DOUBTFUL {
            doubts.push(format!("`{name}` varies by {:.0} %", time.deviation * 100.0));
        }
    }
}

/// Prints one figure that is not a time.
pub(crate) fn figure(name: &str, figure: &str, goals: &[Goal]) {
    println!("{}", format!("{name:44} {figure:>9}  {}", list(goals)).trim_end());
}

fn sure(lines: &[Line]) -> bool {
    lines.iter().all(|line| line.time.deviation <= DOUBTFUL)
}

fn list(goals: &[Goal]) -> String {
    let words =
        goals.iter().map(|Goal { text, met }| format!("{text}: {}", if *met { "met" } else { "NOT met" }));
    words.collect::<Vec<_>>().join("; ")
}

fn unknown(goals: &[Goal]) -> String {
    let words = goals.iter().map(|Goal { text, .. }| format!("{text}: not known, too noisy"));
    words.collect::<Vec<_>>().join("; ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_noisy_line_leaves_every_goal_of_the_table_open() {
        let line = |deviation| Line {
            name: String::new(),
            time: Summary { median: 1.0, least: 1.0, deviation },
            cpu: None,
            ratio: None,
            goals: Vec::new(),
        };
        assert!(sure(&[line(0.1), line(0.0)]));
        assert!(!sure(&[line(0.11), line(0.0)]));
        let goals = [Goal::at_most("a", 1.0, 2.0), Goal::at_most("b", 3.0, 2.0)];
        assert_eq!(list(&goals), "a: met; b: NOT met");
        assert_eq!(unknown(&goals), "a: not known, too noisy; b: not known, too noisy");
    }
}
