//! Modules that are programs: only the caller knows which.

use checkrein_code::{Does, Language, Started, acts_with};

fn is_program(module: &str) -> bool {
    matches!(module, "workbench" | "/opt/workbench/cli.js")
}

/// Returns true if a text starts a module.
fn starts(language: Language, source: &str, is_program: fn(&str) -> bool) -> bool {
    acts_with(language, source, &Started::default(), is_program)
        .iter()
        .any(|act| matches!(act.does, Does::Run(_)))
}

#[test]
fn who_loads_a_program_starts_it() {
    for (language, source, expected) in [
        (Language::Python, "__import__('work' + 'bench')", true),
        (Language::Python, "exec(\"__import__('workbench')\")", true),
        (Language::Python, "__import__('workbenches')", false),
        (Language::Python, "print(\"__import__('workbench')\")", false),
        (Language::JavaScript, "import '/opt/workbench/cli.js'", true),
        (Language::JavaScript, "require('/opt/' + 'workbench/cli.js')", true),
        (Language::JavaScript, "// require('/opt/workbench/cli.js')", false),
        (Language::JavaScript, "require('workbench')", false),
    ] {
        assert_eq!(starts(language, source, is_program), expected, "{source}");
        assert!(!starts(language, source, |_| false), "{source}");
    }
}
