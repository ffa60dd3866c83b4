//! Batches: as many files as may be in memory at once.

use super::files::File;

/// How much is read at once.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Bounds {
    /// Bytes of files; a larger file goes alone.
    pub bytes: u64,
    /// Files, so that an interrupted run never loses much work.
    pub files: usize,
}

/// Of a transcript a quarter or less is kept in memory, and two batches are under way at a time.
impl Default for Bounds {
    fn default() -> Self {
        Self { bytes: 32 << 20, files: 512 }
    }
}

/// Cuts the queue into batches, in its order.
pub(super) fn batches(queue: Vec<File>, bounds: Bounds) -> Vec<Vec<File>> {
    let mut batches: Vec<Vec<File>> = Vec::new();
    let mut room = 0;
    for file in queue {
        match batches.last_mut() {
            Some(batch) if file.stamp.size <= room && batch.len() < bounds.files => {
                room -= file.stamp.size;
                batch.push(file);
            }
            _ => {
                room = bounds.bytes.saturating_sub(file.stamp.size);
                batches.push(vec![file]);
            }
        }
    }
    batches
}
