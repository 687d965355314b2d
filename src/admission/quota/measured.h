#pragma once
// What the objects of one resource in one namespace use, by what quotas ask about: running totals
// for each set of scopes, of what is stored and of what was charged and is on its way there. One
// task at a time touches it; measure() may be called beside that from any thread.
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "admission/quota/demand.h"
#include "base/hash.h"
#include "value/document.h"

namespace strake::admission {

bool has_scopes(const std::vector<Scopes>& sets, const Scopes& scopes);

class Measured {
 public:
  Measured(const kinds::QuotaEvaluator& evaluator, std::vector<Scopes> sets);

  // Whether it knows what objects in these scopes use.
  bool has(const Scopes& scopes) const { return has_scopes(sets_, scopes); }
  // None that has no objects.
  const Amounts& used(const Scopes& scopes) const;

  // What an object uses, and in which of the sets it is.
  struct Measure {
    Amounts amounts;
    std::vector<bool> in;  // by set
    // From a moment on it uses something else.
    struct Later {
      Instant at;
      Amounts amounts;
    };
    std::optional<Later> later;
  };
  Measure measure(const value::Value& object, WallTime now) const;
  void put(std::string_view name, Measure measure);  // in place of what it was
  void remove(std::string_view name);
  // Puts what has come by now in place of what it was.
  void pass_time(Instant now);
  std::optional<Instant> next_change() const;

  // A write that was let in, as long as it counts although it is not stored. It has copies of its
  // objects: other scopes may be asked about before it ends.
  struct Pending {
    explicit Pending(const Demand& demand);
    value::Document object;
    std::optional<value::Document> old;
    WallTime now;
  };
  using Pendings = std::map<std::uint64_t, std::shared_ptr<const Pending>>;
  void charge(std::uint64_t id, std::shared_ptr<const Pending> pending);
  void end_charge(std::uint64_t id);
  const Pendings& pendings() const { return pendings_; }

 private:
  // Many objects use the same, such as pods of one deployment: kept once.
  struct Shape {
    Amounts amounts;
    std::vector<bool> in;
    std::size_t objects = 0;
  };
  using Shapes = std::unordered_map<std::string, Shape, TextHash, std::equal_to<>>;
  struct Stored {
    Shapes::value_type* now;
    Shapes::value_type* later = nullptr;
    Instant at = {};  // of `later`
  };

  Shapes::value_type* hold(Amounts amounts, const std::vector<bool>& in);
  void let_go(Shapes::value_type* shape);
  void add(const Shape& shape);
  void take_away(const Shape& shape);

  const kinds::QuotaEvaluator& evaluator_;
  const std::vector<Scopes> sets_;
  std::vector<Amounts> totals_;  // by set
  Shapes shapes_;
  std::unordered_map<std::string, Stored, TextHash, std::equal_to<>> stored_;  // by name
  std::set<std::pair<Instant, std::string>> later_;
  Pendings pendings_;
  std::map<std::uint64_t, std::vector<Amounts>> charged_;  // of each pending one, by set
};

}  // namespace strake::admission
