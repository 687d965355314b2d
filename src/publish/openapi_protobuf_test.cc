#include <gtest/gtest.h>

#include <bit>
#include <filesystem>
#include <iostream>
#include <optional>
#include <vector>

#include "publish/openapi.h"
#include "publish/test_resources.h"
#include "support/files.h"
#include "support/vectors.h"
#include "value/json_reader.h"
#include "value/json_writer.h"

namespace strake::publish {
namespace {

using kinds::ResourcePtr;
using value::Document;
using value::Member;
using value::Value;

// --- the wire format, read back by hand

struct WireField {
  std::uint64_t number;
  std::uint64_t integer = 0;  // of a varint or a fixed 64
  std::string_view bytes;
};

std::optional<std::uint64_t> take_varint(std::string_view& text) {
  std::uint64_t out = 0;
  for (int shift = 0; shift < 64 && !text.empty(); shift += 7) {
    const auto byte = static_cast<unsigned char>(text.front());
    text.remove_prefix(1);
    out |= std::uint64_t{byte & 0x7fU} << shift;
    if ((byte & 0x80) == 0) return out;
  }
  return std::nullopt;
}

std::vector<WireField> fields(std::string_view text) {
  std::vector<WireField> out;
  while (!text.empty()) {
    const auto tag = take_varint(text);
    if (!tag) break;
    WireField field{.number = *tag >> 3};
    if ((*tag & 7) == 0) {
      field.integer = take_varint(text).value_or(0);
    } else if ((*tag & 7) == 1 && text.size() >= 8) {
      for (int i = 7; i >= 0; --i)
        field.integer =
            field.integer << 8 | static_cast<unsigned char>(text[static_cast<std::size_t>(i)]);
      text.remove_prefix(8);
    } else if ((*tag & 7) == 2) {
      const auto size = take_varint(text);
      if (!size || *size > text.size()) {
        ADD_FAILURE() << "a field is cut off";
        return out;
      }
      field.bytes = text.substr(0, *size);
      text.remove_prefix(*size);
    } else {
      ADD_FAILURE() << "unknown wire type " << (*tag & 7);
      return out;
    }
    out.push_back(field);
  }
  return out;
}

std::vector<WireField> all_of(std::string_view message, std::uint64_t number) {
  std::vector<WireField> out;
  for (const WireField& field : fields(message)) {
    if (field.number == number) out.push_back(field);
  }
  return out;
}

// The bytes of the one field of that number; of nested ones, outermost first.
std::string_view only(std::string_view message, std::initializer_list<std::uint64_t> numbers) {
  for (const std::uint64_t number : numbers) {
    const auto found = all_of(message, number);
    if (found.size() != 1) return "(not one)";
    message = found[0].bytes;
  }
  return message;
}

std::string_view entry(std::string_view message, std::uint64_t number, std::string_view name) {
  for (const WireField& field : all_of(message, number)) {
    if (only(field.bytes, {1}) == name) return only(field.bytes, {2});
  }
  return "(none)";
}

// --- schemas compared with their JSON, by numbers written down once more

struct Numbers {
  std::uint64_t description, format, pattern, maximum, minimum, max_length, min_items, unique_items,
      required, enumeration, additional, type, items, all_of, properties, extension;
  bool v3;
};
constexpr Numbers kV2 = {4, 2, 13, 7, 9, 11, 15, 16, 19, 20, 21, 22, 23, 24, 25, 31, false};
constexpr Numbers kV3 = {34, 35, 17, 11, 13, 15, 19, 20, 23, 24, 32, 25, 30, 26, 31, 36, true};

class SchemaCheck {
 public:
  explicit SchemaCheck(const Numbers& numbers) : n_(numbers) {}
  int schemas() const { return schemas_; }

  // A place where v3 has a schema or a reference.
  void place(std::string_view message, const Value& json) {
    if (!n_.v3) return schema(message, json);
    if (const Value* reference = json.find("$ref")) {
      EXPECT_EQ(only(message, {2, 1}), reference->as_string());
    } else {
      schema(only(message, {1}), json);
    }
  }

  void schema(std::string_view message, const Value& json) {
    ++schemas_;
    std::size_t extensions = 0;
    for (const Member& member : json.members()) {
      if (member.key.starts_with("x-")) {
        ++extensions;
        EXPECT_EQ(only(entry(message, n_.extension, member.key), {2}),
                  value::to_json(member.value));
      } else {
        this->member(message, member.key, member.value);
      }
    }
    EXPECT_EQ(all_of(message, n_.extension).size(), extensions);
  }

 private:
  void member(std::string_view message, std::string_view key, const Value& v) {
    if (key == "description") EXPECT_EQ(only(message, {n_.description}), v.as_string());
    if (key == "format") EXPECT_EQ(only(message, {n_.format}), v.as_string());
    if (key == "pattern") EXPECT_EQ(only(message, {n_.pattern}), v.as_string());
    if (key == "$ref") EXPECT_EQ(only(message, {1}), v.as_string());
    if (key == "maximum") number(message, n_.maximum, v);
    if (key == "minimum") number(message, n_.minimum, v);
    if (key == "maxLength") integer(message, n_.max_length, v);
    if (key == "minItems") integer(message, n_.min_items, v);
    if (key == "uniqueItems") EXPECT_EQ(all_of(message, n_.unique_items).size(), 1U);
    if (key == "type" && n_.v3) EXPECT_EQ(only(message, {n_.type}), v.as_string());
    if (key == "type" && !n_.v3) EXPECT_EQ(only(message, {n_.type, 1}), v.as_string());
    if (key == "required") {
      const auto names = all_of(message, n_.required);
      ASSERT_EQ(names.size(), v.size());
      for (std::size_t i = 0; i < names.size(); ++i)
        EXPECT_EQ(names[i].bytes, v.items()[i].as_string());
    }
    if (key == "enum") {
      const auto values = all_of(message, n_.enumeration);
      ASSERT_EQ(values.size(), v.size());
      for (std::size_t i = 0; i < values.size(); ++i)
        EXPECT_EQ(only(values[i].bytes, {2}), value::to_json(v.items()[i]));
    }
    if (key == "items") place(only(message, {n_.items, 1}), v);
    if (key == "additionalProperties" && v.is_object()) place(only(message, {n_.additional, 1}), v);
    if (key == "additionalProperties" && v.is_bool()) {
      const auto found = all_of(only(message, {n_.additional}), 2);
      ASSERT_EQ(found.size(), 1U);
      EXPECT_EQ(found[0].integer, v.as_bool() ? 1U : 0U);
    }
    if (key == "allOf") {
      const auto parts = all_of(message, n_.all_of);
      ASSERT_EQ(parts.size(), v.size());
      for (std::size_t i = 0; i < parts.size(); ++i) place(parts[i].bytes, v.items()[i]);
    }
    if (key == "properties") {
      EXPECT_EQ(all_of(only(message, {n_.properties}), 1).size(), v.size());
      for (const Member& property : v.members())
        place(entry(only(message, {n_.properties}), 1, property.key), property.value);
    }
  }

  void number(std::string_view message, std::uint64_t field, const Value& v) {
    const auto found = all_of(message, field);
    ASSERT_EQ(found.size(), 1U);
    EXPECT_EQ(std::bit_cast<double>(found[0].integer), v.as_double());
  }
  void integer(std::string_view message, std::uint64_t field, const Value& v) {
    const auto found = all_of(message, field);
    ASSERT_EQ(found.size(), 1U);
    EXPECT_EQ(static_cast<std::int64_t>(found[0].integer), v.as_int());
  }

  const Numbers& n_;
  int schemas_ = 0;
};

TEST(OpenApiProtobuf, CarriesEverySchemaOfTheRecordedCrds) {
  STRAKE_REQUIRE_VECTORS(folder, "openapi");
  SchemaCheck v2(kV2);
  SchemaCheck v3(kV3);
  for (const auto& path : strake::testing::files_in(folder, ".json")) {
    const auto recording = value::read_json(strake::testing::read_file(path));
    const std::vector<ResourcePtr> all = {testing::installed(*recording->root().find("crd"))};

    const std::string json_v2 = openapi_v2(all);
    const auto document_v2 = value::read_json(json_v2);
    const auto bytes_v2 = openapi_v2_protobuf(json_v2);
    ASSERT_TRUE(bytes_v2);
    const Value& definitions = *document_v2->root().find("definitions");
    EXPECT_EQ(all_of(only(*bytes_v2, {9}), 1).size(), definitions.size());
    for (const Member& one : definitions.members())
      v2.schema(entry(only(*bytes_v2, {9}), 1, one.key), one.value);

    const std::string json_v3 = openapi_v3(all, "apis/" + all[0]->group + "/v1");
    const auto document_v3 = value::read_json(json_v3);
    const auto bytes_v3 = openapi_v3_protobuf(json_v3);
    ASSERT_TRUE(bytes_v3);
    const Value& schemas = *document_v3->root().find("components")->find("schemas");
    EXPECT_EQ(all_of(only(*bytes_v3, {5, 1}), 1).size(), schemas.size());
    for (const Member& one : schemas.members())
      v3.place(entry(only(*bytes_v3, {5, 1}), 1, one.key), one.value);
  }
  std::cout << "protobuf: " << v2.schemas() << " schemas of v2 and " << v3.schemas()
            << " of v3 compared\n";
  EXPECT_GT(v2.schemas(), strake::testing::count_in(folder, 500, 10));
  EXPECT_GT(v3.schemas(), strake::testing::count_in(folder, 500, 10));
}

std::string_view path_item(std::string_view document, bool v3, std::string_view path) {
  return v3 ? entry(only(document, {4}), 1, path) : entry(only(document, {8}), 2, path);
}

TEST(OpenApiProtobuf, CarriesOperationsInV2) {
  const std::vector<ResourcePtr> all = {testing::installed(testing::widgets_crd("a.io"))};
  const auto bytes = openapi_v2_protobuf(openapi_v2(all));
  ASSERT_TRUE(bytes);
  EXPECT_EQ(only(*bytes, {1}), "2.0");
  EXPECT_EQ(only(*bytes, {2, 1}), "Kubernetes");
  const std::string_view item =
      path_item(*bytes, false, "/apis/a.io/v1/namespaces/{namespace}/widgets/{name}");
  const std::string_view put = only(item, {3});
  EXPECT_EQ(only(put, {5}), "replaceAIoV1NamespacedWidget");
  EXPECT_EQ(only(put, {1}), "aIo_v1");
  EXPECT_EQ(all_of(put, 7).size(), 2U);  // consumes
  EXPECT_EQ(only(put, {10}), "https");
  EXPECT_EQ(only(entry(put, 13, "x-kubernetes-action"), {2}), R"("put")");
  EXPECT_EQ(only(entry(put, 13, "x-kubernetes-group-version-kind"), {2}),
            R"({"group":"a.io","kind":"Widget","version":"v1"})");
  // body, dryRun, a reference to fieldManager, fieldValidation
  const auto parameters = all_of(put, 8);
  ASSERT_EQ(parameters.size(), 4U);
  EXPECT_EQ(only(parameters[0].bytes, {1, 1, 2}), "body");
  EXPECT_EQ(only(parameters[0].bytes, {1, 1, 5, 1}), "#/definitions/io.a.v1.Widget");
  EXPECT_EQ(only(parameters[1].bytes, {1, 2, 3, 4}), "dryRun");
  EXPECT_EQ(only(parameters[1].bytes, {1, 2, 3, 2}), "query");
  EXPECT_EQ(only(parameters[2].bytes, {2, 1}), "#/parameters/fieldManager-Qy4HdaTW");
  // beside the operations: the name in the path, then references
  const auto shared = all_of(item, 9);
  ASSERT_EQ(shared.size(), 3U);
  EXPECT_EQ(only(shared[0].bytes, {1, 2, 4, 4}), "name");
  const std::string_view answer = entry(only(put, {9}), 1, "201");
  EXPECT_EQ(only(answer, {1, 1}), "Created");
  EXPECT_EQ(only(answer, {1, 2, 1, 1}), "#/definitions/io.a.v1.Widget");
  // shared parameters and security
  EXPECT_EQ(only(entry(only(*bytes, {10}), 1, "limit-1NfNmdNH"), {2, 3, 6}), "integer");
  EXPECT_EQ(only(entry(only(*bytes, {13}), 1, "BearerToken"), {2, 2}), "authorization");
  EXPECT_EQ(only(*bytes, {12, 1, 1}), "BearerToken");
}

TEST(OpenApiProtobuf, CarriesOperationsInV3) {
  const std::vector<ResourcePtr> all = {testing::installed(testing::widgets_crd("a.io"))};
  const auto bytes = openapi_v3_protobuf(openapi_v3(all, "apis/a.io/v1"));
  ASSERT_TRUE(bytes);
  EXPECT_EQ(only(*bytes, {1}), "3.0.0");
  const std::string_view item =
      path_item(*bytes, true, "/apis/a.io/v1/namespaces/{namespace}/widgets/{name}");
  const std::string_view patch = only(item, {10});
  EXPECT_EQ(only(patch, {5}), "patchAIoV1NamespacedWidget");
  const auto parameters = all_of(patch, 6);
  ASSERT_EQ(parameters.size(), 4U);
  EXPECT_EQ(only(parameters[3].bytes, {1, 1}), "force");
  EXPECT_EQ(only(parameters[3].bytes, {1, 10, 1, 25}), "boolean");
  const std::string_view body = only(patch, {7, 1});
  EXPECT_EQ(only(entry(only(body, {2}), 1, "application/merge-patch+json"), {1, 2, 1}),
            "#/components/schemas/io.k8s.apimachinery.pkg.apis.meta.v1.Patch");
  const std::string_view answer = entry(only(patch, {8}), 2, "200");
  EXPECT_EQ(only(entry(only(answer, {1, 3}), 1, "application/yaml"), {1, 2, 1}),
            "#/components/schemas/io.a.v1.Widget");
  const auto version = openapi_v3_protobuf(openapi_v3(all, "version"));
  ASSERT_TRUE(version);
  EXPECT_EQ(only(entry(only(*version, {5, 7}), 1, "BearerToken"), {1, 4}), "header");
}

TEST(OpenApiProtobuf, CarriesDefaultsThatAreScalars) {
  const auto bytes = openapi_v3_protobuf(
      R"json({"components":{"schemas":{"A":{"default":1.5},"B":{"default":true},"C":{"default":"x"},
          "D":{"default":{"a":1}},"E":{"not":{"type":"string"},"nullable":true}}}})json");
  ASSERT_TRUE(bytes);
  const auto schema = [&](std::string_view name) {
    return only(entry(only(*bytes, {5, 1}), 1, name), {1});
  };
  EXPECT_EQ(std::bit_cast<double>(fields(only(schema("A"), {33}))[0].integer), 1.5);
  EXPECT_EQ(fields(only(schema("B"), {33}))[0].number, 2U);
  EXPECT_EQ(only(schema("C"), {33, 3}), "x");
  EXPECT_EQ(only(schema("D"), {33}), "");
  EXPECT_EQ(only(schema("E"), {29, 25}), "string");
  EXPECT_EQ(all_of(schema("E"), 1).size(), 1U);
}

TEST(OpenApiProtobuf, RefusesWhatIsNoDocument) {
  EXPECT_FALSE(openapi_v2_protobuf("{"));
  EXPECT_FALSE(openapi_v3_protobuf(std::string(5000, '[') + std::string(5000, ']')));
  EXPECT_EQ(openapi_v2_protobuf("[]").value(), "");
}

}  // namespace
}  // namespace strake::publish
