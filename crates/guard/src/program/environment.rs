//! What the name of an environment says about it.
//!
//! A context, a namespace, a stage or a profile is a name that somebody chose, and most choose one that says what it is for.
//! `prod` among its words makes an ordinary change one to ask about; `test` makes a reset an ordinary thing.

use crate::vocabulary::{Mark, Marks};
use checkrein_sql::is_production;

/// How something is done in the environment of this name, or in the one that a file of this name describes.
pub(crate) fn marks(name: &str) -> Marks {
    let mut marks = Marks::NONE;
    if name.contains("://") {
        marks = marks.with(Mark::Url);
    }
    // Clusters that live on one machine, by the names that their tools give.
    if ["kind-", "k3d-"].iter().any(|start| name.starts_with(start))
        || ["minikube", "docker-desktop", "rancher-desktop", "orbstack", "colima"].contains(&name)
    {
        marks = marks.with(Mark::Test);
    }
    // What answers in the place of a cloud while something is tried out.
    if ["http://localhost", "http://127.0.0.1", "https://localhost", "http://localstack"].iter().any(
        |start| name.strip_prefix(start).is_some_and(|rest| rest.is_empty() || rest.starts_with([':', '/'])),
    ) {
        marks = marks.with(Mark::Test);
    }
    // A database's name says it in the same words, so that there is one list of them.
    let production = is_production(name);
    if production {
        marks = marks.with(Mark::Production);
    }
    for word in name.split(|char: char| !char.is_ascii_alphanumeric()).filter(|word| !word.is_empty()) {
        let is = |words: &[&str]| words.iter().any(|known| word.eq_ignore_ascii_case(known));
        if is(&["test", "testing", "tests", "e2e", "itest", "smoke", "ci", "tmp", "scratch"]) {
            marks = marks.with(Mark::Test);
        }
    }
    // Whatever else it is for, it is the one that counts.
    if production { marks.without(Mark::Test) } else { marks }
}

/// Whether this is the file that describes an environment, and not its name.
pub(crate) fn is_file(name: &str) -> bool {
    let ends = |ending: &&str| name.ends_with(*ending);
    (name.contains('/') && !name.starts_with("arn:"))
        || name.starts_with(".env")
        || [".yaml", ".yml", ".json", ".toml", ".env"].iter().any(ends)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_say_what_they_are_for() {
        for (name, mark) in [
            ("prod", Some(Mark::Production)),
            ("shop-PROD-eu", Some(Mark::Production)),
            ("arn:aws:eks:eu:1:cluster/production", Some(Mark::Production)),
            ("overlays/prod/kustomization.yaml", Some(Mark::Production)),
            ("prod-test", Some(Mark::Production)),
            ("test", Some(Mark::Test)),
            ("shop_testing", Some(Mark::Test)),
            ("smoke-4711", Some(Mark::Test)),
            ("shop-e2e", Some(Mark::Test)),
            ("kind-shop", Some(Mark::Test)),
            ("kindergarten", None),
            ("citrus", None),
            ("https://example.com/a.yaml", Some(Mark::Url)),
            ("http://localhosting.example", Some(Mark::Url)),
            ("non-prod", None),
            ("pre_prod", None),
            ("products", None),
            ("latest", None),
            ("staging", None),
            ("", None),
        ] {
            let expected = mark.map_or(Marks::NONE, |mark| Marks::NONE.with(mark));
            assert_eq!(marks(name), expected, "{name}");
        }
    }
}
