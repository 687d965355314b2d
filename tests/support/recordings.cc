#include "support/recordings.h"

#include <algorithm>
#include <cstdio>
#include <cstdlib>

#include "meta/object_meta.h"
#include "meta/status.h"
#include "resource/prepare.h"
#include "resource/settle.h"
#include "resource/validate.h"
#include "schema/compile.h"
#include "value/fields.h"
#include "value/json_reader.h"
#include "value/json_writer.h"

namespace strake::testing {

using resource::Kind;
using value::Document;
using value::Member;
using value::Value;

namespace {

constexpr std::string_view kSomeUid = "0c7c2f37-6a4e-4b8e-a5a3-4d6f1f0e2b11";
constexpr std::string_view kSomeTime = "2024-01-01T00:00:00Z";

// Recordings have these replaced wherever they stand, when they are not empty.
std::string_view volatile_text(std::string_view key) {
  if (key == "creationTimestamp" || key == "deletionTimestamp" || key == "time" ||
      key == "lastTransitionTime")
    return "<time>";
  if (key == "uid") return "<uid>";
  if (key == "resourceVersion") return "<rv>";
  if (key == "continue") return "<continue>";
  if (key == "storageVersionHash") return "<hash>";
  if (key == "selfLink") return "<link>";
  return {};
}

void scrub_values(Value& v) {
  if (v.is_array()) {
    for (Value& item : v.mutable_items()) scrub_values(item);
  } else if (v.is_object()) {
    for (Member& m : v.mutable_members()) {
      const std::string_view replaced = volatile_text(m.key);
      if (!replaced.empty() && m.value.is_string() && m.value.size() != 0) {
        m.value = Value::string(replaced);
      } else {
        scrub_values(m.value);
      }
    }
  }
}

// Everything that only a live server knows, or that a later part of the pipeline adds.
void scrub_object(Value& object) {
  Value* metadata = object.find("metadata");
  if (metadata == nullptr) return;
  if (metadata->find("generateName") != nullptr) metadata->remove("name");
  for (const std::string_view key : {"creationTimestamp", "generation", "managedFields",
                                     "namespace", "uid", "resourceVersion", "selfLink"}) {
    metadata->remove(key);
  }
  scrub_values(object);
}

// Errors over several fields come in random order from kube-apiserver 1.36.
void sort_causes(Document& status) {
  Value* details = status.root().find("details");
  Value* causes = details != nullptr ? details->find("causes") : nullptr;
  if (causes == nullptr || causes->size() < 2) return;
  auto key = [](const Value& cause) {
    return std::array{text_of(cause, "field"), text_of(cause, "message"), text_of(cause, "reason")};
  };
  std::span<Value> items = causes->mutable_items();
  std::sort(items.begin(), items.end(),
            [&](const Value& a, const Value& b) { return key(a) < key(b); });
  const std::string message(text_of(status.root(), "message"));
  const std::size_t mark = message.find(" is invalid: [");
  if (mark == std::string::npos) return;
  std::vector<std::string> texts;
  for (const Value& cause : items)
    texts.push_back(fmt::format("{}: {}", text_of(cause, "field"), text_of(cause, "message")));
  std::sort(texts.begin(), texts.end());
  texts.erase(std::unique(texts.begin(), texts.end()), texts.end());
  const std::string sorted =
      fmt::format("{} is invalid: [{}]", message.substr(0, mark), fmt::join(texts, ", "));
  if (sorted.size() != message.size())
    return;  // a cause is missing in the message: leave it to be seen
  status.root().set("message", Value::string(status.arena().copy(sorted)), status.arena());
}

bool is_hex(char c) { return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f'); }
bool is_digit(char c) { return c >= '0' && c <= '9'; }

// Whether the text at `at` has the form of the pattern, in which h stands for a hex digit and d for
// a digit.
bool has_form(std::string_view text, std::size_t at, std::string_view form) {
  if (text.size() - at < form.size()) return false;
  for (std::size_t i = 0; i < form.size(); ++i) {
    const char c = text[at + i];
    if (form[i] == 'h' ? !is_hex(c) : form[i] == 'd' ? !is_digit(c) : c != form[i]) return false;
  }
  return true;
}

// Recordings have every uid and time replaced, wherever it stands.
std::string scrub_text(std::string_view text) {
  constexpr std::string_view kUid = "hhhhhhhh-hhhh-hhhh-hhhh-hhhhhhhhhhhh";
  constexpr std::string_view kTime = "dddd-dd-ddTdd:dd:ddZ";
  std::string out;
  for (std::size_t i = 0; i < text.size();) {
    if (has_form(text, i, kUid)) {
      out += "<uid>";
      i += kUid.size();
    } else if (has_form(text, i, kTime)) {
      out += "<time>";
      i += kTime.size();
    } else {
      out += text[i++];
    }
  }
  return out;
}

// Read once more, since a recording went through another JSON library (-0 became 0), and without
// escapes for HTML.
std::string print(const Value& v) {
  const Document again =
      value::read_json(scrub_text(value::to_json(v, {.escape_html = false}))).value();
  return value::to_json(again.root(), {.escape_html = false});
}

// The text of a Warning header: 299 - "text"
std::string warning_text(std::string_view header) {
  constexpr std::string_view kHead = "299 - \"";
  if (!header.starts_with(kHead) || !header.ends_with('"')) return std::string(header);
  std::string out;
  header = header.substr(kHead.size(), header.size() - kHead.size() - 1);
  for (std::size_t i = 0; i < header.size(); ++i) {
    if (header[i] == '\\' && i + 1 < header.size()) ++i;
    out += header[i];
  }
  return out;
}

Answer status_answer(const meta::Status& status) {
  Document document = value::read_json(status.to_json()).value();
  sort_causes(document);
  return {.code = status.code, .body = print(document.root())};
}

Document copy_of(const Value& v) {
  Document document;
  document.root() = value::deep_copy(v, document.arena());
  return document;
}

// Decodes a body as a request would: the object in its final shape, or the answer that refuses it.
std::optional<Answer> decode(Document& object, const Kind& kind, bool strict,
                             std::vector<std::string>& warnings) {
  std::vector<std::string> unknown;
  if (auto settled = resource::settle(object.root(), kind, object.arena(), &unknown); !settled) {
    return status_answer(
        meta::Status::bad_request(resource::decode_failure(kind.gvk, settled.error().message())));
  }
  const std::vector<std::string> errors = resource::strict_errors(object.duplicates(), unknown);
  if (strict && !errors.empty()) {
    return status_answer(meta::Status::bad_request(
        resource::decode_failure(kind.gvk, resource::strict_failure(errors))));
  }
  warnings = errors;
  return std::nullopt;
}

// The answer goes through the path of a read: what was stored is settled by the stored version,
// then by the asked one.
void read_back(Document& object, const Kind& kind, const Kind* storage) {
  const resource::SettleOptions options{.drop_malformed_metadata = true};
  if (!resource::settle(object.root(), storage != nullptr ? *storage : kind, object.arena(),
                        nullptr, options)) {
    std::abort();
  }
  const resource::SettleOptions no_defaults{.apply_defaults = false,
                                            .drop_malformed_metadata = true};
  if (storage != nullptr &&
      !resource::settle(object.root(), kind, object.arena(), nullptr, no_defaults))
    std::abort();
}

Answer answer(Document& object, const Kind& kind, const Kind* storage, int success,
              resource::Verdict&& verdict, std::vector<std::string>&& warnings) {
  warnings.insert(warnings.end(), verdict.warnings.begin(), verdict.warnings.end());
  Answer out;
  if (verdict.errors.empty()) {
    read_back(object, kind, storage);
    scrub_object(object.root());
    out = {.code = success, .body = print(object.root())};
  } else {
    const Value* metadata = object.root().find("metadata");
    const std::string_view name =
        metadata != nullptr ? text_of(*metadata, "name") : std::string_view();
    out = status_answer(meta::Status::invalid(
        {kind.gvk.group, std::string(text_of(object.root(), "kind"))}, name, verdict.errors));
  }
  out.warnings = std::move(warnings);
  return out;
}

}  // namespace

Kind kind_of(const Value& crd, std::string_view version) {
  const Value& spec = *crd.find("spec");
  const Value* chosen = nullptr;
  for (const Value& one : spec.find("versions")->items()) {
    if (chosen == nullptr || text_of(one, "name") == version) chosen = &one;
    if (text_of(one, "name") == version) break;
  }
  Kind kind;
  kind.gvk = {std::string(text_of(spec, "group")), std::string(text_of(*chosen, "name")),
              std::string(text_of(*spec.find("names"), "kind"))};
  kind.namespaced = text_of(spec, "scope") == "Namespaced";
  auto compiled = schema::compile(*chosen->find("schema")->find("openAPIV3Schema"));
  if (!compiled) {
    std::fprintf(stderr, "%s\n", compiled.error().to_string().c_str());
    std::abort();
  }
  kind.schema = *std::move(compiled);
  if (const Value* subresources = chosen->find("subresources")) {
    kind.status_subresource = subresources->find("status") != nullptr;
    if (const Value* scale = subresources->find("scale")) {
      kind.scale = resource::ScalePaths{std::string(text_of(*scale, "specReplicasPath")),
                                        std::string(text_of(*scale, "statusReplicasPath")),
                                        std::string(text_of(*scale, "labelSelectorPath"))};
    }
  }
  return kind;
}

Kind storage_kind_of(const Value& crd) {
  for (const Value& version : crd.find("spec")->find("versions")->items()) {
    if (version.find("storage")->as_bool()) return kind_of(crd, text_of(version, "name"));
  }
  std::abort();
}

Answer create(const Value& body, const Kind& kind, const CreateOptions& options) {
  Document object = copy_of(body);
  std::vector<std::string> warnings;
  if (auto refused = decode(object, kind, options.strict, warnings)) return *std::move(refused);
  Value& root = object.root();
  if (kind.namespaced)
    resource::set_meta(root, "namespace", Value::string("default"), object.arena());
  if (resource::needs_generated_name(root)) {
    const std::string_view base = meta::ObjectMeta::of(root).generate_name();
    const std::string name = resource::generated_name(base, "xxxxx");
    resource::set_meta(root, "name", Value::string(object.arena().copy(name)), object.arena());
  }
  resource::fill_new(root, {.uid = kSomeUid, .time = kSomeTime, .keeps_generation = true},
                     object.arena());
  resource::prepare_create(root, kind.status_subresource);
  resource::Verdict verdict = resource::validate_create(object.root(), kind, options.rules);
  if (options.created != nullptr && verdict.errors.empty())
    *options.created = copy_of(object.root());
  return answer(object, kind, options.storage, 201, std::move(verdict), std::move(warnings));
}

namespace {

// What a stored object has, and what an update of it says that it replaces.
void stamp(Document& object, const Kind& kind) {
  const auto fill = [&](std::string_view key, std::string_view text) {
    resource::set_meta(object.root(), key, Value::string(text), object.arena());
  };
  fill("resourceVersion", "1");
  fill("uid", kSomeUid);
  if (kind.namespaced) fill("namespace", "default");
}

}  // namespace

Answer refusal(const meta::Status& status) { return status_answer(status); }

Answer update(const Value& body, const Value& stored, const Kind& kind,
              const resource::RuleRunner* rules, Document* updated) {
  Document object = copy_of(body);
  std::vector<std::string> warnings;
  if (auto refused = decode(object, kind, false, warnings)) return *std::move(refused);
  Document old = copy_of(stored);
  stamp(object, kind);
  stamp(old, kind);
  resource::carry_over(object.root(), old.root(), object.arena());
  resource::prepare_update(object.root(), old.root(), kind.status_subresource, object.arena());
  resource::count_change(object.root(), old.root(), {}, object.arena());
  resource::Verdict verdict = resource::validate_update(object.root(), old.root(), kind, rules);
  if (updated != nullptr && verdict.errors.empty()) *updated = copy_of(object.root());
  return answer(object, kind, nullptr, 200, std::move(verdict), std::move(warnings));
}

Answer update_status(const Value& body, const Value& stored, const Kind& kind,
                     const resource::RuleRunner* rules) {
  Document object = copy_of(body);
  std::vector<std::string> warnings;
  if (auto refused = decode(object, kind, false, warnings)) return *std::move(refused);
  Document old = copy_of(stored);
  stamp(object, kind);
  stamp(old, kind);
  resource::carry_over(object.root(), old.root(), object.arena());
  resource::prepare_status(object.root(), old.root(), object.arena());
  resource::Verdict verdict =
      resource::validate_status_update(object.root(), old.root(), kind, rules);
  return answer(object, kind, nullptr, 200, std::move(verdict), std::move(warnings));
}

Answer recorded(const Value& expect) {
  Document body = copy_of(*expect.find("body"));
  Answer out;
  out.code = static_cast<int>(expect.find("code")->as_int());
  if (text_of(body.root(), "kind") == "Status") {
    sort_causes(body);
  } else {
    scrub_object(body.root());
  }
  out.body = print(body.root());
  if (const Value* warnings = expect.find("warnings")) {
    for (const Value& warning : warnings->items())
      out.warnings.push_back(warning_text(warning.as_string()));
  }
  return out;
}

void apply_json_patch(Document& document, const Value& operations) {
  for (const Value& operation : operations.items()) {
    FieldPath path;
    if (!FieldPath::parse_pointer(text_of(operation, "path"), path)) std::abort();
    if (text_of(operation, "op") == "remove") {
      document.remove(path);
    } else {
      const auto set =
          document.set(path, value::deep_copy(*operation.find("value"), document.arena()));
      if (!set) std::abort();
    }
  }
}

}  // namespace strake::testing
