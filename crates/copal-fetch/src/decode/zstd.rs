//! zstd, frame by frame and block by block (RFC 8878). The heads are read here, so that a window too large for the cap
//! is refused before anything is allocated, and a block is decoded only when all of it is there.

use std::io::{self, Write};

use ruzstd::decoding::{BlockDecodingStrategy, FrameDecoder};

use super::Body;

/// The largest window that servers of the web may use (RFC 9659).
const MAX_WINDOW: u64 = 8 * 1024 * 1024;
const BLOCK: u64 = 128 * 1024;

pub(crate) struct Zstd {
    body: Body,
    decoder: FrameDecoder,
    /// What came in and is not decoded yet: less than a block and its head, and the piece.
    pending: Vec<u8>,
    state: State,
    /// The window was too large.
    pub(crate) refused: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum State {
    Head,
    Skip(u64),
    Blocks { checksum: bool },
}

impl Zstd {
    pub(crate) fn new(body: Body) -> Self {
        Self { body, decoder: FrameDecoder::new(), pending: Vec::new(), state: State::Head, refused: false }
    }

    pub(crate) fn body(&mut self) -> &mut Body {
        &mut self.body
    }

    pub(crate) fn push(&mut self, piece: &[u8]) -> io::Result<()> {
        self.pending.extend_from_slice(piece);
        let pending = std::mem::take(&mut self.pending);
        let mut rest = pending.as_slice();
        let done = self.decode(&mut rest);
        self.pending = rest.to_vec();
        done
    }

    /// Takes whole heads and blocks off the front.
    fn decode(&mut self, rest: &mut &[u8]) -> io::Result<()> {
        loop {
            self.state = match self.state {
                State::Skip(0) => State::Head,
                State::Skip(_) if rest.is_empty() => return Ok(()),
                State::Skip(length) => {
                    let taken = usize::try_from(length).unwrap_or(usize::MAX).min(rest.len());
                    *rest = &rest[taken..];
                    State::Skip(length - taken as u64)
                }
                State::Head => {
                    let Some(head) = Head::read(rest)? else { return Ok(()) };
                    self.begin(&head, rest)?
                }
                State::Blocks { checksum } => {
                    let Some(length) = whole_block(rest, checksum)? else { return Ok(()) };
                    let (mut block, behind) = rest.split_at(length);
                    *rest = behind;
                    let strategy = BlockDecodingStrategy::UptoBlocks(1);
                    let last = self.decoder.decode_blocks(&mut block, strategy).map_err(io::Error::other)?;
                    self.decoder.collect_to_writer(&mut self.body)?;
                    if last { State::Head } else { self.state }
                }
            };
        }
    }

    fn begin(&mut self, head: &Head, rest: &mut &[u8]) -> io::Result<State> {
        let (mut bytes, behind) = rest.split_at(head.length);
        *rest = behind;
        if let Some(skip) = head.skip {
            return Ok(State::Skip(skip));
        }
        // the decoder's ring grows to the next power of two
        let ring = (head.window.min(MAX_WINDOW) + 2 * BLOCK).next_power_of_two();
        self.body.charge(ring as usize);
        if head.window > MAX_WINDOW || ring as usize > self.body.memory() / 2 {
            self.refused = true;
            return Err(io::Error::other("the window is too large"));
        }
        self.decoder.reset(&mut bytes).map_err(io::Error::other)?;
        Ok(State::Blocks { checksum: head.checksum })
    }

    /// At the end of the wire: a frame that is not complete gets an empty last block, which makes the decoder give away
    /// what it keeps for later references.
    pub(crate) fn finish(&mut self) -> io::Result<()> {
        if matches!(self.state, State::Blocks { .. }) && !self.body.full {
            let last: &[u8] = &[1, 0, 0, 0, 0, 0, 0];
            self.decoder.decode_blocks(last, BlockDecodingStrategy::All).map_err(io::Error::other)?;
            self.decoder.collect_to_writer(&mut self.body)?;
        }
        self.body.flush()
    }
}

struct Head {
    length: usize,
    window: u64,
    checksum: bool,
    skip: Option<u64>,
}

impl Head {
    /// None: more bytes are needed.
    fn read(bytes: &[u8]) -> io::Result<Option<Self>> {
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
        let single = descriptor >> 5 & 1 == 1;
        let window_bytes = usize::from(!single);
        let dictionary_bytes = [0, 1, 2, 4][usize::from(descriptor & 3)];
        let size_bytes = [usize::from(single), 2, 4, 8][usize::from(descriptor >> 6)];
        let length = window_bytes + dictionary_bytes + size_bytes;
        if rest.len() < length {
            return Ok(None);
        }
        let window = if single {
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

/// The length of the block at the front with its head, and the checksum behind the last one; none if it is not all there.
fn whole_block(bytes: &[u8], checksum: bool) -> io::Result<Option<usize>> {
    let Some([one, two, three]) = bytes.first_chunk().copied() else { return Ok(None) };
    let head = u32::from_le_bytes([one, two, three, 0]);
    let (last, repeated, size) = (head & 1 == 1, head >> 1 & 3 == 1, (head >> 3) as usize);
    if size as u64 > BLOCK {
        return Err(io::Error::other("the block is too large"));
    }
    let length = 3 + if repeated { 1 } else { size } + if last && checksum { 4 } else { 0 };
    Ok((bytes.len() >= length).then_some(length))
}
