#!/usr/bin/env bash
# Fuzzes every reader of outside input for a while: fuzz/run.sh [SECONDS per check, default 60] [CHECK...]
# The seconds are processor time, so that a busy machine does not shorten the search.
#
# fuzz/run.sh seeds              only copies the pages of testdata and the stored inputs into the corpora
# fuzz/run.sh keep [CHECK...]    minimises the corpora and stores at most 24 small inputs of each in fuzz/inputs
#
# The checks are functions of crates/copal-fuzz-checks. SANITIZER=none is several times faster: our own code has no
# unsafe blocks, only libraries have. Corpora grow in fuzz/corpus and are kept for the next run. A crash ends its
# check, leaves the input in fuzz/artifacts and makes the exit code 1. Where fuzzing cannot run, a line says why and
# the exit code is 0. Each run appends its executions and processor seconds to fuzz/runs.tsv.
set -euo pipefail
cd "$(dirname "$0")"

mapfile -t all < <(sed -n 's/^    ("\([a-z_]*\)", [a-z_]*::check),$/\1/p' ../crates/copal-fuzz-checks/src/checks/mod.rs)
checks=("${all[@]}")
seconds=60
sanitizer=${SANITIZER:-address}
action=fuzz
case ${1:-} in
  seeds | keep) action=$1; shift ;;
  '') ;;
  *[!0-9]*) echo "usage: fuzz/run.sh [SECONDS] [CHECK...] | seeds | keep [CHECK...]" >&2; exit 2 ;;
  *) seconds=$1; shift ;;
esac
[ $# -eq 0 ] || checks=("$@")

skip() {
  echo "fuzzing cannot run here: $1"
  exit 0
}

# Copies files of testdata, named by their folders, into the corpus of a check: seeds CHECK FIND-TESTS...
copy_seeds() {
  local check=$1
  shift
  (cd .. && find testdata examples domains crates/copal-wrapper/tests -type f -size -8k "$@" -print) |
    while read -r file; do cp "../$file" "corpus/$check/seed-${file//\//-}"; done
}

for check in "${checks[@]}"; do
  case " ${all[*]} " in *" $check "*) ;; *) echo "no check $check: expected one of ${all[*]}" >&2; exit 2 ;; esac
  mkdir -p "corpus/$check"
  case $check in
    wrapper_file) copy_seeds "$check" -name '*.copal.yaml' ;;
    domain_file) copy_seeds "$check" -name 'domain.yaml' ;;
    documents) copy_seeds "$check" \( -name '*.json' -o -name '*.xml' -o -name '*.rss' \) ;;
    embedded) copy_seeds "$check" -name '*.json' ;;
    annotators | archive | body | config | cookies | headers | robots | selectors | snapshot | urls | request_body) ;;
    *) copy_seeds "$check" -name '*.html' ;;
  esac
  [ ! -d "seeds/$check" ] || for seed in "seeds/$check"/*; do cp "$seed" "corpus/$check/seed-${seed##*/}"; done
  [ ! -d "inputs/$check" ] || cp -r "inputs/$check/." "corpus/$check/"
done
[ "$action" != seeds ] || exit 0

command -v cargo >/dev/null || skip "cargo is missing"
if ! cargo fuzz --version >/dev/null 2>&1; then
  echo "installing cargo-fuzz"
  cargo install cargo-fuzz --locked --quiet || skip "cargo-fuzz is missing and could not be installed"
fi
# sanitizers are unstable flags; this lets the stable compiler take them
export RUSTC_BOOTSTRAP=1
log=$(mktemp)
trap 'rm -f "$log" "$log.time"' EXIT
# -O: the profile says which packages have assertions; without it cargo-fuzz switches them on for all
if ! cargo fuzz build -O --sanitizer "$sanitizer" readers >"$log" 2>&1; then
  tail -n 30 "$log" >&2
  # an error in our own code is a failure, a toolchain without sanitizers is not
  if grep -qE '^error(\[E[0-9]+\])?: could not compile `copal' "$log"; then
    echo "the fuzzer does not compile" >&2
    exit 1
  fi
  skip "the fuzzer could not be built with sanitizer $sanitizer (see above)"
fi
readers=$(echo target/*/release/readers)
# SQLite is in the program twice, as an object and as a part of a library; the sanitizer takes that for an error
export ASAN_OPTIONS="${ASAN_OPTIONS:+$ASAN_OPTIONS:}detect_odr_violation=0"

if [ "$action" = keep ]; then
  for check in "${checks[@]}"; do
    kept=$(mktemp -d)
    COPAL_FUZZ_CHECK=$check "$readers" -set_cover_merge=1 -max_len=4096 -timeout=60 "$kept" "corpus/$check" >"$log" 2>&1 \
      || { tail -n 5 "$log" >&2; exit 1; }
    mkdir -p "inputs/$check"
    # inputs of faults that were found stay, under their own names
    find "inputs/$check" -type f ! -name 'fault-*' -delete
    # every n-th, so that short and long ones are kept
    ls -Sr "$kept" | awk -v all="$(ls "$kept" | wc -l)" -v most=24 'all <= most || int(NR * most / all) != int((NR - 1) * most / all)' |
      while read -r file; do cp "$kept/$file" "inputs/$check/${file:0:12}"; done
    echo "$check: $(ls "corpus/$check" | wc -l) inputs, $(ls "$kept" | wc -l) cover the same, $(ls "inputs/$check" | wc -l) stored"
    rm -rf "$kept"
  done
  exit 0
fi

# Characters of the longest input. Checks that read whole pages several times get shorter ones, and more of them.
longest() {
  case $1 in columns | details | documents | embedded | extract | html_tree | site_pages | values) echo 2500 ;; *) echo 8192 ;; esac
}

failed=()
for check in "${checks[@]}"; do
  echo "== $check, $seconds s"
  mkdir -p "artifacts/$check"
  used=0
  runs=0
  # each round is bounded by the clock; a busy machine needs several
  for _ in 1 2 3 4 5 6 7 8; do
    left=$((seconds - used))
    [ "$left" -gt 0 ] || break
    is_fine=1
    { TIMEFORMAT='%U %S'; time COPAL_FUZZ_CHECK=$check "$readers" "corpus/$check" -artifact_prefix="artifacts/$check/" \
      -max_total_time="$left" -rss_limit_mb=2048 -timeout=60 -max_len="$(longest "$check")" -dict=readers.dict -print_final_stats=1 \
      -verbosity=1 >"$log" 2>&1 || is_fine=0; } 2>"$log.time"
    used=$((used + $(awk '{printf "%d", $1 + $2 + 1}' "$log.time")))
    executed=$(sed -n 's/^stat::number_of_executed_units: *//p' "$log")
    runs=$((runs + ${executed:-0}))
    if [ "$is_fine" = 0 ]; then
      failed+=("$check")
      grep -aE 'panicked at|^SUMMARY|^ERROR|Test unit written' "$log" || true
      break
    fi
  done
  echo "$runs runs, $used s of processor time, $(ls "corpus/$check" | wc -l) inputs"
  printf '%s\t%s\t%s\t%s\n' "$(date -u +%F)" "$check" "$runs" "$used" >>runs.tsv
done

if [ ${#failed[@]} -gt 0 ]; then
  echo "crashed: ${failed[*]}; inputs are in fuzz/artifacts"
  echo "to make one small: COPAL_FUZZ_CHECK=CHECK fuzz/$readers -minimize_crash=1 -runs=10000 fuzz/artifacts/CHECK/FILE"
  exit 1
fi
echo "no crash in ${checks[*]}"
