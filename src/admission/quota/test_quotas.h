#pragma once
// A server in the test program that has quotas, and serves pods and the like.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <atomic>
#include <thread>

#include "admission/quota/quotas.h"
#include "api/test_server.h"

namespace strake::admission::testing {

using api::testing::Answered;
using api::testing::config_map_json;
using api::testing::expect_ok;
using api::testing::TestPart;
using api::testing::TestServer;

// Lets no ConfigMap and no service pass after the quotas while it is closed.
class Barrier final : public api::Admission {
 public:
  std::atomic<bool> closed{false};
  api::Eventual<> admit(api::Call& call, const api::AdmissionRequest& request) const override {
    if (closed && request.phase == api::AdmissionRequest::Phase::kValidating &&
        (call.resource().plural == "configmaps" || call.resource().plural == "services"))
      return api::refuse(meta::Status::forbidden(call.group_resource(), request.name, "closed"));
    if (request.phase == api::AdmissionRequest::Phase::kValidating && take_hold_of(request.name))
      return wait_to_go();
    return api::Answer<>();
  }

  // The next write of an object of this name waits there, from hold() to let_go().
  void hold(std::string name) {
    const std::lock_guard lock(mu_);
    name_ = std::move(name);
    held_ = false;
  }
  void wait_until_held() const {
    for (int i = 0; i < 2000 && !held_; ++i)
      std::this_thread::sleep_for(std::chrono::milliseconds(5));
    EXPECT_TRUE(held_);
  }
  void let_go() const { go_.set({}); }

 private:
  bool take_hold_of(std::string_view name) const {
    const std::lock_guard lock(mu_);
    if (name.empty() || name != name_) return false;
    name_.clear();
    held_ = true;
    return true;
  }
  api::AnswerTask<> wait_to_go() const {
    static_cast<void>(co_await go_.wait());
    co_return api::Answer<>();
  }
  mutable std::mutex mu_;
  mutable std::string name_;  // guarded by mu_
  mutable std::atomic<bool> held_{false};
  mutable async::OneShot<> go_;
};

class QuotaPart final : public TestPart {
 public:
  QuotaPart(api::Hub& hub, const api::EnabledControllers& controllers, const Barrier& barrier)
      : quotas_(hub, controllers), barrier_(barrier) {}
  std::vector<const api::Admission*> admission() const override { return {&quotas_, &barrier_}; }
  async::Task<> start(api::Core& core) override { co_return co_await quotas_.start(core); }
  async::Task<> stop() override { co_return co_await quotas_.stop(); }

 private:
  Quotas quotas_;
  const Barrier& barrier_;
};

class QuotaServer {
 public:
  explicit QuotaServer(store::Store* store = nullptr, api::EnabledControllers controllers = {})
      : server({.root_ca_pem = "PEM",
                .controllers = controllers,
                .workloads = true,
                .store = store,
                .part = [this, controllers](api::Hub& hub) {
                  return std::make_unique<QuotaPart>(hub, controllers, barrier);
                }}) {}
  Barrier barrier;
  TestServer server;

  static std::string quota_json(std::string_view name, std::string_view hard,
                                std::string_view more = "") {
    return fmt::format(R"({{"metadata":{{"name":"{}"}},"spec":{{"hard":{}{}}}}})", name, hard,
                       more);
  }
  static std::string path(std::string_view namespace_name, std::string_view plural,
                          std::string_view name = "") {
    return fmt::format("/api/v1/namespaces/{}/{}{}{}", namespace_name, plural,
                       name.empty() ? "" : "/", name);
  }
  void limit(std::string_view namespace_name, std::string_view name, std::string_view hard,
             std::string_view more = "") {
    expect_ok(server.post(path(namespace_name, "resourcequotas"), quota_json(name, hard, more)),
              201);
  }
  // A namespace has a ConfigMap of its own from a while after it was made.
  void make_namespace(std::string_view name) {
    server.create_namespace(name);
    server.wait_for(200, path(name, "configmaps", "kube-root-ca.crt"));
    server.wait_for(200, path(name, "serviceaccounts", "default"));
  }
  Answered add(std::string_view namespace_name, std::string_view name) {
    return server.post(path(namespace_name, "configmaps"), config_map_json(name));
  }
  void remove(std::string_view namespace_name, std::string_view name) {
    expect_ok(server.remove(path(namespace_name, "configmaps", name)));
  }
  // Until the quota's status says so, for a while.
  std::string used(std::string_view namespace_name, std::string_view name, std::string_view want) {
    std::string got;
    for (int i = 0; i < 2000 && got != want; ++i) {
      if (i > 0) std::this_thread::sleep_for(std::chrono::milliseconds(5));
      got = server.get(path(namespace_name, "resourcequotas", name)).at("status.used");
    }
    return got;
  }
};

}  // namespace strake::admission::testing
