#pragma once
// What a server checks of the objects of its own kinds beyond their fields and types: defaults, the
// rules of the kind, its warnings, in the way of a create or an update. The same strategies as in
// the server (kinds/strategy.h), those of the newest Kubernetes; only what the cluster knows is
// left out.
#include <string_view>
#include <vector>

#include "base/arena.h"
#include "base/result.h"
#include "meta/gvk.h"
#include "validate/judge.h"

namespace strake::kinds {
struct Resource;
class ServedVersion;
}  // namespace strake::kinds

namespace strake::validate {

class BuiltinRules {
 public:
  // For a kind that is not served here, there are none.
  explicit BuiltinRules(const meta::GroupVersionKind& gvk);

  bool any() const { return resource_ != nullptr; }
  // Brings the object into the form of its kind, with defaults. Fails in the decoder's words.
  Result<> decode(value::Value& object, Arena& arena) const;
  // `object` is the one of the subject, decoded; it stays as it is.
  void judge(const value::Value& object, const Subject& subject, const schema::Node* schema,
             std::vector<Fault>& faults) const;
  // What the endpoint does not take goes. What only a server can give is not there.
  void drop_resets(value::Value& object) const;

 private:
  struct Outcome;
  // What a server picks for a service. False when it would refuse it.
  bool pick_addresses(value::Value& object, const value::Value* old, Arena& arena,
                      Outcome& out) const;
  void judge_create(value::Value& object, Arena& arena, Outcome& out) const;
  void judge_update(value::Value& object, const value::Value& sent_old, Arena& arena,
                    Outcome& out) const;

  const kinds::Resource* resource_ = nullptr;
  const kinds::ServedVersion* version_ = nullptr;
};

}  // namespace strake::validate
