#include "api/verbs/test_waits.h"

#include <fmt/format.h>

#include "api/request/schema_converter.h"
#include "async/cancellable.h"

namespace strake::api::testing {

using Phase = AdmissionRequest::Phase;
using Operation = AdmissionRequest::Operation;

void Turnstile::hold(bool held) {
  std::vector<async::OneShot<>> waiting;
  {
    const std::lock_guard lock(mu_);
    held_ = held;
    if (!held) waiting = std::exchange(waiting_, {});
  }
  for (async::OneShot<>& one : waiting) one.set({});
}

std::size_t Turnstile::waiting() const {
  const std::lock_guard lock(mu_);
  return waiting_.size();
}

void Turnstile::wait_for_somebody() const {
  while (waiting() == 0) std::this_thread::sleep_for(std::chrono::milliseconds(1));
}

AnswerTask<> Turnstile::pass(CancelToken cancel) {
  async::OneShot<> turn;
  {
    const std::lock_guard lock(mu_);
    if (!held_) co_return Answer<>();
    waiting_.push_back(turn);
  }
  const CancelRegistration registration = async::end_wait_when(cancel, turn);
  if (!co_await turn.wait()) co_return refuse(Call::cancelled());
  co_return Answer<>();
}

Eventual<> SlowConverter::convert(const Conversion& conversion,
                                  std::span<value::Document> documents,
                                  const CancelToken& cancel) const {
  return convert_later(conversion, documents, cancel);
}

AnswerTask<> SlowConverter::convert_later(Conversion conversion,
                                          std::span<value::Document> documents,
                                          CancelToken cancel) const {
  {
    const std::lock_guard lock(mu_);
    batches_.push_back(documents.size());
  }
  STRAKE_CO_CHECK(co_await turnstile.pass(cancel));
  co_return SchemaConverter().convert(conversion, documents, cancel).take();
}

std::vector<std::size_t> SlowConverter::batches() const {
  const std::lock_guard lock(mu_);
  return batches_;
}

Eventual<> SlowAdmission::admit(Call& call, const AdmissionRequest& request) const {
  if (call.resource().plural != resource) return Answer<>();
  {
    const std::lock_guard lock(mu_);
    constexpr std::string_view kOperations[] = {"create", "update", "delete"};
    asked_.push_back(
        fmt::format("{} {} {}", request.phase == Phase::kMutating ? "mutating" : "validating",
                    kOperations[static_cast<std::size_t>(request.operation)], request.name));
  }
  if (!waits || waits(request)) return admit_later(call, request);
  return decide(call, request);
}

AnswerTask<> SlowAdmission::admit_later(Call& call, AdmissionRequest request) const {
  const WaitCancel cancel(call);
  STRAKE_CO_CHECK(co_await turnstile.pass(cancel.token()));
  co_return decide(call, request);
}

Answer<> SlowAdmission::decide(const Call& call, const AdmissionRequest& request) const {
  const std::string refusal = judge ? judge(request) : "";
  if (refusal.empty()) return {};
  return refuse(meta::Status::forbidden(call.group_resource(), request.name, refusal));
}

std::vector<std::string> SlowAdmission::take_asked() const {
  const std::lock_guard lock(mu_);
  return std::exchange(asked_, {});
}

Answered ask_held(Turnstile& turnstile, const std::function<Answered()>& ask,
                  const std::function<void()>& meanwhile) {
  turnstile.hold(true);
  Answered out;
  std::thread client([&] { out = ask(); });
  turnstile.wait_for_somebody();
  meanwhile();
  turnstile.hold(false);
  client.join();
  return out;
}

}  // namespace strake::api::testing
