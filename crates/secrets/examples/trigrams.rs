//! Trains the model of rarity: counts which three characters follow each other in the words of source and prose.
//!
//! `cargo xtask trigrams` starts it with the directories of unpacked packages. A package counts only if its manifest names a
//! permissive licence. The result is the same for the same files, in whatever order they are read.

use checkrein_secrets::rarity::{EDGE, SIZE, SYMBOLS, UNIT, position, symbol};
use std::{
    env, fs, io,
    path::{Path, PathBuf},
    process::ExitCode,
};

/// The files that count.
const TEXTS: &[&str] =
    &["rs", "md", "toml", "py", "js", "ts", "c", "h", "json", "yml", "yaml", "html", "sh", "txt"];
/// More of one file adds nothing.
const MOST: usize = 200_000;
/// A longer word is data.
const LONGEST: usize = 60;

fn main() -> ExitCode {
    let arguments: Vec<PathBuf> = env::args_os().skip(1).map(PathBuf::from).collect();
    let Some((target, sources)) = arguments.split_first() else {
        eprintln!("usage: trigrams TARGET DIRECTORY...");
        return ExitCode::FAILURE;
    };
    let mut counts = vec![0_u32; SIZE];
    let (mut packages, mut files) = (0_u32, 0_u32);
    for package in sources.iter().flat_map(|source| children(source).unwrap_or_default()) {
        if !is_permissive(&package) {
            continue;
        }
        packages += 1;
        files += count_below(&package, &mut counts).unwrap_or(0);
    }
    if files == 0 {
        eprintln!("no source of a package with a permissive licence");
        return ExitCode::FAILURE;
    }
    eprintln!("{files} files of {packages} packages");
    match fs::write(target, costs(&counts)) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("cannot write {}: {error}", target.display());
            ExitCode::FAILURE
        }
    }
}

fn children(directory: &Path) -> io::Result<Vec<PathBuf>> {
    let mut children: Vec<PathBuf> =
        fs::read_dir(directory)?.filter_map(Result::ok).map(|entry| entry.path()).collect();
    children.sort();
    Ok(children)
}

fn is_permissive(package: &Path) -> bool {
    let manifest = fs::read_to_string(package.join("Cargo.toml")).unwrap_or_default();
    let licence = manifest.lines().find_map(|line| line.strip_prefix("license = "));
    licence.is_some_and(|licence| licence.contains("MIT") || licence.contains("Apache-2.0"))
}

fn count_below(path: &Path, counts: &mut [u32]) -> io::Result<u32> {
    if path.is_dir() {
        return children(path)?.iter().map(|child| count_below(child, counts)).sum();
    }
    let is_text = path.extension().is_some_and(|extension| TEXTS.iter().any(|known| extension == *known));
    if !is_text || path.is_symlink() {
        return Ok(0);
    }
    let text = fs::read(path)?;
    let text = text.get(..MOST).unwrap_or(&text);
    text.split(|byte| !is_word(*byte)).for_each(|word| count(word, counts));
    Ok(1)
}

const fn is_word(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-' | b'.' | b'/' | b':' | b'+' | b'=' | b'\\')
}

fn count(word: &[u8], counts: &mut [u32]) {
    let digits = word.iter().filter(|byte| byte.is_ascii_digit()).count();
    // Hashes and tables of numbers would teach the model that they are words.
    if word.len() < 3 || word.len() > LONGEST || (word.len() > 12 && digits * 4 > word.len()) {
        return;
    }
    let (mut first, mut second) = (EDGE, EDGE);
    for byte in word {
        let third = symbol(*byte);
        if let Some(count) = counts.get_mut(position(first, second, third)) {
            *count = count.saturating_add(1);
        }
        (first, second) = (second, third);
    }
}

/// The cost of each symbol after the two before it, in units.
fn costs(counts: &[u32]) -> Vec<u8> {
    counts
        .chunks(SYMBOLS)
        .flat_map(|row| {
            let total: f64 = row.iter().map(|count| f64::from(*count) + 0.3).sum();
            row.iter().map(move |count| {
                let bits = -((f64::from(*count) + 0.3) / total).log2();
                (bits / f64::from(UNIT)).round().clamp(0.0, 255.0) as u8
            })
        })
        .collect()
}
