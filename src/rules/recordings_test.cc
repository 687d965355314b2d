// Conversations about rules with kube-apiserver v1.36.4, answered by the engine alone: CRDs,
// objects created under them, and updates.
#include "support/recordings.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <map>

#include "crd/check.h"
#include "rules/crd_rules.h"
#include "rules/engine.h"
#include "support/files.h"
#include "support/vectors.h"
#include "value/fields.h"
#include "value/json_reader.h"
#include "value/json_writer.h"
#include "value/yaml_reader.h"

namespace strake::rules {
namespace {

namespace fs = std::filesystem;
using testing::Answer;
using value::Document;
using value::Value;

Document copy_of(const Value& v) {
  Document out;
  out.root() = value::deep_copy(v, out.arena());
  return out;
}

// The answer to creating a CRD, refusals only.
std::optional<Answer> refuse_crd(const Value& body) {
  auto crd = crd::Crd::read(copy_of(body));
  if (!crd) return Answer{.code = 400, .body = crd.error().message()};
  crd->prepare_for_create();
  CrdRules compiler;
  const value::FieldErrors errors = crd::check_create(*crd, &compiler);
  if (errors.empty()) return std::nullopt;
  return testing::refusal(meta::Status::invalid(
      {"apiextensions.k8s.io", "CustomResourceDefinition"}, crd->name(), errors));
}

// One conversation: the CRDs it knows by group, and what is stored.
class Conversation {
 public:
  explicit Conversation(std::string name) : name_(std::move(name)) {}

  void step(const Value& step) {
    const std::string path(text_of(step, "path"));
    if (path.find("/customresourcedefinitions") != std::string::npos) return crd_step(step);
    if (step.find("expect") == nullptr) return;
    const std::string group = path.substr(6, path.find('/', 6) - 6);
    const resource::Kind& kind = kinds_.at(group).kind;
    const bool dry = path.find("dryRun") != std::string::npos;
    const Value& body = *step.find("body");
    const Answer want = testing::recorded(*step.find("expect"));
    if (text_of(step, "method") == "POST") {
      Document created;
      const Answer got =
          testing::create(body, kind, {.rules = &engine_, .created = dry ? nullptr : &created});
      if (!dry && got.code == 201) stored_[object_name(body)] = std::move(created);
      return compare(step, want, got);
    }
    const std::string object =
        path.substr(path.rfind('/') + 1, path.find('?') - path.rfind('/') - 1);
    Document& stored = stored_.at(object);
    Document patched = stored.fork();
    testing::apply_json_patch(patched, body);
    Document updated;
    const Answer got = testing::update(patched.root(), stored.root(), kind, &engine_, &updated);
    if (!dry && got.code == 200) stored = std::move(updated);
    compare(step, want, got);
  }

  int passed = 0;
  int failed = 0;

 private:
  struct Known {
    Document crd;
    resource::Kind kind;
  };

  static std::string object_name(const Value& body) {
    return std::string(text_of(*body.find("metadata"), "name"));
  }

  void crd_step(const Value& step) {
    if (text_of(step, "method") == "POST") {
      const Value& body = *step.find("body");
      const std::optional<Answer> refused = refuse_crd(body);
      const Value* expect = step.find("expect");
      const std::int64_t code = expect == nullptr ? 201 : expect->find("code")->as_int();
      if (code >= 400) {
        // Only the message was recorded.
        const Value& want = *expect->find("body");
        const std::string got =
            refused ? std::string(text_of(value::read_json(refused->body)->root(), "message")) : "";
        count(text_of(step, "id"), got == text_of(want, "message"),
              std::string(text_of(want, "message")), got);
        return;
      }
      count(text_of(step, "id"), !refused, "accepted", refused ? refused->body : "");
      Known& known = kinds_[std::string(text_of(*body.find("spec"), "group"))];
      known.crd = copy_of(body);
      known.kind = testing::kind_of(known.crd.root());
    } else if (text_of(step, "method") == "PATCH") {
      for (auto& [group, known] : kinds_) {
        if (text_of(step, "path").find(group) == std::string_view::npos) continue;
        testing::apply_json_patch(known.crd, *step.find("body"));
        known.kind = testing::kind_of(known.crd.root());
        retired_.push_back(known.kind.schema);
      }
    }
  }

  void compare(const Value& step, const Answer& want, const Answer& got) {
    count(text_of(step, "id"), want == got,
          want.body + " " + ::testing::PrintToString(want.warnings),
          got.body + " " + ::testing::PrintToString(got.warnings));
  }

  void count(std::string_view id, bool same, const std::string& want, const std::string& got) {
    ++(same ? passed : failed);
    if (!same) ADD_FAILURE() << name_ << " " << id << "\n  want " << want << "\n  got  " << got;
  }

  std::string name_;
  std::map<std::string, Known> kinds_;
  std::map<std::string, Document> stored_;
  std::vector<schema::NodePtr> retired_;  // the engine keeps what it compiled for them
  Engine engine_;
};

void replay(std::string_view prefix) {
  STRAKE_REQUIRE_VECTORS(folder, "apiserver");
  std::vector<fs::path> files;
  for (const auto& entry : fs::directory_iterator(folder)) {
    if (entry.path().filename().string().starts_with(prefix)) files.push_back(entry.path());
  }
  std::ranges::sort(files);
  ASSERT_FALSE(files.empty());
  int passed = 0;
  int failed = 0;
  for (const fs::path& file : files) {
    const Document document = value::read_json(testing::read_file(file)).value();
    Conversation conversation(file.stem().string());
    for (const Value& step : document.root().find("steps")->items()) conversation.step(step);
    passed += conversation.passed;
    failed += conversation.failed;
  }
  std::printf("%s*: %d passed, %d failed\n", std::string(prefix).c_str(), passed, failed);
  EXPECT_GT(passed, 0);
}

TEST(RecordedRules, GetTheAnswersOfTheApiServer) { replay("cel_"); }

TEST(RecordedTransitions, GetTheAnswersOfTheApiServer) { replay("transition_"); }

TEST(RecordedRatchetsOfRules, GetTheAnswersOfTheApiServer) { replay("ratchet_"); }

TEST(RecordedCrdsWithRules, GetTheAnswersOfTheApiServer) {
  STRAKE_REQUIRE_VECTORS(folder, "apiserver");
  const Document document = value::read_json(testing::read_file(folder / "crds.json")).value();
  int passed = 0;
  int failed = 0;
  int about_rules = 0;
  for (const Value& step : document.root().find("steps")->items()) {
    const Value& expect = *step.find("expect");
    const std::optional<Answer> got = refuse_crd(*step.find("body"));
    const bool refused = expect.find("code")->as_int() == 422;
    const Answer want = testing::recorded(expect);
    const bool same = refused ? got && got->body == want.body : !got;
    ++(same ? passed : failed);
    if (text_of(step, "id").starts_with("cel-")) ++about_rules;
    if (!same) {
      ADD_FAILURE() << text_of(step, "id") << "\n  want " << (refused ? want.body : "accepted")
                    << "\n  got  " << (got ? got->body : "accepted");
    }
  }
  std::printf("crds.json: %d passed, %d failed, %d of them about rules\n", passed, failed,
              about_rules);
  EXPECT_EQ(about_rules, testing::count_in(folder, 28, 3));
}

// The server took every one of them: their rules compile, and cost no more than is allowed.
TEST(RealCrds, AreAcceptedWithTheirRules) {
  STRAKE_REQUIRE_VECTORS(folder, "crds");
  int accepted = 0;
  for (const auto& path : testing::files_in(folder, ".yaml")) {
    const Document document = value::read_yaml(testing::read_file(path)).value();
    const std::optional<Answer> refused = refuse_crd(document.root());
    EXPECT_FALSE(refused) << path << ": " << refused->body;
    if (!refused) ++accepted;
  }
  std::printf("real CRDs: %d accepted\n", accepted);
  EXPECT_GE(accepted, testing::count_in(folder, 200, 2));
}

}  // namespace
}  // namespace strake::rules
