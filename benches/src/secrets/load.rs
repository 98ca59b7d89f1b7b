//! The cost of the first scan in a process: what loading the rules costs, in instructions and page faults.

use crate::{
    child::Program,
    instructions::Counter,
    table::{self, Goal},
};
use checkrein_secrets::scan;
use std::{env, hint::black_box, mem::MaybeUninit, path::Path};

/// The option with which the benchmark starts itself, and its two values.
pub(crate) const OPTION: &str = "--first-scan";
const PARTS: [&str; 2] = ["scan", "nothing"];

/// One line of output without a secret, as the first text of a process.
const TEXT: &[u8] = b"Compiling shop v0.1.0 (/home/dev/shop), 12 warnings emitted, finished in 3.4 s\n";

/// Scans one text, or does not, and prints the page faults of that.
pub(crate) fn first_scan(part: &str) {
    let before = faults();
    if part == PARTS[0] {
        black_box(scan(black_box(TEXT)).len());
    }
    println!("{}", faults() - before);
}

#[expect(unsafe_code, reason = "std does not tell")]
fn faults() -> i64 {
    let mut usage = MaybeUninit::<libc::rusage>::zeroed();
    // SAFETY: zeros are a valid structure, which the function fills.
    unsafe {
        libc::getrusage(libc::RUSAGE_SELF, usage.as_mut_ptr());
        usage.assume_init().ru_minflt
    }
}

pub(super) fn bench(directory: &Path) -> crate::Result<()> {
    println!("\nthe first scan of a process, of {} bytes", TEXT.len());
    let program = env::current_exe().map_err(|error| error.to_string())?;
    let of = |part: &str| Program::new(&program, &[OPTION, part], directory);
    let run = of(PARTS[0]).run(b"")?;
    let faults: f64 = String::from_utf8_lossy(&run.stdout).trim().parse().unwrap_or(f64::NAN);
    table::figure("page faults", &format!("{faults}"), &[Goal::at_most("at most 25", faults, 25.0)]);
    if let Some(counter) = Counter::find(directory) {
        let count = counter.count(&of(PARTS[0]), b"")? - counter.count(&of(PARTS[1]), b"")?;
        table::figure(
            "instructions",
            &format!("{count:.0}"),
            &[Goal::at_most("at most 60,000", count, 60_000.0)],
        );
    }
    Ok(())
}
