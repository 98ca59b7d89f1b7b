//! The pages of a table, from the first row to the last.

use super::{Budget, Database, DatabaseError, HEADER, Omitted, pages::number, row::varint};
use std::io;

/// The deepest tree that is read. One with pages of 512 bytes and 2^31 rows is not as deep.
const DEPTH: usize = 24;

const LEAF: u32 = 0x0d;
const BRANCH: u32 = 0x05;

/// Takes the number and the content of a row, and returns whether it could be read.
type Take<'t> = dyn FnMut(i64, &[u8]) -> io::Result<bool> + 't;

/// The content of a row.
enum Payload {
    Whole(Vec<u8>),
    TooLong,
    Damaged,
}

impl Database<'_> {
    /// Calls `take` with every row below a page, in their order.
    pub(super) fn walk(
        &self,
        root: u32,
        longest: usize,
        budget: &mut Budget,
        omitted: &mut Omitted,
        take: &mut Take<'_>,
    ) -> Result<(), DatabaseError> {
        // Pages that are still to be read, the next one last, each with its depth.
        let mut waiting = vec![(root, 0)];
        while let Some((page, depth)) = waiting.pop() {
            if depth > DEPTH || !budget.seen.insert(page) {
                return Err(DatabaseError::Damaged("its pages are in a circle"));
            }
            let bytes = self.page(page)?;
            let start = if page == 1 { HEADER } else { 0 };
            let Some(count) = number(&bytes, start + 3, 2) else { continue };
            match number(&bytes, start, 1) {
                Some(BRANCH) => {
                    let cells = cells(&bytes, start + 12, count);
                    let last = number(&bytes, start + 8, 4).unwrap_or_default();
                    let children = cells.filter_map(|at| number(&bytes, at, 4)).chain([last]);
                    let children: Vec<u32> = children.collect();
                    waiting.extend(children.into_iter().rev().map(|child| (child, depth + 1)));
                }
                Some(LEAF) => {
                    for at in cells(&bytes, start + 8, count) {
                        let Some((id, payload)) = self.cell(&bytes, at, longest, budget)? else {
                            omitted.damaged += 1;
                            continue;
                        };
                        match payload {
                            Payload::Whole(content) => omitted.damaged += u64::from(!take(id, &content)?),
                            Payload::TooLong => omitted.too_long += 1,
                            Payload::Damaged => omitted.damaged += 1,
                        }
                    }
                }
                _ => return Err(DatabaseError::Damaged("a page is of an unknown kind")),
            }
        }
        Ok(())
    }

    /// Reads a row at a position of its page; `None` if it does not fit there.
    fn cell(
        &self,
        page: &[u8],
        at: usize,
        longest: usize,
        budget: &mut Budget,
    ) -> Result<Option<(i64, Payload)>, DatabaseError> {
        let Some((length, after)) = varint(page, at) else { return Ok(None) };
        let Some((id, after)) = varint(page, after) else { return Ok(None) };
        let Ok(length) = usize::try_from(length) else { return Ok(None) };
        let local = self.local(length);
        let Some(here) = after.checked_add(local).and_then(|end| page.get(after..end)) else {
            return Ok(None);
        };
        if length > longest {
            return Ok(Some((id, Payload::TooLong)));
        }
        budget.bytes = budget
            .bytes
            .checked_sub(length as u64)
            .ok_or(DatabaseError::Damaged("its rows hold more than the file"))?;
        let mut content = Vec::with_capacity(length);
        content.extend_from_slice(here);
        let mut next = number(page, after + local, 4).unwrap_or_default();
        while content.len() < length {
            // A page that is missing damages one row; the rows after it may be whole.
            let Ok(more) = self.page(next) else { return Ok(Some((id, Payload::Damaged))) };
            let take = (length - content.len()).min(self.usable - 4);
            content.extend_from_slice(more.get(4..4 + take).unwrap_or_default());
            next = number(&more, 0, 4).unwrap_or_default();
        }
        Ok(Some((id, Payload::Whole(content))))
    }

    /// Returns how many bytes of a row's content are in its own page; the others are in pages of overflow.
    const fn local(&self, length: usize) -> usize {
        let most = self.usable - 35;
        if length <= most {
            return length;
        }
        let least = (self.usable - 12) * 32 / 255 - 23;
        let kept = least + (length - least) % (self.usable - 4);
        if kept <= most { kept } else { least }
    }
}

/// Returns the positions of the cells of a page.
fn cells(page: &[u8], array: usize, count: u32) -> impl Iterator<Item = usize> {
    (0..count as usize).filter_map(move |index| Some(number(page, array + 2 * index, 2)? as usize))
}
