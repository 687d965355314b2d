#pragma once
// When those who are turned away should come again: the more of them there are, the later.
#include <cstdint>
#include <deque>

namespace strake::api {

// As kube-apiserver 1.36 counts: the time doubles when three times as many as it has seconds were
// turned away within it, and falls by one second when there were fewer than it has seconds. One
// thread at a time.
class RetryAfter {
 public:
  // Somebody is turned away. Times are whole seconds and do not go back.
  void note(std::int64_t second);
  std::int64_t seconds() const { return seconds_; }

 private:
  struct Second {
    std::int64_t at;
    std::int64_t count;
  };
  void adjust(std::int64_t now);

  std::deque<Second> before_;  // the last half minute, without the present second
  Second present_{0, 0};
  std::int64_t seconds_ = 1;
  std::int64_t raised_at_ = 0;
};

}  // namespace strake::api
