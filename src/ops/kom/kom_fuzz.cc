// Any text as a file of declared documents, and as the single file of old: reading says the same
// twice; every fault has a place in the file; what is taken has a Resource ID of its kind, has all
// that the text has, and reads as the same model when it is written out as JSON and read again.
#include <fmt/format.h>

#include <cstdint>
#include <string>
#include <string_view>

#include "base/assert.h"
#include "ops/kom/documents.h"
#include "ops/kom/legacy.h"
#include "value/json_writer.h"

using namespace strake;
using namespace strake::ops;

namespace {

struct Outcomes {
  std::vector<KomDocument> documents;
  KomProblems problems;
};

Outcomes read(std::string_view text) {
  Outcomes out;
  read_kom_text("/a.yml", std::string(text), true, out.documents, out.problems);
  return out;
}

// What of a model the text decides.
std::string shown(const KomDocument& document) {
  std::string out = fmt::format("{} {} {} ", document.kind, document.name, document.model.index());
  const auto add_settings = [&](const provider::Settings& settings) {
    for (const auto& [key, text] : settings) out += fmt::format("{}={};", key, text);
  };
  if (const auto* one = std::get_if<provider::ProviderEntity>(&document.model)) {
    out += one->driver;
    add_settings(one->settings);
  } else if (const auto* cluster = std::get_if<provider::Cluster>(&document.model)) {
    out += fmt::format("{} {}", cluster->existing, cluster->ingress.has_value());
    add_settings(cluster->settings);
  } else if (const auto* app = std::get_if<provider::App>(&document.model)) {
    out += app->compose;
    for (const auto& volume : app->volumes) {
      STRAKE_ASSERT(volume.size >= 0);
      out += fmt::format("{} {} {} {};", volume.name, volume.size, to_string(volume.type),
                         volume.options.size());
    }
    for (const auto& rule : app->ingress.rules) {
      STRAKE_ASSERT(rule.port > 0 && rule.port < 65536);
      out += fmt::format("{} {} {};", rule.name, rule.port, fmt::join(rule.hosts, ","));
    }
    STRAKE_ASSERT(app->deployment.pool.empty() || app->deployment.pools.empty());
    add_settings(app->resources);
    add_settings(app->settings);
  } else if (const auto* box = std::get_if<provider::Box>(&document.model)) {
    STRAKE_ASSERT(box->component == box->name && box->name != "app");
    STRAKE_ASSERT(!box->image.empty() || (box->command.empty() && box->args.empty()));
    out += fmt::format("{} {}", box->image, fmt::join(box->command, ","));
  }
  return out;
}

// Nothing of a document is lost in its model.
void check_whole(const KomDocument& document) {
  const value::Value& spec = document.object.root().get("spec");
  const auto has_all = [&](std::string_view key, std::size_t count) {
    const value::Value& there = spec.get(key);
    return count == there.items().size() + there.members().size();
  };
  if (const auto* one = std::get_if<provider::ProviderEntity>(&document.model)) {
    STRAKE_ASSERT(has_all("settings", one->settings.size()));
  } else if (const auto* cluster = std::get_if<provider::Cluster>(&document.model)) {
    STRAKE_ASSERT(has_all("settings", cluster->settings.size()));
    STRAKE_ASSERT(spec.get("ingress").is_object() == cluster->ingress.has_value());
  } else if (const auto* app = std::get_if<provider::App>(&document.model)) {
    STRAKE_ASSERT(has_all("settings", app->settings.size()));
    STRAKE_ASSERT(has_all("resources", app->resources.size()));
    STRAKE_ASSERT(has_all("volumes", app->volumes.size()));
    STRAKE_ASSERT(app->ingress.rules.size() == spec.get("ingress").get("rules").items().size());
    STRAKE_ASSERT(app->network_policy.ingress_rules.size() ==
                  spec.get("networkPolicy").get("ingressRules").items().size());
  } else if (const auto* box = std::get_if<provider::Box>(&document.model)) {
    STRAKE_ASSERT(has_all("command", box->command.size()) && has_all("args", box->args.size()));
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  Outcomes first = read(text);
  const Outcomes second = read(text);
  STRAKE_ASSERT(first.documents.size() == second.documents.size());
  STRAKE_ASSERT(first.problems.errors().size() == second.problems.errors().size());
  for (std::size_t i = 0; i < first.problems.errors().size(); ++i) {
    const Error& error = first.problems.errors()[i];
    STRAKE_ASSERT(error.to_string() == second.problems.errors()[i].to_string());
    STRAKE_ASSERT(error.source() == "/a.yml");
    STRAKE_ASSERT(error.position() && error.position()->offset <= size);
  }
  bool all_have_ids = true;
  for (const KomDocument& one : first.documents) {
    all_have_ids = all_have_ids && one.id.has_value();
    if (one.id) STRAKE_ASSERT(one.id->kind() == one.kind && one.id->name() == one.name);
    if (std::holds_alternative<std::monostate>(one.model)) continue;
    check_whole(one);
    const Outcomes again = read(value::to_json(one.object.root()));
    STRAKE_ASSERT(again.problems.empty() && again.documents.size() == 1);
    STRAKE_ASSERT(shown(again.documents[0]) == shown(one));
  }
  if (all_have_ids) check_across(first.documents, first.problems);

  const auto legacy = read_legacy_text("/b.yml", text, [] { return std::string("id"); });
  if (legacy) {
    STRAKE_ASSERT(legacy->app.ref_base == "file:///");
  } else {
    STRAKE_ASSERT(legacy.error().message().find("/b.yml") != std::string::npos);
  }
  return 0;
}
