# varve: make demo to look at it, make test to trust it.

export CLIENT ?= yes
# Lines of more than 140 characters fail make lint; "no" lists them only.
export LINES_STRICT ?= yes
tool = go tool -modfile=tools/go.mod

.PHONY: build demo test test-full needs lint format bench fuzz mutants kills release reproduce conformance clean

build: ## bin/varve, with the client-side runtime from npm
	@scripts/build.sh

demo: build ## write the sample archive, index it, serve it
	@bin/varve demo

test: build needs ## the tests, those in a browser too; says how many passed, failed and were skipped, and why
	@scripts/test.sh

test-full: build needs ## those that take long too, and the race detector
	@scripts/test.sh full

needs: ## what the tests need beside Go: installs it on Debian
	@scripts/testneeds.sh
	@scripts/templates.sh

lint: ## gofumpt, the length of lines, go vet (for Windows too, which has files of its own), staticcheck
	@echo gofumpt
	@unformatted=$$($(tool) gofumpt -l .); test -z "$$unformatted" || { echo "not formatted as gofumpt does:"; echo "$$unformatted"; exit 1; }
	@scripts/lines.sh
	go vet ./...
	GOOS=windows CGO_ENABLED=0 go vet ./...
	$(tool) staticcheck ./...
	go vet -C tools ./...

format: ## write all files as gofumpt does
	$(tool) gofumpt -w .

kills: ## kill indexing, watching and the building of the search a thousand times, KILLS says otherwise
	VARVE_KILLS=$${KILLS:-1000} go test ./cmd/varve -count=1 -timeout 5h -v -run KilledIndexing

conformance: ## docs/conformance.md, from the table in tools/conformance and from the tests
	go run -C tools ./conformance ..

bench: ## all benchmarks, or those that match BENCH; ratios to a baseline of the same run stand last
	@scripts/bench.sh

fuzz: ## each fuzz target for FUZZTIME (5s)
	@scripts/fuzz.sh

mutants: ## the package PKG with one thing after another changed: which changes do its own tests notice?
	@scripts/mutants.sh "$(PKG)"

release: ## dist/: binaries for all systems, what they are made of, checksums
	@scripts/release.sh

reproduce: ## the last commit built twice gives the same bytes?
	@scripts/reproduce.sh

clean: ## what was built; indexes and archives stay
	rm -rf bin dist static/node_modules static/dist/*.js
