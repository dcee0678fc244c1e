# varve: make demo to look at it, make test to trust it.

export CLIENT ?= yes
tool = go tool -modfile=tools/go.mod

.PHONY: build demo test lint format bench fuzz clean

build: ## bin/varve, with the client-side runtime from npm
	@scripts/build.sh

demo: build ## write the sample archive, index it, serve it
	@bin/varve demo

test: build ## all tests, those in a browser too; installs what they need
	@scripts/testneeds.sh
	@scripts/templates.sh
	@scripts/test.sh

lint: ## gofumpt, go vet, staticcheck
	@echo gofumpt
	@unformatted=$$($(tool) gofumpt -l .); test -z "$$unformatted" || { echo "not formatted as gofumpt does:"; echo "$$unformatted"; exit 1; }
	go vet ./...
	$(tool) staticcheck ./...
	cd tools && go vet ./...

format: ## write all files as gofumpt does
	$(tool) gofumpt -w .

bench: ## all benchmarks, or those that match BENCH; ratios to a baseline of the same run stand last
	@scripts/bench.sh

fuzz: ## each fuzz target for FUZZTIME (5s)
	@scripts/fuzz.sh

clean: ## what was built; indexes and archives stay
	rm -rf bin static/node_modules static/dist/*.js
