//! Verification finds every change.

use super::{line, small, whole};
use crate::{BreakKind, Store, verify};
use std::{fs, path::PathBuf};

fn filled() -> (tempfile::TempDir, Store) {
    let directory = tempfile::tempdir().unwrap();
    let store = small(directory.path());
    for _ in 0..7 {
        store.append(&line()).unwrap();
    }
    (directory, store)
}

fn files(store: &Store) -> Vec<PathBuf> {
    let mut files: Vec<PathBuf> = fs::read_dir(store.directory())
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .filter(|path| {
            path.extension().is_some_and(|extension| extension == "jsonl") && !path.ends_with("heads.jsonl")
        })
        .collect();
    files.sort();
    files
}

fn broken(store: &Store) -> Option<BreakKind> {
    verify(store.directory()).unwrap().broken.map(|broken| broken.kind)
}

fn write(path: &PathBuf, bytes: &[u8]) {
    // A closed segment is read-only; an attacker makes it writable.
    fs::remove_file(path).unwrap();
    fs::write(path, bytes).unwrap();
}

#[test]
fn each_changed_removed_or_added_byte_is_found() {
    let (_directory, store) = filled();
    let files = files(&store);
    assert!(files.len() >= 3);
    // The current segment, the first and one in between.
    for path in [&files[0], &files[1], files.last().unwrap()] {
        let original = fs::read(path).unwrap();
        for at in 0..original.len() {
            let mut changed = original.clone();
            changed[at] ^= 1;
            write(path, &changed);
            assert!(broken(&store).is_some(), "changed byte {at} of {path:?}");
            let mut removed = original.clone();
            removed.remove(at);
            write(path, &removed);
            assert!(broken(&store).is_some(), "removed byte {at} of {path:?}");
            let mut added = original.clone();
            added.insert(at, b' ');
            write(path, &added);
            assert!(broken(&store).is_some(), "added byte {at} of {path:?}");
        }
        let mut added = original.clone();
        added.push(b'\n');
        write(path, &added);
        assert!(broken(&store).is_some());
        write(path, &original);
    }
    whole(&store);
}

#[test]
fn removed_reordered_and_repeated_lines_are_found() {
    let directory = tempfile::tempdir().unwrap();
    let store = Store::new(directory.path().join("trail"));
    for _ in 0..6 {
        store.append(&line()).unwrap();
    }
    let path = store.current();
    let original = fs::read(&path).unwrap();
    let lines: Vec<&[u8]> = original.split_inclusive(|byte| *byte == b'\n').collect();
    for at in 0..lines.len() - 1 {
        let mut removed = lines.clone();
        removed.remove(at);
        write(&path, &removed.concat());
        assert_eq!(broken(&store), Some(BreakKind::Removed), "{at}");
        let mut reordered = lines.clone();
        reordered.swap(at, at + 1);
        write(&path, &reordered.concat());
        assert!(broken(&store).is_some(), "{at}");
        let mut repeated = lines.clone();
        repeated.insert(at, lines[at]);
        write(&path, &repeated.concat());
        assert_eq!(broken(&store), Some(BreakKind::Inserted), "{at}");
    }
    // What a chain cannot notice by itself: SECURITY.md says so.
    write(&path, &lines[..5].concat());
    whole(&store);
}

#[test]
fn a_missing_segment_is_found() {
    for missing in 0..2 {
        let (_directory, store) = filled();
        fs::remove_file(&files(&store)[missing + 1]).unwrap();
        assert_eq!(broken(&store), Some(BreakKind::Removed), "{missing}");
    }
    let (_directory, store) = filled();
    let first = files(&store).into_iter().find(|path| path.ends_with("segment-00000001.jsonl")).unwrap();
    fs::remove_file(first).unwrap();
    assert_eq!(broken(&store), Some(BreakKind::Removed));
}

/// The end of a closed segment is known from the list of heads, also if everything after it is gone.
#[test]
fn a_cut_closed_segment_is_found_by_its_head() {
    let (_directory, store) = filled();
    let files = files(&store);
    let last = files.iter().rfind(|path| !path.ends_with("current.jsonl")).unwrap();
    fs::remove_file(store.current()).unwrap();
    whole(&store);
    let text = fs::read(last).unwrap();
    let end = text[..text.len() - 1].iter().rposition(|byte| *byte == b'\n').map_or(0, |at| at + 1);
    write(last, &text[..end]);
    assert_eq!(broken(&store), Some(BreakKind::Removed));
}

#[test]
fn hostile_lines_do_not_stop_a_reader() {
    let directory = tempfile::tempdir().unwrap();
    let store = Store::new(directory.path().join("trail"));
    store.append(&line()).unwrap();
    let zeros = "0".repeat(64);
    let most = format!("{{\"n\":1,\"n\":{},\"prev\":\"{zeros}\",\"hash\":\"{zeros}\"}}\n", u64::MAX);
    for text in ["\n", "{}\n", "\u{0}\n", "[[[[\n", "{\"id\":\"x\"}\n", most.as_str(), "é"] {
        let original = fs::read(store.current()).unwrap();
        fs::write(store.current(), [original.as_slice(), text.as_bytes()].concat()).unwrap();
        assert!(broken(&store).is_some(), "{text}");
        let readable = crate::Reader::open(store.directory()).unwrap();
        assert_eq!(readable.filter(|stored| stored.as_ref().unwrap().record.is_some()).count(), 1);
        let readable = crate::Newest::open(store.directory()).unwrap();
        assert_eq!(readable.filter(|stored| stored.as_ref().unwrap().record.is_some()).count(), 1);
        fs::write(store.current(), original).unwrap();
    }
}
