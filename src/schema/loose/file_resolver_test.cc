#include "schema/loose/file_resolver.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <map>

#include "schema/loose/evaluate.h"
#include "value/json_reader.h"

namespace strake::schema::loose {
namespace {

class ReferencedMapFiles final : public ReferencedFiles {
 public:
  std::map<std::string, std::string> files;
  std::map<std::string, std::string> links;
  Result<std::string> real_path(const std::string& path) override {
    const std::string real = links.contains(path) ? links.at(path) : path;
    if (!files.contains(real) && real != "/schemas")
      return fail(Code::kNotFound, "{}: no such file", path);
    return real;
  }
  Result<std::string> read(const std::string& path, std::size_t limit) override {
    if (files.at(path).size() > limit) return fail(Code::kLimit, "{}: too large", path);
    return files.at(path);
  }
};

TEST(FileResolver, ReadsJsonAndYamlBelowItsRoots) {
  ReferencedMapFiles files;
  files.files["/schemas/a b.json"] = R"({"type":"string"})";
  files.files["/schemas/c.yaml"] = "type: integer\n";
  FileResolver resolver(files, {"/schemas"});
  EXPECT_EQ(resolver.load("file:///schemas/a%20b.json")->root().find("type")->as_string(),
            "string");
  EXPECT_EQ(resolver.load("/schemas/c.yaml")->root().find("type")->as_string(), "integer");
}

TEST(FileResolver, RefusesWhatLiesOutside) {
  ReferencedMapFiles files;
  files.files["/etc/secret.json"] = "{}";
  files.files["/schemas-of-others/a.json"] = "{}";
  files.links["/schemas/link.json"] = "/etc/secret.json";
  FileResolver resolver(files, {"/schemas"}, 10);
  EXPECT_EQ(resolver.load("file:///etc/secret.json").error().code(), Code::kForbidden);
  EXPECT_EQ(resolver.load("file:///schemas/link.json").error().code(), Code::kForbidden);
  EXPECT_EQ(resolver.load("/schemas-of-others/a.json").error().code(), Code::kForbidden);
  EXPECT_EQ(resolver.load("http://example.com/a.json").error().code(), Code::kUnsupported);
  EXPECT_EQ(resolver.load("file://elsewhere/a.json").error().code(), Code::kUnsupported);
  EXPECT_EQ(resolver.load("file:///schemas/none.json").error().code(), Code::kNotFound);
  EXPECT_EQ(resolver.load("file:///schemas/a%00.json").error().code(), Code::kInvalid);
  files.files["/schemas/big.json"] = R"({"type":"string"})";
  EXPECT_EQ(resolver.load("/schemas/big.json").error().code(), Code::kLimit);
}

TEST(FileResolver, FollowsLinksAndDotsOfTheDiskBeforeItJudges) {
  namespace fs = std::filesystem;
  const fs::path base = fs::path(::testing::TempDir()) / "strake_file_resolver";
  fs::remove_all(base);
  fs::create_directories(base / "in");
  std::ofstream(base / "in" / "a.json") << R"({"$ref":"b.json#/$defs/x"})";
  std::ofstream(base / "in" / "b.json") << R"({"$defs":{"x":{"type":"integer"}}})";
  std::ofstream(base / "out.json") << "{}";
  fs::create_symlink(base / "out.json", base / "in" / "link.json");
  ReferencedDiskFiles disk;
  FileResolver resolver(disk, {(base / "in").string()});
  EXPECT_EQ(resolver.load((base / "in" / "link.json").string()).error().code(), Code::kForbidden);
  EXPECT_EQ(resolver.load((base / "in" / ".." / "out.json").string()).error().code(),
            Code::kForbidden);

  ImportOptions options;
  options.resolver = &resolver;
  options.base_uri = "file://" + (base / "in" / "root.json").string();
  auto schema = value::read_json(R"({"properties":{"n":{"$ref":"a.json"}}})");
  auto imported = import_schema(schema->root(), options);
  ASSERT_TRUE(imported.has_value()) << imported.error().to_string();
  EXPECT_EQ(evaluate(value::read_json(R"({"n":"x"})")->root(), *imported->schema).verdict,
            Verdict::kInvalid);
  EXPECT_EQ(evaluate(value::read_json(R"({"n":1})")->root(), *imported->schema).verdict,
            Verdict::kValid);
  fs::remove_all(base);
}

}  // namespace
}  // namespace strake::schema::loose
