// The lines of the input as CustomResourceDefinitions, one that is created and one that replaces
// it: reading reaches a form that is read as itself, one that is accepted may replace itself and
// differs from itself in nothing, and everything that is made from an accepted one can be made.
#include <cstdint>
#include <string>
#include <string_view>

#include "base/assert.h"
#include "crd/check.h"
#include "crd/crd.h"
#include "crd/diff.h"
#include "crd/explain.h"
#include "crd/lint.h"
#include "crd/openapi_export.h"
#include "value/json_reader.h"
#include "value/json_writer.h"

using namespace strake;
using crd::Crd;

namespace {

std::optional<Crd> read(std::string_view text, std::vector<std::string>* unknown) {
  value::ReadOptions options = value::ReadOptions::as_api_server();
  options.limits.depth = 60;
  auto document = value::read_json(text, options);
  if (!document) return std::nullopt;
  auto read = Crd::read(*std::move(document), unknown);
  if (!read) {
    STRAKE_ASSERT(!read.error().message().empty());
    return std::nullopt;
  }
  return *std::move(read);
}

void check_words(const value::FieldErrors& errors) {
  for (const value::FieldError& error : errors) STRAKE_ASSERT(!error.to_string().empty());
}

// Everything that a server makes from a definition that it took.
void use(Crd& crd) {
  crd.settle_defaults();
  STRAKE_ASSERT(crd::is_canonical(crd.value()));
  for (const crd::Version& version : crd.versions()) {
    STRAKE_ASSERT(version.compiled().has_value());
    for (const crd::OpenApi form : {crd::OpenApi::kV2, crd::OpenApi::kV3}) {
      const value::Document exported = crd::export_openapi(crd, version, form);
      STRAKE_ASSERT(value::read_json(value::to_json(exported.root())).has_value());
    }
    std::string text;
    STRAKE_ASSERT(crd::explain(crd, version, {}, {.recursive = true}, text).has_value());
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size > 1 << 13) return 0;
  const std::string_view input(reinterpret_cast<const char*>(data), size);
  const std::size_t cut = input.find('\n');
  const std::string_view first = input.substr(0, cut);
  std::vector<std::string> unknown;
  auto created = read(first, &unknown);
  if (!created) return 0;
  const std::string canonical = value::to_json(created->value());
  std::vector<std::string> none;
  const auto again = read(canonical, &none);
  STRAKE_ASSERT(again && none.empty() && value::to_json(again->value()) == canonical);
  STRAKE_ASSERT(crd::diff(*created, *again).empty());

  created->prepare_for_create();
  const value::FieldErrors errors = crd::check_create(*created);
  check_words(errors);
  static_cast<void>(crd::lint(*created, unknown));
  static_cast<void>(crd::format_warnings(*created));
  if (!errors.empty()) return 0;
  use(*created);

  auto same = read(value::to_json(created->value()), nullptr);
  STRAKE_ASSERT(same.has_value());
  same->continue_from(*created);
  same->prepare_for_update(*created);
  STRAKE_ASSERT(crd::check_update(*same, *created).empty());
  if (cut == std::string_view::npos) return 0;
  auto next = read(input.substr(cut + 1), nullptr);
  if (!next) return 0;
  static_cast<void>(crd::diff(*created, *next));
  next->continue_from(*created);
  next->prepare_for_update(*created);
  const value::FieldErrors refused = crd::check_update(*next, *created);
  check_words(refused);
  if (refused.empty()) use(*next);
  return 0;
}
