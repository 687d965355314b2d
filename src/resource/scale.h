#pragma once
// The fields that the scale subresource reads must hold what it expects.
#include "resource/kind.h"
#include "value/field_error.h"
#include "value/value.h"

namespace strake::resource {

enum class ScalePart : std::uint8_t { kSpecAndStatus, kStatusOnly };

value::FieldErrors validate_scale(const value::Value& object, const ScalePaths& paths,
                                  ScalePart part);

}  // namespace strake::resource
