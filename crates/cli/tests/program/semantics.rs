//! The semantics corpus through the program: real command hooks, our own dialect on stdin and stdout.

use checkrein_testkit::corpus;
use std::path::Path;

#[test]
fn every_case_of_the_corpus() {
    let mut wrong = Vec::new();
    let cases = corpus::load(&corpus::directory()).unwrap();
    assert!(cases.len() > 100, "only {} cases were found", cases.len());
    for case in &cases {
        if let Err(why) = corpus::run_program(case, Path::new(crate::PROGRAM)) {
            wrong.push(format!("{}: {why}", case.name));
        }
    }
    assert!(wrong.is_empty(), "{} of {} cases:\n{}", wrong.len(), cases.len(), wrong.join("\n"));
}
