// Random lives of definitions and their objects, by several clients that know what they last saw.
// Whatever they do, what the specification promises holds: names belong to one definition, stored
// versions name every version that something is stored in, objects are read in every served
// version, and who is deleted leaves nothing behind. STRAKE_SEED chooses other lives,
// STRAKE_DEFINITION_STEPS longer ones.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <deque>
#include <random>
#include <set>
#include <thread>

#include "api/controllers/test_conditions.h"
#include "api/test_server.h"
#include "base/deadline.h"
#include "value/fields.h"

namespace strake::api::testing {
namespace {

using namespace std::chrono_literals;
using value::Value;

constexpr std::string_view kCrds = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions";
constexpr std::string_view kMigrations =
    "/apis/storagemigration.k8s.io/v1beta1/storageversionmigrations";
constexpr std::string_view kPlurals[] = {"ants", "bees", "cats", "dogs"};
constexpr std::string_view kKinds[] = {"Ant", "Bee", "Cat"};
constexpr std::string_view kShortNames[] = {"a", "b", "bees", "ant"};
constexpr std::string_view kVersions[] = {"v1", "v2", "v3"};
constexpr std::size_t kClients = 3;

std::uint64_t number_from(const char* name, std::uint64_t fallback) {
  const char* text = std::getenv(name);
  return text != nullptr ? std::strtoull(text, nullptr, 10) : fallback;
}

struct VersionSpec {
  std::string name;
  bool served = true;
};

// What a definition asks for.
struct Spec {
  std::string kind;
  std::vector<std::string> short_names;
  std::vector<VersionSpec> versions;
  std::string storage;

  bool has(std::string_view version) const {
    return std::ranges::any_of(versions,
                               [&](const VersionSpec& one) { return one.name == version; });
  }
};

// What is there, as the test knows it.
struct Known {
  Spec spec;
  std::string uid;
  bool established = false;                    // once it is, it stays
  std::map<std::string, std::string> objects;  // name to spec.a
};

std::set<std::string> texts_of(const Value& list) {
  std::set<std::string> out;
  for (const Value& one : list.items()) out.emplace(value::text_of(one));
  return out;
}

class Life {
 public:
  explicit Life(std::uint64_t seed) : dice_(seed) {}

  void step() {
    const std::string plural(pick(kPlurals));
    const std::size_t client = roll(kClients);
    switch (roll(12)) {
      case 0:
      case 1: return create(plural);
      case 2:
      case 3: return update(plural, client);
      case 4: return look(plural, client);
      case 5:
        if (roll(4) == 0) return remove(plural);
        return migrate(plural);
      default: return change_object(plural);
    }
  }

  // Everything that must hold between steps.
  void check() {
    check_names();
    for (auto& [plural, known] : known_) check_one(plural, known);
  }

  std::string story() const {
    std::string out;
    for (const std::string& one : history_) out += "  " + one + "\n";
    return out;
  }

 private:
  std::size_t roll(std::size_t sides) { return dice_() % sides; }
  template <std::size_t count>
  std::string_view pick(const std::string_view (&from)[count]) {
    return from[roll(count)];
  }
  void note(std::string text) {
    history_.push_back(std::move(text));
    if (history_.size() > 12) history_.pop_front();
  }

  static std::string path(std::string_view plural) {
    return fmt::format("{}/{}.z.example", kCrds, plural);
  }
  static std::string objects(std::string_view plural, std::string_view version,
                             std::string_view name = "") {
    return fmt::format("/apis/z.example/{}/namespaces/default/{}{}{}", version, plural,
                       name.empty() ? "" : "/", name);
  }

  Spec random_spec() {
    Spec out;
    out.kind = pick(kKinds);
    for (std::size_t i = roll(3); i > 0; --i) {
      const std::string name(pick(kShortNames));
      if (std::ranges::find(out.short_names, name) == out.short_names.end())
        out.short_names.push_back(name);
    }
    for (const std::string_view version : kVersions) {
      if (roll(2) == 0) out.versions.push_back({std::string(version), roll(4) != 0});
    }
    if (out.versions.empty()) out.versions.push_back({"v1", true});
    out.storage = out.versions[roll(out.versions.size())].name;
    return out;
  }

  static std::string json(std::string_view plural, const Spec& spec, std::string_view metadata) {
    std::string versions;
    for (const VersionSpec& one : spec.versions) {
      versions += fmt::format(
          R"({}{{"name":"{}","served":{},"storage":{},"schema":{{"openAPIV3Schema":{{"type":"object",)"
          R"("properties":{{"spec":{{"type":"object","properties":{{"a":{{"type":"string"}}}}}}}}}}}}}})",
          versions.empty() ? "" : ",", one.name, one.served, one.name == spec.storage);
    }
    std::string short_names;
    for (const std::string& one : spec.short_names)
      short_names += fmt::format("{}\"{}\"", short_names.empty() ? "" : ",", one);
    return fmt::format(
        R"({{"apiVersion":"apiextensions.k8s.io/v1","kind":"CustomResourceDefinition",)"
        R"("metadata":{{"name":"{0}.z.example"{1}}},"spec":{{"group":"z.example","scope":"Namespaced",)"
        R"("names":{{"plural":"{0}","kind":"{2}","shortNames":[{3}]}},"versions":[{4}]}}}})",
        plural, metadata, spec.kind, short_names, versions);
  }

  void create(const std::string& plural) {
    Spec spec = random_spec();
    const Answered made = server_.post(kCrds, json(plural, spec, ""));
    note(fmt::format("create {} {} -> {}", plural, made.at("spec.versions"), made.code));
    const bool there = known_.contains(plural);
    ASSERT_EQ(made.code, there ? 409 : 201) << made.body;
    if (there) return;
    EXPECT_EQ(made.at("status.storedVersions"), fmt::format("[\"{}\"]", spec.storage));
    known_[plural] = {.spec = std::move(spec), .uid = made.uid()};
    // Nothing is there from an earlier life.
    EXPECT_EQ(counts(plural), "") << plural;
  }

  // A client remembers the version that it saw.
  void look(const std::string& plural, std::size_t client) {
    const Answered seen = server_.get(path(plural));
    ASSERT_EQ(seen.code, known_.contains(plural) ? 200 : 404);
    seen_[client][plural] = seen.code == 200 ? seen.version() : "";
  }

  void mutate(Spec& spec, bool has_objects) {
    switch (roll(5)) {
      case 0: {
        const std::string name(pick(kVersions));
        if (!spec.has(name)) spec.versions.push_back({name, true});
        break;
      }
      case 1:
        if (spec.versions.size() > 1) {
          spec.versions.erase(spec.versions.begin() +
                              static_cast<std::ptrdiff_t>(roll(spec.versions.size())));
          if (!spec.has(spec.storage)) spec.storage = spec.versions.front().name;
        }
        break;
      case 2: spec.storage = spec.versions[roll(spec.versions.size())].name; break;
      case 3: {
        VersionSpec& one = spec.versions[roll(spec.versions.size())];
        one.served = !one.served;
        break;
      }
      default: {
        const Spec other = random_spec();
        spec.short_names = other.short_names;
        if (!has_objects) spec.kind = other.kind;
      }
    }
  }

  void update(const std::string& plural, std::size_t client) {
    if (roll(2) == 0) look(plural, client);
    const auto found = known_.find(plural);
    if (found == known_.end() || seen_[client][plural].empty()) return;
    Known& known = found->second;
    Spec spec = known.spec;
    mutate(spec, !known.objects.empty());
    const Answered before = server_.get(path(plural));
    const bool stale = before.version() != seen_[client][plural];
    const Answered put = server_.put(
        path(plural),
        json(plural, spec, fmt::format(R"(,"resourceVersion":"{}")", seen_[client][plural])));
    note(fmt::format("update {} of {} stored {} to {} -> {}{}", plural, before.version(),
                     before.at("status.storedVersions"), json_of_versions(spec), put.code,
                     stale ? " (stale)" : ""));
    // A controller may have written the status in between.
    if (put.code == 409) return;
    ASSERT_FALSE(stale) << "a write that another has overtaken was taken";
    const std::set<std::string> stored =
        texts_of(before.json().get("status").get("storedVersions"));
    const bool loses =
        std::ranges::any_of(stored, [&](const std::string& version) { return !spec.has(version); });
    // As in kube-apiserver 1.36, the kind stays when it is served.
    const bool renames =
        status_of(before.json(), "Established") == "True" && spec.kind != found->second.spec.kind;
    ASSERT_EQ(put.code, loses || renames ? 422 : 200) << put.body;
    if (put.code != 200) return;
    // They only grow, by the storage version.
    std::set<std::string> grown = stored;
    grown.insert(spec.storage);
    EXPECT_EQ(texts_of(put.json().get("status").get("storedVersions")), grown);
    known.spec = std::move(spec);
    seen_[client][plural] = put.version();
  }

  static std::string json_of_versions(const Spec& spec) {
    std::string out;
    for (const VersionSpec& one : spec.versions) {
      out += fmt::format("{}{}{}{}", out.empty() ? "" : " ", one.name, one.served ? "" : "(off)",
                         one.name == spec.storage ? "*" : "");
    }
    return out;
  }

  void remove(const std::string& plural) {
    const Answered removed = server_.remove(path(plural));
    note(fmt::format("delete {} -> {}", plural, removed.code));
    ASSERT_EQ(removed.code, known_.contains(plural) ? 200 : 404);
    known_.erase(plural);
    ASSERT_EQ(server_.wait_for(404, path(plural)).code, 404) << "a definition does not go";
  }

  void migrate(const std::string& plural) {
    const auto found = known_.find(plural);
    if (found == known_.end() || !found->second.established) return;
    const std::string name = fmt::format("m{}", ++serial_);
    const std::string one = fmt::format("{}/{}", kMigrations, name);
    server_.create(
        kMigrations,
        fmt::format(R"({{"apiVersion":"storagemigration.k8s.io/v1beta1","kind":)"
                    R"("StorageVersionMigration","metadata":{{"name":"{}"}},"spec":{{"resource":)"
                    R"({{"group":"z.example","resource":"{}"}}}}}})",
                    name, plural));
    eventually("a migration ends", [&] {
      const Answered now = server_.get(one);
      return !condition_of(now, "Succeeded").empty() || !condition_of(now, "Failed").empty();
    });
    EXPECT_EQ(condition_of(server_.get(one), "Failed"), "");
    note(fmt::format("migrate {} to {}", plural, found->second.spec.storage));
    EXPECT_EQ(server_.get(path(plural)).at("status.storedVersions"),
              fmt::format("[\"{}\"]", found->second.spec.storage));
    EXPECT_EQ(server_.remove(one).code, 200);
  }

  void change_object(const std::string& plural) {
    const std::string version(pick(kVersions));
    const std::string name = fmt::format("o{}", roll(6));
    const auto found = known_.find(plural);
    const bool served = found != known_.end() && found->second.established &&
                        std::ranges::any_of(found->second.spec.versions, [&](const auto& one) {
                          return one.name == version && one.served;
                        });
    const std::string a = fmt::format("{}", ++serial_);
    if (roll(4) == 0) {
      const Answered removed = server_.remove(objects(plural, version, name));
      note(fmt::format("delete {} {} {} -> {}", version, plural, name, removed.code));
      if (!served) {
        ASSERT_EQ(removed.code, 404);
        return;
      }
      ASSERT_EQ(removed.code, found->second.objects.erase(name) > 0 ? 200 : 404) << removed.body;
      return;
    }
    const std::string kind = found == known_.end() ? "Ant" : accepted_kind(plural);
    const bool there = served && found->second.objects.contains(name);
    const Answered written =
        there ? server_.merge(objects(plural, version, name),
                              fmt::format(R"({{"spec":{{"a":"{}"}}}})", a))
              : server_.post(objects(plural, version),
                             fmt::format(R"({{"apiVersion":"z.example/{}","kind":"{}",)"
                                         R"("metadata":{{"name":"{}"}},"spec":{{"a":"{}"}}}})",
                                         version, kind, name, a));
    note(fmt::format("write {} {} {} -> {}", version, plural, name, written.code));
    if (!served) {
      ASSERT_EQ(written.code, 404) << written.body;
      return;
    }
    ASSERT_EQ(written.code, there ? 200 : 201) << written.body;
    found->second.objects[name] = a;
  }

  std::string accepted_kind(const std::string& plural) {
    return server_.get(path(plural)).text("status.acceptedNames.kind");
  }

  // Controllers do their part when they have been told.
  void eventually(std::string_view what, const std::function<bool()>& holds) {
    const Deadline deadline = Deadline::after(30s);
    while (!holds()) {
      ASSERT_FALSE(deadline.expired()) << what << " does not come about\n" << story();
      std::this_thread::sleep_for(1ms);
    }
  }

  std::string counts(const std::string& plural) {
    const Answered told =
        server_.get(fmt::format("/strake/stored-versions?resource={}.z.example", plural));
    const std::string out = told.at("resources.0.objects");
    return out == "{}" ? "" : out;
  }

  struct Wanted {
    std::set<std::string> resources;
    std::set<std::string> kinds;
  };
  static Wanted names_of(const Value& names) {
    Wanted out;
    out.resources = texts_of(names.get("shortNames"));
    for (const std::string_view key : {"plural", "singular"}) {
      if (const auto text = value::text_of(names, key); !text.empty()) out.resources.emplace(text);
    }
    for (const std::string_view key : {"kind", "listKind"}) {
      if (const auto text = value::text_of(names, key); !text.empty()) out.kinds.emplace(text);
    }
    return out;
  }
  static bool meets(const std::set<std::string>& a, const std::set<std::string>& b) {
    return std::ranges::any_of(a, [&](const std::string& one) { return b.contains(one); });
  }

  // Names that were accepted belong to one definition, and who waits does so for a reason.
  void check_names() {
    eventually("agreement about names", [&] {
      const Answered all = server_.get(kCrds);
      const auto items = all.json().get("items").items();
      for (const Value& one : items) {
        const Wanted wanted = names_of(one.get("spec").get("names"));
        const Wanted accepted = names_of(one.get("status").get("acceptedNames"));
        bool free = true;
        for (const Value& other : items) {
          if (&one == &other) continue;
          const Wanted taken = names_of(other.get("status").get("acceptedNames"));
          if (meets(accepted.resources, taken.resources) || meets(accepted.kinds, taken.kinds))
            return false;
          free = free && !meets(wanted.resources, taken.resources) &&
                 !meets(wanted.kinds, taken.kinds);
        }
        if ((status_of(one, "NamesAccepted") == "True") != free) return false;
        if (free && (wanted.resources != accepted.resources || wanted.kinds != accepted.kinds))
          return false;
        if (free && status_of(one, "Established") != "True") return false;
      }
      return true;
    });
  }

  static std::string_view status_of(const Value& crd, std::string_view type) {
    for (const Value& one : crd.get("status").get("conditions").items()) {
      if (value::text_of(one, "type") == type) return value::text_of(one, "status");
    }
    return {};
  }

  void check_one(const std::string& plural, Known& known) {
    const Answered crd = server_.get(path(plural));
    ASSERT_EQ(crd.code, 200);
    EXPECT_EQ(crd.uid(), known.uid);
    const bool established = status_of(crd.json(), "Established") == "True";
    EXPECT_TRUE(established || !known.established) << plural << " is established no more";
    known.established = established;
    const std::set<std::string> stored = texts_of(crd.json().get("status").get("storedVersions"));
    EXPECT_TRUE(stored.contains(known.spec.storage)) << crd.at("status");
    for (const std::string& one : stored) EXPECT_TRUE(known.spec.has(one)) << one;
    const Answered told =
        server_.get(fmt::format("/strake/stored-versions?resource={}.z.example", plural));
    for (const Value& one : told.json().get("resources").items()) {
      for (const value::Member& member : one.get("objects").members()) {
        EXPECT_TRUE(stored.contains(std::string(member.key)))
            << plural << " has objects in " << member.key << " and says " << crd.at("status");
      }
    }
    for (const VersionSpec& one : known.spec.versions) {
      const Answered list = server_.get(objects(plural, one.name));
      if (!established || !one.served) {
        EXPECT_EQ(list.code, 404) << plural << " " << one.name;
        continue;
      }
      ASSERT_EQ(list.code, 200) << plural << " " << one.name << list.body;
      std::map<std::string, std::string> found;
      for (const Value& item : list.json().get("items").items()) {
        EXPECT_EQ(value::text_of(item, "apiVersion"), "z.example/" + one.name);
        found.emplace(value::text_of(item.get("metadata"), "name"),
                      value::text_of(item.get("spec"), "a"));
      }
      EXPECT_EQ(found, known.objects) << plural << " " << one.name;
    }
  }

  std::mt19937_64 dice_;
  TestServer server_{{.migrations = {.objects = 2, .pause = 1ms}}};
  std::map<std::string, Known> known_;
  std::map<std::string, std::string> seen_[kClients];  // plural to resource version
  std::deque<std::string> history_;
  std::uint64_t serial_ = 0;
};

TEST(LivesOfDefinitions, KeepWhatIsPromised) {
  const std::uint64_t seed = number_from("STRAKE_SEED", 7);
  const std::uint64_t steps = number_from("STRAKE_DEFINITION_STEPS", 400);
  Life life(seed);
  for (std::uint64_t i = 0; i < steps && !::testing::Test::HasFailure(); ++i) {
    life.step();
    if (!::testing::Test::HasFailure()) life.check();
    if (::testing::Test::HasFailure()) {
      ADD_FAILURE() << "STRAKE_SEED=" << seed << " STRAKE_DEFINITION_STEPS=" << i + 1 << "\n"
                    << life.story();
    }
  }
}

}  // namespace
}  // namespace strake::api::testing
