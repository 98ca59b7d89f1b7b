//! Requests in GraphQL: all of them are sent in the same way, and only their text tells which ones destroy something.

use crate::{
    effect::Target,
    eval::{Evaluator, Frame, flow::Flow, handlers::Call},
    qualities::qualities,
    vocabulary::{Action, Domain, Environment},
};

/// Prefixes of the names of mutations that take something away.
const TAKING: &[&str] = &["delete", "remove", "archive", "transfer", "revoke", "unlink", "purge"];

/// Returns the names of the mutations that take something away. Text in quotes is data.
fn taking(text: &str) -> Vec<&str> {
    let mut found = Vec::new();
    let mut changes = false;
    for (place, piece) in text.split('"').enumerate() {
        if place % 2 == 1 {
            continue;
        }
        for name in piece.split(|char: char| !char.is_ascii_alphanumeric() && char != '_') {
            changes |= name == "mutation";
            let takes = TAKING.iter().any(|start| {
                name.strip_prefix(start)
                    .is_some_and(|rest| rest.starts_with(|char: char| char.is_ascii_uppercase()))
            });
            if changes && takes && !name.ends_with("Input") && !name.ends_with("Payload") {
                found.push(name);
            }
        }
    }
    found
}

/// Every text among the arguments that is a mutation.
pub(in crate::eval) fn graphql(evaluator: &mut Evaluator<'_>, call: &Call<'_>, frame: &mut Frame) -> Flow {
    let rest = call.rest();
    for word in rest {
        let Some(text) = evaluator.value_of(word).text else { continue };
        for name in taking(&text) {
            evaluator.emit(
                Action::Destroy,
                Target::Name(name.to_owned()),
                qualities![Domain::Hosting, Environment::Remote],
                frame,
            );
        }
    }
    evaluator.passthrough(rest, frame)
}

#[cfg(test)]
mod tests {
    use super::taking;

    #[test]
    fn only_what_a_mutation_calls_is_taken_away() {
        for (text, expected) in [
            ("query=mutation { deleteRef(input: {refId: \"x\"}) { clientMutationId } }", vec!["deleteRef"]),
            (
                "mutation($i: DeleteIssueInput!) { deleteIssue(input: $i) { repository { id } } }",
                vec!["deleteIssue"],
            ),
            ("query=mutation { addComment(input: {body: \"deleteRef is bad\"}) { id } }", vec![]),
            ("query={ viewer { login } }", vec![]),
            ("query=query { deletedBranches: refs { deleteRef } }", vec![]),
            ("", vec![]),
        ] {
            assert_eq!(taking(text), expected, "{text}");
        }
    }
}
