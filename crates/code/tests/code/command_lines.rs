//! The language that a program reads, and the place of the source among its arguments.

use crate::table::{lines, word, words};
use checkrein_code::{Code, Invocation, Language, code_of};
use checkrein_shell::{Candidates, Part, Unknown, UnknownSource, Word};

#[test]
fn interpreters_are_known_by_name() {
    for (name, language) in [
        ("python", Language::Python),
        ("python3.12", Language::Python),
        ("python3.13t", Language::Python),
        ("/usr/bin/pypy3", Language::Python),
        ("perl5.36", Language::Perl),
        ("irb", Language::Ruby),
        ("nodejs", Language::JavaScript),
        ("bun", Language::JavaScript),
        ("deno", Language::JavaScript),
        ("php8.3", Language::Php),
        ("lua5.4", Language::Lua),
        ("gawk", Language::Awk),
        ("mawk", Language::Awk),
        ("gsed", Language::Sed),
        ("pwsh", Language::PowerShell),
        ("PowerShell.exe", Language::PowerShell),
        ("osascript", Language::AppleScript),
        ("gmake", Language::Make),
    ] {
        assert_eq!(Language::of(name), Some(language), "{name}");
    }
    for name in ["bash", "", "py", "perldoc", "nodemon", "cmake", "3", "t"] {
        assert_eq!(Language::of(name), None, "{name}");
    }
}

pub(crate) fn plain(text: &str) -> Word {
    let parts = if text.is_empty() { Vec::new() } else { vec![Part::Text(text.to_owned())] };
    Word { parts, span: 0..0 }
}

fn invocation(language: Language, args: &[&str]) -> String {
    let args: Vec<Word> = args.iter().map(|arg| plain(arg)).collect();
    let Invocation { code, in_place, operands } = code_of(language, &args);
    let code = match code {
        Code::Text(text) => format!("text {}", word(&text)),
        Code::File(file) => format!("file {}", word(&file)),
        Code::Stdin => "stdin".to_owned(),
        Code::Module(module) => format!("module {}", word(&module)),
        Code::None => "none".to_owned(),
    };
    let in_place = if in_place { " in place" } else { "" };
    format!("{code}{in_place} [{}]", words(&operands))
}

#[test]
fn command_lines() {
    let table: &[(Language, &[&str], &str)] = &[
        (Language::Python, &["-c", "X", "a"], "text X [a]"),
        (Language::Python, &["-Bc", "X"], "text X []"),
        (Language::Python, &["-cX"], "text X []"),
        (Language::Python, &["-W", "d", "-Wd", "-I", "-c", "X", "-c"], "text X [-c]"),
        (Language::Python, &["-m", "http.server", "8000"], "module http.server [8000]"),
        (Language::Python, &["-mjson.tool"], "module json.tool []"),
        (Language::Python, &["x.py", "-c", "y"], "file x.py [-c | y]"),
        (Language::Python, &["-"], "stdin []"),
        (Language::Python, &["-u", "-", "a"], "stdin [a]"),
        (Language::Python, &[], "stdin []"),
        (Language::Python, &["--version"], "none []"),
        (Language::Python, &["-V"], "none []"),
        (Language::Perl, &["-pi", "-e", "X", "a", "b"], "text X in place [a | b]"),
        (Language::Perl, &["-i.bak", "-pe", "X", "a"], "text X in place [a]"),
        (Language::Perl, &["-pie", "X", "a"], "file X in place [a]"),
        (Language::Perl, &["-lne", "X"], "text X []"),
        (Language::Perl, &["-0777", "-ne", "X"], "text X []"),
        (Language::Perl, &["-0777pe", "X"], "text X []"),
        (Language::Perl, &["-F:", "-lane", "X", "f"], "text X [f]"),
        (Language::Perl, &["-MFile::Path", "-e", "X", "-e", "Y"], "text X\nY []"),
        (Language::Perl, &["-Mx;Y", "-e", "X"], "text use x;Y;\nX []"),
        (Language::Perl, &["-wnl", "-e", "X", "--", "f"], "text X [f]"),
        (Language::Perl, &["-v"], "none []"),
        (Language::Ruby, &["-rsocket", "-e", "X"], "text X []"),
        (Language::Ruby, &["-i.bak", "-pe", "X", "f"], "text X in place [f]"),
        (Language::Ruby, &["-r", "json", "x.rb"], "file x.rb []"),
        (Language::JavaScript, &["-e", "X"], "text X []"),
        (Language::JavaScript, &["-p", "X"], "text X []"),
        (Language::JavaScript, &["-pe", "X", "a"], "text X [a]"),
        (Language::JavaScript, &["--eval=X"], "text X []"),
        (Language::JavaScript, &["--input-type=module", "--eval", "X"], "text X []"),
        (Language::JavaScript, &["-r", "x", "y.js", "-e"], "file y.js [-e]"),
        (Language::JavaScript, &["eval", "X"], "text X []"),
        (Language::JavaScript, &["eval", "--ext=ts", "X"], "text X []"),
        (Language::JavaScript, &["run", "-A", "x.ts"], "file x.ts []"),
        (Language::JavaScript, &["--version"], "none []"),
        (Language::Php, &["-r", "X"], "text X []"),
        (Language::Php, &["-d", "a=b", "-f", "x.php"], "file x.php []"),
        (Language::Php, &["-E", "X"], "text X []"),
        (Language::Lua, &["-e", "X"], "text X []"),
        (Language::Lua, &["-l", "m", "x.lua"], "file x.lua []"),
        (Language::Awk, &["-F,", "X", "f"], "text X [f]"),
        (Language::Awk, &["-F", ",", "-v", "a=b", "X"], "text BEGIN { a = \"b\" }\nX []"),
        (Language::Awk, &["-f", "x.awk", "f"], "file x.awk [f]"),
        (Language::Awk, &["-i", "inplace", "X", "f"], "text X in place [f]"),
        (Language::Sed, &["-i", "X", "f"], "text X in place [f]"),
        (Language::Sed, &["-i", "", "X", "f"], "text X in place [f]"),
        (Language::Sed, &["-i.bak", "-e", "X", "-e", "Y", "f"], "text X\nY in place [f]"),
        (Language::Sed, &["--in-place=.b", "-nE", "X", "f"], "text X in place [f]"),
        (Language::Sed, &["--expr=X", "f"], "text X [f]"),
        (Language::Sed, &["-f", "x.sed", "f"], "file x.sed [f]"),
        (Language::Sed, &["-n", "X", "f"], "text X [f]"),
        (Language::PowerShell, &["-c", "X", "y"], "text X y []"),
        (Language::PowerShell, &["-NoP", "-ep", "bypass", "-w", "hidden", "-Command", "X"], "text X []"),
        (Language::PowerShell, &["-enc", "bABzAA=="], "text ls []"),
        (Language::PowerShell, &["-EncodedCommand", "%"], "text «?» []"),
        (Language::PowerShell, &["-File", "x.ps1", "a"], "file x.ps1 [a]"),
        (Language::PowerShell, &["-Command", "-"], "stdin []"),
        (Language::PowerShell, &["X", "y"], "text X y []"),
        (Language::AppleScript, &["-e", "X", "-e", "Y"], "text X\nY []"),
        (Language::AppleScript, &["-l", "JavaScript", "-e", "X"], "text X []"),
        (Language::Make, &["-f", "-"], "stdin []"),
        (Language::Make, &["-C", "d", "-j4", "all", "X=y"], "file Makefile [all | X=y]"),
        (Language::Make, &["--eval=X", "all"], "text X [all]"),
    ];
    for (language, args, expected) in table {
        assert_eq!(invocation(*language, args), *expected, "{language:?} {args:?}");
    }
}

#[test]
fn a_variable_of_awk_reaches_its_program() {
    let args: Vec<Word> = ["-v", "c=ls -l", "BEGIN { system(c) }"].iter().map(|arg| plain(arg)).collect();
    let Code::Text(text) = code_of(Language::Awk, &args).code else { panic!("no text") };
    assert_eq!(lines(Language::Awk, &text.constant().unwrap()), ["shell ls -l"]);
}

#[test]
fn a_word_that_is_unknown_stays_so() {
    let unknown = Unknown {
        why: UnknownSource::Computed,
        empty: true,
        splits: false,
        many: false,
        among: Candidates::Anything,
        made_of: None,
    };
    let glued = Word { parts: vec![Part::Text("-c".to_owned()), Part::Unknown(unknown)], span: 0..0 };
    let Code::Text(text) = code_of(Language::Python, &[glued]).code else { panic!("no text") };
    assert!(text.is_unknown());
}
