//! Many writers at once: threads in random interleavings, and real processes.

use super::{ids, line, small, whole};
use crate::{Retention, Store};
use checkrein_core::EventId;
use proptest::prelude::*;
use std::{
    io::Read,
    process::{Command, Stdio},
    sync::Barrier,
    time::Duration,
};

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]

    /// Whatever the order, every line is there once, and the chain is whole: also while segments are closed all the time.
    #[test]
    fn writers_in_any_order_lose_nothing(
        pauses in prop::collection::vec(prop::collection::vec(0_u64..400, 1..6), 2..7),
        segment in 600_u64..4_000,
    ) {
        let directory = tempfile::tempdir().unwrap();
        let store = small(directory.path()).with_retention(Retention { segment, ..Retention::default() });
        let barrier = Barrier::new(pauses.len());
        let mut told: Vec<EventId> = std::thread::scope(|scope| {
            let writers: Vec<_> = pauses.iter().map(|pauses| scope.spawn(|| {
                barrier.wait();
                pauses.iter().map(|pause| {
                    std::thread::sleep(Duration::from_micros(*pause));
                    let line = line();
                    store.append(&line).unwrap();
                    line.id()
                }).collect::<Vec<_>>()
            })).collect();
            writers.into_iter().flat_map(|writer| writer.join().unwrap()).collect()
        });
        let last = line();
        store.append(&last).unwrap();
        told.push(last.id());
        let mut kept = ids(&store);
        kept.sort_unstable();
        told.sort_unstable();
        prop_assert_eq!(kept, told);
        whole(&store);
    }
}

const CHILD: &str = "CHECKREIN_TRAIL_TEST_CHILD";

/// The process of the test below: it appends two lines and prints their ids.
#[test]
fn child() {
    let Some(directory) = std::env::var_os(CHILD) else { return };
    let store = Store::new(directory).with_retention(Retention { segment: 100_000, ..Retention::default() });
    for _ in 0..2 {
        let line = line();
        store.append(&line).unwrap();
        println!("kept {}", line.id());
    }
}

/// A thousand processes, forty at a time.
#[test]
fn a_thousand_processes_lose_nothing() {
    const ALL: usize = 1_000;
    const AT_ONCE: usize = 40;
    let directory = tempfile::tempdir().unwrap();
    let trail = directory.path().join("trail");
    let mut told: Vec<EventId> = Vec::new();
    for _ in 0..ALL / AT_ONCE {
        let children: Vec<_> = (0..AT_ONCE)
            .map(|_| {
                Command::new(std::env::current_exe().unwrap())
                    .args(["--exact", "tests::processes::child", "--nocapture", "--test-threads=1"])
                    .env(CHILD, &trail)
                    .stdout(Stdio::piped())
                    .spawn()
                    .unwrap()
            })
            .collect();
        for mut child in children {
            let mut text = String::new();
            child.stdout.take().unwrap().read_to_string(&mut text).unwrap();
            assert!(child.wait().unwrap().success());
            let ids = text
                .lines()
                .filter_map(|line| line.split_once("kept "))
                .map(|(_, id)| id.parse::<EventId>().unwrap());
            told.extend(ids);
        }
    }
    assert_eq!(told.len(), 2 * ALL);
    let store = Store::new(&trail);
    let last = line();
    store.append(&last).unwrap();
    told.push(last.id());
    let mut kept = ids(&store);
    kept.sort_unstable();
    told.sort_unstable();
    assert_eq!(kept, told);
    let report = whole(&store);
    assert!(report.segments > 5);
}
