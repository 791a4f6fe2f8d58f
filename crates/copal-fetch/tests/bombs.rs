//! Small bodies that become huge: memory stays within the cap and one megabyte, whatever the encoding and its window.
//! One test, since it measures the memory of the whole process.

#![cfg(target_os = "linux")]
#![allow(clippy::unwrap_used)]

mod support;

use std::fs;
use std::io::Write;

use copal_testserver::{Server, answer};
use flate2::Compression;
use support::*;

const BOMB: usize = 64 << 20;
const MEGABYTE: usize = 1 << 20;

fn compressed<W: Write>(mut encoder: W, size: usize) -> W {
    let piece = vec![b'a'; 1 << 16];
    for _ in 0..size >> 16 {
        encoder.write_all(&piece).unwrap();
    }
    encoder
}

/// A frame of blocks that repeat one byte 128 K times; the window is 2 to the power of `10 + exponent`.
fn zstd(exponent: u8, size: usize) -> Vec<u8> {
    let mut bytes = vec![0x28, 0xb5, 0x2f, 0xfd, 0, exponent << 3];
    for _ in 0..size >> 17 {
        bytes.extend_from_slice(&((1_u32 << 17) << 3 | 2).to_le_bytes()[..3]);
        bytes.push(b'a');
    }
    bytes
}

fn status(field: &str) -> usize {
    let text = fs::read_to_string("/proc/self/status").unwrap();
    let line = text.lines().find(|line| line.starts_with(field)).unwrap();
    line.split_whitespace().nth(1).unwrap().parse::<usize>().unwrap() * 1024
}

#[test]
fn bombs_stay_within_the_cap_and_a_megabyte() {
    let gzip =
        compressed(flate2::write::GzEncoder::new(Vec::new(), Compression::fast()), BOMB).finish().unwrap();
    let zlib =
        compressed(flate2::write::ZlibEncoder::new(Vec::new(), Compression::fast()), BOMB).finish().unwrap();
    let raw = compressed(flate2::write::DeflateEncoder::new(Vec::new(), Compression::fast()), BOMB)
        .finish()
        .unwrap();
    let bombs: Vec<(&str, Vec<u8>)> = vec![
        ("gzip", gzip),
        ("deflate", zlib),
        ("deflate", raw),
        ("br", include_bytes!("data/bomb-22.br").to_vec()), // windows of 4 and 16 MB
        ("br", include_bytes!("data/bomb-24.br").to_vec()),
        ("zstd", zstd(7, BOMB)), // of 128 KB, 1, 8 and 128 MB
        ("zstd", zstd(10, BOMB)),
        ("zstd", zstd(13, BOMB)),
        ("zstd", zstd(17, BOMB)),
        ("", vec![b'a'; 12 << 20]),
    ];
    let served = bombs.clone();
    let server = Server::start(move |request| {
        let (encoding, body) = &served[request.path[1..].parse::<usize>().unwrap()];
        answer("200 OK", &format!("Content-Encoding: {encoding}\r\n"), body)
    });
    for cap in [10_000_000, 3_000_000] {
        for ratio in [100, 1_000_000] {
            for (number, (encoding, sent)) in bombs.iter().enumerate() {
                let mut options = quick(true);
                options.limits.decoded_bytes = cap;
                options.limits.ratio = ratio;
                options.limits.wire_bytes = 20_000_000;
                let url = server.url(&format!("/{number}"));
                // the server's own copy of the answer, and what a first fetch allocates for good
                let mut warm = options.clone();
                warm.limits.decoded_bytes = 1;
                let _ = get(warm, &url);
                let before = status("VmRSS");
                fs::write("/proc/self/clear_refs", "5").unwrap();
                let result = get(options, &url);
                let used = status("VmHWM").saturating_sub(before);
                // the answer is copied once in the server, in the same process
                let allowed = cap + MEGABYTE + sent.len();
                println!(
                    "cap {cap} ratio {ratio} {number} {encoding}: {used} of {allowed}, {:?}",
                    result.as_ref().map(|page| page.body.len())
                );
                assert!(used <= allowed, "{encoding} {number}: {used} of {allowed}");
                match result {
                    Ok(page) => {
                        assert!(page.truncated && page.body.len() <= cap, "{encoding} {number}");
                        assert!(page.body.iter().all(|byte| *byte == b'a'));
                        let least = if ratio == 100 { MEGABYTE } else { cap / 2 };
                        assert!(page.body.len() >= least, "{encoding} {number} {}", page.body.len());
                    }
                    Err(error) => assert!(number >= 6 && *encoding == "zstd", "{encoding} {number}: {error}"),
                }
            }
        }
    }
}
