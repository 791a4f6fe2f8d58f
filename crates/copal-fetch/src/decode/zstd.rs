//! zstd, frame by frame and block by block (RFC 8878).
//!
//! Frame and block headers are parsed here, so that a window that is too large is refused before anything is
//! allocated, and a block is decoded only when it has arrived completely.

use std::io;

use ruzstd::decoding::{BlockDecodingStrategy, FrameDecoder};

use super::body::BodyBuffer;

/// The largest window that web servers may use (RFC 9659).
const MAX_ZSTD_WINDOW: u64 = 8 * 1024 * 1024;
const MAX_BLOCK_BYTES: u64 = 128 * 1024;

/// A running decoder with the body decoded so far.
pub(crate) struct ZstdDecoder {
    body: BodyBuffer,
    decoder: FrameDecoder,
    /// Input that is not decoded yet: less than one block with its header, plus the current piece.
    pending: Vec<u8>,
    state: ZstdState,
    /// The window was too large.
    pub(crate) memory_refused: bool,
    /// The checksum of a frame does not match its data.
    pub(crate) wrong_checksum: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum ZstdState {
    FrameHeader,
    Skip(u64),
    Blocks { checksum: bool },
}

impl ZstdDecoder {
    pub(crate) fn new(body: BodyBuffer) -> Self {
        Self {
            body,
            decoder: FrameDecoder::new(),
            pending: Vec::new(),
            state: ZstdState::FrameHeader,
            memory_refused: false,
            wrong_checksum: false,
        }
    }

    pub(crate) fn body(&mut self) -> &mut BodyBuffer {
        &mut self.body
    }

    pub(crate) fn push(&mut self, piece: &[u8]) -> io::Result<()> {
        self.pending.extend_from_slice(piece);
        let pending = std::mem::take(&mut self.pending);
        let mut rest = pending.as_slice();
        let result = self.decode(&mut rest);
        self.pending = rest.to_vec();
        result
    }

    /// Consumes complete headers and blocks from the front.
    fn decode(&mut self, rest: &mut &[u8]) -> io::Result<()> {
        loop {
            self.state = match self.state {
                ZstdState::Skip(0) => ZstdState::FrameHeader,
                ZstdState::Skip(_) if rest.is_empty() => return Ok(()),
                ZstdState::Skip(length) => {
                    let skipped = usize::try_from(length).unwrap_or(usize::MAX).min(rest.len());
                    *rest = &rest[skipped..];
                    ZstdState::Skip(length - skipped as u64)
                }
                ZstdState::FrameHeader => {
                    let Some(header) = FrameHeader::parse(rest)? else { return Ok(()) };
                    self.begin_frame(&header, rest)?
                }
                ZstdState::Blocks { checksum } => {
                    let Some(length) = complete_block(rest, checksum)? else { return Ok(()) };
                    let (mut block, after) = rest.split_at(length);
                    *rest = after;
                    let strategy = BlockDecodingStrategy::UptoBlocks(1);
                    let last = self.decoder.decode_blocks(&mut block, strategy).map_err(io::Error::other)?;
                    self.decoder.collect_to_writer(&mut self.body)?;
                    if last {
                        self.compare_checksums()?;
                        ZstdState::FrameHeader
                    } else {
                        self.state
                    }
                }
            };
        }
    }

    fn begin_frame(&mut self, header: &FrameHeader, rest: &mut &[u8]) -> io::Result<ZstdState> {
        let (mut bytes, after) = rest.split_at(header.length);
        *rest = after;
        if let Some(skip) = header.skip {
            return Ok(ZstdState::Skip(skip));
        }
        // The decoder's ring buffer grows to the next power of two.
        let ring = (header.window.min(MAX_ZSTD_WINDOW) + 2 * MAX_BLOCK_BYTES).next_power_of_two();
        self.body.charge_window(ring as usize);
        if header.window > MAX_ZSTD_WINDOW || ring as usize > self.body.memory() / 2 {
            self.memory_refused = true;
            return Err(io::Error::other("the window is too large"));
        }
        self.decoder.reset(&mut bytes).map_err(io::Error::other)?;
        Ok(ZstdState::Blocks { checksum: header.checksum })
    }

    /// Called after the last block of a frame.
    fn compare_checksums(&mut self) -> io::Result<()> {
        let stored = self.decoder.get_checksum_from_data();
        if stored.is_some() && stored != self.decoder.get_calculated_checksum() {
            self.wrong_checksum = true;
            return Err(io::Error::other("the checksum is wrong"));
        }
        Ok(())
    }

    /// Called at the end of the transfer. Returns whether the data has reached its end. An incomplete frame
    /// gets an empty last block, which makes the decoder return the data that it keeps for later references.
    pub(crate) fn finish(&mut self) -> bool {
        if matches!(self.state, ZstdState::Blocks { .. }) && !self.body.is_full() {
            let last: &[u8] = &[1, 0, 0, 0, 0, 0, 0];
            // If this fails, the body is what came out before.
            if self.decoder.decode_blocks(last, BlockDecodingStrategy::All).is_ok() {
                let _ = self.decoder.collect_to_writer(&mut self.body);
            }
        }
        matches!(self.state, ZstdState::FrameHeader | ZstdState::Skip(0)) && self.pending.is_empty()
    }
}

struct FrameHeader {
    length: usize,
    window: u64,
    checksum: bool,
    skip: Option<u64>,
}

impl FrameHeader {
    /// Returns `None` if more bytes are needed.
    fn parse(bytes: &[u8]) -> io::Result<Option<Self>> {
        let Some((magic, rest)) =
            bytes.split_first_chunk().map(|(magic, rest)| (u32::from_le_bytes(*magic), rest))
        else {
            return Ok(None);
        };
        if magic & 0xffff_fff0 == 0x184d_2a50 {
            let skip = rest.first_chunk().map(|length| u64::from(u32::from_le_bytes(*length)));
            return Ok(skip.map(|skip| Self { length: 8, window: 0, checksum: false, skip: Some(skip) }));
        }
        if magic != 0xfd2f_b528 {
            return Err(io::Error::other("not zstd"));
        }
        let Some((&descriptor, rest)) = rest.split_first() else { return Ok(None) };
        let single_segment = descriptor >> 5 & 1 == 1;
        let window_bytes = usize::from(!single_segment);
        let dictionary_bytes = [0, 1, 2, 4][usize::from(descriptor & 3)];
        let size_bytes = [usize::from(single_segment), 2, 4, 8][usize::from(descriptor >> 6)];
        let length = window_bytes + dictionary_bytes + size_bytes;
        if rest.len() < length {
            return Ok(None);
        }
        let window = if single_segment {
            let mut size = [0; 8];
            size[..size_bytes].copy_from_slice(&rest[dictionary_bytes..length]);
            u64::from_le_bytes(size).saturating_add(if size_bytes == 2 { 256 } else { 0 })
        } else {
            let base = 1_u64 << (10 + (rest[0] >> 3));
            base + base / 8 * u64::from(rest[0] & 7)
        };
        Ok(Some(Self { length: 5 + length, window, checksum: descriptor >> 2 & 1 == 1, skip: None }))
    }
}

/// The length of the block at the front, with its header and, for the last block, the checksum after it.
/// Returns `None` if it has not arrived completely.
fn complete_block(bytes: &[u8], checksum: bool) -> io::Result<Option<usize>> {
    let Some([one, two, three]) = bytes.first_chunk().copied() else { return Ok(None) };
    let header = u32::from_le_bytes([one, two, three, 0]);
    let (last, repeated, size) = (header & 1 == 1, header >> 1 & 3 == 1, (header >> 3) as usize);
    if size as u64 > MAX_BLOCK_BYTES {
        return Err(io::Error::other("the block is too large"));
    }
    let length = 3 + if repeated { 1 } else { size } + if last && checksum { 4 } else { 0 };
    Ok((bytes.len() >= length).then_some(length))
}
