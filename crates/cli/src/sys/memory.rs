//! The memory limit of a process that must answer: an allocation beyond it fails, the process aborts, and its prepared reply
//! denies. Linux enforces a limit on the address space. macOS accepts it and ignores it, so the allocator counts there.

/// Limits this process to `bytes`.
pub(crate) fn limit(bytes: u64) {
    #[cfg(not(target_os = "macos"))]
    checkrein::exec::limit_memory(bytes);
    #[cfg(target_os = "macos")]
    counting::HEAP.limit(bytes);
}

#[cfg(any(test, target_os = "macos"))]
mod counting {
    #![expect(unsafe_code, reason = "an allocator hands out memory that the compiler knows nothing about")]

    use std::{
        alloc::{GlobalAlloc, Layout, System},
        ptr::null_mut,
        sync::atomic::{AtomicUsize, Ordering::Relaxed},
    };

    #[cfg_attr(target_os = "macos", global_allocator)]
    #[cfg_attr(not(target_os = "macos"), expect(dead_code, reason = "only the tests use the type here"))]
    pub(super) static HEAP: Counting = Counting::new();

    /// The system allocator with a limit for all blocks together.
    pub(super) struct Counting {
        used: AtomicUsize,
        most: AtomicUsize,
    }

    impl Counting {
        pub(super) const fn new() -> Self {
            Self { used: AtomicUsize::new(0), most: AtomicUsize::new(usize::MAX) }
        }

        pub(super) fn limit(&self, bytes: u64) {
            self.most.store(usize::try_from(bytes).unwrap_or(usize::MAX), Relaxed);
        }

        /// Counts that many more bytes, unless they are too many.
        fn take(&self, bytes: usize) -> bool {
            let most = self.most.load(Relaxed);
            let more = |used: usize| used.checked_add(bytes).filter(|sum| *sum <= most);
            self.used.fetch_update(Relaxed, Relaxed, more).is_ok()
        }

        fn give_back(&self, bytes: usize) {
            self.used.fetch_sub(bytes, Relaxed);
        }
    }

    // SAFETY: all blocks are those of the system allocator; this only counts them, or hands out none.
    unsafe impl GlobalAlloc for Counting {
        unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
            if !self.take(layout.size()) {
                return null_mut();
            }
            // SAFETY: the caller's promise is passed on.
            unsafe { System.alloc(layout) }
        }

        unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
            if !self.take(layout.size()) {
                return null_mut();
            }
            // SAFETY: the caller's promise is passed on.
            unsafe { System.alloc_zeroed(layout) }
        }

        unsafe fn dealloc(&self, block: *mut u8, layout: Layout) {
            self.give_back(layout.size());
            // SAFETY: the caller's promise is passed on.
            unsafe { System.dealloc(block, layout) }
        }

        unsafe fn realloc(&self, block: *mut u8, layout: Layout, size: usize) -> *mut u8 {
            if !self.take(size) {
                return null_mut();
            }
            // SAFETY: the caller's promise is passed on.
            let new = unsafe { System.realloc(block, layout, size) };
            self.give_back(if new.is_null() { size } else { layout.size() });
            new
        }
    }

    #[cfg(test)]
    mod tests {
        use super::*;

        #[test]
        fn blocks_beyond_the_limit_are_refused() {
            let heap = Counting::new();
            let bytes = |size| Layout::from_size_align(size, 8).unwrap();
            // SAFETY: every block is freed with the layout that it has.
            unsafe {
                let first = heap.alloc(bytes(600));
                assert!(!first.is_null());
                heap.limit(1000);
                assert!(heap.alloc(bytes(500)).is_null());
                assert!(heap.alloc_zeroed(bytes(500)).is_null());
                assert!(heap.realloc(first, bytes(600), 5000).is_null(), "the old block stays");
                heap.dealloc(first, bytes(600));
                let second = heap.alloc_zeroed(bytes(500));
                assert!(!second.is_null(), "freed bytes are counted back");
                let grown = heap.realloc(second, bytes(500), 500);
                assert!(!grown.is_null());
                heap.dealloc(grown, bytes(500));
                assert_eq!(heap.used.load(Relaxed), 0);
            }
        }
    }
}
