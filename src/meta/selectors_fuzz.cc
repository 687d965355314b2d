// Any bytes as a label selector, a field selector and, where they are JSON, a LabelSelector object:
// what was read is read the same from what it prints, and matches the same labels whichever way
// they are kept.
#include <algorithm>
#include <cstdint>
#include <string>
#include <string_view>
#include <tuple>

#include "base/assert.h"
#include "meta/selectors.h"
#include "value/json_reader.h"

using namespace strake;
using meta::FieldSelector;
using meta::LabelSelector;

namespace {

// Labels that selectors of the corpus ask for.
const value::Value& labels() {
  static const value::Document document =
      value::read_json(R"({"a":"b","app":"web","empty":"","n":"5","x/y":"z","zone":"eu-1"})")
          .value();
  return document.root();
}

void check_labels(const LabelSelector& selector) {
  const bool matched = selector.matches(&labels());
  STRAKE_ASSERT(matched == selector.matches_with([](std::string_view key) {
    const value::Value* found = labels().find(key);
    return found != nullptr ? std::optional(found->as_string()) : std::nullopt;
  }));
  static_cast<void>(selector.matches(nullptr));
  const auto again = LabelSelector::parse(selector.to_string());
  STRAKE_ASSERT(again && again->requirements() == selector.requirements());
  STRAKE_ASSERT(again->matches(&labels()) == matched);
}

auto sorted(const FieldSelector& selector) {
  auto out = selector.requirements();
  std::ranges::sort(out, {}, [](const FieldSelector::Requirement& one) {
    return std::tie(one.field, one.equal, one.value);
  });
  return out;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  if (const auto selector = LabelSelector::parse(text)) check_labels(*selector);
  if (const auto selector = FieldSelector::parse(text)) {
    const auto again = FieldSelector::parse(selector->to_string());
    // Terms are in the order of their text, in which = and == differ.
    STRAKE_ASSERT(again && sorted(*again) == sorted(*selector));
    for (const FieldSelector::Requirement& one : selector->requirements())
      static_cast<void>(selector->required_value(one.field));
    static_cast<void>(selector->matches([](std::string_view field) { return field; }));
  }
  if (const auto document = value::read_json(text)) {
    if (const auto selector = LabelSelector::from_value(&document->root())) check_labels(*selector);
  }
  return 0;
}
