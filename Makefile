# Everything from a fresh clone: each target makes the environment first, where it is not there yet.
#
#   PYTHON=python3.12     the interpreter of the environment (default: python3)
#   ROS_DISTRO=jazzy      another distribution's wheels, in an environment of its own
#   VENV=folder           the environment's folder
#   SYSTEM=scout          another system for the demo; the only one for the soak
#   ONCE=1                end the demo after the show
#   MINUTES=60            how long a system is soaked (default: 10)
#   ARGUMENTS='...'       more arguments for the demo, the benchmark or the soak

PYTHON ?= python3
ROS_DISTRO ?= kilted
ifeq ($(ROS_DISTRO),kilted)
VENV ?= .venv
else
VENV ?= .venv-$(ROS_DISTRO)
endif
ARGUMENTS ?=
SYSTEM ?= asv
MINUTES ?= 10

export ROS_DISTRO
unexport VENV
# Tests start hundreds of processes; each would spend two thirds of its start on compiling what it imports.
unexport PYTHONDONTWRITEBYTECODE
BIN := $(VENV)/bin
PYTEST := $(BIN)/python -m pytest

.PHONY: help env demo test test-graph test-library coverage acceptance check bench fuzz soak docs figures clean
.DEFAULT_GOAL := help

help:
	@echo 'make env     build the environment in $(VENV) (ROS_DISTRO=jazzy for the LTS)'
	@echo 'make demo    run the demo of a system in the browser (SYSTEM=scout: another system; ONCE=1: end after the show)'
	@echo 'make test    run all tests, those of the graph on Jazzy too (test-graph, test-library: one part)'
	@echo 'make acceptance  repeat long trials with all seeds and programs that the specifications ask for'
	@echo 'make coverage  measure how much of the library is tested, which must be 90 %'
	@echo 'make check   check lint, format and types'
	@echo 'make bench   measure CPU times, and on an idle machine deadlines'
	@echo 'make fuzz    send random input to all nodes for a minute per system (ARGUMENTS="--seconds 600 --seed 7")'
	@echo 'make soak    run all systems for MINUTES=10 each and see whether memory grows (SYSTEM=scout: one of them)'
	@echo 'make docs    build the documents and the API reference in build/site'
	@echo 'make figures  make the figures of the documents anew by their commands; stopped, it goes on'
	@echo 'make clean   remove everything that was built here'
	@echo; echo 'Systems:'
	@$(PYTHON) walking_robots/systems.py

env:
	@$(PYTHON) tools/make_env.py $(VENV)

demo: env
	@exec $(BIN)/walking_robots demo $(SYSTEM) $(if $(ONCE),--once) $(ARGUMENTS)

# One after the other: what computes all the time would delay nodes and pages.
test: env
	@$(MAKE) --no-print-directory --keep-going test-graph test-library

ON_STAGE := graph or browser or launch
ABREAST := --dist=worksteal --numprocesses

# Jazzy is tested where it differs: executors, actions, parameters, messages and life cycles.
# A sourced distribution takes the place of all wheels.
ON_JAZZY := test/nodes $(patsubst %,test/graph/test_%.py,ars_trial commands composed exit_codes guarded_node idle \
	intra_process many_goals mdle reference reliability same_trace scout seen_deaths signals velocity_arbitration walk_starter)

# These tests mostly wait, so that four run at a time; six are too many for two slow cores.
test-graph: env
	$(PYTEST) -m '$(ON_STAGE)' $(ABREAST)=4
ifdef AMENT_PREFIX_PATH
	@echo 'The graph was tested on the sourced ROS 2 $(ROS_DISTRO) only.'
else
	@$(MAKE) --no-print-directory env ROS_DISTRO=jazzy VENV=.venv-jazzy
	.venv-jazzy/bin/python -m pytest -m 'graph and not slow' $(ABREAST)=4 $(ON_JAZZY)
endif

# Large libraries of extras have an environment beside, which their tests add to this one.
test-library: env .venv-optional/ready
	$(PYTEST) -m 'not ($(ON_STAGE))' $(ABREAST)=auto --timeout=1800

# Tracing doubles the time of the tests, so it has a target of its own. Code that only the graph, a page or a terminal
# runs is left out.
LIBRARY_APART := walking_robots/nodes/*,walking_robots/viewer/*,walking_robots/cli/*,walking_robots/systems.py

coverage: env
	$(PYTEST) -m 'not (slow or $(ON_STAGE))' $(ABREAST)=auto --cov --cov-report=
	@echo 'Coverage of the library, with branches'
	@$(BIN)/python -m coverage report --omit='$(LIBRARY_APART)' --fail-under=90

# `make test` makes do with some of the seeds and programs.
acceptance: env
	$(PYTEST) -m 'slow and not ($(ON_STAGE))' $(ABREAST)=auto --timeout=3600 --acceptance

# mypy reads the libraries of the environment, not those it runs with.
check: env .venv-check/ready
	.venv-check/bin/ruff check
	.venv-check/bin/ruff format --check
	.venv-check/bin/mypy --python-executable $(BIN)/python

bench: env
	@$(BIN)/python -m benchmarks.library
	@$(BIN)/python -m benchmarks.graph $(ARGUMENTS)
	@$(BIN)/python -m benchmarks.eyes
	@$(BIN)/python -m benchmarks.demos
	@$(BIN)/python -m benchmarks.deadlines
	@$(BIN)/python -m benchmarks.records
	@$(BIN)/python -m benchmarks.sweeps
	@$(BIN)/python -m benchmarks.servos

fuzz: env
	@$(BIN)/python -m benchmarks.fuzz $(ARGUMENTS)

# SYSTEM has a default here, which is the demo's.
soak: env
	@exec $(BIN)/python -m benchmarks.soak $(if $(filter-out file,$(origin SYSTEM)),$(SYSTEM)) \
		--minutes $(MINUTES) $(ARGUMENTS)

docs: .venv-docs/ready
	@.venv-docs/bin/python tools/make_docs.py build/site

.venv-%/ready: requirements/%.txt
	@$(PYTHON) -m venv --clear $(@D)
	@$(@D)/bin/python -m pip install --quiet --disable-pip-version-check -r $<
	@touch $@

figures: env
	@$(BIN)/python tools/make_figures.py docs build/figures

clean:
	rm -rf .venv .venv-* build install log *.egg-info
	rm -rf .coverage* htmlcov .hypothesis .mypy_cache .pytest_cache .ruff_cache
	find walking_robots benchmarks test tools -name __pycache__ -prune -exec rm -rf {} +
