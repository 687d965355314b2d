#include "kinds/protobuf.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <set>

#include "base/base64.h"
#include "base/lines.h"
#include "kinds/builtin_strategy.h"
#include "kinds/derive.h"
#include "kinds/protobuf_tables.h"
#include "kinds/random_objects.h"
#include "kinds/resource.h"
#include "kinds/workloads/workload_resources.h"
#include "support/vectors.h"
#include "value/fields.h"
#include "value/json_reader.h"
#include "value/json_writer.h"

namespace strake::kinds {
namespace {

// A small encoder, for what clients would send.
std::string varint(std::uint64_t v) {
  std::string out;
  for (; v >= 0x80; v >>= 7) out += static_cast<char>(v | 0x80);
  return out += static_cast<char>(v);
}
std::string number(unsigned field, std::int64_t v) {
  return varint(field << 3) + varint(static_cast<std::uint64_t>(v));
}
std::string bytes(unsigned field, std::string_view v) {
  return varint(field << 3 | 2) + varint(v.size()) + std::string(v);
}
std::string entry(unsigned field, std::string_view key, std::string_view v) {
  return bytes(field, bytes(1, key) + bytes(2, v));
}
std::string moment(std::int64_t seconds, std::int64_t nanos) {
  return number(1, seconds) + number(2, nanos);
}
std::string envelope(std::string_view api_version, std::string_view kind, std::string_view raw) {
  return std::string("k8s\0", 4) + bytes(1, bytes(1, api_version) + bytes(2, kind)) +
         bytes(2, raw) + bytes(3, "") + bytes(4, "");
}
const std::string kNamed = bytes(1, bytes(1, "a"));

std::string decode(std::string_view body) {
  const Result<value::Document> read = decode_protobuf(body);
  if (read) return value::to_json(read->root());
  return std::string(to_string(read.error().code())) + ": " + read.error().message();
}
std::string config_map(std::string_view raw) { return decode(envelope("v1", "ConfigMap", raw)); }

TEST(Protobuf, GivesTheObjectThatJsonWouldGive) {
  struct Case {
    std::string body;
    std::string_view want;
  };
  const Case cases[] = {
      {envelope("v1", "ConfigMap",
                bytes(1, bytes(1, "a") + bytes(2, "") + entry(11, "l", "m") + bytes(8, "")) +
                    entry(2, "z", "1") + entry(2, "b", "") + entry(3, "raw", "\xff\x01") +
                    number(4, 1)),
       R"({"apiVersion":"v1","binaryData":{"raw":"/wE="},"data":{"b":"","z":"1"},"immutable":true,"kind":"ConfigMap","metadata":{"generateName":"","labels":{"l":"m"},"name":"a"}})"},
      {envelope("v1", "Secret", kNamed + entry(2, "p", "hush") + bytes(3, "Opaque")),
       R"({"apiVersion":"v1","data":{"p":"aHVzaA=="},"kind":"Secret","metadata":{"name":"a"},"type":"Opaque"})"},
      {envelope(
           "rbac.authorization.k8s.io/v1", "Role",
           kNamed + bytes(2, bytes(1, "get") + bytes(1, "list") + bytes(2, "") + bytes(3, "pods"))),
       R"({"apiVersion":"rbac.authorization.k8s.io/v1","kind":"Role","metadata":{"name":"a"},"rules":[{"apiGroups":[""],"resources":["pods"],"verbs":["get","list"]}]})"},
      {envelope("coordination.k8s.io/v1", "Lease",
                kNamed + bytes(2, bytes(1, "me") + number(2, 15) +
                                      bytes(4, moment(1704067200, 123456789)) + number(5, -1))),
       R"({"apiVersion":"coordination.k8s.io/v1","kind":"Lease","metadata":{"name":"a"},"spec":{"holderIdentity":"me","leaseDurationSeconds":15,"leaseTransitions":-1,"renewTime":"2024-01-01T00:00:00.123456Z"}})"},
      {envelope("authentication.k8s.io/v1", "SelfSubjectReview",
                bytes(2, bytes(1, bytes(1, "me") +
                                      bytes(4, bytes(1, "scopes") +
                                                   bytes(2, bytes(1, "x") + bytes(1, "y")))))),
       R"({"apiVersion":"authentication.k8s.io/v1","kind":"SelfSubjectReview","status":{"userInfo":{"extra":{"scopes":["x","y"]},"username":"me"}}})"},
      {envelope(
           "admissionregistration.k8s.io/v1", "ValidatingAdmissionPolicyBinding",
           bytes(2, bytes(3, bytes(3, bytes(1, "n") + bytes(2, bytes(1, "CREATE") +
                                                                   bytes(2, bytes(3, "r"))))))),
       R"({"apiVersion":"admissionregistration.k8s.io/v1","kind":"ValidatingAdmissionPolicyBinding","spec":{"matchResources":{"resourceRules":[{"operations":["CREATE"],"resourceNames":["n"],"resources":["r"]}]}}})"},
      {envelope("apps/v1", "DeleteOptions",
                number(1, 0) + bytes(2, bytes(1, "u")) + number(3, 0) + bytes(5, "All")),
       R"({"apiVersion":"apps/v1","dryRun":["All"],"gracePeriodSeconds":0,"kind":"DeleteOptions","orphanDependents":false,"preconditions":{"uid":"u"}})"},
  };
  for (const Case& one : cases) EXPECT_EQ(decode(one.body), one.want);
}

TEST(Protobuf, WritesTimesAndManagedFieldsAsTheApiDoes) {
  const auto meta = [](std::string_view fields) { return config_map(bytes(1, fields)); };
  EXPECT_EQ(
      meta(bytes(8, moment(1704067200, 999'999'999)) + bytes(9, moment(-1, 0))),
      R"({"apiVersion":"v1","kind":"ConfigMap","metadata":{"creationTimestamp":"2024-01-01T00:00:00Z","deletionTimestamp":"1969-12-31T23:59:59Z"}})");
  EXPECT_EQ(
      meta(bytes(9, moment(0, -1))),
      R"({"apiVersion":"v1","kind":"ConfigMap","metadata":{"deletionTimestamp":"1969-12-31T23:59:59Z"}})");
  EXPECT_EQ(meta(bytes(8, moment(INT64_MAX, 0))),
            "bad request: protobuf: creationTimestamp is outside the years 0 to 9999");
  EXPECT_EQ(
      meta(bytes(17, bytes(1, "m") + bytes(7, bytes(1, R"({"f:data":{}})")))),
      R"({"apiVersion":"v1","kind":"ConfigMap","metadata":{"managedFields":[{"fieldsV1":{"f:data":{}},"manager":"m"}]}})");
  EXPECT_EQ(meta(bytes(17, bytes(7, bytes(1, "{")))),
            "bad request: protobuf: fieldsV1 is no JSON: unexpected end of JSON input");
}

TEST(Protobuf, PassesOverFieldsItDoesNotKnow) {
  EXPECT_EQ(config_map(number(100, 7) + bytes(101, "x") + varint(102 << 3 | 1) + "12345678" +
                       varint(103 << 3 | 5) + "1234" + entry(2, "a", "b")),
            R"({"apiVersion":"v1","data":{"a":"b"},"kind":"ConfigMap"})");
}

TEST(Protobuf, MergesAMessageThatComesInPiecesAndKeepsTheLastOfOtherFields) {
  EXPECT_EQ(
      config_map(bytes(1, bytes(1, "a") + bytes(3, "n")) + bytes(1, bytes(1, "b")) +
                 entry(2, "k", "1") + entry(2, "k", "2")),
      R"({"apiVersion":"v1","data":{"k":"2"},"kind":"ConfigMap","metadata":{"name":"b","namespace":"n"}})");
}

TEST(Protobuf, ReplacesWhatIsNotUtf8) {
  EXPECT_EQ(config_map(entry(2, "a\xff", "\xc3(")),
            "{\"apiVersion\":\"v1\",\"data\":{\"a\uFFFD\":\"\uFFFD(\"},\"kind\":\"ConfigMap\"}");
}

TEST(Protobuf, RefusesObjectsThatAreBroken) {
  struct Case {
    std::string raw;
    std::string_view want;
  };
  const Case cases[] = {
      {varint(1 << 3 | 2) + varint(5) + "abc", "protobuf: unexpected end: 5 bytes wanted, 3 left"},
      {varint(1 << 3 | 2) + varint(UINT64_MAX),
       "protobuf: unexpected end: 18446744073709551615 bytes wanted, 0 left"},
      {varint(9 << 3 | 5) + "abc", "protobuf: unexpected end: 4 bytes wanted, 3 left"},
      {"\x80", "protobuf: unexpected end within a number"},
      {varint(4 << 3) + std::string(10, '\xff') + "\x01",
       "protobuf: a number of more than 64 bits"},
      {number(0, 1), "protobuf: illegal field number 0"},
      {varint(std::uint64_t{1} << 32), "protobuf: illegal field number 536870912"},
      {varint(9 << 3 | 3), "protobuf: field 9 is a group, which is not supported"},
      {varint(9 << 3 | 4), "protobuf: field 9 is a group, which is not supported"},
      {varint(9 << 3 | 6), "protobuf: field 9 has the illegal wire type 6"},
      {number(2, 1), "protobuf: wrong wire type 0 for field data of ConfigMap"},
      {bytes(4, "x"), "protobuf: wrong wire type 2 for field immutable of ConfigMap"},
      {bytes(2, number(1, 1)), "protobuf: wrong wire type 0 for field key of data"},
  };
  for (const Case& one : cases)
    EXPECT_EQ(config_map(one.raw), "bad request: " + std::string(one.want));
}

TEST(Protobuf, RefusesWhatIsCutOffWithinAField) {
  const std::string type = bytes(1, bytes(1, "v1") + bytes(2, "ConfigMap"));
  const std::string whole = envelope("v1", "ConfigMap", kNamed + entry(2, "k", "v"));
  std::vector<std::size_t> taken;
  for (std::size_t size = 0; size <= whole.size(); ++size)
    if (decode_protobuf(std::string_view(whole).substr(0, size))) taken.push_back(size);
  // Only between the fields of the envelope; its last two are empty.
  EXPECT_EQ(taken, (std::vector<std::size_t>{4 + type.size(), whole.size() - 4, whole.size() - 2,
                                             whole.size()}));
}

TEST(Protobuf, RefusesEnvelopesItCannotRead) {
  const std::string magic("k8s\0", 4);
  const auto code = [](std::string_view body) { return decode_protobuf(body).error().code(); };
  EXPECT_EQ(code(""), Code::kParse);
  EXPECT_EQ(code("{}"), Code::kParse);
  EXPECT_EQ(code(magic), Code::kParse);
  EXPECT_EQ(code(magic + "\x0a\x7f"), Code::kParse);
  EXPECT_EQ(code(envelope("v1", "", "")), Code::kParse);
  EXPECT_EQ(code(envelope("", "ConfigMap", "")), Code::kParse);
  EXPECT_EQ(code(envelope("v1", "ConfigMap", "") + bytes(3, "gzip")), Code::kParse);
  EXPECT_EQ(code(envelope("v1", "Pods", "")), Code::kUnsupported);
  EXPECT_EQ(code(envelope("apiextensions.k8s.io/v1", "CustomResourceDefinition", "")),
            Code::kUnsupported);
  EXPECT_EQ(code(envelope("v2", "ConfigMap", "")), Code::kUnsupported);
  EXPECT_EQ(code(envelope("v1", "ConfigMap", "\x80")), Code::kBadRequest);
}

TEST(Protobuf, ReadsNumbersThatMayBeTexts) {
  const auto target = [](std::string_view port) {
    const std::string raw = bytes(2, bytes(1, bytes(4, port)));
    return decode(envelope("v1", "Service", raw));
  };
  const auto service = [](std::string_view port) {
    return fmt::format(
        R"({{"apiVersion":"v1","kind":"Service","spec":{{"ports":[{{"targetPort":{}}}]}}}})", port);
  };
  EXPECT_EQ(target(number(1, 0) + number(2, 8080) + bytes(3, "")), service("8080"));
  EXPECT_EQ(target(number(1, 1) + number(2, 0) + bytes(3, "web")), service(R"("web")"));
  EXPECT_EQ(target(""), service("0"));
  EXPECT_EQ(target(number(3, 1)),
            "bad request: protobuf: wrong wire type 0 for field strVal of targetPort");
}

// --- objects as kube-apiserver 1.36 sends them, in both forms

// Raw JSON goes out as it came in, and these were sent with blanks: the JSON form has lost them.
bool has_lost_blanks(const value::Value& object) {
  return value::text_of(object, "kind") == "ControllerRevision" && !object.get("data").is_null();
}

template <typename Check>
void for_each_sample(const std::filesystem::path& folder, const Check& check) {
  const std::string samples = strake::testing::read_file(folder / "protobuf-samples.jsonl");
  std::size_t seen = 0;
  for (std::string_view rest = samples; !rest.empty(); ++seen) {
    auto sample = value::read_json(take_line(rest));
    ASSERT_TRUE(sample);
    SCOPED_TRACE(value::text_of(sample->root(), "file"));
    check(*sample);
  }
  EXPECT_EQ(seen, strake::testing::count_in<std::size_t>(folder, 160, 3));
}

// Bytes that are no text as \xNN, for messages.
std::string shown(std::string_view bytes) {
  std::string out;
  for (const char c : bytes) {
    if (c >= ' ' && c <= '~') {
      out += c;
    } else {
      out += fmt::format("\\x{:02x}", static_cast<unsigned char>(c));
    }
  }
  return out;
}

std::string bytes_of(const value::Value& sample, std::string_view form) {
  return base64_decode(value::text_of(sample, form)).value_or("");
}

TEST(Protobuf, ReadsRecordedObjects) {
  STRAKE_REQUIRE_VECTORS(folder, "builtin");
  for_each_sample(folder, [](value::Document& sample) {
    value::Value& want = *sample.root().find("json");
    const Resource* resource = find_resource(meta::from_api_version_and_kind(
        value::text_of(want, "apiVersion"), value::text_of(want, "kind")));
    ASSERT_NE(resource, nullptr);
    auto got = decode_protobuf(bytes_of(sample.root(), "protobuf"));
    ASSERT_TRUE(got) << got.error().message();
    const meta::Shape& shape = resource->strategy->shape();
    ASSERT_TRUE(meta::read_shape(got->root(), shape, got->arena()));
    ASSERT_TRUE(meta::read_shape(want, shape, sample.arena()));
    // Templates of claims say in JSON what they are, and a server adds that.
    if (value::Value* spec = want.find("spec"); resource->kind == "StatefulSet") {
      if (value::Value* claims = spec->find("volumeClaimTemplates")) {
        for (value::Value& claim : claims->mutable_items())
          for (const std::string_view key : {"apiVersion", "kind"}) claim.remove(key);
      }
    }
    EXPECT_EQ(value::to_json(got->root()), value::to_json(want));
  });
}

TEST(Protobuf, WritesRecordedObjectsListsAndEventsByteForByte) {
  STRAKE_REQUIRE_VECTORS(folder, "builtin");
  std::size_t compared = 0;
  for_each_sample(folder, [&](value::Document& sample) {
    const value::Value& object = sample.root().get("json");
    if (has_lost_blanks(object)) return;
    const std::string_view api_version = value::text_of(object, "apiVersion");
    const std::string kind(value::text_of(object, "kind"));
    const ProtoMessage* message = find_message(api_version, kind);
    ASSERT_NE(message, nullptr);
    const std::string item = encode_message(object, *message);
    const std::string body = in_envelope(api_version, kind, item);
    EXPECT_EQ(shown(body), shown(bytes_of(sample.root(), "protobuf")));
    EXPECT_EQ(shown(watch_frame("ADDED", body)), shown(bytes_of(sample.root(), "watch")));
    const std::string list = encode_list(object.get("metadata"), std::span(&item, 1));
    EXPECT_EQ(shown(in_envelope(api_version, kind + "List", list)),
              shown(bytes_of(sample.root(), "list")));
    ++compared;
  });
  EXPECT_GE(compared, strake::testing::count_in<std::size_t>(folder, 155, 3));
}

// Each field of the tables is one the kind has, each kind that is served but one has a table, and
// no message holds itself.
TEST(Protobuf, KnowsTheFieldsOfTheBuiltInKinds) {
  using Form = ProtoField::Form;
  std::set<const ProtoMessage*> around;
  std::size_t fields = 0;
  const auto check = [&](auto& self, const ProtoMessage& message,
                         const meta::Shape& shape) -> void {
    ASSERT_TRUE(around.insert(&message).second) << message.name << " holds itself";
    std::uint32_t last = 0;
    for (const ProtoField& field : message.fields) {
      ASSERT_GT(field.number, last) << message.name << "." << field.name;
      last = field.number;
      ++fields;
      if (field.form == Form::kInline) {
        self(self, *field.message, shape);
        continue;
      }
      const meta::ShapeField* known = shape.field(field.name);
      ASSERT_NE(known, nullptr) << message.name << "." << field.name;
      const meta::Shape* inner = known->shape;
      if (field.count != ProtoField::Count::kOne) inner = inner->element;
      if (field.message != nullptr) self(self, *field.message, *inner);
    }
    around.erase(&message);
  };
  std::vector<std::string> missing;
  for (const auto* all : {&builtin_resources(), &workload_resources()}) {
    for (const ResourcePtr& resource : *all) {
      const std::string version = resource->group.empty()
                                      ? resource->versions[0].name
                                      : resource->group + "/" + resource->versions[0].name;
      const ProtoMessage* message = find_message(version, resource->kind);
      if (message == nullptr) {
        missing.push_back(resource->kind);
        continue;
      }
      ASSERT_NE(resource->strategy, nullptr);
      check(check, *message,
            shape_of(*find_kind({resource->group, resource->versions[0].name, resource->kind})));
    }
  }
  EXPECT_EQ(missing, std::vector<std::string>{"CustomResourceDefinition"});
  EXPECT_GT(fields, 5'000u);
}

// Every field that the newest Kubernetes has of a declared type has its number in protobuf.
TEST(Protobuf, HasANumberForEachDeclaredField) {
  std::set<const Type*> seen;
  const auto check = [&](auto& self, const Type& type) -> void {
    if (!seen.insert(&type).second) return;
    for (const Field& field : type.fields) {
      const bool said_elsewhere =
          type.name == "DeleteOptions" && (field.name == "kind" || field.name == "apiVersion");
      if (field.removed == 0 && !said_elsewhere)
        EXPECT_FALSE(field.number.empty()) << type.full_name << "." << field.name;
      const TypeUse* use = field.use;
      while (use->element != nullptr) use = use->element;
      if (use->type != nullptr) self(self, *use->type);
    }
  };
  for (const meta::GroupVersionKind& gvk : declared_kinds()) check(check, *find_kind(gvk));
  EXPECT_GT(seen.size(), 600u);
}

// --- there and back

// Every kind with a form that is served: pods, reviews, bindings, scales.
std::vector<const Type*> served_kinds() {
  std::vector<const Type*> out;
  for (const meta::GroupVersionKind& gvk : declared_kinds()) {
    const Type* type = find_kind(gvk);
    if (find_message(gvk.group_version().to_string(), gvk.kind) != nullptr) out.push_back(type);
  }
  return out;
}

TEST(Protobuf, TakesRandomObjectsThereAndBack) {
  const std::uint64_t seed = testing::random_seed();
  SCOPED_TRACE(fmt::format("STRAKE_SEED={}", seed));
  constexpr int kEach = 20;
  std::size_t tried = 0;
  for (const Type* kind : served_kinds()) {
    const meta::Shape& shape = shape_of(*kind);
    Arena arena;
    testing::RandomObjects random(seed, arena);
    for (int i = 0; i < kEach; ++i, ++tried) {
      value::Document sent = *value::read_json(value::to_json(random.object(*kind)));
      ASSERT_TRUE(meta::read_shape(sent.root(), shape, sent.arena())) << kind->full_name;
      const std::string json = value::to_json(sent.root());
      const std::string_view api_version = value::text_of(sent.root(), "apiVersion");
      const std::string_view name = value::text_of(sent.root(), "kind");
      const ProtoMessage& message = *find_message(api_version, name);
      const std::string body = in_envelope(api_version, name, encode_message(sent.root(), message));
      auto read = decode_protobuf(body);
      ASSERT_TRUE(read) << kind->full_name << ": " << read.error().message();
      // What is written although it is empty is not there in JSON.
      const std::string again =
          in_envelope(api_version, name, encode_message(read->root(), message));
      ASSERT_TRUE(meta::read_shape(read->root(), shape, read->arena()));
      ASSERT_EQ(value::to_json(read->root()), json) << kind->full_name;
      ASSERT_EQ(shown(again), shown(body)) << json;
    }
  }
  EXPECT_GT(tried, 1'500u);
}

// What a client of an older or a newer version sends, or somebody who means harm.
TEST(Protobuf, OfRandomObjectsCanBeCutOffAnywhere) {
  const std::uint64_t seed = testing::random_seed();
  SCOPED_TRACE(fmt::format("STRAKE_SEED={}", seed));
  Arena arena;
  testing::RandomObjects random(seed, arena);
  for (const Type* kind : served_kinds()) {
    value::Document sent = *value::read_json(value::to_json(random.object(*kind)));
    ASSERT_TRUE(meta::read_shape(sent.root(), shape_of(*kind), sent.arena()));
    const std::string_view api_version = value::text_of(sent.root(), "apiVersion");
    const std::string message = encode_message(sent.root(), *find_message(api_version, kind->name));
    for (std::size_t size = 0; size < message.size(); size += 1 + size / 16) {
      const auto read = decode_protobuf(
          in_envelope(api_version, kind->name, std::string_view(message).substr(0, size)));
      if (!read) EXPECT_EQ(read.error().code(), Code::kBadRequest) << kind->full_name;
    }
  }
}

TEST(Protobuf, TakesListsOfNumbersInBothForms) {
  // supplementalGroups of a pod's security context: unpacked, as Go writes it, and packed.
  const auto pod = [](std::string_view context) {
    return decode(envelope("v1", "Pod", bytes(2, bytes(14, context))));
  };
  const std::string_view want =
      R"({"apiVersion":"v1","kind":"Pod","spec":{"securityContext":{"supplementalGroups":[1,-1,300]}}})";
  EXPECT_EQ(pod(number(4, 1) + number(4, -1) + number(4, 300)), want);
  EXPECT_EQ(pod(bytes(4, varint(1) + varint(UINT64_MAX) + varint(300))), want);
  EXPECT_EQ(pod(bytes(4, "\x80")), "bad request: protobuf: unexpected end within a number");
}

TEST(Protobuf, WritesOwnedFieldsInTheOrderOfTheirValues) {
  const auto object = value::read_json(
      R"({"metadata":{"managedFields":[{"fieldsV1":{"f:ports":{".":{},"k:{\"port\":443}":{},"k:{\"port\":80}":{}},"f:a":{"v:\"b\"":{}}}}]}})");
  const std::string message = encode_message(object->root(), partial_metadata_message());
  EXPECT_TRUE(message.contains(
      R"({"f:a":{"v:\"b\"":{}},"f:ports":{".":{},"k:{\"port\":80}":{},"k:{\"port\":443}":{}}})"))
      << shown(message);
}

}  // namespace
}  // namespace strake::kinds
