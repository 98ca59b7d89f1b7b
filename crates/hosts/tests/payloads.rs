//! Recorded payloads of real agents: each decodes without loss, and without hooks the answer is the neutral one.
#![allow(clippy::unwrap_used, clippy::panic, clippy::indexing_slicing, reason = "tests")]

use checkrein_core::{Dispatcher, flat::Flat, json};
use std::{fs, path::Path};

#[test]
fn recorded_payloads_are_read_and_answered_neutrally() {
    let corpus = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../corpus/payloads");
    let mut seen = 0;
    for dialect in checkrein_hosts::dialects() {
        let Ok(files) = fs::read_dir(corpus.join(dialect.name())) else { continue };
        for file in files {
            let path = file.unwrap().path();
            let bytes = fs::read(&path).unwrap();
            // For hosts whose payload does not name its event.
            let event = path.file_stem().unwrap().to_str().unwrap().split('-').next().unwrap().parse().ok();
            let payload =
                dialect.decode(bytes.clone(), event).unwrap_or_else(|e| panic!("{}: {e}", path.display()));
            assert_eq!(payload.raw, bytes);

            // No field of the host is lost on the way to a hook.
            let original = json::parse_object(&bytes).unwrap();
            let shown = json::parse_object(&Flat(&payload).to_bytes().unwrap()).unwrap();
            for (key, value) in &original {
                assert_eq!(shown.get(key), Some(value), "{}: {key}", path.display());
            }

            let (outcome, reply) = checkrein_hosts::answer(dialect, Dispatcher::new().dispatch(payload));
            assert!(outcome.is_neutral());
            assert_eq!((reply.stdout.as_slice(), reply.exit), (&b"{}\n"[..], 0), "{}", path.display());
            seen += 1;
        }
    }
    assert!(seen >= 70, "only {seen} payloads were found");
}
