# The targets that people need. `make test` is what CI runs; it does not include the heavy ones.
.DEFAULT_GOAL := help
SHELL := /bin/bash

# A corpus as `copal-lab eval --help` describes it, and its scorer; used if they exist.
CORPUS ?= $(firstword $(wildcard ../shared/corpora))
SCORER ?= $(firstword $(wildcard ../shared/bench/score.py))
COPAL  := target/release/copal
LAB    := target/release/copal-lab
VENV   := .venv
# real applications for the tests, apart from the packages of the comparisons
APPS   := .venv-apps
# tools that exported wrappers run on
EXPORTS := .venv-exports
# what the tests of the Python package use
PYTHON := .venv-python
# what builds the Python package
WHEEL := .venv-wheel
# clients of the service
SERVICE := .venv-service
# what the tests of the studio use
STUDIO := .venv-studio
# what copal is measured beside at scale
SCALE := .venv-scale
# what the default build leaves out because it takes long to compile
FEATURES := --features copal-cli/parquet,copal-cli/postgres,copal-cli/xlsx,copal-cli/render,copal-cli/serve,copal-cli/mcp
CLI_FEATURES := --features parquet,postgres,xlsx,render,serve,mcp
# what a browser runs; true if the compiler has the standard library for it
WASM_TARGET := wasm32-wasip1
HAS_WASM := test -d "$$(rustc --print target-libdir --target $(WASM_TARGET) 2>/dev/null)"
METHODS ?= mdr buw rdr amber combined
# the verticals of SWDE with domains that have forgotten half of their words
MASKED_DOMAINS := $(foreach pair,auto=used-cars book=books camera=cameras job=jobs movie=movies nbaplayer=nba-players \
  restaurant=restaurants university=universities,--vertical $(subst =,=target/fields/masked/,$(pair))/domain.yaml)
EVAL_PART := $(if $(PART),--part $(PART))

.PHONY: fit-dumps judge fit-fields derive help check test installs dist fmt lint unit apps postgres exports service studio demo demo-test demo-in-browser pictures browser python wheel scale soak site-eval site-kills bench docs bench-fetch noise areas eval freeze freeze-check floors survive fit corpus-check compare fuzz doc deny package venv hostile hostile-part forbidden reproducible faults

help: ## show this list
	@grep -hE '^[a-z-]+:.*## ' $(MAKEFILE_LIST) | awk -F ':.*## ' '{printf "  make %-13s %s\n", $$1, $$2}'

check: fmt lint doc unit ## for every day: format, lints, all tests that need nothing installed, API documentation

test: installs check hostile-part apps postgres exports service studio demo-test browser python ## everything CI checks: `make check`, hostile inputs, real applications, a PostgreSQL server, exported wrappers, clients of the service, the studio, the demo, a browser, the Python package

installs:
	@echo "make test installs, where missing:"
	@echo "  Debian packages (only as root): python3-venv, postgresql, nodejs, npm, chromium, default-jre-headless"
	@echo "  into $(APPS): Datasette and Roundup, from the Python registry"
	@echo "  into $(SERVICE): mcp and schemathesis, from the Python registry"
	@echo "  into $(STUDIO): playwright-core, axe-core and TypeScript, from the npm registry"
	@echo "  with rustup: the target $(WASM_TARGET), for the demo; without it, the tests of the demo are skipped"
	@echo "  into $(EXPORTS): Scrapy, crawl4ai, lxml (Python registry) and playwright-core (npm registry)"
	@echo "  into $(PYTHON): DuckDB, pandas, polars, pyarrow, PySpark, Scrapy, maturin and test tools, from the Python registry"

fmt: ## check that the code is formatted
	cargo fmt --all --check

lint: ## run clippy, with all features and with the default ones; warnings are errors
	cargo clippy --workspace --all-targets $(FEATURES) --locked -- -D warnings
	cargo clippy -p copal-cli --all-targets --locked -- -D warnings

unit: ## run all tests
	cargo test --workspace $(FEATURES) --locked

apps: $(APPS)/.done ## extract complete lists from real applications on loopback (installs them from the Python registry)
	COPAL_APPS=$(abspath $(APPS)) cargo test --workspace $(FEATURES) --locked --test applications -- --include-ignored

# Debian and its kin have venv in a package of its own
$(APPS)/.done: apps/cli/tests/applications/requirements.txt
	rm -rf $(APPS)
	python3 -m venv $(APPS) || { test "$$(id -u)" = 0 && apt-get update -q && apt-get install -qy python3-venv \
	  && rm -rf $(APPS) && python3 -m venv $(APPS); } \
	  || { echo "python3 with venv is needed for the applications of the tests (Debian: apt install python3-venv)"; exit 1; }
	$(APPS)/bin/pip install --quiet --disable-pip-version-check -r $<
	touch $@

# the programs of a server are not in the path of Debian and its kin
postgres: ## store runs in a PostgreSQL server that the test starts (installs Debian's package if it is missing)
	@ls /usr/lib/postgresql/*/bin/initdb >/dev/null 2>&1 || ls "$$(pg_config --bindir 2>/dev/null)/initdb" >/dev/null 2>&1 \
	  || { test "$$(id -u)" = 0 && apt-get update -q && apt-get install -qy --no-install-recommends postgresql; } \
	  || { echo "the programs of PostgreSQL are needed for this test (Debian: apt install postgresql)"; exit 1; }
	cargo test --workspace $(FEATURES) --locked --test postgres -- --include-ignored

# the generated sites always, real applications where they can be started
SITES ?= $(firstword $(wildcard ../shared/sites/site))
SITE_APPS ?= datasette roundup oscar gitweb
# options of copal, such as --render auto for applications that are rendered by scripts
SITE_OPTIONS ?=
site-eval: ## explore generated sites and, with SITES=program, real applications on loopback
	cargo test -p copal-explore --locked --test sites -- --nocapture
ifneq ($(SITES),)
	cargo build --locked
	SITES_DIR=$(or $(SITES_DIR),$(abspath target/sites)) $(SITES) up $(SITE_APPS)
	for start in list root; do python3 research/compare/site_eval.py target/debug/copal $(dir $(SITES))sites.tsv \
	  $(SITE_APPS) --start $$start --data $(or $(SITES_DIR),$(abspath target/sites)) \
	  -- $(SITE_OPTIONS); done; SITES_DIR=$(or $(SITES_DIR),$(abspath target/sites)) $(SITES) down
endif

soak: ## kill 200 runs at random moments (KILLS=n)
	COPAL_KILLS=$(or $(KILLS),200) cargo test --workspace $(FEATURES) --locked --test storage -- --nocapture killed

# The command of the tests: with all features, and built already after `make check`.
hostile-part: ## 60 of the hostile runs, over all commands, with bounds on time, memory and output; every 25th forbidden URL
	cargo build --workspace $(FEATURES) --locked --bin copal
	python3 research/hostile/hostile_set.py --copal target/debug/copal --part 60
	python3 research/hostile/forbidden_set.py --copal target/debug/copal --every 25 --no-browser

hostile: ## all hostile inputs through all commands, each run with bounds on time, memory and output
	cargo build --release --locked $(CLI_FEATURES) --manifest-path apps/cli/Cargo.toml
	python3 research/hostile/hostile_set.py --copal $(COPAL) -o target/hostile.tsv

site-kills: ## kill copal site at 200 of its writes (KILLS=n; needs strace), and 200 times at any moment; explore 200 hosts
	command -v strace >/dev/null || { [ "$$(id -u)" = 0 ] && apt-get install -y strace; }
	COPAL_SITE_KILLS=$(or $(KILLS),200) cargo test --workspace $(FEATURES) --locked --test site_kill_points -- --include-ignored --nocapture
	COPAL_SITE_KILLS=$(or $(KILLS),200) cargo test --workspace $(FEATURES) --locked --test site --test many_sites -- --nocapture kills
	COPAL_HOSTS=200 cargo test -p copal-explore --locked --test many_hosts -- --nocapture

forbidden: ## forbidden URLs through every way in, in a network namespace where every connection is noticed (EVERY=n takes each n-th)
	cargo build --workspace $(FEATURES) --locked --bin copal
	python3 research/hostile/forbidden_set.py --copal target/debug/copal --every $(or $(EVERY),1)

faults: $(COPAL) ## kill 500 runs (KILLS=n), kill and fail at every step of writing, fill the disk, close folders, set the clock; also jobs, PostgreSQL aside
	python3 research/hostile/fault_set.py --copal $(COPAL) --kills $(or $(KILLS),500)
	COPAL_SERVICE_KILLS=$(or $(JOB_KILLS),20) cargo test --workspace $(FEATURES) --locked --test service -- killed

service: $(SERVICE)/.done ## use the service with the Python client of MCP and with schemathesis (installs them from the Python registry; KILLS=n kills jobs n times)
	COPAL_SERVICE=$(abspath $(SERVICE)) cargo test --workspace $(FEATURES) --locked --test service_clients -- --include-ignored
	$(if $(KILLS),COPAL_SERVICE_KILLS=$(KILLS) cargo test --workspace $(FEATURES) --locked --test service -- killed)

$(SERVICE)/.done: apps/cli/tests/service/requirements.txt
	rm -rf $(SERVICE)
	python3 -m venv $(SERVICE) || { test "$$(id -u)" = 0 && apt-get update -q && apt-get install -qy python3-venv \
	  && rm -rf $(SERVICE) && python3 -m venv $(SERVICE); } \
	  || { echo "python3 with venv is needed for the tests of the service (Debian: apt install python3-venv)"; exit 1; }
	$(SERVICE)/bin/pip install --quiet --disable-pip-version-check -r $<
	touch $@

studio: $(STUDIO)/.done ## use the studio in Chromium: clicks, keys, accessibility, hostile pages (installs its tools from the npm registry)
	COPAL_STUDIO=$(abspath $(STUDIO)) cargo test --workspace $(FEATURES) --locked --test studio -- --include-ignored --test-threads 2

$(STUDIO)/.done: apps/cli/tests/studio/package.json
	rm -rf $(STUDIO)
	@missing=""; for tool in node:nodejs npm:npm chromium:chromium; do \
	    command -v $${tool%%:*} >/dev/null || missing="$$missing $${tool##*:}"; done; \
	  test -z "$$missing" || { test "$$(id -u)" = 0 && apt-get update -q && apt-get install -qy --no-install-recommends $$missing; } \
	  || { echo "needed for the tests of the studio (Debian: apt install$$missing)"; exit 1; }
	mkdir -p $(STUDIO)
	cp $< $(STUDIO)/
	npm install --prefix $(STUDIO) --no-audit --no-fund --loglevel=error
	touch $@

demo: ## make the page that runs copal in the browser without a server, in target/demo (installs the target wasm32-wasip1 with rustup)
	@$(HAS_WASM) || rustup target add $(WASM_TARGET)
	cargo build --profile wasm --target $(WASM_TARGET) -p copal-wasm --locked
	python3 packaging/demo.py target/$(WASM_TARGET)/wasm/copal-wasm.wasm target/demo

demo-test: ## use the demo in Chromium, from a file server and from the disk; skipped if the target wasm32-wasip1 cannot be installed
	@if $(HAS_WASM) || rustup target add $(WASM_TARGET); \
	  then $(MAKE) --no-print-directory demo-in-browser; \
	  else echo "skipped: the tests of the demo need the target $(WASM_TARGET) (rustup target add $(WASM_TARGET))"; fi

demo-in-browser: demo $(STUDIO)/.done
	COPAL_STUDIO=$(abspath $(STUDIO)) cargo test --workspace $(FEATURES) --locked --test demo -- --include-ignored --nocapture

pictures: $(STUDIO)/.done ## make the pictures of the README: terminal and report (docs/images); COPAL=program
	node packaging/pictures.mjs $(COPAL) "$$(command -v chromium chromium-browser google-chrome | head -1)" $(STUDIO) docs/images

exports: $(EXPORTS)/.done ## run exported wrappers with Scrapy, crawl4ai, lxml and Playwright (installs them from their registries)
	COPAL_EXPORTS=$(abspath $(EXPORTS)) cargo test --workspace $(FEATURES) --locked --test exports -- --include-ignored

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

browser: ## show client-rendered pages in Chromium, on loopback (installs Debian's package if it is missing; KILLS=n for more kills)
	@command -v chromium chromium-browser google-chrome-stable google-chrome >/dev/null 2>&1 \
	  || { test "$$(id -u)" = 0 && apt-get update -q && apt-get install -qy --no-install-recommends chromium; } \
	  || { echo "a Chromium or Chrome is needed for this test (Debian: apt install chromium)"; exit 1; }
	$(if $(KILLS),COPAL_BROWSER_KILLS=$(KILLS)) cargo test --workspace $(FEATURES) --locked --test browser -- --include-ignored --test-threads 2

# The library is built together with the workspace, so that no dependency is compiled twice with other features.
python: $(PYTHON)/.done ## test the Python package: frames, worker processes, Scrapy, Spark (installs them from the Python registry)
	cargo build --workspace $(FEATURES) --locked
	cp target/debug/lib_copal.so apps/python/python/copal/_copal.abi3.so
	PYTHONPATH=$(abspath apps/python/python) PYTHONDONTWRITEBYTECODE=1 $(PYTHON)/bin/python -m pytest -q -p no:cacheprovider apps/python/tests

# users of the package need neither Java nor what its tests use
wheel: $(WHEEL)/.done ## build the Python package (target/wheels; installs maturin from the Python registry)
	$(WHEEL)/bin/maturin build --release --locked -m apps/python/Cargo.toml

$(WHEEL)/.done: apps/python/requirements-test.txt
	rm -rf $(WHEEL)
	python3 -m venv $(WHEEL) || { echo "python3 with venv is needed to build the package (Debian: apt install python3-venv)"; exit 1; }
	$(WHEEL)/bin/pip install --quiet --disable-pip-version-check "$$(grep '^maturin==' $<)"
	touch $@

# Spark runs on Java
$(PYTHON)/.done: apps/python/requirements-test.txt
	rm -rf $(PYTHON)
	@command -v java >/dev/null || { test "$$(id -u)" = 0 && apt-get update -q && apt-get install -qy --no-install-recommends default-jre-headless; } \
	  || { echo "Java is needed for the tests with Spark (Debian: apt install default-jre-headless)"; exit 1; }
	python3 -m venv $(PYTHON) || { test "$$(id -u)" = 0 && apt-get update -q && apt-get install -qy python3-venv \
	  && rm -rf $(PYTHON) && python3 -m venv $(PYTHON); } \
	  || { echo "python3 with venv is needed for the tests of the Python package (Debian: apt install python3-venv)"; exit 1; }
	$(PYTHON)/bin/pip install --quiet --disable-pip-version-check -r $<
	touch $@

# Archives are made from pages of sites that may be opened, with changed texts. The large ones are pipes: they are never on
# the disk.
SCALE_PAGES := $(or $(CORPUS),testdata/corpus) $(if $(wildcard ../shared/bench/unopened.txt),--unopened ../shared/bench/unopened.txt)

scale: $(SCALE)/.done ## pages per second, memory and templates of large archives, beside other programs (PAGES=n SMALL_PAGES=n GIGABYTES=n ROUNDS=n; hours with the defaults)
	cargo build --release --locked -p copal-cli -p copal-python --features copal-cli/parquet --bin copal --lib
	cp target/release/lib_copal.so apps/python/python/copal/_copal.abi3.so
	$(SCALE)/bin/python research/scale/make_archive.py $(SCALE_PAGES) --pages $(or $(PAGES),20000) -o target/scale/pages.warc.gz
	PYTHONPATH=$(abspath apps/python/python):research/scale $(SCALE)/bin/python research/scale/speed.py target/scale/pages.warc.gz \
	  --copal $(COPAL) --rounds $(or $(ROUNDS),3) -o target/scale/speed.json
	PYTHONPATH=$(abspath apps/python/python):research/scale $(SCALE)/bin/python research/scale/spark_overhead.py target/scale/pages.warc.gz --cores 2
	rm -f target/scale/pages.warc.gz
	$(if $(SCORER),$(SCALE)/bin/python research/scale/templates.py $(SCALE_PAGES) --scorer $(SCORER) --copal $(COPAL))
	$(SCALE)/bin/python research/scale/memory.py target/scale/small.warc.gz --copal $(COPAL) \
	  --make "$(SCALE_PAGES) --pages $(or $(SMALL_PAGES),200000) --max-page-bytes 30000"
	$(SCALE)/bin/python research/scale/memory.py target/scale/large.warc.gz --copal $(COPAL) \
	  --make "$(SCALE_PAGES) --gigabytes $(or $(GIGABYTES),5)"
	$(SCALE)/bin/python research/scale/cost.py target/scale/speed.json

$(SCALE)/.done: research/scale/requirements.txt
	rm -rf $(SCALE)
	python3 -m venv $(SCALE)
	$(SCALE)/bin/pip install --quiet --disable-pip-version-check -r $<
	touch $@

bench: ## cost of each stage compared with html5ever's parse (CORPUS=folder for other pages)
	cargo bench -p copal --bench stages -- $(if $(CORPUS),$(abspath $(CORPUS))/lists)
	cargo bench -p copal --bench stages -- $(if $(CORPUS),$(abspath $(CORPUS))/lists) --memory
	cargo bench -p copal --bench annotation -- $(if $(CORPUS),$(abspath $(CORPUS))/lists)
	cargo build --release --locked -p copal-dom --example parse_cost
	if command -v valgrind >/dev/null; then \
	  python3 research/compare/parse_instructions.py examples $(or $(CORPUS),testdata/corpus) --every $(or $(EVERY),$(if $(CORPUS),40,1)); \
	else echo "valgrind is not installed: instructions are not counted"; fi

bench-fetch: $(COPAL) ## pages per second from loopback without delays, compared with curl: the fetch crate, and the whole command
	cargo run --release --locked -p copal-fetch --example throughput
	cargo run --release --locked -p copal-cli --example command_throughput -- $(COPAL)

noise: $(LAB) ## how much noise in its annotations AMBER tolerates, on generated pages (SPLIT=seen|unseen)
	python3 research/generate/generate.py target/generated --seed 1
	$(LAB) noise target/generated --split $(or $(SPLIT),seen) --out target/noise/$(or $(SPLIT),seen)
	python3 research/compare/plot_noise.py target/noise/$(or $(SPLIT),seen)/noise.csv

areas: $(COPAL) ## whether the data area of generated detail pages is the right element
	python3 research/compare/areas.py --copal $(COPAL) --wrong

dist: ## make what is published in target/dist-packages: static binary, manual pages, completions, Debian package, bill of materials, checksums
	packaging/dist.sh

$(COPAL): FORCE
	cargo build --release --locked
$(LAB): FORCE
	cargo build --release --locked -p copal-lab
FORCE:

eval: $(LAB) ## accuracy of every method on a corpus (CORPUS=folder SCORER=score.py PART=opened), or on our own pages
ifeq ($(CORPUS),)
	@echo "No corpus found: using testdata/corpus. For another one: make eval CORPUS=folder SCORER=score.py"
	@echo "(a corpus is a folder with index.jsonl, <id>.html and <id>.json; see copal-lab eval --help)"
endif
	@mkdir -p target/eval
	@echo "== what users get: copal extract, page-kind decision included"
	@$(LAB) eval $(or $(CORPUS),testdata/corpus) $(EVAL_PART) -o target/eval/users.pred.jsonl $(if $(SCORER),--scorer $(SCORER))
	@for method in $(METHODS); do \
	  echo "== $$method"; \
	  $(LAB) eval $(or $(CORPUS),testdata/corpus) $(EVAL_PART) --method $$method -o target/eval/$$method.pred.jsonl \
	    $(if $(SCORER),--scorer $(SCORER)) || exit 1; \
	done
	@if [ -n "$(CORPUS)" ]; then for task in negatives objects pagination; do \
	  echo "== $$task"; \
	  $(LAB) eval $(CORPUS) $(EVAL_PART) --task $$task -o target/eval/$$task.pred.jsonl $(if $(SCORER),--scorer $(SCORER)) || exit 1; \
	done; \
	echo "== details"; \
	$(LAB) eval $(CORPUS) $(EVAL_PART) --task details --known-verticals -o target/eval/details.pred.jsonl \
	  $(if $(SCORER),--scorer $(SCORER)) || exit 1; fi
	@if [ -n "$(SCORER)" ]; then for method in $(METHODS); do \
	  echo "== $$method, by layout group and language (tables 1 to 3 of BUW)"; \
	  python3 research/compare/buw_tables.py $(or $(CORPUS),testdata/corpus) target/eval/$$method.pred.jsonl --scorer $(SCORER) || exit 1; \
	done; fi

freeze: $(LAB) ## record all answers as hashes: for the pages in testdata, and for CORPUS if there is one
	$(LAB) freeze testdata -o research/frozen/testdata.txt
	$(if $(CORPUS),$(LAB) freeze $(CORPUS) -o research/frozen/dev.txt)

freeze-check: $(LAB) ## compare all answers with the recorded hashes and list what changed
	$(LAB) freeze testdata --check research/frozen/testdata.txt
	$(if $(and $(CORPUS),$(wildcard research/frozen/dev.txt)),$(LAB) freeze $(CORPUS) --check research/frozen/dev.txt)

floors: $(LAB) ## raise the accuracy floors of the committed pages to what is measured (ALLOW_LOWER=1 also lowers them)
	$(LAB) floors testdata/corpus --file research/floors.json --write $(if $(ALLOW_LOWER),--allow-lower)

fit-fields: $(LAB) venv ## fit the choice between candidates for fields on CORPUS (opened sites only), print the report
	@test -n "$(CORPUS)" || { echo "expected CORPUS=folder"; exit 2; }
	@mkdir -p target/fields
	for together in 8 3 1; do \
	  $(LAB) fields $(CORPUS) --part opened --known-verticals --together $$together \
	    -o target/fields/known-$$together.jsonl || exit 1; \
	done
	for seed in 11 12 13; do \
	  rm -rf target/fields/masked && \
	  $(VENV)/bin/python research/fit/masked_domains.py target/fields/masked --seed $$seed && \
	  $(LAB) fields $(CORPUS) --part opened --only details/swde/ $(MASKED_DOMAINS) \
	    -o target/fields/masked-$$seed.jsonl || exit 1; \
	done
	$(VENV)/bin/python research/fit/fit_fields.py $(CORPUS) target/fields/*.jsonl \
	  --write crates/copal-extract/src/objects/choice_weights.rs
	cargo fmt --all

derive: $(LAB) venv ## make a corpus of changed list pages (short lists, lists in sections or other pages) in target/derived
	@test -n "$(CORPUS)" -a -n "$(SCORER)" || { echo "expected CORPUS=folder SCORER=score.py"; exit 2; }
	@mkdir -p target/fit
	$(LAB) candidates $(CORPUS) --part opened --method combined -o target/fit/opened.jsonl
	$(VENV)/bin/python research/fit/right_candidates.py $(CORPUS) --scorer $(SCORER) --lists target/fit/opened.jsonl \
	  -o target/fit/right.jsonl
	$(LAB) derive $(CORPUS) --part opened --records target/fit/right.jsonl -o target/derived

survive: ## how long wrappers work on pages that change as sites change them (CORPUS=folder SCORER=score.py SEED=1)
	python3 research/compare/survive.py $(or $(CORPUS),testdata/corpus) $(if $(SCORER),--scorer $(SCORER)) --seed $(or $(SEED),1) --by-operator

# what fit.py and judge.py read
FIT_INPUTS = $(CORPUS) --scorer $(SCORER) --dumps target/fit --made target/derived --cache target/fit/scored

fit-dumps: $(LAB) venv derive
	rm -f target/fit/scored.*
	for task in lists negatives objects details; do \
	  $(LAB) candidates $(CORPUS) --part opened --task $$task --method combined -o target/fit/$$task.jsonl && \
	  $(LAB) kinds $(CORPUS) --part opened --task $$task -o target/fit/kinds.$$task.jsonl || exit 1; \
	done
	for task in lists negatives; do \
	  $(LAB) candidates target/derived --task $$task --method combined -o target/fit/made.$$task.jsonl || exit 1; \
	done

judge: fit-dumps ## judge the choice of the main list, refusals and page kinds on left-out sites and on left-out sources of CORPUS
	$(VENV)/bin/python research/fit/judge.py $(FIT_INPUTS)
	$(VENV)/bin/python research/fit/judge.py $(FIT_INPUTS) --by source

fit: fit-dumps ## fit the weights of the combined method, of page kinds and of confidence on CORPUS (opened sites only), print the reports
	$(VENV)/bin/python research/fit/fit.py $(FIT_INPUTS) --unseen target/fit/unseen.json \
	  --write crates/copal-extract/src/lists/rank/weights.rs \
	  --write-kinds crates/copal-extract/src/objects/kind_weights.rs
	cargo fmt --all
	# new weights give other regions
	cargo build --release --locked -p copal-lab
	for task in lists negatives; do \
	  $(LAB) confidence $(CORPUS) --part opened --task $$task --method combined --min-confidence 0 \
	    -o target/fit/confidence.$$task.jsonl || exit 1; \
	done
	$(VENV)/bin/python research/fit/fit_confidence.py $(CORPUS) --scorer $(SCORER) --lists target/fit/confidence.lists.jsonl \
	  --negatives target/fit/confidence.negatives.jsonl --unseen target/fit/unseen.json \
	  --write crates/copal-extract/src/table/confidence/confidence_weights.rs
	cargo fmt --all

corpus-check: ## check that our tree equals that of a naive sink on every page of CORPUS
	COPAL_CORPUS=$(abspath $(or $(CORPUS),testdata)) cargo test --release -p copal-dom --test same_tree -- --nocapture

venv: $(VENV)/.done
$(VENV)/.done: research/compare/requirements.txt $(wildcard apps/cli/tests/exports/requirements*.txt)
	python3 -m venv $(VENV)
	$(VENV)/bin/pip install --quiet -r research/compare/requirements.txt
	$(VENV)/bin/pip install --quiet --no-deps -r apps/cli/tests/exports/requirements-alone.txt
	touch $@

compare: $(COPAL) venv ## compare with parsers (lxml, selectolax) and with tools that find content by themselves; growth and memory
	$(VENV)/bin/python research/compare/peers.py $(or $(CORPUS),testdata)
	$(VENV)/bin/python research/compare/extractors.py $(firstword $(if $(CORPUS),$(wildcard $(CORPUS)/lists) $(CORPUS)) testdata) $(if $(PAGES),--pages $(PAGES))
	$(VENV)/bin/python research/compare/growth.py
	$(VENV)/bin/python research/compare/memory.py $(or $(CORPUS),testdata)
	if command -v valgrind >/dev/null; then for domain in "" "--domain products"; do \
	  echo "extract examples/shop.html --format csv $$domain:"; \
	  python3 research/compare/instructions.py -- extract examples/shop.html --format csv $$domain; done; \
	else echo "valgrind is not installed: instructions of the start are not counted"; fi

fuzz: ## fuzz every reader of outside input (SECONDS_EACH=60)
	fuzz/run.sh $(or $(SECONDS_EACH),60)

docs: ## render the guide and the other documents to HTML pages with working links (target/docs)
	python3 packaging/render_docs.py target/docs

doc: ## build the API documentation
	RUSTDOCFLAGS="-D warnings" cargo doc --workspace --no-deps --locked

deny: ## check licences, duplicates and sources of dependencies, also those of features and of the fuzzer (installs cargo-deny if missing)
	cargo deny --version >/dev/null 2>&1 || cargo install cargo-deny --locked
	cargo deny --workspace --all-features check licenses bans sources
	cargo deny --manifest-path fuzz/Cargo.toml --config deny.toml --all-features check licenses bans sources

reproducible: ## build the command twice in different folders and compare the binaries (PACKAGE=name)
	packaging/reproducible.sh $(or $(PACKAGE),copal-cli)

# copal-fuzz-checks compiles sources of other crates, and is not published
package: ## package every crate as for publishing, and build each package on its own
	cargo package --workspace --exclude copal-fuzz-checks --locked --allow-dirty --target-dir target/package-check
	rm -rf target/package-check
