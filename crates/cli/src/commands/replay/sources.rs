//! The files in which agents keep their sessions.

use anyhow::bail;
use checkrein::SmallSort as _;
use checkrein::variable;
use checkrein_hosts::{
    ALL, Host,
    transcript::{Form, Transcripts},
};
use std::{
    fs,
    path::{Path, PathBuf},
    time::SystemTime,
};

/// The depth to which directories are searched.
const DEPTH: usize = 8;

/// A file with a session.
#[derive(Clone, Debug)]
pub(super) struct Source {
    pub(super) host: &'static Host,
    pub(super) file: PathBuf,
}

/// Finds the sessions of every agent, or of one, that were written since then. With `path`, looks there instead.
pub(super) fn find(
    agent: Option<&str>,
    path: Option<&Path>,
    since: SystemTime,
) -> anyhow::Result<Vec<Source>> {
    let wanted = |host: &&&Host| agent.is_none_or(|agent| agent == host.name());
    let known = ALL.iter().filter(wanted).filter_map(|host| Some((*host, host.transcripts?)));
    let known: Vec<(&Host, &Transcripts)> = known.collect();
    let mut found = Vec::new();
    if let Some(path) = path {
        if !path.exists() {
            bail!("`{}` does not exist", path.display());
        }
        for (host, transcripts) in &known {
            // The name of a single file says little: its agent has to be named, or the first that knows its name takes it.
            if path.is_file() {
                let whole = path.to_string_lossy();
                if agent.is_some() || (transcripts.is_record)(&whole) {
                    found.push(Source { host, file: path.to_owned() });
                    break;
                }
            } else {
                below(path, host, transcripts, since, DEPTH, &mut found);
            }
        }
    } else {
        for (host, transcripts) in &known {
            let Some(root) = root(transcripts) else { continue };
            for directory in transcripts.directories {
                below(&root.join(directory), host, transcripts, since, DEPTH, &mut found);
            }
        }
    }
    found.small_sort_by(|a, b| a.file.cmp(&b.file));
    found.dedup_by(|a, b| a.file == b.file);
    Ok(found)
}

fn root(transcripts: &Transcripts) -> Option<PathBuf> {
    let named = transcripts.variable.and_then(variable).filter(|value| !value.is_empty());
    named.map(PathBuf::from).or_else(|| Some(PathBuf::from(variable("HOME")?).join(transcripts.home)))
}

fn below(
    directory: &Path,
    host: &'static Host,
    transcripts: &Transcripts,
    since: SystemTime,
    depth: usize,
    found: &mut Vec<Source>,
) {
    // A directory that cannot be read has nothing to replay, like one that is not there.
    let Ok(entries) = fs::read_dir(directory) else { return };
    for entry in entries.flatten() {
        // Links are not followed: they could lead anywhere, and around in a circle.
        let Ok(kind) = entry.file_type() else { continue };
        let path = entry.path();
        if kind.is_dir() && depth > 0 {
            below(&path, host, transcripts, since, depth - 1, found);
        } else if kind.is_file()
            && (transcripts.is_record)(&path.to_string_lossy())
            && changed_since(&path, transcripts.form, since)
        {
            found.push(Source { host, file: path });
        }
    }
}

/// Returns whether a file was written since then. The newest changes of a database are in the log next to it.
fn changed_since(file: &Path, form: Form, since: SystemTime) -> bool {
    let changed = |path: &Path| fs::metadata(path).and_then(|metadata| metadata.modified());
    let mut log = file.as_os_str().to_owned();
    log.push("-wal");
    changed(file).map_or(true, |changed| changed >= since)
        || matches!(form, Form::Database(_)) && changed(Path::new(&log)).is_ok_and(|changed| changed >= since)
}
