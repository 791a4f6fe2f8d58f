#!/usr/bin/env bash
# Fuzzes every target for a while: fuzz/run.sh [SECONDS per target, default 60] [TARGET...]
#
# fuzz/run.sh seeds     only copies the pages of testdata into the corpora
#
# SANITIZER=none is several times faster: our own code has no unsafe blocks, only libraries have.
# Corpora grow in fuzz/corpus and are kept for the next run. A crash ends its target, leaves the input in
# fuzz/artifacts and makes the exit code 1. Where fuzzing cannot run, a line says why and the exit code is 0.
set -euo pipefail
cd "$(dirname "$0")"

targets=(decode tree style css extract robots body cookies config values forms site_pages snapshot annotators request_body archive replay corrections page_copy)
seconds=60
sanitizer=${SANITIZER:-address}
only_seeds=
if [ "${1:-}" = seeds ]; then
  only_seeds=yes
elif [ $# -gt 0 ]; then
  case $1 in *[!0-9]*) echo "usage: fuzz/run.sh [SECONDS] [TARGET...] | seeds" >&2; exit 2 ;; esac
  seconds=$1
  shift
  [ $# -eq 0 ] || targets=("$@")
fi

skip() {
  echo "fuzzing cannot run here: $1"
  exit 0
}

# The pages of testdata, named by their folders.
seeds() {
  mkdir -p "corpus/$1"
  (cd ../testdata && find . -name '*.html' -size -8k) | while read -r page; do
    name=${page#./}
    cp "../testdata/$name" "corpus/$1/seed-${name//\//-}"
  done
}

for target in "${targets[@]}"; do
  [ -f "fuzz_targets/$target.rs" ] || { echo "no target $target: expected one of $(cd fuzz_targets && ls | sed 's/\.rs$//' | tr '\n' ' ')" >&2; exit 2; }
  seeds "$target"
done
[ -z "$only_seeds" ] || exit 0

command -v cargo >/dev/null || skip "cargo is missing"
if ! cargo fuzz --version >/dev/null 2>&1; then
  echo "installing cargo-fuzz"
  cargo install cargo-fuzz --locked --quiet || skip "cargo-fuzz is missing and could not be installed"
fi
# sanitizers are unstable flags; this lets the stable compiler take them
export RUSTC_BOOTSTRAP=1
log=$(mktemp)
trap 'rm -f "$log"' EXIT
if ! cargo fuzz build --sanitizer "$sanitizer" >"$log" 2>&1; then
  tail -n 30 "$log" >&2
  # an error in our own code is a failure, a toolchain without sanitizers is not
  if grep -qE '^error(\[E[0-9]+\])?: could not compile `copal' "$log"; then
    echo "the fuzz targets do not compile" >&2
    exit 1
  fi
  skip "the targets could not be built with sanitizer $sanitizer (see above)"
fi

failed=()
for target in "${targets[@]}"; do
  echo "== $target, $seconds s"
  cargo fuzz run --sanitizer "$sanitizer" "$target" -- -max_total_time="$seconds" -rss_limit_mb=2048 -timeout=20 -max_len=8192 \
    -dict=html.dict -print_final_stats=1 -verbosity=1 >"$log" 2>&1 || failed+=("$target")
  grep -E 'panicked at|^SUMMARY|^ERROR|Test unit written|stat::(number_of_executed_units|peak_rss_mb|new_units_added)|^Done' "$log" || true
done

if [ ${#failed[@]} -gt 0 ]; then
  echo "crashed: ${failed[*]}; inputs are in fuzz/artifacts"
  echo "to make one small: RUSTC_BOOTSTRAP=1 cargo fuzz tmin TARGET fuzz/artifacts/TARGET/FILE"
  exit 1
fi
echo "no crash in ${targets[*]}"
