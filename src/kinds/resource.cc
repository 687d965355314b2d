#include "kinds/resource.h"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>
#include <utility>

#include "base/assert.h"
#include "kinds/columns.h"
#include "kinds/fields.h"
#include "value/json_writer.h"

namespace strake::kinds {
namespace {

using value::Value;

std::optional<resource::ScalePaths> scale_of(const crd::Version& version) {
  if (!version.has_scale()) return std::nullopt;
  const Value& scale = version.subresources()->get("scale");
  return resource::ScalePaths{std::string(text_of(scale, "specReplicasPath")),
                              std::string(text_of(scale, "statusReplicasPath")),
                              std::string(text_of(scale, "labelSelectorPath"))};
}

// The best served version that is not deprecated and newer than this one; null when there is none.
const crd::Version* successor_of(const crd::Crd& crd, const crd::Version& version) {
  const crd::Version* best = nullptr;
  for (const crd::Version& other : crd.versions()) {
    if (!other.served() || other.deprecated()) continue;
    if (!meta::version_precedes(other.name(), version.name())) continue;
    if (best == nullptr || meta::version_precedes(other.name(), best->name())) best = &other;
  }
  return best;
}

std::string deprecation_of(const crd::Crd& crd, const crd::Version& version) {
  if (!version.deprecated()) return {};
  if (version.deprecation_warning()) return std::string(*version.deprecation_warning());
  const std::string_view kind = crd.names().kind;
  std::string warning = fmt::format("{}/{} {} is deprecated", crd.group(), version.name(), kind);
  if (const crd::Version* successor = successor_of(crd, version))
    warning += fmt::format("; use {}/{} {}", crd.group(), successor->name(), kind);
  return warning;
}

std::vector<Column> columns_of(const crd::Version& version) {
  std::vector<Column> columns;
  if (const Value* given = version.printer_columns(); given != nullptr && given->is_array()) {
    for (const Value& one : given->items()) {
      Column& column = columns.emplace_back();
      column.name = text_of(one, "name");
      column.type = text_of(one, "type");
      column.format = text_of(one, "format");
      column.description = text_of(one, "description");
      column.priority = static_cast<std::int32_t>(integer(one, "priority"));
      column.json_path = text_of(one, "jsonPath");
    }
  }
  if (columns.empty()) columns.push_back(creation_column());
  return columns;
}

std::vector<std::string> selectable_of(const crd::Version& version) {
  std::vector<std::string> paths;
  if (const Value* given = version.selectable_fields(); given != nullptr && given->is_array()) {
    for (const Value& one : given->items()) paths.emplace_back(text_of(one, "jsonPath"));
  }
  return paths;
}

ServedVersion version_of(const crd::Crd& crd, const crd::Version& version,
                         const std::shared_ptr<const Definition>& definition) {
  ServedVersion out;
  out.name = version.name();
  out.served = version.served();
  out.storage = version.storage();
  out.deprecation_warning = deprecation_of(crd, version);
  out.columns = columns_of(version);
  out.selectable_fields = selectable_of(version);
  const std::vector<Verb> verbs = {Verb::kGet, Verb::kPatch, Verb::kUpdate};
  if (version.has_status()) {
    out.subresources.push_back(
        {"status",
         {std::string(crd.group()), out.name, std::string(crd.accepted_names().kind)},
         verbs,
         {"metadata", "spec"}});
    out.resets = {"status"};
  }
  if (version.has_scale())
    out.subresources.push_back({"scale", {"autoscaling", "v1", "Scale"}, verbs, {}});
  out.set_definition(definition);
  return out;
}

std::vector<Verb> custom_verbs(bool terminating) {
  if (terminating)
    return {Verb::kDelete, Verb::kDeleteCollection, Verb::kGet, Verb::kList, Verb::kWatch};
  return {Verb::kDelete, Verb::kDeleteCollection, Verb::kGet,    Verb::kList,
          Verb::kPatch,  Verb::kCreate,           Verb::kUpdate, Verb::kWatch};
}

using LoadCrd = std::function<std::shared_ptr<const crd::Crd>()>;

// Gives the same definition again as long as somebody holds it, instead of reading it once more.
LoadCrd same_while_held(LoadCrd load) {
  struct Last {
    std::mutex mutex;
    std::weak_ptr<const crd::Crd> crd;  // guarded by mutex
  };
  return [load = std::move(load), last = std::make_shared<Last>()] {
    const std::lock_guard lock(last->mutex);
    std::shared_ptr<const crd::Crd> out = last->crd.lock();
    if (out == nullptr) last->crd = out = load();
    return out;
  };
}

}  // namespace

std::string_view to_string(Verb verb) {
  switch (verb) {
    case Verb::kCreate: return "create";
    case Verb::kDelete: return "delete";
    case Verb::kDeleteCollection: return "deletecollection";
    case Verb::kGet: return "get";
    case Verb::kList: return "list";
    case Verb::kPatch: return "patch";
    case Verb::kUpdate: return "update";
    case Verb::kWatch: return "watch";
  }
  return "";
}

const Subresource* ServedVersion::subresource(std::string_view subresource_name) const {
  const auto at =
      std::find_if(subresources.begin(), subresources.end(),
                   [&](const Subresource& one) { return one.name == subresource_name; });
  return at != subresources.end() ? &*at : nullptr;
}

Result<const resource::Kind*> ServedVersion::kind() const {
  std::call_once(lazy_->once, [this] {
    if (lazy_->make) {
      lazy_->kind = lazy_->make();
    } else {
      STRAKE_ASSERT(definition_ != nullptr);
      lazy_->kind = compile();
    }
    lazy_->made.store(true, std::memory_order_release);
  });
  if (!*lazy_->kind) return std::unexpected(lazy_->kind->error());
  return &**lazy_->kind;
}

Result<resource::Kind> ServedVersion::compile() const {
  const std::shared_ptr<const crd::Crd> crd = definition_->load();
  const crd::Version* version = crd != nullptr ? crd->version(name) : nullptr;
  if (version == nullptr)
    return fail(Code::kServiceUnavailable, "the definition {} is gone", definition_->name);
  STRAKE_TRY(auto compiled, version->compiled());
  return resource::Kind{
      .gvk = {std::string(crd->group()), name, std::string(crd->accepted_names().kind)},
      .namespaced = crd->namespaced(),
      .preserve_unknown = crd->preserve_unknown_fields(),
      .status_subresource = version->has_status(),
      .scale = scale_of(*version),
      .schema = std::move(compiled)};
}

void ServedVersion::set_kind(std::function<resource::Kind()> make) {
  lazy_->make = std::move(make);
  lazy_->made.store(true, std::memory_order_release);
}

void ServedVersion::set_definition(std::shared_ptr<const Definition> definition) {
  definition_ = std::move(definition);
}

// Asked for each object of a list: a definition may have many versions, a built-in kind has two.
const ServedVersion* Resource::version(std::string_view name) const {
  if (!by_name.empty()) {
    const auto name_at = [&](std::uint32_t place) -> std::string_view {
      return versions[place].name;
    };
    const auto found = std::ranges::lower_bound(by_name, name, {}, name_at);
    return found != by_name.end() && name_at(*found) == name ? &versions[*found] : nullptr;
  }
  const auto at = std::find_if(versions.begin(), versions.end(),
                               [&](const ServedVersion& one) { return one.name == name; });
  return at != versions.end() ? &*at : nullptr;
}

const ServedVersion* Resource::served_version(std::string_view name) const {
  const ServedVersion* found = version(name);
  return found != nullptr && found->served ? found : nullptr;
}

const ServedVersion& Resource::storage_version() const {
  const auto at = std::find_if(versions.begin(), versions.end(),
                               [](const ServedVersion& one) { return one.storage; });
  STRAKE_ASSERT(at != versions.end());
  return *at;
}

bool Resource::has_verb(Verb verb) const {
  return std::find(verbs.begin(), verbs.end(), verb) != verbs.end();
}

ResourcePtr resource_of(const crd::Crd& crd,
                        std::function<std::shared_ptr<const crd::Crd>()> load) {
  auto definition = std::make_shared<const Definition>(
      Definition{.name = std::string(crd.name()),
                 .generation = crd.metadata().generation(),
                 .established = crd.condition_is_true("Established"),
                 .terminating = crd.condition_is_true("Terminating"),
                 .load = same_while_held(std::move(load))});
  auto out = std::make_shared<Resource>();
  const crd::Names& names = crd.accepted_names();
  out->group = crd.group();
  out->plural = names.plural;
  out->singular = names.singular;
  out->kind = names.kind;
  out->list_kind = names.list_kind;
  out->short_names.assign(names.short_names.begin(), names.short_names.end());
  out->categories.assign(names.categories.begin(), names.categories.end());
  out->namespaced = crd.namespaced();
  out->verbs = custom_verbs(crd.condition_is_true("Terminating"));
  out->answers_every_verb = true;
  out->converted_by_webhook =
      crd.conversion() != nullptr && text_of(*crd.conversion(), "strategy") == "Webhook";
  if (out->converted_by_webhook)
    out->conversion_webhook = value::to_json(crd.conversion()->get("webhook"));
  // By the name that was asked for: what is stored stays where it is when another name is accepted.
  out->storage_prefix = fmt::format("/registry/{}/{}/", crd.group(), crd.names().plural);
  for (const crd::Version& version : crd.versions()) {
    out->versions.push_back(version_of(crd, version, definition));
    out->versions.back().declared = out->versions.size() - 1;
  }
  std::sort(out->versions.begin(), out->versions.end(),
            [](const ServedVersion& a, const ServedVersion& b) {
              return meta::version_precedes(a.name, b.name);
            });
  out->by_name.resize(out->versions.size());
  std::iota(out->by_name.begin(), out->by_name.end(), 0U);
  std::ranges::sort(out->by_name, {}, [&](std::uint32_t place) -> std::string_view {
    return out->versions[place].name;
  });
  out->definition = std::move(definition);
  return out;
}

ResourcePtr resource_of(std::shared_ptr<const crd::Crd> crd) {
  const crd::Crd& held = *crd;
  return resource_of(held, [crd = std::move(crd)] { return crd; });
}

}  // namespace strake::kinds
