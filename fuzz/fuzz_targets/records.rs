//! Records of agents are hostile input: no reader may panic, and none may find more calls than the bytes have room for.
#![no_main]

use checkrein_hosts::{
    ALL,
    sqlite::{Database, Row},
    transcript::{Form, RecordedCall, Transcripts},
};
use libfuzzer_sys::fuzz_target;
use serde_json::{Map, Value};

/// The shortest record of a call.
const SHORTEST: usize = 8;

fuzz_target!(|input: (u8, Vec<u8>, Option<Vec<u8>>)| {
    let (choice, bytes, log) = input;
    let known: Vec<&Transcripts> = ALL.iter().filter_map(|host| host.transcripts).collect();
    let transcripts = known[usize::from(choice) % known.len()];
    let mut reader = (transcripts.reader)();
    let mut calls: Vec<RecordedCall> = Vec::new();
    match transcripts.form {
        Form::Lines => {
            for (line, record) in bytes.split(|byte| *byte == b'\n').enumerate() {
                if let Ok(record) = serde_json::from_slice::<Map<String, Value>>(record) {
                    reader.record(&record, line as u64, &mut calls);
                }
            }
        }
        Form::Document => {
            if let Ok(record) = serde_json::from_slice::<Map<String, Value>>(&bytes) {
                reader.record(&record, 1, &mut calls);
            }
        }
        Form::Database(tables) => {
            let log = log.as_ref().map(|log| log as &dyn checkrein_hosts::sqlite::Pages);
            let mut see = |table: &'static str, row: Row| {
                let mut record = Map::new();
                record.insert("table".to_owned(), table.into());
                record.insert("row".to_owned(), Value::Object(row.values));
                reader.record(&record, row.id.unsigned_abs(), &mut calls);
                Ok(())
            };
            let _ = Database::open(&bytes, log).and_then(|database| database.rows(tables, 1 << 20, &mut see));
        }
    }
    reader.finish(&mut calls);
    let most = bytes.len() + log.map_or(0, |log| log.len());
    assert!(calls.len() <= most / SHORTEST);
});
