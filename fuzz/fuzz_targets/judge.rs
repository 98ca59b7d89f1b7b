//! Whatever the bytes are, the guard answers, and does not silently allow what it cannot read.
//!
//! The first byte selects how the rest is judged: as a command line, as an argument vector, or as the
//! content of a file.

#![no_main]

use checkrein_core::Decision;
use checkrein_guard::{EmptyWorld, CallContext, Action, judge, judge_argv, judge_file};
use checkrein_shell::{ShellEnv, read_bytes};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| {
    let Some((kind, rest)) = bytes.split_first() else { return };
    let project = Some("/home/dev/proj".to_owned());
    let place = CallContext { cwd: project.clone(), project, ..CallContext::default() };
    let world = EmptyWorld::new("/home/dev");
    let text = String::from_utf8_lossy(rest);
    match kind % 4 {
        0 => {
            let judgement = judge(&text, &place, &world);
            assert!(
                judgement.opaque.is_empty() || judgement.decision >= Decision::Ask,
                "unreadable and silent"
            );
        }
        1 => {
            let words: Vec<String> = text.split('\n').map(str::to_owned).collect();
            judge_argv(&words, &place, &world);
        }
        2 => {
            let (path, content) = text.split_once('\n').unwrap_or((&text, ""));
            judge_file(Action::Write, path, Some(content), &place, &world);
        }
        _ => {
            read_bytes(rest, &ShellEnv::default());
        }
    }
});
