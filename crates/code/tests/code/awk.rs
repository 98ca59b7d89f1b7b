//! Texts of awk.

use crate::table::{check, lines};
use checkrein_code::Language;

#[test]
fn acts_and_mentions() {
    check(
        Language::Awk,
        &[
            ("BEGIN { system(\"ls \" x) }", &["shell ls «?»"]),
            ("BEGIN { c = \"l\" \"s\"; system(c) }", &["shell ls"]),
            ("BEGIN { for (i = 2; i < 9; i++) system(\"ls \" i) }", &["shell ls «?»"]),
            ("{ print $1 | \"sort -u\" }", &["shell printf '%s\\n' \"«?»\" | sort -u"]),
            ("function f(c) { system(c) } BEGIN { f(\"ls\") }", &["shell ls"]),
            ("function g() { return \"ls\" } BEGIN { system(g()) }", &["shell ls"]),
            ("BEGIN { a[1] = \"ls\"; system(a[2]) }", &["shell ls"]),
            ("{ \"date\" | getline d; print d }", &["shell date"]),
            ("{ print > \"/x\"; print $1, $2 >> \"/y\" }", &["write /x", "append /y"]),
            ("{ print > $1 \".txt\" }", &["write «?».txt"]),
            ("{ while ((getline l < \"/x\") > 0) n++ }", &["read /x"]),
            ("BEGIN { s = \"/inet/tcp/0/192.0.2.1/9001\"; print \"x\" |& s }", &["connect 192.0.2.1:9001"]),
            ("{ system(\"ls \" ENVIRON[\"HOME\"]) }", &["shell ls «home»"]),
        ],
    );
    for source in [
        "{ n += $2 } END { print n }",
        "$1 > 5 { print \"system(x)\" }",
        "/system\\(\"ls\"\\)/ { print }",
        "NR>1{exit} END{if(NR==1) print FILENAME}",
        "{ print \"a\" > \"/dev/stderr\" }",
        "# system(\"ls\")\n{ print ($1 > 2) }",
        "{ print $1 / $2, $3 / $4 }",
    ] {
        assert_eq!(lines(Language::Awk, source), [""; 0], "{source}");
    }
}
