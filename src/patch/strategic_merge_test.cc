#include "patch/strategic_merge.h"

#include <gtest/gtest.h>

#include "value/json_reader.h"
#include "value/json_writer.h"

namespace strake::patch {
namespace {

using value::Document;
using value::read_json;
using value::to_json;

using Strategy = MergeField::Strategy;

const MergeFields& pod_fields() {
  static const MergeFields container{{
      {.name = "ports", .strategy = Strategy::kMerge, .key = "containerPort"},
      {.name = "env", .strategy = Strategy::kMerge, .key = "name"},
  }};
  static const MergeFields spec{{
      {.name = "containers", .strategy = Strategy::kMerge, .key = "name", .below = &container},
      {.name = "volumes", .strategy = Strategy::kMergeRetainKeys, .key = "name"},
      {.name = "keyless", .strategy = Strategy::kMerge},
      {.name = "tags", .strategy = Strategy::kMerge},
      {.name = "raw", .strategy = Strategy::kReplace},
  }};
  static const MergeFields pod{{
      {.name = "metadata", .below = &object_meta_merge_fields()},
      {.name = "spec", .below = &spec},
  }};
  return pod;
}

std::string patched(std::string_view document, std::string_view patch) {
  const Document doc = read_json(document).value();
  Arena arena;
  value::Value out;
  {
    const Document given = read_json(patch).value();
    const auto done = apply_strategic_merge(doc.root(), given.root(), pod_fields(), arena);
    EXPECT_EQ(to_json(doc.root()), to_json(read_json(document)->root())) << "the input changed";
    EXPECT_EQ(to_json(given.root()), to_json(read_json(patch)->root())) << "the patch changed";
    if (!done) return fmt::format("{}: {}", to_string(done.error().code()), done.error().message());
    out = *done;
  }
  return to_json(out, {.escape_html = false});
}

std::string spec(const std::string& text) { return R"({"spec":)" + text + "}"; }

struct Case {
  const char* document;
  const char* patch;
  const char* want;
};

TEST(StrategicMerge, MergesObjectsAndReplacesTheRest) {
  const Case cases[] = {
      {R"({"a":1})", R"({"b":2})", R"({"a":1,"b":2})"},
      {R"({"a":{"x":1}})", R"({"a":{"y":2}})", R"({"a":{"x":1,"y":2}})"},
      {R"({"a":{"x":1}})", R"({"a":{"x":null}})", R"({"a":{}})"},
      {R"({"a":1})", R"({"a":null,"b":null})", R"({})"},
      {R"({"a":[1,2]})", R"({"a":[3]})", R"({"a":[3]})"},
      {R"({"a":1})", R"({"a":{"x":1,"y":null}})", R"({"a":{"x":1}})"},
      {R"({})", R"({"a":{"x":{"y":null},"l":[{"z":null}]}})", R"({"a":{"l":[{}],"x":{}}})"},
      {R"({"a":{"x":1}})", R"({"a":{"$patch":"replace","y":2}})", R"({"a":{"y":2}})"},
      {R"({"a":{"x":1}})", R"({"a":{"$patch":"delete"}})", R"({"a":{}})"},
      {R"({"a":{"x":1}})", R"({"$patch":"replace","b":1})", R"({"b":1})"},
      {R"({"a":{"x":1}})", R"({"$patch":"delete"})", R"({})"},
      {R"({})", R"({"a":{"$patch":"delete"},"b":[{"$patch":"delete","name":"x"},{"name":"y"}]})",
       R"({"b":[{"name":"y"}]})"},
  };
  for (const Case& c : cases) EXPECT_EQ(patched(c.document, c.patch), c.want) << c.patch;
}

TEST(StrategicMerge, ReplacesAnObjectThatIsOneWhole) {
  EXPECT_EQ(patched(spec(R"({"raw":{"a":1,"b":{"c":1}}})"), spec(R"({"raw":{"b":null}})")),
            spec(R"({"raw":{"b":null}})"));
}

TEST(StrategicMerge, MergesListsByTheirKey) {
  const Case cases[] = {
      {R"([{"name":"a","image":"1"},{"name":"b"}])", R"([{"name":"b","image":"2"}])",
       R"([{"name":"a","image":"1"},{"name":"b","image":"2"}])"},
      {R"([{"name":"a"}])", R"([{"name":"b"}])", R"([{"name":"b"},{"name":"a"}])"},
      {R"([{"name":"a"},{"name":"b"},{"name":"c"}])", R"([{"name":"c"},{"name":"d"}])",
       R"([{"name":"a"},{"name":"b"},{"name":"c"},{"name":"d"}])"},
      {R"([{"name":"a"},{"name":"b"}])", R"([{"name":"a","$patch":"delete"}])",
       R"([{"name":"b"}])"},
      {R"([{"name":"a"},{"name":"b"}])", R"([{"$patch":"replace"},{"name":"c"}])",
       R"([{"name":"c"}])"},
      {R"([{"name":"a","ports":[{"containerPort":1,"x":1}]}])",
       R"([{"name":"a","ports":[{"containerPort":1,"y":2},{"containerPort":2}]}])",
       R"([{"name":"a","ports":[{"containerPort":1,"x":1,"y":2},{"containerPort":2}]}])"},
      {R"([{"name":"a","args":["x"]}])", R"([{"name":"a","args":["y"]}])",
       R"([{"args":["y"],"name":"a"}])"},
      {R"([{"name":"a","x":1}])", R"([{"name":"a","$patch":"delete"},{"name":"a","y":1}])",
       R"([{"name":"a","y":1}])"},
  };
  for (const Case& c : cases) {
    const auto containers = [](const std::string& list) {
      return spec(R"({"containers":)" + list + "}");
    };
    EXPECT_EQ(patched(containers(c.document), containers(c.patch)),
              to_json(read_json(containers(c.want))->root()))
        << c.patch;
  }
}

TEST(StrategicMerge, MergesListsOfScalarsAsSets) {
  EXPECT_EQ(patched(R"({"metadata":{"finalizers":["a","b"]}})",
                    R"({"metadata":{"finalizers":["c","a"]}})"),
            R"({"metadata":{"finalizers":["c","a","b"]}})");
  EXPECT_EQ(patched(R"({"metadata":{"finalizers":["a","b","c"]}})",
                    R"({"metadata":{"$deleteFromPrimitiveList/finalizers":["b","x"]}})"),
            R"({"metadata":{"finalizers":["a","c"]}})");
  EXPECT_EQ(patched(R"({"metadata":{}})",
                    R"({"metadata":{"$deleteFromPrimitiveList/finalizers":["b"]}})"),
            R"({"metadata":{}})");
  EXPECT_EQ(patched(R"({"metadata":{"ownerReferences":[{"uid":"1","name":"a"}]}})",
                    R"({"metadata":{"ownerReferences":[{"uid":"1","controller":true}]}})"),
            R"({"metadata":{"ownerReferences":[{"controller":true,"name":"a","uid":"1"}]}})");
}

TEST(StrategicMerge, PutsElementsInTheOrderThePatchSets) {
  const Case cases[] = {
      {R"({"containers":[{"name":"a"},{"name":"b"},{"name":"c"}]})",
       R"({"$setElementOrder/containers":[{"name":"c"},{"name":"a"}]})",
       R"({"containers":[{"name":"b"},{"name":"c"},{"name":"a"}]})"},
      {R"({"containers":[{"name":"a"},{"name":"b"}]})",
       R"({"$setElementOrder/containers":[{"name":"b"},{"name":"n"},{"name":"a"}],"containers":[{"name":"n","x":1}]})",
       R"({"containers":[{"name":"b"},{"name":"n","x":1},{"name":"a"}]})"},
      {R"({})",
       R"({"$setElementOrder/containers":[{"name":"b"},{"name":"a"}],"containers":[{"name":"b"},{"name":"a"}]})",
       R"({"containers":[{"name":"b"},{"name":"a"}]})"},
      // What is new takes the place of what was deleted.
      {R"({"containers":[{"name":"1"},{"name":"2"},{"name":"4"}]})",
       R"({"$setElementOrder/containers":[{"name":"2"},{"name":"3"}],"containers":[{"name":"3"},{"$patch":"delete","name":"1"}]})",
       R"({"containers":[{"name":"2"},{"name":"4"},{"name":"3"}]})"},
      {R"({"tags":["a","b","c"]})", R"({"$setElementOrder/tags":["c","d","a"],"tags":["d"]})",
       R"({"tags":["b","c","d","a"]})"},
      {R"({"tags":["a","b"]})",
       R"({"$setElementOrder/tags":["b"],"$deleteFromPrimitiveList/tags":["a"]})",
       R"({"tags":["b"]})"},
      {R"({})", R"({"$setElementOrder/tags":["b"]})", R"({})"},
  };
  for (const Case& c : cases)
    EXPECT_EQ(patched(spec(c.document), spec(c.patch)), spec(c.want)) << c.patch;
}

TEST(StrategicMerge, RetainsOnlyTheKeysItIsToldTo) {
  EXPECT_EQ(patched(R"({"strategy":{"type":"R","rolling":{"x":1}}})",
                    R"({"strategy":{"$retainKeys":["type"],"type":"C"}})"),
            R"({"strategy":{"type":"C"}})");
  EXPECT_EQ(patched(R"({"strategy":{"type":"R","x":1}})",
                    R"({"strategy":{"$retainKeys":["type"],"type":"C","y":1}})"),
            "bad request: invalid patch format of retainKeys");
  EXPECT_EQ(patched(R"({"strategy":{}})", R"({"strategy":{"$retainKeys":"type"}})"),
            "bad request: invalid patch format of retainKeys");
}

TEST(StrategicMerge, SpeaksTheReferencesWords) {
  const Case cases[] = {
      {R"({"containers":[{"name":"a"}]})", R"({"containers":[{"image":"x"}]})",
       "internal: map: map[image:x] does not contain declared merge key: name"},
      {R"({"containers":[{"name":"a"}]})", R"({"containers":[{"$patch":"delete"}]})",
       "internal: map: map[$patch:delete] does not contain declared merge key: name"},
      {R"({"containers":[{"name":"a"}]})", R"({"containers":[{"name":"a","$patch":"merge"}]})",
       "internal: merging lists cannot yet be specified in the patch"},
      {R"({"containers":[{"name":"a"}]})", R"({"containers":[{"name":"a","$patch":"x"}]})",
       "internal: unknown patch type: x in map: map[$patch:x name:a]"},
      {R"({"a":{}})", R"({"a":{"$patch":"merge"}})",
       "internal: unknown patch type: merge in map: map[$patch:merge]"},
      {R"({"a":{}})", R"({"a":{"$patch":5}})",
       "internal: unknown patch type: %!s(int64=5) in map: map[$patch:5]"},
      {R"({"containers":[{"name":"a"}]})", R"({"containers":["x"]})",
       "internal: list element types are not identical: [[map[name:a]] [x]]"},
      {R"({"tags":["a"]})", R"({"tags":[["x"]]})",
       "internal: list element types are not identical: [[a] [[x]]]"},
      {R"({"tags":[["a"]]})", R"({"tags":[["x"]]})", "invalid: lists of lists are not supported"},
      {R"({"keyless":[{"a":1}]})", R"({"keyless":[{"b":1}]})",
       "internal: cannot merge lists without merge key for struct"},
      {R"({"tags":["a"]})", R"({"$setElementOrder/tags":"x"})",
       "internal error: expected a []interface {}, but received a string"},
      {R"({"tags":"a"})", R"({"$setElementOrder/tags":["x"]})",
       "internal error: expected a []interface {}, but received a string"},
      {R"({"tags":["a"]})", R"({"$setElementOrder":["x"]})",
       "bad request: invalid patch format of setElementOrder list"},
      {R"({"tags":["a"]})", R"({"$deleteFromPrimitiveList":["x"]})",
       "bad request: invalid patch format of primitive list"},
      {R"({"tags":["a"]})", R"({"$setElementOrder/tags":["x"],"tags":["y"]})",
       "internal: The order in patch list:\n[y]\n doesn't match $setElementOrder list:\n[x]\n"},
      {R"({"tags":[]})", R"({"$setElementOrder/tags":["x"]})",
       "internal: no elements in any of the given slices"},
  };
  const std::string internal = std::string(to_string(Code::kInternal));
  for (const Case& c : cases) {
    std::string want = c.want;
    if (want.starts_with("internal: ")) want = internal + want.substr(8);
    EXPECT_EQ(patched(spec(c.document), spec(c.patch)), want) << c.patch;
  }
  EXPECT_EQ(patched("{}", "[]"), "bad request: invalid JSON document");
}

TEST(StrategicMerge, RefusesPatchesOfGreatDepth) {
  std::string deep;
  for (int i = 0; i < 2'000; ++i) deep += R"({"a":)";
  EXPECT_EQ(patched("{}", deep + "1" + std::string(2'000, '}')),
            "bad request: the patch is nested deeper than 1000 levels");
}

TEST(StrategicMerge, TakesLongListsInItsStride) {
  std::string list;
  for (int i = 0; i < 5'000; ++i)
    list += fmt::format(R"({}{{"name":"n{}","v":{}}})", i == 0 ? "" : ",", i, i);
  const std::string document = spec(R"({"containers":[)" + list + "]}");
  EXPECT_EQ(patched(document, document), to_json(read_json(document)->root()));
}

// So many that putting each into the midst of the others would take many seconds.
TEST(StrategicMerge, AddsAndRemovesManyMembersAmongThoseThatAreThere) {
  constexpr int kCount = 100'000;
  std::string document;
  std::string patch;
  std::string want;
  for (int i = 0; i < kCount; ++i) {
    const char* comma = i == 0 ? "" : ",";
    document += fmt::format(R"({}"k{:06}a":"","k{:06}c":"")", comma, i, i);
    patch += fmt::format(R"({}"k{:06}a":null,"k{:06}b":"","k{:06}d":null)", comma, i, i, i);
    want += fmt::format(R"({}"k{:06}b":"","k{:06}c":"")", comma, i, i);
  }
  EXPECT_EQ(patched("{" + document + "}", "{" + patch + "}"), "{" + want + "}");
}

// Likewise: each list that is ordered is taken out of the patch.
TEST(StrategicMerge, OrdersManyLists) {
  std::string patch;
  std::string want;
  for (int i = 0; i < 50'000; ++i) {
    const char* comma = i == 0 ? "" : ",";
    patch +=
        fmt::format(R"({}"$setElementOrder/l{:06}":["b","a"],"l{:06}":["b","a"])", comma, i, i);
    want += fmt::format(R"({}"l{:06}":["b","a"])", comma, i);
  }
  EXPECT_EQ(patched("{}", "{" + patch + "}"), "{" + want + "}");
}

TEST(StrategicMerge, OrdersTheOrderOfAList) {
  EXPECT_EQ(patched("{}", R"({"$setElementOrder/$setElementOrder/l":["a"],)"
                          R"("$setElementOrder/l":["a"],"l":["a"]})"),
            "internal error: expected a []interface {}, but received a %!s(<nil>)");
}

TEST(StrategicMerge, SetsAgainWhatItHasRemoved) {
  EXPECT_EQ(patched(spec(R"({"tags":["a","b"],"z":1})"),
                    spec(R"({"$deleteFromPrimitiveList/tags":null,"tags":["c"]})")),
            spec(R"({"tags":["c"],"z":1})"));
}

}  // namespace
}  // namespace strake::patch
