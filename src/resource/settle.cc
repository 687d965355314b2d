#include "resource/settle.h"

#include <fmt/format.h>

#include <algorithm>

#include "meta/object_meta.h"
#include "resource/embedded.h"
#include "schema/defaults.h"
#include "schema/prune.h"
#include "value/field_error.h"

namespace strake::resource {
namespace {

using value::Value;

// The decoder caps what it collects.
constexpr std::size_t kMostStrictErrors = 100;

}  // namespace

Result<> settle(Value& object, const Kind& kind, Arena& arena, std::vector<std::string>* unknown,
                const SettleOptions& options) {
  // The order is that of kube-apiserver 1.36 and shows: metadata is decoded before it is judged,
  // pruning comes before defaults (which are never pruned), and nulls go before defaults so that a
  // default can take their place.
  if (Value* metadata = object.find("metadata")) {
    STRAKE_CHECK(meta::coerce_object_meta(*metadata, arena,
                                          {.drop_malformed = options.drop_malformed_metadata,
                                           .unknown = unknown,
                                           .prefix = "metadata"}));
  }
  if (!kind.schema) return {};
  if (!kind.preserve_unknown) {
    if (options.keep_unknown ||
        schema::prune(object, *kind.schema, {.resource_root = true}, unknown))
      schema::prune_nulls(object, *kind.schema);
  }
  if (kind.schema->has_embedded_below) {
    std::optional<value::FieldError> fault =
        coerce_embedded(object, *kind.schema, arena, FieldPath(),
                        {.drop_malformed = options.drop_malformed_metadata, .unknown = unknown});
    if (fault) return fail(Code::kBadRequest, "{}", fault->to_string());
  }
  if (options.apply_defaults) schema::apply_defaults(object, *kind.schema, arena);
  return {};
}

std::vector<std::string> strict_errors(const std::vector<value::DuplicateKey>& duplicates,
                                       const std::vector<std::string>& unknown) {
  std::vector<std::string> errors;
  auto add = [&errors](std::string text) {
    if (errors.size() >= kMostStrictErrors) return;
    if (std::find(errors.begin(), errors.end(), text) == errors.end())
      errors.push_back(std::move(text));
  };
  for (const value::DuplicateKey& duplicate : duplicates) {
    add(fmt::format("duplicate field \"{}\"", duplicate.path.to_k8s()));
  }
  for (const std::string& path : unknown) add(fmt::format("unknown field \"{}\"", path));
  return errors;
}

std::string decode_failure(const meta::GroupVersionKind& kind, std::string_view why) {
  return fmt::format("{0} in version \"{1}\" cannot be handled as a {0}: {2}", kind.kind,
                     kind.version, why);
}

std::string strict_failure(const std::vector<std::string>& errors) {
  return fmt::format("strict decoding error: {}", fmt::join(errors, ", "));
}

}  // namespace strake::resource
