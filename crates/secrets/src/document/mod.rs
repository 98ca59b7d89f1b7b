//! Files whose purpose is to hold secrets: their values are found by the form of the file, whatever they look like.
//!
//! A password in an `.env` may be a word, and no rule for running text would find it. Here the file says where its values are, so a
//! value is shown only if it is clearly harmless: a number, a word, an address, a reference. Keys and layout stay.

mod json;
mod pairs;
mod plain;

use crate::{
    Finding, Scanner,
    names::{promise, words},
    placeholder::is_certain_reference,
    scan::Encoding,
    tables,
    tag::tags,
};
use std::ops::Range;

/// The form of a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Form {
    /// A name and a value on each line. `strict`: every value counts that is not clearly harmless; else only those with a secret name.
    Pairs { strict: bool },
    /// JSON, strict or not.
    Json { strict: bool },
    /// `machine … login … password …`
    Netrc,
    /// `host:port:database:user:password`
    Pgpass,
    /// Nothing but secrets: keys and tokens.
    Whole,
    /// Text in which only what the scanner finds is secret.
    Text,
}

/// A value in a file, and what its name says.
struct Value {
    range: Range<usize>,
    is_secret: bool,
}

/// Finds what must not be shown of a file, in order and without overlaps: its values by the form that its name and content tell,
/// and what the scanner finds.
pub(crate) fn hidden(scanner: &Scanner, path: &str, text: &str) -> Vec<Finding> {
    let mut found = scanner.scan(text.as_bytes());
    let form = form(path, text);
    let mut values = match form {
        Form::Pairs { strict } => pairs::values(text, strict),
        Form::Json { strict } => json::values(text, strict),
        Form::Netrc => netrc(text),
        Form::Pgpass => pgpass(text),
        Form::Whole if found.iter().any(|one| one.kind.label() == "private_key") => Vec::new(),
        Form::Whole => lines(text),
        Form::Text => Vec::new(),
    };
    // A value with a tag in it was hidden before.
    let is_new =
        |range: &Range<usize>| text.get(range.clone()).is_some_and(|value| tags(value).next().is_none());
    values.retain(|value| value.is_secret && !value.range.is_empty() && is_new(&value.range));
    for Value { range, .. } in values {
        let inside = |one: &Finding| one.range.start < range.end && range.start < one.range.end;
        let urls = |one: &Finding| one.kind == tables::URL_PASSWORD;
        let exact =
            found.iter().any(|one| one.range == range || (inside(one) && !within(&one.range, &range)));
        // Of a URL only the password is secret.
        if exact || (found.iter().any(inside) && found.iter().filter(|one| inside(one)).all(urls)) {
            continue;
        }
        let kind = found.iter().find(|one| inside(one)).map_or(tables::ASSIGNED_SECRET, |one| one.kind);
        found.retain(|one| !inside(one));
        found.push(Finding { range, kind, encoding: Encoding::Plain, number: None });
    }
    found.sort_by_key(|one| one.range.start);
    found
}

/// Returns whether a file of this name is one whose form is known here.
pub(crate) fn has_form(path: &str) -> bool {
    form(path, "") != Form::Text
}

fn within(inner: &Range<usize>, outer: &Range<usize>) -> bool {
    outer.start <= inner.start && inner.end <= outer.end
}

/// Files with names in which a form is known. Others are recognised by their content.
fn form(path: &str, text: &str) -> Form {
    let lower = path.to_ascii_lowercase();
    let name = lower.rsplit('/').next().unwrap_or_default();
    let below = |directory: &str| {
        lower.contains(&format!("/{directory}/")) || lower.starts_with(&format!("{directory}/"))
    };
    let extension = name.rsplit_once('.').map_or("", |(_, extension)| extension);
    let is_sample = ["example", "sample", "template", "dist", "schema", "defaults"]
        .iter()
        .any(|word| name.split(['.', '-', '_']).any(|part| part == *word));
    // `.env.local`, `.env-prod` and what an editor keeps of it, `.env~`.
    let is_env = name
        .strip_prefix(".env")
        .is_some_and(|rest| rest.is_empty() || rest.starts_with(['.', '-', '_', '~']))
        || name == ".envrc"
        || name == ".dev.vars"
        || name.starts_with(".dev.vars.")
        || extension == "env";
    match name {
        _ if is_env && is_sample => Form::Text,
        _ if is_env => Form::Pairs { strict: true },
        ".netrc" | "_netrc" => Form::Netrc,
        ".pgpass" | "pgpass.conf" => Form::Pgpass,
        ".vault-token" | "master.key" | "token" | "id_rsa" | "id_dsa" | "id_ecdsa" | "id_ed25519" => {
            Form::Whole
        }
        ".npmrc" | ".pypirc" | "pip.conf" | ".my.cnf" | ".s3cfg" | ".boto" | ".databrickscfg"
        | ".git-credentials" | "rclone.conf" | ".terraformrc" | "credentials.toml" | "hosts.yml"
        | "kubeconfig" | "gradle.properties" => Form::Pairs { strict: false },
        ".htpasswd" | "shadow" | "gshadow" | "secrets.yml" | "secrets.yaml" | "secrets.toml" => {
            Form::Pairs { strict: true }
        }
        ".dockercfg" | "secrets.json" => Form::Json { strict: true },
        "credentials" | "config" if below(".aws") || below(".kube") || below(".gem") || below("git") => {
            Form::Pairs { strict: false }
        }
        "credentials" => Form::Pairs { strict: true },
        _ if name.starts_with(".vault_pass") => Form::Whole,
        _ => match extension {
            "tfstate" => Form::Json { strict: false },
            "json"
                if ["credential", "secret", "account", "auth", "creds"]
                    .iter()
                    .any(|word| name.contains(word)) =>
            {
                Form::Json { strict: true }
            }
            "json" if below(".docker") || below(".aws") || below(".azure") => Form::Json { strict: false },
            "key" | "pem" | "ppk" => Form::Whole,
            "tfvars" => Form::Pairs { strict: false },
            "yml" | "yaml" if is_secret_manifest(text) => Form::Pairs { strict: false },
            _ => Form::Text,
        },
    }
}

fn is_secret_manifest(text: &str) -> bool {
    text.lines().any(|line| line.trim_end() == "kind: Secret")
}

/// Returns whether a value with this name must not be shown.
fn is_secret(name: &str, value: &str, strict: bool) -> bool {
    let value = value.trim();
    if value.is_empty() || is_certain_reference(value.as_bytes()) {
        return false;
    }
    match promise(&words(name.as_bytes())) {
        Some(_) => !plain::is_switch(value),
        None => strict && !plain::is_harmless(value),
    }
}

/// The words after `password` and `account`.
fn netrc(text: &str) -> Vec<Value> {
    let (mut values, mut is_next) = (Vec::new(), false);
    for (start, word) in words_of(text) {
        if is_next {
            values.push(Value { range: start..start + word.len(), is_secret: true });
        }
        is_next = !is_next && matches!(word, "password" | "account");
    }
    values
}

fn words_of(text: &str) -> impl Iterator<Item = (usize, &str)> {
    text.split_ascii_whitespace().map(|word| (word.as_ptr() as usize - text.as_ptr() as usize, word))
}

/// Everything from the fifth field of a line on; `\` takes the meaning from a colon.
fn pgpass(text: &str) -> Vec<Value> {
    let mut values = Vec::new();
    for (start, line) in lines_of(text) {
        let (mut colons, mut escaped) = (0, false);
        let fifth = line.char_indices().find(|(_, char)| {
            let is_colon = *char == ':' && !escaped;
            escaped = *char == '\\' && !escaped;
            colons += usize::from(is_colon);
            is_colon && colons == 4
        });
        if let Some((at, _)) = fifth.filter(|_| !line.starts_with('#')) {
            values.push(Value { range: start + at + 1..start + line.len(), is_secret: true });
        }
    }
    values
}

fn lines(text: &str) -> Vec<Value> {
    let all = lines_of(text).filter(|(_, line)| !line.trim().is_empty());
    all.map(|(start, line)| Value { range: start..start + line.len(), is_secret: true }).collect()
}

/// The lines of a text with their positions, without their ends.
fn lines_of(text: &str) -> impl Iterator<Item = (usize, &str)> {
    let mut at = 0;
    text.split_inclusive('\n').map(move |line| {
        let start = at;
        at += line.len();
        (start, line.trim_end_matches(['\n', '\r']))
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Key, Redactor};

    fn shown(path: &str, text: &str) -> String {
        let redactor = Redactor::new(Scanner::new(), Key::new([7; 32]));
        let (redacted, _) = redactor.file(path, text);
        let again = redactor.file(path, &redacted).0;
        assert_eq!(again, redacted, "a second time changes nothing");
        // The end of a tag depends on the key and the value; what matters here is where tags are.
        let (mut plain, mut at) = (String::new(), 0);
        for tag in tags(&redacted) {
            plain.push_str(redacted.get(at..tag.start).unwrap());
            plain.push('@');
            at = tag.end;
        }
        plain.push_str(redacted.get(at..).unwrap());
        plain
    }

    #[test]
    fn every_value_of_an_env_file_is_hidden_unless_it_is_harmless() {
        let text = "# settings\nPORT=5432\nDEBUG=true\nexport HOST=db.shop.internal\nDB_PASSWORD=horse\nDB_PIN='12 34'\n\
                    KEY=\"a b # c\" # note\nEMPTY=\nREF=$OTHER\nLICENSE=Zx91-kkQ2-0pLm\nURL=postgres://app:horse@db/shop\nNAME=shop\n";
        let expected = "# settings\nPORT=5432\nDEBUG=true\nexport HOST=db.shop.internal\nDB_PASSWORD=@\nDB_PIN='@'\n\
                        KEY=\"@\" # note\nEMPTY=\nREF=$OTHER\nLICENSE=@\nURL=postgres://app:@@db/shop\nNAME=shop\n";
        assert_eq!(shown("/p/.env", text), expected);
        assert_eq!(shown("/p/.env.example", "DB_PASSWORD=horse\n"), "DB_PASSWORD=horse\n");
    }

    /// A password may begin like a reference to another value.
    #[test]
    fn only_what_can_be_nothing_else_is_a_reference() {
        let text = "A_PASSWORD='$ecretPa55w0rd!'\nB_PASSWORD=!Hunter22\nC_PASSWORD='*abc9K!x'\nD_PASSWORD=\"&9skj28aks\"\n\
                    E_PASSWORD=${X:-hunter2xyz9}\nF_PASSWORD=<9akd82lkasd>\nG_PASSWORD=[kjs82kdja]\nH_TOKEN=env:hunter22\n\
                    I_PASSWORD=abc...def99\nJ_PASSWORD=${OTHER}\nK_PASSWORD=$OTHER\nL_PASSWORD=<your-password>\n\
                    M_PASSWORD='it'\"'\"'s9secret' # note\nN_PASSWORD=$(pass show db)\nO_KEY=sk_test_4eC39HqLyjWD\n";
        let expected = "A_PASSWORD='@'\nB_PASSWORD=@\nC_PASSWORD='@'\nD_PASSWORD=\"@\"\nE_PASSWORD=@\nF_PASSWORD=@\n\
                        G_PASSWORD=@\nH_TOKEN=@\nI_PASSWORD=@\nJ_PASSWORD=${OTHER}\nK_PASSWORD=$OTHER\n\
                        L_PASSWORD=<your-password>\nM_PASSWORD=@ # note\nN_PASSWORD=$(pass show db)\nO_KEY=@\n";
        assert_eq!(shown(".env", text), expected);
    }

    #[test]
    fn copies_and_other_spellings_of_env_files_have_their_form() {
        for name in
            [".env-prod", ".env_prod", ".env~", ".env.bak", ".dev.vars", ".dev.vars.staging", "prod.env"]
        {
            assert_eq!(shown(name, "DB_PASSWORD=horse\n"), "DB_PASSWORD=@\n", "{name}");
        }
        for name in [".env-example", ".env_sample", ".dev.vars.example", ".environment", "env"] {
            assert_eq!(shown(name, "DB_PASSWORD=horse\n"), "DB_PASSWORD=horse\n", "{name}");
        }
    }

    #[test]
    fn a_value_over_several_lines_is_one() {
        assert_eq!(shown(".env", "A_TOKEN=\"one\ntwo\"\nB=1\n"), "A_TOKEN=\"@\"\nB=1\n");
        let yaml = "kind: Secret\nmetadata:\n  name: shop\ndata:\n  user: YWRh\n  file: |\n    b25l\n    dHdv\ntype: Opaque\n";
        let expected =
            "kind: Secret\nmetadata:\n  name: shop\ndata:\n  user: @\n  file: |\n    @\ntype: Opaque\n";
        assert_eq!(shown("secret.yaml", yaml), expected);
    }

    #[test]
    fn each_form_shows_its_names() {
        for (path, text, expected) in [
            ("/h/.netrc", "machine h login ada\n  password horse\n", "machine h login ada\n  password @\n"),
            ("/h/.pgpass", "db:5432:shop:a\\:b:horse:x\n", "db:5432:shop:a\\:b:@\n"),
            (
                "/h/.aws/credentials",
                "[default]\nregion = eu\naws_secret_access_key = horse\n",
                "[default]\nregion = eu\naws_secret_access_key = @\n",
            ),
            (
                "/h/.npmrc",
                "registry=https://r.test/\n//r.test/:_authToken=horse\n",
                "registry=https://r.test/\n//r.test/:_authToken=@\n",
            ),
            (
                "/h/.docker/config.json",
                r#"{"auths": {"r.test": {"auth": "YWRhOmhvcnNl"}}}"#,
                r#"{"auths": {"r.test": {"auth": "@"}}}"#,
            ),
            (
                "secrets.json",
                r#"{"name": "shop", "pin": "x9-Q2!", "n": 5}"#,
                r#"{"name": "shop", "pin": "@", "n": 5}"#,
            ),
            (
                "terraform.tfvars",
                "region = \"eu\"\ndb_password = \"horse\"\n",
                "region = \"eu\"\ndb_password = \"@\"\n",
            ),
            ("/h/.vault-token", "horse\n", "@\n"),
            ("/p/src/main.rs", "let port = 5432;\n", "let port = 5432;\n"),
        ] {
            assert_eq!(shown(path, text), expected, "{path}");
        }
    }

    /// A file that is not what its name says is not shown as a whole.
    #[test]
    fn a_broken_file_hides_what_it_can() {
        assert_eq!(shown("secrets.json", "{\"password\": \"horse"), "{\"password\": \"@");
        assert_eq!(shown(".env", "Zx91kkQ20pLmWq77\nA=\"Zx91kk\n"), "@\nA=\"@\n");
    }
}
