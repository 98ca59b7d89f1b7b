//! The hooks of the layers that are asked.

use super::{
    InForce,
    step::{Assembly, Part, Step},
};
use crate::stack::Standing;

pub(super) const STEP: Step = Step { name: None, part: Part::Configured, join };

fn join(assembly: &Assembly<'_>, in_force: &mut InForce) {
    let mut asked = assembly.rows().iter().filter(|row| row.standing == Standing::InForce).peekable();
    // Most events have no hook, and a setup reads the whole environment.
    if asked.peek().is_some() {
        let setup = assembly.setup();
        asked.for_each(|row| in_force.dispatcher.add(row.entry(&setup)));
    }
}
