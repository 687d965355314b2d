#pragma once
// What an authorization webhook has said of late, by the question. Of many answers those go first
// that were not looked at for the longest time.
#include <chrono>
#include <cstddef>
#include <list>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>

#include "auth/authorization/access_review.h"
#include "base/time.h"

namespace strake::auth {

// From any thread.
class ReviewCache {
 public:
  static constexpr std::size_t kMost = 8192;  // as in kube-apiserver 1.36

  std::optional<AccessReviewStatus> find(std::string_view question, SteadyTime now);
  void add(std::string question, AccessReviewStatus status, SteadyTime until);
  std::size_t size() const;

 private:
  struct Entry {
    std::string question;
    AccessReviewStatus status;
    SteadyTime until;
  };
  mutable std::mutex mu_;
  std::list<Entry> entries_;  // the last looked at first; guarded by mu_
  // Views into the entries; guarded by mu_.
  std::unordered_map<std::string_view, std::list<Entry>::iterator> by_question_;
};

}  // namespace strake::auth
