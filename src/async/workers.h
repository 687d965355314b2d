#pragma once
// A small pool for work that takes more than a millisecond, so that the I/O threads stay free for
// I/O.
//
//   STRAKE_CO_TRY(Compiled compiled, co_await workers.run([crd] { return compile(*crd); }));
#include <cstddef>
#include <functional>
#include <memory>
#include <type_traits>

#include "async/one_shot.h"
#include "async/task.h"

namespace strake::async {

class Workers {
 public:
  explicit Workers(std::size_t threads);
  ~Workers();  // finishes what was given, and joins
  Workers(const Workers&) = delete;
  Workers& operator=(const Workers&) = delete;

  // The function returns a Result and must not throw.
  template <typename Function>
  auto run(Function function) -> boost::asio::awaitable<std::invoke_result_t<Function&>> {
    using Outcome = std::invoke_result_t<Function&>;
    OneShot<typename Outcome::value_type> done;
    post([function = std::move(function), done]() mutable { done.set(function()); });
    co_return co_await done.wait();
  }

  void post(std::move_only_function<void()> work);

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace strake::async
