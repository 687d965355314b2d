#include "cli/validate/served_kind.h"

#include "kinds/workloads/workload_resources.h"

namespace strake::cli {
namespace {

// As Kubernetes guesses the plural of a kind that nobody has described.
std::string guess_plural(std::string_view kind) {
  std::string out = meta::to_lower_ascii(kind);
  if (out.ends_with('s')) return out + "es";
  if (out.ends_with('y')) return out.substr(0, out.size() - 1) + "ies";
  return out + "s";
}

}  // namespace

ServedKind served_kind(const meta::GroupVersionKind& gvk, const validate::Catalog& catalog) {
  if (auto served = catalog.served_as(gvk)) {
    return {.plural = std::move(served->plural),
            .namespaced = served->namespaced,
            .versions = std::move(served->versions)};
  }
  if (const kinds::Resource* one = kinds::find_resource(gvk))
    return {.plural = one->plural, .namespaced = one->namespaced, .versions = {gvk.version}};
  return {.plural = guess_plural(gvk.kind), .namespaced = true, .versions = {gvk.version}};
}

}  // namespace strake::cli
