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

.PHONY: help env demo test test-main test-jazzy check bench clean
.DEFAULT_GOAL := help
.NOTPARALLEL:

help:
	@echo 'make env     the environment in $(VENV) (ROS_DISTRO=jazzy for the LTS)'
	@echo 'make demo    the vehicle crosses a ditch, in the browser (ONCE=1: and then end; SYSTEM=aquarobot, hexapod, biped, scout, mdle or ars_magna: others)'
	@echo 'make test    all tests, then those of the graph on Jazzy too'
	@echo 'make check   lint, format and types'
	@echo 'make bench   how fast it is'
	@echo 'make clean   remove what was made here'

env:
	@$(PYTHON) tools/make_env.py $(VENV)

demo: env
	@exec $(BIN)/walking_robots demo $(SYSTEM) $(if $(ONCE),--once) $(ARGUMENTS)

test: test-main test-jazzy

# The library has a floor of coverage; what only the graph, a page or a terminal runs has none.
LIBRARY_APART := walking_robots/nodes/*,walking_robots/viewer/*,walking_robots/cli/*,walking_robots/systems.py

# What runs the graph or a page wants the machine to itself; the rest runs side by side, long trials uncounted.
ON_STAGE := graph or browser or launch
ABREAST := --numprocesses=auto --dist=worksteal

test-main: env
	$(PYTEST) -m 'not slow and not ($(ON_STAGE))' $(ABREAST) --cov --cov-report=
	$(PYTEST) -m '$(ON_STAGE)' --cov --cov-append --cov-report=
	@echo 'Coverage of nodes, viewer and command line, with branches'
	@$(BIN)/python -m coverage report --include='$(LIBRARY_APART)'
	@echo 'Coverage of the library, with branches'
	@$(BIN)/python -m coverage report --omit='$(LIBRARY_APART)' --fail-under=90
	$(PYTEST) -m 'slow and not ($(ON_STAGE))' $(ABREAST)

# A sourced distribution takes the place of all wheels.
ifdef AMENT_PREFIX_PATH
test-jazzy:
	@echo 'The graph was tested on the sourced ROS 2 $(ROS_DISTRO) alone.'
else
test-jazzy:
	@$(MAKE) --no-print-directory env ROS_DISTRO=jazzy VENV=.venv-jazzy
	.venv-jazzy/bin/python -m pytest -m 'graph and not browser'
endif

check: env
	$(BIN)/ruff check
	$(BIN)/ruff format --check
	$(BIN)/mypy

bench: env
	@$(BIN)/python -m walking_robots.trials.bench
	@$(BIN)/python -m walking_robots.nodes.bench $(ARGUMENTS)

clean:
	rm -rf .venv .venv-* build install log *.egg-info
	rm -rf .coverage* htmlcov .hypothesis .mypy_cache .pytest_cache .ruff_cache
	find walking_robots test tools -name __pycache__ -prune -exec rm -rf {} +
