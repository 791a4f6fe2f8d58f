# The targets a person needs. `make test` is what CI runs; the heavy ones stay outside of it.
.DEFAULT_GOAL := help
SHELL := /bin/bash

# A corpus of the form `copal eval --help` describes, and its scorer; used when they are there.
CORPUS ?= $(firstword $(wildcard ../shared/corpora))
SCORER ?= $(firstword $(wildcard ../shared/bench/score.py))
COPAL  := target/release/copal
VENV   := .venv
# real applications for the tests, apart from the packages of the comparisons
APPS   := .venv-apps
# tools that exported wrappers run on
EXPORTS := .venv-exports
METHODS ?= mdr buw rdr amber combined

.PHONY: help test fmt lint unit apps postgres exports soak bench bench-fetch noise areas eval survive fit corpus-check compare fuzz doc deny venv

help: ## this list
	@grep -hE '^[a-z-]+:.*## ' $(MAKEFILE_LIST) | awk -F ':.*## ' '{printf "  make %-13s %s\n", $$1, $$2}'

test: fmt lint unit apps postgres exports ## everything CI checks: format, lints, unit, golden, property, hostile and README tests, applications, a server, exports

fmt: ## is the code formatted?
	cargo fmt --all --check

lint: ## clippy, warnings are errors
	cargo clippy --workspace --all-targets --locked -- -D warnings

unit: ## all tests
	cargo test --workspace --locked

apps: $(APPS)/.done ## the lists of real applications on loopback, whole (installs them from the Python registry)
	COPAL_APPS=$(abspath $(APPS)) cargo test -p copal-cli --locked --test applications -- --include-ignored

# Debian and its kin have venv in a package of its own
$(APPS)/.done: apps/cli/tests/applications/requirements.txt
	rm -rf $(APPS)
	python3 -m venv $(APPS) || { test "$$(id -u)" = 0 && apt-get update -q && apt-get install -qy python3-venv \
	  && rm -rf $(APPS) && python3 -m venv $(APPS); } \
	  || { echo "python3 with venv is needed for the applications of the tests (Debian: apt install python3-venv)"; exit 1; }
	$(APPS)/bin/pip install --quiet --disable-pip-version-check -r $<
	touch $@

# the programs of a server are not in the path of Debian and its kin
postgres: ## runs kept in a PostgreSQL server of the test's own (installs Debian's package if it is missing)
	@ls /usr/lib/postgresql/*/bin/initdb >/dev/null 2>&1 || ls "$$(pg_config --bindir 2>/dev/null)/initdb" >/dev/null 2>&1 \
	  || { test "$$(id -u)" = 0 && apt-get update -q && apt-get install -qy --no-install-recommends postgresql; } \
	  || { echo "the programs of PostgreSQL are needed for this test (Debian: apt install postgresql)"; exit 1; }
	cargo test -p copal-cli --locked --test postgres -- --include-ignored

soak: ## 200 runs killed at random moments (KILLS=n)
	COPAL_KILLS=$(or $(KILLS),200) cargo test -p copal-cli --locked --test storage -- --nocapture killed

exports: $(EXPORTS)/.done ## exported wrappers on Scrapy, crawl4ai, lxml and Playwright (installs them from their registries)
	COPAL_EXPORTS=$(abspath $(EXPORTS)) cargo test -p copal-cli --locked --test exports -- --include-ignored

$(EXPORTS)/.done: $(wildcard apps/cli/tests/exports/requirements*.txt) apps/cli/tests/exports/package.json
	rm -rf $(EXPORTS)
	@missing=""; for tool in node:nodejs npm:npm chromium:chromium; do \
	    command -v $${tool%%:*} >/dev/null || missing="$$missing $${tool##*:}"; done; \
	  test -z "$$missing" || { test "$$(id -u)" = 0 && apt-get update -q && apt-get install -qy --no-install-recommends $$missing; } \
	  || { echo "needed for the tests of exports (Debian: apt install$$missing)"; exit 1; }
	python3 -m venv $(EXPORTS) || { test "$$(id -u)" = 0 && apt-get update -q && apt-get install -qy python3-venv \
	  && rm -rf $(EXPORTS) && python3 -m venv $(EXPORTS); } \
	  || { echo "python3 with venv is needed for the tests of exports (Debian: apt install python3-venv)"; exit 1; }
	$(EXPORTS)/bin/pip install --quiet --disable-pip-version-check -r apps/cli/tests/exports/requirements.txt
	$(EXPORTS)/bin/pip install --quiet --disable-pip-version-check --no-deps -r apps/cli/tests/exports/requirements-alone.txt
	cp apps/cli/tests/exports/package.json $(EXPORTS)/
	npm install --prefix $(EXPORTS) --no-audit --no-fund --loglevel=error
	touch $@

bench: ## what each stage costs next to html5ever's parse (CORPUS=folder for other pages)
	cargo bench -p copal --bench stages -- $(if $(CORPUS),$(abspath $(CORPUS))/lists)
	cargo bench -p copal --bench stages -- $(if $(CORPUS),$(abspath $(CORPUS))/lists) --memory
	cargo bench -p copal --bench annotation -- $(if $(CORPUS),$(abspath $(CORPUS))/lists)

bench-fetch: $(COPAL) ## pages a second from loopback without pauses, next to curl: the fetch crate, and the whole command
	cargo run --release --locked -p copal-fetch --example throughput
	cargo run --release --locked -p copal-cli --example command_throughput -- $(COPAL)

noise: ## how much noise in its annotations AMBER bears, on generated pages (SPLIT=seen or unseen); tables and plots
	python3 compare/generate/generate.py target/generated --seed 1
	cargo bench -p copal --bench noise -- $(abspath target/generated) --split $(or $(SPLIT),seen) \
	  --out $(abspath target/noise)/$(or $(SPLIT),seen)
	python3 compare/plot_noise.py target/noise/$(or $(SPLIT),seen)/noise.csv

areas: $(COPAL) ## is the data area of generated own pages the right element
	python3 compare/areas.py --copal $(COPAL) --wrong

$(COPAL): FORCE
	cargo build --release --locked
FORCE:

eval: $(COPAL) ## accuracy of every method on a corpus (CORPUS=folder SCORER=score.py), else on our own pages
ifeq ($(CORPUS),)
	@echo "No corpus found: running on testdata/corpus. For another one: make eval CORPUS=folder SCORER=score.py"
	@echo "(a corpus is a folder with index.jsonl, <id>.html and <id>.json; see copal eval --help)"
endif
	@mkdir -p target/eval
	@for method in $(METHODS); do \
	  echo "== $$method"; \
	  $(COPAL) eval $(or $(CORPUS),testdata/corpus) --method $$method -o target/eval/$$method.pred.jsonl \
	    $(if $(SCORER),--scorer $(SCORER)) || exit 1; \
	done
	@if [ -n "$(SCORER)" ]; then for method in $(METHODS); do \
	  echo "== $$method, by layout group and language (BUW's tables 1 to 3)"; \
	  python3 compare/buw_tables.py $(or $(CORPUS),testdata/corpus) target/eval/$$method.pred.jsonl --scorer $(SCORER) || exit 1; \
	done; fi

survive: ## how long wrappers live on pages that change as sites change them (CORPUS=folder SCORER=score.py SEED=1), else on our own
	python3 compare/survive.py $(or $(CORPUS),testdata/corpus) $(if $(SCORER),--scorer $(SCORER)) --seed $(or $(SEED),1) --by-operator

fit: $(COPAL) venv ## fit the weights of the combined extractor and of confidence on CORPUS (dev pages only), print the reports
	@test -n "$(CORPUS)" -a -n "$(SCORER)" || { echo "expected CORPUS=folder SCORER=score.py"; exit 2; }
	@mkdir -p target/fit
	for task in lists negatives; do \
	  $(COPAL) eval $(CORPUS) --task $$task --method combined --candidates -o target/fit/$$task.jsonl || exit 1; \
	done
	$(VENV)/bin/python compare/fit.py $(CORPUS) --scorer $(SCORER) --lists target/fit/lists.jsonl \
	  --negatives target/fit/negatives.jsonl --unseen target/fit/unseen.json --write crates/copal-extract/src/combined/weights.rs
	cargo fmt --all
	# with the new weights the regions are others
	cargo build --release --locked
	for task in lists negatives; do \
	  $(COPAL) eval $(CORPUS) --task $$task --method combined --set combined.sure=0 --confidence \
	    -o target/fit/confidence.$$task.jsonl || exit 1; \
	done
	$(VENV)/bin/python compare/fit_confidence.py $(CORPUS) --scorer $(SCORER) --lists target/fit/confidence.lists.jsonl \
	  --negatives target/fit/confidence.negatives.jsonl --unseen target/fit/unseen.json \
	  --write crates/copal-extract/src/confidence/weights.rs
	cargo fmt --all

corpus-check: ## is our tree the tree of a naive sink on every page of CORPUS?
	COPAL_CORPUS=$(abspath $(or $(CORPUS),testdata)) cargo test --release -p copal-dom --test same_tree -- --nocapture

venv: $(VENV)/.done
$(VENV)/.done: compare/requirements.txt
	python3 -m venv $(VENV)
	$(VENV)/bin/pip install --quiet -r compare/requirements.txt
	touch $@

compare: $(COPAL) venv ## next to parsers (lxml, selectolax) and to tools that find content by themselves; growth and memory
	$(VENV)/bin/python compare/peers.py $(or $(CORPUS),testdata)
	$(VENV)/bin/python compare/extractors.py $(firstword $(if $(CORPUS),$(wildcard $(CORPUS)/lists) $(CORPUS)) testdata) $(if $(PAGES),--pages $(PAGES))
	$(VENV)/bin/python compare/growth.py
	$(VENV)/bin/python compare/memory.py $(or $(CORPUS),testdata)

fuzz: ## fuzz every target (SECONDS_EACH=60)
	fuzz/run.sh $(or $(SECONDS_EACH),60)

doc: ## the API documentation
	RUSTDOCFLAGS="-D warnings" cargo doc --workspace --no-deps --locked

deny: ## licences, duplicates and sources of dependencies (installs cargo-deny if missing)
	cargo deny --version >/dev/null 2>&1 || cargo install cargo-deny --locked
	cargo deny check licenses bans sources
