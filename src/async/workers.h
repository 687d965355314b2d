#pragma once
// A small pool for work that takes more than a millisecond, so that the I/O threads stay free for
// I/O.
//
//   STRAKE_CO_TRY(Compiled compiled, co_await workers.run([crd] { return compile(*crd); }));
#include <cstddef>
#include <exception>
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

  // The function returns a Result. What it throws (an arena that is full, docs/adr/0003) is thrown
  // to whoever waits.
  template <typename Function>
  auto run(Function function) -> boost::asio::awaitable<std::invoke_result_t<Function&>> {
    using Outcome = std::invoke_result_t<Function&>;
    OneShot<typename Outcome::value_type> done;
    const auto thrown = std::make_shared<std::exception_ptr>();
    post([function = std::move(function), done, thrown]() mutable {
      try {
        done.set(function());
      } catch (...) {
        *thrown = std::current_exception();
        done.set(fail(Code::kInternal, "a worker's task ended with an exception"));
      }
    });
    Outcome outcome = co_await done.wait();
    if (*thrown) std::rethrow_exception(*thrown);
    co_return outcome;
  }

  void post(std::move_only_function<void()> work);

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace strake::async
