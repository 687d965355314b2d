#include "base/error.h"

#include "base/assert.h"

namespace strake {

std::string_view to_string(Code code) {
  switch (code) {
    case Code::kBadRequest: return "bad request";
    case Code::kUnauthorized: return "unauthorized";
    case Code::kForbidden: return "forbidden";
    case Code::kNotFound: return "not found";
    case Code::kMethodNotAllowed: return "method not allowed";
    case Code::kNotAcceptable: return "not acceptable";
    case Code::kAlreadyExists: return "already exists";
    case Code::kConflict: return "conflict";
    case Code::kGone: return "gone";
    case Code::kExpired: return "expired";
    case Code::kRequestTooLarge: return "request too large";
    case Code::kUnsupportedMediaType: return "unsupported media type";
    case Code::kInvalid: return "invalid";
    case Code::kTooManyRequests: return "too many requests";
    case Code::kInternal: return "internal error";
    case Code::kServiceUnavailable: return "service unavailable";
    case Code::kTimeout: return "timeout";
    case Code::kParse: return "parse error";
    case Code::kLimit: return "limit exceeded";
    case Code::kUsage: return "usage error";
    case Code::kIo: return "input/output error";
    case Code::kCancelled: return "cancelled";
    case Code::kUnsupported: return "unsupported";
  }
  return "unknown";
}

Error::Error(Code code, std::string message)
    : rep_(std::make_unique<Rep>(Rep{.code = code, .message = std::move(message)})) {}

Error::Error(const Error& other)
    : rep_(other.rep_ ? std::make_unique<Rep>(*other.rep_) : nullptr) {}

Error& Error::operator=(const Error& other) {
  if (this != &other) rep_ = other.rep_ ? std::make_unique<Rep>(*other.rep_) : nullptr;
  return *this;
}

Error&& Error::at(FieldPath path) && {
  rep_->path = std::move(path);
  return std::move(*this);
}

Error&& Error::at(Position position) && {
  rep_->position = position;
  return std::move(*this);
}

Error&& Error::in(std::string source) && {
  if (rep_->source.empty()) rep_->source = std::move(source);
  return std::move(*this);
}

Error&& Error::because(Error cause) && {
  rep_->causes.push_back(std::move(cause));
  return std::move(*this);
}

Error&& Error::prefixed(std::string_view context) && {
  rep_->message = fmt::format("{}: {}", context, rep_->message);
  return std::move(*this);
}

std::string Error::to_string() const {
  std::string out;
  auto add = [&out](std::string_view part) {
    if (!out.empty()) out += ": ";
    out += part;
  };
  if (!rep_->source.empty() && rep_->position) {
    add(fmt::format("{}:{}:{}", rep_->source, rep_->position->line, rep_->position->column));
  } else if (!rep_->source.empty()) {
    add(rep_->source);
  } else if (rep_->position) {
    add(fmt::format("line {} column {}", rep_->position->line, rep_->position->column));
  }
  if (!rep_->path.empty()) add(rep_->path.to_dotted());
  add(rep_->message);
  for (const Error& cause : rep_->causes) add(cause.to_string());
  return out;
}

}  // namespace strake
