//! Texts of make: recipes, and what is run while the file is read.

use crate::table::{check, lines};
use checkrein_code::Language;

#[test]
fn acts_and_mentions() {
    check(
        Language::Make,
        &[
            ("all:\n\tls -l /x\n", &["shell ls -l /x"]),
            ("all: ; @-ls\n", &["shell ls"]),
            ("D := /x\nclean:\n\t@rm -r $(D)/$(N)\n", &["shell rm -r /x/«?»"]),
            ("A = $(B)\nB = $(A)\nx:\n\techo $(A)\n", &["shell echo «?»", "evaluate too much"]),
            ("V := $(shell date)\n", &["shell date"]),
            ("x:\n\tls $$HOME $(HOME)\n", &["shell ls $HOME «home»"]),
            ("x:\n\tls \\\n\t  -l\n", &["shell ls  -l"]),
        ],
    );
    for source in ["# all: ; ls\n", "CC = gcc\n", "all: a.o b.o\n", "x:\n\t# ls\n"] {
        assert_eq!(lines(Language::Make, source), [""; 0], "{source}");
    }
}
