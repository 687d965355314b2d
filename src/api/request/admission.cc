#include "api/request/admission.h"

namespace strake::api {

Eventual<> AdmissionChain::admit(Call& call, const AdmissionRequest& request) const {
  for (std::size_t i = 0; i < parts_.size(); ++i) {
    Eventual<> one = parts_[i]->admit(call, request);
    if (one.must_wait()) return admit_rest(call, request, std::move(one), i + 1);
    if (Answer<> outcome = one.take(); !outcome) return outcome;
  }
  return Answer<>();
}

AnswerTask<> AdmissionChain::admit_rest(Call& call, AdmissionRequest request, Eventual<> waiting,
                                        std::size_t next) const {
  STRAKE_CO_CHECK(co_await waiting.wait());
  for (; next < parts_.size(); ++next) {
    Eventual<> one = parts_[next]->admit(call, request);
    STRAKE_CO_CHECK(one.must_wait() ? co_await one.wait() : one.take());
  }
  co_return Answer<>();
}

}  // namespace strake::api
