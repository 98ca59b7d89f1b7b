//! The difference between two texts, as people know it.

use crate::paint;

/// How many lines around a change are shown.
const CONTEXT: usize = 3;
/// Beyond this many steps the middle is shown as taken out and put in: a file of settings is far below it.
const MOST_STEPS: usize = 4_000_000;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Mark {
    Same,
    Out,
    In,
}

/// The difference with colours, and with nothing in it that a terminal would obey.
pub(crate) fn unified(path: &str, before: Option<&str>, after: Option<&str>) -> String {
    let text = plain(path, before, after);
    let painted = text.lines().enumerate().map(|(at, line)| {
        let line = paint::harmless(line);
        match line.as_bytes().first() {
            _ if at < 2 => format!("\x1b[1m{line}\x1b[0m"),
            Some(b'+') => format!("\x1b[32m{line}\x1b[0m"),
            Some(b'-') => format!("\x1b[31m{line}\x1b[0m"),
            Some(b'@') => format!("\x1b[36m{line}\x1b[0m"),
            _ => line,
        }
    });
    painted.collect::<Vec<_>>().join("\n")
}

/// The difference as a text. `None` stands for a file that is not there.
pub(crate) fn plain(path: &str, before: Option<&str>, after: Option<&str>) -> String {
    let name = |text: Option<&str>| {
        if text.is_some() { crate::paint::harmless(path) } else { "/dev/null".to_owned() }
    };
    let (old, new) = (lines(before.unwrap_or_default()), lines(after.unwrap_or_default()));
    let marked = compare(&old, &new);
    let mut text = format!("--- {}\n+++ {}\n", name(before), name(after));
    let mut at = 0;
    while let Some(first) = marked.iter().skip(at).position(|(mark, _)| *mark != Mark::Same).map(|p| p + at) {
        let start = first.saturating_sub(CONTEXT);
        let mut end = first;
        // Changes that are near belong together.
        while let Some(next) =
            marked.iter().skip(end).take(2 * CONTEXT + 1).position(|(mark, _)| *mark != Mark::Same)
        {
            end += next + 1;
        }
        let stop = (end + CONTEXT).min(marked.len());
        text += &hunk(&marked, start, stop);
        at = stop;
    }
    text
}

fn hunk(marked: &[(Mark, &str)], start: usize, stop: usize) -> String {
    let count =
        |marks: &[(Mark, &str)], without: Mark| marks.iter().filter(|(mark, _)| *mark != without).count();
    let (before, inside) =
        (marked.get(..start).unwrap_or_default(), marked.get(start..stop).unwrap_or_default());
    let range = |without: Mark| {
        let length = count(inside, without);
        let first = count(before, without) + usize::from(length > 0);
        format!("{first},{length}")
    };
    let mut text = format!("@@ -{} +{} @@\n", range(Mark::In), range(Mark::Out));
    for (mark, line) in inside {
        let sign = match mark {
            Mark::Same => ' ',
            Mark::Out => '-',
            Mark::In => '+',
        };
        let end = if line.ends_with('\n') { "" } else { "\n\\ No newline at end of file\n" };
        text += &format!("{sign}{line}{end}");
    }
    text
}

fn lines(text: &str) -> Vec<&str> {
    text.split_inclusive('\n').collect()
}

/// The longest common lines stay; before and after the first and last change there is nothing to look for.
fn compare<'a>(old: &[&'a str], new: &[&'a str]) -> Vec<(Mark, &'a str)> {
    let same = old.iter().zip(new).take_while(|(old, new)| old == new).count();
    let (old_rest, new_rest) = (old.get(same..).unwrap_or_default(), new.get(same..).unwrap_or_default());
    let tail = old_rest.iter().rev().zip(new_rest.iter().rev()).take_while(|(old, new)| old == new).count();
    let old_middle = old_rest.get(..old_rest.len() - tail).unwrap_or_default();
    let new_middle = new_rest.get(..new_rest.len() - tail).unwrap_or_default();

    let mut marked: Vec<(Mark, &str)> = old.iter().take(same).map(|line| (Mark::Same, *line)).collect();
    marked.extend(middle(old_middle, new_middle));
    marked.extend(old_rest.iter().skip(old_middle.len()).map(|line| (Mark::Same, *line)));
    marked
}

fn middle<'a>(old: &[&'a str], new: &[&'a str]) -> Vec<(Mark, &'a str)> {
    let width = new.len() + 1;
    if old.is_empty() || new.is_empty() || old.len().saturating_mul(width) > MOST_STEPS {
        let out = old.iter().map(|line| (Mark::Out, *line));
        return out.chain(new.iter().map(|line| (Mark::In, *line))).collect();
    }
    // The length of the longest common part of what is left, by what is left.
    let mut table = vec![0_u32; (old.len() + 1) * width];
    let at = |table: &[u32], i: usize, j: usize| table.get(i * width + j).copied().unwrap_or_default();
    for (i, one) in old.iter().enumerate().rev() {
        for (j, other) in new.iter().enumerate().rev() {
            let best = if one == other {
                at(&table, i + 1, j + 1) + 1
            } else {
                at(&table, i + 1, j).max(at(&table, i, j + 1))
            };
            if let Some(cell) = table.get_mut(i * width + j) {
                *cell = best;
            }
        }
    }
    let mut marked = Vec::new();
    let (mut i, mut j) = (0, 0);
    loop {
        match (old.get(i), new.get(j)) {
            (None, None) => return marked,
            (Some(one), Some(other)) if one == other => {
                marked.push((Mark::Same, *one));
                (i, j) = (i + 1, j + 1);
            }
            (Some(one), other) if other.is_none() || at(&table, i + 1, j) >= at(&table, i, j + 1) => {
                marked.push((Mark::Out, *one));
                i += 1;
            }
            (_, Some(other)) => {
                marked.push((Mark::In, *other));
                j += 1;
            }
            // The first arm but one takes every other case of this.
            (Some(one), None) => {
                marked.push((Mark::Out, *one));
                i += 1;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use insta::assert_snapshot;

    #[test]
    fn differences_are_shown_with_their_surroundings() {
        let old = "1\n2\n3\n4\n5\n6\n7\n8\n9\n10\n11\n12\n13\n14\n";
        let new = old.replace("2\n", "two\n").replace("9\n", "").replace("13\n", "13\nnew\n");
        assert_snapshot!(plain("f", Some(old), Some(&new)), @"
        --- f
        +++ f
        @@ -1,14 +1,14 @@
         1
        -2
        +two
         3
         4
         5
         6
         7
         8
        -9
         10
         11
        -12
        +1two
         13
        +new
         14
        ");
        assert_snapshot!(plain("f", None, Some("a\n")), @"
        --- /dev/null
        +++ f
        @@ -0,0 +1,1 @@
        +a
        ");
        assert_snapshot!(plain("f", Some("a"), None), @r"
        --- f
        +++ /dev/null
        @@ -1,1 +0,0 @@
        -a
        \ No newline at end of file
        ");
        assert_eq!(plain("f", Some("a\n"), Some("a\n")), "--- f\n+++ f\n");
    }

    proptest::proptest! {
        /// What `patch` would make of it is the other text.
        #[test]
        fn a_difference_leads_from_one_to_the_other(old in "[ab\n]{0,12}", new in "[ab\n]{0,12}") {
            let (one, other) = (lines(&old), lines(&new));
            let marked = compare(&one, &other);
            let side = |without| -> String { marked.iter().filter(|(mark, _)| *mark != without).map(|(_, line)| *line).collect() };
            proptest::prop_assert_eq!(&side(Mark::In), &old);
            proptest::prop_assert_eq!(&side(Mark::Out), &new);
        }
    }
}
