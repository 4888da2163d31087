# Everything from a fresh clone: each target makes the environment first, where it is not there yet.
#
#   PYTHON=python3.12     the interpreter of the environment (default: python3)
#   ROS_DISTRO=jazzy      another distribution's wheels, in an environment of its own
#   VENV=folder           the environment's folder
#   SYSTEM=scout          another system for the demo
#   ONCE=1                let the demo end after what there is to show
#   ARGUMENTS='...'       more arguments for the demo or the benchmark

PYTHON ?= python3
ROS_DISTRO ?= kilted
ifeq ($(ROS_DISTRO),kilted)
VENV ?= .venv
else
VENV ?= .venv-$(ROS_DISTRO)
endif
ARGUMENTS ?=
SYSTEM ?= asv

export ROS_DISTRO
unexport VENV
BIN := $(VENV)/bin
PYTEST := $(BIN)/python -m pytest

.PHONY: help env demo test test-clock test-graph test-library check bench clean
.DEFAULT_GOAL := help

help:
	@echo 'make env     the environment in $(VENV) (ROS_DISTRO=jazzy for the LTS)'
	@echo 'make demo    the demo of a system in the browser (SYSTEM=scout: another system; ONCE=1: end after the show)'
	@echo 'make test    all tests, those of the graph on Jazzy too (test-clock, test-graph, test-library: a part)'
	@echo 'make check   lint, format and types'
	@echo 'make bench   how fast it is'
	@echo 'make clean   remove what was made here'
	@echo; echo 'Systems:'
	@$(PYTHON) walking_robots/systems.py

env:
	@$(PYTHON) tools/make_env.py $(VENV)

demo: env
	@exec $(BIN)/walking_robots demo $(SYSTEM) $(if $(ONCE),--once) $(ARGUMENTS)

# What is held to the clock on the wall is tested first, with the machine for itself. The graph and the
# pages leave half of it idle: there the rest is tested meanwhile, at the lowest priority.
test: env
	@failed=0; $(MAKE) --no-print-directory test-clock || failed=1; \
	echo 'Tests the graph and beside it the library; each tells at its end, in ten minutes or later.'; \
	$(MAKE) --no-print-directory --jobs=2 --output-sync=target test-graph test-library && exit $$failed

ON_STAGE := graph or browser or launch
BY_FILE := --numprocesses=2 --dist=loadfile
ABREAST := --numprocesses=auto --dist=worksteal

# The library has a floor of coverage; what only the graph, a page or a terminal runs has none.
LIBRARY_APART := walking_robots/nodes/*,walking_robots/viewer/*,walking_robots/cli/*,walking_robots/systems.py

# Jazzy follows Kilted, without long walks. A sourced distribution takes the place of all wheels.
test-clock: env
	$(PYTEST) -m 'clock'
ifndef AMENT_PREFIX_PATH
	@$(MAKE) --no-print-directory env ROS_DISTRO=jazzy VENV=.venv-jazzy
	.venv-jazzy/bin/python -m pytest -m 'clock and graph and not (browser or slow)'
endif

test-graph: env
	$(PYTEST) -m '($(ON_STAGE)) and not clock' $(BY_FILE)
ifdef AMENT_PREFIX_PATH
	@echo 'The graph was tested on the sourced ROS 2 $(ROS_DISTRO) alone.'
else
	@$(MAKE) --no-print-directory env ROS_DISTRO=jazzy VENV=.venv-jazzy
	.venv-jazzy/bin/python -m pytest -m 'graph and not (browser or slow or clock)' $(BY_FILE)
endif

# Long trials are not traced: that takes twice as long.
test-library: env
	nice -n 19 $(PYTEST) -m 'not (slow or clock or $(ON_STAGE))' $(ABREAST) --cov --cov-report=
	@echo 'Coverage of the library, with branches'
	@$(BIN)/python -m coverage report --omit='$(LIBRARY_APART)' --fail-under=90
	nice -n 19 $(PYTEST) -m 'slow and not (clock or $(ON_STAGE))' $(ABREAST) --timeout=1800

check: env
	$(BIN)/ruff check
	$(BIN)/ruff format --check
	$(BIN)/mypy

bench: env
	@$(BIN)/python -m benchmarks.library
	@$(BIN)/python -m benchmarks.graph $(ARGUMENTS)

clean:
	rm -rf .venv .venv-* build install log *.egg-info
	rm -rf .coverage* htmlcov .hypothesis .mypy_cache .pytest_cache .ruff_cache
	find walking_robots test tools -name __pycache__ -prune -exec rm -rf {} +
