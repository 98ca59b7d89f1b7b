//! The format in which macOS stores the arguments and the environment of a process (`KERN_PROCARGS2`).
//!
//! It starts with the number of arguments and the path of the program, which zero bytes fill up. Then come the arguments and
//! the environment, each ended by a zero byte, until an empty one. The path is not an argument.

/// Returns the arguments, and the environment as `NAME=value`.
pub(super) fn read(bytes: &[u8]) -> (Vec<String>, Vec<String>) {
    let Some((count, rest)) = bytes.split_first_chunk() else { return Default::default() };
    let count = usize::try_from(i32::from_ne_bytes(*count)).unwrap_or_default();
    let path = rest.iter().take_while(|byte| **byte != 0).count();
    let rest = rest.get(path..).unwrap_or_default();
    let filler = rest.iter().take_while(|byte| **byte == 0).count();
    let rest = rest.get(filler..).unwrap_or_default();
    let mut words = rest.split(|byte| *byte == 0).map(|word| String::from_utf8_lossy(word).into_owned());
    // Not `with_capacity`: the number comes from another process.
    let arguments = words.by_ref().take(count).collect();
    (arguments, words.take_while(|variable| !variable.is_empty()).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn stored(count: i32, rest: &[u8]) -> (Vec<String>, Vec<String>) {
        read(&[&count.to_ne_bytes(), rest].concat())
    }

    #[test]
    fn arguments_and_environment_are_told_apart() {
        let (arguments, environment) =
            stored(3, b"/usr/local/bin/node\0\0\0\0node\0\0cli.js\0PATH=/bin\0CLAUDECODE=1\0\0junk\0");
        assert_eq!(arguments, ["node", "", "cli.js"], "an empty argument counts");
        assert_eq!(environment, ["PATH=/bin", "CLAUDECODE=1"]);
    }

    #[test]
    fn nonsense_is_read_without_harm() {
        assert_eq!(read(b"\x01\0"), Default::default());
        assert_eq!(stored(-1, b"/bin/sh\0\0A=1\0").0, [""; 0]);
        assert_eq!(stored(i32::MAX, b"/bin/sh\0\0sh\0").0, ["sh", ""]);
        assert_eq!(stored(1, b"/bin/sh").1, [""; 0]);
    }
}
