#include "ops/kom/schemas.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "base/assert.h"
#include "meta/gvk.h"
#include "ops/kom/definitions.h"
#include "provider/names/quote_briefly.h"
#include "provider/names/sizes.h"
#include "rules/crd_rules.h"
#include "rules/engine.h"
#include "validate/catalog.h"
#include "value/document.h"
#include "value/fields.h"
#include "value/json_writer.h"

namespace strake::ops {
namespace {

using provider::quote_briefly;
using validate::Fault;
using validate::Issue;
using value::Value;

constexpr std::array<std::string_view, 6> kDeclaredKinds = {"Workspace", "Provider", "Cluster",
                                                            "App",       "Box",      "Defaults"};

// What a rule says, without the value that the server shows in front of it:
// `Invalid value: "Vol": must ...`, `Required value: size is required`.
std::string_view words_of_rule(std::string_view message, bool scalar) {
  const std::size_t colon = message.find(": ");
  if (colon == std::string_view::npos) return message;
  const bool shows_value = scalar && message.starts_with("Invalid value: ");
  message.remove_prefix(colon + 2);
  if (!shows_value) return message;
  // A quoted text, or a word.
  std::size_t end = 0;
  if (message.starts_with('"')) {
    for (end = 1; end < message.size() && message[end] != '"'; ++end)
      if (message[end] == '\\') ++end;
    ++end;
  } else {
    end = message.find(": ");
  }
  if (end < message.size() && message.substr(end).starts_with(": ")) message.remove_prefix(end + 2);
  return message;
}

bool is_map_of_scalars(std::string_view field) {
  return field == "settings" || field == "options" || field == "resources" || field == "extensions";
}

const Value* value_at(const Value& root, const FieldPath& path) {
  const Value* at = &root;
  for (const FieldPath::Step& step : path.steps()) {
    if (at == nullptr) return nullptr;
    if (step.kind != FieldPath::Kind::kIndex) {
      at = at->find(step.name);
    } else {
      at = step.index < at->items().size() ? &at->items()[step.index] : nullptr;
    }
  }
  return at;
}

// Where the words of a schema are not those that help, since it has to say in patterns and counts
// what is meant.
std::string words_of(const Fault& fault, const Value& document) {
  const auto& steps = fault.path.steps();
  const Value* met = value_at(document, fault.path);
  if (fault.issue == Issue::kCelViolation)
    return std::string(words_of_rule(fault.message, met != nullptr && is_scalar(*met)));
  if (!steps.empty() && met != nullptr) {
    const std::string& last = steps.back().name;
    if (!is_scalar(*met)) {
      if (steps.size() > 1 && is_map_of_scalars(steps[steps.size() - 2].name))
        return "must be a text, a number or a boolean";
      if (last == "compose" && met->is_array()) return "must be a text or a mapping";
    }
    if (last == "size" && met->is_string())
      if (const auto size = provider::parse_size(met->as_string()); !size)
        return size.error().message();
  }
  std::string out = fault.message;
  if (fault.issue == Issue::kUnknownKey && !fault.hint.empty()) out += ", " + fault.hint;
  return out;
}

// "deployment.pool and ..." needs no "spec.deployment" in front.
bool names_its_field(const Fault& fault, std::string_view words) {
  if (fault.issue == Issue::kUnknownKey) return true;
  if (fault.issue != Issue::kCelViolation) return false;
  const auto& steps = fault.path.steps();
  if (steps.empty() || (steps.size() == 1 && steps.back().name == "spec")) return true;
  return words.starts_with(steps.back().name + ".");
}

// The server repeats values of any length; nobody reads more of them than this.
std::string cut_long(std::string words) {
  constexpr std::size_t kMost = 600;
  if (words.size() <= kMost) return words;
  std::size_t end = kMost;
  while (end > 0 && (static_cast<unsigned char>(words[end]) & 0xC0) == 0x80) --end;
  words.resize(end);
  return words + "...";
}

KomFault told(const Fault& fault, const Value& document) {
  KomFault out{
      .path = fault.path, .at_key = fault.at_key, .words = cut_long(words_of(fault, document))};
  if (!names_its_field(fault, out.words)) out.field = cut_long(fault.field);
  // The server points at the second volume of a name, the single file at its name.
  const auto& steps = fault.path.steps();
  if (fault.issue == Issue::kDuplicateItem && steps.size() == 3 && steps[1].name == "volumes") {
    const Value* volume = value_at(document, fault.path);
    out.path.push_field("name");
    out.field += ".name";
    out.words =
        fmt::format("duplicate volume name {}", quote_briefly(value::text_of(volume, "name")));
  }
  return out;
}

}  // namespace

std::string KomFault::to_string() const {
  return field.empty() ? words : fmt::format("{}: {}", field, words);
}

struct KomSchemas::Parts {
  rules::Engine engine;
  rules::CrdRules compiler;
  validate::Catalog catalog{{.unknown = validate::UnknownFields::kStrict,
                             .trust_definitions = true,
                             .defaults = validate::DefaultMode::kIgnore,
                             .rules = &engine,
                             .rule_compiler = &compiler}};
};

KomSchemas::KomSchemas() : parts_(std::make_unique<Parts>()) {
  for (const auto& [name, text] : kom_definitions()) {
    const auto added = parts_->catalog.add(
        std::string(name), std::make_shared<const std::string>(text), validate::Trust::kTaken);
    STRAKE_ASSERT(added && *added == 1);
  }
}

KomSchemas::~KomSchemas() = default;

const KomSchemas& KomSchemas::get() {
  static const KomSchemas schemas;
  return schemas;
}

bool KomSchemas::is_declared(std::string_view kind) {
  return std::ranges::find(kDeclaredKinds, kind) != kDeclaredKinds.end();
}

std::vector<KomFault> KomSchemas::check(std::string_view kind, const Value& document) const {
  const validate::Judge* judge =
      parts_->catalog.find({std::string(kKomGroup), std::string(kKomVersion), std::string(kind)});
  STRAKE_ASSERT(judge != nullptr);
  // Judging brings an object into the form that a server would store.
  value::Document scratch;
  Value object = value::deep_copy(document, scratch.arena());
  // A server needs a name to keep Defaults under; files do not.
  const Value& metadata = document.get("metadata");
  if (kind == "Defaults" && (metadata.is_null() || metadata.is_object()) &&
      metadata.get("name").is_null())
    object.object_at("metadata", scratch.arena())
        .set("name", Value::string("defaults"), scratch.arena());
  std::vector<KomFault> out;
  for (const Fault& fault :
       judge->judge({.object = object, .arena = scratch.arena(), .as_sent = document}))
    if (fault.severity == validate::Severity::kError && !fault.afterthought)
      out.push_back(told(fault, document));
  return out;
}

bool is_scalar(const Value& v) { return !v.is_array() && !v.is_object(); }

std::string scalar_text(const Value& v) {
  if (v.is_string()) return std::string(v.as_string());
  if (v.is_null() || !is_scalar(v)) return {};
  return value::to_json(v);
}

}  // namespace strake::ops
