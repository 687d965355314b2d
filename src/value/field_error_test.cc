#include "value/field_error.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

namespace strake::value {
namespace {

FieldError at(std::string_view name) { return FieldError::required(FieldPath() / name); }

TEST(Aggregate, ShowsEachMessageOnceInItsOrder) {
  EXPECT_EQ(aggregate({}), "[]");
  EXPECT_EQ(aggregate({at("b")}), "b: Required value");
  EXPECT_EQ(aggregate({at("b"), at("b")}), "b: Required value");
  EXPECT_EQ(aggregate({at("b"), at("a"), at("b")}), "[b: Required value, a: Required value]");
}

// Comparing each with all before it would take minutes here.
TEST(FieldErrors, KeepTheFirstAndCountTheRest) {
  constexpr std::size_t kMany = 200'000;
  FieldErrors errors;
  for (std::size_t i = 0; i < kMany; ++i) errors.push_back(at(fmt::format("f{:06}", i)));
  EXPECT_EQ(errors.size(), kMostFieldErrors);
  EXPECT_EQ(errors.omitted(), kMany - kMostFieldErrors);
  EXPECT_TRUE(errors.full());
  const std::string text = aggregate(errors);
  EXPECT_TRUE(text.starts_with("[f000000: Required value, f000001: Required value, "));
  EXPECT_TRUE(text.ends_with("f009999: Required value, and 190000 more errors]"));
}

TEST(FieldErrors, HaveALimitOfBytes) {
  const std::string long_text(40 << 10, 'x');
  FieldErrors errors;
  for (int i = 0; i < 100; ++i)
    errors.push_back(FieldError::invalid(FieldPath() / "a", Value::string(long_text), "is wrong"));
  errors.push_back(at("small"));  // none behind one that was left out
  EXPECT_EQ(errors.size() + errors.omitted(), 101u);
  EXPECT_EQ(errors.back().field(), "a");
  std::size_t bytes = 0;
  for (const FieldError& error : errors) bytes += error.to_string().size();
  EXPECT_LE(bytes, kMostErrorBytes);
  EXPECT_GT(bytes, kMostErrorBytes / 2);
}

TEST(FieldErrors, TakeOverThoseOfAnotherListWithWhatItLeftOut) {
  FieldErrors first = {at("a")};
  FieldErrors second = {at("b"), at("c")};
  second.omit(5);
  first.append(std::move(second));
  EXPECT_EQ(first.size(), 3u);
  EXPECT_EQ(first.omitted(), 5u);
  EXPECT_EQ(aggregate(first),
            "[a: Required value, b: Required value, c: Required value, and 5 more errors]");
  first.keep_first(1);
  EXPECT_EQ(first.size(), 1u);
  FieldErrors one = {at("a")};
  one.omit(1);
  EXPECT_EQ(aggregate(one), "[a: Required value, and 1 more error]");
}

TEST(RenderedValue, IsCutWhereItIsTooLong) {
  EXPECT_EQ(render_value(Value::string(std::string(1000, 'a'))).size(), 1002u);
  const std::string text(3 * kMostShownBytes, 'a');
  const std::string shown = render_value(Value::string(text));
  EXPECT_TRUE(shown.starts_with("\"aaa"));
  EXPECT_TRUE(shown.ends_with("aa... (cut after 65536 bytes)")) << shown.substr(shown.size() - 50);

  Arena arena;
  Value list = Value::array({});
  for (int i = 0; i < 100'000; ++i) list.append(Value::string("item"), arena);
  const std::string items = render_value(list);
  EXPECT_TRUE(items.starts_with(R"(["item","item",)"));
  EXPECT_TRUE(items.ends_with("... (cut after 65536 bytes)"));
}

TEST(CutText, EndsBetweenCharacters) {
  std::string text = "aéb";
  cut_text(text, 4);
  EXPECT_EQ(text, "aéb");
  cut_text(text, 2);
  EXPECT_EQ(text, "a... (cut after 1 bytes)");
}

}  // namespace
}  // namespace strake::value
