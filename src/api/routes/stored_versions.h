#pragma once
// How many objects of each custom resource are stored in which version: GET
// /strake/stored-versions, with ?resource=things.a.example of that one. kube-apiserver 1.36 does
// not tell.
//
//   {"resources":[{"name":"things.a.example","storageVersion":"v2","objects":{"v1":3,"v2":40}}]}
#include "api/request/core.h"
#include "api/routes/route.h"

namespace strake::api {

class StoredVersionsRoute final : public Route {
 public:
  explicit StoredVersionsRoute(Core& core) : core_(core) {}
  bool takes(const Call& call) const override;
  AnswerTask<http::Response> answer(std::shared_ptr<Call> call) override;

 private:
  Core& core_;
};

}  // namespace strake::api
