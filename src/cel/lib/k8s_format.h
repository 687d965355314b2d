#pragma once
// The library of named formats: format.named, format.<name>() and validate. Which formats there are
// and how they judge is told by whoever knows them, as a constant table:
//
//   constexpr NamedFormat kFormats[] = {{"uuid", "uuid", 45, check_uuid}};
//   const Library& library = k8s_format_library<kFormats>();
#include <array>
#include <cstdint>
#include <iterator>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "cel/env/function.h"

namespace strake::cel {

struct NamedFormat {
  std::string_view name;     // dns1123Label
  std::string_view display;  // DNS1123Label: formats are equal when these are
  std::uint64_t regex_size;  // what validating is charged by
  std::vector<std::string> (*check)(std::string_view text);  // what is wrong, one message a fault
};

Value format_value(const NamedFormat& format, Arena& arena);
// The optional that format.named gives.
Value find_format(std::span<const NamedFormat> formats, std::string_view name, Arena& arena);
// `makers` run parallel to `formats`. The library is never freed.
const Library& new_format_library(std::span<const NamedFormat> formats,
                                  std::span<const Function> makers, Function named);

template <const auto& kFormats>
const Library& k8s_format_library() {
  constexpr std::size_t count = std::size(kFormats);
  constexpr auto makers = []<std::size_t... I>(std::index_sequence<I...>) {
    return std::array<Function, count>{[](EvalContext& c, std::span<const Value>) {
      return format_value(kFormats[I], c.arena);
    }...};
  }(std::make_index_sequence<count>());
  constexpr Function named = [](EvalContext& c, std::span<const Value> args) {
    return find_format(kFormats, args[0].as_text(), c.arena);
  };
  static const Library& library = new_format_library(kFormats, makers, named);
  return library;
}

}  // namespace strake::cel
