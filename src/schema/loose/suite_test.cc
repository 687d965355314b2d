// The official JSON Schema 2020-12 test suite.
#include <gtest/gtest.h>

#include <filesystem>
#include <map>
#include <string>

#include "schema/loose/evaluate.h"
#include "schema/loose/import.h"
#include "schema/loose/stream.h"
#include "support/files.h"
#include "support/vectors.h"
#include "value/json_reader.h"
#include "value/json_writer.h"

namespace strake::schema::loose {
namespace {

namespace fs = std::filesystem;

value::ReadOptions exact_numbers() {
  value::ReadOptions options;
  options.numbers = value::NumberPolicy::kLiteral;
  return options;
}

// http://localhost:1234/ is the folder of remotes.
class Remotes final : public Resolver {
 public:
  explicit Remotes(fs::path folder) : folder_(std::move(folder)) {}
  Result<value::Document> load(std::string_view uri) override {
    constexpr std::string_view kServer = "http://localhost:1234/";
    if (!uri.starts_with(kServer)) return fail(Code::kNotFound, "{} is elsewhere", uri);
    const fs::path file = folder_ / uri.substr(kServer.size());
    if (!fs::is_regular_file(file)) return fail(Code::kNotFound, "no {}", file.string());
    return value::read_json(testing::read_file(file), exact_numbers());
  }

 private:
  fs::path folder_;
};

// A stream of the same value finds the same issues.
void expect_same_over_stream(const value::Value& data, const Schema& schema, const Options& options,
                             const Report& tree) {
  StreamEvaluator evaluator(schema, *schema.root(), options);
  value::JsonPushParser parser(evaluator, exact_numbers());
  ASSERT_TRUE(parser.feed(value::to_json(data)).has_value());
  ASSERT_TRUE(parser.finish().has_value());
  const Report stream = evaluator.take();
  EXPECT_EQ(stream.verdict, tree.verdict);
  ASSERT_EQ(stream.issues.size(), tree.issues.size());
  for (std::size_t i = 0; i < tree.issues.size(); ++i) {
    EXPECT_EQ(stream.issues[i].to_json(), tree.issues[i].to_json());
  }
}

struct Tally {
  int passed = 0;
  int failed = 0;
  std::string failures;
};

void run_file(const fs::path& file, const fs::path& remotes_folder, const Options& options,
              Tally& tally) {
  Remotes remotes(remotes_folder);
  auto document = value::read_json(testing::read_file(file), exact_numbers());
  ASSERT_TRUE(document.has_value()) << document.error().to_string();
  for (const value::Value& group : document->root().items()) {
    ImportOptions import_options;
    import_options.resolver = &remotes;
    auto imported = import_schema(*group.find("schema"), import_options);
    for (const value::Value& test : group.find("tests")->items()) {
      const std::string name = std::string(group.find("description")->as_string()) + ": " +
                               std::string(test.find("description")->as_string());
      if (!imported) {
        ++tally.failed;
        tally.failures +=
            file.filename().string() + ": " + name + ": " + imported.error().to_string() + "\n";
        continue;
      }
      const Report report = evaluate(*test.find("data"), *imported->schema, options);
      expect_same_over_stream(*test.find("data"), *imported->schema, options, report);
      if ((report.verdict == Verdict::kValid) == test.find("valid")->as_bool()) {
        ++tally.passed;
        continue;
      }
      ++tally.failed;
      tally.failures += file.filename().string() + ": " + name + "\n";
    }
  }
}

TEST(JsonSchemaSuite, PassesEveryRequiredTest) {
  STRAKE_REQUIRE_VECTORS(folder, "jsonschema");
  Tally tally;
  for (const fs::path& file : testing::files_in(folder / "draft2020-12", ".json"))
    run_file(file, folder / "remotes", {}, tally);
  std::printf("JSON Schema 2020-12: %d of %d required tests pass\n", tally.passed,
              tally.passed + tally.failed);
  EXPECT_EQ(tally.failed, 0) << tally.failures;
  EXPECT_EQ(tally.passed, testing::count_in(folder, 1299, 33));
}

TEST(JsonSchemaSuite, CountsTheOptionalTests) {
  STRAKE_REQUIRE_VECTORS(folder, "jsonschema");
  const fs::path optional = folder / "draft2020-12" / "optional";
  std::map<std::string, Tally> tallies;
  for (const auto& entry : fs::recursive_directory_iterator(optional)) {
    if (entry.path().extension() != ".json") continue;
    const bool formats = entry.path().parent_path().filename() == "format";
    Options options;
    options.formats = formats ? FormatMode::kEnforce : FormatMode::kProfile;
    run_file(entry.path(), folder / "remotes", options,
             tallies[fs::relative(entry.path(), optional).string()]);
  }
  int passed = 0;
  int failed = 0;
  for (const auto& [name, tally] : tallies) {
    std::printf("  %-40s %3d of %3d\n", name.c_str(), tally.passed, tally.passed + tally.failed);
    if (tally.failed > 0) std::printf("%s", tally.failures.c_str());
    passed += tally.passed;
    failed += tally.failed;
  }
  std::printf("JSON Schema 2020-12: %d of %d optional tests pass\n", passed, passed + failed);
  EXPECT_GE(passed, testing::count_in(folder, 900, 8));
}

}  // namespace
}  // namespace strake::schema::loose
