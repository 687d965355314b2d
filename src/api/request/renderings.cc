#include "api/request/renderings.h"

#include <map>
#include <mutex>
#include <utility>

// An object is in here while somebody makes its text. Objects are immutable and told apart by their
// address, which stays taken meanwhile: whoever makes the text holds the object.
//
// Nobody waits in a circle: a caller makes and tells all that is its own before it waits for
// others.

namespace strake::api {

struct Renderings::State {
  explicit State(std::uint64_t of) : epoch(of) {}
  using Key = std::pair<const Object*, const kinds::ServedVersion*>;

  const std::uint64_t epoch;
  mutable std::mutex mu;
  std::map<Key, std::vector<async::OneShot<Outcome>>> waiting;  // guarded by mu

  void end(const Key& key, const Outcome& outcome) {
    std::vector<async::OneShot<Outcome>> told;
    {
      const std::lock_guard lock(mu);
      told = std::move(waiting.extract(key).mapped());
    }
    for (async::OneShot<Outcome>& one : told) one.set(outcome);
  }
};

Renderings::Renderings(std::uint64_t epoch) : state_(std::make_shared<State>(epoch)) {}

std::optional<async::OneShot<Renderings::Outcome>> Renderings::Share::join(
    const ObjectPtr& object) {
  async::OneShot<Outcome> done;
  const std::lock_guard lock(state_->mu);
  // Asked under the lock: who finds it made now cannot wait for somebody who is done.
  if (Bytes made = object->rendition(state_->epoch, version_.name)) {
    done.set(Outcome(std::move(made)));
    return done;
  }
  const auto [at, mine] = state_->waiting.try_emplace({object.get(), &version_});
  if (mine) {
    mine_.push_back(object);
    return std::nullopt;
  }
  at->second.push_back(done);
  return done;
}

void Renderings::Share::tell(const ObjectPtr& object, const Answer<Bytes>& text) {
  if (std::erase(mine_, object) > 0) state_->end({object.get(), &version_}, text);
}

Renderings::Share::~Share() {
  for (const ObjectPtr& object : mine_) state_->end({object.get(), &version_}, std::nullopt);
}

std::size_t Renderings::waiting() const {
  const std::lock_guard lock(state_->mu);
  std::size_t out = 0;
  for (const auto& [key, callers] : state_->waiting) out += callers.size();
  return out;
}

}  // namespace strake::api
