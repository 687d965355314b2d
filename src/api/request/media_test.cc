// Which form is chosen for what a client accepts.
#include "api/request/media.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

namespace strake::api {
namespace {

TEST(MediaTypes, AreChosenByQualityThenByHowMuchTheyName) {
  struct Case {
    std::string_view accept;
    std::string_view want;  // encoding and form; empty for none
  };
  const Case cases[] = {
      {"", "json object"},
      {"  ", "json object"},
      {"*/*", "json object"},
      {"application/*", "json object"},
      {"application/yaml, application/json", "yaml object"},
      {"application/yaml;q=0.1, application/json;q=0.2", "json object"},
      {"*/*, application/yaml", "yaml object"},
      {"application/yaml;q=0", ""},
      {"application/json;q=0, application/yaml", "yaml object"},
      {"text/plain, application/yaml", "yaml object"},
      {"application/json;as=Table;g=meta.k8s.io;v=v1", "json table"},
      {"application/json;as=Table;g=meta.k8s.io;v=v1beta1", "json table"},
      {"application/json;as=Table;g=meta.k8s.io;v=v2", ""},
      {"application/json;as=Other;g=meta.k8s.io;v=v1, */*", "json object"},
      {R"(application/json;as="PartialObjectMetadata";g="meta.k8s.io";v="v1")", "json partial"},
      {"application/yaml;as=PartialObjectMetadataList;g=meta.k8s.io;v=v1", "yaml partials"},
      {"application/vnd.kubernetes.protobuf", ""},
      {"text/html", ""},
      {";;;,,,", ""},
  };
  for (const Case& one : cases) {
    const auto wanted = negotiate(one.accept, {});
    std::string got;
    if (wanted) {
      constexpr std::string_view kForms[] = {"object", "table", "partial", "partials"};
      got = fmt::format("{} {}", wanted->encoding == Encoding::kYaml ? "yaml" : "json",
                        kForms[static_cast<std::size_t>(wanted->form)]);
    }
    EXPECT_EQ(got, one.want) << one.accept;
  }
  EXPECT_TRUE(negotiate("application/json;pretty=1", {})->pretty);
  EXPECT_FALSE(negotiate("application/json;pretty=0", {})->pretty);
  EXPECT_EQ(negotiate("application/yaml, application/json", {.watch = true})->encoding,
            Encoding::kJson);
}

TEST(MediaTypes, OfObjectsAreProtobufWhereTheyHaveThatForm) {
  constexpr std::string_view kBoth = "application/vnd.kubernetes.protobuf, application/json";
  constexpr std::string_view kPartial =
      "application/vnd.kubernetes.protobuf;as=PartialObjectMetadata;g=meta.k8s.io;v=v1,"
      "application/json";
  EXPECT_EQ(negotiate(kBoth, {.protobuf = true})->encoding, Encoding::kProtobuf);
  EXPECT_EQ(negotiate(kBoth, {.watch = true, .protobuf = true})->encoding, Encoding::kProtobuf);
  EXPECT_EQ(negotiate(kBoth, {})->encoding, Encoding::kJson);
  // Bare metadata is of no kind, so that custom resources have it too.
  EXPECT_EQ(negotiate(kPartial, {})->encoding, Encoding::kProtobuf);
  EXPECT_EQ(negotiate(kPartial, {})->form, Form::kPartial);
}

TEST(MediaTypes, OfFailuresAreTheFirstWithoutAForm) {
  EXPECT_EQ(encoding_of_status(""), Encoding::kJson);
  EXPECT_EQ(encoding_of_status("text/html"), Encoding::kJson);
  EXPECT_EQ(encoding_of_status("application/vnd.kubernetes.protobuf,application/json"),
            Encoding::kProtobuf);
  EXPECT_EQ(encoding_of_status("application/vnd.kubernetes.protobuf;as=Table;v=v1;g=meta.k8s.io,"
                               "application/json"),
            Encoding::kJson);
  EXPECT_EQ(encoding_of_status("application/yaml"), Encoding::kYaml);
}

TEST(MediaTypes, OfAggregatedDiscoveryCountWhenTheyComeFirst) {
  const auto accepts = [](std::string_view accept) {
    return accepts_as(accept, "APIGroupDiscoveryList", "apidiscovery.k8s.io", "v2");
  };
  constexpr std::string_view kAggregated =
      "application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList";
  EXPECT_TRUE(accepts(kAggregated));
  EXPECT_TRUE(accepts(fmt::format("{},application/json", kAggregated)));
  EXPECT_FALSE(accepts(fmt::format("application/json,{}", kAggregated)));
  EXPECT_TRUE(accepts(fmt::format("application/json;q=0.5,{}", kAggregated)));
  EXPECT_FALSE(
      accepts("application/json;g=apidiscovery.k8s.io;v=v2beta1;as=APIGroupDiscoveryList"));
  EXPECT_FALSE(accepts(""));
}

TEST(MediaTypes, OfOneOfAFewAreTheFirstThatIsNamed) {
  constexpr std::string_view kTypes[] = {"application/json", "text/plain"};
  EXPECT_EQ(first_accepted("", kTypes), "application/json");
  EXPECT_EQ(first_accepted("text/*", kTypes), "text/plain");
  EXPECT_EQ(first_accepted("text/plain;q=0.5, application/json;q=0.4", kTypes), "text/plain");
  EXPECT_EQ(first_accepted("*/*", kTypes), "application/json");
  EXPECT_FALSE(first_accepted("image/png", kTypes));
  EXPECT_FALSE(first_accepted("text/plain;q=0", kTypes));
  EXPECT_EQ(media_type(" Application/JSON ; charset=utf-8"), "application/json");
  EXPECT_EQ(media_type(""), "");
}

}  // namespace
}  // namespace strake::api
