//! Texts of sed.

use crate::table::{check, lines};
use checkrein_code::Language;

#[test]
fn acts_and_mentions() {
    check(
        Language::Sed,
        &[
            ("1e ls -l", &["shell ls -l"]),
            ("e", &["shell «?»"]),
            ("s/x/ls \\/y/e", &["shell ls /y"]),
            ("s/.*/ls &/ge", &["shell ls «?»"]),
            ("w /x", &["write /x"]),
            ("/a/,/b/w /x", &["write /x"]),
            ("s/a/b/gw /x", &["write /x"]),
            ("s|[/|]|x|w /y", &["write /y"]),
            ("$!{r /x\n}", &["read /x"]),
            ("s/a/b/;1e ls", &["shell ls"]),
        ],
    );
    for source in [
        "s/rm -rf/rm -i/",
        "s/w x/e y/g",
        "/w/d",
        "$!N;P;D",
        "y/abc/wre/",
        "a\\\nw text",
        "1~2d;5q;:a;ba",
        "/^#/!{/e/d}",
        "s|/usr/local|/opt|g;t end;:end",
        "# w /x",
        "w /dev/stdout",
        "s/[/]e/w/",
    ] {
        assert_eq!(lines(Language::Sed, source), [""; 0], "{source}");
    }
}
