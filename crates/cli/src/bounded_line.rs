//! Reads lines up to a maximum length, so that a hostile one cannot use up the memory.

use std::io::{self, BufRead, Read as _};

/// A line of the input.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum BoundedLine {
    /// There are no more lines.
    End,
    /// The line, with its line break if it has one.
    Whole(Vec<u8>),
    /// The line is too long and was skipped.
    TooLong,
}

/// Reads the next line, of at most `most` bytes.
pub(crate) fn next(input: &mut (impl BufRead + ?Sized), most: u64) -> io::Result<BoundedLine> {
    let mut line = Vec::new();
    let length = input.take(most).read_until(b'\n', &mut line)?;
    if length == 0 {
        return Ok(BoundedLine::End);
    }
    if length as u64 == most && !line.ends_with(b"\n") {
        input.skip_until(b'\n')?;
        return Ok(BoundedLine::TooLong);
    }
    Ok(BoundedLine::Whole(line))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_lines_are_skipped_and_the_next_ones_are_read() {
        let mut input = io::Cursor::new("abc\nabcd\nabcdefgh\n\nxy");
        let mut lines = Vec::new();
        loop {
            match next(&mut input, 5).unwrap() {
                BoundedLine::End => break,
                line => lines.push(line),
            }
        }
        let whole = |text: &str| BoundedLine::Whole(text.into());
        assert_eq!(lines, [whole("abc\n"), whole("abcd\n"), BoundedLine::TooLong, whole("\n"), whole("xy")]);
    }
}
