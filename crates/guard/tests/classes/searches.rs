//! W, the expression of `find`: what an action is for, and not what the text mentions.

use crate::group::group;
use checkrein_core::Decision::{Abstain as Silent, Ask, Deny};

#[test]
fn an_alternative_takes_what_the_others_left() {
    group(&[
        ("find . -name '*.o' -o -delete", Deny),
        ("find . -name node_modules -prune -o -type f -delete", Deny),
        ("find . -name '*.o' -delete , -delete", Deny),
        ("find . \\( -name '*.o' -o -type f \\) -delete", Deny),
        ("find . ! -name '*.rs' -delete", Deny),
        ("find lib -path lib/dist -prune -o -exec rm -rf {} +", Ask),
        ("find . -type d -name .git -prune -o -name '*.py' -print | xargs rm", Ask),
        ("find . -name '*.o' -o -name '*.pyc' -delete", Silent),
        ("find . \\( -name '*.o' -o -name '*.pyc' \\) -delete", Silent),
        ("find . -name node_modules -prune -o -name '*.log' -delete", Silent),
        ("find . -type d \\( -name dist -o -name target \\) -prune -exec rm -rf {} +", Silent),
        ("find . -name node_modules -prune -o -name '*.rs' -print", Silent),
        ("find . -name .git -prune -o -type f -print | xargs wc -l", Silent),
    ]);
}

#[test]
fn a_pattern_of_more_than_one_ending_covers_what_people_write() {
    group(&[
        ("find . -name '*.py*' -delete", Ask),
        ("find . -name '*.c*' -exec rm {} +", Ask),
        ("rm *.js*", Ask),
        ("find . -name '*.pyc*' -delete", Silent),
        ("find . -name '*.py[co]' -delete", Silent),
        ("find . -name '*.log*' -delete", Silent),
        ("ls *.py*", Silent),
    ]);
}

#[test]
fn brackets_have_an_end() {
    let deep = format!("find . {} -name x {} -delete", "\\( ".repeat(40), "\\) ".repeat(40));
    let open = format!("find . {} -delete", "\\( ".repeat(4000));
    group(&[(&deep, Deny), (&open, Deny), ("find . \\) -delete", Deny), ("find . \\) -print", Silent)]);
}
