//! brotli with an allocator that refuses large requests.
//!
//! The decoder fills its ring buffer before it returns anything, and a few bytes of input can fill 16 MB. The
//! ring is as large as the data declares, so pages of usual size need little memory.

use std::io::Write;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use brotli_decompressor::writer::DecompressorWriterCustomAlloc;
use brotli_decompressor::{Allocator, BrotliDecoderParameter, HuffmanCode, StandardAlloc};

use super::body::BodyBuffer;

type AllocatedBytes = <StandardAlloc as Allocator<u8>>::AllocatedMemory;
type BrotliWriter = DecompressorWriterCustomAlloc<
    BodyBuffer,
    AllocatedBytes,
    BoundedAllocator,
    StandardAlloc,
    BoundedAllocator,
>;

/// Bytes for each of the three groups of code tables. Real pages need at most a third of this.
const MAX_TABLE_BYTES: usize = 512 * 1024;
const INPUT_BUFFER_BYTES: usize = 16 * 1024;
/// Bytes that the decoder allocates in addition to the ring.
const RING_OVERHEAD: usize = 4096;

/// A running decoder; its writer owns the body.
pub(crate) struct BrotliDecoder {
    pub(crate) writer: BrotliWriter,
    refused: Arc<AtomicBool>,
}

impl BrotliDecoder {
    /// `first` is the first byte of the data, which declares the size of the window.
    pub(crate) fn new(mut body: BodyBuffer, first: u8) -> Self {
        let max_ring = body.memory() / 2;
        let ring = declared_window(first).min(1 << max_ring.max(1).ilog2());
        body.charge_window(ring + 3 * MAX_TABLE_BYTES);
        let refused = Arc::new(AtomicBool::new(false));
        let bounded = |max_bytes| BoundedAllocator { max_bytes, refused: Arc::clone(&refused) };
        let buffer = StandardAlloc::default().alloc_cell(INPUT_BUFFER_BYTES);
        let mut writer = BrotliWriter::new(
            body,
            buffer,
            bounded(ring + RING_OVERHEAD),
            StandardAlloc::default(),
            bounded(MAX_TABLE_BYTES),
        );
        // Windows of up to a gigabyte are an extension of the standard.
        writer.set_parameter(BrotliDecoderParameter::BROTLI_DECODER_PARAM_LARGE_WINDOW, 0);
        Self { writer, refused }
    }

    /// Writes what the decoder holds back, and tells whether the data reached its end.
    pub(crate) fn finish(&mut self) -> bool {
        // If the data ends early, the decoder asks for more of it although it holds more than one buffer of output back,
        // and closing it writes one buffer only.
        loop {
            let before = self.writer.get_ref().len();
            let Ok(0) = self.writer.write(&[]) else { break };
            if self.writer.get_ref().len() == before {
                break;
            }
        }
        self.writer.close().is_ok()
    }

    /// True if the decoder asked for more memory than it may use.
    pub(crate) fn memory_refused(&self) -> bool {
        self.refused.load(Ordering::Relaxed)
    }
}

/// The window size from the first bits (RFC 7932, section 9.1).
fn declared_window(byte: u8) -> usize {
    let bits = match (byte & 1, (byte >> 1) & 7, (byte >> 4) & 7) {
        (0, ..) => 16,
        (_, 0, 0) => 17,
        (_, 0, more) => 8 + more,
        (_, bits, _) => 17 + bits,
    };
    1 << bits
}

/// Returns empty memory for requests of more than `max_bytes`, which makes the decoder end with an error.
pub(crate) struct BoundedAllocator {
    max_bytes: usize,
    refused: Arc<AtomicBool>,
}

impl BoundedAllocator {
    fn permits<T>(&self, length: usize) -> bool {
        let permitted = length.saturating_mul(size_of::<T>()) <= self.max_bytes;
        self.refused.fetch_or(!permitted, Ordering::Relaxed);
        permitted
    }
}

impl Allocator<u8> for BoundedAllocator {
    type AllocatedMemory = AllocatedBytes;

    fn alloc_cell(&mut self, length: usize) -> AllocatedBytes {
        if self.permits::<u8>(length) {
            StandardAlloc::default().alloc_cell(length)
        } else {
            AllocatedBytes::default()
        }
    }

    fn free_cell(&mut self, cell: AllocatedBytes) {
        drop(cell);
    }
}

impl Allocator<HuffmanCode> for BoundedAllocator {
    type AllocatedMemory = <StandardAlloc as Allocator<HuffmanCode>>::AllocatedMemory;

    fn alloc_cell(&mut self, length: usize) -> Self::AllocatedMemory {
        if self.permits::<HuffmanCode>(length) {
            return StandardAlloc::default().alloc_cell(length);
        }
        Self::AllocatedMemory::default()
    }

    fn free_cell(&mut self, cell: Self::AllocatedMemory) {
        drop(cell);
    }
}
