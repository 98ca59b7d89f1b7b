//! Texts of AppleScript.

use crate::table::{check, lines};
use checkrein_code::Language;

#[test]
fn acts_and_mentions() {
    check(
        Language::AppleScript,
        &[
            ("do shell script \"ls\"", &["shell ls"]),
            (
                "set p to \"/x\"\ndo shell script \"ls \" & quoted form of p with administrator privileges",
                &["shell ls /x"],
            ),
            ("tell application \"Terminal\" to do script \"ls\"", &["shell ls"]),
            ("tell application \"Finder\" to delete POSIX file \"/x\"", &["delete -r /x"]),
            (
                "const a = Application.currentApplication(); a.includeStandardAdditions = true; a.doShellScript('ls')",
                &["shell ls"],
            ),
        ],
    );
    for source in [
        "display dialog \"do shell script\"",
        "-- do shell script \"ls\"",
        "tell application \"Music\" to play",
        "(* do shell script \"x\" *)",
    ] {
        assert_eq!(lines(Language::AppleScript, source), [""; 0], "{source}");
    }
}
