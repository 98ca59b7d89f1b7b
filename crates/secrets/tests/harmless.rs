//! Texts in which nothing must be found: a false alarm is a defect.
//!
//! Three kinds of them: the corpus, which has every false alarm that there was; texts that are generated, in which every form of
//! harmless random text is where secrets usually are; and the sources of this repository.

#![allow(clippy::unwrap_used, clippy::indexing_slicing, clippy::string_slice, reason = "a test")]

use checkrein_secrets::{
    Class,
    sample::{self, Random},
    scan,
};
use std::{
    fs,
    path::{Path, PathBuf},
};

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// The findings in a text, each with its line.
fn alarms(name: &str, text: &str, least: Class) -> Vec<String> {
    let found = scan(text.as_bytes()).into_iter().filter(|finding| finding.kind.class() >= least);
    found
        .map(|finding| {
            let number = text.get(..finding.range.start).unwrap().lines().count();
            let line = text.lines().nth(number.saturating_sub(1)).unwrap_or_default();
            let shown: String = line.chars().take(200).collect();
            format!("{name}:{number}: {} in {shown}", finding.kind.name())
        })
        .collect()
}

#[track_caller]
fn assert_none(alarms: &[String]) {
    assert!(
        alarms.is_empty(),
        "{} false alarms:\n{}",
        alarms.len(),
        alarms[..alarms.len().min(20)].join("\n")
    );
}

#[test]
fn nothing_is_found_in_harmless_texts() {
    let mut all = Vec::new();
    let mut lines = 0;
    for entry in fs::read_dir(root().join("corpus/secrets/harmless")).unwrap() {
        let path = entry.unwrap().path();
        let text = fs::read_to_string(&path).unwrap();
        lines += text.lines().count();
        all.extend(alarms(&path.display().to_string(), &text, Class::Generic));
    }
    assert!(lines > 80, "the corpus is there");
    assert_none(&all);
}

/// Random digits of an alphabet.
fn digits(random: &mut Random, alphabet: &str, length: usize) -> String {
    let alphabet = alphabet.as_bytes();
    (0..length).map(|_| char::from(alphabet[random.below(alphabet.len())])).collect()
}

fn hex(random: &mut Random, length: usize) -> String {
    digits(random, "0123456789abcdef", length)
}

fn uuid(random: &mut Random) -> String {
    [8, 4, 4, 4, 12].map(|length| hex(random, length)).join("-")
}

fn base64(random: &mut Random, bytes: usize) -> String {
    let bytes: Vec<u8> = (0..bytes).map(|_| u8::try_from(random.below(256)).unwrap()).collect();
    String::from_utf8(sample::base64(&bytes, true)).unwrap()
}

/// One line of each form in which random text is not secret.
fn harmless(random: &mut Random) -> String {
    let word = |random: &mut Random| digits(random, "bcdfghjklmnprstvw", 3) + &digits(random, "aeiou", 2);
    let (name, package) = (word(random), word(random));
    let (commit, sha256, id) = (hex(random, 40), hex(random, 64), uuid(random));
    let lines = [
        // Hashes of git and of files.
        format!("commit {commit}\nindex {}..{} 100644", &commit[..7], &commit[8..15]),
        format!("Subproject commit {commit}"),
        format!("uses: actions/checkout@{commit} # v4"),
        format!("{sha256}  dist/{package}-2.0.tar.gz"),
        format!("FROM {package}@sha256:{sha256}"),
        format!("ETag: \"{}\"", hex(random, 32)),
        format!("\"_id\": \"{}\"", hex(random, 24)),
        // Lock files.
        format!("checksum = \"{sha256}\""),
        format!("\"integrity\": \"sha512-{}\",", base64(random, 64)),
        format!("    resolution: {{integrity: sha512-{}}}", base64(random, 64)),
        format!("github.com/{name}/{package} v1.2.3 h1:{}", base64(random, 32)),
        format!("{package}==1.0 --hash=sha256:{sha256}"),
        format!("    {{file = \"{package}-1.0-py3-none-any.whl\", hash = \"sha256:{sha256}\"}},"),
        format!("\"narHash\": \"sha256-{}\",", base64(random, 32)),
        format!("\"shasum\": \"{commit}\", \"reference\": \"{commit}\""),
        format!("<script src=\"/{package}.js\" integrity=\"sha384-{}\"></script>", base64(random, 48)),
        // Ids.
        format!("X-Request-Id: {id}\ntraceparent: 00-{}-{}-01", hex(random, 32), hex(random, 16)),
        format!("<Project Guid=\"{{{}}}\">", id.to_uppercase()),
        format!("toolu_{}", digits(random, "ABCDEFGHJKMNPQRSTVWXYZ0123456789", 24)),
        format!("container {}: exited", hex(random, 12)),
        format!("\"sessionId\": \"{id}\", \"uuid\": \"{}\"", uuid(random)),
        // Binary data in text.
        format!("url(data:image/png;base64,iVBORw0KGgo{})", base64(random, 300)),
        format!("\"image\": \"data:font/woff2;base64,d09GMgABAAAA{}\"", base64(random, 900)),
        format!(
            "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAI{} {name}@host",
            base64(random, 32).trim_end_matches('=')
        ),
        format!("-----BEGIN CERTIFICATE-----\nMIID{}\n-----END CERTIFICATE-----", base64(random, 45)),
        format!("-----BEGIN PUBLIC KEY-----\nMFkw{}\n-----END PUBLIC KEY-----", base64(random, 45)),
        // Code, also minified, with names that secrets have.
        format!(
            "!function(e,t){{var n=e.token||t.{name}Token,r={{password:1}};return n[\"{package}\"](r.password,{})}}(this);",
            random.below(99999)
        ),
        format!(",\"mappings\":\"{}\"", digits(random, "AACEGIKMOQSUWYacegikmoqsuwyg;,", 400)),
        format!("const {name}Token = await get{name}Token({package}.secretName);"),
        format!("let {name}_key = \"{package}.{name}.{package}\";"),
        format!("{}_TOKEN = os.environ[\"{}_TOKEN\"]", name.to_uppercase(), package.to_uppercase()),
        format!("password: ${{{{ secrets.{}_PASSWORD }}}}", name.to_uppercase()),
        format!("export {}_SECRET=$(vault kv get -field=value secret/{package})", name.to_uppercase()),
        format!(
            "DB_PASSWORD=<your-{name}-password>\nAPI_KEY=xxxxxxxxxxxxxxxxxxxx\nTOKEN=YOUR_{}_TOKEN",
            name.to_uppercase()
        ),
        format!("\"{name}_key\": \"{id}.pem\", \"key_file\": \"/etc/{package}/{name}.key\""),
        format!("secret_{name}_token = load(\"{package}/{name}.json\")"),
    ];
    lines.join("\n")
}

#[test]
fn nothing_is_found_in_generated_hashes_locks_images_and_code() {
    let mut all = Vec::new();
    let mut lines = 0;
    for seed in 0..400 {
        let text = harmless(&mut Random::new(seed));
        lines += text.lines().count();
        all.extend(alarms(&format!("seed {seed}"), &text, Class::Generic));
    }
    assert!(lines > 16_000, "{lines}");
    assert_none(&all);
}

/// Somewhere in a block of digits is every short prefix.
#[test]
fn nothing_is_found_in_the_middle_of_a_block() {
    let mut all = Vec::new();
    for seed in 0..200 {
        let random = &mut Random::new(seed);
        let lines: Vec<String> = (0..6)
            .map(|line| {
                let digits = base64(random, 48);
                match line {
                    2 => format!("AQE{}", &digits[3..]),
                    4 => format!("{}+AQE{}", &digits[..20], &digits[24..]),
                    _ => digits,
                }
            })
            .collect();
        for between in ["\n", "\r\n", "\n    "] {
            all.extend(alarms(&format!("seed {seed}"), &lines.join(between), Class::Generic));
        }
    }
    assert_none(&all);
}

/// The parts of this repository that have no generated, captured or invented secrets in them, which is most of it.
const SOURCES: &[&str] = &[
    "Cargo.lock",
    "fuzz/Cargo.lock",
    "docs",
    "crates",
    "xtask",
    "schema",
    "tests",
    "benches",
    "examples",
    "corpus",
];
/// Files with invented secrets are left out, by their names and by the values.
const WITH_SECRETS: &[&str] = &["secret", "leak", "handle", "token", "redact", "conceal"];
const INVENTED: &[&str] = &["kR4vT9xQ", "hunter2"];

fn files(at: &Path, all: &mut Vec<PathBuf>) {
    let name = at.file_name().unwrap_or_default().to_string_lossy().into_owned();
    if at.is_dir() && !matches!(name.as_str(), "target" | "node_modules" | ".venv" | "__pycache__") {
        let mut entries: Vec<PathBuf> =
            fs::read_dir(at).unwrap().map(|entry| entry.unwrap().path()).collect();
        entries.sort();
        entries.iter().for_each(|entry| files(entry, all));
    } else if at.is_file() {
        all.push(at.to_owned());
    }
}

#[test]
fn nothing_is_found_in_the_sources_of_this_repository() {
    let mut all = Vec::new();
    let (mut count, mut bytes) = (0, 0);
    for part in SOURCES {
        let mut paths = Vec::new();
        files(&root().join(part), &mut paths);
        for path in paths {
            let Ok(text) = fs::read_to_string(&path) else { continue };
            let shown = path.strip_prefix(root()).unwrap().display().to_string();
            let is_invented = WITH_SECRETS.iter().any(|word| shown.contains(word))
                || INVENTED.iter().any(|value| text.contains(value));
            if !is_invented {
                count += 1;
                bytes += text.len();
                all.extend(alarms(&shown, &text, Class::Generic));
            }
        }
    }
    println!("{count} files, {bytes} bytes");
    assert!(count > 1_000 && bytes > 5_000_000, "{count} files with {bytes} bytes");
    assert_none(&all);
}
