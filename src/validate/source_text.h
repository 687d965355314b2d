#pragma once
// What is shown of a source text beside a finding.
#include <cstdint>
#include <string>
#include <string_view>

#include "base/field_path.h"
#include "base/position.h"
#include "validate/finding.h"
#include "value/document.h"

namespace strake::validate {

// The line that the offset is in, without its end; empty when it is longer than 64 KiB on either
// side, which nobody would read.
std::string_view line_at(std::string_view text, std::uint64_t offset);

// The first line of what stands there, at most 80 code points.
std::string fragment_at(std::string_view text, std::uint64_t offset, std::uint64_t length);

// Fills in where the finding is and what stands there: a scalar, a key, or a container.
void show_place(Finding& finding, const Position& at, std::string_view text,
                bool container = false);
// The same by a path in the document that was read from the text, with positions: at the value, or
// at the nearest one around it that is there, or at the key when that is meant.
void show_place(Finding& finding, const value::Document& document, const FieldPath& path,
                std::string_view text);

}  // namespace strake::validate
