#include "validate/builtin_kinds.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>

#include "base/edit_distance.h"
#include "kinds/derive.h"
#include "kinds/types/declarations.h"
#include "meta/shape.h"
#include "resource/settle.h"
#include "validate/builtin_rules.h"
#include "validate/classify.h"
#include "validate/hints.h"
#include "validate/locate.h"
#include "validate/phrases.h"

// Kinds of Kubernetes itself, from the declarations in kinds/types. One set of declarations serves
// all minor versions: kinds and fields carry the version that brought them and the one that removed
// them, and a judge is made for one minor version. What can be decoded is then shown to the rules
// of its kind (builtin_rules.h), which are those of the newest version.

namespace strake::validate {
namespace {

using kinds::Field;
using kinds::Type;
using kinds::TypeUse;
using meta::GroupVersionKind;
using value::Value;

std::string_view after_mark(std::string_view text, std::string_view mark) {
  const std::size_t at = text.find(mark);
  return at == std::string_view::npos ? std::string_view() : text.substr(at + mark.size());
}

// "apps/v1/Deployment" as the server writes it: "apps/v1 Deployment".
std::string shown_replacement(std::string_view replacement) {
  std::string out(replacement);
  const std::size_t slash = out.rfind('/');
  if (slash != std::string::npos) out[slash] = ' ';
  return out;
}

// As kube-apiserver 1.36 warns.
std::string deprecation_text(const GroupVersionKind& gvk, int deprecated, int removed,
                             std::string_view replacement) {
  const std::string version = gvk.group_version().to_string();
  const std::string instead = shown_replacement(replacement);
  if (removed != 0 && !instead.empty())
    return say(Phrase::kDeprecatedGoneUse, version, gvk.kind, deprecated, removed, instead);
  if (removed != 0) return say(Phrase::kDeprecatedGone, version, gvk.kind, deprecated, removed);
  if (!instead.empty()) return say(Phrase::kDeprecatedUse, version, gvk.kind, deprecated, instead);
  return say(Phrase::kDeprecated, version, gvk.kind, deprecated);
}

Fault warning_at(FieldPath path, std::string message) {
  return {.issue = Issue::kCustom,
          .severity = Severity::kWarning,
          .path = std::move(path),
          .message = std::move(message)};
}

// The declaration of the field that the path leads to; null where there is none.
const Field* field_at(const Type& root, const FieldPath& path) {
  const Type* type = &root;
  const TypeUse* use = nullptr;
  const Field* field = nullptr;
  for (const FieldPath::Step& step : path.steps()) {
    const bool index = step.kind == FieldPath::Kind::kIndex;
    field = nullptr;
    if (type != nullptr && type->element != nullptr) {  // a name for a list or a map
      use = type->element;
    } else if (use != nullptr && use->element != nullptr) {
      use = use->element;
    } else if (type != nullptr && type->is_struct() && !index) {
      const auto found = std::ranges::find(type->fields, std::string_view(step.name), &Field::name);
      if (found == type->fields.end()) return nullptr;
      field = &*found;
      use = field->use;
    } else {
      return nullptr;
    }
    type = use->type;
  }
  return field;
}

// What to do about a JSON type that the decoder did not want.
std::string type_hint(std::string_view message) {
  const std::string_view met = after_mark(message, "cannot unmarshal ");
  const std::string_view type = after_mark(message, " of type ");
  if (met.empty() || type.empty()) return {};
  const bool number = met.starts_with("number");
  const bool text = met.starts_with("string");
  if ((number || met.starts_with("bool")) && type == "string") return say(Phrase::kQuoteIt);
  if (text && (type == "int32" || type == "int64" || type == "float64"))
    return say(Phrase::kNumberWanted);
  if (text && type == "bool") return say(Phrase::kBoolWanted);
  if (!met.starts_with("array") && type.starts_with("[]")) return say(Phrase::kListWanted);
  if (!met.starts_with("object") && (type.starts_with("map[") || type.ends_with("List")))
    return say(Phrase::kMapWanted);
  return {};
}

class BuiltinJudge final : public Judge {
 public:
  BuiltinJudge(const Type& type, const JudgeOptions& options, int minor)
      : type_(type),
        gvk_{std::string(type.group), std::string(type.version), std::string(type.name)},
        options_(options),
        minor_(minor),
        shape_(kinds::shape_of(type, minor)),
        rules_(gvk_) {}

  std::vector<Fault> judge(const Subject& subject) const override {
    std::vector<Fault> faults;
    if (type_.deprecated != 0 && type_.deprecated <= minor_) {
      faults.push_back(
          warning_at(FieldPath() / "apiVersion",
                     deprecation_text(gvk_, type_.deprecated, type_.removed, type_.replacement)));
    }
    std::vector<std::string> unknown;
    std::vector<meta::ShapeFault> unreadable;
    Value decoded = value::deep_copy(subject.object, subject.arena);
    if (const auto read = meta::read_shape(decoded, shape_, subject.arena,
                                           {.unknown = &unknown, .faults = &unreadable});
        !read)
      unreadable.push_back({"", read.error().message()});
    if (rules_.any() && unreadable.empty()) {
      // A kind may be decoded by more than its declaration says. An older version's fields are
      // those that are left.
      if (minor_ == kinds::types::kNewestMinor)
        decoded = value::deep_copy(subject.object, subject.arena);
      if (const auto read = rules_.decode(decoded, subject.arena); !read)
        unreadable.push_back({"", read.error().message()});
    }
    for (const meta::ShapeFault& fault : unreadable) faults.push_back(type_fault(fault, subject));
    add_unknown(unknown, subject, faults);
    if (!rules_.any() || !unreadable.empty()) return faults;
    rules_.judge(decoded, subject, schema(), faults);
    if (options_.defaults == DefaultMode::kApply && options_.unknown != UnknownFields::kPreserve) {
      rules_.drop_resets(decoded);
      subject.object = decoded;
    }
    return faults;
  }

  void fill_defaults(Value& object, Arena& arena) const override {
    // What cannot be decoded gets none.
    Value filled = value::deep_copy(object, arena);
    if (rules_.any() && rules_.decode(filled, arena)) object = filled;
  }

  const schema::Node* schema() const override {
    std::call_once(node_once_, [this] { node_ = kinds::node_of(type_); });
    return node_.get();
  }
  bool knows(const FieldPath& path) const override {
    return path.empty() || path.steps()[0].name == "metadata" || field_at(type_, path) != nullptr;
  }

 private:
  Fault type_fault(const meta::ShapeFault& found, const Subject& subject) const {
    const bool form = found.message.find("cannot unmarshal") == std::string::npos;
    Fault fault{.issue = form ? Issue::kInvalidFormat : Issue::kInvalidType};
    fault.message = resource::decode_failure(gvk_, found.message);
    fault.path = find_nearest_path(subject.as_sent, found.path);
    fault.hint = type_hint(found.message);
    const std::string_view type = after_mark(found.message, " of type ");
    const std::string_view met = after_mark(found.message, "cannot unmarshal ");
    if (!type.empty()) {
      fault.params.push_back({"expected", json_text(type)});
      fault.params.push_back({"got", json_text(met.substr(0, met.find(' ')))});
    }
    return fault;
  }

  void add_unknown(const std::vector<std::string>& unknown, const Subject& subject,
                   std::vector<Fault>& faults) const {
    if (options_.unknown == UnknownFields::kPrune || options_.unknown == UnknownFields::kPreserve)
      return;
    const Severity severity =
        options_.unknown == UnknownFields::kStrict ? Severity::kError : Severity::kWarning;
    if (unknown.empty()) return;
    for (const std::string& path : unknown) {
      Fault fault = unknown_field(path, subject.as_sent, schema(), severity);
      if (const Field* field = field_at(type_, fault.path)) {
        fault.hint = field->since > minor_ ? say(Phrase::kKnownSince, field->since)
                                           : say(Phrase::kGone, field->removed);
      }
      faults.push_back(std::move(fault));
    }
  }

  const Type& type_;
  GroupVersionKind gvk_;
  JudgeOptions options_;
  int minor_;
  const meta::Shape& shape_;
  BuiltinRules rules_;
  mutable std::once_flag node_once_;
  mutable schema::NodePtr node_;  // for hints and changes
};

// A kind of which only the name is known: it is gone, but was there in the version that is asked
// for.
class NameJudge final : public Judge {
 public:
  NameJudge(GroupVersionKind gvk, const kinds::RemovedKind& kind, int minor)
      : gvk_(std::move(gvk)), kind_(kind), minor_(minor) {}

  std::vector<Fault> judge(const Subject&) const override {
    std::vector<Fault> faults;
    const FieldPath at = FieldPath() / "apiVersion";
    if (kind_.deprecated <= minor_) {
      faults.push_back(warning_at(
          at, deprecation_text(gvk_, kind_.deprecated, kind_.removed, kind_.replacement)));
    }
    faults.push_back(warning_at(at, say(Phrase::kFieldsNotChecked, gvk_.group_version().to_string(),
                                        gvk_.kind, kind_.removed)));
    return faults;
  }

 private:
  GroupVersionKind gvk_;
  kinds::RemovedKind kind_;
  int minor_;
};

}  // namespace

Result<int> kubernetes_minor(std::string_view text) {
  std::string_view rest = text;
  if (rest.starts_with('v')) rest.remove_prefix(1);
  int minor = -1;
  if (rest.starts_with("1.")) {
    rest.remove_prefix(2);
    const auto read = std::from_chars(rest.data(), rest.data() + rest.size(), minor);
    rest.remove_prefix(static_cast<std::size_t>(read.ptr - rest.data()));
    if (!rest.empty() && !rest.starts_with('.')) minor = -1;
  }
  if (minor < 0)
    return fail(Code::kUsage, "{}", say(Phrase::kNoKubernetes, text, newest_kubernetes()));
  if (minor < kinds::types::kOldestMinor || minor > kinds::types::kNewestMinor) {
    return fail(Code::kUsage, "{}",
                say(Phrase::kUnknownKubernetes, text, kinds::types::kOldestMinor,
                    kinds::types::kNewestMinor));
  }
  return minor;
}

std::string newest_kubernetes() { return fmt::format("1.{}", kinds::types::kNewestMinor); }

const Judge* BuiltinKinds::find(const GroupVersionKind& gvk) const {
  const std::lock_guard lock(mu_);
  const auto [at, added] = judges_.try_emplace(gvk);
  if (added) at->second = make(gvk);
  return at->second.get();
}

std::unique_ptr<const Judge> BuiltinKinds::make(const GroupVersionKind& gvk) const {
  if (const Type* type = kinds::find_kind(gvk)) {
    const bool gone = type->removed != 0 && type->removed <= minor_;
    if (type->since > minor_ || gone) return nullptr;
    return std::make_unique<BuiltinJudge>(*type, options_, minor_);
  }
  const auto removed = kinds::find_removed_kind(gvk);
  if (removed && removed->since <= minor_ && minor_ < removed->removed)
    return std::make_unique<NameJudge>(gvk, *removed, minor_);
  return nullptr;
}

bool BuiltinKinds::knows(const meta::GroupKind& group_kind) const {
  if (kinds::find_removed_kind({group_kind.group, "", group_kind.kind})) return true;
  return std::ranges::any_of(kinds::declared_kinds(), [&](const GroupVersionKind& gvk) {
    return gvk.group == group_kind.group && gvk.kind == group_kind.kind;
  });
}

std::string BuiltinKinds::replacement_of(const kinds::RemovedKind& removed,
                                         const GroupVersionKind& gvk) const {
  if (!removed.replacement.empty()) return shown_replacement(removed.replacement);
  // Where nothing is said, another version of the group has it.
  for (const GroupVersionKind& one : kinds::declared_kinds()) {
    if (one.group == gvk.group && one.kind == gvk.kind && find(one) != nullptr)
      return fmt::format("{} {}", one.group_version().to_string(), one.kind);
  }
  return {};
}

std::string BuiltinKinds::explain_missing(const GroupVersionKind& gvk) const {
  if (const auto removed = kinds::find_removed_kind(gvk)) {
    if (removed->since > minor_) return say(Phrase::kKnownSince, removed->since);
    const std::string instead = replacement_of(*removed, gvk);
    return instead.empty() ? say(Phrase::kGone, removed->removed)
                           : say(Phrase::kGoneUse, removed->removed, instead);
  }
  if (const Type* type = kinds::find_kind(gvk); type != nullptr && type->since > minor_)
    return say(Phrase::kKnownSince, type->since);
  const std::vector<GroupVersionKind> all = kinds::declared_kinds();
  std::vector<std::string> places;
  std::vector<std::string_view> near;
  for (const GroupVersionKind& one : all) {
    const Type* type = kinds::find_kind(one);
    if (type->since > minor_) continue;
    if (one.kind == gvk.kind) places.push_back(one.group_version().to_string());
    if (one.group == gvk.group && one.version == gvk.version) near.push_back(one.kind);
  }
  if (!places.empty()) return say(Phrase::kKindIsIn, gvk.kind, fmt::join(places, ", "));
  const auto meant = closest(gvk.kind, near);
  return meant ? say(Phrase::kDidYouMean, *meant) : std::string();
}

}  // namespace strake::validate
