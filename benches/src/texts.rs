//! Commands that agents give to a shell on an ordinary day, in four sizes.
//!
//! All of them are harmless, so that a figure is about the usual silence. No two commands of a size are
//! alike: one that repeats itself would cost less, or more, than a real one.

/// Commands of about one size.
pub(crate) struct Size {
    pub(crate) name: &'static str,
    pub(crate) texts: Vec<String>,
}

const TINY: [&str; 8] = [
    "git status --short",
    "ls -la src/lib | head",
    "cargo check --tests",
    "cat package.json",
    "npm run build -- -w",
    "grep -rn 'x' src/ab",
    "cd web && npm test",
    "echo \"$HOME/$USER\"",
];

const SMALL: [&str; 6] = [
    "cd crates/net && cargo test --locked retry -- --nocapture 2>&1 | tail -40; \
     git diff --stat HEAD~1 -- src tests && git log --oneline -5 | cat; \
     echo \"left: $(git status --porcelain | wc -l)\"",
    "for file in src/*.ts src/**/*.tsx; do if ! grep -q 'use strict' \"$file\"; then \
     printf '%s %s\\n' \"$(wc -l < \"$file\")\" \"${file##*/}\"; fi; done | sort -rn | head -20; npx tsc --noEmit",
    "git add -A src tests && git commit -q -m 'Read the limit from the configuration\n\n\
     The old name stays as an alias for one release.\nFixes a crash with an empty file.' \
     && git show --stat HEAD | cat && git push -u origin HEAD",
    "python3 -c 'import json, sys; d = json.load(open(sys.argv[1])); print(len(d[\"items\"]), sum(i[\"n\"] for i in d[\"items\"]))' \
     build/report.json && mkdir -p out && cp -r build/report.json build/*.css out/",
    "cat > src/limits.rs <<'EOF'\n//! The limits.\n\n/// How many at once.\npub const MOST: usize = 64;\n\n\
     /// How long to wait, in seconds.\npub const PATIENCE: u64 = 30;\nEOF\nrustfmt --check src/limits.rs || rustfmt src/limits.rs",
    "curl -sS -H 'accept: application/json' 'http://localhost:8080/api/orders?limit=5&state=paid' | \
     jq -r '.[] | [.id, .state, .total] | @tsv' | column -t > /tmp/orders.txt; head -5 /tmp/orders.txt; test -s /tmp/orders.txt",
];

const MEDIUM: [&str; 10] = [
    include_str!("../texts/build.sh"),
    include_str!("../texts/review.sh"),
    include_str!("../texts/logs.sh"),
    include_str!("../texts/service.sh"),
    include_str!("../texts/python.sh"),
    include_str!("../texts/search.sh"),
    include_str!("../texts/cluster.sh"),
    include_str!("../texts/front.sh"),
    include_str!("../texts/data.sh"),
    include_str!("../texts/release.sh"),
];

/// Source files that a command writes. They are ours, because agents write such files.
const WRITTEN: [(&str, &str); 4] = [
    ("process", include_str!("process.rs")),
    ("config", include_str!("config.rs")),
    ("sample", include_str!("sample.rs")),
    ("child", include_str!("child.rs")),
];

/// Returns a command that fills most of a kilobyte of JSON.
pub(crate) fn several() -> String {
    let [test, list, ..] = SMALL;
    [test, list].join("\n")
}

/// Returns all sizes, the smallest first.
pub(crate) fn sizes() -> [Size; 4] {
    let owned = |texts: &[&str]| texts.iter().map(|text| (*text).to_owned()).collect();
    let script = MEDIUM.concat();
    // One call writes two files, with half a script after them.
    let writes = |files: &[(&str, &str)], after: &[&str]| {
        let mut text = String::new();
        for (name, content) in files {
            text.push_str(&format!("cat > src/{name}.rs <<'END_OF_FILE'\n{content}END_OF_FILE\n"));
        }
        text.push_str(&after.concat());
        text
    };
    let [process, config, sample, child] = WRITTEN;
    let [build, review, logs, ..] = MEDIUM;
    let large = vec![
        script,
        writes(&[process, child], &[build]),
        writes(&[sample], &[review, logs, build]),
        writes(&[config], MEDIUM.split_at(6).1.split_at(3).0),
    ];
    [
        Size { name: "20 B", texts: owned(&TINY) },
        Size { name: "200 B", texts: owned(&SMALL) },
        Size { name: "1 KB", texts: owned(&MEDIUM) },
        Size { name: "10 KB", texts: large },
    ]
}

#[cfg(test)]
mod tests {
    use crate::verdict::{HOME, place};
    use checkrein_guard::{EmptyWorld, judge};

    #[test]
    fn all_commands_are_harmless_and_readable() {
        for text in super::sizes().into_iter().flat_map(|size| size.texts) {
            let judgement = judge(&text, &place(), &EmptyWorld::new(HOME));
            let found: Vec<_> = judgement
                .findings
                .iter()
                .map(|finding| (finding.rule.id.to_string(), judgement.effects[finding.effect].to_string()))
                .collect();
            assert!(
                found.is_empty() && judgement.opaque.is_empty(),
                "{found:?} {:?}\n{text}",
                judgement.opaque
            );
        }
    }

    #[test]
    fn the_sizes_match_their_names() {
        for (size, bytes) in super::sizes().into_iter().zip([20.0, 200.0, 1024.0, 10240.0]) {
            let mean = size.texts.iter().map(String::len).sum::<usize>() as f64 / size.texts.len() as f64;
            let ratio = mean / bytes;
            assert!((0.85..1.15).contains(&ratio), "{} is {mean}", size.name);
        }
    }

    #[test]
    fn tree_sitter_reads_them_too() {
        let mut parser = tree_sitter::Parser::new();
        parser.set_language(&tree_sitter_bash::LANGUAGE.into()).unwrap();
        for text in super::sizes().into_iter().flat_map(|size| size.texts) {
            assert!(!parser.parse(&text, None).unwrap().root_node().has_error(), "{text}");
        }
    }
}
