//! The corpus of semantics through the library, and the list of lines that it must cover.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing, reason = "tests")]

use checkrein_testkit::corpus::{self, Form};

#[test]
fn every_case_holds_in_the_library() {
    let cases = corpus::load(&corpus::folder()).unwrap();
    let broken: Vec<String> = cases
        .iter()
        // These need a configuration file and so run through the program alone.
        .filter(|case| !matches!(case.form, Form::Broken(_)))
        .filter_map(|case| corpus::library::run(case).err())
        .collect();
    assert!(broken.is_empty(), "{} of {} cases:\n{}", broken.len(), cases.len(), broken.join("\n"));
}

#[test]
fn every_line_of_the_seeds_has_a_case_or_a_place() {
    let cases = corpus::load(&corpus::folder()).unwrap();
    let lines = corpus::read_lines(&corpus::folder()).unwrap();
    let shown = |id: &str| {
        cases.iter().any(|case| {
            case.name == id || case.name.strip_prefix(id).is_some_and(|rest| rest.starts_with('-'))
        })
    };
    let elsewhere = |id: &str| lines.elsewhere.iter().any(|(other, _)| other == id);
    let known = |id: &str| lines.all.iter().any(|(other, _)| other == id);

    let missing: Vec<&str> =
        lines.all.iter().map(|(id, _)| id.as_str()).filter(|id| !shown(id) && !elsewhere(id)).collect();
    assert!(missing.is_empty(), "neither a case nor a place elsewhere: {missing:?}");
    let both: Vec<&str> =
        lines.elsewhere.iter().map(|(id, _)| id.as_str()).filter(|id| shown(id) || !known(id)).collect();
    assert!(both.is_empty(), "said to be elsewhere, but shown here or unknown: {both:?}");
    let strange: Vec<&str> = cases
        .iter()
        .map(|case| case.name.as_str())
        .filter(|name| !name.starts_with("ours-") && !known(name.split('-').next().unwrap()))
        .collect();
    assert!(strange.is_empty(), "named after no line: {strange:?}");
}

#[test]
fn every_case_says_in_one_sentence_what_it_shows() {
    for case in corpus::load(&corpus::folder()).unwrap() {
        assert!(case.about.ends_with('.') && case.about.len() > 20, "{}: {}", case.name, case.about);
        assert!(
            case.about.chars().next().is_some_and(|first| !first.is_lowercase()),
            "{}: {}",
            case.name,
            case.about
        );
    }
}
