//! brotli with an allocator that says no. The decoder fills its ring before it gives anything away, and a few bytes can
//! fill 16 MB; the ring is made as large as the data claims to be, so pages of usual size need little of it.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use brotli_decompressor::writer::DecompressorWriterCustomAlloc;
use brotli_decompressor::{Allocator, BrotliDecoderParameter, HuffmanCode, StandardAlloc};

use super::Body;

type Bytes = <StandardAlloc as Allocator<u8>>::AllocatedMemory;
type Writer = DecompressorWriterCustomAlloc<Body, Bytes, Bounded, StandardAlloc, Bounded>;

/// Bytes that one of the three groups of code tables may have; the most that real pages need is a third of it.
const TABLES: usize = 512 * 1024;
const BUFFER: usize = 16 * 1024;
/// What the decoder adds to a ring.
const RING_SLACK: usize = 4096;

/// A decoder with its body.
pub(crate) struct Brotli {
    pub(crate) writer: Writer,
    refused: Arc<AtomicBool>,
}

impl Brotli {
    /// `first` is the first byte of the data: it tells the size of the window.
    pub(crate) fn new(mut body: Body, first: u8) -> Self {
        let most = body.memory() / 2;
        let ring = window(first).min(1 << most.max(1).ilog2());
        body.charge(ring + 3 * TABLES);
        let refused = Arc::new(AtomicBool::new(false));
        let bounded = |most| Bounded { most, refused: Arc::clone(&refused) };
        let buffer = StandardAlloc::default().alloc_cell(BUFFER);
        let mut writer =
            Writer::new(body, buffer, bounded(ring + RING_SLACK), StandardAlloc::default(), bounded(TABLES));
        // windows of up to a gigabyte are no part of the standard
        writer.set_parameter(BrotliDecoderParameter::BROTLI_DECODER_PARAM_LARGE_WINDOW, 0);
        Self { writer, refused }
    }

    /// Was more memory needed than there is?
    pub(crate) fn refused(&self) -> bool {
        self.refused.load(Ordering::Relaxed)
    }
}

/// RFC 7932, section 9.1: the first bits are the size of the window.
fn window(byte: u8) -> usize {
    let bits = match (byte & 1, (byte >> 1) & 7, (byte >> 4) & 7) {
        (0, ..) => 16,
        (_, 0, 0) => 17,
        (_, 0, more) => 8 + more,
        (_, bits, _) => 17 + bits,
    };
    1 << bits
}

/// Gives nothing to who wants more than `most` bytes at once; the decoder ends with an error then.
pub(crate) struct Bounded {
    most: usize,
    refused: Arc<AtomicBool>,
}

impl Bounded {
    fn permits<T>(&self, length: usize) -> bool {
        let permitted = length.saturating_mul(size_of::<T>()) <= self.most;
        self.refused.fetch_or(!permitted, Ordering::Relaxed);
        permitted
    }
}

impl Allocator<u8> for Bounded {
    type AllocatedMemory = Bytes;

    fn alloc_cell(&mut self, length: usize) -> Bytes {
        if self.permits::<u8>(length) {
            StandardAlloc::default().alloc_cell(length)
        } else {
            Bytes::default()
        }
    }

    fn free_cell(&mut self, cell: Bytes) {
        drop(cell);
    }
}

impl Allocator<HuffmanCode> for Bounded {
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
