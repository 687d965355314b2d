#include "api/request/renderings.h"

#include <gtest/gtest.h>

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/io_context.hpp>

namespace strake::api {
namespace {

constexpr std::uint64_t kEpoch = 7;

class RenderingsTest : public ::testing::Test {
 protected:
  static ObjectPtr object(std::string_view name) {
    return Object::from_stored("/registry/e.com/things/default/" + std::string(name),
                               R"({"apiVersion":"e.com/v1","metadata":{}})", 3, 3)
        .value();
  }
  static Bytes text(std::string_view of) { return std::make_shared<const std::string>(of); }

  // What has been told by now; nothing while it has to be waited for.
  std::optional<Renderings::Outcome> told(async::OneShot<Renderings::Outcome> done) {
    std::optional<Renderings::Outcome> out;
    boost::asio::co_spawn(loop_, done.wait(),
                          [&](const std::exception_ptr&, Result<Renderings::Outcome> outcome) {
                            out = *std::move(outcome);
                          });
    loop_.restart();
    loop_.poll();
    return out;
  }

  boost::asio::io_context loop_;
  const Renderings renderings_{kEpoch};
  const kinds::ServedVersion v2_ = [] {
    kinds::ServedVersion out;
    out.name = "v2";
    return out;
  }();
  const kinds::ServedVersion v3_ = [] {
    kinds::ServedVersion out;
    out.name = "v3";
    return out;
  }();
  const ObjectPtr a_ = object("a");
  const ObjectPtr b_ = object("b");
};

TEST_F(RenderingsTest, AreMadeByTheFirstForAll) {
  Renderings::Share first(renderings_, v2_);
  Renderings::Share second(renderings_, v2_);
  Renderings::Share third(renderings_, v2_);
  EXPECT_FALSE(first.join(a_));
  const auto waits = second.join(a_);
  const auto waits_too = third.join(a_);
  ASSERT_TRUE(waits && waits_too);
  EXPECT_EQ(renderings_.waiting(), 2u);
  first.tell(a_, text("made"));
  for (const auto& one : {waits, waits_too}) {
    const auto outcome = told(*one);
    ASSERT_TRUE(outcome && *outcome && **outcome);
    EXPECT_EQ(****outcome, "made");
  }
  EXPECT_EQ(renderings_.waiting(), 0u);
}

TEST_F(RenderingsTest, OfOtherObjectsAndVersionsAreApart) {
  Renderings::Share first(renderings_, v2_);
  Renderings::Share second(renderings_, v3_);
  EXPECT_FALSE(first.join(a_));
  EXPECT_FALSE(first.join(b_));
  EXPECT_FALSE(second.join(a_));
}

TEST_F(RenderingsTest, ShareWhatIsWrong) {
  Renderings::Share first(renderings_, v2_);
  Renderings::Share second(renderings_, v2_);
  EXPECT_FALSE(first.join(a_));
  const auto waits = second.join(a_);
  first.tell(a_, refuse(meta::Status::raw_error("broken")));
  const auto outcome = told(*waits);
  ASSERT_TRUE(outcome && *outcome);
  EXPECT_EQ((*outcome)->error().message, "broken");
}

TEST_F(RenderingsTest, PassToAnotherWhenTheFirstGivesUp) {
  Renderings::Share second(renderings_, v2_);
  std::optional<async::OneShot<Renderings::Outcome>> waits;
  {
    Renderings::Share first(renderings_, v2_);
    EXPECT_FALSE(first.join(a_));
    EXPECT_FALSE(first.join(b_));
    waits = second.join(a_);
    first.tell(b_, text("made"));
  }
  const auto outcome = told(*waits);
  ASSERT_TRUE(outcome);
  EXPECT_FALSE(*outcome);
  EXPECT_FALSE(second.join(a_)) << "it is the next one's turn";
}

// Two events of a watch may be about one object.
TEST_F(RenderingsTest, OfOneCallerAreMadeOnce) {
  Renderings::Share only(renderings_, v2_);
  EXPECT_FALSE(only.join(a_));
  const auto again = only.join(a_);
  ASSERT_TRUE(again);
  only.tell(a_, text("made"));
  EXPECT_TRUE(told(*again));
}

TEST_F(RenderingsTest, ThatHaveBeenKeptAreThere) {
  a_->keep_rendition(kEpoch, "v2", text("kept"));
  Renderings::Share share(renderings_, v2_);
  const auto kept = share.join(a_);
  ASSERT_TRUE(kept);
  EXPECT_EQ(****told(*kept), "kept");
  a_->keep_rendition(kEpoch + 1, "v2", text("of another schema"));
  EXPECT_FALSE(share.join(a_));
}

}  // namespace
}  // namespace strake::api
