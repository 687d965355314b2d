#pragma once
// For tests: what a server of Kubernetes 1.36 would say against a manifest.
#include <fmt/format.h>

#include <string>
#include <string_view>

#include "validate/checker.h"

namespace strake::ops::compose {

// One line a finding; empty when every object is good.
inline std::string manifest_faults(std::string_view yaml) {
  validate::JudgeOptions options;
  options.unknown = validate::UnknownFields::kStrict;
  options.kubernetes_minor = 36;
  const validate::Catalog catalog(options);
  const validate::FileResult result =
      validate::Checker(catalog, nullptr, {}).check("manifest.yaml", yaml);
  std::string out;
  for (const validate::DocumentResult& document : result.documents) {
    for (const validate::Finding& f : document.findings)
      out += fmt::format("{} {}: {}\n", f.position ? f.position->line : 0, to_string(f.fault.issue),
                         f.fault.message);
  }
  return out;
}

}  // namespace strake::ops::compose
