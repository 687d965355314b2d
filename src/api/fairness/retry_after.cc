#include "api/fairness/retry_after.h"

#include <algorithm>

namespace strake::api {
namespace {

constexpr std::int64_t kLongest = 32;

}  // namespace

void RetryAfter::note(std::int64_t second) {
  if (second <= present_.at) {
    ++present_.count;
    return;
  }
  before_.push_back(present_);
  while (present_.at - before_.front().at > kLongest) before_.pop_front();
  present_ = {second, 1};
  adjust(second);
}

void RetryAfter::adjust(std::int64_t now) {
  std::int64_t lately = 0;
  for (const Second& one : before_) {
    if (now - one.at <= seconds_) lately += one.count;
  }
  if (now - raised_at_ >= seconds_ && lately >= 3 * seconds_) {
    seconds_ = std::min(2 * seconds_, kLongest);
    raised_at_ = now;
  } else if (lately < seconds_ && seconds_ > 1) {
    --seconds_;
  }
}

}  // namespace strake::api
