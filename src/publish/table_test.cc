#include "publish/table.h"

#include <gtest/gtest.h>

#include <chrono>
#include <iostream>

#include "base/rfc3339.h"
#include "kinds/custom_resource_strategy.h"
#include "publish/test_resources.h"
#include "support/vectors.h"
#include "value/json_reader.h"
#include "value/json_writer.h"

namespace strake::publish {
namespace {

using kinds::Column;
using kinds::ResourcePtr;
using testing::installed;
using testing::widgets_crd;
using value::Document;
using value::Value;

WallTime at(std::string_view time) { return parse_rfc3339(time)->to_wall(); }

const kinds::CustomResourceStrategy kCustom(nullptr);

TablePrinter printer(std::string_view columns) {
  const ResourcePtr resource = installed(widgets_crd("a.io", columns));
  return TablePrinter(resource, resource->versions[0], kCustom);
}

std::string row(const TablePrinter& printer, std::string_view object,
                IncludeObject include = IncludeObject::kNone) {
  const auto document = value::read_json(object);
  std::string out;
  printer.row(out, document->root(), object, include, at("2024-01-10T00:00:00Z"));
  return out;
}

TEST(Table, FillsCellsByTheirType) {
  const TablePrinter table = printer(R"json([
    {"name":"S","type":"string","jsonPath":".v"},{"name":"I","type":"integer","jsonPath":".v"},
    {"name":"N","type":"number","jsonPath":".v"},{"name":"B","type":"boolean","jsonPath":".v"},
    {"name":"D","type":"date","jsonPath":".v"}])json");
  const struct {
    std::string_view value;
    std::string_view cells;
  } cases[] = {
      {R"("text")", R"("text",null,null,null,"\u003cinvalid\u003e")"},
      {R"("<&>\"")", R"("\u003c\u0026\u003e\"",null,null,null,"\u003cinvalid\u003e")"},
      {R"("")", R"("",null,null,null,"\u003cunknown\u003e")"},
      {R"("null")", R"("null",null,null,null,"\u003cunknown\u003e")"},
      {R"("0001-01-01T00:00:00Z")",
       R"("0001-01-01T00:00:00Z",null,null,null,"\u003cunknown\u003e")"},
      {R"("2024-01-09T22:00:00Z")", R"("2024-01-09T22:00:00Z",null,null,null,"120m")"},
      {R"("2024-01-10T00:00:09Z")",
       R"("2024-01-10T00:00:09Z",null,null,null,"\u003cinvalid\u003e")"},
      {"7", R"("7",7,7,null,null)"},
      {"-7", R"("-7",-7,-7,null,null)"},
      {"7.9", R"("7.9",7,7.9,null,null)"},
      {"1e21", R"("1e+21",-9223372036854775808,1e+21,null,null)"},
      {"1000000", R"("1000000",1000000,1000000,null,null)"},
      {"true", R"("true",null,null,true,null)"},
      {"null", R"("\u003cno value\u003e",null,null,null,null)"},
      {R"({"a":[1]})", R"("{\"a\":[1]}",null,null,null,null)"},
      {R"(["x"])", R"("[\"x\"]",null,null,null,null)"},
  };
  for (const auto& one : cases) {
    EXPECT_EQ(row(table, R"({"metadata":{"name":"w"},"v":)" + std::string(one.value) + "}"),
              R"({"cells":["w",)" + std::string(one.cells) + R"(],"object":null})")
        << one.value;
  }
  EXPECT_EQ(row(table, R"({"metadata":{"name":"w"}})"),
            R"({"cells":["w",null,null,null,null,null],"object":null})");
  EXPECT_EQ(row(table, "{}"), R"({"cells":["",null,null,null,null,null],"object":null})");
}

TEST(Table, CarriesTheObjectAsAskedFor) {
  const TablePrinter table = printer("[]");
  const std::string object =
      R"({"kind":"Widget","metadata":{"creationTimestamp":"2024-01-07T21:00:00Z","name":"w"},"spec":{}})";
  EXPECT_EQ(row(table, object, IncludeObject::kNone), R"({"cells":["w","2d3h"],"object":null})");
  EXPECT_EQ(row(table, object + "\n", IncludeObject::kObject),
            R"({"cells":["w","2d3h"],"object":)" + object + "}");
  EXPECT_EQ(
      row(table, object, IncludeObject::kMetadata),
      R"({"cells":["w","2d3h"],"object":{"kind":"PartialObjectMetadata","apiVersion":"meta.k8s.io/v1",)"
      R"("metadata":{"creationTimestamp":"2024-01-07T21:00:00Z","name":"w"}}})");
}

std::string column_names(const TablePrinter& table) {
  std::string text;
  table.begin(text, "{}", true);
  table.end(text);
  const auto document = value::read_json(text);
  std::string out;
  for (const Value& one : document->root().find("columnDefinitions")->items())
    out += std::string(one.find("name")->as_string()) + " ";
  return out;
}

TEST(Table, StopsAtAColumnWhosePathCannotBeRead) {
  const TablePrinter table = printer(R"json([
    {"name":"A","type":"string","jsonPath":".a"},{"name":"B","type":"string","jsonPath":".b["},
    {"name":"C","type":"string","jsonPath":".c"}])json");
  EXPECT_EQ(column_names(table), "Name A ");
  EXPECT_EQ(row(table, R"({"metadata":{"name":"w"},"a":"1","c":"3"})"),
            R"({"cells":["w","1"],"object":null})");
}

TEST(Table, ShowsNoColumnsInLaterEventsOfAWatch) {
  std::string out;
  const TablePrinter table = printer("[]");
  table.begin(out, R"({"resourceVersion":"5"})", false);
  table.end(out);
  EXPECT_EQ(
      out,
      R"({"kind":"Table","apiVersion":"meta.k8s.io/v1","metadata":{"resourceVersion":"5"},"columnDefinitions":null,"rows":[]})");
}

TEST(Table, OfAScaleShowsReplicas) {
  const ResourcePtr resource = installed(widgets_crd("a.io"));
  const TablePrinter table = TablePrinter::of_scale(resource, resource->versions[0]);
  EXPECT_EQ(column_names(table), "Name Desired Available Age ");
  EXPECT_EQ(
      row(table,
          R"({"metadata":{"name":"w","creationTimestamp":"2024-01-09T23:59:00Z"},"spec":{"replicas":3},"status":{"replicas":2}})"),
      R"({"cells":["w",3,2,"60s"],"object":null})");
}

TEST(Table, OfAKindWithoutColumnsShowsWhenItWasMade) {
  auto resource = std::make_shared<kinds::Resource>();
  resource->kind = "CustomResourceDefinition";
  resource->versions.emplace_back().name = "v1";
  const TablePrinter table(resource, resource->versions[0], kCustom);
  EXPECT_EQ(column_names(table), "Name Created At ");
  EXPECT_EQ(row(table, R"({"metadata":{"name":"w","creationTimestamp":"2024-01-09T23:59:00Z"}})"),
            R"({"cells":["w","2024-01-09T23:59:00Z"],"object":null})");
}

// --- against recorded conversations

// The step of that name.
const Value* step(const Value& conversation, std::string_view id) {
  for (const Value& one : conversation.find("steps")->items()) {
    if (one.find("id")->as_string() == id && one.find("expect") != nullptr) return &one;
  }
  return nullptr;
}

// Prints the recorded rows again from their own objects and compares. Ages and times were
// normalised when they were recorded, so the time of every object is put just so long ago.
void expect_table(const TablePrinter& table, const Value& want, const std::string& what,
                  const std::vector<std::string_view>& objects, IncludeObject include,
                  WallTime now) {
  std::string out;
  table.begin(out, value::to_json(*want.find("metadata")),
              !want.find("columnDefinitions")->is_null());
  for (std::size_t i = 0; i < objects.size(); ++i) {
    if (i > 0) out += ',';
    const auto object = value::read_json(objects[i]);
    table.row(out, object->root(), objects[i], include, now);
  }
  table.end(out);
  const auto got = value::read_json(out);
  ASSERT_TRUE(got) << out;
  EXPECT_EQ(value::to_json(got->root()), value::to_json(want)) << what;
}

std::string replaced(std::string text, std::string_view from, std::string_view to) {
  for (std::size_t at = 0; (at = text.find(from, at)) != std::string::npos; at += to.size())
    text.replace(at, from.size(), to);
  return text;
}

TEST(TableRecordings, OfCustomResourcesAreReproduced) {
  STRAKE_REQUIRE_VECTORS(folder, "apiserver");
  constexpr std::string_view kCreated = "2024-01-01T00:00:00Z";
  int tables = 0;
  for (const char* file : {"http_lists.json", "http_watches.json"}) {
    const auto conversation =
        value::read_json(replaced(strake::testing::read_file(folder / file), "<time>", kCreated));
    ASSERT_TRUE(conversation);
    const Value& first = conversation->root().find("steps")->items()[0];
    const ResourcePtr resource = installed(*first.find("body"));
    const TablePrinter table(resource, resource->versions[0], kCustom);
    std::vector<const Value*> wanted;
    for (const char* id : {"table", "table-one", "table-none", "table-object"}) {
      if (const Value* one = step(conversation->root(), id))
        wanted.push_back(one->find("expect")->find("body"));
    }
    if (const Value* watch = step(conversation->root(), "table-watch")) {
      for (const Value& event : watch->find("expect")->find("body")->items())
        wanted.push_back(event.find("object"));
    }
    for (const Value* want : wanted) {
      std::vector<std::string> texts;
      IncludeObject include = IncludeObject::kMetadata;
      WallTime now = at(kCreated);
      for (const Value& one : want->find("rows")->items()) {
        // The age is the last cell; the size, the only other one, is one more than the number in
        // the name.
        const auto cells = one.find("cells")->items();
        const std::string_view age = cells.back().as_string();
        now = at(kCreated) + std::chrono::seconds(age[0] - '0');
        const std::string name(cells[0].as_string());
        if (one.find("object")->is_null()) {
          include = IncludeObject::kNone;
          texts.push_back(R"({"metadata":{"name":")" + name + R"(","creationTimestamp":")" +
                          std::string(kCreated) + R"("},"spec":{"size":1}})");
          continue;
        }
        Document copy;
        copy.root() = value::deep_copy(*one.find("object"), copy.arena());
        if (copy.root().find("spec") != nullptr) {
          include = IncludeObject::kObject;
        } else if (cells.size() == 4) {
          Value spec = Value::object({});
          spec.set("size", Value::integer(name[1] - '0' + 1), copy.arena());
          copy.root().set("spec", spec, copy.arena());
        }
        texts.push_back(value::to_json(copy.root()));
      }
      expect_table(table, *want, file, {texts.begin(), texts.end()}, include, now);
      ++tables;
    }
  }
  std::cout << "tables: " << tables << " compared\n";
  EXPECT_EQ(tables, strake::testing::count_in(folder, 8, 7));
}

}  // namespace
}  // namespace strake::publish
