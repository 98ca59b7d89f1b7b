//! The file that the address of a resource names.

/// Returns the path of a `file:` address. Other addresses are the server's own.
pub(super) fn path(uri: &str) -> Option<String> {
    let (scheme, rest) = uri.trim().split_once(':')?;
    if !scheme.eq_ignore_ascii_case("file") {
        return None;
    }
    let rest = match rest.strip_prefix("//") {
        // The name of a host comes before the path.
        Some(rest) => rest.find('/').and_then(|at| rest.get(at..)).unwrap_or(rest),
        None => rest,
    };
    let rest = rest.split(['?', '#']).next().unwrap_or_default();
    Some(decoded(rest))
}

/// Replaces `%2f` and the like by what they mean.
fn decoded(text: &str) -> String {
    let digit = |byte: Option<&u8>| byte.and_then(|byte| char::from(*byte).to_digit(16));
    let mut bytes = Vec::with_capacity(text.len());
    let mut rest = text.as_bytes();
    while let Some((first, after)) = rest.split_first() {
        let pair = (digit(after.first()), digit(after.get(1)));
        match (first, pair) {
            (b'%', (Some(high), Some(low))) => {
                bytes.push(u8::try_from(high * 16 + low).unwrap_or(b'%'));
                rest = after.get(2..).unwrap_or_default();
            }
            _ => {
                bytes.push(*first);
                rest = after;
            }
        }
    }
    String::from_utf8_lossy(&bytes).into_owned()
}

#[cfg(test)]
mod tests {
    use super::path;

    #[test]
    fn a_file_is_found_in_every_spelling_of_its_address() {
        for uri in [
            "file:///home/u/.ssh/id_rsa",
            "FILE:///home/u/.ssh/id_rsa",
            "file://localhost/home/u/.ssh/id_rsa",
            "file:/home/u/.ssh/id_rsa",
            "file:///home/u/%2essh/id%5Frsa",
            " file:///home/u/.ssh/id_rsa?x#y",
        ] {
            assert_eq!(path(uri).as_deref(), Some("/home/u/.ssh/id_rsa"), "{uri}");
        }
        assert_eq!(path("file:///a%zz%4").as_deref(), Some("/a%zz%4"));
        assert_eq!(path("git://repo/file"), None);
        assert_eq!(path("nothing"), None);
    }
}
