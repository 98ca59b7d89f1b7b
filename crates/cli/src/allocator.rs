//! The allocator of the released program.
//!
//! The released program is linked with musl, so that it starts without a dynamic linker. musl's own allocator is made
//! to be small and hard to attack, not fast, and a process that lives half a millisecond feels it. The usual fast ones
//! are no better here: they set up caches for threads and for years. So this one has a single idea, that blocks of like
//! size take each other's place:
//!
//! - A small block is cut from the front of a chunk. A freed one goes on the list of its size, and the next block of
//!   that size is taken from there. No block has a header, since Rust says the size again when it frees. What is cut
//!   for the first time is known to be zero.
//! - A block that was cut last grows where it is: a text that is read or built piece by piece is not copied.
//! - A large block, or one that is aligned unusually, is the system's affair, which maps it, moves its pages when it
//!   grows, and gives it back.
//!
//! Chunks are never given back, so the program holds at most the sum over all sizes of the most that each needed at
//! one time: a command that runs for days stays about as large as its largest moment. What is missing is what long-lived
//! programs with many threads want: no caches per thread, one lock. Most processes never have a second thread, and to take a
//! lock takes longer than to find a block; so there is none until another thread comes.
//!
//! A handler of signals must not allocate, here as with any other allocator; ours does not.
#![expect(unsafe_code, reason = "an allocator hands out memory that the compiler knows nothing about")]

use std::{
    alloc::{GlobalAlloc, Layout, System},
    cell::UnsafeCell,
    hint::spin_loop,
    ptr::{copy_nonoverlapping, from_ref, null_mut, write_bytes},
    sync::atomic::{AtomicBool, AtomicUsize, Ordering},
    thread::yield_now,
};

#[cfg(test)]
mod tests;

/// How much is taken from the system at a time. Only what is touched costs anything. Less than 2 MiB, because a kernel
/// that likes huge pages would clear one whole on the first touch.
const CHUNK: usize = 1024 * 1024;

/// Every block is aligned to this, and is a multiple of it.
const GRAIN: usize = 16;

/// Up to here there is a size for every grain, and from here on four for every doubling, so that no block is larger
/// than it must be by more than a quarter.
const FINE: usize = 128;

/// The largest block of ours. musl maps what is larger on its own.
const LARGEST: usize = 128 * 1024;

/// One of the sizes that blocks have.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Size(usize);

impl Size {
    const COUNT: usize = FINE / GRAIN + 4 * (LARGEST / FINE).ilog2() as usize;

    /// The smallest that has room for `layout`. Nothing: it is the system's.
    #[inline]
    const fn of(layout: Layout) -> Option<Self> {
        let wanted = layout.size();
        if wanted > LARGEST || layout.align() > GRAIN {
            return None;
        }
        // The last byte's offset; nobody asks for nothing, but if so, it is a byte.
        let last = wanted.saturating_sub(1);
        if last < FINE {
            return Some(Self(last / GRAIN));
        }
        let doubling = last.ilog2();
        let quarter = (last >> (doubling - 2)) & 3;
        Some(Self(FINE / GRAIN + (doubling - FINE.ilog2()) as usize * 4 + quarter))
    }

    const fn bytes(self) -> usize {
        let Some(coarse) = self.0.checked_sub(FINE / GRAIN) else { return (self.0 + 1) * GRAIN };
        let quarter = (FINE << (coarse / 4)) / 4;
        quarter * (5 + coarse % 4)
    }
}

/// A block that is free. The rest of it still holds what its last owner wrote.
struct Free {
    next: *mut Self,
}

/// What the lock guards.
struct Blocks {
    /// Where the next block is cut, and how many bytes are left from there. They are zero.
    front: *mut u8,
    left: usize,
    free: [*mut Free; Size::COUNT],
}

impl Blocks {
    /// A block that was used before.
    #[inline]
    fn reuse(&mut self, size: Size) -> Option<*mut u8> {
        let first = self.free.get_mut(size.0)?;
        let block = *first;
        if block.is_null() {
            return None;
        }
        // SAFETY: `keep` put it on this list, and nobody has it.
        *first = unsafe { (*block).next };
        Some(block.cast())
    }

    fn is_out_of(&self, size: Size) -> bool {
        self.free.get(size.0).is_none_or(|first| first.is_null())
    }

    /// A block that nobody has used, full of zeros; null if the system has no memory.
    fn cut(&mut self, size: Size) -> *mut u8 {
        let bytes = size.bytes();
        if self.left < bytes {
            let Ok(chunk) = Layout::from_size_align(CHUNK, GRAIN) else { return null_mut() };
            // SAFETY: the size is not zero.
            let front = unsafe { System.alloc_zeroed(chunk) };
            if front.is_null() {
                return null_mut();
            }
            // What was left of the last chunk is forgotten. It was never touched, so it is no memory yet.
            (self.front, self.left) = (front, CHUNK);
        }
        let block = self.front;
        self.advance(bytes);
        block
    }

    fn advance(&mut self, bytes: usize) {
        self.front = self.front.wrapping_add(bytes);
        self.left -= bytes;
    }

    /// Whether `block` could be made larger where it is, and so it was.
    ///
    /// Not if a free block of the new size is there: blocks of a size are made only when all of them are in use, or
    /// else a loop that makes a small text and lets it grow would make one more each time, and the program would grow
    /// without end.
    fn grow(&mut self, block: *mut u8, from: Size, to: Size) -> bool {
        let more = to.bytes().saturating_sub(from.bytes());
        // No block ends where a chunk begins that it is no part of: a chunk is cut as soon as there is one.
        let last = block.wrapping_add(from.bytes()) == self.front;
        let fits = last && from < to && more <= self.left && self.is_out_of(to);
        if fits {
            self.advance(more);
        }
        fits
    }

    /// Takes what is free of `others`, where there is nothing yet. What is left there is forgotten: it happens once.
    fn take_over(&mut self, others: &mut Self) {
        if self.left < others.left {
            (self.front, self.left) = (others.front, others.left);
            (others.front, others.left) = (null_mut(), 0);
        }
        for (own, other) in self.free.iter_mut().zip(&mut others.free) {
            if own.is_null() {
                *own = std::mem::replace(other, null_mut());
            }
        }
    }

    /// Keeps a block for the next who needs its size.
    ///
    /// # Safety
    /// `block` was handed out with this size, and nobody uses it any more.
    #[inline]
    unsafe fn keep(&mut self, block: *mut u8, size: Size) {
        let Some(first) = self.free.get_mut(size.0) else { return };
        #[expect(clippy::cast_ptr_alignment, reason = "every block is aligned to a grain")]
        let block = block.cast::<Free>();
        // SAFETY: it is ours now, large enough and aligned: a block is at least one grain.
        unsafe { block.write(Free { next: *first }) };
        *first = block;
    }
}

/// The allocator of everything in this program.
#[cfg(all(target_os = "linux", target_env = "musl"))]
#[global_allocator]
static GLOBAL: Allocator = {
    /// The first chunk is part of the program, so that most events are answered without asking the system for memory.
    #[repr(C, align(16))]
    struct Chunk(UnsafeCell<[u8; CHUNK]>);

    // SAFETY: only the allocator has its address, and hands out each part of it to one owner.
    unsafe impl Sync for Chunk {}

    static FIRST: Chunk = Chunk(UnsafeCell::new([0; CHUNK]));
    Allocator::new(FIRST.0.get().cast(), CHUNK)
};

/// See the module.
struct Allocator {
    /// Where the variables of the first thread lie, which no other thread can say of itself; 0 before it came, [`NOBODY`]
    /// when it has handed over what it had.
    first: AtomicUsize,
    /// What only the first thread uses, as long as it is alone.
    alone: UnsafeCell<Blocks>,
    /// Whether another thread came.
    is_shared: AtomicBool,
    locked: AtomicBool,
    /// What all threads use since then.
    shared: UnsafeCell<Blocks>,
}

// SAFETY: both are reached only through `with`: one by the first thread only, the other by who holds the lock.
unsafe impl Sync for Allocator {}

// SAFETY: as above; what the first thread had is handed over by itself.
unsafe impl Send for Allocator {}

/// What is the address of no thread's variables.
const NOBODY: usize = usize::MAX;

thread_local! {
    /// Its address tells threads apart.
    static HERE: u8 = const { 0 };
}

impl Allocator {
    /// Starts with the `left` bytes at `front`, which are zero, aligned to a grain, and for nobody else.
    const fn new(front: *mut u8, left: usize) -> Self {
        Self {
            first: AtomicUsize::new(0),
            alone: UnsafeCell::new(Blocks { front, left, free: [null_mut(); Size::COUNT] }),
            is_shared: AtomicBool::new(false),
            locked: AtomicBool::new(false),
            shared: UnsafeCell::new(Blocks { front: null_mut(), left: 0, free: [null_mut(); Size::COUNT] }),
        }
    }

    /// Does something short that allocates nothing and cannot panic, alone.
    #[inline]
    fn with<T>(&self, short: impl FnOnce(&mut Blocks) -> T) -> T {
        let here = HERE.with(|here| from_ref(here).addr());
        if self.first.load(Ordering::Relaxed) == here && !self.is_shared.load(Ordering::Relaxed) {
            // SAFETY: no other thread has this address, and the reference does not outlive this call.
            return short(unsafe { &mut *self.alone.get() });
        }
        self.with_lock(here, short)
    }

    /// The same for the first time, and for a program of several threads.
    ///
    /// Not a `Mutex` of std: that one may allocate, and its poison is of no use here.
    #[cold]
    fn with_lock<T>(&self, here: usize, short: impl FnOnce(&mut Blocks) -> T) -> T {
        if self.first.compare_exchange(0, here, Ordering::Relaxed, Ordering::Relaxed).is_ok() {
            return self.with(short);
        }
        self.is_shared.store(true, Ordering::Relaxed);
        let mut tries = 0_u32;
        while self.locked.compare_exchange_weak(false, true, Ordering::Acquire, Ordering::Relaxed).is_err() {
            tries = tries.wrapping_add(1);
            // Whoever holds it may not be running; then spinning only keeps it from running.
            if tries.is_multiple_of(64) { yield_now() } else { spin_loop() }
        }
        // SAFETY: the lock is ours until it is released below, and the reference does not outlive that.
        let shared = unsafe { &mut *self.shared.get() };
        if self.first.load(Ordering::Relaxed) == here {
            // SAFETY: this is the first thread, and it uses these blocks only while it is alone.
            shared.take_over(unsafe { &mut *self.alone.get() });
            self.first.store(NOBODY, Ordering::Relaxed);
        }
        let done = short(shared);
        self.locked.store(false, Ordering::Release);
        done
    }

    /// # Safety
    /// As for [`GlobalAlloc::realloc`].
    unsafe fn move_to(&self, block: *mut u8, layout: Layout, new: Layout) -> *mut u8 {
        // SAFETY: the caller promises that the new size is not zero.
        let moved = unsafe { self.alloc(new) };
        if !moved.is_null() {
            // SAFETY: both are blocks of at least that many bytes, and a new block overlaps none that is in use.
            unsafe { copy_nonoverlapping(block, moved, layout.size().min(new.size())) };
            // SAFETY: the caller promises that the block is of this layout, and has no more use for it.
            unsafe { self.dealloc(block, layout) };
        }
        moved
    }
}

// SAFETY: a block is handed out to one owner at a time, because it is either cut from what was never handed out, or
// taken off a list on which only its last owner could put it; it is as large as its size and aligned to a grain, since
// chunks are and all sizes are multiples of it. All else is passed on to the system, on the way in as on the way out,
// because both ways ask `Size::of` with the same layout. Nothing here panics.
unsafe impl GlobalAlloc for Allocator {
    #[inline]
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        match Size::of(layout) {
            Some(size) => self.with(|blocks| blocks.reuse(size).unwrap_or_else(|| blocks.cut(size))),
            // SAFETY: the caller's promise is handed on.
            None => unsafe { System.alloc(layout) },
        }
    }

    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        let Some(size) = Size::of(layout) else {
            // SAFETY: the caller's promise is handed on.
            return unsafe { System.alloc_zeroed(layout) };
        };
        let (used, block) = self.with(|blocks| match blocks.reuse(size) {
            Some(block) => (true, block),
            None => (false, blocks.cut(size)),
        });
        if used {
            // SAFETY: the block is ours until we return it, and at least that large.
            unsafe { write_bytes(block, 0, layout.size()) };
        }
        block
    }

    #[inline]
    unsafe fn dealloc(&self, block: *mut u8, layout: Layout) {
        match Size::of(layout) {
            // SAFETY: the caller promises that the block is of this layout, hence of this size, and unused.
            Some(size) => self.with(|blocks| unsafe { blocks.keep(block, size) }),
            // SAFETY: the caller's promise is handed on.
            None => unsafe { System.dealloc(block, layout) },
        }
    }

    unsafe fn realloc(&self, block: *mut u8, layout: Layout, new_size: usize) -> *mut u8 {
        let Ok(new) = Layout::from_size_align(new_size, layout.align()) else { return null_mut() };
        match (Size::of(layout), Size::of(new)) {
            (Some(from), Some(to)) if from == to || self.with(|blocks| blocks.grow(block, from, to)) => block,
            // SAFETY: the caller's promise is handed on.
            (None, None) => unsafe { System.realloc(block, layout, new_size) },
            // SAFETY: the caller's promise is handed on.
            (Some(_) | None, Some(_)) | (Some(_), None) => unsafe { self.move_to(block, layout, new) },
        }
    }
}
