#include "audit/webhook_sink.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>
#include <future>

#include "async/run.h"
#include "base/base64.h"
#include "base/subprocess.h"
#include "http/test_server.h"
#include "value/json_reader.h"

namespace strake::audit {
namespace {

using http::testing::eventually;
using http::testing::test_pki;
using http::testing::text_response;
using std::chrono::milliseconds;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

std::string line(std::string_view id, std::string_view more = "") {
  return fmt::format(
      "{{\"kind\":\"Event\",\"apiVersion\":\"audit.k8s.io/v1\",\"level\":\"Request\","
      "\"auditID\":\"{}\"{}}}\n",
      id, more);
}

class AuditWebhook : public ::testing::Test {
 protected:
  using Answer = boost::asio::awaitable<http::Response>;

  AuditWebhook() { ::setenv("no_proxy", "127.0.0.1", 1); }
  ~AuditWebhook() override { stop(); }

  std::shared_ptr<const kube::WebhookConnection> service(std::string url = {}) {
    const std::string file = folder_.path() + "/config";
    std::ofstream(file) << fmt::format(
        "clusters:\n- name: c\n  cluster: {{server: \"{}\", certificate-authority-data: {}}}\n"
        "contexts:\n- name: x\n  context: {{cluster: c}}\ncurrent-context: x\n",
        url.empty() ? server_.url("/audit") : url,
        base64_encode(test_pki().authority.certificate_pem));
    return kube::WebhookConnection::open(file).value();
  }
  WebhookSink& sink(WebhookSink::Options options) {
    if (!options.service) options.service = service();
    sink_ = std::make_unique<WebhookSink>(std::move(options), loops_);
    sink_->start();
    return *sink_;
  }
  void stop(std::chrono::nanoseconds time = std::chrono::seconds(5)) {
    if (!sink_) return;
    const auto end = [](WebhookSink& sink, Deadline deadline) -> async::Task<> {
      co_await sink.stop(deadline);
      co_return Result<>();
    };
    static_cast<void>(async::run_blocking(loops_.at(0), end(*sink_, Deadline::after(time))));
    lost_ = sink_->lost();
    sink_.reset();
  }
  // The ids of each batch that has come, "a b".
  std::vector<std::string> batches() {
    const std::lock_guard lock(mu_);
    return batches_;
  }

  std::atomic<int> code_ = 200;
  std::atomic<int> refusals_ = 0;  // before it takes anything
  std::atomic<bool> held_ = false;
  std::string last_;  // guarded by mu_
  std::uint64_t lost_ = 0;
  std::mutex mu_;

 private:
  Answer take(http::Request request) {
    while (held_) static_cast<void>(co_await async::sleep_for(milliseconds(5)));
    if (refusals_ > 0) {
      --refusals_;
      co_return text_response("no", 500);
    }
    const auto list = value::read_json(std::string_view(request.body)).value();
    std::string ids;
    for (const value::Value& one : list.root().get("items").items()) {
      if (!ids.empty()) ids += ' ';
      ids += one.get("auditID").as_string();
    }
    const std::lock_guard lock(mu_);
    last_ = request.body;
    batches_.push_back(ids);
    co_return text_response("", code_);
  }

  ScratchFolder folder_ = *ScratchFolder::make("strake-audit-");
  std::vector<std::string> batches_;  // guarded by mu_
  http::testing::TestServer server_{
      [this](http::Request request) { return take(std::move(request)); }, {}, true};
  async::Loops loops_{2};
  std::unique_ptr<WebhookSink> sink_;
};

TEST_F(AuditWebhook, GetsEventsInBatches) {
  WebhookSink& sink = this->sink({.most_events = 2, .longest_wait = std::chrono::hours(1)});
  for (const std::string_view id : {"a", "b", "c"}) sink.write(line(id), {});
  EXPECT_TRUE(eventually([this] { return batches().size() == 1; }));
  EXPECT_THAT(batches(), ElementsAre("a b"));
  {
    const std::lock_guard lock(mu_);
    EXPECT_EQ(last_,
              "{\"kind\":\"EventList\",\"apiVersion\":\"audit.k8s.io/v1\",\"metadata\":{},"
              "\"items\":[{\"level\":\"Request\",\"auditID\":\"a\"},"
              "{\"level\":\"Request\",\"auditID\":\"b\"}]}\n");
  }
  // The rest is sent at the end.
  stop();
  EXPECT_THAT(batches(), ElementsAre("a b", "c"));
  EXPECT_EQ(lost_, 0);
}

TEST_F(AuditWebhook, GetsABatchThatIsNotFullWhenItsTimeHasCome) {
  WebhookSink& sink = this->sink({.longest_wait = milliseconds(20)});
  sink.write(line("a"), {});
  EXPECT_TRUE(eventually([this] { return batches().size() == 1; }));
  sink.write(line("b"), {});
  EXPECT_TRUE(eventually([this] { return batches().size() == 2; }));
}

TEST_F(AuditWebhook, IsAskedAgainWhateverWentWrong) {
  refusals_ = 3;
  WebhookSink& sink =
      this->sink({.longest_wait = milliseconds(1), .first_backoff = milliseconds(1)});
  sink.write(line("a"), {});
  EXPECT_TRUE(eventually([this] { return batches().size() == 1; }));
  EXPECT_EQ(sink.lost(), 0);
  code_ = 404;
  sink.write(line("b"), {});
  EXPECT_TRUE(eventually([&] { return sink.lost() == 1; }));
  EXPECT_THAT(batches(), ElementsAre("a", "b", "b", "b", "b", "b"));
}

TEST_F(AuditWebhook, TellsWhoWaitsWhetherItTookAnEvent) {
  WebhookSink::Options options{.first_backoff = milliseconds(1)};
  options.send_at_once();
  WebhookSink& sink = this->sink(std::move(options));
  const auto stored = [&](std::string_view id) {
    std::promise<bool> told;
    sink.write(line(id), [&](bool is_stored) { told.set_value(is_stored); });
    return told.get_future().get();
  };
  EXPECT_TRUE(stored("a"));
  EXPECT_THAT(batches(), ElementsAre("a"));
  code_ = 500;
  EXPECT_FALSE(stored("b"));
  EXPECT_EQ(sink.lost(), 1);
}

TEST_F(AuditWebhook, TellsWhoWaitsThatThereIsNoRoomAndThatItIsTheEnd) {
  held_ = true;
  std::vector<std::promise<bool>> told(3);
  std::vector<std::future<bool>> stored;
  for (std::promise<bool>& one : told) stored.push_back(one.get_future());
  const auto write = [&](WebhookSink& sink, std::size_t i) {
    sink.write(line("a"), [&told, i](bool is_stored) { told[i].set_value(is_stored); });
  };
  WebhookSink& sink = this->sink({.buffer = 1, .longest_wait = std::chrono::hours(1)});
  write(sink, 0);
  write(sink, 1);
  EXPECT_FALSE(stored[1].get());
  stop(milliseconds(10));
  EXPECT_FALSE(stored[0].get());
  held_ = false;
}

TEST_F(AuditWebhook, HoldsUpNobodyWhenItIsDead) {
  WebhookSink& sink = this->sink({.service = service("https://127.0.0.1:1/"),
                                  .buffer = 100,
                                  .most_events = 10,
                                  .longest_wait = milliseconds(1),
                                  .per_second = 0,
                                  .first_backoff = std::chrono::hours(1)});
  for (int i = 0; i < 1000; ++i) sink.write(line(std::to_string(i)), {});
  // Sixteen batches are under way at most, and a hundred events wait.
  EXPECT_TRUE(eventually([&] { return sink.lost() >= 1000 - 260; }));
  stop(milliseconds(50));
  EXPECT_EQ(lost_, 1000);
}

TEST_F(AuditWebhook, KeepsToItsRate) {
  WebhookSink& sink = this->sink(
      {.most_events = 1, .longest_wait = milliseconds(1), .per_second = 0.001, .burst = 3});
  for (int i = 0; i < 5; ++i) sink.write(line(std::to_string(i)), {});
  EXPECT_TRUE(eventually([this] { return batches().size() == 3; }));
  std::this_thread::sleep_for(milliseconds(50));
  EXPECT_EQ(batches().size(), 3);
  EXPECT_EQ(sink.lost(), 0);
}

TEST_F(AuditWebhook, LeavesOutObjectsThatAreTooLarge) {
  const std::string object = fmt::format(",\"requestObject\":\"{}\"", std::string(500, 'x'));
  WebhookSink& sink =
      this->sink({.longest_wait = milliseconds(20),
                  .truncate = {.enabled = true, .most_batch_bytes = 330, .most_event_bytes = 200}});
  sink.write(line("a", object), {});
  sink.write(line(std::string(300, 'b')), {});
  sink.write(line("c"), {});
  sink.write(line("d"), {});
  sink.write(line("e"), {});
  EXPECT_TRUE(eventually([&] { return sink.lost() == 1; }));
  EXPECT_THAT(batches(), ElementsAre("a c d", "e"));
  EXPECT_THAT(truncated(line("a", object), 200),
              HasSubstr("\"annotations\":{\"audit.k8s.io/truncated\":\"true\"}"));
  EXPECT_EQ(truncated(line("a"), 200), line("a"));
}

TEST_F(AuditWebhook, LetsTheRequestOfALineThatIsTooLargePass) {
  WebhookSink& sink =
      this->sink({.longest_wait = {}, .truncate = {.enabled = true, .most_event_bytes = 200}});
  std::promise<bool> passes;
  sink.write(line(std::string(300, 'b')), [&](bool fine) { passes.set_value(fine); });
  EXPECT_TRUE(passes.get_future().get());
  EXPECT_EQ(sink.lost(), 1u);
}

}  // namespace
}  // namespace strake::audit
