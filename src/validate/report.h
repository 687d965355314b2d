#pragma once
// Results as one document for machines: a report of version 1, see docs/validate.md.
#include <cstdint>
#include <span>

#include "validate/finding.h"
#include "value/document.h"

namespace strake::validate {

enum class PathRender : std::uint8_t { kPointer, kK8s, kBoth };

struct Summary {
  std::size_t documents = 0;
  std::size_t valid = 0;
  std::size_t invalid = 0;
  std::size_t errors = 0;  // unreadable, or without a schema
  std::size_t skipped = 0;
  std::size_t truncated = 0;
};
Summary summarize(std::span<const FileResult> results);

// With fieldPath beside the pointer unless only that is wanted.
value::Document report_document(std::span<const FileResult> results, PathRender paths);

// How people see where a fault is: the server's path where it printed one. Empty when the message
// says it.
std::string shown_path(const Finding& finding, PathRender paths);

}  // namespace strake::validate
