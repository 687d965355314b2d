#include "api/verbs/list_text.h"

#include <fmt/format.h>

#include "api/cache/object_scan.h"
#include "api/verbs/decode.h"
#include "kinds/protobuf.h"
#include "value/json_writer.h"
#include "value/yaml_writer.h"

namespace strake::api {
namespace {

using http::Piece;
using http::Response;
using meta::Status;
using value::Document;

std::string list_head(const Call& call) {
  // Keys in sorted order, as custom resources are written: items come second.
  return fmt::format("{{\"apiVersion\":\"{}\",\"items\":[", call.api_version());
}

std::string list_tail(const Call& call, const ListMeta& meta) {
  return fmt::format("],\"kind\":\"{}\",\"metadata\":{}}}", call.resource().list_kind,
                     meta.to_json(call.strategy().wire().always_continue));
}

// The text of an object that was made ready. One that is not any more, since the schema of its
// resource has changed meanwhile, ends the list.
Answer<Bytes> text_of(const Call& call, const Object& object) {
  STRAKE_TRY(Bytes bytes, call.endpoint->render(object, *call.version));
  if (!bytes) return refuse(Status::service_unavailable("the resource has changed meanwhile"));
  return bytes;
}

// An object as it stands in a list. What kube-apiserver 1.36 lists of a built-in kind does not say
// what it is: the list does.
Answer<> add_item(const Call& call, const Object& object, std::vector<Piece>& out) {
  STRAKE_TRY(Bytes bytes, text_of(call, object));
  if (!call.strategy().wire().bare_items) {
    out.emplace_back(std::move(bytes));
  } else if (const auto parts = parts_without_type(*bytes)) {
    for (const std::string_view part : *parts) {
      if (!part.empty()) out.emplace_back(bytes, part);
    }
  } else {
    STRAKE_TRY(Document document, parse_current(*bytes));
    document.root().remove("apiVersion");
    document.root().remove("kind");
    out.emplace_back(value::to_json(document.root()));
  }
  return {};
}

Answer<Response> protobuf_list(const Call& call, std::span<const ObjectPtr> objects,
                               const ListMeta& meta) {
  if (call.wanted.form == Form::kPartial) return refuse(wrong_form(call));
  const bool bare = call.wanted.form == Form::kPartialList;
  std::vector<std::string> items;
  items.reserve(objects.size());
  for (std::size_t i = 0; i < objects.size(); ++i) {
    if (i % kBetweenLooks == 0 && call.is_cancelled()) return refuse(Call::cancelled());
    STRAKE_TRY(const Bytes bytes, text_of(call, *objects[i]));
    STRAKE_TRY(const Document document, parse_current(*bytes));
    if (bare) {
      items.push_back(kinds::encode_message(document.root(), kinds::partial_metadata_message()));
    } else {
      STRAKE_TRY(items.emplace_back(), protobuf_message(document.root()));
    }
  }
  const std::string meta_text = meta.to_json();
  STRAKE_TRY(const Document metadata, parse_current(meta_text));
  Response out;
  out.headers.add("Content-Type", kinds::kProtobufType);
  out.body.emplace_back(
      kinds::in_envelope(bare ? "meta.k8s.io/v1" : call.api_version(),
                         bare ? "PartialObjectMetadataList" : call.resource().list_kind,
                         kinds::encode_list(metadata.root(), items)));
  return out;
}

Status lost_array() { return Status::internal_error("the array of a list was not written"); }

}  // namespace

bool must_be_made(const Call& call) {
  return call.wanted.form != Form::kObject || call.wanted.encoding != Encoding::kJson ||
         wants_pretty(call);
}

bool comes_in_parts(const Call& call) { return call.wanted.encoding != Encoding::kProtobuf; }

Answer<ListText> ListText::of(const Call& call, const ListMeta& meta) {
  ListText out;
  out.call_ = &call;
  out.key_ = "items";
  if (call.wanted.encoding == Encoding::kYaml) {
    out.layout_ = Layout::kYaml;
  } else if (wants_pretty(call)) {
    out.layout_ = Layout::kIndented;
  }
  std::string head;
  std::string tail;
  switch (call.wanted.form) {
    case Form::kTable: {
      STRAKE_TRY(out.include_, read_include_object(call.query));
      out.key_ = "rows";
      const publish::TablePrinter& printer = call.endpoint->printer(*call.version);
      printer.begin(head, meta.to_json(), true);
      printer.end(tail);
      break;
    }
    case Form::kPartial: return refuse(wrong_form(call));
    case Form::kPartialList:
      head = fmt::format(
          R"({{"kind":"PartialObjectMetadataList","apiVersion":"meta.k8s.io/v1","metadata":{},"items":[)",
          meta.to_json());
      tail = "]}";
      break;
    case Form::kObject:
      head = list_head(call);
      tail = list_tail(call, meta);
      break;
  }
  STRAKE_CHECK(out.split(head, tail));
  return out;
}

// The frame is written with an empty array, and cut there. No text inside can be taken for it: in
// strings quotes are escaped, and lines of strings are indented.
Answer<> ListText::split(std::string_view head, std::string_view tail) {
  if (layout_ == Layout::kCompact) {
    head_ = head;
    tail_ = fmt::format("{}\n", tail);
    without_objects_ = head_ + tail_;
    return {};
  }
  const std::string json = fmt::format("{}{}", head, tail);
  STRAKE_TRY(const Document frame, parse_current(json));
  const bool yaml = layout_ == Layout::kYaml;
  without_objects_ =
      yaml ? value::to_yaml(frame.root()) : value::to_json(frame.root(), {.indent = 2}) + "\n";
  const std::string array =
      yaml ? fmt::format("\n{}: []\n", key_) : fmt::format("\n  \"{}\": []", key_);
  const std::size_t at = without_objects_.find(array);
  if (at == std::string::npos) return refuse(lost_array());
  const std::size_t brackets = without_objects_.find("[]", at);
  if (yaml) {
    head_ = without_objects_.substr(0, brackets - 1) + "\n";
    tail_ = without_objects_.substr(brackets + 3);
  } else {
    head_ = without_objects_.substr(0, brackets + 1);
    tail_ = "\n  " + without_objects_.substr(brackets + 1);
  }
  return {};
}

Answer<> ListText::add_json(const Object& object, std::string& out) const {
  if (call_->wanted.form == Form::kObject) {
    std::vector<Piece> pieces;
    STRAKE_CHECK(add_item(*call_, object, pieces));
    for (const Piece& piece : pieces) out += piece.view();
    return {};
  }
  STRAKE_TRY(const Bytes bytes, text_of(*call_, object));
  STRAKE_TRY(const Document document, parse_current(*bytes));
  if (call_->wanted.form == Form::kTable) {
    call_->endpoint->printer(*call_->version)
        .row(out, document.root(), *bytes, include_, call_->now);
  } else {
    publish::partial_object_metadata(out, document.root());
  }
  return {};
}

Answer<std::string> ListText::part(std::span<const ObjectPtr> objects, bool is_first) const {
  const bool compact = layout_ == Layout::kCompact;
  std::string json = compact ? std::string() : fmt::format("{{\"{}\":[", key_);
  for (std::size_t i = 0; i < objects.size(); ++i) {
    if (i % kBetweenLooks == 0 && call_->is_cancelled()) return refuse(Call::cancelled());
    if (i > 0 || (compact && !is_first)) json += ',';
    STRAKE_CHECK(add_json(*objects[i], json));
  }
  if (compact) return json;
  // Written as the array of an object, so that the layout is that of the whole.
  json += "]}";
  STRAKE_TRY(const Document document, parse_current(json));
  if (layout_ == Layout::kYaml) {
    std::string text = value::to_yaml(document.root());
    text.erase(0, text.find('\n') + 1);
    return text;
  }
  std::string text = value::to_json(document.root(), {.indent = 2});
  text.erase(0, text.find('[') + 1);
  text.resize(text.size() - std::string_view("\n  ]\n}").size());
  return is_first ? text : "," + text;
}

std::string_view ListText::media_type() const {
  return layout_ == Layout::kYaml ? "application/yaml" : "application/json";
}

Answer<Response> list_response(const Call& call, std::span<const ObjectPtr> objects,
                               const ListMeta& meta) {
  if (!comes_in_parts(call)) return protobuf_list(call, objects, meta);
  Response out;
  if (must_be_made(call)) {
    STRAKE_TRY(const ListText text, ListText::of(call, meta));
    out.headers.add("Content-Type", text.media_type());
    if (objects.empty()) {
      out.body.emplace_back(text.without_objects());
      return out;
    }
    STRAKE_TRY(const std::string part, text.part(objects, true));
    out.body.emplace_back(text.head() + part + text.tail());
    return out;
  }
  // The bytes of the objects are sent from where they lie; only the frame around them is made.
  out.headers.add("Content-Type", "application/json");
  out.body.reserve((call.strategy().wire().bare_items ? 4 : 2) * objects.size() + 3);
  out.body.emplace_back(list_head(call));
  for (std::size_t i = 0; i < objects.size(); ++i) {
    if (i % kBetweenLooks == 0 && call.is_cancelled()) return refuse(Call::cancelled());
    if (i > 0) out.body.push_back(Piece::literal(","));
    STRAKE_CHECK(add_item(call, *objects[i], out.body));
  }
  out.body.emplace_back(list_tail(call, meta) + "\n");
  return out;
}

}  // namespace strake::api
