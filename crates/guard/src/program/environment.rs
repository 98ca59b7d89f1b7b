//! Classifies deployment environments by name.
//!
//! A context, a namespace, a stage or a profile has a name that its owner chose, and most names say what it is for.
//! `prod` among its words makes an ordinary change one to ask about; `test` makes a reset ordinary.

use crate::{
    qualities::Qualities,
    vocabulary::{Environment, Modifier},
};
use checkrein_sql::is_production;

/// Returns the qualities of an action in the environment of this name, or in the one that a file of this name
/// describes.
pub(crate) fn qualities(name: &str) -> Qualities {
    let mut qualities = Qualities::NONE;
    if name.contains("://") {
        qualities = qualities.with(Modifier::Url);
    }
    // Clusters that live on one machine, by the names that their tools give.
    if ["kind-", "k3d-"].iter().any(|start| name.starts_with(start))
        || ["minikube", "docker-desktop", "rancher-desktop", "orbstack", "colima"].contains(&name)
    {
        qualities = qualities.with(Environment::Test);
    }
    // What answers in the place of a cloud while something is tried out.
    if ["http://localhost", "http://127.0.0.1", "https://localhost", "http://localstack"].iter().any(
        |start| name.strip_prefix(start).is_some_and(|rest| rest.is_empty() || rest.starts_with([':', '/'])),
    ) {
        qualities = qualities.with(Environment::Test);
    }
    // A database's name says it in the same words, so that there is one list of them.
    let production = is_production(name);
    if production {
        qualities = qualities.with(Environment::Production);
    }
    for word in name.split(|char: char| !char.is_ascii_alphanumeric()).filter(|word| !word.is_empty()) {
        let is = |words: &[&str]| words.iter().any(|known| word.eq_ignore_ascii_case(known));
        if is(&["test", "testing", "tests", "e2e", "itest", "smoke", "ci", "tmp", "scratch"]) {
            qualities = qualities.with(Environment::Test);
        }
    }
    // Whatever else it is for, it is the one that counts.
    if production { qualities.without(Environment::Test) } else { qualities }
}

/// Returns true if one of the words of a name says that it is for development, for tests or for a look before a release: what goes
/// there is missed, but not by users.
pub(crate) fn is_development(name: &str) -> bool {
    let words = name.split(|char: char| !char.is_ascii_alphanumeric()).filter(|word| !word.is_empty());
    let mut words = words.map(|word| {
        let plain = word.trim_end_matches(|char: char| char.is_ascii_digit());
        if plain.is_empty() { word } else { plain }
    });
    !is_production(name) && words.any(|word| DEVELOPMENT.iter().any(|known| word.eq_ignore_ascii_case(known)))
}

/// The words that say so.
const DEVELOPMENT: &[&str] = &[
    "dev",
    "devel",
    "develop",
    "development",
    "staging",
    "stage",
    "stg",
    "preview",
    "review",
    "sandbox",
    "qa",
    "uat",
    "demo",
    "playground",
    "test",
    "testing",
    "tests",
    "e2e",
    "itest",
    "smoke",
    "ci",
    "tmp",
    "temp",
    "scratch",
    "throwaway",
    "ephemeral",
    "pr",
    "nonprod",
    "preprod",
];

/// Returns true if this is the file that describes an environment, and not its name.
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
    fn development_is_a_word_of_the_name_and_never_production() {
        for name in [
            "dev",
            "shop-dev",
            "infra/staging",
            "acme/demo2",
            "pr-412",
            "SHOP_QA",
            "https://dev.example.com/x",
        ] {
            assert!(is_development(name), "{name}");
        }
        for name in ["shop", "device", "devices-eu", "prod-dev", "latest", "predict", ""] {
            assert!(!is_development(name), "{name}");
        }
    }

    #[test]
    fn names_say_what_they_are_for() {
        for (name, expected) in [
            ("prod", Some(Environment::Production.quality())),
            ("shop-PROD-eu", Some(Environment::Production.quality())),
            ("arn:aws:eks:eu:1:cluster/production", Some(Environment::Production.quality())),
            ("overlays/prod/kustomization.yaml", Some(Environment::Production.quality())),
            ("prod-test", Some(Environment::Production.quality())),
            ("test", Some(Environment::Test.quality())),
            ("shop_testing", Some(Environment::Test.quality())),
            ("smoke-4711", Some(Environment::Test.quality())),
            ("shop-e2e", Some(Environment::Test.quality())),
            ("kind-shop", Some(Environment::Test.quality())),
            ("kindergarten", None),
            ("citrus", None),
            ("https://example.com/a.yaml", Some(Modifier::Url.quality())),
            ("http://localhosting.example", Some(Modifier::Url.quality())),
            ("non-prod", None),
            ("pre_prod", None),
            ("products", None),
            ("latest", None),
            ("staging", None),
            ("", None),
        ] {
            let expected = expected.unwrap_or_default();
            assert_eq!(qualities(name), expected, "{name}");
        }
    }
}
