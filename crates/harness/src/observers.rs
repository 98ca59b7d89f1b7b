//! Shows outcomes to observers, one after another, in a task that no call waits for.

use crate::edge::Kept;
use checkrein_core::{Dispatcher, Outcome, Role};
use std::sync::{Arc, Mutex, PoisonError};
use tokio::{
    runtime,
    sync::{
        mpsc::{self, Sender, error::TrySendError},
        oneshot,
    },
    task,
};

/// The maximum number of queued outcomes. An observer that is too slow for too long misses some, with a remark; the
/// alternatives are unbounded memory and a delayed agent.
const MOST: usize = 1024;

/// A function for texts for the user that belong to no call: failures of observers, skipped hooks.
pub(crate) type Remarks = Arc<dyn Fn(&str) + Send + Sync>;

enum Job {
    /// The outcome, and the hooks as they were when it was made.
    Show(Box<Outcome>, Dispatcher),
    /// Signals that everything before it was shown.
    Settle(oneshot::Sender<()>),
}

pub(crate) struct Observers {
    remarks: Option<Remarks>,
    /// The record that is kept before observers see an outcome.
    pub(crate) kept: Kept,
    /// The queue of the task, once it runs.
    queue: Mutex<Option<Sender<Job>>>,
}

impl Observers {
    pub(crate) const fn new(remarks: Option<Remarks>, kept: Kept) -> Self {
        Self { remarks, kept, queue: Mutex::new(None) }
    }

    /// Queues the outcome for the observers that it concerns.
    pub(crate) fn show(&self, hooks: &Dispatcher, outcome: &Outcome) {
        let (event, call) = (outcome.payload.name(), outcome.payload.event.call());
        let mut entries = hooks.entries().iter();
        if !entries.any(|entry| entry.role() == Role::Observe && entry.matches(event, call)) {
            return;
        }
        let Ok(runtime) = runtime::Handle::try_current() else {
            return self.remark(&format!("one `{event}` was not shown to observers: {}", crate::NO_RUNTIME));
        };
        let job = Job::Show(Box::new(outcome.clone()), hooks.clone());
        if let Err(TrySendError::Full(_)) = self.send(job, &runtime) {
            self.remark(&format!("observers are too slow: one `{event}` was not shown to them"));
        }
    }

    pub(crate) fn remark(&self, text: &str) {
        if let Some(remarks) = &self.remarks {
            remarks(text);
        }
    }

    /// Waits until the observers have seen everything decided so far.
    pub(crate) async fn settle(&self) {
        if self.queue.lock().unwrap_or_else(PoisonError::into_inner).is_none() {
            return;
        }
        let Ok(runtime) = runtime::Handle::try_current() else { return };
        let (done, wait) = oneshot::channel();
        let mut job = Job::Settle(done);
        while let Err(TrySendError::Full(back)) = self.send(job, &runtime) {
            job = back;
            task::yield_now().await;
        }
        // An error means that the task is gone, so nothing is queued any more.
        let _ = wait.await;
    }

    fn send(&self, job: Job, runtime: &runtime::Handle) -> Result<(), TrySendError<Job>> {
        let mut queue = self.queue.lock().unwrap_or_else(PoisonError::into_inner);
        let sender = queue.get_or_insert_with(|| self.start(runtime));
        match sender.try_send(job) {
            // The runtime that ran the task has shut down, and the pipeline lives on in another.
            Err(TrySendError::Closed(job)) => {
                let sender = queue.insert(self.start(runtime));
                sender.try_send(job)
            }
            other => other,
        }
    }

    /// Starts the task. It ends with the pipeline, which holds the other end of its queue.
    fn start(&self, runtime: &runtime::Handle) -> Sender<Job> {
        let (sender, mut jobs) = mpsc::channel(MOST);
        let remarks = self.remarks.clone();
        runtime.spawn(async move {
            while let Some(job) = jobs.recv().await {
                match job {
                    Job::Settle(done) => {
                        let _ = done.send(());
                    }
                    Job::Show(mut outcome, hooks) => {
                        let shown = task::spawn_blocking(move || {
                            let before = outcome.trail.len();
                            hooks.observe(&mut outcome);
                            failures(&outcome, before)
                        });
                        for failure in shown.await.unwrap_or_default() {
                            if let Some(remarks) = &remarks {
                                remarks(&failure);
                            }
                        }
                    }
                }
            }
        });
        sender
    }
}

fn failures(outcome: &Outcome, before: usize) -> Vec<String> {
    let steps = outcome.trail.iter().skip(before);
    steps
        .filter_map(|step| Some(format!("hook `{}` failed: {}", outcome.hook(step), step.failure.as_ref()?)))
        .collect()
}
