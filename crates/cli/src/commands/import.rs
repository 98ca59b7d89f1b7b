//! `checkrein import`: converts another tool's hooks to configuration. Hooks that cannot be converted are reported.

use crate::{
    args,
    exit::ExitStatus,
    term::{
        data,
        style::{self, harmless},
    },
};
use anyhow::{Context, bail};
use checkrein::import::{Import, Imported, Origin, Status};
use std::{
    fmt::Write as _,
    fs,
    io::{self, Write as _},
    path::Path,
};

pub(crate) fn run(arguments: &args::Import) -> anyhow::Result<ExitStatus> {
    let origin = arguments.from.as_deref().map(str::parse::<Origin>).transpose().context("`--from`")?;
    let import = match Import::load(&arguments.file, origin) {
        Ok(import) => import,
        Err(problems) => {
            say(&format!("{problems}\n"));
            if arguments.json {
                data!("{}", style::json(serde_json::json!({"error": problems.to_string(), "hint": null})));
            }
            return Ok(ExitStatus::UsageError);
        }
    };
    if let Some(path) = &arguments.output {
        create(path, import.toml())
            .with_context(|| format!("cannot write `{}`", harmless(&path.to_string_lossy())))?;
    }
    if arguments.json {
        tell(&format!("{}\n", import.as_json()))?;
    } else if arguments.output.is_none() {
        tell(import.toml())?;
    }
    say(&summary(&import));
    if let (Some(output), true) = (&arguments.output, import.count(Status::Refused) < import.hooks().count())
    {
        let (file, output) =
            (harmless(&arguments.file.to_string_lossy()), harmless(&output.to_string_lossy()));
        say(&format!(
            "Next: remove the imported hooks from {file}. Until then they run twice where {output} is active; `checkrein doctor` \
             lists them.\n"
        ));
    }
    let refused = import.count(Status::Refused) > 0;
    Ok(ExitStatus::success_if(!refused))
}

fn tell(text: &str) -> anyhow::Result<()> {
    io::stdout().write_all(text.as_bytes()).context("cannot write to stdout")
}

fn say(text: &str) {
    // stderr may be closed, and there is no other place to report to.
    let _ = io::stderr().write_all(text.as_bytes());
}

fn summary(import: &Import) -> String {
    let hooks = |count: usize| if count == 1 { "1 hook".to_owned() } else { format!("{count} hooks") };
    let changed = import.count(Status::Changed);
    let imported = import.count(Status::Imported) + changed;
    let refused = import.count(Status::Refused);
    let mut text = format!("{}: {} imported", import.origin().title(), hooks(imported));
    if changed > 0 {
        let _ = write!(text, " ({changed} with a change in meaning)");
    }
    if refused > 0 {
        let _ = write!(text, ", {refused} refused");
    }
    text.push('\n');
    for remark in import.remarks() {
        let _ = writeln!(text, "note: {}", harmless(remark));
    }
    for hook in import.hooks() {
        let mut row = |word: &str, what: &str| {
            let place = harmless(hook.place());
            let _ = writeln!(text, "{word}: {place}, line {}: {}", hook.line(), harmless(what));
        };
        match hook.status() {
            Status::Imported => {}
            Status::Changed => hook.changes().for_each(|change| row("changed", change)),
            Status::Refused => Imported::reasons(hook).iter().for_each(|reason| row("refused", reason)),
        }
    }
    text
}

/// Writes a new file atomically, and never over an existing one.
fn create(path: &Path, text: &str) -> anyhow::Result<()> {
    const THERE: &str = "the file already exists";
    if path.symlink_metadata().is_ok() {
        bail!(THERE);
    }
    // The first place to write to is often a directory that is not there yet.
    if let Some(directory) = path.parent().filter(|directory| !directory.as_os_str().is_empty()) {
        fs::create_dir_all(directory)
            .with_context(|| format!("cannot create the directory `{}`", directory.display()))?;
    }
    let name = path.file_name().context("not a file name")?;
    let mut unfinished = std::ffi::OsString::from(".");
    unfinished.push(name);
    unfinished.push(format!(".{}.tmp", std::process::id()));
    let unfinished = path.with_file_name(unfinished);
    let written = write_new(&unfinished, text).and_then(|()| {
        // Unlike a rename, a link does not replace a file that was created in the meantime.
        fs::hard_link(&unfinished, path)
    });
    // The temporary file is no longer needed, or it is incomplete.
    let _ = fs::remove_file(&unfinished);
    match written {
        Err(error) if error.kind() == io::ErrorKind::AlreadyExists => bail!(THERE),
        other => Ok(other?),
    }
}

fn write_new(path: &Path, text: &str) -> io::Result<()> {
    let mut file = fs::File::create_new(path)?;
    file.write_all(text.as_bytes())?;
    file.sync_all()
}
