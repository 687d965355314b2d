#include "crd/diff.h"

#include <fmt/format.h>

#include <unordered_set>

#include "crd/check.h"
#include "crd/schema_diff.h"
#include "crd/source_path.h"
#include "crd/version_index.h"

namespace strake::crd {
namespace {

using value::Value;

std::string yes_no(bool b) { return b ? "true" : "false"; }

class CrdDiff {
 public:
  CrdDiff(const Crd& old, const Crd& next) : old_(old), next_(next) {}

  // Breaking is what may make a client, a stored object or a manifest fail that worked before. The
  // walk goes by the new CRD, so that places point into the file that people edit; only what was
  // removed points into the old one.
  std::vector<Change> run() {
    const FieldPath spec = FieldPath() / "spec";
    compare_text("group-changed", "group", old_.group(), next_.group(), spec / "group");
    compare_text("scope-changed", "scope", old_.scope(), next_.scope(), spec / "scope");
    compare_names(old_.names(), next_.names(), spec / "names");
    if (old_.preserve_unknown_fields() != next_.preserve_unknown_fields()) {
      const bool kept = next_.preserve_unknown_fields();
      add(kept ? Impact::kSafe : Impact::kBreaking,
          kept ? "unknown-fields-kept" : "unknown-fields-pruned",
          fmt::format("preserveUnknownFields is {} now", yes_no(kept)),
          spec / "preserveUnknownFields");
    }
    compare_conversion(spec / "conversion");
    const VersionIndex old_versions(old_);
    const VersionIndex next_versions(next_);
    for (std::size_t i = 0; i < next_.versions().size(); ++i) {
      const Version& now = next_.versions()[i];
      // In a faulty definition several versions may have one name: those at the same place are
      // the same.
      const bool same_place = i < old_.versions().size() && old_.versions()[i].name() == now.name();
      if (const Version* before =
              same_place ? &old_.versions()[i] : old_versions.find(now.name())) {
        compare_version(*before, now, spec / "versions" / i);
      } else {
        add(Impact::kSafe, "version-added", fmt::format("version {} added", now.name()),
            spec / "versions" / i);
      }
    }
    for (std::size_t i = 0; i < old_.versions().size(); ++i) {
      const Version& before = old_.versions()[i];
      if (next_versions.find(before.name()) != nullptr) continue;
      add(before.served() || before.storage() ? Impact::kBreaking : Impact::kSafe,
          "version-removed",
          fmt::format("version {} removed{}", before.name(),
                      before.storage() ? ", in which objects are stored" : ""),
          spec / "versions" / i, true);
    }
    return std::move(out_);
  }

 private:
  void add(Impact impact, std::string_view code, std::string message, FieldPath at,
           bool in_old = false) {
    out_.push_back({.impact = impact,
                    .code = code,
                    .version = version_,
                    .field = {},
                    .message = std::move(message),
                    .path = std::move(at),
                    .in_old = in_old});
  }

  void compare_text(std::string_view code, std::string_view what, std::string_view before,
                    std::string_view now, FieldPath at) {
    if (before == now) return;
    add(Impact::kBreaking, code, fmt::format("{} changed from {} to {}", what, before, now),
        std::move(at));
  }

  void compare_names(const Names& before, const Names& now, const FieldPath& at) {
    compare_text("names-changed", "plural", before.plural, now.plural, at / "plural");
    compare_text("names-changed", "kind", before.kind, now.kind, at / "kind");
    compare_text("names-changed", "listKind", before.list_kind, now.list_kind, at / "listKind");
    compare_text("names-changed", "singular", before.singular, now.singular, at / "singular");
    compare_lists("short name", before.short_names, now.short_names, at / "shortNames");
    compare_lists("category", before.categories, now.categories, at / "categories");
  }

  void compare_lists(std::string_view what, const std::vector<std::string_view>& before,
                     const std::vector<std::string_view>& now, const FieldPath& at) {
    const std::unordered_set<std::string_view> old_names(before.begin(), before.end());
    const std::unordered_set<std::string_view> new_names(now.begin(), now.end());
    for (const std::string_view name : before) {
      if (!new_names.contains(name))
        add(Impact::kBreaking, "name-removed", fmt::format("{} {} removed", what, name), at, true);
    }
    for (const std::string_view name : now) {
      if (!old_names.contains(name))
        add(Impact::kSafe, "name-added", fmt::format("{} {} added", what, name), at);
    }
  }

  void compare_conversion(const FieldPath& at) {
    const auto strategy = [](const Crd& crd) {
      return crd.conversion() != nullptr ? SchemaView(*crd.conversion()).text("strategy")
                                         : std::string_view();
    };
    const std::string_view before = strategy(old_);
    const std::string_view now = strategy(next_);
    if (before == now) return;
    // Without a webhook objects keep their fields and are pruned by the other version's schema.
    add(now == "Webhook" ? Impact::kSafe : Impact::kBreaking, "conversion-changed",
        fmt::format("conversion changed from {} to {}", before, now), at / "strategy");
  }

  void compare_version(const Version& before, const Version& now, const FieldPath& at) {
    version_ = now.name();
    if (before.served() != now.served()) {
      add(now.served() ? Impact::kSafe : Impact::kBreaking,
          now.served() ? "version-served" : "version-unserved",
          now.served() ? "is served now" : "is not served any more", at / "served");
    }
    if (now.storage() && !before.storage())
      add(Impact::kSafe, "storage-moved", "objects are stored in it from their next write on",
          at / "storage");
    if (now.deprecated() && !before.deprecated())
      add(Impact::kSafe, "version-deprecated", "is deprecated now", at / "deprecated");
    compare_subresources(before, now, at / "subresources");
    compare_selectable(before, now, at / "selectableFields");
    compare_schemas(before, now, at);
    version_.clear();
  }

  void compare_subresources(const Version& before, const Version& now, const FieldPath& at) {
    if (before.has_status() != now.has_status()) {
      add(Impact::kBreaking, now.has_status() ? "status-added" : "status-removed",
          now.has_status()
              ? "status subresource added: status in ordinary writes is ignored from now on"
              : "status subresource removed: its clients get 404",
          at / "status", !now.has_status());
    }
    if (before.has_scale() != now.has_scale()) {
      add(now.has_scale() ? Impact::kSafe : Impact::kBreaking,
          now.has_scale() ? "scale-added" : "scale-removed",
          fmt::format("scale subresource {}", now.has_scale() ? "added" : "removed"), at / "scale",
          !now.has_scale());
    } else if (now.has_scale() && !value::identical(before.subresources()->get("scale"),
                                                    now.subresources()->get("scale"))) {
      add(Impact::kBreaking, "scale-changed", "scale subresource reads other fields", at / "scale");
    }
  }

  void compare_selectable(const Version& before, const Version& now, const FieldPath& at) {
    const auto paths = [](const Value* fields) {
      std::vector<std::string_view> out;
      if (fields == nullptr || !fields->is_array()) return out;
      for (const Value& one : fields->items()) out.push_back(SchemaView(one).text("jsonPath"));
      return out;
    };
    const auto then = paths(before.selectable_fields());
    const auto here = paths(now.selectable_fields());
    const std::unordered_set<std::string_view> old_paths(then.begin(), then.end());
    const std::unordered_set<std::string_view> new_paths(here.begin(), here.end());
    for (const std::string_view path : then) {
      if (!new_paths.contains(path))
        add(Impact::kBreaking, "selectable-removed",
            fmt::format("objects cannot be selected by {} any more", path), at, true);
    }
    for (const std::string_view path : here) {
      if (!old_paths.contains(path))
        add(Impact::kSafe, "selectable-added", fmt::format("objects can be selected by {}", path),
            at);
    }
  }

  void compare_schemas(const Version& before, const Version& now, const FieldPath& at) {
    const FieldPath here = at / "schema" / "openAPIV3Schema";
    if (before.schema() == nullptr || now.schema() == nullptr) {
      if (before.schema() == now.schema()) return;
      const bool added = now.schema() != nullptr;
      add(Impact::kBreaking, added ? "schema-added" : "schema-removed",
          added ? "there is a schema now" : "the schema is gone", here, !added);
      return;
    }
    // The old schema stands at the old version's place.
    const auto index = static_cast<std::size_t>(&before - old_.versions().data());
    const FieldPath there =
        FieldPath() / "spec" / "versions" / index / "schema" / "openAPIV3Schema";
    diff_schemas(SchemaView(*before.schema()), SchemaView(*now.schema()),
                 {.version = version_, .old_at = there, .new_at = here}, out_);
  }

  const Crd& old_;
  const Crd& next_;
  std::string version_;
  std::vector<Change> out_;
};

Result<Crd> copy_of(const Crd& crd) {
  value::Document copy;
  copy.root() = value::deep_copy(crd.value(), copy.arena());
  // What was read from two clusters is not meant to be one object.
  if (Value* metadata = copy.root().find("metadata")) metadata->remove("uid");
  return Crd::read(std::move(copy));
}

// Nothing when the server would not even read them, which whoever read them has told.
value::FieldErrors update_errors(const Crd& old, const Crd& next, RuleCompiler* compiler) {
  auto before = copy_of(old);
  auto now = copy_of(next);
  if (!before || !now) return {};
  before->assume_served();
  now->prepare_for_update(*before);
  now->continue_from(*before);
  return check_update(*now, *before, compiler);
}

}  // namespace

std::string_view to_string(Impact impact) {
  switch (impact) {
    case Impact::kSafe: return "safe";
    case Impact::kRatcheted: return "ratcheted";
    case Impact::kBreaking: return "breaking";
  }
  return "breaking";
}

std::vector<Change> diff(const Crd& old, const Crd& next) { return CrdDiff(old, next).run(); }

std::vector<Change> refusals(const Crd* old, const Crd& next, RuleCompiler* compiler) {
  std::vector<Change> out;
  for (const value::FieldError& error :
       old != nullptr ? update_errors(*old, next, compiler) : check_create(next, compiler)) {
    out.push_back({.impact = Impact::kBreaking,
                   .code = "crd-invalid",
                   .message = "the server would refuse it: " + error.to_string(),
                   .path = source_path(error.path)});
  }
  return out;
}

}  // namespace strake::crd
