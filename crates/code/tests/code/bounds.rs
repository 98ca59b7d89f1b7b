//! Texts that are too long or too deep to be followed: the work has an end, and the answer is not silence.

use crate::table::{ALL, lines};
use checkrein_code::{Language, MAX_CODE};
use std::time::{Duration, Instant};

#[test]
fn a_text_that_is_too_long_is_unknown() {
    for language in ALL {
        let text = " ".repeat(MAX_CODE + 1);
        assert_eq!(lines(language, &text), ["evaluate too much"], "{language:?}");
    }
}

/// In a thread with the stack of a small one, and not for long.
fn quickly(language: Language, text: String) -> Vec<String> {
    let start = Instant::now();
    let thread = std::thread::Builder::new().stack_size(2 * 1024 * 1024);
    let shown: String = text.chars().take(40).collect();
    let lines = thread.spawn(move || lines(language, &text)).unwrap().join().unwrap();
    assert!(start.elapsed() < Duration::from_secs(10), "{language:?} {shown} {:?}", start.elapsed());
    lines
}

#[test]
fn nesting_and_repetition_are_bounded() {
    for unit in [
        "(",
        "[",
        "{",
        "f(",
        "a.b(",
        "\"",
        "'",
        "`",
        "#{",
        "\"#{",
        "${",
        "`${",
        "f\"{",
        "{$",
        "$(",
        "\"$(",
        "@{[",
        "/",
        "/[",
        "<<X\n",
        "<<<X\n",
        "%w[",
        "q(",
        "m{",
        "s{a}{",
        "lambda x:",
        "(x)=>",
        "x=>",
        "function(){",
        "->(x){",
        "a?",
        "a=",
        "a+",
        "a.",
        "a::b",
        "x=[x,x];",
        "x=x+x;",
        "x=[x];",
        "x+='a';",
        "x=\"#{x}#{x}\"\n",
        "exec('exec(\"",
        "eval(",
        "-x ",
        "\\",
        "<",
        "<?php ?>",
        "<!--",
        "[[",
        "--[[",
        "/*",
        "=begin\n",
        "@'\n",
        "if a then ",
        "x|",
        "|y| ",
        "{ |x| ",
        "do |x| ",
        "for x in ",
        "def f(a=",
        "$(shell ",
        "$a",
        "A=$(A)$(A)\n",
        "s/a/b/e;",
        "1e x\n",
        "f(x)\n",
        "def f(x): return [x]\nf(f(1))\n",
        "set x to x & x\n",
        "$x=$x+$x;",
        "ri x;",
        "[a]",
        "'a','b',",
        "print > ",
        "a|getline;",
        "é",
        "\u{0}",
    ] {
        let text: String = unit.repeat(MAX_CODE / 8 / unit.len());
        for language in ALL {
            quickly(language, text.clone());
        }
    }
}

#[test]
fn what_is_too_deep_is_not_silently_harmless() {
    let deep = format!("{}os.system('ls'){}", "(".repeat(500), ")".repeat(500));
    assert_eq!(lines(Language::Python, &deep), ["shell ls", "evaluate unknown"]);
    let unknown = "evaluate unknown".to_owned();
    let blocks = format!("{}eval(x){}", "(function(){".repeat(100), "})".repeat(100));
    assert!(lines(Language::JavaScript, &blocks).contains(&unknown));
    let functions = format!("{}require('fs').unlinkSync('/x'){}", "function(){".repeat(100), "}".repeat(100));
    assert_eq!(lines(Language::JavaScript, &functions), ["delete /x", "evaluate unknown"]);
    let blocks = format!("{}del /x{}", "if ($a) { ".repeat(100), "}".repeat(100));
    assert!(lines(Language::PowerShell, &blocks).contains(&"evaluate too much".to_owned()));
    let unclosed = "x = '''os.system('ls')";
    assert_eq!(lines(Language::Python, unclosed), ["evaluate unknown"]);
}
