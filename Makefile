# Hearth: `make` alone lists what can be done.
SHELL := /bin/bash
.SHELLFLAGS := -euo pipefail -c
.DEFAULT_GOAL := help
.PHONY: help run serve test test-debug test-clients test-console test-imported test-release test-data test-instructions record-instructions fuzz crash conformance lint bench install install-place dist check-dist clean swift build-dependencies

# Which cities `make run` loads: those of at least this many people.
CITIES ?= 15000
# Where `make install` puts the `hearth` program: $(PREFIX)/bin.
PREFIX ?= /usr/local
# Which part `make bench` measures, a regular expression over suites and rows, and with how many documents; empty: all.
ROWS ?=
SIZE ?=
# Any value has `make bench` record its ratios as those that later runs are compared with.
RECORD ?=
# How long `make fuzz` goes on.
MINUTES ?= 10
# How many random queries `make conformance` compares.
CONFORMANCE_QUERIES ?= 20000
# How many random conditions of rules it compares.
CONFORMANCE_RULES ?= 100000
# How much `make crash` does.
KILLS ?= 1000
POWER_CUTS ?= 10000
DAMAGES ?= 10000
# Random and large test suites, which run a second time, optimised and whole: a regular expression for `swift test --filter`.
# The debug round does a part of them (Tests/TestSupport/Rounds.swift). Empty: no release round.
random_targets := DocumentModel|JSONText|IndexCatalog|QueryPlanner|QuerySource|FuzzTargets|Conformance|Reliability
random_suites := PatchReduction|HostileRules|TransformPath|Soundness|QueryFuzz|Cost|LongKey|RecordedSuites|IndexBuild|StagedLoad|SortedRun|RandomListener|TerminatedListener|Model|Run|PastReading|Serialisability|HistoryUpkeep|Clearing|CollectionSweep|CollectionSweepModel|UserDatabase|RandomSchedule|ExactlyOnceSchedule|Healing|Join|JoinDamage|ScanMerge|ReplicaRecords|SharedSchedule|ListenerCost|UnknownUser|RulesLint|RulesFormatter|CallerTest|NestedGlobProof|PlainValue|BloomFilter|Entity|Log|Generator|UpgradeCommand
DATA_SUITES ?= ^($(random_targets))Tests\.|\.($(random_suites))Tests/

# How many damaged index files the release round reads.
LINT_FUZZ ?= 100000

# Optimised builds with tests.
testable := -c release -Xswiftc -enable-testing
# Checked builds share one build folder and all traits; only they turn warnings into errors.
traits := Logging,Server,Connected
# SwiftPM writes the traits into each compiler call in the order of a set, which changes from process to process: without this,
# every call would compile everything again.
stable := SWIFT_DETERMINISTIC_HASHING=1
checked := $(stable) HEARTH_WARNINGS_AS_ERRORS=1 swift
# What `make serve` tells the server, such as ARGS='--port 9000 --data .hearth'.
ARGS ?=
# The whole program has a build folder of its own, because another set of traits rebuilds everything.
full_build := $(stable) swift build -c release --traits Server,Connected --scratch-path .build-serve --product hearth

help: ## List the targets
	@echo 'Hearth, an embedded document database with the data model, queries and indexes of Cloud Firestore.'
	@echo
	@grep -hE '^[a-z-]+:.*## ' $(MAKEFILE_LIST) | sed -E 's/^([a-z-]+):.*## /\1\t/' | expand -t 14 | sed 's/^/  make /'
	@echo
	@echo '  ROWS=reads SIZE=10000 make a short `make bench`.'
	@echo '  CITIES=500, 1000, 5000 or 15000 chooses the data of `make run`; PREFIX the place of `make install`.'

run: swift build-dependencies ## Fetch real cities, build, index them, and run telling queries
	@Scripts/install-missing.sh python
	@python3 Scripts/fetch-cities.py $(CITIES)
	@echo '==> Building hearth (release)'
	@swift build -c release --product hearth
	@Scripts/run-cities.sh $(CITIES)

serve: swift build-dependencies ## Build the server and start it; ARGS= are its options
	@echo '==> Building hearth with its server (release)'
	@$(full_build)
	@exec "$$($(full_build) --show-bin-path)/hearth" serve $(ARGS)

test: test-debug test-clients test-console test-imported test-release ## Run every test
	@Scripts/run-tests.sh --results
	@echo 'make test: every test passed'

test-debug: swift build-dependencies
	@echo '==> Running the tests (debug)'
	@$(checked) build --build-tests --traits $(traits)
	@Scripts/run-tests.sh debug "$$($(checked) build --traits $(traits) --show-bin-path)"

# Official clients' own tests, against the server that the debug round has built. Those that cannot be installed are skipped.
test-clients: swift build-dependencies ## Run the Python and Go clients' own tests against the server
	@$(checked) build --traits $(traits) --product hearth
	@echo "==> Running the Python and Go clients' own tests against hearth serve (debug)"
	@Scripts/client-suites.sh --listening --quiet --program "$$($(checked) build --traits $(traits) --show-bin-path)/hearth" \
	  python python-async go

# Skipped where Chromium or Node is not installed.
test-console: swift build-dependencies ## Drive the server's console in Chromium
	@$(checked) build --traits $(traits) --product hearth
	@echo '==> Driving the console of hearth serve (debug) in Chromium'
	@Scripts/console.sh --program "$$($(checked) build --traits $(traits) --show-bin-path)/hearth"

# Debug builds of programs that import Hearth optimise most of it, which no checked build does.
imported_suites := ^(DocumentModel|DocumentEngine|QueryPlanner|SyncCore|Hearth)Tests\.
imported_build := --scratch-path .build-imported
test-imported: swift build-dependencies
	@echo '==> Running the tests of the library as debug builds of programs have it'
	@$(stable) swift build --build-tests $(imported_build)
	@Scripts/run-tests.sh imported "$$($(stable) swift build $(imported_build) --show-bin-path)" --filter '$(imported_suites)'

# One build for the release round and the counts of instructions. `swift test` would build anew, with other flags.
release_build := swift build $(testable)
instructions_build := $(release_build) --product EngineBench

test-data: swift build-dependencies
ifneq ($(strip $(DATA_SUITES)),)
	@echo '==> Running the data suites (release): $(DATA_SUITES)'
	@$(release_build) --build-tests
	@HEARTH_LINT_FUZZ=$(LINT_FUZZ) Scripts/run-tests.sh release "$$($(release_build) --show-bin-path)" --filter '$(DATA_SUITES)'
else
	@rm -f .build/test-results/release.txt
endif

# How busy the machine is changes no count of instructions, so they are counted beside the release round.
test-release: swift build-dependencies
	@Scripts/install-missing.sh valgrind || true
	@echo '==> Building the data suites (release)'
	@$(release_build) --build-tests
	@mkdir -p .build/test-results
	@program=$$($(release_build) --show-bin-path)/EngineBench; counts=.build/test-results/instructions.log; \
	  Scripts/count-instructions.sh "$$program" > $$counts 2>&1 & counting=$$!; \
	  trap 'kill $$counting 2> /dev/null' INT TERM; \
	  status=0; make --no-print-directory test-data || status=$$?; \
	  echo '==> Counting instructions (release)'; \
	  wait $$counting || status=$$?; cat $$counts; exit $$status

test-instructions: swift build-dependencies
	@Scripts/install-missing.sh valgrind || true
	@echo '==> Counting instructions (release)'
	@$(instructions_build)
	@Scripts/count-instructions.sh "$$($(instructions_build) --show-bin-path)/EngineBench"

record-instructions: swift build-dependencies ## Record what `make test` compares instruction counts with
	@Scripts/install-missing.sh valgrind
	@$(instructions_build)
	@Scripts/count-instructions.sh "$$($(instructions_build) --show-bin-path)/EngineBench" --record

fuzz: swift build-dependencies ## Compare random queries with the rules for MINUTES=10
	@echo '==> Fuzzing (release) for $(MINUTES) minutes'
	@HEARTH_FUZZ_MINUTES='$(MINUTES)' swift test $(testable) --disable-xctest --filter QueryFuzzTests
	@HEARTH_LINT_FUZZ=1000000 swift test $(testable) --disable-xctest --filter ConfigurationFuzzTests
	@HEARTH_RULES_FUZZ=1000000 swift test $(testable) --disable-xctest \
	  --filter 'SoundnessTests/allowedQueries|HostileRulesTests/randomSources'
	@HEARTH_SOURCE_FUZZ=1000000 swift test $(testable) --disable-xctest --filter MutationTests/damagedSources
	@Scripts/fuzz.sh '$(MINUTES)'

crash: swift build-dependencies ## Kill, cut off, starve and damage databases at length
	@echo '==> Proving the storage (release): $(KILLS) kills of one writer, of creations and of two writers, starved processes,' \
	  '$(POWER_CUTS) power cuts, every failing call, $(DAMAGES) damaged files'
	@HEARTH_KILLS=$(KILLS) HEARTH_POWER_CUTS=$(POWER_CUTS) HEARTH_FAULT_STRIDE=1 HEARTH_DAMAGES=$(DAMAGES) \
	  swift test $(testable) --disable-xctest --filter '^ReliabilityTests\.'

conformance: swift build-dependencies ## Compare random queries with the official Firestore emulator, if it is installed
	@echo '==> Comparing $(CONFORMANCE_QUERIES) queries and $(CONFORMANCE_RULES) conditions of rules with the official emulator (release)'
	@HEARTH_CONFORMANCE_QUERIES=$(CONFORMANCE_QUERIES) HEARTH_CONFORMANCE_RULES=$(CONFORMANCE_RULES) swift test $(testable) \
	  --disable-xctest --filter '^ConformanceTests\.'

lint: swift build-dependencies ## Check formatting, imports, warnings and the rules of the source tree
	@echo '==> Checking the source tree'
	@Scripts/check-sources.sh
	@Scripts/check-floors.sh
	@Scripts/install-missing.sh python
	@swift package dump-package | Scripts/check-imports.py
	@echo '==> Checking the formatting'
	@swift format lint --strict --parallel --recursive Package.swift Sources Tests Examples Plugins Benchmarks/Package.swift Benchmarks/Sources
	@echo '==> Building with warnings and undeclared imports as errors'
	@$(checked) build --traits $(traits) --build-tests --explicit-target-dependency-import-check error
	@echo '==> Checking the documentation and what importers download'
	@Scripts/check-documentation.sh
	@Scripts/check-dependencies.sh
	@echo 'make lint: nothing found'

bench: swift build-dependencies ## Measure against SQLite, raw LMDB, GRDB and the emulator; ROWS= and SIZE= choose a part, RECORD=1 records
ifeq ($(ROWS),sync)
	@swift build -c release --product EngineBench
	@DOCUMENTS='$(or $(SIZE),100000)' "$$(swift build -c release --show-bin-path)/EngineBench" replica
else
	@Scripts/install-missing.sh python sqlite
	@[ -n '$(ROWS)' ] || python3 Scripts/fetch-cities.py 500
	@echo '==> Building the benchmarks (release)'
	@swift build -c release --package-path Benchmarks
	@benchmarks=$$(swift build -c release --package-path Benchmarks --show-bin-path)/hearth-benchmarks; program=; \
	  if "$$benchmarks" $(if $(ROWS),--rows '$(ROWS)') --needs-server > /dev/null; then \
	  $(full_build); program=$$($(full_build) --show-bin-path)/hearth; fi; \
	  HEARTH_PROGRAM=$$program "$$benchmarks" \
	  $(if $(ROWS),--rows '$(ROWS)') $(if $(SIZE),--size '$(SIZE)') $(if $(RECORD),--record); \
	  if [[ -n "$$program" && ( -z '$(ROWS)' || '$(ROWS)' == ?(^)server ) ]]; then \
	  Scripts/served-million.sh --program "$$program"; fi
endif

# The nearest folder that exists decides, before a build of minutes.
install-place:
	@for folder in '$(DESTDIR)$(PREFIX)/bin' '$(DESTDIR)$(PREFIX)/share'; do place=$$folder; \
	  while [ ! -e "$$place" ]; do place=$$(dirname "$$place"); done; \
	  [ -d "$$place" ] && [ -w "$$place" ] || { echo "make install: cannot write to $$folder; choose another place with" \
	  "PREFIX=, such as PREFIX=\$$HOME/.local, or run it as root" >&2; exit 1; }; done

install: install-place swift build-dependencies ## Install the hearth program under PREFIX
	@echo '==> Building hearth with its server (release)'
	@$(full_build)
	@install -d '$(DESTDIR)$(PREFIX)/bin'
	@install -m 755 "$$($(full_build) --show-bin-path)/hearth" '$(DESTDIR)$(PREFIX)/bin/hearth'
	@Scripts/install-extras.sh "$$($(full_build) --show-bin-path)/hearth" '$(DESTDIR)$(PREFIX)'
	@echo 'Installed $(DESTDIR)$(PREFIX)/bin/hearth, its manual page, and completions for bash, zsh and fish'

dist: swift build-dependencies ## Pack the program for Linux without Swift: tar.gz, deb, wheel, npm, in dist/
	@echo '==> Building hearth for systems without Swift (release)'
	@rm -rf dist && mkdir dist
	@Scripts/dist/build.sh "$$PWD/dist/hearth"
	@Scripts/dist/tarball.sh dist/hearth dist
	@Scripts/dist/deb.sh dist/hearth dist
	@Scripts/dist/wheel.py dist/hearth dist "$$(Scripts/dist/version.sh)"
	@Scripts/dist/npm.sh dist/hearth dist
	@cp Scripts/dist/Dockerfile dist/Dockerfile
	@cd dist && sha256sum *.tar.gz *.deb *.whl *.tgz > "SHA256SUMS-$$(uname -m)" && cat "SHA256SUMS-$$(uname -m)"

check-dist: ## Install and run what `make dist` made, without Swift
	@Scripts/check-dist.sh dist

clean: ## Remove everything that was built or fetched
	@rm -rf .build .build-* dist Benchmarks/.build Benchmarks/.build-* Examples/*/.build Examples/.build .sample-data
	@echo 'Removed the builds and the sample data'

swift:
	@command -v swift > /dev/null || \
	  { echo 'Swift is not on the PATH. Hearth needs Swift 6.2 or newer: see swift.org for how to install it.' >&2; exit 1; }

build-dependencies:
	@Scripts/install-missing.sh lmdb
