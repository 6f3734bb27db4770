# The commands of the project; all of them wrap the presets of CMakePresets.json.
.PHONY: run build python test test-long bench format check-format tidy deps

# With Reuters4 too, where the environment variable SOBA_REUTERS4 says where it is.
run: build
	build/release/bin/soba reproduce --quick

build: deps
	cmake --preset release
	cmake --build --preset release

# The Python package, for PYTHONPATH=build/release/python; docs/python.md installs it.
python: deps
	cmake --preset release
	cmake --build --preset release --target _soba

# Formatting and layers, every test under sanitizers, the numeric ones and the program as users run it, an
# installed library, fuzzers.
test: deps check-format
	cmake --workflow --preset dev
	cmake --workflow --preset release
	tests/install/run build/release
	cmake --workflow --preset fuzz

# What takes longer than a commit should wait for: full-size figures, 10^7 rounds, clang-tidy, threads.
test-long: build
	cmake --preset release -DSOBA_UNIT_TESTS=ON
	cmake --build --preset release --target all soba_bench
	ctest --preset release
	ctest --preset long
	cmake --workflow --preset tsan
	cmake --workflow --preset tidy

bench: build
	cmake --build --preset release --target soba_bench
	build/release/bin/soba_bench

format:
	git ls-files '*.h' '*.cpp' | xargs clang-format -i

# clang-format leaves comments and strings as long as they are.
check-format: deps
	git ls-files '*.h' '*.cpp' | xargs clang-format --dry-run --Werror
	! git ls-files '*.h' '*.cpp' | LC_ALL=C.UTF-8 xargs grep -nE '^.{101,}'

# Installs the Debian packages that are missing, as root or with sudo.
deps:
	@scripts/install-deps
