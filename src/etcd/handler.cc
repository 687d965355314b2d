#include "etcd/handler.h"

#include <fmt/format.h>

#include "value/json_reader.h"
#include "value/json_writer.h"

namespace strake::etcd {
namespace {

// In front of a message: whether it is compressed, and its size.
constexpr std::size_t kFrameHead = 5;

http::Response page(int status, std::string_view type, std::string text) {
  http::Response out;
  out.status = status;
  out.headers.add("Content-Type", type);
  out.body.emplace_back(std::move(text));
  return out;
}

// gRPC escapes what is no printable ASCII.
std::string grpc_message(std::string_view text) {
  std::string out;
  for (const char c : text) {
    if (c >= ' ' && c <= '~' && c != '%') {
      out += c;
    } else {
      out += fmt::format("%{:02X}", static_cast<unsigned char>(c));
    }
  }
  return out;
}

// One message, and the status behind it.
class OneMessage final : public http::BodyStream {
 public:
  explicit OneMessage(std::string frame) : frame_(std::move(frame)) {}
  async::Task<std::vector<http::Piece>> next() override {
    std::vector<http::Piece> out;
    if (!frame_.empty()) out.emplace_back(std::exchange(frame_, {}));
    co_return out;
  }
  bool is_finite() const override { return true; }
  bool may_compress() const override { return false; }
  http::Headers trailers() const override {
    http::Headers out;
    out.add("grpc-status", "0");
    return out;
  }

 private:
  std::string frame_;
};

// A status without a message: headers alone.
http::Response grpc_refusal(const Refusal& refusal) {
  http::Response out;
  out.headers.add("Content-Type", "application/grpc");
  out.headers.add("grpc-status", fmt::format("{}", static_cast<int>(refusal.code)));
  out.headers.add("grpc-message", grpc_message(refusal.message));
  return out;
}

int http_status(Refusal::Code code) {
  switch (code) {
    case Refusal::kInvalidArgument:
    case Refusal::kOutOfRange: return 400;
    case Refusal::kNotFound: return 404;
    case Refusal::kResourceExhausted: return 429;
    case Refusal::kUnimplemented: return 501;
  }
  return 500;
}

http::Response json_refusal(const Refusal& refusal) {
  std::string text;
  value::write_json_string(refusal.message, text, false);
  return page(http_status(refusal.code), "application/json",
              fmt::format(R"({{"error":{0},"code":{1},"message":{0}}})", text,
                          static_cast<int>(refusal.code)));
}

// The message of a request that has one, uncompressed.
Answer<std::string_view> frame_of(std::string_view body) {
  const auto refuse = [](Refusal::Code code, std::string why) {
    return std::unexpected(Refusal{.code = code, .message = std::move(why)});
  };
  if (body.size() < kFrameHead) return refuse(Refusal::kInvalidArgument, "the message is cut off");
  if (body[0] != 0) return refuse(Refusal::kUnimplemented, "compressed messages are not supported");
  std::uint32_t size = 0;
  for (std::size_t i = 1; i < kFrameHead; ++i)
    size = size << 8 | static_cast<unsigned char>(body[i]);
  body.remove_prefix(kFrameHead);
  if (body.size() != size)
    return refuse(Refusal::kInvalidArgument, "must be one message of the size that it says");
  return body;
}

std::string framed(std::string_view message) {
  std::string out(1, '\0');
  for (const int shift : {24, 16, 8, 0}) out += static_cast<char>((message.size() >> shift) & 0xff);
  out += message;
  return out;
}

}  // namespace

http::Response Handler::answer_grpc(const http::Request& request) {
  const Service::Method* method = Service::find_method(request.path);
  if (method == nullptr)
    return grpc_refusal({.code = Refusal::kUnimplemented,
                         .message = fmt::format("strake as etcd has no {}", request.path)});
  if (request.body_too_large)
    return grpc_refusal(
        {.code = Refusal::kInvalidArgument, .message = "etcdserver: request is too large"});
  const Answer<std::string_view> frame = frame_of(request.body);
  if (!frame) return grpc_refusal(frame.error());
  const Result<value::Document> message = decode(*frame, *method->request);
  if (!message)
    return grpc_refusal({.code = Refusal::kInvalidArgument, .message = message.error().message()});
  const Answer<value::Document> done = service_.call(*method, message->root());
  if (!done) return grpc_refusal(done.error());
  http::Response out;
  out.headers.add("Content-Type", "application/grpc");
  out.stream = std::make_unique<OneMessage>(framed(encode(done->root(), *method->response)));
  return out;
}

http::Response Handler::answer_json(const http::Request& request) {
  const Service::Method* method = Service::find_method(request.path);
  if (method == nullptr || method->json != request.path)
    return page(404, "text/plain; charset=utf-8", "404 page not found\n");
  if (request.method != "POST")
    return json_refusal({.code = Refusal::kUnimplemented, .message = "Method Not Allowed"});
  if (request.body_too_large)
    return json_refusal(
        {.code = Refusal::kInvalidArgument, .message = "etcdserver: request is too large"});
  value::ReadOptions options;
  options.limits.depth = 8 * kMostDepth;
  const Result<value::Document> message =
      value::read_json(request.body.empty() ? std::string_view("{}") : request.body, options);
  if (!message || !message->root().is_object())
    return json_refusal({.code = Refusal::kInvalidArgument,
                         .message = message ? "must be an object" : message.error().message()});
  const Answer<value::Document> done = service_.call(*method, message->root());
  if (!done) return json_refusal(done.error());
  return page(200, "application/json", value::to_json(done->root(), {.escape_html = false}));
}

http::Response Handler::answer(const http::Request& request) {
  if (request.headers.get("Content-Type").starts_with("application/grpc"))
    return answer_grpc(request);
  if (request.path == "/health")
    return page(200, "application/json", R"({"health":"true","reason":""})");
  if (request.path == "/version")
    return page(200, "application/json",
                fmt::format(R"({{"etcdserver":"{0}","etcdcluster":"{0}"}})", kVersion));
  if (request.path == "/readyz" || request.path == "/livez")
    return page(200, "text/plain; charset=utf-8", "ok\n");
  return answer_json(request);
}

boost::asio::awaitable<http::Response> Handler::handle(http::Request request) {
  co_return answer(request);
}

}  // namespace strake::etcd
