#pragma once
// A store in memory whose stream can be cut, as that of a remote one.
#include <atomic>
#include <memory>
#include <string>
#include <utility>

#include "store/memory_store.h"

namespace strake::api {

using store::Revision;

class RemoteStore final : public store::Store {
 public:
  async::Task<store::Page> range(store::Range range) override {
    return inner_.range(std::move(range));
  }
  async::Task<store::Written> write(store::Write write) override {
    return inner_.write(std::move(write));
  }
  async::Task<std::unique_ptr<store::Subscription>> subscribe(std::string prefix, Revision after,
                                                              store::Observer& observer) override {
    ++attempts;
    if (refused > 0) {
      --refused;
      return refuse();
    }
    observer_ = &observer;
    return inner_.subscribe(std::move(prefix), after, *this_wire());
  }
  async::Task<> compact(Revision revision) override { return inner_.compact(revision); }
  Revision revision() const override { return inner_.revision(); }
  Revision compacted_revision() const override { return inner_.compacted_revision(); }
  Result<> health() const override { return {}; }
  async::Task<> close() override { return inner_.close(); }

  // Events are lost from now on; the observer is told when `tell` is called.
  void cut() { wire_.connected = false; }
  void tell() { observer_->on_lost(Error(Code::kServiceUnavailable, "the connection was reset")); }

  std::atomic<int> refused = 0;  // so many subscriptions fail
  std::atomic<int> attempts = 0;

 private:
  struct Wire final : store::Observer {
    RemoteStore* store = nullptr;
    std::atomic<bool> connected = true;
    void on_events(std::span<const store::Event> events) override {
      if (connected) store->observer_->on_events(events);
    }
    void on_lost(const Error&) override {}
  };
  Wire* this_wire() {
    wire_.store = this;
    wire_.connected = true;
    return &wire_;
  }
  static async::Task<std::unique_ptr<store::Subscription>> refuse() {
    co_return fail(Code::kServiceUnavailable, "connection refused");
  }

  store::MemoryStore inner_;
  Wire wire_;
  store::Observer* observer_ = nullptr;
};

}  // namespace strake::api
