//! The machine that the figures were measured on, and whether something else was running at the time.

use std::{fmt, fs, thread, time::Instant};

/// Returns the processor, its cores and the kernel, in one line.
pub(crate) fn name() -> String {
    let cpuinfo = fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
    let model = cpuinfo.lines().find_map(|line| line.strip_prefix("model name")?.split_once(':'));
    let model = model.map_or("unknown processor", |(_, model)| model.trim());
    let kernel = fs::read_to_string("/proc/sys/kernel/osrelease").unwrap_or_default();
    let system = std::env::consts::OS;
    format!("machine: {model}, {} cores, {system} {}", cores(), kernel.trim())
}

fn cores() -> usize {
    thread::available_parallelism().map_or(1, usize::from)
}

/// The state of the machine at one moment. Without `/proc` it contains nothing and raises no doubts.
#[derive(Debug)]
pub(crate) struct Snapshot {
    at: Instant,
    load: Option<f64>,
    /// Ticks that the whole machine was busy, and those of this process and its children.
    busy: Option<(u64, u64)>,
}

impl Snapshot {
    pub(crate) fn take() -> Self {
        let load = fs::read_to_string("/proc/loadavg").ok();
        let load = load.and_then(|load| load.split_whitespace().next()?.parse().ok());
        Self { at: Instant::now(), load, busy: busy().zip(own()) }
    }

    /// Returns the reason to distrust what was measured between `self` and `after`.
    ///
    /// The load average alone is not enough: it still contains the build before, and our own work.
    pub(crate) fn doubts(&self, after: &Self) -> Option<String> {
        let ((busy, own), (busy_after, own_after)) = self.busy.zip(after.busy)?;
        let others = busy_after.saturating_sub(busy).saturating_sub(own_after.saturating_sub(own));
        // A tick is a hundredth of a second wherever Linux shows it to a program.
        let share = others as f64 / 100.0 / (after.at - self.at).as_secs_f64();
        let limit = 0.15 * cores() as f64;
        (share > limit).then(|| format!("other programs used {share:.2} cores in the meantime"))
    }
}

impl fmt::Display for Snapshot {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.load {
            Some(load) => write!(f, "{load}"),
            None => f.write_str("unknown"),
        }
    }
}

/// Returns the ticks in which any processor was busy, including those for another guest of the same
/// machine.
fn busy() -> Option<u64> {
    let stat = fs::read_to_string("/proc/stat").ok()?;
    let ticks: Vec<u64> =
        stat.lines().next()?.split_whitespace().skip(1).filter_map(|tick| tick.parse().ok()).collect();
    let [user, nice, system, _idle, _iowait, irq, softirq, steal, ..] = *ticks else { return None };
    Some(user + nice + system + irq + softirq + steal)
}

/// Returns the ticks of this process and of its finished children.
fn own() -> Option<u64> {
    let stat = fs::read_to_string("/proc/self/stat").ok()?;
    // The program's name may contain anything, so start after it.
    let (_, fields) = stat.rsplit_once(')')?;
    Some(fields.split_whitespace().skip(11).take(4).filter_map(|tick| tick.parse::<u64>().ok()).sum())
}
