#pragma once
// /debug/pprof/profile?seconds=N: a processor profile, as Go's net/http/pprof in
// kube-apiserver 1.36 serves one; and /debug/pprof/, which says so. Other profiles of that package
// are those of Go's runtime, and there are none here.
#include "api/routes/route.h"
#include "base/time.h"

namespace strake::server {

class ProfileRoute final : public api::Route {
 public:
  explicit ProfileRoute(const Clock& clock) : clock_(clock) {}
  bool takes(const api::Call& call) const override;
  api::AnswerTask<http::Response> answer(std::shared_ptr<api::Call> call) override;

 private:
  api::AnswerTask<http::Response> profile(std::shared_ptr<api::Call> call);

  const Clock& clock_;
};

}  // namespace strake::server
