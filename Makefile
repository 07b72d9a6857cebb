# The verbs of this repository. `make test` runs every test on a fresh machine
# that has Go and nothing else.

GO      ?= go
BIN     ?= bin
TOOLS   := -modfile=tools/go.mod
LDFLAGS := -s -w

.PHONY: build test acceptance lint quickstart bench proto docs

build:
	CGO_ENABLED=0 $(GO) build -trimpath -ldflags "$(LDFLAGS)" -o $(BIN)/plumb ./cmd/plumb

test: acceptance
	$(GO) test ./...

# Providers' own acceptance tests against the built program; name the tests with
# RUN=, another program of the family with TERRAFORM=.
acceptance: build
	cd test/acceptance && TF_ACC=1 TF_ACC_TERRAFORM_PATH=$(or $(TERRAFORM),$(abspath $(BIN)/plumb)) $(GO) test -count=1 -run '$(RUN)' ./...

lint:
	@out=$$(gofmt -l $$(git ls-files '*.go')); [ -z "$$out" ] || { echo "gofmt these files:"; echo "$$out"; exit 1; }
	$(GO) vet ./...
	$(GO) tool $(TOOLS) staticcheck ./...
	cd test/acceptance && $(GO) vet ./...

quickstart: build
	examples/quickstart/run $(CURDIR)/$(BIN)/plumb $(CURDIR)/.quickstart

bench: build
	$(GO) run ./test/bench -plumb $(BIN)/plumb

proto:
	cd tools && $(GO) run ./protogen .. provider/wire/tfplugin5/tfplugin5.proto provider/wire/tfplugin6/tfplugin6.proto

docs:
	$(GO) test ./internal/contract ./internal/action ./internal/order ./provider/wire ./internal/settings ./internal/verify -run Docs -update
