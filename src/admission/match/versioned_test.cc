#include "admission/match/versioned.h"

#include <gtest/gtest.h>

#include "admission/match/test_requests.h"
#include "api/test_server.h"

namespace strake::admission {
namespace {

using api::testing::TestServer;

// Shows the objects of every request in the other version, as warnings.
class Shows final : public api::Admission {
 public:
  api::Eventual<> admit(api::Call& call, const api::AdmissionRequest& request) const override {
    if (call.resource().plural != "things" ||
        request.phase != api::AdmissionRequest::Phase::kValidating)
      return api::Answer<>();
    return show(call, request);
  }
  api::Core* core = nullptr;

 private:
  static std::string text(const value::Value* object) {
    if (object == nullptr) return "none";
    std::string out(object->get("apiVersion").as_string());
    for (const value::Member& one : object->get("spec").members())
      out += fmt::format(" {}={}", one.key, one.value.as_string());
    return out;
  }
  api::AnswerTask<> show(api::Call& call, api::AdmissionRequest request) const {
    const kinds::ServedVersion& other =
        *call.resource().version(call.version->name == "v1" ? "v2" : "v1");
    VersionedObjects objects(*core, call, request);
    const bool converts = objects.must_convert(other);
    STRAKE_CO_TRY(const VersionedObjects::Seen seen, co_await objects.in(other));
    STRAKE_CO_TRY(const VersionedObjects::Seen again, co_await objects.in(other));
    const bool same = seen.object == again.object && seen.old == again.old;
    call.warnings.push_back(fmt::format("{} from {}{}{}", text(seen.object), text(seen.old),
                                        converts ? "" : " as it is", same ? "" : " twice"));
    co_return api::Answer<>();
  }
};

TEST(Versioned, ObjectsLoseNothing) {
  Shows shows;
  TestServer server({.admission = {&shows}});
  shows.core = &server.core();
  server.create("/apis/apiextensions.k8s.io/v1/customresourcedefinitions",
                api::testing::things({{"v1", R"("a":{"type":"string"})"},
                                      {"v2", R"("b":{"type":"string","default":"x"})"}}));
  constexpr std::string_view kThings = "/apis/a.example/v1/namespaces/default/things";
  server.wait_for(200, kThings);
  using Texts = std::vector<std::string>;
  const auto made = server.create(
      kThings,
      R"({"apiVersion":"a.example/v1","kind":"Thing","metadata":{"name":"n"},"spec":{"a":"1"}})");
  EXPECT_EQ(made.warnings, (Texts{R"(299 - "a.example/v2 a=1 from none")"}));
  EXPECT_EQ(server.merge(std::string(kThings) + "/n", R"({"spec":{"a":"2"}})").warnings,
            (Texts{R"(299 - "a.example/v2 a=2 from a.example/v2 a=1")"}));
  // It is stored as v1, and deleted as v2: the other version is the stored one.
  EXPECT_EQ(server.remove("/apis/a.example/v2/namespaces/default/things/n").warnings,
            (Texts{R"(299 - "none from a.example/v1 a=2 as it is")"}));
}

}  // namespace
}  // namespace strake::admission
