#include "schema/distinct_errors.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "schema/compile.h"
#include "schema/validate.h"
#include "value/yaml_reader.h"

namespace strake::schema {
namespace {

using value::FieldError;

FieldError error_at(std::string_view name) {
  return FieldError::required(FieldPath() / "spec" / name);
}

std::vector<std::string> texts(DistinctErrors errors) {
  std::vector<std::string> out;
  for (const FieldError& error : std::move(errors).take()) out.push_back(error.to_string());
  return out;
}

TEST(DistinctErrors, KeepEachMessageOnceInItsOrder) {
  for (const int count : {3, 50}) {  // few, and so many that they are looked up by hash
    DistinctErrors all;
    std::vector<std::string> want;
    for (int round = 0; round < 2; ++round) {
      DistinctErrors part;
      for (int i = count; i > 0; --i) {
        part.add(error_at(fmt::format("f{}", i)));
        part.add(error_at(fmt::format("f{}", i)));
        if (round == 0) want.push_back(error_at(fmt::format("f{}", i)).to_string());
      }
      EXPECT_EQ(part.size(), static_cast<std::size_t>(count));
      all.merge(std::move(part));
    }
    EXPECT_EQ(texts(std::move(all)), want);
  }
}

TEST(DistinctErrors, TellTypesApart) {
  DistinctErrors errors;
  errors.add(FieldError::forbidden(FieldPath() / "a", "x"));
  errors.add(FieldError::internal(FieldPath() / "a", "x"));
  EXPECT_EQ(errors.size(), 2u);
}

// The work of a validation with n wrong items: messages that were rendered.
std::uint64_t rendered_for(const Node& schema, std::size_t n) {
  std::string yaml = "spec:\n  l:\n";
  for (std::size_t i = 0; i < n; ++i) yaml += fmt::format("  - {{a: x{}, b: 1}}\n", i);
  const value::Document document = value::read_yaml(yaml).value();
  const std::uint64_t before = DistinctErrors::rendered();
  const value::FieldErrors errors = validate(document.root(), schema);
  EXPECT_EQ(errors.size() + errors.omitted(), 2 * n);
  return DistinctErrors::rendered() - before;
}

TEST(DistinctErrors, TakeWorkInProportionToTheirNumber) {
  const NodePtr schema =
      compile(value::read_yaml("{type: object, properties: {spec: {type: object, properties: {l: "
                               "{type: array, items: {type: object, properties: {a: {type: "
                               "integer}, b: {type: string}}}}}}}}")
                  .value()
                  .root())
          .value();
  const std::uint64_t once = rendered_for(*schema, 500);
  EXPECT_EQ(once, 1000u) << "each message is rendered once, however deep it was found";
  EXPECT_EQ(rendered_for(*schema, 1000), 2 * once);
  EXPECT_EQ(rendered_for(*schema, 2000), 4 * once);
  EXPECT_EQ(rendered_for(*schema, 16'000), 32 * once);
}

}  // namespace
}  // namespace strake::schema
