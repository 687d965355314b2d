#pragma once
// What happens where a schema has a default and the object has nothing.
#include <cstdint>
#include <string>
#include <vector>

#include "base/arena.h"
#include "base/result.h"
#include "resource/kind.h"
#include "value/value.h"

namespace strake::validate {

enum class DefaultMode : std::uint8_t {
  kIgnore,    // nothing
  kAnnotate,  // the object stays, and the places are told
  kApply,     // it is filled in, as the server does
};

// resource::settle() by the mode, keeping unknown fields if so told. Without defaults, a null that
// a default would replace is dropped like any other that the schema does not admit.
Result<> settle_by(DefaultMode mode, value::Value& object, const resource::Kind& kind, Arena& arena,
                   std::vector<std::string>* unknown, bool keep_unknown);

}  // namespace strake::validate
