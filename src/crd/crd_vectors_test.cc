// The checks against what kube-apiserver v1.36.4 said: recorded refusals word for word, and real
// CRDs that it took.
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <iostream>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "crd/check.h"
#include "meta/status.h"
#include "support/files.h"
#include "support/vectors.h"
#include "value/fields.h"
#include "value/json_reader.h"
#include "value/json_writer.h"
#include "value/yaml_reader.h"

namespace strake::crd {
namespace {

using value::Document;
using value::Value;

// Refusals that only a compiler of rules can find.
bool needs_rules(std::string_view message) {
  for (const std::string_view mark :
       {"compilation failed", "cost", "must evaluate to", "oldSelf", "failed rule"}) {
    if (message.find(mark) != std::string_view::npos) return true;
  }
  return false;
}

using Causes = std::multiset<std::string>;

Causes causes_of(const Value& status) {
  Causes out;
  const Value* details = status.find("details");
  const Value* causes = details != nullptr ? details->find("causes") : nullptr;
  if (causes == nullptr) return out;
  for (const Value& cause : causes->items()) {
    out.insert(std::string(text_of(cause, "field")) + " | " +
               std::string(text_of(cause, "reason")) + " | " +
               std::string(text_of(cause, "message")));
  }
  return out;
}

// What the recording sorts when there are several causes: the list in the message.
std::string settled(const meta::Status& status) {
  if (status.details.causes.size() < 2) return status.message;
  std::set<std::string> texts;
  for (const meta::StatusCause& cause : status.details.causes)
    texts.insert(cause.field + ": " + cause.message);
  const std::size_t head = status.message.find(" is invalid: [");
  if (head == std::string::npos) return status.message;
  std::string out = status.message.substr(0, head) + " is invalid: [";
  for (const std::string& one : texts) out += (out.back() == '[' ? "" : ", ") + one;
  return out + "]";
}

Document copy_of(const Value& v) { return *value::read_json(value::to_json(v)); }

std::set<std::string> recorded_warnings(const Value& expect) {
  std::set<std::string> out;
  for (const Value& one : expect.find("warnings")->items())
    out.insert(std::string(one.as_string()));
  return out;
}

std::string header(const std::string& warning) {
  std::string out = "299 - \"";
  for (const char c : warning) {
    if (c == '"' || c == '\\') out += '\\';
    out += c;
  }
  return out + "\"";
}

Crd read_yaml_crd(const std::filesystem::path& file) {
  auto document = value::read_yaml(testing::read_file(file));
  if (!document) ADD_FAILURE() << file << ": " << document.error().to_string();
  auto crd = Crd::read(std::move(*document));
  if (!crd) ADD_FAILURE() << file << ": " << crd.error().to_string();
  return std::move(*crd);
}

TEST(CrdRecordings, AreAnsweredWordForWord) {
  STRAKE_REQUIRE_VECTORS(folder, "apiserver");
  const auto recording = value::read_json(testing::read_file(folder / "crds.json"));
  ASSERT_TRUE(recording) << recording.error().to_string();
  int passed = 0;
  int failed = 0;
  int waiting = 0;
  for (const Value& step : recording->root().find("steps")->items()) {
    const std::string_view id = text_of(step, "id");
    const Value& expect = *step.find("expect");
    const Value& want = *expect.find("body");
    const std::int64_t code = expect.find("code")->as_int();
    std::vector<std::string> unknown;
    auto crd = Crd::read(copy_of(*step.find("body")), &unknown);
    ASSERT_TRUE(crd) << id << ": " << crd.error().to_string();
    crd->prepare_for_create();
    const value::FieldErrors errors = check_create(*crd);
    if (code == 422 && needs_rules(text_of(want, "message")) && errors.empty()) {
      ++waiting;
      continue;
    }
    bool same = true;
    const auto expect_equal = [&](const auto& got, const auto& wanted) {
      EXPECT_EQ(got, wanted) << id;
      same = same && got == wanted;
    };
    if (code == 201) {
      expect_equal(errors.empty() ? std::string() : value::aggregate(errors), std::string());
      std::set<std::string> warnings;
      for (const std::string& field : unknown)
        warnings.insert(header("unknown field \"" + field + "\""));
      for (const std::string& warning : format_warnings(*crd)) warnings.insert(header(warning));
      expect_equal(warnings, recorded_warnings(expect));
      // What is stored comes back as it was understood.
      crd->settle_defaults();
      for (const std::string_view part : {"spec", "status"}) {
        expect_equal(value::to_json(*crd->value().find(part)), value::to_json(*want.find(part)));
      }
    } else {
      const meta::Status status = meta::Status::invalid(
          {"apiextensions.k8s.io", "CustomResourceDefinition"}, crd->name(), errors);
      expect_equal(settled(status), std::string(text_of(want, "message")));
      expect_equal(causes_of(status.to_document().root()), causes_of(want));
    }
    ++(same ? passed : failed);
  }
  std::cout << "crds.json: " << passed << " passed, " << failed << " failed, " << waiting
            << " waiting for rules\n";
  EXPECT_EQ(failed, 0);
  EXPECT_GT(passed, testing::count_in(folder, 110, 10));
}

// Conversations about other things start with a CRD that was accepted; some tighten it later.
TEST(CrdRecordings, OfConversationsStartWithAcceptedCrds) {
  STRAKE_REQUIRE_VECTORS(folder, "apiserver");
  std::set<std::filesystem::path> files;
  for (const auto& entry : std::filesystem::directory_iterator(folder)) {
    const std::string name = entry.path().filename().string();
    if (!name.ends_with(".json") || name == "crds.json") continue;
    // Conversations about webhooks get their certificates only when they are played.
    if (testing::read_file(entry.path()).find("${caBundle}") != std::string::npos) continue;
    files.insert(entry.path());
  }
  int created = 0;
  int updated = 0;
  for (const auto& file : files) {
    const auto recording = value::read_json(testing::read_file(file));
    ASSERT_TRUE(recording) << file;
    std::optional<Crd> last;
    for (const Value& step : recording->root().find("steps")->items()) {
      if (text_of(step, "path").find("/customresourcedefinitions") == std::string_view::npos)
        continue;
      const Value* body = step.find("body");
      if (body == nullptr) continue;
      const Value* expect = step.find("expect");
      const Value* code = expect != nullptr ? expect->find("code") : nullptr;
      if (code != nullptr && code->as_int() >= 300) continue;
      if (text_of(step, "method") == "POST") {
        auto crd = Crd::read(copy_of(*body));
        ASSERT_TRUE(crd) << file << ": " << crd.error().to_string();
        crd->prepare_for_create();
        const value::FieldErrors errors = check_create(*crd);
        EXPECT_EQ(errors.empty() ? "" : value::aggregate(errors), "")
            << file << ' ' << text_of(step, "id");
        last = std::move(*crd);
        ++created;
      } else if (text_of(step, "id") == "tighten" && last) {
        Document next = copy_of(last->value());
        for (const Value& operation : body->items()) {
          ASSERT_EQ(text_of(operation, "op"), "replace") << file;
          FieldPath path;
          ASSERT_TRUE(FieldPath::parse_pointer(text_of(operation, "path"), path));
          ASSERT_TRUE(next.set(path, value::deep_copy(*operation.find("value"), next.arena())))
              << file;
        }
        ASSERT_TRUE(next.set(FieldPath() / "metadata" / "resourceVersion", Value::string("1")));
        auto crd = Crd::read(std::move(next));
        ASSERT_TRUE(crd) << file << ": " << crd.error().to_string();
        crd->prepare_for_update(*last);
        const value::FieldErrors errors = check_update(*crd, *last);
        EXPECT_EQ(errors.empty() ? "" : value::aggregate(errors), "") << file;
        ++updated;
      }
    }
  }
  std::cout << "conversations: " << created << " CRDs created, " << updated << " updated\n";
  EXPECT_GT(created, testing::count_in(folder, 80, 9));
  EXPECT_GT(updated, testing::count_in(folder, 10, 1));
}

TEST(CrdRecordings, OfRealCrdsAreAccepted) {
  STRAKE_REQUIRE_VECTORS(folder, "crds");
  const auto files = testing::files_in(folder, ".yaml");
  ASSERT_GE(files.size(), testing::count_in(folder, 200u, 2u));
  int accepted = 0;
  for (const auto& file : files) {
    Crd crd = read_yaml_crd(file);
    crd.prepare_for_create();
    const value::FieldErrors errors = check_create(crd);
    EXPECT_EQ(errors.empty() ? "" : value::aggregate(errors), "") << file;
    if (errors.empty()) ++accepted;
  }
  std::cout << "real CRDs: " << accepted << " of " << files.size() << " accepted\n";
}

TEST(CrdRecordings, OfRealCrdsHaveTheSameWarnings) {
  STRAKE_REQUIRE_VECTORS(folder, "crds");
  const std::string lines = testing::read_file(folder / "verdicts.jsonl");
  value::JsonReader reader(lines, {});
  int compared = 0;
  for (;;) {
    auto line = reader.next();
    ASSERT_TRUE(line) << line.error().to_string();
    if (!*line) break;
    const Value& verdict = (*line)->root();
    const std::string file(text_of(verdict, "file"));
    EXPECT_EQ(verdict.find("code")->as_int(), 201) << file;
    std::set<std::string> warnings;
    for (const std::string& warning : format_warnings(read_yaml_crd(folder / file))) {
      warnings.insert(header(warning));
    }
    EXPECT_EQ(warnings, recorded_warnings(verdict)) << file;
    ++compared;
  }
  EXPECT_GE(compared, testing::count_in(folder, 200, 2));
}

}  // namespace
}  // namespace strake::crd
