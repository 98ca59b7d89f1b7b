//! The store with real files: what is destroyed comes back as it was.

#![allow(clippy::unwrap_used, clippy::indexing_slicing, reason = "a test that cannot go on fails")]

use checkrein_undo::{Choice, Head, Limits, NotKept, Plan, Restored, Status, Store, Take};
use std::{
    collections::BTreeMap,
    ffi::OsStr,
    fs,
    os::unix::{
        ffi::OsStrExt,
        fs::{MetadataExt, PermissionsExt, symlink},
    },
    path::{Path, PathBuf},
    time::{Duration, SystemTime},
};
use tempfile::TempDir;

struct Place {
    directory: TempDir,
    store: Store,
}

impl Place {
    fn new() -> Self {
        Self::with(Limits::default())
    }

    fn with(limits: Limits) -> Self {
        let directory = TempDir::new().unwrap();
        let store =
            Store::new(directory.path().canonicalize().unwrap().join("state/undo")).with_limits(limits);
        fs::create_dir(directory.path().join("p")).unwrap();
        Self { directory, store }
    }

    fn path(&self, name: &str) -> PathBuf {
        self.directory.path().canonicalize().unwrap().join("p").join(name)
    }

    fn write(&self, name: &str, bytes: impl AsRef<[u8]>) -> PathBuf {
        let path = self.path(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(&path, bytes).unwrap();
        path
    }

    fn keep(&self, paths: &[&Path]) -> Result<String, NotKept> {
        let mut keeping = self.store.begin();
        for path in paths {
            keeping.path(path, &|_, _| Take::Keep)?;
        }
        Ok(keeping.finish(&Head { summary: "a call".into(), ..Head::default() })?.unwrap().id)
    }

    fn restore(&self, id: &str, force: bool) -> Restored {
        let record = self.store.open(id).unwrap().unwrap();
        let plan = Plan::of(&record).unwrap();
        plan.restore(&self.store, &Head::default(), &Choice { force, refuses: &|_| None }).unwrap()
    }

    fn leftovers(&self) -> Vec<String> {
        let found = fs::read_dir(self.store.directory()).into_iter().flatten();
        let names = found.map(|found| found.unwrap().file_name().into_string().unwrap());
        names.filter(|name| name.starts_with("unfinished")).collect()
    }
}

/// Everything about the files below a path that restoring promises.
fn picture(top: &Path) -> BTreeMap<PathBuf, String> {
    let mut found = BTreeMap::new();
    let mut next = vec![top.to_owned()];
    while let Some(path) = next.pop() {
        let Ok(metadata) = path.symlink_metadata() else { continue };
        let content = if metadata.is_symlink() {
            format!("{:?}", fs::read_link(&path).unwrap())
        } else if metadata.is_dir() {
            next.extend(fs::read_dir(&path).unwrap().map(|found| found.unwrap().path()));
            String::new()
        } else {
            format!("{:?}", fs::read(&path).unwrap())
        };
        let facts = (metadata.mode(), metadata.mtime(), metadata.mtime_nsec(), content);
        found.insert(path, format!("{facts:?}"));
    }
    found
}

fn age(path: &Path, seconds: u64) {
    let then = SystemTime::UNIX_EPOCH + Duration::from_secs(seconds) + Duration::from_nanos(123_456_789);
    fs::File::open(path).unwrap().set_modified(then).unwrap();
}

#[test]
fn a_tree_with_everything_in_it_comes_back() {
    let place = Place::new();
    place.write("lib/a.txt", "one");
    place.write("lib/empty", "");
    place.write("lib/deep/er/large.bin", vec![7_u8; 300_000]);
    place.write("lib/run.sh", "#!/bin/sh\n");
    fs::set_permissions(place.path("lib/run.sh"), fs::Permissions::from_mode(0o750)).unwrap();
    fs::set_permissions(place.path("lib/a.txt"), fs::Permissions::from_mode(0o400)).unwrap();
    fs::create_dir(place.path("lib/hollow")).unwrap();
    symlink("../elsewhere", place.path("lib/link")).unwrap();
    symlink("/nowhere/at/all", place.path("lib/dangling")).unwrap();
    let odd = place.path("lib").join(OsStr::from_bytes(b"odd \xff\n'\"name"));
    fs::write(&odd, "odd").unwrap();
    for (number, name) in
        ["lib/a.txt", "lib/deep/er/large.bin", "lib/deep/er", "lib/hollow", "lib"].iter().enumerate()
    {
        age(&place.path(name), 1_000_000_000 + number as u64);
    }
    let before = picture(&place.path("lib"));
    assert_eq!(before.len(), 11);
    let id = place.keep(&[&place.path("lib")]).unwrap();
    fs::remove_dir_all(place.path("lib")).unwrap();
    let restored = place.restore(&id, false);
    assert_eq!(
        (restored.restored.len(), restored.conflicts.len(), restored.skipped.len()),
        (7, 0, 0),
        "{restored:?}"
    );
    assert_eq!(picture(&place.path("lib")), before);
    assert_eq!(place.leftovers(), [""; 0]);
}

#[cfg(target_os = "linux")]
#[test]
fn a_pipe_comes_back_with_its_permissions() {
    use std::os::unix::fs::FileTypeExt;
    let place = Place::new();
    let path = place.path("pipe");
    let status = std::process::Command::new("mkfifo").args(["-m", "664"]).arg(&path).status().unwrap();
    assert!(status.success());
    let id = place.keep(&[&path]).unwrap();
    fs::remove_file(&path).unwrap();
    assert_eq!(place.restore(&id, false).restored.len(), 1);
    let metadata = path.symlink_metadata().unwrap();
    assert!(metadata.file_type().is_fifo() && metadata.mode() & 0o7777 == 0o664, "{:o}", metadata.mode());
}

#[test]
fn nothing_of_the_project_is_tied_to_the_store() {
    let place = Place::new();
    let (small, large) = (place.write("small", "x"), place.write("large", vec![1_u8; 200_000]));
    place.keep(&[&small, &large]).unwrap();
    assert_eq!((small.metadata().unwrap().nlink(), large.metadata().unwrap().nlink()), (1, 1));
}

#[test]
fn only_the_user_can_read_the_store() {
    let place = Place::new();
    let path = place.write("a", "x");
    fs::set_permissions(&path, fs::Permissions::from_mode(0o666)).unwrap();
    place.keep(&[&path]).unwrap();
    let mut next = vec![place.store.directory().to_owned()];
    while let Some(path) = next.pop() {
        let metadata = path.symlink_metadata().unwrap();
        assert_eq!(metadata.mode() & 0o077, 0, "{path:?}");
        if metadata.is_dir() {
            next.extend(fs::read_dir(&path).unwrap().map(|found| found.unwrap().path()));
        }
    }
}

#[test]
fn a_store_that_others_can_use_is_refused() {
    let place = Place::new();
    let path = place.write("a", "x");
    fs::create_dir_all(place.store.directory()).unwrap();
    fs::set_permissions(place.store.directory(), fs::Permissions::from_mode(0o755)).unwrap();
    assert!(matches!(place.keep(&[&path]), Err(NotKept::Io(_))));
}

#[test]
fn what_was_changed_since_is_a_conflict_and_what_the_call_left_is_replaced() {
    let place = Place::new();
    let paths = ["left", "edited", "gone", "same"].map(|name| place.write(name, format!("{name} before")));
    let id = place.keep(&paths.each_ref().map(PathBuf::as_path)).unwrap();
    let [left, edited, gone, same] = &paths;
    fs::write(left, "by the call").unwrap();
    fs::write(edited, "by the call").unwrap();
    fs::remove_file(gone).unwrap();
    place.store.open(&id).unwrap().unwrap().note_after().unwrap();
    fs::write(edited, "by the user").unwrap();
    let restored = place.restore(&id, false);
    assert_eq!(restored.restored, [left.clone(), gone.clone()]);
    assert_eq!(restored.conflicts.len(), 1);
    assert_eq!((&restored.conflicts[0].path, restored.conflicts[0].status), (edited, Status::Changed));
    assert_eq!(fs::read_to_string(left).unwrap(), "left before");
    assert_eq!(fs::read_to_string(edited).unwrap(), "by the user");
    assert_eq!(fs::read_to_string(same).unwrap(), "same before");
    // The user insists, and can take that back, too.
    let forced = place.restore(&id, true);
    assert_eq!(fs::read_to_string(edited).unwrap(), "edited before");
    place.restore(&forced.undo.unwrap().id, false);
    assert_eq!(fs::read_to_string(edited).unwrap(), "by the user");
}

#[test]
fn without_the_state_after_the_call_a_changed_file_is_a_conflict() {
    let place = Place::new();
    let path = place.write("a", "before");
    let id = place.keep(&[&path]).unwrap();
    fs::write(&path, "after").unwrap();
    assert_eq!(place.restore(&id, false).conflicts.len(), 1);
    assert_eq!(fs::read_to_string(&path).unwrap(), "after");
}

#[test]
fn restoring_can_be_undone() {
    let place = Place::new();
    place.write("lib/a", "a");
    place.write("lib/sub/b", "b");
    let id = place.keep(&[&place.path("lib")]).unwrap();
    fs::remove_dir_all(place.path("lib")).unwrap();
    let restored = place.restore(&id, false);
    assert!(place.path("lib/sub/b").exists());
    let again = place.restore(&restored.undo.unwrap().id, false);
    assert!(again.conflicts.is_empty(), "{again:?}");
    assert!(!place.path("lib").exists());
    // And that as well.
    place.restore(&again.undo.unwrap().id, false);
    assert_eq!(fs::read_to_string(place.path("lib/sub/b")).unwrap(), "b");
}

#[test]
fn undoing_an_undo_leaves_what_was_changed_or_added_since() {
    let place = Place::new();
    place.write("lib/a", "a");
    place.write("lib/b", "b");
    let id = place.keep(&[&place.path("lib")]).unwrap();
    fs::remove_dir_all(place.path("lib")).unwrap();
    let restored = place.restore(&id, false);
    place.write("lib/a", "work");
    place.write("lib/new", "work");
    let again = place.restore(&restored.undo.unwrap().id, false);
    assert!(!again.conflicts.is_empty());
    assert_eq!(fs::read_to_string(place.path("lib/a")).unwrap(), "work");
    assert_eq!(fs::read_to_string(place.path("lib/new")).unwrap(), "work");
    assert!(!place.path("lib/b").exists());
}

#[test]
fn no_link_is_followed_when_restoring() {
    let place = Place::new();
    let outside = place.path("outside");
    fs::create_dir(&outside).unwrap();
    place.write("lib/sub/a", "kept");
    let id = place.keep(&[&place.path("lib/sub/a")]).unwrap();
    fs::remove_dir_all(place.path("lib/sub")).unwrap();
    symlink(&outside, place.path("lib/sub")).unwrap();
    let restored = place.restore(&id, true);
    assert_eq!(restored.skipped.len(), 1, "{restored:?}");
    assert_eq!(fs::read_dir(&outside).unwrap().count(), 0);
    // A link in place of the file is replaced, and what it leads to stays.
    let (path, victim) = (place.write("b", "kept"), place.write("victim", "victim"));
    let id = place.keep(&[&path]).unwrap();
    fs::remove_file(&path).unwrap();
    symlink(&victim, &path).unwrap();
    assert_eq!(place.restore(&id, false).conflicts.len(), 1);
    place.restore(&id, true);
    assert_eq!(fs::read_to_string(&victim).unwrap(), "victim");
    assert_eq!(fs::read_to_string(&path).unwrap(), "kept");
}

#[test]
fn a_file_never_runs_with_the_rights_of_its_owner() {
    let place = Place::new();
    let path = place.write("tool", "x");
    fs::set_permissions(&path, fs::Permissions::from_mode(0o6755)).unwrap();
    let id = place.keep(&[&path]).unwrap();
    fs::remove_file(&path).unwrap();
    place.restore(&id, false);
    assert_eq!(path.metadata().unwrap().mode() & 0o7777, 0o755);
}

#[test]
fn a_directory_in_the_way_is_never_removed() {
    let place = Place::new();
    let path = place.write("a", "kept");
    let id = place.keep(&[&path]).unwrap();
    fs::remove_file(&path).unwrap();
    place.write("a/precious", "x");
    let restored = place.restore(&id, true);
    assert_eq!(restored.conflicts[0].status, Status::InTheWay);
    assert!(place.path("a/precious").exists());
}

#[test]
fn every_bound_leaves_nothing_behind() {
    let limits = Limits::default();
    for limits in [
        Limits { entries: 10, ..limits },
        Limits { bytes: 250_000, ..limits },
        Limits { store: 250_000, ..limits },
        Limits { time: Duration::ZERO, ..limits },
    ] {
        let place = Place::with(limits);
        for number in 0..40 {
            place.write(&format!("lib/{number}"), "x");
        }
        place.write("lib/large", vec![0_u8; 300_000]);
        assert!(place.keep(&[&place.path("lib")]).is_err(), "{limits:?}");
        assert_eq!(place.leftovers(), [""; 0]);
        assert_eq!(place.store.list(), []);
    }
}

#[test]
fn a_path_that_cannot_be_kept_leaves_the_others_whole() {
    let place = Place::new();
    for number in 0..50 {
        place.write(&format!("bad/{number:02}"), vec![number as u8; 30_000]);
        place.write(&format!("good/{number:02}"), format!("good {number}"));
    }
    place.write("bad/large", vec![9_u8; 100_000]);
    place.write("bad/zzz/refused", "x");
    place.write("good/large", vec![8_u8; 100_000]);
    let before = picture(&place.path("good"));
    let mut keeping = place.store.begin();
    let refuses = |path: &Path, _: bool| match path.ends_with("refused") {
        true => Take::Refuse("is refused"),
        false => Take::Keep,
    };
    keeping.path(&place.path("good/00"), &refuses).unwrap();
    assert!(matches!(keeping.path(&place.path("bad"), &refuses), Err(NotKept::Refused(..))));
    keeping.path(&place.path("good"), &refuses).unwrap();
    let summary = keeping.finish(&Head::default()).unwrap().unwrap();
    assert_eq!(summary.files, 51);
    fs::remove_dir_all(place.path("good")).unwrap();
    place.restore(&summary.id, false);
    assert_eq!(picture(&place.path("good")), before);
}

#[test]
fn nothing_is_created_for_what_is_not_there() {
    let place = Place::new();
    let mut keeping = place.store.begin();
    assert_eq!(keeping.path(&place.path("gone/deep"), &|_, _| Take::Keep).unwrap(), 0);
    assert!(keeping.finish(&Head::default()).unwrap().is_none());
    assert!(!place.store.directory().exists());
}

/// Makes a record older.
fn backdate(place: &Place, id: &str, seconds: u64) {
    for found in fs::read_dir(place.store.directory()).unwrap().flatten() {
        let name = found.file_name().into_string().unwrap();
        if name.starts_with(id) {
            let mut parts: Vec<String> = name.split('-').map(str::to_owned).collect();
            parts[1] = (parts[1].parse::<u64>().unwrap() - seconds * 1_000_000).to_string();
            fs::rename(found.path(), place.store.directory().join(parts.join("-"))).unwrap();
        }
    }
}

#[test]
fn room_is_made_from_the_oldest_that_no_answer_rests_on() {
    const HOUR: u64 = 3600;
    let place = Place::with(Limits { store: 500_000, ..Limits::default() });
    let path = place.write("a", vec![3_u8; 150_000]);
    let mut ids = Vec::new();
    for (age, relied_on) in [(30, true), (29, false), (28, false)] {
        let mut keeping = place.store.begin();
        keeping.single(&path).unwrap();
        let head = Head { relied_on, ..Head::default() };
        let id = keeping.finish(&head).unwrap().unwrap().id;
        backdate(&place, &id, age * HOUR);
        ids.push(id);
    }
    let left = || -> Vec<bool> { ids.iter().map(|id| place.store.open(id).unwrap().is_some()).collect() };
    place.keep(&[&path]).unwrap();
    assert_eq!(left(), [true, false, true]);
    place.keep(&[&path]).unwrap();
    assert_eq!(left(), [true, false, false]);
    // What is left is relied on, or younger than a day.
    assert!(matches!(place.keep(&[&path]), Err(NotKept::Full)));
    assert_eq!(place.leftovers(), [""; 0]);
    // Its days are over.
    backdate(&place, &ids[0], 15 * 24 * HOUR);
    place.keep(&[&path]).unwrap();
    assert_eq!(left(), [false, false, false]);
}

#[test]
fn a_record_can_be_forgotten_and_copied_elsewhere() {
    let place = Place::new();
    place.write("lib/a", "a");
    let id = place.keep(&[&place.path("lib")]).unwrap();
    let record = place.store.open(&id).unwrap().unwrap();
    let to = place.path("copy");
    let copied = record.copy_to(&to, Some(&place.path("")), &|_| None).unwrap();
    assert_eq!(copied.restored, [to.join("lib/a")]);
    assert!(record.copy_to(&to, None, &|_| None).is_err());
    assert!(place.store.forget(&id).unwrap());
    assert!(!place.store.forget(&id).unwrap());
    assert!(place.store.open(&id).unwrap().is_none());
    assert_eq!(place.leftovers(), [""; 0]);
}

/// All of them, or the file is not kept.
#[cfg(target_os = "linux")]
#[test]
fn extended_attributes_come_back() {
    let place = Place::new();
    let file = place.write("lib/a", "x");
    let set = |path: &Path, name: &str, value: &[u8]| {
        rustix::fs::setxattr(path, name, value, rustix::fs::XattrFlags::empty())
    };
    if set(&file, "user.one", b"\0\xff first").is_err() {
        eprintln!("skipped: this file system has no extended attributes");
        return;
    }
    set(&place.path("lib"), "user.of-the-directory", b"d").unwrap();
    // More names than fit into the usual space, as far as the file system has room for them.
    let many = (0..60).filter(|number| set(&file, &format!("user.{number:0>100}"), b"v").is_ok()).count();
    let id = place.keep(&[&place.path("lib")]).unwrap();
    fs::remove_dir_all(place.path("lib")).unwrap();
    place.restore(&id, false);
    let get = |path: &Path, name: &str| {
        let mut value = vec![0; 100];
        let length = rustix::fs::getxattr(path, name, value.as_mut_slice()).unwrap();
        value.truncate(length);
        value
    };
    assert_eq!(get(&file, "user.one"), b"\0\xff first");
    assert_eq!(get(&place.path("lib"), "user.of-the-directory"), b"d");
    for number in 0..many {
        assert_eq!(get(&file, &format!("user.{number:0>100}")), b"v");
    }
}

/// A file that a killed process left is replaced.
#[test]
fn what_a_killed_process_left_is_no_obstacle() {
    let place = Place::new();
    let path = place.write("a", "kept");
    let id = place.keep(&[&path]).unwrap();
    fs::remove_file(&path).unwrap();
    let victim = place.write("victim", "untouched");
    let record = place.store.open(&id).unwrap().unwrap();
    let mut hasher = std::hash::DefaultHasher::new();
    std::hash::Hash::hash(path.as_os_str().as_bytes(), &mut hasher);
    let digest = std::hash::Hasher::finish(&hasher);
    let unfinished = place.path(&format!(".checkrein-undo-{id}-{digest:016x}"));
    symlink(&victim, &unfinished).unwrap();
    assert_eq!(place.restore(&record.summary.id, false).restored, std::slice::from_ref(&path));
    assert_eq!(fs::read_to_string(&path).unwrap(), "kept");
    assert_eq!(fs::read_to_string(&victim).unwrap(), "untouched");
    let left = fs::read_dir(place.path(""))
        .unwrap()
        .filter(|found| found.as_ref().unwrap().file_name().to_string_lossy().starts_with(".checkrein"));
    assert_eq!(left.count(), 0);
    assert!(unfinished.symlink_metadata().is_err());
}

#[test]
fn holes_stay_holes() {
    let place = Place::new();
    let path = place.path("sparse");
    let file = fs::File::create(&path).unwrap();
    file.set_len(64 << 20).unwrap();
    std::os::unix::fs::FileExt::write_at(&file, b"in the middle", 32 << 20).unwrap();
    drop(file);
    let blocks = path.metadata().unwrap().blocks();
    assert!(blocks < 1000, "this file system has no holes");
    let id = place.keep(&[&path]).unwrap();
    let before = fs::read(&path).unwrap();
    fs::remove_file(&path).unwrap();
    place.restore(&id, false);
    assert!(fs::read(&path).unwrap() == before);
    assert!(path.metadata().unwrap().blocks() < 1000);
}

#[test]
fn a_file_that_is_written_while_it_is_copied_is_whole_or_not_kept() {
    use std::sync::atomic::{AtomicBool, Ordering};
    let place = Place::new();
    // Each version has one letter, so a mixture of two is visible.
    let (path, length) = (place.write("a", vec![b'a'; 50_000]), 50_000);
    let done = AtomicBool::new(false);
    std::thread::scope(|scope| {
        scope.spawn(|| {
            for number in (0_u8..26).cycle() {
                if done.load(Ordering::Relaxed) {
                    break;
                }
                fs::write(&path, vec![b'a' + number; length]).unwrap();
            }
        });
        let (mut kept, mut refused) = (0, 0);
        for _ in 0..300 {
            match place.keep(&[&path]) {
                Ok(id) => {
                    kept += 1;
                    let record = place.store.open(&id).unwrap().unwrap();
                    let mut bytes = Vec::new();
                    std::io::Read::read_to_end(&mut record.bytes(&record.entries[0]).unwrap(), &mut bytes)
                        .unwrap();
                    assert!(bytes.iter().all(|byte| *byte == bytes[0]), "two versions in one");
                    place.store.forget(&id).unwrap();
                }
                Err(NotKept::Changed) => refused += 1,
                Err(error) => panic!("{error}"),
            }
        }
        done.store(true, Ordering::Relaxed);
        assert_eq!(kept + refused, 300);
    });
}
