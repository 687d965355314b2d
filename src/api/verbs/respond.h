#pragma once
// Answers in the shape that was asked for: the object's bytes as they are, or YAML, tables and bare
// metadata made from them.
#include <string>
#include <string_view>
#include <vector>

#include "api/request/answer.h"
#include "api/request/call.h"
#include "http/message.h"

namespace strake::api {

// Any Status, in the encoding that was asked for.
http::Response status_response(const meta::Status& status, Encoding encoding = Encoding::kJson);
http::Response text_response(int code, std::string text,
                             std::string_view type = "text/plain; charset=utf-8");
http::Response json_response(int code, std::string text);
http::Response not_found_page();  // for paths that nothing serves
// What net/http answers with when a filter of kube-apiserver 1.36 fails: no Status.
http::Response internal_error_page(const Call& call, std::string_view why);

// 406 for a Go type that cannot be sent as protobuf.
meta::Status no_protobuf(std::string_view go_type);
// The content of an answer as protobuf, without its envelope, and with it. `object` says what it
// is: an object of a built-in kind, bare metadata or a Status.
Answer<std::string> protobuf_message(const value::Value& object);
Answer<std::string> protobuf_body(const value::Value& object);

// One object, given as its JSON text in the call's version.
Answer<http::Response> object_response(Call& call, int code, Bytes bytes);

struct ListMeta {
  Revision revision = 0;
  std::string continue_token;
  std::optional<std::int64_t> remaining;
  // Lists of custom resources say `continue` even when there is none.
  std::string to_json(bool always_continue = false) const;
};
// Whether the JSON is laid out for people.
bool wants_pretty(const Call& call);

enum class EventType : std::uint8_t { kAdded, kModified, kDeleted };

// One event of a watch as a line, or in protobuf as a frame; what is sent depends on the form.
// `first` for the columns of a table.
class EventWriter {
 public:
  EventWriter(const Call& call);
  // Of the whole stream.
  std::string_view media_type() const;
  // `bytes` is the object's text in the call's version.
  Answer<> write(std::vector<http::Piece>& out, EventType type, Bytes bytes);
  void bookmark(std::vector<http::Piece>& out, Revision revision, bool initial_events_end);
  void error(std::vector<http::Piece>& out, const meta::Status& status);

 private:
  void add(std::vector<http::Piece>& out, std::string line);
  // Of an object that was made as JSON.
  Answer<> add_event(std::vector<http::Piece>& out, std::string_view type,
                     const std::string& object);

  const Call& call_;
  VersionMetrics& metrics_;
  bool columns_sent_ = false;
};

// 406 when bare metadata is asked for as one object where there is a list, or the other way round.
meta::Status wrong_form(const Call& call);

// includeObject of a table request; 400 for other values.
Answer<publish::IncludeObject> read_include_object(const http::Query& query);

}  // namespace strake::api
