#pragma once
// Objects that are being rendered for somebody who had to wait for it (verbs/ready.h): whoever
// needs the same text meanwhile waits for that one. A change that a thousand watchers are told of
// is converted once. Safe from any thread.
#include <cstdint>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "api/cache/object.h"
#include "api/request/answer.h"
#include "async/one_shot.h"
#include "kinds/resource.h"

namespace strake::api {

class Renderings {
  struct State;

 public:
  // Nothing when whoever was at it has given up: then it is another's turn.
  using Outcome = std::optional<Answer<Bytes>>;

  // Of an endpoint of that epoch.
  explicit Renderings(std::uint64_t epoch);

  // What one caller makes for all, in one version. What it has not told by its end it has given up.
  class Share {
   public:
    Share(const Renderings& renderings, const kinds::ServedVersion& version)
        : state_(renderings.state_), version_(version) {}
    ~Share();
    Share(const Share&) = delete;
    Share& operator=(const Share&) = delete;

    // Nothing when the caller is to make the text, and tell it; else what to wait for, which may be
    // there already. Whoever has something to make must not wait before it has been told.
    std::optional<async::OneShot<Outcome>> join(const ObjectPtr& object);
    void tell(const ObjectPtr& object, const Answer<Bytes>& text);

   private:
    const std::shared_ptr<State> state_;
    const kinds::ServedVersion& version_;
    std::vector<ObjectPtr> mine_;
  };

  std::size_t waiting() const;  // how many callers wait for another one

 private:
  const std::shared_ptr<State> state_;
};

}  // namespace strake::api
