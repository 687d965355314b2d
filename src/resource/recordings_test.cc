// What kube-apiserver v1.36.4 answered to values, and to updates under a tightened schema,
// reproduced by the engine alone.
#include "support/recordings.h"

#include <gtest/gtest.h>

#include <filesystem>

#include "support/vectors.h"
#include "value/json_reader.h"
#include "value/json_writer.h"

namespace strake::resource {
namespace {

namespace fs = std::filesystem;
using testing::Answer;
using value::Document;
using value::Value;

std::vector<fs::path> conversations(const fs::path& folder, std::string_view prefix) {
  std::vector<fs::path> found;
  for (const auto& entry : fs::directory_iterator(folder)) {
    if (entry.path().filename().string().starts_with(prefix)) found.push_back(entry.path());
  }
  std::sort(found.begin(), found.end());
  return found;
}

Document load(const fs::path& file) { return value::read_json(testing::read_file(file)).value(); }

std::string_view text(const Value& v, std::string_view key) {
  const Value* found = v.find(key);
  return found != nullptr ? found->as_string() : std::string_view();
}

struct Tally {
  int passed = 0;
  int failed = 0;
  int waiting = 0;  // for rules
  void compare(const std::string& name, const Answer& want, const Answer& got) {
    if (want == got) {
      ++passed;
      return;
    }
    ++failed;
    ADD_FAILURE() << name << "\n  want " << want.code << " " << want.body << " "
                  << ::testing::PrintToString(want.warnings) << "\n  got  " << got.code << " "
                  << got.body << " " << ::testing::PrintToString(got.warnings);
  }
  void print(const char* what) const {
    std::printf("%s: %d passed, %d failed, %d waiting for rules\n", what, passed, failed, waiting);
  }
};

TEST(RecordedValues, GetTheAnswersOfTheApiServer) {
  STRAKE_REQUIRE_VECTORS(folder, "apiserver");
  Tally tally;
  for (const fs::path& file : conversations(folder, "values_")) {
    const Document conversation = load(file);
    Kind kind;
    for (const Value& step : conversation.root().find("steps")->items()) {
      if (text(step, "id") == "crd") kind = testing::kind_of(*step.find("body"));
      if (step.find("expect") == nullptr) continue;
      const bool strict =
          text(step, "path").find("fieldValidation=Strict") != std::string_view::npos;
      tally.compare(file.stem().string() + " " + std::string(text(step, "id")),
                    testing::recorded(*step.find("expect")),
                    testing::create(*step.find("body"), kind, {.strict = strict}));
    }
  }
  tally.print("values");
  EXPECT_GT(tally.passed, 0);
}

TEST(RecordedRatchets, GetTheAnswersOfTheApiServer) {
  STRAKE_REQUIRE_VECTORS(folder, "apiserver");
  Tally tally;
  for (const fs::path& file : conversations(folder, "ratchet_")) {
    const Document conversation = load(file);
    Document crd;
    Document stored;
    Kind kind;
    for (const Value& step : conversation.root().find("steps")->items()) {
      const std::string_view id = text(step, "id");
      const bool on_crd =
          text(step, "path").find("customresourcedefinitions") != std::string_view::npos;
      if (id == "crd") {
        crd.root() = value::deep_copy(*step.find("body"), crd.arena());
        kind = testing::kind_of(crd.root());
      } else if (on_crd && text(step, "method") == "PATCH") {
        testing::apply_json_patch(crd, *step.find("body"));
        kind = testing::kind_of(crd.root());
      } else if (const Value* expect = step.find("expect"); expect != nullptr && !on_crd) {
        const std::string name = file.stem().string() + " " + std::string(id);
        if (kind.schema->has_rules_below) {
          ++tally.waiting;
        } else if (text(step, "method") == "POST") {
          const bool dry = text(step, "path").find("dryRun") != std::string_view::npos;
          tally.compare(
              name, testing::recorded(*expect),
              testing::create(*step.find("body"), kind, {.created = dry ? nullptr : &stored}));
        } else if (text(step, "method") == "PATCH") {
          Document patched = stored.fork();
          testing::apply_json_patch(patched, *step.find("body"));
          tally.compare(name, testing::recorded(*expect),
                        testing::update(patched.root(), stored.root(), kind, nullptr));
        }
      }
    }
  }
  tally.print("ratchets");
  EXPECT_GT(tally.passed, 0);
}

}  // namespace
}  // namespace strake::resource
