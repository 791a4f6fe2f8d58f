#!/usr/bin/env bash
# Builds a package twice, in two folders of different names, and compares the results byte by byte:
# packaging/reproducible.sh [PACKAGE, default copal-cli]
#
# The commit is built, not what was changed since. Paths of the machine are replaced, as they are in panics. Takes two
# release builds.
set -euo pipefail
cd "$(dirname "$0")/.."
package=${1:-copal-cli}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cargo=${CARGO_HOME:-$HOME/.cargo}
for folder in first second/with-another-depth; do
  mkdir -p "$work/$folder"
  git archive HEAD | tar -x -C "$work/$folder"
  (cd "$work/$folder" && RUSTFLAGS="--remap-path-prefix=$PWD=/copal --remap-path-prefix=$cargo=/cargo" \
    cargo build --release --locked --quiet --package "$package")
done
found=0
for file in "$work"/first/target/release/copal* "$work"/first/target/release/*.rlib; do
  [ -f "$file" ] && [[ $file != *.d ]] || continue
  found=1
  other="$work/second/with-another-depth/target/release/${file##*/}"
  sha256sum "$file" "$other" | sed "s|$work/||"
  cmp "$file" "$other" || { echo "${file##*/} differs between two builds" >&2; exit 1; }
done
[ "$found" = 1 ] || { echo "nothing was built that can be compared" >&2; exit 1; }
echo "$package: two builds in different folders are equal"
