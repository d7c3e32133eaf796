# Toteboard. `make` lists the targets.

SWIFT ?= swift
PREFIX ?= /usr/local
DESTDIR ?=
ONLY ?=
# The server program that `make attack`, `make cluster` and `make chaos-cluster` start. If it is empty, they build one.
PROGRAM ?=
RACE_BUILD = .build-race
CHECK_BUILD = .build-check
INSTALL_BUILD = .build-install
DOCS_BUILD = .build-docs
DEB_BUILD = .build-deb
DIST_BUILD = .build-dist
PACKAGING = Resources/packaging
CXX_LIBRARY = $(INSTALL_BUILD)/static-cxx
# Removes the symbol table and exports no symbols: the flags of the static Swift library would export all, and so keep
# unused code. Data that is written only at the start becomes read-only. With glibc 2.36 or later and GNU ld, relocations are
# packed (8 bytes instead of 24), and most tables for unwinding are omitted. Elsewhere, identical functions are merged.
SHORT_RELOCATIONS := $(shell getconf GNU_LIBC_VERSION 2>/dev/null | awk '{ split($$2, v, "."); if (v[1] > 2 || v[2] >= 36) print "yes" }' \
  | grep -q yes && ld.bfd --help 2>/dev/null | grep -o pack-relative-relocs)
LINK_SIZE = $(if $(SHORT_RELOCATIONS),-Xswiftc -use-ld=bfd -Xlinker -z -Xlinker pack-relative-relocs \
  -Xlinker -T -Xlinker $(CURDIR)/$(PACKAGING)/sections.ld,-Xlinker --icf=safe)
STATIC_LINK = -Xlinker -s $(if $(filter Darwin,$(OS)),,-Xlinker --no-export-dynamic $(LINK_SIZE) -Xlinker -z -Xlinker now)
# A release build. With the flag, each use of a generic type calls code that makes the type's description. Without it, the
# run-time library looks the type up by its name at the first use, which takes a seventh of the instructions of the start.
RELEASE = $(SWIFT) build -c release -Xswiftc -Xfrontend -Xswiftc -disable-concrete-type-metadata-mangled-name-accessors
PROGRAMS = toteboard toteboard-server
# The modules with a DocC catalog.
DOCUMENTED = OddsFeed EveryMatrix Betfair Polymarket FeedRecording FeedNetwork FeedServer OddsClient Dashboard
# The directory with the programs to install and to package; where it is given, nothing is built.
PROGRAMS_DIR ?=
VERSION := $(shell sed -n 's/^\#define TOTEBOARD_VERSION "\(.*\)"$$/\1/p' Sources/CProgramVersion/include/program_version.h)
DEB_REVISION ?= 1
# The commit, if this is a clone; -dirty if files differ from it.
COMMIT = $(shell [ ! -e .git ] || git describe --always --dirty --exclude '*' --abbrev=7 2>/dev/null)
# The time of all packaged files: that of the commit, so that the same sources make the same packages.
SOURCE_DATE_EPOCH ?= $(or $(shell [ ! -e .git ] || git log -1 --format=%ct 2>/dev/null),$(shell stat -c %Y Package.swift))
SWIFT_FILES = Package.swift Sources Tests
OS := $(shell uname -s)

# System packages that a new machine lacks: ncurses, zlib, bzip2, SQLite and the client library of NATS for the build;
# libvterm, a terminal emulator, and a NATS server for the tests.
APT_PACKAGES = libncurses-dev zlib1g-dev libbz2-dev libsqlite3-dev libnats-dev libvterm-dev nats-server
BREW_PACKAGES = ncurses sqlite cnats libvterm nats-server

SEED ?= 1
FUZZ_BUILD = .build-fuzz

.PHONY: help deps build run serve demo cluster chaos chaos-cluster attack test check race format lint bench bench-server bench-betfair bench-cluster fuzz reference pictures docs programs root install uninstall deb deb-test dist clean

help: ## List the targets
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "  make %-13s %s\n", $$1, $$2 }' $(firstword $(MAKEFILE_LIST))

deps: ## Install missing system packages (apt-get or brew)
ifeq ($(OS),Darwin)
	@command -v brew >/dev/null || { echo "deps: Homebrew is missing: install it from https://brew.sh, then: brew install $(BREW_PACKAGES)" >&2; exit 1; }
	@brew list $(BREW_PACKAGES) >/dev/null 2>&1 || brew install $(BREW_PACKAGES)
else
	@missing=""; for p in $(APT_PACKAGES); do \
	  dpkg-query -W -f '$${Status}' $$p 2>/dev/null | grep -q 'ok installed' || missing="$$missing $$p"; done; \
	[ -z "$$missing" ] && exit 0; \
	command -v apt-get >/dev/null || { echo "deps: apt-get not found: install the equivalents of$$missing manually" >&2; exit 1; }; \
	sudo=""; if [ "$$(id -u)" != 0 ]; then \
	  command -v sudo >/dev/null || { echo "deps: root or sudo is required: ask an administrator to run: apt-get install$$missing" >&2; exit 1; }; sudo=sudo; fi; \
	echo "deps: installing$$missing"; \
	$$sudo apt-get update -qq && DEBIAN_FRONTEND=noninteractive $$sudo apt-get install -y -qq --no-install-recommends $$missing >/dev/null \
	  || { echo "deps: apt-get could not install$$missing: see above" >&2; exit 1; }
endif
	@command -v $(SWIFT) >/dev/null || { echo "deps: '$(SWIFT)' not found in PATH: install Swift 6.2 or later from https://swift.org/install" >&2; exit 1; }

build: deps ## Build in debug mode
	$(SWIFT) build

run: deps ## Build in release mode and start the board (ARGS="--rate 100")
	@$(RELEASE) --product toteboard
	@$$($(SWIFT) build -c release --show-bin-path)/toteboard $(ARGS)

# Tests and installed files are in English in every locale.
test check race chaos: export LC_ALL = C.UTF-8

# Tests of the server, with sockets, with a cluster over NATS, and with a terminal run in processes of their own: a unit
# test that blocks its thread or keeps it busy would delay them, and their peers do not wait. $(1) has options of all
# processes, and $(2) options of the tests with sockets.
SERVER = ^FeedServerTests\.
SOCKETS = ^(FeedNetworkTests|LoopbackTests|OddsClientTests)\.
CLUSTER = ^FeedFanOutTests\.
TERMINALS = ^EndToEndTests\.
# Each line is printed at once, also into a pipe: the last lines of a run that hangs name the tests that hang.
SWIFT_TEST = $(if $(shell command -v stdbuf),stdbuf -oL) $(SWIFT) test
run_tests = $(if $(ONLY),$(SWIFT_TEST) $(1) --filter '$(ONLY)',\
  $(SWIFT_TEST) $(1) --skip '$(SERVER)' --skip '$(SOCKETS)' --skip '$(CLUSTER)' --skip '$(TERMINALS)' \
  $(foreach group,'$(SERVER)' '$(SOCKETS)' '$(CLUSTER)' '$(TERMINALS)',&& \
    $(SWIFT_TEST) $(1) $(if $(filter '$(SOCKETS)',$(group)),$(2)) --filter $(group)))

test: deps ## Run the tests (ONLY=name runs the matching ones)
	$(SWIFT) build --build-tests
	$(call run_tests,--skip-build)

lint: ## Check the formatting
	$(SWIFT) format lint --strict --recursive --parallel $(SWIFT_FILES)

format: ## Format the sources in place
	$(SWIFT) format --in-place --recursive --parallel $(SWIFT_FILES)

check: deps lint ## Check formatting and imports, build with warnings as errors, run the tests
	TOTEBOARD_STRICT=1 $(SWIFT) build --build-tests --scratch-path $(CHECK_BUILD) --explicit-target-dependency-import-check error
	export TOTEBOARD_STRICT=1; $(call run_tests,--skip-build --scratch-path $(CHECK_BUILD))

# NB: All tests with sockets at once are so slow under the sanitizer that connections end for silence.
race: deps ## Run the tests under the thread sanitizer (ONLY=name runs the matching ones)
	export TOTEBOARD_RACE=1 TSAN_OPTIONS="suppressions=$(CURDIR)/Tests/ThreadSanitizer.supp"; $(call run_tests,--sanitize thread --scratch-path $(RACE_BUILD),--no-parallel)

serve: deps ## Build in release mode and start the server (ARGS="--rate 100")
	@$(RELEASE) --product toteboard-server
	@$$($(SWIFT) build -c release --show-bin-path)/toteboard-server $(ARGS)

demo: EVERY ?= 30
demo: deps ## Start a server with logins and a board that is logged in; its session is ended every EVERY=30 s
	@command -v curl >/dev/null || { echo "demo: curl not found: install it; it ends the sessions" >&2; exit 1; }
	@for p in $(PROGRAMS); do $(RELEASE) --product $$p || exit 1; done
	@bin=$$($(SWIFT) build -c release --show-bin-path) && dir=$$(mktemp -d) || exit 1; server=; ender=; \
	trap 'kill $$ender $$server 2>/dev/null; rm -rf "$$dir"' EXIT; trap 'exit 1' HUP INT TERM; \
	"$$bin/toteboard-server" --listen 127.0.0.1:0 --admin 127.0.0.1:0 --require-login --demo-user demo:demo \
	  >"$$dir/out" 2>"$$dir/log" & server=$$!; \
	until grep -q '^admin' "$$dir/out"; do kill -0 $$server 2>/dev/null || { cat "$$dir/log" >&2; exit 1; }; sleep 0.1; done; \
	feed=$$(sed -n 's/^listening on //p' "$$dir/out"); admin=$$(sed -n 's/^admin on //p' "$$dir/out"); \
	while :; do for how in kick expire terminate; do \
	  until curl -s "$$admin/sessions" | grep -q userId; do sleep 1; done; \
	  sleep $(EVERY); curl -s -X POST "$$admin/sessions/demo/$$how"; done; done >/dev/null 2>&1 & ender=$$!; \
	echo "demo: the user name and the password are both 'demo'" >&2; \
	TOTEBOARD_PASSWORD=demo "$$bin/toteboard" --feed "$$feed" --login demo $(ARGS)

cluster: deps ## Start NATS, a book, a standby and two gateways on this machine (ARGS="--rate 100")
	@command -v python3 >/dev/null || { echo "cluster: python3 not found: install it; the script that starts the cluster needs it" >&2; exit 1; }
	@[ -n "$(PROGRAM)" ] || $(RELEASE) --product toteboard-server
	@program='$(PROGRAM)'; exec python3 Tests/Cluster/cluster.py \
	  "$${program:-$$($(SWIFT) build -c release --show-bin-path)/toteboard-server}" $(ARGS)

chaos: SECONDS ?= 300
chaos: deps ## Run a board and a server over an unreliable connection for SECONDS=300, with SEED=1
	$(SWIFT) build --build-tests
	CHAOS_SECONDS=$(SECONDS) CHAOS_SEED=$(SEED) $(SWIFT) test --skip-build --filter LoopbackTests.ChaosTests

chaos-cluster: SECONDS ?= 300
chaos-cluster: deps ## Break a cluster for SECONDS=300, with SEED=1, preferably as root (ONLY=kind of fault, PROGRAM=file)
	@command -v python3 >/dev/null || { echo "chaos-cluster: python3 not found: install it; the faults are written in it" >&2; exit 1; }
	@[ -n "$(PROGRAM)" ] || $(RELEASE) --product toteboard-server
	@program='$(PROGRAM)'; SECONDS=$(SECONDS) SEED=$(SEED) PYTHONDONTWRITEBYTECODE=1 exec python3 Tests/Cluster/chaos.py \
	  "$${program:-$$($(SWIFT) build -c release --show-bin-path)/toteboard-server}" $(ONLY)

attack: deps ## Attack a server on loopback (ONLY=name runs one attack, PROGRAM=file attacks another server)
	@command -v python3 >/dev/null || { echo "attack: python3 not found: install it; the attacks are written in it" >&2; exit 1; }
	@[ -n "$(PROGRAM)" ] || $(RELEASE) --product toteboard-server
	@program='$(PROGRAM)'; PYTHONDONTWRITEBYTECODE=1 SEED=$(SEED) python3 Tests/Attack/run.py \
	  "$${program:-$$($(SWIFT) build -c release --show-bin-path)/toteboard-server}" $(ONLY)

# The board of 'frame' has no symbols: valgrind does not read all of their formats, and then does not start.
bench: deps ## Measure the engine, or a frame of the board (ARGS=--quick, ARGS=frame; REFERENCES="program, program" to compare with)
	@$(RELEASE) --product toteboard-bench
	@case '$(ARGS)' in frame*) $(RELEASE) --product toteboard -Xlinker -s;; esac
	@REFERENCES='$(REFERENCES)' $$($(SWIFT) build -c release --show-bin-path)/toteboard-bench $(ARGS)

bench-server: deps ## Measure the server under load (ARGS="--clients 500 --rate 1000")
	@$(RELEASE) --product toteboard-server
	@$(RELEASE) --product toteboard-load
	@$$($(SWIFT) build -c release --show-bin-path)/toteboard-load $(ARGS)

bench-cluster: deps ## Measure one server and clusters of 1, 2 and 4 gateways (ARGS="--clients 2000 --topics 1")
	@command -v python3 >/dev/null || { echo "bench-cluster: python3 not found: install it; the script that measures needs it" >&2; exit 1; }
	@for p in toteboard-server toteboard-load; do $(RELEASE) --product $$p || exit 1; done
	@PYTHONDONTWRITEBYTECODE=1 exec python3 Tests/Cluster/bench.py $$($(SWIFT) build -c release --show-bin-path) $(ARGS)

fuzz: SECONDS ?= 60
fuzz: deps ## Fuzz the decoder and the tables for SECONDS=60 (requires lld); failing inputs go to .build-fuzz/found
	@TOTEBOARD_FUZZ=1 $(SWIFT) build -c release --product toteboard-fuzz --scratch-path $(FUZZ_BUILD) -Xswiftc -sanitize=fuzzer,address
	@mkdir -p $(FUZZ_BUILD)/corpus $(FUZZ_BUILD)/found
	SWIFT_BACKTRACE=enable=no $(FUZZ_BUILD)/release/toteboard-fuzz -max_total_time=$(SECONDS) -max_len=4096 -rss_limit_mb=2048 -timeout=10 \
	  -artifact_prefix=$(FUZZ_BUILD)/found/ -print_final_stats=1 $(FUZZ_BUILD)/corpus Tests/Fuzz/Corpus

# A directory outside the repository: a Python environment, made once, and the streams and states of the last run.
REFERENCE_DIR ?= $(or $(TMPDIR),/tmp)/toteboard-reference
reference: SEEDS ?= 300
reference: deps ## Compare the Betfair order books with betfairlightweight on SEEDS=300 generated streams (requires python3)
	@mkdir -p $(REFERENCE_DIR)/streams && rm -f $(REFERENCE_DIR)/streams/*
	@[ -x $(REFERENCE_DIR)/venv/bin/python ] || python3 -m venv $(REFERENCE_DIR)/venv
	@$(REFERENCE_DIR)/venv/bin/python -c 'import betfairlightweight' 2>/dev/null \
	  || $(REFERENCE_DIR)/venv/bin/pip install -q betfairlightweight==2.24.0
	TOTEBOARD_REFERENCE=$(REFERENCE_DIR)/streams SEEDS=$(SEEDS) $(SWIFT) test --filter BetfairTests.ReferenceTests
	@for d in $(REFERENCE_DIR)/streams Tests/BetfairTests/Reference; do \
	  $(REFERENCE_DIR)/venv/bin/python Tests/BetfairTests/Reference/final_state.py --check $$d || exit 1; done

bench-betfair: ROUNDS ?= 7
bench-betfair: deps ## Measure the Betfair decoder beside betfair_data on generated historical files (ROUNDS=7; requires python3)
	@$(RELEASE) --product toteboard-bench
	@mkdir -p $(REFERENCE_DIR) && [ -x $(REFERENCE_DIR)/venv/bin/python ] || python3 -m venv $(REFERENCE_DIR)/venv
	@$(REFERENCE_DIR)/venv/bin/python -c 'import betfair_data' 2>/dev/null \
	  || $(REFERENCE_DIR)/venv/bin/pip install -q betfair_data==0.3.4
	@PYTHONDONTWRITEBYTECODE=1 $(REFERENCE_DIR)/venv/bin/python Tests/BetfairTests/Reference/throughput.py \
	  $$($(SWIFT) build -c release --show-bin-path)/toteboard-bench $(REFERENCE_DIR) $(ROUNDS)

# The plugin is a dependency only with TOTEBOARD_DOCS. Each module has a site of its own below the one base path.
docs: deps ## Build the documentation as a web site in .build-docs/site; a warning is an error
	@rm -rf $(DOCS_BUILD)/site && mkdir -p $(DOCS_BUILD)/site
	export TOTEBOARD_DOCS=1; for m in $(DOCUMENTED); do \
	  $(SWIFT) package --scratch-path $(DOCS_BUILD) --allow-writing-to-directory $(CURDIR)/$(DOCS_BUILD)/site \
	    generate-documentation --target $$m --disable-indexing --warnings-as-errors \
	    --transform-for-static-hosting --hosting-base-path $$m --output-path $(CURDIR)/$(DOCS_BUILD)/site/$$m || exit 1; done
	@for m in $(DOCUMENTED); do \
	  test -f $(DOCS_BUILD)/site/$$m/index.html || { echo "docs: no site was generated for $$m: see above" >&2; exit 1; }; \
	  echo "<li><a href=\"$$m/documentation/$$(echo $$m | tr A-Z a-z)/\">$$m</a></li>"; done \
	  > $(DOCS_BUILD)/list.html
	@{ echo '<!DOCTYPE html><meta charset="utf-8"><title>Toteboard</title><h1>Toteboard</h1><ul>'; \
	  cat $(DOCS_BUILD)/list.html; echo '</ul>'; } > $(DOCS_BUILD)/site/index.html
	@echo "docs: python3 -m http.server --directory $(DOCS_BUILD)/site"

# From the release build: a debug build takes longer for a frame, and the pictures show how long.
pictures: deps ## Regenerate the pictures of the README in Resources/pictures
	@command -v curl >/dev/null || { echo "pictures: curl not found: install it; it ends the session in a picture" >&2; exit 1; }
	@for p in $(PROGRAMS); do $(RELEASE) --product $$p || exit 1; done
	$(SWIFT) build --build-tests
	@mkdir -p Resources/pictures
	@PICTURES=$(CURDIR)/Resources/pictures PROGRAM_DIRECTORY=$$($(SWIFT) build -c release --show-bin-path) \
	  $(SWIFT) test --skip-build --filter PictureScenes

# Links the C++ library statically where it can: the shared one costs 2 MB of memory.
programs: deps
ifeq ($(PROGRAMS_DIR),)
	@mkdir -p $(CXX_LIBRARY); \
	archive=$$("$$(dirname "$$(readlink -f "$$(command -v $(SWIFT))")")/clang" -print-file-name=libstdc++.a 2>/dev/null); \
	if [ -f "$$archive" ]; then ln -sf "$$archive" $(CXX_LIBRARY); fi
	commit="$(COMMIT)"; [ -z "$$commit" ] || export TOTEBOARD_COMMIT="$$commit"; \
	export TOTEBOARD_CXX=$(CURDIR)/$(CXX_LIBRARY); for p in $(PROGRAMS); do \
	  $(RELEASE) --product $$p --static-swift-stdlib --scratch-path $(INSTALL_BUILD) $(STATIC_LINK) || exit 1; done
endif

packaged = $(or $(PROGRAMS_DIR),$(INSTALL_BUILD)/release)

install: programs ## Install the programs, man pages and completions (PREFIX, DESTDIR)
	$(PACKAGING)/install-files install $(packaged) $(DESTDIR)$(PREFIX)

uninstall: ## Remove the installed files
	$(PACKAGING)/install-files remove $(DESTDIR)$(PREFIX)

deb deb-test: APT_PACKAGES += debhelper lintian
deb-test: APT_PACKAGES += debootstrap
deb deb-test dist: export SOURCE_DATE_EPOCH := $(SOURCE_DATE_EPOCH)

deb: programs ## Build the Debian packages and check them with lintian (DEB_REVISION=1)
	$(PACKAGING)/build-deb $(packaged) $(VERSION) $(DEB_REVISION) $(DEB_BUILD)

# The first prerequisite of deb-test, so that a user without permission gets the error before the build.
root:
	@[ "$$(id -u)" = 0 ] || { echo "deb-test: only root can make a chroot: run 'sudo make deb-test'" >&2; exit 1; }

deb-test: root deb ## Install, run, upgrade and remove the packages in a fresh Debian; as root
	$(PACKAGING)/test-deb $(DEB_BUILD)

dist: programs ## Pack the programs, man pages and completions as a tar.gz with SHA256SUMS, in .build-dist
	$(PACKAGING)/build-dist $(packaged) $(VERSION) $(DIST_BUILD)

clean: ## Remove the build directories
	rm -rf .build $(RACE_BUILD) $(CHECK_BUILD) $(FUZZ_BUILD) $(INSTALL_BUILD) $(DEB_BUILD) $(DIST_BUILD) $(DOCS_BUILD)
