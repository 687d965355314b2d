#include "etcd/messages.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>

#include "base/base64.h"
#include "kinds/protobuf_wire.h"
#include "value/fields.h"

namespace strake::etcd {
namespace {

using kinds::WireField;
using kinds::WireReader;
using value::text_of;
using value::Value;
using Form = Field::Form;

constexpr std::string_view kSortOrders[] = {"NONE", "ASCEND", "DESCEND"};
constexpr std::string_view kSortTargets[] = {"KEY", "VERSION", "CREATE", "MOD", "VALUE"};
constexpr std::string_view kCompareResults[] = {"EQUAL", "GREATER", "LESS", "NOT_EQUAL"};
constexpr std::string_view kCompareTargets[] = {"VERSION", "CREATE", "MOD", "VALUE", "LEASE"};
constexpr std::string_view kAlarmActions[] = {"GET", "ACTIVATE", "DEACTIVATE"};

// rpc.proto and kv.proto of etcd 3.6.
constexpr Field kHeaderFields[] = {{1, "cluster_id", Form::kUint64},
                                   {2, "member_id", Form::kUint64},
                                   {3, "revision", Form::kInt64},
                                   {4, "raft_term", Form::kUint64}};
constexpr Message kHeader{kHeaderFields};
constexpr Field kKeyValueFields[] = {{1, "key"},
                                     {2, "create_revision", Form::kInt64},
                                     {3, "mod_revision", Form::kInt64},
                                     {4, "version", Form::kInt64},
                                     {5, "value"},
                                     {6, "lease", Form::kInt64}};
constexpr Message kKeyValue{kKeyValueFields};
constexpr Field kMemberFields[] = {
    {1, "ID", Form::kUint64},
    {2, "name", Form::kText},
    {.number = 3, .name = "peerURLs", .form = Form::kText, .repeated = true},
    {.number = 4, .name = "clientURLs", .form = Form::kText, .repeated = true},
    {5, "isLearner", Form::kBool}};
constexpr Message kMember{kMemberFields};
constexpr Field kRangeRequestFields[] = {
    {1, "key"},
    {2, "range_end"},
    {3, "limit", Form::kInt64},
    {4, "revision", Form::kInt64},
    {.number = 5, .name = "sort_order", .form = Form::kEnum, .choices = kSortOrders},
    {.number = 6, .name = "sort_target", .form = Form::kEnum, .choices = kSortTargets},
    {7, "serializable", Form::kBool},
    {8, "keys_only", Form::kBool},
    {9, "count_only", Form::kBool},
    {10, "min_mod_revision", Form::kInt64},
    {11, "max_mod_revision", Form::kInt64},
    {12, "min_create_revision", Form::kInt64},
    {13, "max_create_revision", Form::kInt64}};
constexpr Field kRangeResponseFields[] = {
    {1, "header", Form::kMessage, &kHeader},
    {.number = 2, .name = "kvs", .form = Form::kMessage, .message = &kKeyValue, .repeated = true},
    {3, "more", Form::kBool},
    {4, "count", Form::kInt64}};
constexpr Field kPutRequestFields[] = {{1, "key"},
                                       {2, "value"},
                                       {3, "lease", Form::kInt64},
                                       {4, "prev_kv", Form::kBool},
                                       {5, "ignore_value", Form::kBool},
                                       {6, "ignore_lease", Form::kBool}};
constexpr Field kPutResponseFields[] = {{1, "header", Form::kMessage, &kHeader},
                                        {2, "prev_kv", Form::kMessage, &kKeyValue}};
constexpr Field kDeleteRangeRequestFields[] = {
    {1, "key"}, {2, "range_end"}, {3, "prev_kv", Form::kBool}};
constexpr Field kDeleteRangeResponseFields[] = {{1, "header", Form::kMessage, &kHeader},
                                                {2, "deleted", Form::kInt64},
                                                {.number = 3,
                                                 .name = "prev_kvs",
                                                 .form = Form::kMessage,
                                                 .message = &kKeyValue,
                                                 .repeated = true}};
constexpr Field kCompareFields[] = {
    {.number = 1, .name = "result", .form = Form::kEnum, .choices = kCompareResults},
    {.number = 2, .name = "target", .form = Form::kEnum, .choices = kCompareTargets},
    {3, "key"},
    {4, "version", Form::kInt64},
    {5, "create_revision", Form::kInt64},
    {6, "mod_revision", Form::kInt64},
    {7, "value"},
    {8, "lease", Form::kInt64},
    {64, "range_end"}};
constexpr Message kCompare{kCompareFields};
constexpr Field kRequestOpFields[] = {
    {1, "request_range", Form::kMessage, &kRangeRequest},
    {2, "request_put", Form::kMessage, &kPutRequest},
    {3, "request_delete_range", Form::kMessage, &kDeleteRangeRequest},
    {4, "request_txn", Form::kMessage, &kTxnRequest}};
constexpr Message kRequestOp{kRequestOpFields};
constexpr Field kResponseOpFields[] = {
    {1, "response_range", Form::kMessage, &kRangeResponse},
    {2, "response_put", Form::kMessage, &kPutResponse},
    {3, "response_delete_range", Form::kMessage, &kDeleteRangeResponse},
    {4, "response_txn", Form::kMessage, &kTxnResponse}};
constexpr Message kResponseOp{kResponseOpFields};
constexpr Field kTxnRequestFields[] = {{.number = 1,
                                        .name = "compare",
                                        .form = Form::kMessage,
                                        .message = &kCompare,
                                        .repeated = true},
                                       {.number = 2,
                                        .name = "success",
                                        .form = Form::kMessage,
                                        .message = &kRequestOp,
                                        .repeated = true},
                                       {.number = 3,
                                        .name = "failure",
                                        .form = Form::kMessage,
                                        .message = &kRequestOp,
                                        .repeated = true}};
constexpr Field kTxnResponseFields[] = {{1, "header", Form::kMessage, &kHeader},
                                        {2, "succeeded", Form::kBool},
                                        {.number = 3,
                                         .name = "responses",
                                         .form = Form::kMessage,
                                         .message = &kResponseOp,
                                         .repeated = true}};
constexpr Field kCompactionRequestFields[] = {{1, "revision", Form::kInt64},
                                              {2, "physical", Form::kBool}};
constexpr Field kHeaderAlone[] = {{1, "header", Form::kMessage, &kHeader}};
constexpr Field kStatusResponseFields[] = {{1, "header", Form::kMessage, &kHeader},
                                           {2, "version", Form::kText},
                                           {3, "dbSize", Form::kInt64},
                                           {4, "leader", Form::kUint64},
                                           {5, "raftIndex", Form::kUint64},
                                           {6, "raftTerm", Form::kUint64},
                                           {7, "raftAppliedIndex", Form::kUint64},
                                           {9, "dbSizeInUse", Form::kInt64}};
constexpr Field kAlarmRequestFields[] = {
    {.number = 1, .name = "action", .form = Form::kEnum, .choices = kAlarmActions}};
constexpr Field kMemberListRequestFields[] = {{1, "linearizable", Form::kBool}};
constexpr Field kMemberListResponseFields[] = {{1, "header", Form::kMessage, &kHeader},
                                               {.number = 2,
                                                .name = "members",
                                                .form = Form::kMessage,
                                                .message = &kMember,
                                                .repeated = true}};

// ---- Reading

class Decoder {
 public:
  explicit Decoder(Arena& arena) : arena_(arena) {}

  Result<> read(std::string_view bytes, const Message& message, Value& into, std::size_t depth) {
    if (depth > kMostDepth)
      return fail(Code::kBadRequest, "messages are nested deeper than {}", kMostDepth);
    WireReader reader(bytes);
    while (!reader.done()) {
      STRAKE_TRY(const WireField wire, reader.next());
      const auto field = std::ranges::find(message.fields, wire.number, &Field::number);
      if (field == message.fields.end()) continue;
      Value value;
      if (field->form == Form::kMessage && !field->repeated) {
        // What comes in several pieces is merged.
        STRAKE_CHECK(check_type(wire, *field));
        STRAKE_CHECK(
            read(wire.bytes, *field->message, into.object_at(field->name, arena_), depth + 1));
        continue;
      }
      STRAKE_TRY(value, read_value(wire, *field, depth));
      if (!field->repeated) {
        into.set(field->name, value, arena_);
        continue;
      }
      Value* list = into.find(field->name);
      if (list == nullptr) list = &into.set(field->name, Value::array({}), arena_);
      list->append(value, arena_);
    }
    return {};
  }

 private:
  static Result<> check_type(const WireField& wire, const Field& field) {
    const bool as_bytes =
        field.form == Form::kBytes || field.form == Form::kText || field.form == Form::kMessage;
    if (wire.type != (as_bytes ? WireField::Type::kBytes : WireField::Type::kVarint))
      return fail(Code::kBadRequest, "protobuf: {} has the wrong wire type", field.name);
    return {};
  }
  Value text(std::string_view of) { return Value::string(arena_.copy(of)); }
  Result<Value> read_value(const WireField& wire, const Field& field, std::size_t depth) {
    STRAKE_CHECK(check_type(wire, field));
    switch (field.form) {
      case Form::kBytes: return text(base64_encode(wire.bytes));
      case Form::kText: return text(wire.bytes);
      case Form::kInt64: return text(fmt::format("{}", static_cast<std::int64_t>(wire.varint)));
      case Form::kUint64: return text(fmt::format("{}", wire.varint));
      case Form::kBool: return Value::boolean(wire.varint != 0);
      case Form::kEnum:
        if (wire.varint >= field.choices.size())
          return fail(Code::kBadRequest, "{} has no choice {}", field.name, wire.varint);
        return Value::string(field.choices[wire.varint]);
      case Form::kMessage: break;
    }
    Value out = Value::object({});
    STRAKE_CHECK(read(wire.bytes, *field.message, out, depth + 1));
    return out;
  }

  Arena& arena_;
};

// ---- Writing

void put_varint(std::uint64_t number, std::string& out) {
  while (number > 0x7f) {
    out += static_cast<char>((number & 0x7f) | 0x80);
    number >>= 7;
  }
  out += static_cast<char>(number);
}

void put_bytes(std::uint32_t number, std::string_view bytes, std::string& out) {
  put_varint(std::uint64_t{number} << 3 | 2, out);
  put_varint(bytes.size(), out);
  out += bytes;
}

template <typename Number>
std::uint64_t number_of(const Value& value) {
  const std::string_view text = text_of(value);
  Number out = 0;
  std::from_chars(text.data(), text.data() + text.size(), out);
  return static_cast<std::uint64_t>(out);
}

void put(const Value& value, const Field& field, std::string& out) {
  switch (field.form) {
    case Form::kBytes:
      return put_bytes(field.number, base64_decode(text_of(value)).value_or(""), out);
    case Form::kText: return put_bytes(field.number, text_of(value), out);
    case Form::kMessage: return put_bytes(field.number, encode(value, *field.message), out);
    default: break;
  }
  put_varint(std::uint64_t{field.number} << 3, out);
  switch (field.form) {
    case Form::kInt64: return put_varint(number_of<std::int64_t>(value), out);
    case Form::kUint64: return put_varint(number_of<std::uint64_t>(value), out);
    case Form::kBool: return put_varint(value.is_bool() && value.as_bool() ? 1 : 0, out);
    default: {
      const auto found = std::ranges::find(field.choices, text_of(value));
      const std::ptrdiff_t at = found - field.choices.begin();
      return put_varint(found == field.choices.end() ? 0 : static_cast<std::uint64_t>(at), out);
    }
  }
}

}  // namespace

constinit const Message kRangeRequest{kRangeRequestFields};
constinit const Message kRangeResponse{kRangeResponseFields};
constinit const Message kPutRequest{kPutRequestFields};
constinit const Message kPutResponse{kPutResponseFields};
constinit const Message kDeleteRangeRequest{kDeleteRangeRequestFields};
constinit const Message kDeleteRangeResponse{kDeleteRangeResponseFields};
constinit const Message kTxnRequest{kTxnRequestFields};
constinit const Message kTxnResponse{kTxnResponseFields};
constinit const Message kCompactionRequest{kCompactionRequestFields};
constinit const Message kCompactionResponse{kHeaderAlone};
constinit const Message kStatusRequest{};
constinit const Message kStatusResponse{kStatusResponseFields};
constinit const Message kAlarmRequest{kAlarmRequestFields};
constinit const Message kAlarmResponse{kHeaderAlone};
constinit const Message kMemberListRequest{kMemberListRequestFields};
constinit const Message kMemberListResponse{kMemberListResponseFields};

Result<value::Document> decode(std::string_view bytes, const Message& message) {
  value::Document out;
  out.root() = Value::object({});
  STRAKE_CHECK(Decoder(out.arena()).read(bytes, message, out.root(), 0));
  return out;
}

std::string encode(const Value& body, const Message& message) {
  std::string out;
  for (const Field& field : message.fields) {
    const Value* found = body.find(field.name);
    if (found == nullptr) continue;
    if (!field.repeated) {
      put(*found, field, out);
      continue;
    }
    for (const Value& one : found->items()) put(one, field, out);
  }
  return out;
}

}  // namespace strake::etcd
