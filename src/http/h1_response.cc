#include "http/h1_response.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>

#include "http/body.h"
#include "http/h1_text.h"

namespace strake::http {
namespace {

// Response splitting ends here: nothing that a handler says can start a new line.
void append_clean(std::string& out, std::string_view text) {
  const std::size_t start = out.size();
  out += text;
  for (std::size_t i = start; i < out.size(); ++i) {
    if (out[i] == '\r' || out[i] == '\n' || out[i] == '\0') out[i] = ' ';
  }
}

void append_header(std::string& out, std::string_view name, std::string_view value) {
  append_clean(out, name);
  out += ": ";
  append_clean(out, value);
  out += "\r\n";
}

void append_status_line(std::string& out, int status) {
  if (status == 200) {
    out += "HTTP/1.1 200 OK\r\n";
    return;
  }
  fmt::format_to(std::back_inserter(out), "HTTP/1.1 {} {}\r\n", status, reason_phrase(status));
}

}  // namespace

std::string_view reason_phrase(int status) {
  switch (status) {
    case 100: return "Continue";
    case 101: return "Switching Protocols";
    case 200: return "OK";
    case 201: return "Created";
    case 202: return "Accepted";
    case 204: return "No Content";
    case 206: return "Partial Content";
    case 301: return "Moved Permanently";
    case 302: return "Found";
    case 303: return "See Other";
    case 304: return "Not Modified";
    case 307: return "Temporary Redirect";
    case 308: return "Permanent Redirect";
    case 400: return "Bad Request";
    case 401: return "Unauthorized";
    case 403: return "Forbidden";
    case 404: return "Not Found";
    case 405: return "Method Not Allowed";
    case 406: return "Not Acceptable";
    case 408: return "Request Timeout";
    case 409: return "Conflict";
    case 410: return "Gone";
    case 411: return "Length Required";
    case 412: return "Precondition Failed";
    case 413: return "Request Entity Too Large";
    case 414: return "Request URI Too Long";
    case 415: return "Unsupported Media Type";
    case 417: return "Expectation Failed";
    case 422: return "Unprocessable Entity";
    case 426: return "Upgrade Required";
    case 429: return "Too Many Requests";
    case 431: return "Request Header Fields Too Large";
    case 500: return "Internal Server Error";
    case 501: return "Not Implemented";
    case 502: return "Bad Gateway";
    case 503: return "Service Unavailable";
    case 504: return "Gateway Timeout";
    case 505: return "HTTP Version Not Supported";
    default: return {};
  }
}

void write_head(std::string& out, const Response& response, const ResponseFraming& framing,
                std::string_view date) {
  append_status_line(out, response.status);
  for (const Header& header : response.headers.all()) {
    if (!is_hop_header(header.name)) append_header(out, header.name, header.value);
  }
  append_header(out, "Date", date);
  if (framing.gzip) out += "Content-Encoding: gzip\r\nVary: Accept-Encoding\r\n";
  switch (framing.length) {
    case ResponseFraming::Length::kKnown:
      out += "Content-Length: ";
      out += fmt::format_int(framing.size).c_str();
      out += "\r\n";
      break;
    case ResponseFraming::Length::kChunked: out += "Transfer-Encoding: chunked\r\n"; break;
    case ResponseFraming::Length::kNone:
    case ResponseFraming::Length::kUntilClose: break;
  }
  if (!framing.upgrade.empty()) {
    out += "Connection: Upgrade\r\n";
    append_header(out, "Upgrade", framing.upgrade);
  } else if (framing.close) {
    out += "Connection: close\r\n";
  } else if (framing.say_keep_alive) {
    out += "Connection: keep-alive\r\n";
  }
  out += "\r\n";
}

std::string last_chunk(const Headers& trailers) {
  std::string out = "0\r\n";
  for (const Header& header : trailers.all()) {
    if (is_trailer_name(header.name)) append_header(out, header.name, header.value);
  }
  return out + "\r\n";
}

// For requests that no handler sees. The connection is closed after it: where the next request
// begins is not known when this one could not be read.
std::string refusal_text(const Refusal& refusal, std::string_view date) {
  const std::string body =
      fmt::format("{} {}: {}\n", refusal.status, reason_phrase(refusal.status), refusal.reason);
  Response response;
  response.status = refusal.status;
  response.headers.add("Content-Type", std::string_view("text/plain; charset=utf-8"));
  if (refusal.status == 429) response.headers.add("Retry-After", std::string_view("1"));
  std::string text;
  write_head(text, response,
             {.length = ResponseFraming::Length::kKnown, .size = body.size(), .close = true}, date);
  return text + body;
}

}  // namespace strake::http
