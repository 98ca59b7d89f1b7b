//! Limits of the process.

use super::{CLAUDE, CODEX, Fixtures, assert_holds, canary, holds, output, through_shell};

/// An option of `ulimit`, values with which the dynamic loader still starts the program, and lower ones.
const LIMITS: &[(&str, &[u64], &[u64])] = &[
    ("-n", &[1024, 16, 8, 5, 4], &[3, 2, 1, 0]),
    ("-v", &[2_000_000, 400_000, 200_000, 100_000], &[50_000, 20_000, 10_000, 4_000]),
    ("-s", &[8192, 1024, 512, 256], &[128, 64, 32, 16, 8]),
    ("-d", &[400_000, 100_000, 50_000], &[8000, 1000, 100]),
    ("-f", &[100, 1, 0], &[]),
    ("-u", &[100, 10, 1], &[]),
    ("-t", &[10, 1], &[]),
    ("-c", &[0], &[]),
    ("-l", &[0], &[]),
];

#[test]
fn any_process_limits() {
    let fixtures = Fixtures::get();
    let event = canary(&fixtures.path("project/valid"));
    for (option, enough, scarce) in LIMITS {
        for (value, starts) in
            enough.iter().map(|value| (value, true)).chain(scarce.iter().map(|value| (value, false)))
        {
            for (hardness, arguments) in [("-S", CLAUDE), ("-H", CODEX)] {
                let line = format!(r#"ulimit {hardness} {option} {value} && exec "$0" "$@""#);
                let said = output(&mut through_shell(&line, arguments, fixtures), &event);
                // Below these, the shell, the kernel or the loader may end it before `main`: none of our
                // code has run.
                let began = starts || said.status.success();
                assert!(holds(&said) || !began, "ulimit {hardness} {option} {value}: {said:?}");
                if began {
                    assert_holds(&said, format!("ulimit {hardness} {option} {value}"));
                }
            }
        }
    }
}
