#include "kube/service_places.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace strake::kube {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::Pair;

TEST(ServicePlacesTest, LeadFromServicesToHosts) {
  const auto places = read_service_places(
      "# a comment\n"
      "default/a: 10.0.0.1:6443\n"
      "default/a:8443: other.example.com:1\n"
      "default/six: '[::1]:443'\n");
  ASSERT_TRUE(places) << places.error().message();
  EXPECT_THAT(
      *places,
      ElementsAre(Pair("default/a", ServicePlace{.host = "10.0.0.1", .port = 6443}),
                  Pair("default/a:8443", ServicePlace{.host = "other.example.com", .port = 1}),
                  Pair("default/six", ServicePlace{.host = "::1", .port = 443})));
}

TEST(ServicePlacesTest, AreReadFromJsonAndAnEmptyFile) {
  EXPECT_EQ(read_service_places(R"({"default/a": "h:1"})").value().size(), 1u);
  EXPECT_THAT(read_service_places("").value(), IsEmpty());
  EXPECT_THAT(read_service_places("# nothing\n").value(), IsEmpty());
}

TEST(ServicePlacesTest, AreWrittenAsTheyAreRead) {
  const ServicePlaces places = {{"default/a", {.host = "h", .port = 1}},
                                {"default/six:8443", {.host = "::1", .port = 443}}};
  const std::string text = write_service_places(places);
  EXPECT_EQ(text, "{\n  \"default/a\": \"h:1\",\n  \"default/six:8443\": \"[::1]:443\"\n}\n");
  EXPECT_EQ(read_service_places(text).value(), places);
  EXPECT_EQ(write_service_places({}), "{}\n");
}

TEST(ServicePlacesTest, SayWhatIsWrong) {
  const auto error = [](std::string_view text) {
    const auto places = read_service_places(text);
    return places ? "none" : std::string(places.error().message());
  };
  EXPECT_EQ(error("- a"), "must be a mapping from NAMESPACE/NAME[:PORT] to HOST:PORT");
  for (const std::string_view key : {"a", "a/b/c", "/b", "a/", "a/B", "a/b:0", "a/b:x"}) {
    EXPECT_EQ(error(fmt::format("\"{}\": h:1", key)),
              fmt::format("must be NAMESPACE/NAME or NAMESPACE/NAME:PORT, got \"{}\"", key));
  }
  for (const std::string_view to : {"h", "h:", ":1", "h:0", "h:65536", "::1:1", "https://h:1",
                                    "a b:1", "u@h:1", "[h]:1x", "1"}) {
    EXPECT_EQ(error(fmt::format("a/b: \"{}\"", to)), "a/b: must lead to HOST:PORT") << to;
  }
  EXPECT_EQ(error("a/b: 5"), "a/b: must lead to HOST:PORT");
}

}  // namespace
}  // namespace strake::kube
