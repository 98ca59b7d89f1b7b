//! Spans for `tracing`, with the feature of that name; nothing without it.
//!
//! A call is a span `tool_call`. Inside it, each hook is a span `hook` and the tool a span `tool`.

#[cfg(feature = "tracing")]
pub(crate) use on::{CallSpan, carry, hook, tool};

#[cfg(not(feature = "tracing"))]
pub(crate) use off::{CallSpan, carry, hook, tool};

#[cfg(feature = "tracing")]
mod on {
    use crate::{Report, toolbox::called};
    use checkrein_core::{Deadline, Entry, Failure, Hook, Outcome, Payload, ToolCall, Verdict};
    use std::sync::Arc;
    use tracing::{Instrument, Span, field, info_span};

    /// The span of a call, over all of its stages.
    #[derive(Clone)]
    pub(crate) struct CallSpan(Span);

    impl CallSpan {
        pub(crate) fn new(call: &ToolCall) -> Self {
            Self(info_span!(
                "tool_call",
                tool = called(call),
                id = call.id.as_deref(),
                attempts = field::Empty,
                ending = field::Empty,
            ))
        }

        /// Works inside the span.
        pub(crate) fn within<R>(&self, work: impl Future<Output = R>) -> impl Future<Output = R> {
            work.instrument(self.0.clone())
        }

        /// Records what became of the call.
        pub(crate) fn end(&self, report: &Report) {
            self.0.record("attempts", report.attempt);
            self.0.record("ending", field::debug(&report.ending));
        }
    }

    /// Takes the current span along to another thread.
    pub(crate) fn carry<R>(work: impl FnOnce() -> R) -> impl FnOnce() -> R {
        let span = Span::current();
        move || span.in_scope(work)
    }

    /// Runs a tool in a span.
    pub(crate) fn tool<R>(
        call: &ToolCall,
        attempt: u32,
        work: impl Future<Output = R>,
    ) -> impl Future<Output = R> {
        work.instrument(info_span!("tool", name = called(call), attempt))
    }

    /// Calls a hook in a span, wherever it is called.
    pub(crate) fn hook(entry: Entry) -> Entry {
        let (name, role) = (entry.name().to_owned(), entry.role());
        let span = move |payload: &Payload| {
            info_span!(
                "hook",
                name,
                event = %payload.name(),
                %role,
                decision = field::Empty,
                failure = field::Empty,
            )
        };
        entry.wrap(|hook| Traced { hook, span })
    }

    struct Traced<S> {
        hook: Arc<dyn Hook>,
        span: S,
    }

    impl<S: Fn(&Payload) -> Span + Send + Sync> Hook for Traced<S> {
        fn name(&self) -> &str {
            self.hook.name()
        }

        fn call(&self, payload: &Payload, deadline: Deadline<'_>) -> Result<Verdict, Failure> {
            let span = (self.span)(payload);
            let answer = span.in_scope(|| self.hook.call(payload, deadline));
            match &answer {
                Ok(verdict) => span.record("decision", verdict.decision.as_str()),
                Err(failure) => span.record("failure", field::display(failure)),
            };
            answer
        }

        fn observe(&self, outcome: &Outcome, deadline: Deadline<'_>) -> Result<(), Failure> {
            let span = (self.span)(&outcome.payload);
            span.in_scope(|| self.hook.observe(outcome, deadline))
        }
    }
}

#[cfg(not(feature = "tracing"))]
mod off {
    use crate::Report;
    use checkrein_core::{Entry, ToolCall};

    #[derive(Clone)]
    pub(crate) struct CallSpan;

    #[expect(clippy::unused_self, reason = "with the feature `tracing` there is a span")]
    impl CallSpan {
        pub(crate) const fn new(_: &ToolCall) -> Self {
            Self
        }

        pub(crate) const fn within<R, F: Future<Output = R>>(&self, work: F) -> F {
            work
        }

        pub(crate) const fn end(&self, _: &Report) {}
    }

    pub(crate) const fn carry<R, F: FnOnce() -> R>(work: F) -> F {
        work
    }

    pub(crate) fn tool<R>(_: &ToolCall, _: u32, work: impl Future<Output = R>) -> impl Future<Output = R> {
        work
    }

    pub(crate) const fn hook(entry: Entry) -> Entry {
        entry
    }
}
