// What an extension server keeps at its main server.
#include <fcntl.h>
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <sys/file.h>

#include "base/base64.h"
#include "base/owned_fd.h"
#include "http/test_server.h"
#include "server/test_delegation.h"
#include "server/unregister.h"

namespace strake::server {
namespace {

using http::testing::eventually;
using ::testing::AllOf;
using ::testing::HasSubstr;

class RegistrationTest : public DelegationTest {
 protected:
  Options registered() const {
    Options out = extension_options();
    out.registration = RegisterOptions{.resolver_file = folder_.file("services")};
    return out;
  }
  http::FetchResponse api_service(std::string_view name) const {
    return main_admin("GET", fmt::format("/apis/apiregistration.k8s.io/v1/apiservices/{}", name));
  }
  bool has(std::string_view name) const {
    return eventually([&] { return api_service(name).status == 200; });
  }
  bool lacks(std::string_view name) const {
    return eventually([&] { return api_service(name).status == 404; });
  }
};

TEST_F(RegistrationTest, KeepsAnApiServiceForEachVersionThatIsServed) {
  start_main();
  bind_roles();
  start_extension(registered());
  define("a.example", R"([{"name":"v1"},{"name":"v1beta1"}])");
  ASSERT_TRUE(has("v1.a.example"));
  ASSERT_TRUE(has("v1beta1.a.example"));
  const auto shown = api_service("v1.a.example");
  EXPECT_THAT(
      shown.body,
      AllOf(HasSubstr(R"("service":{"name":"strake-extension","namespace":"default","port":443})"),
            HasSubstr(base64_encode(pki("extension", "ca.crt"))),
            HasSubstr(R"("manager":"strake-extension")")));
  EXPECT_EQ(own_admin("DELETE", fmt::format("{}/things.a.example", kCrds)).status, 200);
  EXPECT_TRUE(lacks("v1.a.example"));
  EXPECT_TRUE(lacks("v1beta1.a.example"));
}

TEST_F(RegistrationTest, PutsRightWhatOthersChangeOrDelete) {
  start_main();
  bind_roles();
  start_extension(registered());
  define("a.example");
  ASSERT_TRUE(has("v1.a.example"));
  const std::string path = "/apis/apiregistration.k8s.io/v1/apiservices/v1.a.example";
  EXPECT_EQ(main_admin("PATCH", path, R"({"spec":{"versionPriority":7}})").status, 200);
  EXPECT_TRUE(eventually(
      [&] { return api_service("v1.a.example").body.contains(R"("versionPriority":100)"); }));
  EXPECT_EQ(main_admin("DELETE", path).status, 200);
  EXPECT_TRUE(has("v1.a.example"));
}

TEST_F(RegistrationTest, LeavesTheApiServicesOfOthersAlone) {
  start_main();
  bind_roles();
  const auto theirs = main_admin(
      "POST", "/apis/apiregistration.k8s.io/v1/apiservices",
      R"({"metadata":{"name":"v1.a.example"},"spec":{"group":"a.example","version":"v1",)"
      R"("groupPriorityMinimum":5,"versionPriority":5,"insecureSkipTLSVerify":true,)"
      R"("service":{"namespace":"x","name":"y"}}})");
  ASSERT_EQ(theirs.status, 201) << theirs.body;
  start_extension(registered());
  define("a.example", R"([{"name":"v1"},{"name":"v2"}])");
  ASSERT_TRUE(has("v2.a.example"));
  EXPECT_THAT(api_service("v1.a.example").body, HasSubstr(R"("name":"y")"));
  EXPECT_EQ(own_admin("DELETE", fmt::format("{}/things.a.example", kCrds)).status, 200);
  EXPECT_TRUE(lacks("v2.a.example"));
  EXPECT_EQ(api_service("v1.a.example").status, 200);
}

TEST_F(RegistrationTest, StaysWhenTheServerStopsAndGoesWhenItIsToldTo) {
  start_main();
  bind_roles();
  Options with = registered();
  with.in_memory = false;
  start_extension(with);
  define("a.example");
  ASSERT_TRUE(has("v1.a.example"));
  EXPECT_THAT(text_of(folder_.file("services")), HasSubstr("default/strake-extension"));
  extension_.reset();
  EXPECT_EQ(api_service("v1.a.example").status, 200);
  with.registration->removes_at_end = true;
  start_extension(with);
  extension_.reset();
  EXPECT_EQ(api_service("v1.a.example").status, 404);
  EXPECT_EQ(text_of(folder_.file("services")), "{}\n");
  // The same by a command, for one that does not run.
  with.registration->removes_at_end = false;
  start_extension(with);
  ASSERT_TRUE(has("v1.a.example"));
  extension_.reset();
  const Result<> removed = unregister(with);
  EXPECT_TRUE(removed) << removed.error().to_string();
  EXPECT_EQ(api_service("v1.a.example").status, 404);
}

TEST_F(RegistrationTest, DoesNotKeepTheServerWhenTheFileOfServicesIsLocked) {
  start_main();
  bind_roles();
  Options with = registered();
  with.registration->removes_at_end = true;
  start_extension(with);
  const OwnedFd other(::open(folder_.file("services.lock").c_str(), O_RDWR | O_CLOEXEC));
  ASSERT_EQ(::flock(other.get(), LOCK_EX), 0);
  const Result<> stopped = extension_->stop();
  EXPECT_TRUE(stopped) << stopped.error().to_string();
  EXPECT_THAT(text_of(folder_.file("services")), HasSubstr("default/strake-extension"));
}

TEST_F(RegistrationTest, MakesAServiceWhereOthersReachTheServer) {
  start_main();
  bind_roles();
  Options with = registered();
  with.registration->resolver_file.clear();
  with.advertised_address = "192.0.2.7:8443";
  with.registration->removes_at_end = true;
  start_extension(with);
  const std::string service = "/api/v1/namespaces/default/services/strake-extension";
  const std::string slice =
      "/apis/discovery.k8s.io/v1/namespaces/default/endpointslices/strake-extension";
  EXPECT_TRUE(eventually([&] { return main_admin("GET", service).status == 200; }));
  EXPECT_TRUE(eventually([&] { return main_admin("GET", slice).status == 200; }));
  EXPECT_THAT(main_admin("GET", slice).body,
              AllOf(HasSubstr("192.0.2.7"), HasSubstr("8443"),
                    HasSubstr(R"("kubernetes.io/service-name":"strake-extension")")));
  main_admin("DELETE", slice);
  EXPECT_TRUE(eventually([&] { return main_admin("GET", slice).status == 200; }));
  extension_.reset();
  EXPECT_EQ(main_admin("GET", service).status, 404);
  EXPECT_EQ(main_admin("GET", slice).status, 404);
}

}  // namespace
}  // namespace strake::server
