// Real manifests of public projects against their real CRDs: what kube-apiserver v1.36.4 said to
// each under strict field validation, object for object and message for message.
#include <gtest/gtest.h>

#include <filesystem>
#include <map>

#include "support/recordings.h"
#include "support/vectors.h"
#include "value/fields.h"
#include "value/json_reader.h"
#include "value/json_writer.h"
#include "value/yaml_reader.h"

namespace strake::resource {
namespace {

namespace fs = std::filesystem;
using testing::Answer;
using value::Document;
using value::ReadOptions;
using value::Value;

// Kinds by CRD and version, read once each.
class Crds {
 public:
  explicit Crds(fs::path folder) : folder_(std::move(folder)) {}

  struct Entry {
    Kind kind;
    Kind storage;
  };
  const Entry& find(const std::string& crd, std::string_view api_version) {
    const std::string version(api_version.substr(api_version.find('/') + 1));
    auto [at, fresh] = kinds_.try_emplace(crd + "@" + version);
    if (fresh) {
      const Document document =
          value::read_yaml(testing::read_file(folder_ / (crd + ".yaml"))).value();
      at->second = {testing::kind_of(document.root(), version),
                    testing::storage_kind_of(document.root())};
    }
    return at->second;
  }

 private:
  fs::path folder_;
  std::map<std::string, Entry> kinds_;
};

TEST(RecordedVerdicts, AreReproducedForRealManifests) {
  STRAKE_REQUIRE_VECTORS(manifests, "crs");
  STRAKE_REQUIRE_VECTORS(crd_folder, "crds");
  Crds crds(crd_folder);
  const std::string lines = testing::read_file(manifests / "verdicts.jsonl");
  value::JsonReader reader(lines, {});
  int passed = 0;
  int failed = 0;
  int waiting = 0;
  while (true) {
    auto next = reader.next();
    ASSERT_TRUE(next) << next.error().to_string();
    if (!*next) break;
    const Value& verdict = (*next)->root();
    const std::string file(text_of(verdict, "file"));
    ReadOptions options;
    options.duplicates = value::DuplicatePolicy::kLastWins;
    Document manifest = value::read_yaml(testing::read_file(manifests / file), options).value();
    Value* metadata = manifest.root().find("metadata");
    if (metadata == nullptr) {
      metadata = &manifest.root().set("metadata", Value::object({}), manifest.arena());
    }
    metadata->remove("namespace");
    if (text_of(*metadata, "name").empty() && metadata->find("generateName") == nullptr)
      metadata->set("name", Value::string("x"), manifest.arena());

    const Crds::Entry& crd =
        crds.find(file.substr(0, file.find('/')), text_of(manifest.root(), "apiVersion"));
    const Kind& kind = crd.kind;
    const bool stored_otherwise = crd.storage.gvk != kind.gvk;
    const Answer got =
        testing::create(manifest.root(), kind,
                        {.strict = true, .storage = stored_otherwise ? &crd.storage : nullptr});
    Document expect;
    expect.root() = Value::object({});
    expect.root().set("code", *verdict.find("code"), expect.arena());
    const Value* body =
        verdict.find("object") != nullptr ? verdict.find("object") : verdict.find("status");
    expect.root().set("body", *body, expect.arena());
    Answer want = testing::recorded(expect.root());
    want.warnings = got.warnings;  // not part of the record
    if (want == got) {
      ++passed;
    } else if (want.code == 422 && kind.schema->has_rules_below) {
      ++waiting;
    } else {
      ++failed;
      ADD_FAILURE() << file << "\n  want " << want.code << " " << want.body << "\n  got  "
                    << got.code << " " << got.body;
    }
  }
  std::printf("verdicts: %d passed, %d failed, %d waiting for rules\n", passed, failed, waiting);
  EXPECT_EQ(passed + failed + waiting, testing::count_in(manifests, 1519, 9));
}

}  // namespace
}  // namespace strake::resource
