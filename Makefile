# What a person types. `make` alone lists it. CMake and Ninja do the building; packages come from tools/packages.txt.

PREFIX ?= /usr/local
DESTDIR ?=
ALIASES ?=
FUZZ_SECONDS ?= 60
FUZZ_ARGS ?=
JOBS ?= $(shell nproc)
BENCH_ARGS ?=

# On a terminal Ninja shows one moving line; in CI and in a pipe it says nothing unless something fails.
NINJA := ninja -j$(JOBS)
ifneq ($(or $(filter true 1,$(CI)),$(if $(MAKE_TERMOUT),,piped)),)
NINJA += --quiet
endif
CTEST := ctest --output-on-failure -j$(JOBS)

.DEFAULT_GOAL := help
.PHONY: help run test build lint bench bench-server soak fuzz asan tsan install install-dev package clean
.SUFFIXES:

help:
	@echo 'make run        install packages, build, and serve the examples until Ctrl-C'
	@echo 'make test       install packages, build, and run all tests, as CI does'
	@echo 'make build      build the release binary: build/release/strake'
	@echo 'make lint       formatting, clang-tidy, layers, self-contained headers'
	@echo 'make bench      benchmarks, compared with other installed tools; BENCH_ARGS=--help'
	@echo 'make bench-server  strake serve under load: start, memory, rates; BENCH_ARGS=--help'
	@echo 'make fuzz       run every fuzz target for FUZZ_SECONDS=$(FUZZ_SECONDS) of processor time each; FUZZ_ARGS=--record'
	@echo 'make soak       kill store and server a thousand times; validate gibibytes; scaling; random API requests'
	@echo 'make asan       run all tests with the address and undefined-behaviour sanitizers'
	@echo 'make tsan       run all tests with the thread sanitizer'
	@echo 'make install    PREFIX=$(PREFIX) DESTDIR=$(DESTDIR); ALIASES="kustomize pulumi-component-to-crd" adds links'
	@echo 'make install-dev  also install the C++ library: include/strake, libstrake.a'
	@echo 'make package    build a .deb in build/'
	@echo 'make clean      remove build/'

# The presets are part of what a build folder is made of; Ninja itself watches the CMake files.
build/%/build.ninja: CMakePresets.json
	@cmake --preset $* --log-level=WARNING >/dev/null
	@touch $@

.PHONY: packages packages-dev
packages:
	@tools/install_packages build test
packages-dev:
	@tools/install_packages build test dev

.PRECIOUS: build/%/build.ninja
# A recursive make per preset, so that the packages are there before CMake is looked for.
define build_preset
	@$(MAKE) -s --no-print-directory build/$(1)/build.ninja
	@$(NINJA) -C build/$(1) $(2)
endef

run: packages
	$(call build_preset,release,strake)
	@tools/run_example build/release/strake $(CURDIR)/build/run

build: packages
	$(call build_preset,release,strake)

test: packages
	$(call build_preset,release,all)
	@$(CTEST) --test-dir build/release

asan: packages
	$(call build_preset,asan,all)
	@$(CTEST) --test-dir build/asan

tsan: packages
	$(call build_preset,tsan,all)
	@TSAN_OPTIONS=suppressions=$(CURDIR)/tests/tsan_suppressions.txt $(CTEST) --test-dir build/tsan

# Long runs: a thousand kills of the store and of the server under load, documents of a gibibyte, random API requests.
soak: packages
	$(call build_preset,release,all)
	@ctest --test-dir build/release -C soak -L soak --output-on-failure
	@STRAKE_READY_MILLISECONDS=250 STRAKE_BINARY=$(CURDIR)/build/release/strake STRAKE_BUILD=build/release \
	  STRAKE_SOURCE=$(CURDIR) python3 -B tests/robustness/attack_test.py
	@for seed in 1 2 3 4; do \
	  STRAKE_SEED=$$seed STRAKE_KILL_ROUNDS=250 STRAKE_BINARY=build/release/strake STRAKE_BUILD=build/release \
	  STRAKE_SOURCE=$(CURDIR) python3 -B tests/robustness/kill_test.py & pids="$$pids $$!"; done; \
	  for pid in $$pids; do wait $$pid || exit 1; done
	@for seed in 1 2 3; do \
	  STRAKE_SEED=$$seed STRAKE_KILL_OBJECTS=10000 STRAKE_KILLS=20 STRAKE_BINARY=build/release/strake STRAKE_BUILD=build/release \
	  STRAKE_SOURCE=$(CURDIR) python3 -B tests/robustness/kill_work_test.py || exit 1; done
	@for seed in 1 2 3 4 5 6 7 8; do STRAKE_SEED=$$seed STRAKE_DEFINITION_STEPS=5000 \
	  build/release/src/api/api_test --gtest_brief=1 --gtest_filter='LivesOfDefinitions.*' || exit 1; done

lint: packages-dev
	$(call build_preset,lint,strake_pch_std strake_pch_test all_verify_interface_header_sets)
	@tools/check_layers
	@tools/lint build/lint

bench: packages-dev
	$(call build_preset,release,strake benches)
	@tools/bench --build build/release --out build/bench $(BENCH_ARGS)

bench-server: packages
	$(call build_preset,release,strake strake_load strake_first_answer)
	@tools/bench_server --build build/release --out build/bench $(BENCH_ARGS)

fuzz: packages
	$(call build_preset,asan,fuzzers)
	@tools/fuzz $(FUZZ_ARGS) build/asan $(FUZZ_SECONDS)

install: packages
	$(call build_preset,release,strake generated)
	@DESTDIR='$(DESTDIR)' STRAKE_ALIASES='$(ALIASES)' cmake --install build/release --prefix '$(PREFIX)'

install-dev: install
	@DESTDIR='$(DESTDIR)' cmake --install build/release --prefix '$(PREFIX)' --component dev

package: packages-dev
	$(call build_preset,release,strake generated)
	@STRAKE_ALIASES='$(ALIASES)' tools/package build/release build

clean:
	rm -rf build
