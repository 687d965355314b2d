#include "http/message.h"

#include <gtest/gtest.h>

namespace strake::http {
namespace {

TEST(Headers, AreFoundWithoutRegardToCase) {
  Headers headers;
  headers.add(std::string_view("Content-Type"), "a");
  headers.add(std::string_view("content-type"), "b");
  EXPECT_EQ(headers.get("CONTENT-TYPE"), "a");
  EXPECT_EQ(headers.get_all("Content-type").size(), 2u);
  EXPECT_FALSE(headers.has("Content"));
  EXPECT_EQ(headers.get("Content"), "");
}

TEST(Headers, SetReplacesAllOfThatName) {
  Headers headers;
  headers.add(std::string_view("A"), "1");
  headers.add(std::string_view("B"), "2");
  headers.add(std::string_view("a"), "3");
  headers.set("A", headers.get("a"));
  ASSERT_EQ(headers.all().size(), 2u);
  EXPECT_EQ(headers.get("A"), "1");
  headers.remove("b");
  EXPECT_FALSE(headers.has("B"));
}

TEST(Tokens, AreFoundInLists) {
  EXPECT_TRUE(has_token("close", "close"));
  EXPECT_TRUE(has_token(" a ,\tClose , b", "close"));
  EXPECT_FALSE(has_token("closed, a", "close"));
  EXPECT_FALSE(has_token("", "close"));
}

TEST(Percent, DecodesAndEncodes) {
  EXPECT_EQ(percent_decode("a%2Fb%20c+d").value(), "a/b c+d");
  EXPECT_EQ(percent_decode("a+b", true).value(), "a b");
  EXPECT_EQ(percent_encode("a/b c-._~\xc3\xa9"), "a%2Fb%20c-._~%C3%A9");
  for (const std::string_view broken : {"%", "%4", "%zz", "a%f"}) {
    const auto decoded = percent_decode(broken);
    ASSERT_FALSE(decoded) << broken;
    EXPECT_EQ(decoded.error().code(), Code::kBadRequest);
  }
}

TEST(Percent, GivesBackWhatWasEncoded) {
  std::string all;
  for (int c = 0; c < 256; ++c) all += static_cast<char>(c);
  EXPECT_EQ(percent_decode(percent_encode(all)).value(), all);
}

TEST(Query, KeepsParametersInOrder) {
  const Query query = Query::parse("a=1&b=x%26y&a=2&c&&d=e=f&g=h+i").value();
  EXPECT_EQ(query.get("a"), "1");
  EXPECT_EQ(query.get_all("a").size(), 2u);
  EXPECT_EQ(query.get("b"), "x&y");
  EXPECT_EQ(query.get("c"), "");
  EXPECT_EQ(query.get("d"), "e=f");
  EXPECT_EQ(query.get("g"), "h i");
  EXPECT_EQ(query.get("x"), std::nullopt);
  EXPECT_FALSE(Query::parse("a=%x"));
}

TEST(Piece, ShowsItsBytesWhereverTheyLie) {
  const auto shared = std::make_shared<const std::string>("shared text");
  std::vector<Piece> pieces;
  pieces.emplace_back(std::string("own"));
  pieces.emplace_back(shared);
  pieces.emplace_back(shared, std::string_view(*shared).substr(7));
  pieces.push_back(Piece::literal("literal"));
  pieces.emplace_back(std::string());
  std::string all;
  for (const Piece& piece : std::vector<Piece>(pieces)) all += piece.view();
  EXPECT_EQ(all, "ownshared texttextliteral");
}

}  // namespace
}  // namespace strake::http
