//! The judge of the pipeline itself: an input that hooks made invalid for the tool is denied before any other judge.

use crate::{Tools, toolbox::called};
use checkrein_core::{Deadline, Failure, Hook, Payload, Verdict};
use std::sync::Arc;

/// Denies an input that hooks made invalid for the tool. An input that no hook changed was validated before.
pub(crate) struct SchemaJudge<T> {
    pub(crate) tools: Arc<T>,
}

impl<T: Tools> Hook for SchemaJudge<T> {
    fn name(&self) -> &str {
        "schema"
    }

    fn call(&self, payload: &Payload, _: Deadline<'_>) -> Result<Verdict, Failure> {
        let Some(call) = payload.event.call().filter(|call| call.original.is_some()) else {
            return Ok(Verdict::abstain());
        };
        let checked = self.tools.tool(called(call)).map_or(Ok(()), |spec| spec.check(&call.input));
        Ok(match checked {
            Ok(()) => Verdict::abstain(),
            Err(why) => Verdict::deny(format!("the input as hooks changed it does not fit the tool: {why}")),
        })
    }
}
