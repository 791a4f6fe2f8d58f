//! The zstd frames of an archive: one per record, as the WARC zstd specification wants, or one for all.
//!
//! In: a file at the start of a frame. Out: its bytes. A dictionary, which such a file has in a skippable frame at its
//! start, is used for all frames. Memory is bounded by the window, which frames state and this reader limits.

use crate::counted_file::Counted;
use crate::damage::{Damage, InputError};
use ruzstd::decoding::errors::{FrameDecoderError, ReadFrameHeaderError};
use ruzstd::decoding::{BlockDecodingStrategy, Dictionary, FrameDecoder};
use std::io::{self, BufRead, Read};

/// How frames begin.
pub(crate) const ZSTD_MAGIC: [u8; 4] = [0x28, 0xb5, 0x2f, 0xfd];
/// How the skippable frame of a dictionary begins.
pub(crate) const SKIPPABLE_MAGIC: [u8; 4] = [0x5d, 0x2a, 0x4d, 0x18];
/// Largest dictionary.
const MAX_DICTIONARY_BYTES: u64 = 16 << 20;
/// Largest window of a frame: what `zstd --ultra -22` uses.
const MAX_WINDOW_BYTES: u64 = 128 << 20;

/// True if bytes begin with a frame of any kind.
pub(crate) fn starts_with_zstd(bytes: &[u8]) -> bool {
    bytes.starts_with(&ZSTD_MAGIC) || bytes.get(1..4) == Some(&SKIPPABLE_MAGIC[1..]) && bytes[0] >> 4 == 5
}

/// Decodes frame after frame.
#[derive(Default)]
pub(crate) struct ZstdFrames {
    decoder: Option<Box<FrameDecoder>>,
    /// The raw dictionary, if the file has one.
    dictionary: Option<Vec<u8>>,
}

impl ZstdFrames {
    /// Reads the dictionary at the start of a file, if there is one. One that is damaged is left out: the frames that
    /// need it are then reported as damaged.
    pub(crate) fn read_dictionary<R: Read>(&mut self, file: &mut Counted<R>) -> io::Result<()> {
        if !file.fill_buf()?.starts_with(&SKIPPABLE_MAGIC) {
            return Ok(());
        }
        let mut head = [0; 8];
        if file.read_exact(&mut head).is_err() {
            return Ok(());
        }
        let length = u64::from(u32::from_le_bytes([head[4], head[5], head[6], head[7]]));
        let mut raw = Vec::new();
        file.take(length.min(MAX_DICTIONARY_BYTES)).read_to_end(&mut raw)?;
        // the dictionary may itself be compressed
        if raw.starts_with(&ZSTD_MAGIC)
            && let Ok(decoder) = ruzstd::decoding::StreamingDecoder::new(raw.as_slice())
        {
            let mut unpacked = Vec::new();
            if decoder.take(MAX_DICTIONARY_BYTES).read_to_end(&mut unpacked).is_ok() {
                raw = unpacked;
            }
        }
        self.dictionary = Dictionary::decode_dict(&raw).is_ok().then_some(raw);
        Ok(())
    }

    /// Reads the header of the next frame. False if it is a skippable one, which is passed over.
    pub(crate) fn open<R: Read>(&mut self, file: &mut Counted<R>) -> Result<bool, InputError> {
        let dictionary = &self.dictionary;
        let decoder = self.decoder.get_or_insert_with(|| Box::new(new_decoder(dictionary.as_deref())));
        match decoder.reset(&mut *file) {
            Ok(()) => Ok(true),
            Err(FrameDecoderError::ReadFrameHeaderError(ReadFrameHeaderError::SkipFrame {
                length, ..
            })) => {
                let skipped = io::copy(&mut file.take(u64::from(length)), &mut io::sink());
                let skipped = skipped.map_err(InputError::Io)?;
                if skipped < u64::from(length) {
                    return Err(InputError::Damaged(Damage::Truncated));
                }
                Ok(false)
            }
            Err(_) => Err(self.damage(file)),
        }
    }

    /// Bytes of the frame; 0 at its end.
    pub(crate) fn read<R: Read>(
        &mut self,
        file: &mut Counted<R>,
        out: &mut [u8],
    ) -> Result<usize, InputError> {
        let Some(decoder) = &mut self.decoder else { return Ok(0) };
        while decoder.can_collect() == 0 && !decoder.is_finished() {
            if decoder.decode_blocks(&mut *file, BlockDecodingStrategy::UptoBlocks(1)).is_err() {
                return Err(self.damage(file));
            }
        }
        let read = decoder.read(out).map_err(InputError::Io)?;
        // a wrong sum is the only sign of some flipped bits
        if read == 0
            && let (Some(stated), Some(found)) =
                (decoder.get_checksum_from_data(), decoder.get_calculated_checksum())
            && stated != found
        {
            return Err(self.damage(file));
        }
        Ok(read)
    }

    /// What an error means: the end of the file, or wrong bytes. The decoder is not used again.
    fn damage<R: Read>(&mut self, file: &mut Counted<R>) -> InputError {
        self.decoder = None;
        match file.fill_buf() {
            Err(error) => InputError::Io(error),
            Ok([]) => InputError::Damaged(Damage::Truncated),
            Ok(_) => InputError::Damaged(Damage::Zstd),
        }
    }
}

fn new_decoder(dictionary: Option<&[u8]>) -> FrameDecoder {
    let mut decoder = FrameDecoder::new();
    decoder.set_max_window_size(MAX_WINDOW_BYTES);
    if let Some(dictionary) = dictionary.and_then(|raw| Dictionary::decode_dict(raw).ok()) {
        // an error means that there is one with this number already
        let _ = decoder.add_dict(dictionary);
    }
    decoder
}
