# varve: make demo to look at it, make test to check it.

export CLIENT ?= yes
# The program, its tests and lint name files in the same way, so that each package is compiled once for all of them.
export GOFLAGS := $(strip -trimpath $(GOFLAGS))
# Lines of more than 140 characters fail make lint; "no" lists them only.
export LINES_STRICT ?= yes
# The tests and what looks at the source collect garbage less often than a server should, which saves them a fifth of the processor.
check test test-long test-full lint: export GOGC ?= 400
tool = go tool -modfile=tools/go.mod

.PHONY: build demo check test test-long test-full needs minio opensearch pictures lint format bench fuzz mutants kills full-disks soak compare release smoke reproduce conformance clean

build: ## bin/varve, with the client-side runtime from npm
	@scripts/build.sh

demo: build ## write the sample archive, index it, serve it
	@bin/varve demo

check: build needs ## in two minutes: lint and the short tests of the packages that changed, and one walk through the pages in a browser
	@scripts/check.sh

test: build needs ## the tests, including those in a browser
	@scripts/test.sh

test-long: build needs ## the tests whose names end in _long, which make test leaves out
	@scripts/test.sh long

test-full: export WITH = firefox-esr
test-full: build needs ## all tests, each in its long form, and the race detector
	@scripts/test.sh full

needs: ## what the tests need besides Go; installs it on Debian
	@scripts/testneeds.sh
	@scripts/templates.sh

minio: ## build MinIO once, which takes minutes, and run with it the tests of object storage that skip it otherwise
	@scripts/minio.sh
	go test -count=1 -timeout 30m ./archive/blobstore/... ./archive/warc/remote ./archive/backup
	go test -count=1 -timeout 30m ./e2e -run 'Bucket|ObjectStorage'

opensearch: ## build OpenSearch and Elasticsearch from Maven's packages once, and run with them the tests of --search-engine that skip them otherwise
	@scripts/opensearch.sh || [ $$? = 3 ]
	@# Both mostly wait for their nodes.
	go test -count=1 -timeout 30m ./archive/search/opensearch & \
		go test -count=1 -timeout 30m ./replay -run SearchInAnEngine && wait $$!

pictures: build ## the pictures of the README, of the sample archive as it looks now
	go test ./e2e -count=1 -run TakePicturesOfTheReadme -pictures "$(CURDIR)/docs"

lint: ## gofumpt, line lengths, go vet (of packages with separate files for Windows, for that too; make release builds the rest), staticcheck
	@echo gofumpt
	@unformatted=$$($(tool) gofumpt -l .); test -z "$$unformatted" || { echo "not formatted as gofumpt does:"; echo "$$unformatted"; exit 1; }
	@scripts/lines.sh
	go vet ./...
	@# Vet reads only the types of what is imported, so that is compiled for Windows without being optimized.
	GOOS=windows CGO_ENABLED=0 go vet '-gcflags=all=-N -l' $$(git ls-files "*_windows.go" "*_other.go" "*_unix.go" ":!cmd" | xargs -n1 dirname | sort -u | sed "s|^|./|")
	$(tool) staticcheck ./...
	go vet -C tools ./...
	go vet -C tools/compare ./...
	go vet -C tools/engines ./...
	go vet -C tools/packages ./...
	go vet -C tools/deploy ./...

format: ## format all files with gofumpt
	$(tool) gofumpt -w .

kills: ## kill indexing, watching, building the search, compaction, backup, restore, crawl, record, fetch, follow and uploads a thousand times each, KILLS says otherwise
	VARVE_KILLS=$${KILLS:-1000} go test ./cmd/varve ./archive/index/badger -count=1 -timeout 12h -v -run 'TestKilled'

full-disks: ## let each write of each command that writes be the first on a full disk
	VARVE_WRITES=all go test ./e2e -count=1 -timeout 2h -v -run FullDiskAtEveryWrite

soak: build ## MINUTES (60) of all kinds of requests while files come and go: is each answer right, does nothing grow?
	go run ./internal/soak -for $${MINUTES:-60}m bin/varve

conformance: ## write docs/conformance.md from the table in tools/conformance and the tests
	go run -C tools ./conformance ..

bench: ## all benchmarks, or those that match BENCH; ratios to a baseline of the same run come last
	@scripts/bench.sh

fuzz: ## each fuzz target for FUZZTIME (5s)
	@scripts/fuzz.sh

mutants: ## change the package PKG in small ways, one at a time: which changes do its own tests notice?
	@scripts/mutants.sh "$(PKG)"

compare: build ## how well varve and others tell what changed on the sample archives; CORPORA names their folder
	go test -C tools/compare ./...
	go run -C tools/compare . ../../bin/varve $(abspath $(or $(CORPORA),../shared/corpus))

release: ## dist/: archives for all systems, packages and an image for Linux, lists of their components, checksums
	@scripts/release.sh

smoke: ## try what make release left in dist/; SMOKE_INSTALL=yes installs the Debian package too, and removes it
	@scripts/smoke.sh

reproduce: ## does building the last commit twice give the same bytes?
	@scripts/reproduce.sh

clean: ## remove what was built; indexes and archives stay
	rm -rf bin dist static/node_modules static/dist/*.js
