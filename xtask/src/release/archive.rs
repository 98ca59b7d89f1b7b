//! Archives that are the same for the same content: no time, no user, files in the order of their names.

use crate::{Result, cannot};
use flate2::{Compression, GzBuilder};
use std::{collections::BTreeMap, fs, io, path::Path};

/// The files of an archive by their path in it, each with whether it can be run.
#[derive(Debug, Default)]
pub(crate) struct Files(BTreeMap<String, (Vec<u8>, bool)>);

impl Files {
    /// Adds a file.
    pub(crate) fn add(&mut self, path: impl Into<String>, content: impl Into<Vec<u8>>) {
        self.0.insert(path.into(), (content.into(), false));
    }

    /// Adds a file that can be run.
    pub(crate) fn add_program(&mut self, path: impl Into<String>, content: impl Into<Vec<u8>>) {
        self.0.insert(path.into(), (content.into(), true));
    }

    /// Adds the files of a directory, below `path`.
    pub(crate) fn add_directory(&mut self, path: &str, directory: &Path) -> Result<()> {
        let unreadable = |error| cannot("read", &directory.to_string_lossy(), &error);
        for entry in fs::read_dir(directory).map_err(unreadable)? {
            let entry = entry.map_err(unreadable)?;
            let content = fs::read(entry.path()).map_err(unreadable)?;
            self.add(format!("{path}/{}", entry.file_name().to_string_lossy()), content);
        }
        Ok(())
    }

    /// Writes a compressed archive in which everything is below the directory `top`.
    pub(crate) fn write(&self, top: &str, archive: &Path) -> Result<()> {
        let bytes = self.pack(top).map_err(|error| cannot("pack", &archive.to_string_lossy(), &error))?;
        fs::write(archive, bytes).map_err(|error| cannot("write", &archive.to_string_lossy(), &error))
    }

    /// Returns the size of all files.
    pub(super) fn kibibytes(&self) -> usize {
        self.0.values().map(|(content, _)| content.len().div_ceil(1024)).sum()
    }

    /// Returns a compressed archive in which everything is below the directory `top`.
    pub(super) fn pack(&self, top: &str) -> io::Result<Vec<u8>> {
        let mut archive = tar::Builder::new(GzBuilder::new().mtime(0).write(Vec::new(), Compression::best()));
        for (path, (content, is_program)) in &self.0 {
            let mut header = tar::Header::new_gnu();
            header.set_size(content.len() as u64);
            header.set_mode(if *is_program { 0o755 } else { 0o644 });
            // 1980, the earliest time that every format has; npm warns about earlier ones.
            header.set_mtime(315_532_800);
            header.set_cksum();
            archive.append_data(&mut header, format!("{top}/{path}"), content.as_slice())?;
        }
        archive.into_inner()?.finish()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::Read;

    #[test]
    fn the_order_of_adding_does_not_matter_and_modes_are_kept() {
        let mut one = Files::default();
        one.add("b.txt", "two");
        one.add_program("bin/a", "one");
        let mut other = Files::default();
        other.add_program("bin/a", "one");
        other.add("b.txt", "two");
        let packed = one.pack("top").unwrap();
        assert_eq!(packed, other.pack("top").unwrap());
        let mut archive = tar::Archive::new(flate2::read::GzDecoder::new(packed.as_slice()));
        let mut found = Vec::new();
        for entry in archive.entries().unwrap() {
            let mut entry = entry.unwrap();
            let mut content = String::new();
            entry.read_to_string(&mut content).unwrap();
            let path = entry.path().unwrap().to_string_lossy().into_owned();
            found.push((path, entry.header().mode().unwrap(), content));
        }
        let expected = [("top/b.txt", 0o644, "two"), ("top/bin/a", 0o755, "one")]
            .map(|(path, mode, content)| (path.to_owned(), mode, content.to_owned()));
        assert_eq!(found, expected);
    }
}
