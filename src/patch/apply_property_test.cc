// Server-side apply, told a second time as plainly as it can be: an object is a map of leaves, a
// manager is a set of them. For schemas, configurations and managers made by chance, both must
// agree on every object, owner and conflict.
#include <gtest/gtest.h>

#include <algorithm>
#include <deque>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "patch/apply.h"
#include "patch/field_set.h"
#include "patch/random_shape.h"
#include "schema/compile.h"
#include "value/json_reader.h"
#include "value/json_writer.h"

namespace strake::patch {
namespace {

using value::read_json;
using value::to_json;
using value::Value;

using Paths = std::set<std::string>;

// The second reading.
struct Model {
  Leaves object;
  std::map<std::string, Paths> owners;  // "apply a", "update u"

  using Conflict = std::pair<std::string, std::string>;  // owner and path

  std::set<Conflict> conflicts(const std::string& manager, const Leaves& wanted) const {
    std::set<Conflict> out;
    for (const auto& [path, text] : wanted) {
      const auto there = object.find(path);
      if (there == object.end() || there->second == text) continue;
      for (const auto& [other, paths] : owners)
        if (other != manager && paths.contains(path)) out.emplace(other, path);
    }
    return out;
  }

  // What is below an item or entry that goes, goes with it.
  void remove(const std::string& path) {
    const auto gone = [&](const std::string& one) {
      return one == path || one.starts_with(path + ".") || one.starts_with(path + "[");
    };
    std::erase_if(object, [&](const auto& leaf) { return gone(leaf.first); });
    for (auto& [owner, paths] : owners) std::erase_if(paths, gone);
  }

  void apply(const std::string& manager, const Leaves& wanted) {
    for (const auto& [other, path] : conflicts(manager, wanted)) owners[other].erase(path);
    for (const auto& [path, text] : wanted) object[path] = text;
    const Paths before = std::exchange(owners[manager], {});
    for (const auto& leaf : wanted) owners[manager].insert(leaf.first);
    for (const std::string& path : before) {
      const bool owned = std::any_of(owners.begin(), owners.end(), [&](const auto& owner) {
        return owner.second.contains(path);
      });
      if (!owned) remove(path);
    }
  }

  void update(const std::string& manager, const Leaves& next) {
    const Leaves before = std::exchange(object, next);
    for (const auto& [path, text] : before) {
      const auto now = next.find(path);
      if (now != next.end() && now->second == text) continue;
      for (auto& [owner, paths] : owners) paths.erase(path);
    }
    for (const auto& [path, text] : next) {
      const auto was = before.find(path);
      if (was == before.end() || was->second != text) owners[manager].insert(path);
    }
  }
};

// An object that a few managers write in turn, and its second reading.
class Life {
 public:
  explicit Life(std::uint32_t seed) : random_(seed), shape_{.kind = Shape::Kind::kObject} {
    for (int i = 2 + random_.below(4); i > 0; --i)
      shape_.below.push_back({fmt::format("g{}", i), shape_of(random_, 3)});
    const std::string schema = fmt::format(
        R"({{"type":"object","properties":{{"anchor":{{"type":"integer"}},"spec":{}}}}})",
        schema_of(shape_));
    told_ = schema;
    schema_ = schema::compile(read_json(schema)->root()).value();
    // Someone always owns something: an object that nobody owns any part of is not tracked.
    Leaves wanted{{".anchor", "1"}};
    if (random_.chance(50)) {
      write("root", "", wanted);
    } else {
      EXPECT_TRUE(apply("root", "", wanted, false).has_value());
    }
  }

  void step() {
    Leaves wanted;
    std::string spec = random_.chance(5) ? "" : configuration_of(shape_, ".spec", random_, wanted);
    if (random_.chance(25)) {
      wanted[".anchor"] = "1";
      write(pick("uvb"), spec, wanted);
      return;
    }
    const std::string manager = pick("abc");
    const bool force = random_.chance(25);
    const Model before = model_;
    const auto expected = model_.conflicts("apply " + manager, wanted);
    for (const auto& leaf : wanted) known_.insert(leaf.first);
    const auto made = apply(manager, spec, wanted, force);
    if (!made) {
      ++conflicts;
      ASSERT_FALSE(force) << made.error().message;
      ASSERT_EQ(made.error().code, 409) << made.error().message;
      check_conflicts(made.error(), expected);
      return;
    }
    ASSERT_TRUE(force || expected.empty());
    ++applies;
    if (!force) check_others(manager, before);
    // Again, later: nothing is another, not even a time.
    ++turn_;
    const auto again = run(manager, spec, force);
    ASSERT_TRUE(again.has_value()) << again.error().message;
    ASSERT_FALSE(again->changed);
    ASSERT_EQ(to_json(again->object), to_json(*live_));
  }

  void check() const {
    Leaves leaves;
    if (const Value* anchor = live_->find("anchor")) leaves[".anchor"] = to_json(*anchor);
    if (const Value* spec = live_->find("spec")) read_leaves(*spec, shape_, ".spec", leaves);
    ASSERT_EQ(leaves, model_.object);
    std::map<std::string, Paths> expected = model_.owners;
    std::erase_if(expected, [](const auto& owner) { return owner.second.empty(); });
    ASSERT_EQ(owners(), expected);
  }

  const std::string& told() const { return told_; }

  int applies = 0;
  int conflicts = 0;

 private:
  std::string pick(std::string_view names) {
    return std::string(
        1, names[static_cast<std::size_t>(random_.below(static_cast<int>(names.size())))]);
  }

  ApplyContext context_of(const std::string& manager, bool force) {
    time_ = fmt::format("2024-01-01T00:00:{:02}Z", turn_);
    return {.write = {.manager = manager, .api_version = "g/v1", .time = time_},
            .kind = "K",
            .force = force};
  }

  const Value& object_of(const std::string& spec, bool anchor) {
    const std::string text =
        fmt::format(R"({{"apiVersion":"g/v1","kind":"K","metadata":{{"name":"n"}}{}{}}})",
                    anchor ? R"(,"anchor":1)" : "", spec.empty() ? "" : R"(,"spec":)" + spec);
    documents_.push_back(read_json(text).value());
    return documents_.back().root();
  }

  std::expected<Applied, meta::Status> run(const std::string& manager, const std::string& spec,
                                           bool force) {
    return patch::apply(live_ ? &*live_ : nullptr, object_of(spec, manager == "root"),
                        schema_.get(), context_of(manager, force), arena_);
  }

  std::expected<Applied, meta::Status> apply(const std::string& manager, const std::string& spec,
                                             const Leaves& wanted, bool force) {
    tell(fmt::format("{} applies{}", manager, force ? " with force" : ""), spec);
    auto made = run(manager, spec, force);
    if (!made) return made;
    live_ = made->object;
    model_.apply("apply " + manager, wanted);
    known_.insert(".anchor");
    return made;
  }

  void write(const std::string& manager, const std::string& spec, const Leaves& wanted) {
    tell(manager + " updates", spec);
    for (const auto& leaf : wanted) known_.insert(leaf.first);
    Value next = object_of(spec, true);
    update_managed_fields(next, live_ ? &*live_ : nullptr, schema_.get(),
                          context_of(manager, false).write, arena_);
    live_ = next;
    model_.update("update " + manager, wanted);
  }

  void tell(const std::string& what, const std::string& spec) {
    ++turn_;
    told_ += fmt::format("\n{}: {}", what, spec);
  }

  // By owner, without containers: they come and go with what is in them.
  std::map<std::string, Paths> owners() const {
    std::map<std::string, Paths> out;
    for (const Value& entry : live_->get("metadata").get("managedFields").items()) {
      Arena arena;
      const bool applied = entry.get("operation").as_string() == "Apply";
      const std::string owner =
          fmt::format("{} {}", applied ? "apply" : "update", entry.get("manager").as_string());
      FieldSet::read(entry.get("fieldsV1"), arena).value().each([&](const FieldSteps& path) {
        if (known_.contains(print(path))) out[owner].insert(print(path));
      });
    }
    return out;
  }

  // Without force nobody loses a field that they own and that has a value, unless it was in an item
  // that the manager alone had named and now takes away.
  void check_others(const std::string& manager, const Model& before) const {
    const auto now = owners();
    for (const auto& [owner, paths] : before.owners) {
      if (owner == "apply " + manager) continue;
      for (const std::string& path : paths) {
        const auto there = now.find(owner);
        if (there != now.end() && there->second.contains(path)) {
          ASSERT_EQ(model_.object.at(path), before.object.at(path));
          continue;
        }
        const Paths& had = before.owners.at("apply " + manager);
        ASSERT_TRUE(std::any_of(had.begin(), had.end(),
                                [&](const std::string& item) {
                                  return path.starts_with(item) && path.size() > item.size() &&
                                         !model_.object.contains(item);
                                }))
            << owner << " lost " << path;
      }
    }
  }

  // A container that lost all that was in it, and that an update made, is that updater's: to fill
  // it again is a conflict of its own.
  void check_conflicts(const meta::Status& status,
                       const std::set<Model::Conflict>& expected) const {
    std::set<Model::Conflict> told;
    for (const meta::StatusCause& cause : status.details.causes) {
      const bool updated = cause.message.contains(" using ");
      const std::string manager = cause.message.substr(std::string("conflict with \"").size(), 1);
      if (updated && is_empty_container(cause.field)) continue;
      told.emplace((updated ? "update " : "apply ") + manager, cause.field);
    }
    ASSERT_EQ(told, expected);
  }

  bool is_empty_container(const std::string& path) const {
    return !known_.contains(path) &&
           std::none_of(model_.object.begin(), model_.object.end(), [&](const auto& leaf) {
             return leaf.first.starts_with(path + ".") || leaf.first.starts_with(path + "[");
           });
  }

  Random random_;
  Shape shape_;
  schema::NodePtr schema_;
  Arena arena_;
  std::deque<value::Document> documents_;
  std::optional<Value> live_;
  Model model_;
  Paths known_;  // every leaf that was ever written
  std::string told_;
  std::string time_;
  int turn_ = 0;
};

TEST(ApplyProperty, OwnsAndConflictsAsASecondReadingSays) {
  int applies = 0;
  int conflicts = 0;
  for (std::uint32_t seed = 1; seed <= 400; ++seed) {
    Life life(seed);
    for (int step = 0; step < 20; ++step) {
      life.step();
      if (!::testing::Test::HasFatalFailure()) life.check();
      if (::testing::Test::HasFatalFailure()) {
        FAIL() << "seed " << seed << ", schema and steps:\n" << life.told();
      }
    }
    applies += life.applies;
    conflicts += life.conflicts;
  }
  // Neither answer is a rare one.
  EXPECT_GT(applies, 2000);
  EXPECT_GT(conflicts, 500);
}

}  // namespace
}  // namespace strake::patch
