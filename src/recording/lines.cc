#include "recording/lines.h"

#include <fmt/format.h>

#include <cmath>

#include "base/base64.h"
#include "value/fields.h"
#include "value/json_reader.h"
#include "value/json_writer.h"

namespace strake::recording {
namespace {

using value::Document;
using value::flag_of;
using value::text_of;
using value::Value;

constexpr std::string_view kFormat = "strake/v1";
// A moment beyond all recordings, within which microseconds are exact in a double.
constexpr double kLastMoment = 1e9;

// Builds one line, member by member.
class Writer {
 public:
  void text(std::string_view key, std::string_view text) {
    begin(key);
    value::write_json_string(text, out_, false);
  }
  void text_if_any(std::string_view key, std::string_view given) {
    if (!given.empty()) text(key, given);
  }
  void raw(std::string_view key, std::string_view json) {
    begin(key);
    out_ += json;
  }
  void flag_if_set(std::string_view key, bool is_set) {
    if (is_set) raw(key, "true");
  }
  void moment(std::string_view key, RequestId id, double at) {
    raw(key, fmt::format("{}", id));
    raw("at", fmt::format("{:.6f}", at));
  }
  void body(const Body& body) {
    switch (body.form) {
      case Body::Form::kNone: return;
      case Body::Form::kJson: return raw("body", body.text);
      case Body::Form::kText: return text("text", body.text);
      case Body::Form::kBytes: return text("base64", base64_encode(body.text));
      case Body::Form::kDigest:
        text("sha256", body.text);
        raw("bytes", fmt::format("{}", body.bytes));
        text_if_any("resourceVersion", body.version);
        return;
    }
  }
  std::string finish() && { return std::move(out_) + "}\n"; }

 private:
  void begin(std::string_view key) {
    if (out_.size() > 1) out_ += ',';
    value::write_json_string(key, out_, false);
    out_ += ':';
  }
  std::string out_ = "{";
};

Result<std::uint64_t> count_of(const Value& line, std::string_view key) {
  const Value* found = line.find(key);
  if (found == nullptr || found->type() != value::Type::kInt || found->as_int() < 0)
    return fail(Code::kParse, "\"{}\" must be a whole number from 0 on", key);
  return found->as_uint();
}

Result<double> moment_of(const Value& line) {
  const Value& found = line.get("at");
  const double out = found.is_number() ? found.as_double() : -1;
  if (!(out >= 0 && out <= kLastMoment))
    return fail(Code::kParse, "\"at\" must be a number of seconds from 0 to {}", kLastMoment);
  return std::round(out * 1e6) / 1e6;
}

Result<Body> body_of(const Value& line) {
  if (const Value* body = line.find("body"))
    return Body{.form = Body::Form::kJson, .text = value::to_json(*body, {.escape_html = false})};
  if (const Value* text = line.find("text"); text != nullptr && text->is_string())
    return Body{.form = Body::Form::kText, .text = std::string(text->as_string())};
  if (const Value* text = line.find("base64"); text != nullptr && text->is_string()) {
    STRAKE_TRY(std::string bytes, base64_decode(text->as_string()));
    return Body{.form = Body::Form::kBytes, .text = std::move(bytes)};
  }
  if (const Value* digest = line.find("sha256"); digest != nullptr && digest->is_string()) {
    STRAKE_TRY(const std::uint64_t bytes, count_of(line, "bytes"));
    return Body{.form = Body::Form::kDigest,
                .text = std::string(digest->as_string()),
                .bytes = bytes,
                .version = std::string(text_of(line, "resourceVersion"))};
  }
  return Body();
}

Result<Line> read_request(const Value& line, RequestId id) {
  RequestLine out{.id = id};
  STRAKE_TRY(out.at, moment_of(line));
  STRAKE_TRY(out.connection, count_of(line, "connection"));
  out.agent = text_of(line, "agent");
  out.method = text_of(line, "method");
  out.path = text_of(line, "path");
  if (out.method.empty() || !out.path.starts_with('/'))
    return fail(Code::kParse, "a request needs a method, and a path that begins with a slash");
  out.query = text_of(line, "query");
  out.accept = text_of(line, "accept");
  out.content_type = text_of(line, "contentType");
  out.if_none_match = text_of(line, "ifNoneMatch");
  out.streamed = flag_of(line, "streamed");
  STRAKE_TRY(out.body, body_of(line));
  return out;
}

Result<Line> read_answer(const Value& line, RequestId id) {
  AnswerLine out{.id = id};
  STRAKE_TRY(out.at, moment_of(line));
  STRAKE_TRY(const std::uint64_t status, count_of(line, "status"));
  if (status < 100 || status > 999)
    return fail(Code::kParse, "\"status\" must be from 100 to 999, got {}", status);
  out.status = static_cast<int>(status);
  out.user = text_of(line, "user");
  for (const Value& group : line.get("groups").items()) out.groups.emplace_back(text_of(group));
  out.goes_on = flag_of(line, "goesOn");
  STRAKE_TRY(out.body, body_of(line));
  return out;
}

std::string write(const HeadLine& line) {
  Writer out;
  out.text("recording", kFormat);
  out.text_if_any("started", line.started);
  return std::move(out).finish();
}

std::string write(const RequestLine& line) {
  Writer out;
  out.moment("request", line.id, line.at);
  out.raw("connection", fmt::format("{}", line.connection));
  out.text_if_any("agent", line.agent);
  out.text("method", line.method);
  out.text("path", line.path);
  out.text_if_any("query", line.query);
  out.text_if_any("accept", line.accept);
  out.text_if_any("contentType", line.content_type);
  out.text_if_any("ifNoneMatch", line.if_none_match);
  out.flag_if_set("streamed", line.streamed);
  out.body(line.body);
  return std::move(out).finish();
}

std::string write(const AnswerLine& line) {
  Writer out;
  out.moment("answer", line.id, line.at);
  out.text_if_any("user", line.user);
  if (!line.groups.empty()) {
    std::string groups;
    for (const std::string& group : line.groups) {
      groups += groups.empty() ? '[' : ',';
      value::write_json_string(group, groups, false);
    }
    out.raw("groups", groups + "]");
  }
  out.raw("status", fmt::format("{}", line.status));
  out.flag_if_set("goesOn", line.goes_on);
  out.body(line.body);
  return std::move(out).finish();
}

std::string write(const EventLine& line) {
  Writer out;
  out.moment("event", line.id, line.at);
  out.body(line.body);
  return std::move(out).finish();
}

std::string write(const EndLine& line) {
  Writer out;
  out.moment("end", line.id, line.at);
  out.text("by", line.by_client ? "client" : "server");
  return std::move(out).finish();
}

std::string write(const FullLine&) { return "{\"full\":true}\n"; }

}  // namespace

std::string write_line(const Line& line) {
  return std::visit([](const auto& one) { return write(one); }, line);
}

Result<Line> read_line(std::string_view text) {
  STRAKE_TRY(const Document document,
             value::read_json_borrowed(text, {.limits = {.depth = 1000, .nodes = 1U << 22},
                                              .numbers = value::NumberPolicy::kWide}));
  const Value& line = document.root();
  if (const std::string_view format = text_of(line, "recording"); !format.empty()) {
    if (format != kFormat)
      return fail(Code::kParse, "must be a recording of the form {}, got {}", kFormat, format);
    return HeadLine{.started = std::string(text_of(line, "started"))};
  }
  if (flag_of(line, "full")) return FullLine();
  if (line.find("request") != nullptr) {
    STRAKE_TRY(const RequestId id, count_of(line, "request"));
    return read_request(line, id);
  }
  if (line.find("answer") != nullptr) {
    STRAKE_TRY(const RequestId id, count_of(line, "answer"));
    return read_answer(line, id);
  }
  if (line.find("event") != nullptr) {
    EventLine out;
    STRAKE_TRY(out.id, count_of(line, "event"));
    STRAKE_TRY(out.at, moment_of(line));
    STRAKE_TRY(out.body, body_of(line));
    return out;
  }
  if (line.find("end") != nullptr) {
    EndLine out;
    STRAKE_TRY(out.id, count_of(line, "end"));
    STRAKE_TRY(out.at, moment_of(line));
    out.by_client = text_of(line, "by") == "client";
    return out;
  }
  return fail(Code::kParse,
              "must be a request, an answer, an event or the end of one, of a recording");
}

}  // namespace strake::recording
