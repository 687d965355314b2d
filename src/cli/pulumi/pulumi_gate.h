#pragma once
// Whether servers take a CRD: every rule of this one, and the expressions of older ones.
#include <cstdint>
#include <span>

#include "base/result.h"
#include "crd/crd.h"

namespace strake::cli {

// As a new CRD, or as an update of `previous`. That a protected group wants an approval is left to
// whoever installs it. Code::kUnsupported with the server's own words.
Result<> check_definition(crd::Crd& crd, const crd::Crd* previous);

// Whether the expressions of the CRD compile on servers of these minor versions of Kubernetes 1.x:
// each brings libraries of its own, and takes new expressions only with those of the version before
// it. Code::kUnsupported.
Result<> check_gate(const crd::Crd& crd, std::span<const std::uint32_t> minors);

}  // namespace strake::cli
