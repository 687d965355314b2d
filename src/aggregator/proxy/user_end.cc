#include "aggregator/proxy/user_end.h"

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/detached.hpp>

#include "api/request/forwarding.h"

namespace strake::aggregator {
namespace {

class EndingBody final : public http::BodyStream {
 public:
  EndingBody(std::shared_ptr<UserEnd> end, std::unique_ptr<http::BodyStream> body)
      : end_(std::move(end)), body_(std::move(body)) {
    end_->watch({});
  }
  ~EndingBody() override { end_->stop(); }

  async::Task<std::vector<http::Piece>> next() override {
    Result<std::vector<http::Piece>> parts = co_await body_->next();
    if (!parts && end_->has_come()) co_return std::vector<http::Piece>();
    co_return parts;
  }
  bool is_finite() const override { return body_->is_finite(); }
  bool may_compress() const override { return body_->may_compress(); }
  http::Headers trailers() const override { return body_->trailers(); }

 private:
  const std::shared_ptr<UserEnd> end_;
  const std::unique_ptr<http::BodyStream> body_;
};

boost::asio::awaitable<void> join_until(std::shared_ptr<UserEnd> end,
                                        std::shared_ptr<http::RawStream> other,
                                        std::unique_ptr<http::RawStream> client) {
  end->watch([other] { other->close(); });
  co_await api::join_with(other)(std::move(client));
  end->stop();
}

}  // namespace

UserEnd::UserEnd(api::StreamBudget& budget, std::string_view user, std::string_view connection,
                 const async::Executor& executor, const CancelToken& parent)
    : executor_(executor),
      signal_(executor),
      cancel_(parent),
      claim_(budget, user, connection, api::StreamBudget::Claim::Kind::kWatch, executor, signal_) {}

void UserEnd::watch(std::function<void()> end) {
  end_ = std::move(end);
  boost::asio::co_spawn(executor_, wait(shared_from_this()), boost::asio::detached);
}

void UserEnd::stop() {
  stopped_ = true;
  end_ = {};
  signal_.notify();
}

boost::asio::awaitable<void> UserEnd::wait(std::shared_ptr<UserEnd> self) {
  while (!self->stopped_ && !self->has_come()) {
    if (!co_await self->signal_.wait(Deadline::never())) co_return;
  }
  if (self->stopped_) co_return;
  self->cancel_.cancel();
  if (self->end_) self->end_();
}

std::unique_ptr<http::BodyStream> until(std::shared_ptr<UserEnd> end,
                                        std::unique_ptr<http::BodyStream> body) {
  return std::make_unique<EndingBody>(std::move(end), std::move(body));
}

http::Upgrade until(std::shared_ptr<UserEnd> end, std::shared_ptr<http::RawStream> other) {
  return [end = std::move(end), other = std::move(other)](std::unique_ptr<http::RawStream> client) {
    return join_until(end, other, std::move(client));
  };
}

}  // namespace strake::aggregator
