// Any history of requests that come, end, give up and get more or fewer seats, against the plain
// queues: the same ones go on, in the same order.
#include <algorithm>
#include <chrono>
#include <cstdint>
#include <map>
#include <memory>
#include <vector>

#include "api/fairness/fair_queues.h"
#include "api/fairness/plain_queues.h"
#include "base/assert.h"
#include "base/hash.h"

using namespace strake;

namespace {

class Bytes {
 public:
  Bytes(const std::uint8_t* data, std::size_t size) : at_(data), end_(data + size) {}
  bool empty() const { return at_ == end_; }
  int below(int most) { return empty() ? 0 : *at_++ % most; }

 private:
  const std::uint8_t* at_;
  const std::uint8_t* end_;
};

struct Histories {
  Histories(const api::FairQueues::Settings& settings, int limit, SteadyTime begin)
      : queues(settings, limit, begin), plain(settings, limit, begin), now(begin) {}

  api::FairQueues queues;
  api::testing::PlainQueues plain;
  SteadyTime now;
  std::vector<std::unique_ptr<api::FairQueues::Request>> requests;
  std::map<const api::FairQueues::Request*, int> ids;
  std::vector<int> waiting;
  std::vector<int> executing;

  void step(Bytes& bytes) {
    now += std::chrono::microseconds(bytes.below(256) * 50);
    api::FairQueues::Released released;
    std::vector<int> begun;
    std::vector<int> want;
    const int what = bytes.below(8);
    if (what < 4) {
      const int id = static_cast<int>(requests.size());
      const int seats = 1 + bytes.below(9);
      const std::uint64_t flow = hash_mix(static_cast<std::uint64_t>(bytes.below(8)));
      requests.push_back(std::make_unique<api::FairQueues::Request>(seats, flow));
      ids[requests.back().get()] = id;
      const auto verdict = queues.start(*requests.back(), now, released);
      STRAKE_ASSERT(verdict == plain.start(id, seats, flow, now, want));
      if (verdict == api::FairQueues::Verdict::kWaits) waiting.push_back(id);
      if (verdict == api::FairQueues::Verdict::kExecutes)
        std::erase(want, id), executing.push_back(id);
    } else if (what < 6 && !executing.empty()) {
      const int id = take(executing, bytes);
      queues.finish(*requests[static_cast<std::size_t>(id)], now, released);
      plain.finish(id, now, want);
    } else if (what == 6 && !waiting.empty()) {
      const int id = take(waiting, bytes);
      STRAKE_ASSERT(queues.withdraw(*requests[static_cast<std::size_t>(id)], now, released));
      plain.withdraw(id, now, want);
    } else if (what == 7) {
      const int limit = bytes.below(10);
      queues.set_seats(limit, now, released);
      plain.set_limit(limit, now, want);
    }
    for (const api::FairQueues::Request* one : released) begun.push_back(ids[one]);
    STRAKE_ASSERT(begun == want);
    for (const int id : begun) {
      std::erase(waiting, id);
      executing.push_back(id);
    }
    STRAKE_ASSERT(queues.seats_in_use() == plain.in_use());
    STRAKE_ASSERT(queues.seats_waited_for() == plain.waited_for());
    STRAKE_ASSERT(queues.current_r() == plain.r());
  }
  static int take(std::vector<int>& from, Bytes& bytes) {
    const auto at =
        from.begin() + bytes.below(static_cast<int>(std::min<std::size_t>(from.size(), 256)));
    const int out = *at;
    from.erase(at);
    return out;
  }
};

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size > 4096) return 0;
  Bytes bytes(data, size);
  const int deck = 1 + bytes.below(16);
  const int hand = 1 + bytes.below(std::min(deck, 6));
  const api::FairQueues::Settings settings{.mode = api::FairQueues::Mode::kQueue,
                                           .dealer = api::Dealer(deck, hand),
                                           .length = 1 + bytes.below(6)};
  Histories histories(settings, bytes.below(10), SteadyTime(std::chrono::seconds(1)));
  while (!bytes.empty()) histories.step(bytes);
  return 0;
}
