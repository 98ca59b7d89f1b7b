//! The options of each interpreter, as far as they matter for finding its program.

use crate::Language;

/// The options of one interpreter. Those with a value take the rest of their word, or the next.
pub(super) struct Options {
    /// Letters whose value is the program.
    pub(super) code: &'static str,
    pub(super) code_long: &'static [&'static str],
    pub(super) file: &'static str,
    pub(super) file_long: &'static [&'static str],
    pub(super) module: &'static str,
    pub(super) value: &'static str,
    pub(super) value_long: &'static [&'static str],
    /// Letters whose value is only the rest of their word.
    pub(super) rest: &'static str,
    pub(super) none: &'static str,
    pub(super) in_place: &'static str,
    pub(super) in_place_long: &'static [&'static str],
    /// The first operand is the program itself, not the name of its file.
    pub(super) first_is_text: bool,
    /// Everything after the program belongs to it.
    pub(super) ends: bool,
}

const PLAIN: Options = Options {
    code: "",
    code_long: &[],
    file: "",
    file_long: &[],
    module: "",
    value: "",
    value_long: &[],
    rest: "",
    none: "",
    in_place: "",
    in_place_long: &[],
    first_is_text: false,
    ends: false,
};

pub(super) fn options(language: Language) -> Options {
    match language {
        Language::Python => Options {
            code: "c",
            module: "m",
            value: "WXQ",
            value_long: &["--check-hash-based-pycs"],
            none: "Vh?",
            ends: true,
            ..PLAIN
        },
        Language::Perl => {
            Options { code: "eE", value: "I", rest: "lF0MmCDdx", none: "vVh", in_place: "i", ..PLAIN }
        }
        Language::Ruby => Options {
            code: "e",
            value: "rICXE",
            value_long: &["--encoding", "--external-encoding", "--internal-encoding"],
            rest: "lF0KWTx",
            none: "hy",
            in_place: "i",
            ..PLAIN
        },
        Language::JavaScript => Options {
            code: "e",
            code_long: &["--eval"],
            value: "rC",
            value_long: &[
                "--require",
                "--import",
                "--loader",
                "--conditions",
                "--config",
                "--input-type",
                "--env-file",
                "--cwd",
            ],
            none: "vh",
            ..PLAIN
        },
        Language::Php => Options {
            code: "rRBE",
            code_long: &["--run"],
            file: "fF",
            file_long: &["--file"],
            value: "dctSgz",
            none: "ivmh",
            ..PLAIN
        },
        Language::Lua => Options { code: "e", value: "l", none: "v", ..PLAIN },
        Language::Awk => Options {
            code: "e",
            code_long: &["--source"],
            file: "fE",
            file_long: &["--file", "--exec"],
            value: "vFilW",
            value_long: &["--assign", "--field-separator", "--include", "--load"],
            none: "Vh",
            first_is_text: true,
            ..PLAIN
        },
        Language::Sed => Options {
            code: "e",
            code_long: &["--expression"],
            file: "f",
            file_long: &["--file"],
            value: "l",
            value_long: &["--line-length"],
            none: "",
            in_place: "iI",
            in_place_long: &["--in-place"],
            first_is_text: true,
            ..PLAIN
        },
        Language::AppleScript => Options { code: "e", value: "ls", none: "", ..PLAIN },
        Language::Make => Options {
            code: "E",
            code_long: &["--eval"],
            file: "f",
            file_long: &["--file", "--makefile"],
            value: "CIoW",
            value_long: &[
                "--directory",
                "--include-dir",
                "--old-file",
                "--assume-old",
                "--what-if",
                "--new-file",
            ],
            rest: "jlO",
            none: "vh",
            ..PLAIN
        },
        Language::PowerShell | Language::Go => PLAIN,
    }
}
