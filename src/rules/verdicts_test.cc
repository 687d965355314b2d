// Real manifests of public projects and the API test suite of openshift, with the rules of their
// real CRDs: what kube-apiserver v1.36.4 said to each, object for object and message for message.
#include <gtest/gtest.h>

#include <filesystem>
#include <map>

#include "crd/check.h"
#include "rules/crd_rules.h"
#include "rules/engine.h"
#include "support/recordings.h"
#include "support/vectors.h"
#include "value/fields.h"
#include "value/json_reader.h"
#include "value/json_writer.h"
#include "value/yaml_reader.h"

namespace strake::rules {
namespace {

namespace fs = std::filesystem;
using resource::Kind;
using testing::Answer;
using value::Document;
using value::Value;

Document copy_of(const Value& v) {
  Document out;
  out.root() = value::deep_copy(v, out.arena());
  return out;
}

Document read_manifest(std::string_view text) {
  value::ReadOptions options;
  options.duplicates = value::DuplicatePolicy::kLastWins;
  return value::read_yaml(text, options).value();
}

// `code` and either `object` or `status`, as the verdict files have them.
Answer recorded_answer(const Value& verdict) {
  Document expect;
  expect.root() = Value::object({});
  expect.root().set("code", *verdict.find("code"), expect.arena());
  const Value* body =
      verdict.find("object") != nullptr ? verdict.find("object") : verdict.find("status");
  expect.root().set("body", *body, expect.arena());
  return testing::recorded(expect.root());
}

struct Tally {
  int passed = 0;
  int failed = 0;
  void compare(const std::string& name, Answer want, Answer got) {
    want.warnings = got.warnings;  // not part of the record
    ++(want == got ? passed : failed);
    if (want == got) return;
    ADD_FAILURE() << name << "\n  want " << want.code << " " << want.body << "\n  got  " << got.code
                  << " " << got.body;
  }
};

TEST(RecordedVerdicts, AreReproducedForRealManifestsAndTheirRules) {
  STRAKE_REQUIRE_VECTORS(manifests, "crs");
  STRAKE_REQUIRE_VECTORS(crds, "crds");
  struct Kinds {
    Kind kind;
    Kind storage;
  };
  std::map<std::string, Kinds> kinds;
  const Engine engine;
  Tally tally;
  const std::string lines = testing::read_file(manifests / "verdicts.jsonl");
  value::JsonReader reader(lines, {});
  while (true) {
    auto next = reader.next();
    ASSERT_TRUE(next) << next.error().to_string();
    if (!*next) break;
    const Value& verdict = (*next)->root();
    const std::string file(text_of(verdict, "file"));
    Document manifest = read_manifest(testing::read_file(manifests / file));
    Value* metadata = manifest.root().find("metadata");
    if (metadata == nullptr) {
      metadata = &manifest.root().set("metadata", Value::object({}), manifest.arena());
    }
    metadata->remove("namespace");
    if (text_of(*metadata, "name").empty() && metadata->find("generateName") == nullptr) {
      metadata->set("name", Value::string("x"), manifest.arena());
    }
    const std::string crd = file.substr(0, file.find('/'));
    const std::string_view api_version = text_of(manifest.root(), "apiVersion");
    const std::string version(api_version.substr(api_version.find('/') + 1));
    const auto [at, fresh] = kinds.try_emplace(crd + "@" + version);
    if (fresh) {
      const Document document =
          value::read_yaml(testing::read_file(crds / (crd + ".yaml"))).value();
      at->second = {testing::kind_of(document.root(), version),
                    testing::storage_kind_of(document.root())};
    }
    const Kinds& known = at->second;
    const bool stored_otherwise = known.storage.gvk != known.kind.gvk;
    tally.compare(file, recorded_answer(verdict),
                  testing::create(manifest.root(), known.kind,
                                  {.strict = true,
                                   .rules = &engine,
                                   .storage = stored_otherwise ? &known.storage : nullptr}));
  }
  std::printf("verdicts: %d passed, %d failed\n", tally.passed, tally.failed);
  EXPECT_EQ(tally.passed, testing::count_in(manifests, 1519, 9));
}

// The CRD with one version only, served and stored.
Document single_version(const fs::path& file, std::string_view version) {
  Document crd = value::read_yaml(testing::read_file(file)).value();
  crd.root().remove("status");
  Value& spec = *crd.root().find("spec");
  spec.remove("conversion");
  Value kept;
  for (Value& v : spec.find("versions")->mutable_items()) {
    if (text_of(v, "name") != version) continue;
    v.set("served", Value::boolean(true), crd.arena());
    v.set("storage", Value::boolean(true), crd.arena());
    kept = v;
  }
  Value list = Value::array({});
  list.append(kept, crd.arena());
  spec.set("versions", list, crd.arena());
  return crd;
}

class Suite {
 public:
  explicit Suite(fs::path folder) : folder_(std::move(folder)) {}

  void run(const Value& one, const Value& verdict, Tally& tally) {
    const std::string name = fmt::format("{}#{}", text_of(one, "suite"), text_of(one, "name"));
    const Kind& kind = kind_of(one, nullptr);
    const Value* patches = one.find("initialCRDPatches");
    const bool patched = patches != nullptr && patches->is_array() && patches->size() != 0;
    const Kind& initial_kind = patched ? kind_of(one, patches) : kind;
    Document initial = read_manifest(text_of(one, "initial"));
    const Value* status = initial.root().find("status");
    Document wanted_status;
    if (status != nullptr) {
      wanted_status.root() = value::deep_copy(*status, wanted_status.arena());
    }
    prepare(initial);
    Document stored;
    const Answer created =
        testing::create(initial.root(), initial_kind, {.rules = &engine_, .created = &stored});
    tally.compare(name + " create", without_name(recorded_answer(*verdict.find("create"))),
                  without_name(created));
    if (text_of(one, "kind") == "onCreate" || created.code != 201) return;
    if (status != nullptr && kind.status_subresource) {
      set_status(stored, wanted_status.root(), initial_kind);
    }
    Document updated = read_manifest(text_of(one, "updated"));
    Value* metadata = updated.root().find("metadata");
    if (metadata == nullptr || !metadata->is_object()) {
      metadata = &updated.root().set("metadata", Value::object({}), updated.arena());
    }
    metadata->remove("namespace");
    metadata->set("name", Value::string(text_of(*stored.root().find("metadata"), "name")),
                  updated.arena());
    stored.root().find("metadata")->remove("generateName");
    Document after;
    const Answer changed = testing::update(updated.root(), stored.root(), kind, &engine_, &after);
    tally.compare(name + " update", without_name(recorded_answer(*verdict.find("update"))),
                  without_name(changed));
    if (changed.code != 200 || updated.root().find("status") == nullptr) return;
    Document body = copy_of(after.root());
    body.root().set("status", value::deep_copy(*updated.root().find("status"), body.arena()),
                    body.arena());
    const Answer status_changed = testing::update_status(body.root(), after.root(), kind, &engine_);
    ASSERT_NE(verdict.find("status"), nullptr) << name;
    tally.compare(name + " status", without_name(recorded_answer(*verdict.find("status"))),
                  without_name(status_changed));
  }

 private:
  static void prepare(Document& object) {
    Value* metadata = object.root().find("metadata");
    if (metadata == nullptr || !metadata->is_object()) {
      metadata = &object.root().set("metadata", Value::object({}), object.arena());
    }
    metadata->remove("namespace");
    if (text_of(*metadata, "name").empty()) {
      metadata->set("generateName", Value::string("test-"), object.arena());
    }
  }

  // Generated names differ, and those of objects are not part of the record.
  static Answer without_name(Answer answer) {
    for (std::size_t at = 0; (at = answer.body.find("\"test-", at)) != std::string::npos; ++at) {
      const std::size_t end = answer.body.find_first_of("\"\\", at + 1);
      if (end == at + 11) answer.body.replace(at + 6, 5, "xxxxx");
    }
    Document body = value::read_json(answer.body).value();
    if (Value* metadata = body.root().find("metadata"); metadata != nullptr &&
                                                        body.root().find("status") != nullptr &&
                                                        text_of(body.root(), "kind") != "Status") {
      metadata->remove("name");
      metadata->remove("generateName");
    } else if (metadata != nullptr) {
      metadata->remove("name");
      metadata->remove("generateName");
    }
    answer.body = value::to_json(body.root(), {.escape_html = false});
    return answer;
  }

  void set_status(Document& stored, const Value& status, const Kind& kind) {
    Document body = copy_of(stored.root());
    body.root().set("status", value::deep_copy(status, body.arena()), body.arena());
    const Answer answer = testing::update_status(body.root(), stored.root(), kind, &engine_);
    if (answer.code != 200) return;
    const Document settled = value::read_json(answer.body).value();
    if (const Value* kept = settled.root().find("status")) {
      stored.root().set("status", value::deep_copy(*kept, stored.arena()), stored.arena());
    }
  }

  const Kind& kind_of(const Value& one, const Value* patches) {
    std::string key = fmt::format("{}@{}", text_of(one, "crd"), text_of(one, "version"));
    if (patches != nullptr) key += value::to_json(*patches);
    const auto [at, fresh] = kinds_.try_emplace(key);
    if (fresh) {
      Document crd = single_version(folder_ / text_of(one, "crd"), text_of(one, "version"));
      if (patches != nullptr) testing::apply_json_patch(crd, *patches);
      at->second = testing::kind_of(crd.root());
    }
    return at->second;
  }

  fs::path folder_;
  std::map<std::string, Kind> kinds_;
  Engine engine_;
};

TEST(RecordedVerdicts, AreReproducedForTheSuiteOfOpenshift) {
  STRAKE_REQUIRE_VECTORS(manifests, "crs");
  const fs::path suites = manifests / "suites";
  const std::string cases = testing::read_file(suites / "openshift.jsonl");
  const std::string verdicts = testing::read_file(suites / "openshift-verdicts.jsonl");
  value::JsonReader verdict_reader(verdicts, {});
  std::map<std::string, Document> by_case;
  for (auto next = verdict_reader.next(); next && *next; next = verdict_reader.next()) {
    std::string key(text_of((*next)->root(), "case"));
    by_case.emplace(std::move(key), **std::move(next));
  }
  Suite suite(manifests.parent_path());
  Tally tally;
  int run = 0;
  value::JsonReader reader(cases, {});
  for (auto next = reader.next(); next && *next; next = reader.next()) {
    const Value& one = (*next)->root();
    const std::string key =
        fmt::format("{}#{}#{}#{}", text_of(one, "suite"), text_of(one, "version"),
                    text_of(one, "kind"), one.find("index")->as_int());
    const auto verdict = by_case.find(key);
    ASSERT_NE(verdict, by_case.end()) << key;
    ++run;
    suite.run(one, verdict->second.root(), tally);
  }
  std::printf("openshift: %d cases, %d answers passed, %d failed\n", run, tally.passed,
              tally.failed);
  EXPECT_EQ(run, testing::count_in(manifests, 1040, 7));
}

}  // namespace
}  // namespace strake::rules
