//! One record of an archive: its head, and the first bytes of its block.

use crate::damage::{Damage, InputError};
use crate::record_input::{RECORD_START, RecordInput};
use std::io::{Read, Seek};

/// Longest head of a record.
const MAX_HEAD_BYTES: usize = 64 << 10;

/// What a record is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum RecordType {
    /// A stored HTTP response.
    Response,
    /// Stored content without an HTTP header.
    Resource,
    /// A repeated visit of a page whose content is in another record.
    Revisit,
    /// Requests, metadata and others.
    Other,
}

/// The head of a record.
#[derive(Debug, Clone)]
pub(crate) struct RecordHead {
    /// Where it begins.
    pub(crate) position: u64,
    pub(crate) record_type: RecordType,
    pub(crate) url: Option<String>,
    pub(crate) date: Option<String>,
    pub(crate) content_type: Option<String>,
    /// The hash of the content that the archive states: `sha1:…`.
    pub(crate) payload_digest: Option<String>,
    /// Bytes of the block.
    pub(crate) length: u64,
}

/// Reads the head of the next record; `None` at the end of the file.
pub(crate) fn read_head<R: Read + Seek>(
    input: &mut RecordInput<R>,
    max_length: u64,
) -> Result<Option<RecordHead>, InputError> {
    if !skip_line_ends(input)? {
        return Ok(None);
    }
    let position = input.position();
    if !input.at_least(RECORD_START.len())?.starts_with(RECORD_START) {
        return Err(InputError::Damaged(Damage::NoRecord));
    }
    let (head_bytes, body_start) = head_end(input)?;
    let text = String::from_utf8_lossy(&input.at_least(head_bytes)?[..head_bytes]).into_owned();
    let head = parse_head(&text, position).map_err(InputError::Damaged)?;
    if head.length > max_length {
        return Err(InputError::Damaged(Damage::Length));
    }
    input.consume(body_start);
    Ok(Some(head))
}

/// Reads the block: at most `max_bytes` of it. The rest is passed over.
pub(crate) fn read_block<R: Read + Seek>(
    input: &mut RecordInput<R>,
    length: u64,
    max_bytes: usize,
) -> Result<Vec<u8>, InputError> {
    let mut block = Vec::new();
    let mut left = length;
    while left > 0 {
        let available = input.available()?;
        if available.is_empty() {
            return Err(InputError::Damaged(Damage::Truncated));
        }
        let passed = usize::try_from(left).unwrap_or(usize::MAX).min(available.len());
        let kept = passed.min(max_bytes - block.len());
        block.extend_from_slice(&available[..kept]);
        input.consume(passed);
        left -= passed as u64;
    }
    Ok(block)
}

/// Passes over the empty lines between records. False at the end of the file.
fn skip_line_ends<R: Read + Seek>(input: &mut RecordInput<R>) -> Result<bool, InputError> {
    loop {
        let available = input.available()?;
        if available.is_empty() {
            return Ok(false);
        }
        let count = available.iter().take_while(|byte| matches!(byte, b'\r' | b'\n')).count();
        let is_all = count == available.len();
        input.consume(count);
        if !is_all {
            return Ok(true);
        }
    }
}

/// The length of the head without the empty line after it, and with it.
fn head_end<R: Read + Seek>(input: &mut RecordInput<R>) -> Result<(usize, usize), InputError> {
    let mut wanted = 1024;
    loop {
        let available = input.at_least(wanted)?;
        let is_complete = available.len() < wanted;
        let searched = &available[..available.len().min(MAX_HEAD_BYTES)];
        if let Some(at) = memchr::memmem::find(searched, b"\r\n\r\n") {
            return Ok((at, at + 4));
        }
        // some programs write single line feeds
        if let Some(at) = memchr::memmem::find(searched, b"\n\n") {
            return Ok((at, at + 2));
        }
        if searched.len() == MAX_HEAD_BYTES {
            return Err(InputError::Damaged(Damage::Head));
        }
        if is_complete {
            return Err(InputError::Damaged(Damage::Truncated));
        }
        wanted = (wanted * 2).min(MAX_HEAD_BYTES);
    }
}

fn parse_head(text: &str, position: u64) -> Result<RecordHead, Damage> {
    let mut head = RecordHead {
        position,
        record_type: RecordType::Other,
        url: None,
        date: None,
        content_type: None,
        payload_digest: None,
        length: 0,
    };
    let mut length = None;
    for line in text.lines().skip(1) {
        // lines that go on begin with white space; no field that is read here has such lines
        if line.starts_with([' ', '\t']) || line.is_empty() {
            continue;
        }
        let (name, value) = line.split_once(':').ok_or(Damage::Head)?;
        let value = value.trim();
        match name.trim().to_ascii_lowercase().as_str() {
            "warc-type" => {
                head.record_type = match value.to_ascii_lowercase().as_str() {
                    "response" => RecordType::Response,
                    "resource" => RecordType::Resource,
                    "revisit" => RecordType::Revisit,
                    _ => RecordType::Other,
                }
            }
            // early versions wrote the address in angle brackets
            "warc-target-uri" => head.url = Some(value.trim_matches(['<', '>']).to_owned()),
            "warc-date" => head.date = Some(value.to_owned()),
            "content-type" => head.content_type = Some(value.to_owned()),
            "warc-payload-digest" => head.payload_digest = Some(value.to_owned()),
            "content-length" => length = value.parse().ok(),
            _ => {}
        }
    }
    head.length = length.ok_or(Damage::Length)?;
    Ok(head)
}
