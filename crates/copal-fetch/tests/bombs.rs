//! Small bodies that become huge: memory stays within the cap and one megabyte, whatever the encoding and its window.
//! Each is fetched by a process of its own (this test again), whose memory is measured.

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

/// Peak memory of fetching a bomb, above what a small page needs; then the length of what came, or the error.
fn child(given: &str) {
    let words: Vec<&str> = given.split(' ').collect();
    let mut options = quick(true);
    options.limits.decoded_bytes = words[1].parse().unwrap();
    options.limits.ratio = words[2].parse().unwrap();
    options.limits.wire_bytes = 20_000_000;
    let fetcher = fetcher(options);
    block_on(async {
        fetcher.get(&words[0].replace("/bomb/", "/small/")).await.unwrap();
        let before = status("VmRSS");
        fs::write("/proc/self/clear_refs", "5").unwrap();
        let result = fetcher.get(words[0]).await;
        let used = status("VmHWM").saturating_sub(before);
        match result {
            Ok(page) => {
                assert!(page.truncated && page.body.iter().all(|byte| *byte == b'a'));
                println!("\nresult {used} {}", page.body.len());
            }
            Err(error) => println!("\nresult {used} {error}"),
        }
    });
}

#[test]
fn bombs_stay_within_the_cap_and_a_megabyte() {
    if let Ok(given) = std::env::var("COPAL_TEST_BOMB") {
        return child(&given);
    }
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
        let Some(number) = request.path.strip_prefix("/bomb/") else { return answer("200 OK", "", "small") };
        let (encoding, body) = &served[number.parse::<usize>().unwrap()];
        answer("200 OK", &format!("Content-Encoding: {encoding}\r\n"), body)
    });
    for cap in [10_000_000, 4 * MEGABYTE] {
        for ratio in [100, 1_000_000] {
            for (number, (encoding, _)) in bombs.iter().enumerate() {
                let given = format!("{} {cap} {ratio}", server.url(&format!("/bomb/{number}")));
                let output = std::process::Command::new(std::env::current_exe().unwrap())
                    .args(["--nocapture", "bombs_stay_within_the_cap_and_a_megabyte"])
                    .env("COPAL_TEST_BOMB", given)
                    .output()
                    .unwrap();
                let text = String::from_utf8_lossy(&output.stdout);
                let result = text.lines().find_map(|line| line.strip_prefix("result ")).expect(&text);
                println!("cap {cap} ratio {ratio} {number} {encoding}: {result}");
                let (used, came) = result.split_once(' ').unwrap();
                assert!(used.parse::<usize>().unwrap() <= cap + MEGABYTE, "{encoding} {number}: {result}");
                match came.parse::<usize>() {
                    Ok(length) => {
                        let least = if ratio == 100 && number != 9 { MEGABYTE } else { cap / 2 };
                        assert!((least..=cap).contains(&length), "{encoding} {number}: {result}");
                    }
                    Err(_) => {
                        let large_window = matches!(number, 3 | 4 | 6..=8);
                        assert!(came.contains("needs too much memory") && large_window, "{number}: {came}");
                    }
                }
            }
        }
    }
}
