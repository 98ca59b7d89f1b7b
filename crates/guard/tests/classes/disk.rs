//! Files that are on the disk, and are all that a program is told.

use checkrein_core::Decision::{self, Abstain as Silent, Ask};
use checkrein_guard::{CallContext, FileKind, World, judge};

/// A machine with these files.
struct Machine(&'static [(&'static str, &'static str)]);

impl World for Machine {
    fn home(&self) -> Option<String> {
        Some("/home/dev".to_owned())
    }

    fn variable(&self, _: &str) -> Option<String> {
        None
    }

    fn entry(&self, path: &str) -> Option<FileKind> {
        self.0.iter().any(|(known, _)| *known == path).then_some(FileKind::File)
    }

    fn text(&self, path: &str) -> Option<String> {
        self.0.iter().find(|(known, _)| *known == path).map(|(_, text)| (*text).to_owned())
    }
}

const MACHINE: Machine = Machine(&[
    ("/home/dev/proj/drop.sql", "BEGIN;\nDROP TABLE orders;\nCOMMIT;\n"),
    ("/home/dev/proj/report.sql", "SELECT count(*) FROM orders;\n"),
    ("/home/dev/proj/wipe.js", "db.orders.drop()\n"),
    ("/home/dev/proj/wipe.lua", "return redis.call('FLUSHALL')\n"),
    ("/home/dev/proj/count.lua", "return redis.call('DBSIZE')\n"),
    ("/home/dev/proj/graph.cypher", "MATCH (n) DETACH DELETE n;\n"),
]);

#[test]
fn statements_of_a_file_are_read() {
    let cases: [(&str, Decision); 16] = [
        ("psql -f drop.sql shop", Ask),
        ("psql shop < drop.sql", Ask),
        ("mysql shop < ./drop.sql", Ask),
        ("sqlite3 app.db '.read drop.sql'", Ask),
        ("sudo -u postgres psql -f drop.sql", Ask),
        ("mongosh shop wipe.js", Ask),
        ("redis-cli --eval wipe.lua", Ask),
        ("cypher-shell -f graph.cypher", Ask),
        ("cypher-shell < graph.cypher", Ask),
        ("psql -f report.sql shop", Silent),
        ("psql shop < report.sql", Silent),
        ("redis-cli --eval count.lua", Silent),
        ("cat drop.sql", Silent),
        ("grep DROP < drop.sql", Silent),
        ("psql -f none.sql shop", Silent),
        ("docker run --rm postgres psql -f drop.sql", Silent),
    ];
    let project = Some("/home/dev/proj".to_owned());
    let place = CallContext { cwd: project.clone(), project, ..CallContext::default() };
    let wrong: Vec<String> = cases
        .iter()
        .filter_map(|(text, expect)| {
            let said = judge(text, &place, &MACHINE).decision;
            (said != *expect).then(|| format!("{expect}, but {said}: {text:?}"))
        })
        .collect();
    assert!(wrong.is_empty(), "{wrong:#?}");
}
