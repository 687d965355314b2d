// Laws over random apps: a conversion does not depend on the order in which services and keys are
// written, nor on which of two forms says the same; what is normalised converts to the same; and a
// server takes every manifest.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <random>

#include "ops/compose/check_manifest.h"
#include "ops/compose/manifest.h"
#include "ops/compose/map_files.h"
#include "ops/compose/reader.h"
#include "ops/compose/test_app.h"

namespace strake::ops::compose {
namespace {

class Dice {
 public:
  explicit Dice(std::uint64_t seed) : engine_(seed) {}
  std::size_t below(std::size_t n) { return engine_() % n; }
  bool coin() { return below(2) == 0; }
  template <typename T>
  void shuffle(std::vector<T>& items) {
    std::ranges::shuffle(items, engine_);
  }
  std::string text() {
    static const std::vector<std::string> kTexts = {
        "plain", "",     "yes",         "0777",  "a b",         "$HOME", "$(date)", "$$",
        "é",     "it's", "\"q\"",       "#x",    "a: b",        "- a",   "{",       "1.50",
        "null",  "~",    "line\nbreak", "\ttab", "back\\slash", "%"};
    return kTexts[below(kTexts.size())];
  }

 private:
  std::mt19937_64 engine_;
};

// What a document says, before it is decided how.
struct RandomService {
  std::string name;
  std::vector<std::string> command;
  std::map<std::string, std::string> environment;
  std::vector<std::pair<int, int>> ports;
  std::vector<std::array<std::string, 3>> volumes;   // source, target, "ro" or ""
  std::vector<std::pair<std::string, int>> configs;  // and the mode
  std::vector<std::string> secrets;
  bool limited = false;
};

std::string quoted(const std::string& text) {  // in double quotes, for YAML; no variables
  std::string out = "\"";
  for (const char c : escape_dollars(text)) {
    if (c == '"' || c == '\\') out += '\\';
    if (c == '\n') {
      out += "\\n";
    } else if (c == '\t') {
      out += "\\t";
    } else {
      out += c;
    }
  }
  return out + "\"";
}

std::vector<RandomService> random_services(Dice& dice) {
  std::vector<RandomService> out;
  const std::size_t count = 1 + dice.below(5);
  for (std::size_t i = 0; i < count; ++i) {
    RandomService one;
    one.name = fmt::format("s{}", i);
    for (std::size_t n = dice.below(4); n > 0; --n) one.command.push_back(dice.text());
    for (std::size_t n = dice.below(5); n > 0; --n)
      one.environment.emplace(fmt::format("V{}", dice.below(9)), dice.text());
    const int base = 1000 + static_cast<int>(i) * 100;
    for (int n = static_cast<int>(dice.below(3)); n > 0; --n)
      one.ports.emplace_back(base + n, base + 50 + n);
    static const char* const kSources[] = {"data", "data/a", "more/b/c", "more/with space",
                                           "./bound"};
    for (std::size_t n = dice.below(4); n > 0; --n)
      one.volumes.push_back(
          {kSources[dice.below(5)], fmt::format("/mnt/{}", n), dice.coin() ? "ro" : ""});
    for (const char* name : {"c0", "c1"})
      if (dice.coin()) one.configs.emplace_back(name, 0440);
    for (const char* name : {"k0", "k1"})
      if (dice.coin()) one.secrets.emplace_back(name);
    one.limited = dice.coin();
    out.push_back(std::move(one));
  }
  return out;
}

// The same document, in an order and in forms that the dice choose.
std::string written(const std::vector<RandomService>& services, Dice& dice) {
  std::vector<std::string> parts;
  for (const RandomService& one : services) {
    std::vector<std::string> keys = {"    image: registry.example.test/" + one.name + "\n"};
    if (!one.command.empty()) {
      std::string list;
      for (const std::string& word : one.command)
        list += fmt::format("{}{}", list.empty() ? "" : ", ", quoted(word));
      keys.push_back(fmt::format("    command: [{}]\n", list));
    }
    if (!one.environment.empty()) {
      std::vector<std::string> lines;
      const bool list = dice.coin();
      for (const auto& [name, text] : one.environment)
        lines.push_back(list ? "    - " + quoted(fmt::format("{}={}", name, text)) + "\n"
                             : fmt::format("      {}: {}\n", name, quoted(text)));
      dice.shuffle(lines);
      std::string all = "    environment:\n";
      for (const std::string& line : lines) all += line;
      keys.push_back(all);
    }
    if (!one.ports.empty()) {
      std::string all = "    ports:\n";
      for (const auto& [host, container] : one.ports) {
        if (dice.coin()) {
          all += fmt::format("    - \"{}:{}\"\n", host, container);
        } else {
          all += fmt::format("    - {{target: {}, published: {}}}\n", container, host);
        }
      }
      keys.push_back(all);
    }
    if (!one.volumes.empty()) {
      std::string all = "    volumes:\n";
      for (const auto& [source, target, mode] : one.volumes) {
        if (dice.coin()) {
          all +=
              fmt::format("    - \"{}:{}{}{}\"\n", source, target, mode.empty() ? "" : ":", mode);
        } else {
          all += fmt::format("    - {{read_only: {}, target: {}, source: \"{}\", type: {}}}\n",
                             mode == "ro", target, source,
                             source.starts_with('.') ? "bind" : "volume");
        }
      }
      keys.push_back(all);
    }
    if (!one.configs.empty()) {
      std::string all = "    configs:\n";
      for (const auto& [name, mode] : one.configs)
        all += dice.coin() ? fmt::format("    - {{source: {}, mode: 0{:o}}}\n", name, mode)
                           : fmt::format("    - {{mode: \"0{:o}\", target: /{}, source: {}}}\n",
                                         mode, name, name);
      keys.push_back(all);
    }
    if (!one.secrets.empty()) {
      std::string all = "    secrets:\n";
      for (const std::string& name : one.secrets)
        all += dice.coin()
                   ? fmt::format("    - {}\n", name)
                   : fmt::format("    - {{source: {}, target: /run/secrets/{}}}\n", name, name);
      keys.push_back(all);
    }
    if (one.limited) keys.emplace_back("    x-kompox: {limits: {memory: 1Gi, cpu: 500m}}\n");
    dice.shuffle(keys);
    std::string all = fmt::format("  {}:\n", one.name);
    for (const std::string& key : keys) all += key;
    parts.push_back(std::move(all));
  }
  dice.shuffle(parts);
  std::string all = "services:\n";
  for (const std::string& part : parts) all += part;
  std::vector<std::string> sections = {all,
                                       "configs: {c1: {file: one.conf}, c0: {content: zero}}\n",
                                       "secrets: {k0: {file: k0}, k1: {file: k1}}\n"};
  dice.shuffle(sections);
  return sections[0] + sections[1] + sections[2];
}

std::string converted(const TestApp& declared, const std::string& text) {
  const MapFiles files({{"one.conf", "one\n"}, {"k0", "zero"}, {"k1", std::string("\0\xff", 2)}});
  const auto project = read_project(text, "c.yml", {});
  if (!project) {
    ADD_FAILURE() << project.error().to_string() << "\n" << text;
    return {};
  }
  const auto plan = plan_component(declared.subject(), *project, &files);
  if (!plan) {
    ADD_FAILURE() << plan.error().message() << "\n" << text;
    return {};
  }
  return build(*plan, bind_volumes(*plan, test_bindings(declared.app)).value())->yaml();
}

TEST(ComposeLaws, HoldForRandomApps) {
  const char* given = std::getenv("STRAKE_SEED");
  const std::uint64_t first = given != nullptr ? std::strtoull(given, nullptr, 10) : 1;
  const std::uint64_t count = given != nullptr ? 1 : 150;
  for (std::uint64_t seed = first; seed < first + count; ++seed) {
    SCOPED_TRACE(fmt::format("STRAKE_SEED={}", seed));
    Dice dice(seed);
    TestApp declared;
    declared.cluster.ingress.emplace().domain = dice.coin() ? "example.test" : "";
    declared.app.volumes = {{.name = "data", .size = 1 << 20, .options = {}},
                            {.name = "more", .size = 1 << 20, .options = {}}};
    const std::vector<RandomService> services = random_services(dice);
    if (dice.coin()) {
      for (const RandomService& one : services)
        for (const auto& [host, container] : one.ports)
          declared.app.ingress.rules.push_back(
              {fmt::format("p{}", host), host, {fmt::format("h{}.test", host)}});
    }
    const std::string text = written(services, dice);
    const std::string want = converted(declared, text);
    ASSERT_FALSE(want.empty());
    ASSERT_EQ(converted(declared, text), want);
    ASSERT_EQ(converted(declared, written(services, dice)), want) << text;
    const std::string normalized = normalized_compose(*read_project(text, "c.yml", {}));
    ASSERT_EQ(converted(declared, normalized), want) << text << normalized;
    ASSERT_EQ(normalized_compose(*read_project(written(services, dice), "c.yml", {})), normalized);
    ASSERT_EQ(manifest_faults(want), "") << text;
  }
}

}  // namespace
}  // namespace strake::ops::compose
