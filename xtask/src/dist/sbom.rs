//! The program's bill of materials, in the format CycloneDX 1.6.
//!
//! It lists what was linked in, not what the lock file names: no macros, no tests, nothing for other
//! systems. It contains no time and no random number, so that the same program has the same list.

use super::{Toolchain, packages::Package};
use serde_json::{Value, json};

/// The package of the program.
const PROGRAM: &str = "checkrein-cli";

/// Returns the list for a program with these packages and this SHA-256.
pub(super) fn write(linked: &[Package], toolchain: &Toolchain, checksum: &str) -> Value {
    let (program, rest): (Vec<_>, Vec<_>) = linked.iter().partition(|package| package.name == PROGRAM);
    let system = system(toolchain);
    let system_refs: Vec<&Value> = system.iter().filter_map(|component| component.get("bom-ref")).collect();
    let dependencies = linked.iter().map(|package| {
        let mut uses: Vec<Value> = package.uses.iter().map(|url| json!(url)).collect();
        if package.name == PROGRAM {
            uses.extend(system_refs.iter().map(|name| (*name).clone()));
        }
        json!({"ref": package.url(), "dependsOn": uses})
    });
    let program = program.first().map(|program| {
        let mut component = component(program, "application");
        if let Some(fields) = component.as_object_mut() {
            fields.insert("hashes".into(), hashes(checksum));
        }
        component
    });
    let components: Vec<Value> =
        rest.into_iter().map(|package| component(package, "library")).chain(system.iter().cloned()).collect();
    json!({
        "$schema": "http://cyclonedx.org/schema/bom-1.6.schema.json",
        "bomFormat": "CycloneDX",
        "specVersion": "1.6",
        "version": 1,
        "metadata": {
            "lifecycles": [{"phase": "build"}],
            "component": program,
        },
        "components": components,
        "dependencies": dependencies.collect::<Vec<_>>(),
    })
}

fn component(package: &Package, kind: &str) -> Value {
    let mut component = json!({
        "type": kind,
        "bom-ref": package.url(),
        "name": package.name,
        "version": package.version,
        "purl": package.url(),
    });
    let Some(fields) = component.as_object_mut() else { return component };
    if !package.description.is_empty() {
        fields.insert("description".into(), json!(package.description));
    }
    if !package.license.is_empty() {
        fields.insert("licenses".into(), json!([{"expression": package.license}]));
    }
    if let Some(checksum) = &package.checksum {
        fields.insert("hashes".into(), hashes(checksum));
    }
    if !package.repository.is_empty() {
        fields.insert("externalReferences".into(), json!([{"type": "vcs", "url": package.repository}]));
    }
    component
}

/// Returns the components that come with the compiler and are in the program too.
fn system(toolchain: &Toolchain) -> [Value; 2] {
    let version = &toolchain.version;
    let commit = &toolchain.commit;
    [
        json!({
            "type": "library",
            "bom-ref": format!("pkg:generic/rust-std@{version}"),
            "name": "rust-std",
            "version": version,
            "purl": format!("pkg:generic/rust-std@{version}"),
            "description": format!("the standard library of Rust, commit {commit}"),
            "licenses": [{"expression": "MIT OR Apache-2.0"}],
        }),
        json!({
            "type": "library",
            "bom-ref": "pkg:generic/musl",
            "name": "musl",
            "purl": "pkg:generic/musl",
            "description": format!("the C library, as it comes with rust-std {version}"),
            "licenses": [{"expression": "MIT"}],
        }),
    ]
}

fn hashes(sha256: &str) -> Value {
    json!([{"alg": "SHA-256", "content": sha256}])
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    #[test]
    fn every_reference_is_to_a_component() {
        let package = |name: &str, uses: &[&str]| Package {
            name: name.into(),
            version: "1.0.0".into(),
            license: "MIT".into(),
            uses: uses.iter().map(|name| format!("pkg:cargo/{name}@1.0.0")).collect(),
            ..Package::default()
        };
        let linked = [package("checkrein-cli", &["clap"]), package("clap", &["lex"]), package("lex", &[])];
        let toolchain = Toolchain { version: "1.2.3".into(), commit: "abc".into(), sysroot: String::new() };
        let bom = write(&linked, &toolchain, "00ff");
        let program = bom.pointer("/metadata/component").unwrap();
        assert_eq!(program.pointer("/hashes/0/content"), Some(&json!("00ff")));
        let components = bom["components"].as_array().unwrap();
        let known: BTreeSet<&str> =
            components.iter().chain([program]).map(|c| c["bom-ref"].as_str().unwrap()).collect();
        assert_eq!(known.len(), 5);
        let mut refs = BTreeSet::new();
        for dependency in bom["dependencies"].as_array().unwrap() {
            refs.insert(dependency["ref"].as_str().unwrap());
            refs.extend(
                dependency["dependsOn"].as_array().unwrap().iter().map(|name| name.as_str().unwrap()),
            );
        }
        assert_eq!(refs, known, "each is reached from the program");
    }
}
