# For a project that kubebuilder made: `include` it at the end of the Makefile, and run `make test-strake`.
# Suites look for programs in bin/k8s before they look at KUBEBUILDER_ASSETS, so what `make setup-envtest` put there goes.
STRAKE ?= strake

.PHONY: test-strake
test-strake:
	rm -rf bin/k8s
	KUBEBUILDER_ASSETS="$$($(STRAKE) testserver assets --dir bin/k8s/strake)" go test ./...
