//! Counts the allocations of the pipeline for a call that concerns no hook, compared with calling the tool directly.

#![allow(unsafe_code, reason = "a counting allocator needs it")]
#![allow(clippy::unwrap_used, reason = "tests")]

use checkrein_harness::{
    EventName, Handle, Output, Payload, Pipeline, Running, Session, ToolError, ToolSpec, Tools, Verdict,
    checkrein::ToolCall, on,
};
use serde_json::json;
use std::{
    alloc::{GlobalAlloc, Layout, System},
    sync::atomic::{AtomicUsize, Ordering},
    time::Duration,
};

static COUNT: AtomicUsize = AtomicUsize::new(0);
static BYTES: AtomicUsize = AtomicUsize::new(0);

struct Counting;

// SAFETY: the system allocator does all the work.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        COUNT.fetch_add(1, Ordering::Relaxed);
        BYTES.fetch_add(layout.size(), Ordering::Relaxed);
        // SAFETY: the caller upholds the same contract.
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, pointer: *mut u8, layout: Layout) {
        // SAFETY: see above.
        unsafe { System.dealloc(pointer, layout) }
    }
}

#[global_allocator]
static ALLOCATOR: Counting = Counting;

struct Quick(std::sync::Arc<ToolSpec>);

impl Tools for Quick {
    fn tool(&self, _: &str) -> Option<std::sync::Arc<ToolSpec>> {
        Some(std::sync::Arc::clone(&self.0))
    }

    async fn run(&self, _: &ToolCall, _: &Running) -> Result<Output, ToolError> {
        Ok(Output::default())
    }
}

fn quick() -> Quick {
    let schema =
        json!({"type": "object", "required": ["content"], "properties": {"content": {"type": "string"}}});
    Quick(ToolSpec::new("quick", schema).unwrap().into())
}

/// An input that is expensive to copy.
fn call() -> ToolCall {
    let content = "x".repeat(1 << 20);
    ToolCall::new("quick", json!({ "content": content }).as_object().unwrap().clone())
}

/// Returns the number and total size of the allocations that `work` makes.
async fn counted<T>(work: impl Future<Output = T>) -> (usize, usize) {
    let before = (COUNT.load(Ordering::Relaxed), BYTES.load(Ordering::Relaxed));
    drop(work.await);
    (COUNT.load(Ordering::Relaxed) - before.0, BYTES.load(Ordering::Relaxed) - before.1)
}

#[test]
fn a_call_without_hooks_costs_next_to_no_memory() {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_time().build().unwrap();
    let tools = quick();
    let running = Running {
        session: Default::default(),
        agent: Default::default(),
        attempt: 1,
        deadline: tokio::time::Instant::now() + Duration::from_secs(1),
        cancel: Default::default(),
    };
    let handle = |hooked: bool| -> Handle<Quick> {
        let mut builder = Pipeline::builder(quick());
        if hooked {
            // A hook on another event.
            builder = builder.hook(on(EventName::Stop, "other", |_: &Payload| Verdict::abstain()));
        }
        builder.build().unwrap().handle(Session { id: Some("s".into()), ..Session::default() })
    };
    let direct = runtime.block_on(async {
        let call = call();
        counted(tools.run(&call, &running)).await
    });
    for (name, handle) in [("no hooks", handle(false)), ("a hook on something else", handle(true))] {
        let (count, bytes) = runtime.block_on(async {
            // The first call lets the runtime and the validator initialize.
            drop(handle.call(call()).await);
            let call = call();
            counted(handle.call(call)).await
        });
        println!("{name}: {count} allocations of {bytes} bytes; directly: {} of {}", direct.0, direct.1);
        assert!(count <= direct.0 + 4, "{name}: {count} allocations");
        assert!(bytes <= direct.1 + 1024, "{name}: {bytes} bytes");
    }
}
