#include "api/filters/audit_events.h"

#include "api/verbs/by_worker.h"
#include "api/verbs/respond.h"

namespace strake::api {
namespace {

// Reading a body of more takes too long for a loop that serves others.
constexpr std::size_t kLargeBody = 64 << 10;

// Ends the record with the stream.
class AuditedStream final : public http::BodyStream {
 public:
  AuditedStream(std::unique_ptr<http::BodyStream> stream, std::unique_ptr<AuditTrail> trail)
      : trail_(std::move(trail)), stream_(std::move(stream)) {}
  async::Task<std::vector<http::Piece>> next() override { return stream_->next(); }
  bool is_finite() const override { return stream_->is_finite(); }
  bool may_compress() const override { return stream_->may_compress(); }
  bool is_revoked() const override { return stream_->is_revoked(); }
  http::Headers trailers() const override { return stream_->trailers(); }

 private:
  std::unique_ptr<AuditTrail> trail_;
  std::unique_ptr<http::BodyStream> stream_;
};

// Ends the record with the connection, which the function outlives.
http::Upgrade audited(http::Upgrade upgrade, std::unique_ptr<AuditTrail> trail) {
  return [upgrade = std::move(upgrade), trail = std::shared_ptr<AuditTrail>(std::move(trail))](
             std::unique_ptr<http::RawStream> client) { return upgrade(std::move(client)); };
}

}  // namespace

Passage AuditBeginStage::enter(Call& call) {
  if (call.request.body.size() > kLargeBody) return begin_later(call);
  call.audit = auditor_.begin(call);
  if (!call.audit) return {};
  if (AuditWait unstored = call.audit->unstored()) return store(call, std::move(unstored));
  return {};
}

boost::asio::awaitable<Passage::Outcome> AuditBeginStage::store(Call& call, AuditWait unstored) {
  const WaitCancel cancel(call);
  if (co_await unstored(cancel.token())) co_return std::nullopt;
  // kube-apiserver 1.36 writes no event of such an end.
  call.audit->abandon();
  call.audit.reset();
  co_return internal_error_page(call, "failed to store audit event");
}

boost::asio::awaitable<Passage::Outcome> AuditBeginStage::begin_later(Call& call) const {
  const auto begin = [&] {
    call.audit = auditor_.begin(call);
    return Answer<>();
  };
  const Answer<> begun = co_await by_worker(core_, begin);
  if (!begun) co_return std::unexpected(begun.error());
  if (!call.audit) co_return std::nullopt;
  AuditWait unstored = call.audit->unstored();
  if (!unstored) co_return std::nullopt;
  co_return co_await store(call, std::move(unstored));
}

void AuditEndStage::reword(Call& call, meta::Status& status) {
  if (call.audit) call.audit->refused(status);
}

void AuditEndStage::leave(Call& call, http::Response& response) {
  if (!call.audit) {
    if (!call.asking) call.unstored = auditor_.refuse(call, response);
    return;
  }
  call.audit->respond(call, response);
  call.unstored = call.audit->unstored();
  if (response.stream) {
    response.stream =
        std::make_unique<AuditedStream>(std::move(response.stream), std::move(call.audit));
  } else if (response.upgrade) {
    response.upgrade = audited(std::move(response.upgrade), std::move(call.audit));
  }
  call.audit.reset();
}

}  // namespace strake::api
