#include "ops/cases/kubeconfig_merge.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <vector>

#include "base/base64.h"
#include "base/quote.h"
#include "base/trim.h"
#include "ops/compose/tree_builder.h"
#include "value/fields.h"
#include "value/json_writer.h"
#include "value/yaml_reader.h"
#include "value/yaml_writer.h"

namespace strake::ops {

using compose::TreeBuilder;
using provider::FailureClass;
using provider::Outcome;
using value::Document;
using value::text_of;
using value::Value;

namespace {

constexpr std::size_t kMostKubeconfigBytes = std::size_t{8} << 20;
constexpr std::size_t kMostKubeconfigDepth = 100;

struct Section {
  std::string_view list;  // of the kubeconfig
  std::string_view one;   // of an entry, and for people
};
constexpr Section kClusters{"clusters", "cluster"};
constexpr Section kUsers{"users", "user"};
constexpr Section kContexts{"contexts", "context"};
constexpr std::array kSections = {kClusters, kContexts, kUsers};

template <typename... Args>
std::unexpected<provider::Failure> wrong(fmt::format_string<Args...> format, Args&&... args) {
  return provider::refuse(FailureClass::kValidation, format, std::forward<Args>(args)...);
}

// What a parser says of the text could show some of it.
Outcome<Document> read(const Secret& kubeconfig) {
  value::ReadOptions options;
  options.limits.bytes = kMostKubeconfigBytes;
  options.limits.depth = kMostKubeconfigDepth;
  options.duplicates = value::DuplicatePolicy::kLastWins;
  Result<Document> out = value::read_yaml(kubeconfig.reveal(), options);
  if (!out) {
    const auto& at = out.error().position();
    return wrong("the kubeconfig cannot be read{}", at ? fmt::format(": line {}", at->line) : "");
  }
  const Value& root = out->root();
  if (root.is_null()) return *std::move(out);
  if (!root.is_object()) return wrong("the kubeconfig is no object");
  const std::string_view kind = text_of(root, "kind");
  if (!kind.empty() && kind != "Config")
    return wrong("the kubeconfig has the kind {}", quote(kind));
  for (const Section& section : kSections) {
    const Value& list = root.get(section.list);
    if (list.is_null()) continue;
    const bool good = list.is_array() && std::ranges::all_of(list.items(), [](const Value& one) {
                        return !text_of(one, "name").empty();
                      });
    if (!good)
      return wrong("{} of the kubeconfig must be a list of entries with names", section.list);
  }
  return *std::move(out);
}

// Nothing when there is none of that name. The first counts, as kubectl has it.
const Value* entry(const Value& root, const Section& section, std::string_view name) {
  for (const Value& one : root.get(section.list).items()) {
    if (text_of(one, "name") == name) return &one.get(section.one);
  }
  return nullptr;
}

Secret written(const Value& root, KubeconfigFormat format) {
  if (format == KubeconfigFormat::kYaml) return Secret(value::to_yaml(root));
  std::string out;
  value::write_json(root, out, {.indent = 2, .escape_html = false});
  out += '\n';
  return Secret(std::move(out));
}

// The answer of run() points into what this holds.
class Normalizer {
 public:
  Normalizer(Document from, const NormalizeKubeconfig& how)
      : from_(std::move(from)), how_(how), build_(out_.arena()) {}

  Outcome<Document> run() {
    STRAKE_TRY(const std::string_view old, chosen_context());
    const Value* context = entry(from_.root(), kContexts, old);
    if (context == nullptr) return wrong("context {} not found", quote(old));
    STRAKE_TRY(Value cluster, referred(kClusters, *context));
    STRAKE_TRY(Value user, referred(kUsers, *context));
    STRAKE_CHECK(take_in(cluster, "certificate-authority"));
    for (const std::string_view key : {"client-certificate", "client-key"})
      STRAKE_CHECK(take_in(user, key));
    STRAKE_CHECK(take_in_token(user));

    const std::string name = how_.context.empty() ? std::string(old) : how_.context;
    Value renamed = copy_of(*context);
    build_.put(renamed, "cluster", build_.text(name));
    build_.put(renamed, "user", build_.text(name));
    if (!how_.namespace_name.empty())
      build_.put(renamed, "namespace", build_.text(how_.namespace_name));
    out_.root() = build_.map({{"apiVersion", build_.text("v1")},
                              {"kind", build_.text("Config")},
                              {"current-context", build_.text(name)},
                              {kClusters.list, list_of(kClusters, name, cluster)},
                              {kContexts.list, list_of(kContexts, name, renamed)},
                              {kUsers.list, list_of(kUsers, name, user)}});
    return std::move(out_);
  }

 private:
  Outcome<std::string_view> chosen_context() const {
    const Value& root = from_.root();
    const std::string_view current = text_of(root, "current-context");
    if (!current.empty()) return current;
    const auto all = root.get(kContexts.list).items();
    if (all.size() == 1) return text_of(all.front(), "name");
    if (all.empty()) return wrong("the kubeconfig has no context");
    return wrong("the kubeconfig has {} contexts, and none of them is current", all.size());
  }

  Outcome<Value> referred(const Section& section, const Value& context) const {
    const std::string_view name = text_of(context, section.one);
    // A cluster that lets everybody in needs no user.
    if (name.empty() && section.one == kUsers.one) return Value::object({});
    const Value* found = entry(from_.root(), section, name);
    if (found == nullptr) return wrong("{} {} not found", section.one, quote(name));
    return copy_of(*found);
  }

  // Of its members, since some are changed.
  Value copy_of(const Value& of) const {
    Value out = Value::object({});
    for (const value::Member& one : of.members()) build_.put(out, one.key, one.value);
    return out;
  }

  Outcome<std::string> file(std::string_view key, std::string_view path) const {
    if (!how_.read_file)
      return wrong("{} names the file {}, and files are not read here", key, quote(path));
    Result<std::string> out = how_.read_file(std::string(path));
    if (!out)
      return std::unexpected(provider::Failure(
          FailureClass::kValidation, fmt::format("{}: {}", key, out.error().to_string())));
    return *std::move(out);
  }

  // Text that is there wins over a file, as for all who read kubeconfigs.
  Outcome<> take_in(Value& of, std::string_view key) const {
    const std::string path(text_of(of, key));
    const std::string data_key = fmt::format("{}-data", key);
    if (!path.empty() && text_of(of, data_key).empty()) {
      STRAKE_TRY(const std::string content, file(key, path));
      build_.put(of, data_key, build_.text(base64_encode(content)));
    }
    of.remove(key);
    return {};
  }
  // Here the file wins.
  Outcome<> take_in_token(Value& of) const {
    const std::string path(text_of(of, "tokenFile"));
    if (!path.empty()) {
      STRAKE_TRY(const std::string content, file("tokenFile", path));
      build_.put(of, "token", build_.text(trim(content)));
    }
    of.remove("tokenFile");
    return {};
  }

  Value list_of(const Section& section, const std::string& name, const Value& content) const {
    return build_.list({build_.map({{"name", build_.text(name)}, {section.one, content}})});
  }

  Document from_;
  const NormalizeKubeconfig& how_;
  Document out_;
  TreeBuilder build_;
};

bool is_taken(const Value& root, std::string_view name) {
  return std::ranges::any_of(kSections, [&](const Section& section) {
    return std::ranges::any_of(root.get(section.list).items(),
                               [&](const Value& one) { return text_of(one, "name") == name; });
  });
}

std::string free_name(const Value& root, const std::string& wanted) {
  std::string out = wanted;
  for (std::size_t i = 1; is_taken(root, out); ++i) out = fmt::format("{}-{}", wanted, i);
  return out;
}

// The list with this entry in place of the first of its name, or at its end.
Value with_entry(const TreeBuilder& b, const Value& list, const Value& named) {
  const std::string_view name = text_of(named, "name");
  Value out = Value::array({});
  bool placed = false;
  for (const Value& one : list.items()) {
    if (text_of(one, "name") != name) {
      b.add(out, one);
    } else if (!placed) {
      b.add(out, named);
      placed = true;
    }
  }
  if (!placed) b.add(out, named);
  return out;
}

}  // namespace

Outcome<KubeconfigFormat> parse_kubeconfig_format(std::string_view text) {
  if (text == "yaml") return KubeconfigFormat::kYaml;
  if (text == "json") return KubeconfigFormat::kJson;
  return wrong("format must be yaml or json, got {}", quote(text));
}

Outcome<Secret> normalize_kubeconfig(const Secret& kubeconfig, const NormalizeKubeconfig& how,
                                     KubeconfigFormat format) {
  STRAKE_TRY(Document from, read(kubeconfig));
  Normalizer normalizer(std::move(from), how);
  STRAKE_TRY(const Document out, normalizer.run());
  return written(out.root(), format);
}

std::string MergedKubeconfig::plan() const {
  return fmt::format("dry-run: will add/update 3 entry(ies); context={} current={}", context,
                     current);
}

Outcome<MergedKubeconfig> merge_kubeconfig(const Secret& existing, const Secret& normalized,
                                           const MergeKubeconfig& how, KubeconfigFormat format) {
  STRAKE_TRY(Document into, provider::in_context("existing kubeconfig", read(existing)));
  STRAKE_TRY(const Document from, read(normalized));
  const std::string wanted(text_of(from.root(), "current-context"));
  for (const Section& section : kSections) {
    if (wanted.empty() || entry(from.root(), section, wanted) == nullptr)
      return wrong("the new kubeconfig is not normalised");
  }
  const std::string before = value::to_json(into.root());
  const TreeBuilder b(into.arena());
  Value& root = into.root();
  if (root.is_null())
    root = b.map({{"apiVersion", b.text("v1")},
                  {"kind", b.text("Config")},
                  {"preferences", Value::object({})}});
  MergedKubeconfig out;
  out.context = how.force ? wanted : free_name(root, wanted);
  for (const Section& section : kSections) {
    Value content = Value::object({});
    for (const value::Member& one : entry(from.root(), section, wanted)->members())
      b.put(content, one.key, one.value);
    if (section.list == kContexts.list) {
      b.put(content, "cluster", b.text(out.context));
      b.put(content, "user", b.text(out.context));
    }
    const Value named = b.map({{"name", b.text(out.context)}, {section.one, content}});
    b.put(root, section.list, with_entry(b, root.get(section.list), named));
  }
  if (how.set_current || text_of(root, "current-context").empty())
    b.put(root, "current-context", b.text(out.context));
  out.current = text_of(root, "current-context") == out.context;
  out.changed = value::to_json(root) != before;
  out.text = written(root, format);
  return out;
}

}  // namespace strake::ops
