//! The allocator as a value beside the one of the test, on any system.

use super::*;
use proptest::prelude::*;
use std::{collections::BTreeMap, sync::mpsc, thread};

fn layout(size: usize, align: usize) -> Layout {
    Layout::from_size_align(size, align).unwrap()
}

fn fresh() -> Allocator {
    Allocator::new(null_mut(), 0)
}

/// A block that writes its mark over all of itself, and knows when somebody else wrote there.
#[derive(Debug)]
struct Owned {
    block: *mut u8,
    layout: Layout,
    mark: u8,
}

// SAFETY: a block belongs to whoever has it, on whichever thread.
unsafe impl Send for Owned {}

impl Owned {
    fn new(allocator: &Allocator, layout: Layout, mark: u8) -> Self {
        // SAFETY: no layout of these tests is empty.
        let block = unsafe { allocator.alloc(layout) };
        Self { block, layout, mark }.checked().marked()
    }

    fn zeroed(allocator: &Allocator, layout: Layout, mark: u8) -> Self {
        // SAFETY: no layout of these tests is empty.
        let block = unsafe { allocator.alloc_zeroed(layout) };
        let new = Self { block, layout, mark: 0 }.checked();
        new.assert_intact(layout.size());
        Self { mark, ..new }.marked()
    }

    fn checked(self) -> Self {
        assert!(!self.block.is_null());
        assert_eq!(self.block.addr() % self.layout.align(), 0, "{:?}", self.layout);
        self
    }

    fn marked(self) -> Self {
        // SAFETY: the block is ours and that large.
        unsafe { write_bytes(self.block, self.mark, self.layout.size()) };
        self
    }

    fn assert_intact(&self, bytes: usize) {
        // SAFETY: the block is ours, that large, and was written whole.
        let bytes = unsafe { std::slice::from_raw_parts(self.block, bytes) };
        // All are like the first: quick also where nothing is optimised.
        let same = bytes.first() == Some(&self.mark) && bytes[1..] == bytes[..bytes.len() - 1];
        assert!(same, "{:?}", self.layout);
    }

    fn resized(self, allocator: &Allocator, size: usize) -> Self {
        self.assert_intact(self.layout.size());
        // SAFETY: the block is of this layout, and the new size is not zero and not too large.
        let block = unsafe { allocator.realloc(self.block, self.layout, size) };
        let resized = Self { block, layout: layout(size, self.layout.align()), mark: self.mark }.checked();
        resized.assert_intact(size.min(self.layout.size()));
        resized.marked()
    }

    fn free(self, allocator: &Allocator) {
        self.assert_intact(self.layout.size());
        // SAFETY: the block is of this layout, and is gone with `self`.
        unsafe { allocator.dealloc(self.block, self.layout) };
    }

    fn range(&self) -> (usize, usize) {
        (self.block.addr(), self.block.addr() + self.layout.size())
    }
}

#[test]
fn a_size_has_room_and_wastes_at_most_a_quarter() {
    let mut last: Option<Size> = None;
    for wanted in (1..=LARGEST).step_by(if cfg!(miri) { 16 } else { 1 }) {
        let size = Size::of(layout(wanted, GRAIN)).unwrap();
        assert!(size.0 < Size::COUNT);
        assert!(last.is_none_or(|last| last == size || Size(last.0 + 1) == size), "no size is left out");
        assert!(size.bytes() >= wanted && size.bytes().is_multiple_of(GRAIN));
        assert!(size.bytes() - wanted < GRAIN.max(wanted / 4 + 1), "{wanted} in {}", size.bytes());
        last = Some(size);
    }
    assert_eq!(last.map(|size| (size.0 + 1, size.bytes())), Some((Size::COUNT, LARGEST)));
    assert!(Size::of(layout(LARGEST + 1, 1)).is_none());
    assert!(Size::of(layout(64, 2 * GRAIN)).is_none());
}

#[test]
fn a_freed_block_is_the_next_of_its_size() {
    let allocator = fresh();
    let first = Owned::new(&allocator, layout(100, 8), 1);
    let other = Owned::new(&allocator, layout(100, 8), 2);
    let place = first.block;
    first.free(&allocator);
    let next = Owned::new(&allocator, layout(112, 1), 3);
    assert_eq!(next.block, place);
    let another = Owned::new(&allocator, layout(112, 1), 4);
    assert!(another.block != place && another.block != other.block);
}

#[test]
fn a_used_block_is_cleared_when_zeros_are_wanted() {
    let allocator = fresh();
    let used = Owned::new(&allocator, layout(1000, 1), 0xff);
    let place = used.block;
    used.free(&allocator);
    assert_eq!(Owned::zeroed(&allocator, layout(1000, 1), 1).block, place);
}

#[test]
fn the_last_block_grows_where_it_is_and_others_move() {
    let allocator = fresh();
    let first = Owned::new(&allocator, layout(16, 1), 1);
    let place = first.block;
    let mut first = first;
    for size in [17, 64, 65, 1000, 60_000, LARGEST] {
        first = first.resized(&allocator, size);
        assert_eq!(first.block, place);
    }
    let second = Owned::new(&allocator, layout(16, 1), 2);
    let larger = first.resized(&allocator, LARGEST + 1);
    assert_ne!(larger.block, place, "what is large is the system's");
    let third = second.resized(&allocator, 32);
    let fourth = Owned::new(&allocator, layout(16, 1), 4);
    let moved = third.resized(&allocator, 48);
    assert!(moved.range().0 >= fourth.range().1);
}

#[test]
fn a_chunk_is_used_to_its_last_byte_and_not_beyond() {
    let allocator = fresh();
    let mut blocks: Vec<Owned> =
        (1..CHUNK / LARGEST).map(|_| Owned::new(&allocator, layout(LARGEST, 1), 1)).collect();
    let last = Owned::new(&allocator, layout(LARGEST / 2, 1), 2);
    let place = last.block;
    let last = last.resized(&allocator, LARGEST);
    assert_eq!((last.block, allocator.with(|blocks| blocks.left)), (place, 0));
    let next = Owned::new(&allocator, layout(1, 1), 3);
    blocks.extend([last, next]);
    blocks.extend((1..CHUNK / LARGEST).map(|_| Owned::new(&allocator, layout(LARGEST, 1), 4)));
    // Less than the largest block is left now.
    let last = Owned::new(&allocator, layout(LARGEST / 2, 1), 5);
    let place = last.block;
    let moved = last.resized(&allocator, LARGEST);
    assert_ne!(moved.block, place);
    blocks.push(moved);
    blocks.into_iter().for_each(|block| block.free(&allocator));
}

#[test]
fn an_impossible_size_is_refused() {
    let allocator = fresh();
    let block = Owned::new(&allocator, layout(16, 16), 1);
    // SAFETY: wrong on purpose in the one thing that the function checks itself.
    assert!(unsafe { allocator.realloc(block.block, block.layout, usize::MAX) }.is_null());
    block.free(&allocator);
}

/// As a long batch does: much is made and dropped, little lives at one time.
#[test]
fn a_long_life_does_not_grow() {
    const LIVE: usize = 8;
    const MOST: usize = 8192;
    let rounds = if cfg!(miri) { 30 } else { 20_000 };
    let allocator = fresh();
    let first = Owned::new(&allocator, layout(1, 1), 0);
    let mut random = Random(1);
    for round in 0..rounds {
        let live: Vec<Owned> = (0..LIVE)
            .map(|_| {
                let doubling = random.below(10);
                let size = 1 + random.below(8 << doubling);
                Owned::new(&allocator, layout(size, 8), u8::try_from(round % 251).unwrap())
            })
            .collect();
        for block in live {
            let size = block.layout.size();
            block.resized(&allocator, size * 2).free(&allocator);
        }
    }
    // So many of every size that was asked for, and of each one more while it moves.
    let sizes = (0..Size::COUNT).map(|size| Size(size).bytes()).take_while(|bytes| *bytes <= MOST);
    let bound = sizes.map(|bytes| bytes * (LIVE + 1)).sum();
    let used = allocator.with(|blocks| blocks.front.addr()) - first.block.addr();
    assert!(bound < CHUNK && used < bound, "{used} bytes, expected at most {bound}");
}

#[test]
fn a_loop_of_growing_texts_does_not_grow() {
    let allocator = fresh();
    let first = Owned::new(&allocator, layout(1, 1), 0);
    for _ in 0..1000 {
        let text = Owned::new(&allocator, layout(16, 1), 1);
        text.resized(&allocator, 32).resized(&allocator, 64).free(&allocator);
    }
    let used = allocator.with(|blocks| blocks.front.addr()) - first.block.addr();
    assert!(used <= 16 + 3 * 64, "{used} bytes");
}

/// The same sequence in each run.
struct Random(u64);

impl Random {
    fn below(&mut self, limit: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        usize::try_from(self.0 >> 33).unwrap() % limit
    }
}

#[test]
fn the_first_thread_hands_over_what_it_had() {
    let allocator = &fresh();
    let kept = Owned::new(allocator, layout(100, 8), 1);
    let freed = Owned::new(allocator, layout(200, 8), 2);
    let place = freed.block;
    freed.free(allocator);
    let elsewhere = thread::scope(|scope| {
        let other = scope.spawn(move || Owned::new(allocator, layout(200, 8), 3));
        other.join().unwrap()
    });
    let elsewhere_place = elsewhere.block;
    assert_ne!(elsewhere_place, place, "what the first thread has is its own until it comes");
    // Its own chunk is the fuller one, and stays behind; its free blocks do not.
    let again = Owned::new(allocator, layout(200, 8), 4);
    assert_eq!(again.block, place);
    thread::scope(|scope| {
        scope.spawn(move || [kept, again, elsewhere].into_iter().for_each(|block| block.free(allocator)));
    });
    // All threads have one list now, the last first.
    let last = Owned::new(allocator, layout(200, 8), 5);
    assert_eq!(last.block, elsewhere_place);
}

#[test]
fn many_threads_share_it() {
    let (threads, rounds) = if cfg!(miri) { (3, 40) } else { (8, 20_000) };
    let allocator = fresh();
    let (sender, receiver) = mpsc::channel::<Owned>();
    thread::scope(|scope| {
        for thread in 0..threads {
            let (allocator, sender) = (&allocator, sender.clone());
            scope.spawn(move || {
                for round in 0..rounds {
                    let size = 1 + (thread * 31 + round * 17) % 700;
                    let block = Owned::new(allocator, layout(size, 8), u8::try_from(thread).unwrap());
                    let block = block.resized(allocator, size + round % 300);
                    if round % 3 == 0 {
                        // Freed on another thread than the one that made it.
                        sender.send(block).unwrap();
                    } else {
                        block.free(allocator);
                    }
                }
            });
        }
        drop(sender);
        receiver.iter().for_each(|block| block.free(&allocator));
    });
}

/// What a program may do next with its memory.
#[derive(Clone, Debug)]
enum Step {
    New { size: usize, align: u32, zeroed: bool },
    Resize { which: usize, size: usize },
    Free { which: usize },
}

/// Mostly small, at times around the border to what is large, seldom beyond.
fn size() -> impl Strategy<Value = usize> {
    prop_oneof![8 => 1..300_usize, 3 => 300..9000_usize, 2 => LARGEST - 40..LARGEST + 40, 1 => 1..300_000_usize]
}

fn step() -> impl Strategy<Value = Step> {
    prop_oneof![
        4 => (size(), 0..8_u32, any::<bool>())
            .prop_map(|(size, align, zeroed)| Step::New { size, align, zeroed }),
        3 => (any::<usize>(), size()).prop_map(|(which, size)| Step::Resize { which, size }),
        3 => any::<usize>().prop_map(|which| Step::Free { which }),
    ]
}

proptest! {
    #![proptest_config(ProptestConfig {
        cases: if cfg!(miri) { 4 } else { 256 },
        failure_persistence: None,
        ..ProptestConfig::default()
    })]

    /// The model is a list of who owns which bytes: no two own the same, and nobody's are written by another.
    #[test]
    fn nobody_gets_what_another_has(steps in prop::collection::vec(step(), 1..if cfg!(miri) { 30 } else { 200 })) {
        let allocator = fresh();
        let mut live: Vec<Owned> = Vec::new();
        for (number, step) in steps.into_iter().enumerate() {
            let mark = u8::try_from(number % 251).unwrap() + 1;
            match step {
                Step::New { size, align, zeroed: true } => {
                    live.push(Owned::zeroed(&allocator, layout(size, 1 << align), mark));
                }
                Step::New { size, align, zeroed: false } => {
                    live.push(Owned::new(&allocator, layout(size, 1 << align), mark));
                }
                Step::Resize { which, size } if !live.is_empty() => {
                    let block = live.swap_remove(which % live.len());
                    live.push(block.resized(&allocator, size));
                }
                Step::Free { which } if !live.is_empty() => {
                    live.swap_remove(which % live.len()).free(&allocator);
                }
                Step::Resize { .. } | Step::Free { .. } => {}
            }
            let ranges: BTreeMap<usize, usize> = live.iter().map(Owned::range).collect();
            prop_assert_eq!(ranges.len(), live.len());
            let mut end = 0;
            for (from, to) in ranges {
                prop_assert!(end <= from, "two blocks share bytes");
                end = to;
            }
        }
        live.into_iter().for_each(|block| block.free(&allocator));
    }
}
