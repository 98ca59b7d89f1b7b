//! `checkrein cat`: prints files without the secrets in them.

use crate::{args::Cat, exit::ExitStatus, policy, term::err, term::style};
use anyhow::{Context, bail};
use checkrein::secrets::Redactor;
use std::{
    fs,
    io::{Read, Write, stdin, stdout},
    path::Path,
};

/// The largest file that is read into memory.
const MOST: u64 = 256 * 1024 * 1024;

pub(crate) fn run(arguments: &Cat) -> anyhow::Result<ExitStatus> {
    let places = policy::places(None, &checkrein::Session::default());
    let state = places.state.as_deref();
    let redactor = checkrein::secrets::redactor(state)
        .context("cannot make the key for tags: /dev/urandom cannot be read")?;
    let mut is_whole = true;
    for file in &arguments.files {
        // Like the system's program: the other files are printed all the same.
        if let Err(error) = print(&redactor, file, state) {
            is_whole = false;
            err!("checkrein: {}", style::one_line(&format!("{error:#}")));
        }
    }
    Ok(ExitStatus::success_if(is_whole))
}

fn print(redactor: &Redactor, file: &Path, state: Option<&Path>) -> anyhow::Result<()> {
    let shown = file.display();
    let bytes = match file.to_str() {
        Some("-") => {
            let mut bytes = Vec::new();
            stdin().take(MOST).read_to_end(&mut bytes).context("cannot read standard input")?;
            bytes
        }
        _ => {
            let real = fs::canonicalize(file).with_context(|| format!("cannot read `{shown}`"))?;
            if state
                .and_then(|state| fs::canonicalize(state).ok())
                .is_some_and(|state| real.starts_with(state))
            {
                bail!("`{shown}` is private to Checkrein");
            }
            if real.metadata().is_ok_and(|metadata| metadata.len() > MOST) {
                bail!("`{shown}` is larger than {} MB", MOST / 1024 / 1024);
            }
            fs::read(&real).with_context(|| format!("cannot read `{shown}`"))?
        }
    };
    // A binary file may contain anything, and secrets in it cannot be recognised.
    let Ok(text) = String::from_utf8(bytes) else {
        bail!("`{shown}` is not text; binary files are not printed")
    };
    if text.contains('\0') {
        bail!("`{shown}` is not text; binary files are not printed");
    }
    // The form is known by the name of the file, also behind a link.
    let path = std::path::absolute(file).unwrap_or_else(|_| file.to_owned());
    let named = path.to_string_lossy();
    let real =
        fs::canonicalize(file).map_or_else(|_| named.to_string(), |real| real.to_string_lossy().into_owned());
    let path = if Redactor::has_form(&named) { &*named } else { &real };
    let (redacted, _) = redactor.file(path, &text);
    stdout().write_all(redacted.as_bytes()).context("cannot write to stdout")
}
