//! The start of a program: variables, input and modules.

use super::table::lines_started;
use checkrein_code::{Language, Started};

#[test]
fn variables_reach_every_language() {
    let environment = [("CMD".to_owned(), "rm x".to_owned())].into();
    let started = Started { environment, ..Started::default() };
    for (language, source) in [
        (Language::Python, "import os; os.system(os.environ['CMD'])"),
        (Language::Python, "import os; os.system(os.getenv('CMD'))"),
        (Language::JavaScript, "require('child_process').execSync(process.env.CMD)"),
        (Language::Perl, "system($ENV{CMD})"),
        (Language::Ruby, "system(ENV.fetch('CMD'))"),
        (Language::Ruby, "system(ENV['CMD'])"),
        (Language::Php, "shell_exec(getenv('CMD'));"),
        (Language::Lua, "os.execute(os.getenv('CMD'))"),
    ] {
        assert_eq!(lines_started(language, source, &started), ["shell rm x"], "{source}");
        assert_ne!(lines_started(language, source, &Started::default()), ["shell rm x"], "{source}");
    }
}

#[test]
fn input_that_is_not_known_is_told_where_it_runs() {
    for (language, source) in [
        (Language::Python, "import sys; exec(sys.stdin.read())"),
        (Language::JavaScript, "eval(require('fs').readFileSync(0, 'utf8'))"),
        (Language::Ruby, "eval STDIN.read"),
        (Language::Perl, "eval $_"),
    ] {
        let found = lines_started(language, source, &Started::default());
        assert!(found.contains(&"evaluate input".to_owned()), "{source}: {found:?}");
    }
    let only_read = "import sys, json; print(json.load(sys.stdin)['a'])";
    assert!(lines_started(Language::Python, only_read, &Started::default()).is_empty());
}

#[test]
fn a_module_of_the_call_is_loaded() {
    let started = Started { modules: vec!["helper".to_owned()], ..Started::default() };
    assert_eq!(lines_started(Language::Python, "import helper", &started), ["load helper"]);
    assert_eq!(lines_started(Language::Python, "from helper import x", &started), ["load helper"]);
    assert_eq!(lines_started(Language::JavaScript, "require('./helper')", &started), ["load helper"]);
    assert!(lines_started(Language::Python, "import other", &started).is_empty());
}
