# make demo   sets up and runs the main job: a textbook of our own to question rows and a page, no key, no download of models
# make demo-game  draws 60 game rounds and turns them into training data and a page; installs OCR once
# make demo-cot  turns two causal plans of our own into reasoning samples of 15 tasks and a page, no key
# make demo-scene  turns five rooms of our own into editing conversations, pictures and a page, no key
# make demo-onevision  turns questions about pictures of our own into reasoning rows and a page, no key; installs OCR
# make test   sets up and passes the tests
# make site   builds the pages of docs/ as a site
# make abuse  the long form of tests/abuse: hostile files, kills, full disks, fuzzing; takes some hours
# make test-ray  passes the tests on a small Ray cluster of this machine (docs/ray.md); installs Ray
# make test-mineru  lets a real MinerU 4 read a PDF (docs/mineru.md); installs it into an environment of its own once
# make smoke-model  lets a small real model on this machine do the job (docs/real_model.md); builds its server once
PYTHON ?= python3
VENV   ?= .venv
BIN    := $(VENV)/bin
DEMO   ?= demo-out
SITE   ?= site
DEMO_GAME ?= demo-game-out
DEMO_COT ?= demo-cot-out
DEMO_SCENE ?= demo-scene-out
DEMO_ONEVISION ?= demo-onevision-out
SMOKE_DIR ?= $(HOME)/.cache/rowsmith-smoke
MINERU_ENV ?= $(HOME)/.cache/rowsmith-mineru

.PHONY: help demo demo-game demo-cot demo-scene demo-onevision test abuse test-ray test-mineru smoke-model lint site clean

help:
	@sed -n 's/^# make/make/p' Makefile

# The core alone: what `pip install rowsmith` brings.
$(VENV)/.core: pyproject.toml
	@$(PYTHON) -c 'import sys; sys.exit("Python 3.11 or newer is needed, this is " + sys.version.split()[0] + "; run make PYTHON=python3.11 …") if sys.version_info < (3, 11) else None'
	@test -x $(BIN)/python || $(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable .
	@touch $@

# What reads pictures.
$(VENV)/.ocr: $(VENV)/.core
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable '.[ocr]'
	@touch $@

# What draws and measures rooms.
$(VENV)/.scene: $(VENV)/.core
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable '.[scene]'
	@touch $@

# What reads pictures and compares quantities.
$(VENV)/.onevision: $(VENV)/.core
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable '.[onevision]'
	@touch $@

# What tests need beside it.
$(VENV)/.dev: $(VENV)/.core
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable '.[dev]'
	@touch $@

demo: $(VENV)/.core
	$(BIN)/python -m pipelines.pdf_vqa examples/booklets/geometry_zh.pdf examples/booklets/algebra_en.pdf --out $(DEMO)

# labels.csv is written last: without it the rounds are not whole.
demo-game: $(VENV)/.ocr
	@test -f $(DEMO_GAME)/rounds/labels.csv || rm -rf $(DEMO_GAME)/rounds
	@test -d $(DEMO_GAME)/rounds || $(BIN)/python examples/game_screens/make.py $(DEMO_GAME)/rounds --rounds 60
	$(BIN)/python -m pipelines.game_annotate $(DEMO_GAME)/rounds --out $(DEMO_GAME)/out

demo-cot: $(VENV)/.core
	$(BIN)/python -m pipelines.cot_planning examples/causal_plans --out $(DEMO_COT)

demo-scene: $(VENV)/.scene
	$(BIN)/python -m pipelines.scene_edit examples/rooms --out $(DEMO_SCENE)

demo-onevision: $(VENV)/.onevision
	$(BIN)/python -m pipelines.onevision examples/visual_reasoning/train.jsonl --images examples/visual_reasoning/images --out $(DEMO_ONEVISION)

# Files side by side on all cores. Hundreds of tests start programs, each of which would compile all that it loads where
# the environment forbids to keep byte code, as that of many containers does.
test: $(VENV)/.dev
	PYTHONDONTWRITEBYTECODE= $(BIN)/python -m pytest -n auto --dist loadfile

# One after another, as memory and moments of kills are measured; `make test` has the short form.
abuse: $(VENV)/.dev
	ABUSE=long $(BIN)/python -m pytest tests/abuse -rs

# One after another: workers, the desk and drivers are killed while they work.
test-ray: $(VENV)/.dev
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable '.[ray]'
	$(BIN)/python -m pytest tests/on_ray

test-mineru: $(VENV)/.dev
	MINERU_ENV=$(MINERU_ENV) $(BIN)/python tests/mineru/install.py
	MINERU_ENV=$(MINERU_ENV) $(BIN)/python -m pytest tests/mineru -s -rs

smoke-model: $(VENV)/.dev
	SMOKE_DIR=$(SMOKE_DIR) nice $(BIN)/python tests/smoke/serve.py --build
	SMOKE_DIR=$(SMOKE_DIR) $(BIN)/python -m pytest tests/smoke -s -rs

lint: $(VENV)/.dev
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports
	$(BIN)/mkdocs build --quiet --site-dir $(SITE)

# The pages as a site to look at.
site: $(VENV)/.dev
	$(BIN)/mkdocs build --site-dir $(SITE)

clean:
	rm -rf $(DEMO) $(DEMO_GAME) $(DEMO_COT) $(DEMO_SCENE) $(DEMO_ONEVISION) $(SITE) build dist .pytest_cache .mypy_cache .ruff_cache .hypothesis
