#pragma once
// The whole way from a package to the text of a CRD, as tests walk it.
#include <string>
#include <string_view>

#include "pulumi/crd_yaml.h"
#include "pulumi/definition.h"
#include "pulumi/package.h"
#include "pulumi/preflight.h"
#include "pulumi/translate.h"

namespace strake::pulumi {

struct ConvertOptions {
  TranslateOptions translate;
  bool status = false;
};

struct Converted {
  std::string crd;
  std::string sample;
};

inline Result<Converted> convert_component(const Package& package, std::string_view token,
                                           const ConvertOptions& options = {}) {
  STRAKE_CHECK(preflight(package, token, options.status));
  STRAKE_TRY(const Identity identity,
             settle_identity(derive_identity(package.name(), package.version(), token), {}));
  Arena arena;
  Skips skips;
  DefinitionParts parts;
  STRAKE_TRY(parts.spec, translate_inputs(package, token, options.translate, arena, skips));
  if (options.status) {
    STRAKE_TRY(parts.status, translate_outputs(package, token, options.translate, arena, skips));
  }
  Converted out;
  write_crd_yaml(make_definition(identity, parts, arena), out.crd);
  write_crd_yaml(make_sample(identity, parts.spec, arena), out.sample);
  return out;
}

}  // namespace strake::pulumi
