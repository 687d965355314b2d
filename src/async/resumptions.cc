#include "async/resumptions.h"

#include <algorithm>
#include <boost/asio/post.hpp>

namespace strake::async {

void Resumptions::add(const Executor& executor, std::move_only_function<void()> resume) {
  auto place = std::ranges::find(by_executor_, executor, &std::pair<Executor, Functions>::first);
  if (place == by_executor_.end()) place = by_executor_.emplace(place, executor, Functions());
  place->second.push_back(std::move(resume));
}

void Resumptions::post() {
  for (auto& [executor, functions] : by_executor_) {
    boost::asio::post(executor, [all = std::move(functions)]() mutable {
      for (auto& resume : all) {
        resume();
        // What it holds goes now, as it would if it had come alone.
        resume = nullptr;
      }
    });
  }
  by_executor_.clear();
}

}  // namespace strake::async
