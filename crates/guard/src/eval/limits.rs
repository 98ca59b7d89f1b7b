//! Limits of processes: whether what an agent starts under one can still answer.
//!
//! A hook that cannot be started, or dies of its limit, gives no answer, and some agents go on without one. A limit
//! that leaves room for an agent and its hooks has no effect.

/// The resource that a limit counts, with the least that an agent and its hooks need.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Needs {
    /// Any value does no harm.
    Nothing,
    /// At least so many: bytes, files, processes, seconds.
    AtLeast(u64),
}

const KIB: u64 = 1 << 10;
const MIB: u64 = 1 << 20;
/// Memory for an agent with its hooks.
const MEMORY: Needs = Needs::AtLeast(1 << 30);
const STACK: Needs = Needs::AtLeast(MIB);
const FILE: Needs = Needs::AtLeast(16 * MIB);
const FILES: Needs = Needs::AtLeast(256);
const PROCESSES: Needs = Needs::AtLeast(64);
const SECONDS: Needs = Needs::AtLeast(600);

/// Returns whether `ulimit` with these arguments leaves room. Without a value it only shows something.
pub(super) fn shell_limits_leave_room(words: &[Option<String>]) -> bool {
    let mut letter = 'f';
    let mut shows = true;
    let mut room = true;
    for word in words {
        let Some(word) = word else { return false };
        match word.strip_prefix('-') {
            Some(letters) => {
                letter = letters.chars().find(|char| !"SHa".contains(*char)).unwrap_or(letter);
            }
            None => {
                shows = false;
                let (needs, unit) = of_shell(letter);
                room &= enough(needs, word, unit);
            }
        }
    }
    shows || room
}

/// Returns what an option of `ulimit` limits, and in which unit.
fn of_shell(letter: char) -> (Needs, u64) {
    match letter {
        'v' | 'd' | 'm' => (MEMORY, KIB),
        's' => (STACK, KIB),
        'f' => (FILE, KIB),
        'n' => (FILES, 1),
        'u' | 'T' => (PROCESSES, 1),
        't' => (SECONDS, 1),
        'c' | 'l' | 'q' | 'e' | 'r' | 'x' | 'i' | 'p' | 'b' | 'k' | 'P' | 'R' => (Needs::Nothing, 1),
        _ => (Needs::AtLeast(u64::MAX), 1),
    }
}

/// Returns whether a property of a unit leaves room, or nothing if it is not a limit.
pub(super) fn unit_limit_leaves_room(name: &str, value: &str) -> Option<bool> {
    let needs = match name.to_ascii_lowercase().as_str() {
        "memorymax" | "memoryhigh" | "memorylimit" | "limitas" | "limitdata" | "limitrss" => MEMORY,
        "limitstack" => STACK,
        "limitfsize" => FILE,
        "limitnofile" => FILES,
        "tasksmax" | "limitnproc" => PROCESSES,
        "limitcpu" | "runtimemaxsec" => SECONDS,
        // In hundredths of a processor.
        "cpuquota" => Needs::AtLeast(20),
        "memoryswapmax" | "memorymin" | "memorylow" | "limitcore" | "limitmemlock" | "limitlocks" => {
            Needs::Nothing
        }
        _ => return None,
    };
    Some(enough(needs, value, 1))
}

/// Returns whether a value (`2G`, `infinity`, `80%`, `1024:2048`) is enough.
fn enough(needs: Needs, value: &str, unit: u64) -> bool {
    let Needs::AtLeast(least) = needs else { return true };
    // Of a soft and a hard limit the first one counts at once.
    let value = value.split(':').next().unwrap_or_default().trim();
    if matches!(value, "unlimited" | "infinity" | "hard" | "soft" | "max") {
        return true;
    }
    let digits = value.find(|char: char| !char.is_ascii_digit()).unwrap_or(value.len());
    let (number, suffix) = value.split_at(digits);
    let Ok(number) = number.parse::<u64>() else { return false };
    let scale = match suffix.trim() {
        "" => unit,
        "%" => return number >= 20,
        suffix => match suffix.chars().next().map(|char| char.to_ascii_uppercase()) {
            Some('K') => KIB,
            Some('M') => MIB,
            Some('G') => KIB * MIB,
            Some('T') => MIB * MIB,
            Some('S') => 1,
            Some('H') => 3600,
            _ => return false,
        },
    };
    number.saturating_mul(scale) >= least
}

#[cfg(test)]
mod tests {
    use super::{shell_limits_leave_room, unit_limit_leaves_room};

    fn shell(text: &str) -> bool {
        let words: Vec<Option<String>> =
            text.split(' ').map(|word| (word != "?").then(|| word.to_owned())).collect();
        shell_limits_leave_room(&words)
    }

    #[test]
    fn limits_of_a_shell() {
        for text in
            ["-n 4096", "-c 0", "-a", "-n", "-s unlimited", "-Sn hard", "-v 8000000", "-u 4096", "-t 3600"]
        {
            assert!(shell(text), "{text}");
        }
        for text in
            ["-n 3", "-v 100000", "-u 1", "-s 8", "-f 0", "0", "-t 1", "-n ?", "-Hn 8", "-n x", "-z 9"]
        {
            assert!(!shell(text), "{text}");
        }
    }

    #[test]
    fn limits_of_a_unit() {
        for (name, value) in
            [("MemoryMax", "2G"), ("TasksMax", "infinity"), ("LimitNOFILE", "1024:4096"), ("cpuquota", "50%")]
        {
            assert_eq!(unit_limit_leaves_room(name, value), Some(true), "{name}={value}");
        }
        for (name, value) in
            [("MemoryMax", "10M"), ("TasksMax", "2"), ("LimitNOFILE", "3"), ("CPUQuota", "1%")]
        {
            assert_eq!(unit_limit_leaves_room(name, value), Some(false), "{name}={value}");
        }
        assert_eq!(unit_limit_leaves_room("Nice", "3"), None);
    }
}
