#include "aggregator/user_headers.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

namespace strake::aggregator {
namespace {

using namespace std::string_view_literals;

std::string shown(const http::Headers& headers) {
  std::string out;
  for (const http::Header& one : headers.all())
    out += fmt::format("{}{}={}", out.empty() ? "" : " ", one.name, one.value);
  return out;
}

TEST(AddUser, TellsAllOfTheUser) {
  http::Headers out;
  ASSERT_TRUE(add_user({.name = "jane",
                        .uid = "u1",
                        .groups = {"a", "b"},
                        .extra = {{"example.com/scope%", {"x", "y"}}}},
                       out));
  EXPECT_EQ(shown(out),
            "X-Remote-User=jane X-Remote-Uid=u1 X-Remote-Group=a X-Remote-Group=b "
            "X-Remote-Extra-example.com%2Fscope%25=x X-Remote-Extra-example.com%2Fscope%25=y");
}

TEST(AddUser, RefusesWhatWouldBeReadAsSomebodyElse) {
  for (const std::string_view name :
       {" root"sv, "root\t"sv, "a\r\nX-Remote-Group: system:masters"sv, "a\0b"sv}) {
    http::Headers out;
    const Result<> told = add_user({.name = std::string(name)}, out);
    ASSERT_FALSE(told) << name;
    EXPECT_EQ(told.error().message(), "the value of X-Remote-User cannot be sent");
  }
  http::Headers out;
  EXPECT_FALSE(add_user({.name = "a", .groups = {"fine", "g\n"}}, out));
  EXPECT_FALSE(add_user({.name = "a", .extra = {{"k", {"v\r"}}}}, out));
}

}  // namespace
}  // namespace strake::aggregator
