//! Wrapping of long lines.

/// Breaks a text into lines that fit a terminal. Continued lines are indented.
pub(crate) fn wrapped(text: &str) -> Vec<String> {
    const WIDTH: usize = 92;
    let mut lines: Vec<String> = Vec::new();
    for paragraph in text.lines() {
        let mut line = String::new();
        for word in paragraph.split(' ') {
            if !line.is_empty() && line.chars().count() + 1 + word.chars().count() > WIDTH {
                lines.push(std::mem::replace(&mut line, "  ".to_owned()));
            } else if !line.is_empty() {
                line.push(' ');
            }
            line.push_str(word);
        }
        lines.push(line);
    }
    lines
}
