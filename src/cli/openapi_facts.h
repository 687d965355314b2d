#pragma once
// What an OpenAPI document says about itself, in numbers.
#include <cstddef>
#include <string>

#include "value/value.h"

namespace strake::cli {

struct OpenApiFacts {
  std::string version;  // "OpenAPI v2"; empty when it is no such document
  std::string about;    // its title and version
  std::size_t definitions = 0;
  std::size_t kinds = 0;
  std::size_t keyed_lists = 0;  // lists that merge by keys

  // "OpenAPI v2, Kubernetes v1.36.4: 700 definitions, 240 kinds, 90 lists with merge keys"
  std::string to_string() const;
};

OpenApiFacts facts_of(const value::Value& root);

}  // namespace strake::cli
