//! The heap of `checkrein hook`.
//!
//! The released program is linked with musl, whose allocator is designed to be small and hard to attack
//! rather than fast. A process that lives for half a millisecond notices that, so `hook` takes its blocks
//! from a region that is part of the program, and reuses only the block that it allocated last. The system
//! allocator serves large blocks, everything after the region is full, and all other commands, which may
//! live long. `cargo xtask bench process` prints what this saves.
#![expect(unsafe_code, reason = "an allocator hands out memory that the compiler knows nothing about")]

use std::{
    alloc::{GlobalAlloc, Layout, System},
    cell::UnsafeCell,
    ptr::{copy_nonoverlapping, null_mut},
    sync::atomic::{AtomicUsize, Ordering::Relaxed},
};

/// Only pages that are touched cost anything. Less than 2 MiB: a kernel may clear a whole huge page on the
/// first touch.
const SIZE: usize = 1024 * 1024;
/// The largest block that comes from the region.
const LARGEST: usize = 32 * 1024;
/// More than the region has: nothing fits, so that the system allocator serves everything.
const OFF: usize = SIZE + 1;

#[repr(C, align(16))]
struct Region(UnsafeCell<[u8; SIZE]>);

// SAFETY: only `Bump` reaches it, and it gives each part to one owner.
unsafe impl Sync for Region {}

static REGION: Region = Region(UnsafeCell::new([0; SIZE]));

#[cfg_attr(all(target_os = "linux", target_env = "musl", not(checkrein_system_allocator)), global_allocator)]
static HEAP: Bump = Bump { used: AtomicUsize::new(OFF) };

/// Takes blocks from the region from now on. Only the first call has an effect: `used` is never `OFF`
/// again.
pub(crate) fn start() {
    let _ = HEAP.used.compare_exchange(OFF, 0, Relaxed, Relaxed);
}

struct Bump {
    /// The number of bytes in use, from the start of the region.
    used: AtomicUsize,
}

impl Bump {
    /// Returns the offset of a block in the region, or `None` if it belongs to the system allocator.
    fn place(block: *mut u8) -> Option<usize> {
        Some(block.addr().wrapping_sub(REGION.0.get().addr())).filter(|at| *at < SIZE)
    }

    /// Moves the end of the used part, if it is still at `from` and there is room.
    fn end(&self, from: usize, to: usize) -> bool {
        to <= SIZE && self.used.compare_exchange(from, to, Relaxed, Relaxed).is_ok()
    }
}

// SAFETY: a block is the range between the old and the new end of the used part, which only one thread can
// move at a time, so no two blocks overlap. Only the owner of the last block moves its end. Blocks outside
// the region belong to the system allocator.
unsafe impl GlobalAlloc for Bump {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        let used = self.used.load(Relaxed);
        let at = used.next_multiple_of(layout.align());
        let fits = layout.size() <= LARGEST && layout.align() <= align_of::<Region>();
        // If another thread was faster, use the system allocator.
        if fits && self.end(used, at + layout.size()) {
            return REGION.0.get().cast::<u8>().wrapping_add(at);
        }
        // SAFETY: the caller's promise is passed on.
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, block: *mut u8, layout: Layout) {
        match Self::place(block) {
            Some(at) => _ = self.end(at + layout.size(), at),
            // SAFETY: the caller's promise is passed on.
            None => unsafe { System.dealloc(block, layout) },
        }
    }

    unsafe fn realloc(&self, block: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        // SAFETY: the caller's promise is passed on.
        let Some(at) = Self::place(block) else { return unsafe { System.realloc(block, layout, size) } };
        if size <= layout.size() || size <= LARGEST && self.end(at + layout.size(), at + size) {
            return block;
        }
        let Ok(larger) = Layout::from_size_align(size, layout.align()) else { return null_mut() };
        // SAFETY: the size is not zero, since it is larger than another.
        let new = unsafe { self.alloc(larger) };
        if !new.is_null() {
            // SAFETY: both have that many bytes, and a new block overlaps none that is in use.
            unsafe { copy_nonoverlapping(block, new, layout.size()) };
        }
        new
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn bytes(size: usize) -> Layout {
        Layout::from_size_align(size, 8).unwrap()
    }

    /// One test, because there is one region.
    #[test]
    fn blocks_come_from_the_region_until_it_is_used_up() {
        let heap = Bump { used: AtomicUsize::new(OFF) };
        let place = Bump::place;
        // SAFETY: every block is used and freed with the layout that it has.
        unsafe {
            let block = heap.alloc(bytes(100));
            assert_eq!(place(block), None, "it has not started");
            heap.dealloc(block, bytes(100));

            heap.used.store(0, Relaxed);
            let first = heap.alloc(bytes(3));
            let second = heap.alloc(bytes(8));
            assert_eq!((place(first), place(second)), (Some(0), Some(8)));
            second.write_bytes(7, 8);
            let grown = heap.realloc(second, bytes(8), 100);
            assert_eq!((grown, *grown.add(7)), (second, 7), "the last block grows where it is");
            first.write_bytes(5, 3);
            let moved = heap.realloc(first, bytes(3), 50);
            assert_eq!((place(moved), *moved.add(2)), (Some(112), 5), "another one is copied");
            heap.dealloc(grown, bytes(100));
            let last = heap.alloc(bytes(1));
            assert_eq!(place(last), Some(168), "only the last block is taken back");
            heap.dealloc(last, bytes(1));
            assert_eq!(place(heap.alloc(bytes(1))), Some(168));

            let large = heap.alloc(bytes(LARGEST + 1));
            assert_eq!(place(large), None);
            heap.dealloc(large, bytes(LARGEST + 1));
            let aligned = Layout::from_size_align(64, 64).unwrap();
            let block = heap.alloc(aligned);
            assert_eq!((place(block), block.addr() % 64), (None, 0));
            heap.dealloc(block, aligned);

            let mut last = 0;
            while let Some(at) = place(heap.alloc(bytes(LARGEST))) {
                assert!(at > last && at + LARGEST <= SIZE);
                last = at;
            }
            assert!(last > SIZE - 3 * LARGEST, "all of it is used");
        }
    }

    #[test]
    fn it_starts_once() {
        start();
        let _ = HEAP.used.compare_exchange(0, 16, Relaxed, Relaxed);
        start();
        assert_ne!(HEAP.used.load(Relaxed), 0);
    }
}
