//! Draws a terminal's screen as an SVG, which looks the same on a light and on a dark page.

use std::fmt::Write as _;

/// The size of a character, and the space around the text.
const WIDTH: f64 = 8.4;
const HEIGHT: usize = 20;
const MARGIN: usize = 20;

/// The colours of the terminal.
const BACKGROUND: &str = "#1e1e28";
const TEXT: &str = "#d8d8e0";
const DIM: &str = "#9494a4";
/// The sixteen numbered colours.
const COLOURS: [&str; 16] = [
    "#6c6c7c", "#f08a8a", "#8fd694", "#e8c678", "#8ab4f0", "#d09ae8", "#7fd0d8", "#d8d8e0", "#8c8c9c",
    "#ff9c9c", "#a4e8a8", "#f8d890", "#a0c4ff", "#e0b0f8", "#98e4ec", "#ffffff",
];

/// The look of a character.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
struct Style {
    colour: Option<String>,
    is_dim: bool,
    is_bold: bool,
}

impl Style {
    /// Applies the numbers of one control sequence.
    fn apply(&mut self, numbers: &[u16]) {
        let mut left = numbers.iter().copied();
        while let Some(number) = left.next() {
            match number {
                0 => *self = Self::default(),
                1 => self.is_bold = true,
                2 => self.is_dim = true,
                22 => (self.is_bold, self.is_dim) = (false, false),
                30..=37 => self.colour = named(usize::from(number - 30)),
                90..=97 => self.colour = named(usize::from(number - 90 + 8)),
                39 => self.colour = None,
                38 | 48 => {
                    let colour = match left.next() {
                        Some(2) => match (left.next(), left.next(), left.next()) {
                            (Some(red), Some(green), Some(blue)) => {
                                Some(format!("#{red:02x}{green:02x}{blue:02x}"))
                            }
                            _ => None,
                        },
                        Some(5) => left.next().and_then(|number| named(usize::from(number))),
                        _ => None,
                    };
                    if number == 38 {
                        self.colour = colour;
                    }
                }
                _ => {}
            }
        }
    }

    fn fill(&self) -> &str {
        match &self.colour {
            Some(colour) => colour,
            None if self.is_dim => DIM,
            None => TEXT,
        }
    }
}

/// Returns one of the 256 colours: the named ones, a cube, and greys.
fn named(number: usize) -> Option<String> {
    let of = |[red, green, blue]: [usize; 3]| format!("#{red:02x}{green:02x}{blue:02x}");
    let level = |step: usize| if step == 0 { 0 } else { 55 + 40 * step };
    match number {
        0..16 => COLOURS.get(number).map(|colour| (*colour).to_owned()),
        16..232 => {
            let cube = number - 16;
            Some(of([cube / 36, cube / 6 % 6, cube % 6].map(level)))
        }
        232..256 => Some(of([8 + 10 * (number - 232); 3])),
        _ => None,
    }
}

/// Splits a line into pieces with one style each. The style goes on into the next line.
fn pieces(line: &str, style: &mut Style) -> Vec<(Style, String)> {
    let mut pieces: Vec<(Style, String)> = Vec::new();
    let mut left = line.chars();
    while let Some(letter) = left.next() {
        if letter != '\u{1b}' {
            match pieces.last_mut().filter(|(known, _)| known == style) {
                Some((_, text)) => text.push(letter),
                None => pieces.push((style.clone(), letter.to_string())),
            }
            continue;
        }
        let mut sequence = String::new();
        for letter in left.by_ref().skip_while(|letter| *letter == '[') {
            if letter.is_ascii_alphabetic() {
                if letter == 'm' {
                    let numbers = sequence.split([';', ':']).map(|number| number.parse().unwrap_or_default());
                    style.apply(&numbers.collect::<Vec<u16>>());
                }
                break;
            }
            sequence.push(letter);
        }
    }
    pieces
}

/// Returns a line without colours.
#[must_use]
pub fn plain(line: &str) -> String {
    pieces(line, &mut Style::default()).into_iter().map(|(_, text)| text).collect()
}

/// Draws the lines of a screen.
#[must_use]
pub fn draw(screen: &str, columns: usize) -> String {
    let lines: Vec<&str> = screen.lines().collect();
    let width = (columns as f64).mul_add(WIDTH, 2.0 * MARGIN as f64).ceil();
    let height = lines.len() * HEIGHT + 2 * MARGIN;
    let mut svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width} {height}\" width=\"{width}\" \
         height=\"{height}\" role=\"img\">\n<title>Claude Code shows what Checkrein denied</title>\n\
         <rect width=\"100%\" height=\"100%\" rx=\"8\" fill=\"{BACKGROUND}\"/>\n\
         <g font-family=\"ui-monospace, 'SF Mono', Menlo, Consolas, 'DejaVu Sans Mono', monospace\" font-size=\"14\">\n"
    );
    let mut style = Style::default();
    for (row, line) in lines.iter().enumerate() {
        let y = MARGIN + row * HEIGHT + 15;
        let mut column = 0;
        for (style, text) in pieces(line, &mut style) {
            let count = text.chars().count();
            // Spaces at the ends are positions, so that no viewer has to keep them.
            let start = column + count - text.trim_start().chars().count();
            column += count;
            let text = text.trim();
            if text.is_empty() {
                continue;
            }
            let x = (start as f64).mul_add(WIDTH, MARGIN as f64);
            let length = text.chars().count() as f64 * WIDTH;
            let weight = if style.is_bold { " font-weight=\"bold\"" } else { "" };
            let fill = style.fill();
            // Few fonts have this corner.
            let text = text.replace('⎿', "└").replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;");
            // Writing to a string cannot fail.
            let _ = writeln!(
                svg,
                "<text x=\"{x:.1}\" y=\"{y}\" textLength=\"{length:.1}\" fill=\"{fill}\"{weight}>{text}</text>"
            );
        }
    }
    svg.push_str("</g>\n</svg>\n");
    svg
}

/// Returns the words of a picture.
#[must_use]
pub fn words(svg: &str) -> String {
    let texts = svg.lines().filter_map(|line| line.strip_prefix("<text ")?.strip_suffix("</text>"));
    let texts = texts.filter_map(|line| Some(line.split_once('>')?.1));
    let text = texts.collect::<Vec<_>>().join(" ");
    text.replace("&lt;", "<").replace("&gt;", ">").replace("&amp;", "&")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_screen_is_drawn_with_its_colours_and_read_back() {
        let screen = "\u{1b}[38;2;255;0;10mNo <rm>\u{1b}[0m  \u{1b}[1mstop & go\u{1b}[0m\n\n  \u{1b}[2mlater";
        let svg = draw(screen, 20);
        assert!(svg.contains("fill=\"#ff000a\">No &lt;rm&gt;</text>"), "{svg}");
        assert!(svg.contains(&format!("fill=\"{DIM}\">later</text>")), "{svg}");
        assert_eq!(words(&svg), "No <rm> stop & go later");
        assert_eq!(
            [231, 246, 3].map(|number| named(number).unwrap_or_default()),
            ["#ffffff", "#949494", "#e8c678"]
        );
        assert_eq!(plain(screen.lines().next().unwrap_or_default()), "No <rm>  stop & go");
    }
}
