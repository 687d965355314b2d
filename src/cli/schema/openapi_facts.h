#pragma once
// What a schema file that a build takes says about itself, in numbers: an OpenAPI document, or
// CRDs.
#include <cstddef>
#include <string>
#include <string_view>

#include "base/result.h"
#include "value/value.h"

namespace strake::cli {

struct OpenApiFacts {
  std::string version;  // "OpenAPI v2", "CRDs"; empty when it is no schema
  std::string about;    // its title and version, where it has them
  std::size_t definitions = 0;
  std::size_t kinds = 0;
  std::size_t keyed_lists = 0;  // lists that merge by keys

  // "OpenAPI v2, Kubernetes v1.36.4: 700 definitions, 240 kinds, 90 lists with merge keys"
  std::string to_string() const;
};

OpenApiFacts facts_of(const value::Value& root);

// Of a whole file, JSON or YAML, which may hold several CRDs. Code::kInvalid when it is none that a
// build takes (openapi.path and openapi.strake.schemas), kParse or kLimit.
Result<OpenApiFacts> facts_of_file(std::string_view text, const std::string& name);

}  // namespace strake::cli
