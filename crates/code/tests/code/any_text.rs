//! Properties of any text, in any language: it is read, and the text around an action does not hide it.

use crate::{
    command_lines::plain,
    table::{ALL, lines},
};
use checkrein_code::{Language, acts, code_of};
use checkrein_shell::Word;
use proptest::prelude::*;

proptest! {
    #![proptest_config(ProptestConfig::with_cases(512))]

    #[test]
    fn any_text_is_read(text in any::<String>()) {
        for language in ALL {
            acts(language, &text);
        }
    }

    /// Texts that look like programs: pieces that mean something, in any order.
    #[test]
    fn any_program_is_read(pieces in prop::collection::vec(prop::sample::select(PIECES.to_vec()), 0..40)) {
        let text = pieces.concat();
        for language in ALL {
            for act in acts(language, &text) {
                prop_assert!(text.get(act.span.clone()).is_some(), "{:?} {} {:?}", language, text, act);
            }
        }
    }

    /// A harmless statement before or after takes nothing away.
    #[test]
    fn more_statements_take_nothing_away(before in 0..HARMLESS.len(), after in 0..HARMLESS.len(), which in 0..ACTING.len()) {
        let (language, text, expected) = ACTING[which];
        let text = format!("{}\n{text}\n{}\n", HARMLESS[before], HARMLESS[after]);
        prop_assert!(lines(language, &text).contains(&expected.to_owned()), "{text}");
    }

    #[test]
    fn any_command_line_is_read(args in prop::collection::vec("-{0,2}[a-zA-Z0-9=./ ]{0,6}", 0..6)) {
        let args: Vec<Word> = args.iter().map(|arg| plain(arg)).collect();
        for language in ALL {
            code_of(language, &args);
        }
    }
}

const PIECES: &[&str] = &[
    "os.system",
    "(",
    ")",
    "'ls'",
    "\"l#{x}s\"",
    "`ls`",
    "x",
    " = ",
    "\n",
    ";",
    "import os",
    "for x in ",
    "[",
    "]",
    "{",
    "}",
    ".",
    "::",
    "->",
    "=>",
    ",",
    "+",
    "$x",
    "@x",
    "%x",
    "|",
    "|x|",
    "do ",
    "end",
    "def f(x):",
    "lambda x: ",
    "function",
    "require('fs')",
    ".rmSync",
    "s/a/b/e",
    "qx{ls}",
    "<<X\n",
    "X\n",
    "f\"{",
    "}\"",
    "${",
    "'''",
    "/",
    "\\",
    "eval ",
    "exec",
    "unlink",
    "glob('/*')",
    "Remove-Item ",
    "-r ",
    "~",
    "*",
    "é",
    "#",
    "//",
    "/*",
    "*/",
    "--",
    "\t",
    ":",
    "?",
    "&",
    "<",
    ">",
    "print ",
    "system",
    "getline ",
    "\"",
    "'",
    "@'",
    "$(",
    "set x to ",
    "do shell script ",
    "1",
    "0x",
    "e ",
    "w x",
];

const HARMLESS: &[&str] = &["", "a = 1", "print(1)", "b = 'x'", "c = [1, 2]", "d = a"];

const ACTING: &[(Language, &str, &str)] = &[
    (Language::Python, "import os; os.system('ls')", "shell ls"),
    (Language::Python, "for p in Path('/x').iterdir(): p.unlink()", "delete /x/«*»"),
    (Language::Ruby, "Dir['/x/*'].each { |f| File.delete(f) }", "delete /x/«*»"),
    (Language::Ruby, "system('ls')", "shell ls"),
    (Language::JavaScript, "require('fs').rmSync('/x', {recursive: true})", "delete -r /x"),
    (Language::Lua, "os.execute('ls')", "shell ls"),
];
