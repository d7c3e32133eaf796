# Toteboard. `make` lists the targets.

SWIFT ?= swift
PREFIX ?= /usr/local
DESTDIR ?=
SHARE = $(DESTDIR)$(PREFIX)/share
ONLY ?=
RACE_BUILD = .build-race
CHECK_BUILD = .build-check
INSTALL_BUILD = .build-install
CXX_LIBRARY = $(INSTALL_BUILD)/static-cxx
# No symbols, none for others (the static library's flags would export them all, unused ones too), of equal functions one.
STATIC_LINK = -Xlinker -s $(if $(filter Darwin,$(OS)),,-Xlinker --no-export-dynamic -Xlinker --icf=safe)
PROGRAMS = toteboard toteboard-server
SWIFT_FILES = Package.swift Sources Tests Resources
OS := $(shell uname -s)

# What a fresh machine misses: ncurses and zlib to build, libvterm for the tests' terminal.
APT_PACKAGES = libncurses-dev zlib1g-dev libvterm-dev
BREW_PACKAGES = ncurses libvterm

SEED ?= 1
FUZZ_BUILD = .build-fuzz

.PHONY: help deps build run serve demo chaos test check race format lint bench bench-server fuzz pictures install uninstall clean

help: ## List the targets
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "  make %-12s %s\n", $$1, $$2 }' $(firstword $(MAKEFILE_LIST))

deps: ## Install the system packages that are missing (apt-get or brew)
ifeq ($(OS),Darwin)
	@command -v brew >/dev/null || { echo "deps: Homebrew is missing: install it from https://brew.sh, then: brew install $(BREW_PACKAGES)" >&2; exit 1; }
	@brew list $(BREW_PACKAGES) >/dev/null 2>&1 || brew install $(BREW_PACKAGES)
else
	@missing=""; for p in $(APT_PACKAGES); do \
	  dpkg-query -W -f '$${Status}' $$p 2>/dev/null | grep -q 'ok installed' || missing="$$missing $$p"; done; \
	[ -z "$$missing" ] && exit 0; \
	command -v apt-get >/dev/null || { echo "deps: no apt-get here: install the equivalents of$$missing by hand" >&2; exit 1; }; \
	sudo=""; if [ "$$(id -u)" != 0 ]; then \
	  command -v sudo >/dev/null || { echo "deps: neither root nor sudo: have somebody run: apt-get install$$missing" >&2; exit 1; }; sudo=sudo; fi; \
	echo "deps: installing$$missing"; \
	$$sudo apt-get update -qq && DEBIAN_FRONTEND=noninteractive $$sudo apt-get install -y -qq --no-install-recommends $$missing >/dev/null \
	  || { echo "deps: apt-get could not install$$missing: see above" >&2; exit 1; }
endif
	@command -v $(SWIFT) >/dev/null || { echo "deps: no '$(SWIFT)' in PATH: install Swift 6.2 or later from https://swift.org/install" >&2; exit 1; }

build: deps ## Build in debug mode
	$(SWIFT) build

run: deps ## Build in release mode and show the board (ARGS="--rate 100")
	@$(SWIFT) build -c release --product toteboard
	@$$($(SWIFT) build -c release --show-bin-path)/toteboard $(ARGS)

# What is tested and installed is in English, whoever does it.
test check race chaos install: export LC_ALL = C.UTF-8

# What talks over sockets, and what sits in front of a terminal and waits, each in a process of its own: a test that
# blocks its thread, or needs all of it, would make those wait that have a peer who does not.
SOCKETS = ^(FeedNetworkTests|FeedServerTests|LoopbackTests)\.
TERMINALS = ^EndToEndTests\.
run_tests = $(if $(ONLY),$(SWIFT) test $(1) --filter '$(ONLY)',$(SWIFT) test $(1) --skip '$(SOCKETS)' --skip '$(TERMINALS)' \
  && $(SWIFT) test $(1) --filter '$(SOCKETS)' && $(SWIFT) test $(1) --filter '$(TERMINALS)')

test: deps ## Run the tests (ONLY=name runs those that match)
	$(SWIFT) build --build-tests
	$(call run_tests,--skip-build)

lint: ## Check the format
	$(SWIFT) format lint --strict --recursive --parallel $(SWIFT_FILES)

format: ## Format the sources in place
	$(SWIFT) format --in-place --recursive --parallel $(SWIFT_FILES)

check: deps lint ## Format lint, explicit imports, warnings as errors, tests
	TOTEBOARD_STRICT=1 $(SWIFT) build --build-tests --scratch-path $(CHECK_BUILD) --explicit-target-dependency-import-check error
	export TOTEBOARD_STRICT=1; $(call run_tests,--skip-build --scratch-path $(CHECK_BUILD))

race: deps ## Run the tests under the thread sanitizer (ONLY=name runs those that match)
	export TOTEBOARD_RACE=1 TSAN_OPTIONS="suppressions=$(CURDIR)/Tests/ThreadSanitizer.supp"; $(call run_tests,--sanitize thread --scratch-path $(RACE_BUILD))

serve: deps ## Build in release mode and run the server (ARGS="--rate 100")
	@$(SWIFT) build -c release --product toteboard-server
	@$$($(SWIFT) build -c release --show-bin-path)/toteboard-server $(ARGS)

demo: EVERY ?= 30
demo: deps ## A server that wants a login, and a board that is logged in, until its session is ended EVERY=30 s later
	@command -v curl >/dev/null || { echo "demo: no curl here: install it, as what ends the sessions" >&2; exit 1; }
	@for p in $(PROGRAMS); do $(SWIFT) build -c release --product $$p || exit 1; done
	@bin=$$($(SWIFT) build -c release --show-bin-path) && dir=$$(mktemp -d) || exit 1; server=; ender=; \
	trap 'kill $$ender $$server 2>/dev/null; rm -rf "$$dir"' EXIT; trap 'exit 1' HUP INT TERM; \
	"$$bin/toteboard-server" --listen 127.0.0.1:0 --admin 127.0.0.1:0 --require-login --demo-user demo:demo \
	  >"$$dir/out" 2>"$$dir/log" & server=$$!; \
	until grep -q '^admin' "$$dir/out"; do kill -0 $$server 2>/dev/null || { cat "$$dir/log" >&2; exit 1; }; sleep 0.1; done; \
	feed=$$(sed -n 's/^listening on //p' "$$dir/out"); admin=$$(sed -n 's/^admin on //p' "$$dir/out"); \
	while :; do for how in kick expire terminate; do \
	  until curl -s "$$admin/sessions" | grep -q userId; do sleep 1; done; \
	  sleep $(EVERY); curl -s -X POST "$$admin/sessions/demo/$$how"; done; done >/dev/null 2>&1 & ender=$$!; \
	echo "demo: the user and the password are both demo" >&2; \
	TOTEBOARD_PASSWORD=demo "$$bin/toteboard" --feed "$$feed" --login demo $(ARGS)

chaos: SECONDS ?= 300
chaos: deps ## A board and its server on a bad line for SECONDS=300, from SEED=1
	$(SWIFT) build --build-tests
	CHAOS_SECONDS=$(SECONDS) CHAOS_SEED=$(SEED) $(SWIFT) test --skip-build --filter LoopbackTests.ChaosTests

bench: deps ## Measure the engine (ARGS=--quick; REFERENCES="program, program" to compare with)
	@$(SWIFT) build -c release --product toteboard-bench
	@REFERENCES='$(REFERENCES)' $$($(SWIFT) build -c release --show-bin-path)/toteboard-bench $(ARGS)

bench-server: deps ## Measure the server under load (ARGS="--clients 500 --rate 1000")
	@$(SWIFT) build -c release --product toteboard-server
	@$(SWIFT) build -c release --product toteboard-load
	@$$($(SWIFT) build -c release --show-bin-path)/toteboard-load $(ARGS)

fuzz: SECONDS ?= 60
fuzz: deps ## Throw bytes at decoder and tables for SECONDS=60; needs lld. What stops them is left in .build-fuzz/found
	@TOTEBOARD_FUZZ=1 $(SWIFT) build -c release --product toteboard-fuzz --scratch-path $(FUZZ_BUILD) -Xswiftc -sanitize=fuzzer,address
	@mkdir -p $(FUZZ_BUILD)/corpus $(FUZZ_BUILD)/found
	SWIFT_BACKTRACE=enable=no $(FUZZ_BUILD)/release/toteboard-fuzz -max_total_time=$(SECONDS) -max_len=4096 -rss_limit_mb=2048 -timeout=10 \
	  -artifact_prefix=$(FUZZ_BUILD)/found/ -print_final_stats=1 $(FUZZ_BUILD)/corpus Tests/Fuzz/Corpus

# From the release build: a debug build takes longer for a frame, and the pictures show how long.
pictures: deps ## Make the pictures of the README in Resources/pictures anew
	@command -v curl >/dev/null || { echo "pictures: curl is missing: install it; it ends the session in a picture" >&2; exit 1; }
	@for p in $(PROGRAMS); do $(SWIFT) build -c release --product $$p || exit 1; done
	$(SWIFT) build --build-tests
	@mkdir -p Resources/pictures
	@PICTURES=$(CURDIR)/Resources/pictures PROGRAM_DIRECTORY=$$($(SWIFT) build -c release --show-bin-path) \
	  $(SWIFT) test --skip-build --filter PictureScenes

# A shared C++ library costs 2 MB of memory for the little that is used of it; where there is no other it has to do.
install: deps ## Install the programs, man pages and completions (PREFIX, DESTDIR)
	@mkdir -p $(CXX_LIBRARY); \
	archive=$$("$$(dirname "$$(readlink -f "$$(command -v $(SWIFT))")")/clang" -print-file-name=libstdc++.a 2>/dev/null); \
	if [ -f "$$archive" ]; then ln -sf "$$archive" $(CXX_LIBRARY); fi
	export TOTEBOARD_CXX=$(CURDIR)/$(CXX_LIBRARY); for p in $(PROGRAMS); do \
	  $(SWIFT) build -c release --product $$p --static-swift-stdlib --scratch-path $(INSTALL_BUILD) $(STATIC_LINK) || exit 1; done
	install -d $(DESTDIR)$(PREFIX)/bin $(SHARE)/man/man1 $(SHARE)/bash-completion/completions $(SHARE)/zsh/site-functions \
	  $(SHARE)/fish/vendor_completions.d
	bin=$$($(SWIFT) build -c release --scratch-path $(INSTALL_BUILD) --show-bin-path) && for p in $(PROGRAMS); do \
	  install -m 755 $$bin/$$p $(DESTDIR)$(PREFIX)/bin/$$p && \
	  $$bin/$$p man-page > $(SHARE)/man/man1/$$p.1 && \
	  $$bin/$$p --generate-completion-script bash > $(SHARE)/bash-completion/completions/$$p && \
	  $$bin/$$p --generate-completion-script zsh > $(SHARE)/zsh/site-functions/_$$p && \
	  $$bin/$$p --generate-completion-script fish > $(SHARE)/fish/vendor_completions.d/$$p.fish || exit 1; done

uninstall: ## Remove what install put there
	for p in $(PROGRAMS); do rm -f $(DESTDIR)$(PREFIX)/bin/$$p $(SHARE)/man/man1/$$p.1 $(SHARE)/bash-completion/completions/$$p \
	  $(SHARE)/zsh/site-functions/_$$p $(SHARE)/fish/vendor_completions.d/$$p.fish; done

clean: ## Remove what was built
	rm -rf .build $(RACE_BUILD) $(CHECK_BUILD) $(FUZZ_BUILD) $(INSTALL_BUILD)
