//! Streams that are closed, full, broken, slow, or of another kind.

use super::{CLAUDE, CODEX, Fixtures, assert_holds, canary, output, through_shell};

const STREAMS: &[(&str, &str)] = &[
    ("stdout closed", r#"exec "$0" "$@" >&-"#),
    ("stdout full", r#"exec "$0" "$@" > /dev/full"#),
    ("stdout to /dev/null", r#"exec "$0" "$@" > /dev/null"#),
    ("stdout that cannot be written", r#"exec "$0" "$@" 1< /dev/null"#),
    // The reader has gone by the time the program writes; the shell exits with the program's exit code.
    (
        "stdout broken",
        r#"exec 4<&0; code=$({ { sleep 0.2; "$0" "$@" <&4 3>&-; echo $? >&3; } | true; } 3>&1); exit "$code""#,
    ),
    ("stdout a file", r#"exec "$0" "$@" > out; exit 1"#),
    ("stdout a directory", r#"exec "$0" "$@" 1< /"#),
    ("stderr closed", r#"exec "$0" "$@" 2>&-"#),
    ("stderr full", r#"exec "$0" "$@" 2> /dev/full"#),
    ("both closed", r#"exec "$0" "$@" >&- 2>&-"#),
    ("both full", r#"exec "$0" "$@" > /dev/full 2>&1"#),
    ("stdin closed", r#"exec "$0" "$@" <&-"#),
    ("stdin a directory", r#"exec "$0" "$@" < /"#),
    ("stdin empty", r#"exec "$0" "$@" < /dev/null"#),
    ("stdin endless", r#"exec "$0" "$@" < /dev/zero"#),
    ("stdin full", r#"exec "$0" "$@" < /dev/full"#),
    ("stdin that cannot be read", r#"exec "$0" "$@" 0> /dev/null"#),
    ("stdin a terminal", r#"exec "$0" "$@" < /dev/ptmx"#),
    ("all closed", r#"exec "$0" "$@" <&- >&- 2>&-"#),
    ("stdin in small pieces", r#"dd bs=7 2>/dev/null | (exec "$0" "$@")"#),
];

/// Cases without any stream for the reason.
const TOLD_NOBODY: &[&str] = &["both closed", "both full", "all closed"];

#[test]
fn any_kind_of_streams() {
    let fixtures = Fixtures::get();
    for (name, line) in STREAMS {
        for arguments in [CLAUDE, CODEX] {
            let event = canary(&fixtures.path("project/usual"));
            let said = output(&mut through_shell(line, arguments, fixtures), &event);
            let file = fixtures.path("project/usual/out");
            if let Ok(written) = std::fs::read(&file) {
                // The file has the answer.
                assert!(String::from_utf8_lossy(&written).contains("deny"), "{name}: {said:?}");
                std::fs::remove_file(file).unwrap();
                continue;
            }
            if TOLD_NOBODY.contains(name) {
                // Only the exit code is left.
                assert_eq!(said.status.code(), Some(2), "{name}: {said:?}");
                continue;
            }
            assert_holds(&said, name);
        }
    }
}
