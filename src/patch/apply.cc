#include "patch/apply.h"

#include <algorithm>
#include <variant>

#include "base/quote.h"
#include "meta/gvk.h"
#include "patch/apply_prune.h"
#include "patch/ownership.h"
#include "patch/typed_check.h"
#include "patch/typed_merge.h"
#include "value/fields.h"
#include "value/json_reader.h"
#include "value/json_writer.h"

// Server-side apply, step by step:
//
//   1. The configuration and the live object must fit the schema (check_fit).
//   2. An object without owners gets one for what is there (claim_existing).
//   3. The configuration is merged over the live object (typed_merge.h), and becomes the set of
//      fields that its manager owns from now on.
//   4. What the manager owned before, and neither it nor anyone else owns now, goes
//   (apply_prune.h).
//   5. Whatever differs from the live object is taken from its other owners: a conflict each,
//   unless
//      it is forced (ownership.h).
//
// The order of 4 and 5 matters: a field that the manager gives up, and that another owns too, must
// stay, and must not count as changed. Nothing is edited in place: the live object is shared with
// the cache, so each step makes a new value that shares what it does not change.

namespace strake::patch {

using meta::Status;
using value::Member;
using value::Value;

namespace {

constexpr std::string_view kBeforeFirstApply = "before-first-apply";
constexpr std::string_view kKubectl = "kubectl";
constexpr std::string_view kLastApplied = "kubectl.kubernetes.io/last-applied-configuration";
constexpr std::size_t kAnnotationsMax = 256 * 1024;

meta::GroupVersionKind gvk_of(const Value& object) {
  return meta::from_api_version_and_kind(text_of(object, "apiVersion"), text_of(object, "kind"));
}

// namespace/name; group/version, Kind=kind
std::string described(const Value& object) {
  const Value* metadata = object.find("metadata");
  return fmt::format("{}/{}; {}", text_of(metadata, "namespace"), text_of(metadata, "name"),
                     gvk_of(object).to_string());
}

std::string print_manager(const Owner& owner) {
  std::string out = quote(owner.manager);
  if (!owner.subresource.empty()) out += " with subresource " + quote(owner.subresource);
  if (!owner.applied) out += fmt::format(" using {}", owner.api_version);
  return out;
}

using Conflicts = std::vector<FieldConflict>;

std::string conflict_message(const Conflicts& conflicts) {
  if (conflicts.size() == 1) {
    return fmt::format("Apply failed with 1 conflict: conflict with {}: {}",
                       print_manager(conflicts[0].owner), print(conflicts[0].path));
  }
  std::string out = fmt::format("Apply failed with {} conflicts: ", conflicts.size());
  for (std::size_t i = 0; i < conflicts.size(); ++i) {
    const bool first = i == 0 || !conflicts[i].owner.same_as(conflicts[i - 1].owner);
    if (first) {
      out += fmt::format("{}conflicts with {}:", i == 0 ? "" : "\n",
                         print_manager(conflicts[i].owner));
    }
    out += "\n- " + print(conflicts[i].path);
  }
  return out;
}

Status conflict_status(const Conflicts& conflicts) {
  std::vector<meta::StatusCause> causes;
  for (const FieldConflict& conflict : conflicts) {
    causes.push_back({.reason = "FieldManagerConflict",
                      .message = "conflict with " + print_manager(conflict.owner),
                      .field = print(conflict.path)});
  }
  return Status::apply_conflict(conflict_message(conflicts), std::move(causes));
}

const Value* annotation_of(const Value& object) {
  const Value* metadata = object.find("metadata");
  const Value* annotations = metadata != nullptr ? metadata->find("annotations") : nullptr;
  const Value* found = annotations != nullptr ? annotations->find(kLastApplied) : nullptr;
  return found != nullptr && found->is_string() && found->size() != 0 ? found : nullptr;
}

Value shallow_copy(const Value& object, Arena& arena) {
  auto* members = arena.allocate_array<Member>(object.size());
  std::copy(object.members().begin(), object.members().end(), members);
  return Value::object({members, object.size()});
}

// The object with the annotation set, or removed when there is no text. It must have annotations.
Value with_last_applied(const Value& object, const std::string* text, Arena& arena) {
  Value out = shallow_copy(object, arena);
  Value& metadata = out.object_at("metadata", arena);
  metadata = shallow_copy(metadata, arena);
  Value& annotations = metadata.object_at("annotations", arena);
  annotations = shallow_copy(annotations, arena);
  if (text != nullptr) {
    annotations.set(kLastApplied, Value::string(arena.copy(*text)), arena);
  } else {
    annotations.remove(kLastApplied);
  }
  return out;
}

bool annotations_fit(const Value& object) {
  std::size_t total = 0;
  for (const Member& m : object.get("metadata").get("annotations").members())
    total += m.key.size() + (m.value.is_string() ? m.value.size() : 0);
  return total <= kAnnotationsMax;
}

class Applier {
 public:
  Applier(const schema::Node* schema, const ApplyContext& context, Arena& arena)
      : context_(context),
        arena_(arena),
        scope_{.api_version = context.write.api_version,
               .type = FieldType::of_resource(schema),
               .others = context.write.others,
               .reset = fields_named(context.write.reset, arena)} {
    applier_ = {.manager = arena.copy(context.write.manager),
                .applied = true,
                .api_version = arena.copy(context.write.api_version),
                .subresource = arena.copy(context.write.subresource)};
  }

  std::expected<Applied, Status> run(const Value& live, const Value& config) {
    if (auto refused = check_config(config)) return std::unexpected(*std::move(refused));
    const Value* metadata = live.find("metadata");
    auto owners =
        read_owners(metadata != nullptr ? metadata->find("managedFields") : nullptr, arena_);
    if (!owners) {
      return std::unexpected(
          Status::raw_error("failed to decode managed fields: " + owners.error().message()));
    }
    const Value before = without_managed_fields(live, arena_);
    Outcome outcome = attempt(before, config, *owners, context_.force);
    if (auto* conflicts = std::get_if<Conflicts>(&outcome);
        conflicts != nullptr && context_.write.manager == kKubectl) {
      outcome = migrate(before, config, *owners, std::move(*conflicts));
    }
    if (auto* refused = std::get_if<Status>(&outcome)) return std::unexpected(std::move(*refused));
    if (auto* conflicts = std::get_if<Conflicts>(&outcome))
      return std::unexpected(conflict_status(*conflicts));
    return finish(std::get<Done>(outcome), config);
  }

 private:
  struct Done {
    Value object;
    Owners owners;
    bool changed = false;
  };
  using Outcome = std::variant<Done, Conflicts, Status>;

  std::optional<Status> check_config(const Value& config) const {
    const meta::GroupVersionKind wanted =
        meta::from_api_version_and_kind(context_.write.api_version, context_.kind);
    if (const auto given = gvk_of(config); given != wanted)
      return Status::bad_request("invalid object type: " + given.to_string());
    const Value* metadata = config.find("metadata");
    const Value* entries = metadata != nullptr ? metadata->find("managedFields") : nullptr;
    if (entries != nullptr && entries->is_array())
      return Status::bad_request("metadata.managedFields must be nil");
    return std::nullopt;
  }

  std::optional<Status> check_fit(const Value& config, const Value& live) const {
    const TypedFaults given = check_typed(config, scope_.type, Duplicates::kRefused, arena_);
    if (!given.empty()) {
      return Status::raw_error(fmt::format("failed to create typed patch object ({}): {}",
                                           described(config), to_string(given)));
    }
    const TypedFaults ours = check_typed(live, scope_.type, Duplicates::kAllowed, arena_);
    if (!ours.empty()) {
      return Status::raw_error(fmt::format("failed to create typed live object ({}): {}",
                                           described(live), to_string(ours)));
    }
    return std::nullopt;
  }

  // Fields of an object that nobody owns go to someone before the first apply, so that it does not
  // take them unseen.
  Result<> claim_existing(const Value& live, Owners& owners) {
    const TypedFaults faults = check_typed(live, scope_.type, Duplicates::kAllowed, arena_);
    if (!faults.empty()) {
      return fail(Code::kInvalid,
                  "failed to create manager for existing fields: failed to convert new object ({}) "
                  "to smd typed: {}",
                  described(live), to_string(faults));
    }
    Owner existing{.manager = kBeforeFirstApply,
                   .api_version = applier_.api_version,
                   .subresource = applier_.subresource,
                   .time = arena_.copy(context_.write.time)};
    const Value nothing = Value::object({});
    const FieldSet added = recursive_difference(
        compare_fields(nothing, live, scope_.type, arena_).added, scope_.reset, arena_);
    existing.fields = strip_untracked(added, arena_);
    if (!existing.fields.empty()) owners.push_back(existing);
    return {};
  }

  Outcome attempt(const Value& live, const Value& config, Owners owners, bool force) {
    if (owners.empty()) {
      if (auto claimed = claim_existing(live, owners); !claimed)
        return Status::raw_error(claimed.error().message());
    }
    if (auto refused = check_fit(config, live)) return *std::move(refused);
    auto done = merge(live, config, std::move(owners), force);
    if (!done) return Status::raw_error(done.error().message());
    return *std::move(done);
  }

  Result<Outcome> merge(const Value& live, const Value& config, Owners owners, bool force) {
    reconcile_owners(owners, scope_, arena_);
    const Value merged = merge_typed(live, config, scope_.type, arena_);
    Owner last = applier_;
    if (const Owner* before = find_owner(owners, applier_)) last = *before;
    remove_owner(owners, applier_);
    Owner now = applier_;
    // An apply that changes nothing must leave the object as it was, its time included, or every
    // reconciliation of a controller would be a write.
    now.time = last.time;
    now.fields = recursive_difference(fields_of(config, scope_.type, arena_), scope_.reset, arena_);
    owners.push_back(now);
    STRAKE_TRY(const Value object, prune_applied(merged, owners, last, scope_, arena_));
    STRAKE_TRY(Settled settled,
               settle_owners(owners, &applier_, live, object, nullptr, force, scope_, arena_));
    if (!settled.conflicts.empty()) {
      sort_conflicts(settled.conflicts);
      return settled.conflicts;
    }
    Done done{
        .object = object, .owners = std::move(owners), .changed = !value::equal(live, object)};
    if (Owner* own = find_owner(done.owners, applier_)) {
      own->fields = strip_untracked(own->fields, arena_);
      if (done.changed) own->time = arena_.copy(context_.write.time);
      if (own->fields.empty()) remove_owner(done.owners, applier_);
    }
    return done;
  }

  static void sort_conflicts(Conflicts& conflicts) {
    // Those of one owner are in order, and together.
    std::vector<std::pair<std::string, std::size_t>> order;
    for (std::size_t i = 0; i < conflicts.size(); ++i)
      order.emplace_back(conflicts[i].owner.identity(), i);
    std::sort(order.begin(), order.end());
    Conflicts sorted;
    for (const auto& [identity, index] : order) sorted.push_back(std::move(conflicts[index]));
    conflicts = std::move(sorted);
  }

  // kubectl took over objects that it used to apply on its own side: what it put there that way, by
  // its annotation, is its own. When all conflicts are with such fields the apply is repeated with
  // force, as the lastAppliedManager of kube-apiserver 1.36 does; else only the others are told.
  Outcome migrate(const Value& live, const Value& config, const Owners& owners,
                  Conflicts conflicts) {
    const auto allowed = last_applied_fields(live);
    if (!allowed) return conflicts;
    FieldSet fields;
    for (const FieldConflict& conflict : conflicts)
      fields = unite(fields, FieldSet::of(conflict.path, arena_), arena_);
    if (difference(fields, *allowed, arena_).empty()) return attempt(live, config, owners, true);
    std::erase_if(conflicts,
                  [&](const FieldConflict& conflict) { return allowed->has(conflict.path); });
    return conflicts;
  }

  // The fields of the annotation that are still as it says.
  std::optional<FieldSet> last_applied_fields(const Value& live) {
    const Value* annotation = annotation_of(live);
    if (annotation == nullptr ||
        !check_typed(live, scope_.type, Duplicates::kRefused, arena_).empty()) {
      return std::nullopt;
    }
    const auto read =
        value::read_json(annotation->as_string(), value::ReadOptions::as_api_server());
    if (!read || !read->root().is_object() ||
        text_of(&read->root(), "apiVersion") != context_.write.api_version) {
      return std::nullopt;
    }
    const Value applied = value::deep_copy(read->root(), arena_);
    if (!check_typed(applied, scope_.type, Duplicates::kRefused, arena_).empty())
      return std::nullopt;
    const Comparison changed = compare_fields(applied, live, scope_.type, arena_);
    FieldSet out = fields_of(applied, scope_.type, arena_);
    for (const FieldSet& set : {changed.modified, changed.added, changed.removed})
      out = difference(out, set, arena_);
    return out;
  }

  std::expected<Applied, Status> finish(const Done& done, const Value& config) {
    Applied out{.object = done.object, .changed = done.changed};
    if (context_.write.manager == kKubectl && annotation_of(out.object) != nullptr) {
      Value without = config;
      if (annotation_of(config) != nullptr) without = with_last_applied(config, nullptr, arena_);
      const std::string text = value::to_json(without) + "\n";
      out.object = with_last_applied(out.object, &text, arena_);
      if (!annotations_fit(out.object)) out.object = with_last_applied(out.object, nullptr, arena_);
    }
    out.object = with_managed_fields(out.object, done.owners, arena_);
    return out;
  }

  const ApplyContext& context_;
  Arena& arena_;
  Scope scope_;
  Owner applier_;
};

}  // namespace

std::expected<Applied, Status> apply(const Value* live, const Value& config,
                                     const schema::Node* schema, const ApplyContext& context,
                                     Arena& arena) {
  const Value own = value::deep_copy(config, arena);
  if (live != nullptr) return Applier(schema, context, arena).run(*live, own);
  auto* members = arena.allocate_array<Member>(2);
  members[0] = {"apiVersion", Value::string(arena.copy(context.write.api_version))};
  members[1] = {"kind", Value::string(arena.copy(context.kind))};
  return Applier(schema, context, arena).run(Value::object({members, 2}), own);
}

}  // namespace strake::patch
