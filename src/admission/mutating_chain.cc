#include "admission/mutating_chain.h"

#include <utility>

namespace strake::admission {

using api::Answer;

api::Eventual<> MutatingChain::admit(api::Call& call, const api::AdmissionRequest& request) const {
  if (request.phase != api::AdmissionRequest::Phase::kMutating) return Answer<>();
  auto passes = std::make_unique<PolicyPasses>();
  api::Eventual<> first = policies_.pass(call, request, *passes);
  if (first.must_wait())
    return admit_later(call, request, std::move(passes), std::move(first), nullptr);
  if (Answer<> outcome = first.take(); !outcome) return outcome;
  Answer<std::unique_ptr<Mutation>> webhooks = webhooks_.begin(call, request);
  if (!webhooks) return api::refuse(webhooks.error());
  if (!*webhooks && passes->to_repeat.empty()) return Answer<>();
  return admit_later(call, request, std::move(passes), std::nullopt, *std::move(webhooks));
}

api::AnswerTask<> MutatingChain::admit_later(api::Call& call, api::AdmissionRequest request,
                                             std::unique_ptr<PolicyPasses> passes,
                                             std::optional<api::Eventual<>> first,
                                             std::unique_ptr<Mutation> webhooks) const {
  if (first) {
    STRAKE_CO_CHECK(co_await first->wait());
    STRAKE_CO_TRY(webhooks, webhooks_.begin(call, request));
  }
  if (webhooks) STRAKE_CO_CHECK(co_await webhooks->run_round(0));
  const bool by_webhooks = webhooks && webhooks->has_changed();
  if (by_webhooks) passes->to_repeat.merge(std::exchange(passes->asked, {}));
  if (by_webhooks || passes->has_changed) {
    passes->has_changed = false;
    if (!passes->to_repeat.empty()) {
      passes->is_second = true;
      api::Eventual<> second = policies_.pass(call, request, *passes);
      STRAKE_CO_CHECK(second.must_wait() ? co_await second.wait() : second.take());
    }
    if (webhooks) {
      if (passes->has_changed) webhooks->note_change();
      STRAKE_CO_CHECK(co_await webhooks->run_round(1));
    }
  }
  if (webhooks) webhooks->finish();
  co_return Answer<>();
}

}  // namespace strake::admission
