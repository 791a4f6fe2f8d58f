#!/usr/bin/env python3
"""Writes the demo as a folder of static files: the page of docs/demo, and program.js with the extractor in it.

usage: demo.py PROGRAM.wasm FOLDER

The program is compressed and written as text into a script, because a page that is opened from a disk (file://) may run
scripts but not read files. The page needs no server and sends no request.
"""
import base64
import gzip
import json
import pathlib
import shutil
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
PAGE = ROOT / "docs" / "demo"
EXAMPLE = ROOT / "examples" / "shop.html"
STATIC_FILES = ["index.html", "demo.css", "demo.js"]


def main():
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    program, folder = pathlib.Path(sys.argv[1]), pathlib.Path(sys.argv[2])
    folder.mkdir(parents=True, exist_ok=True)
    for name in STATIC_FILES:
        shutil.copyfile(PAGE / name, folder / name)
    wasm = program.read_bytes()
    # without a time stamp, so that the same program gives the same file
    packed = gzip.compress(wasm, compresslevel=9, mtime=0)
    packs = ROOT / "domains" / "packs"
    content = {
        "wasm": base64.b64encode(packed).decode("ascii"),
        "worker": (PAGE / "worker.js").read_text(encoding="utf-8"),
        "domains": sorted(path.parent.name for path in packs.glob("*/domain.yaml")),
        "example": {"html": EXAMPLE.read_text(encoding="utf-8"), "url": "https://shop.example/"},
    }
    script = "const copalProgram = " + json.dumps(content, ensure_ascii=True) + ";\n"
    (folder / "program.js").write_text(script, encoding="utf-8")
    print(f"{folder / 'index.html'}: open it in a browser. The program has {len(wasm):,} bytes, "
          f"{len(packed):,} compressed; the page has {sum(f.stat().st_size for f in folder.iterdir()):,}.")


main()
