#include "kinds/protobuf.h"

#include <algorithm>
#include <span>
#include <vector>

#include "base/base64.h"
#include "base/quote.h"
#include "base/rfc3339.h"
#include "base/utf8.h"
#include "kinds/protobuf_tables.h"
#include "kinds/protobuf_wire.h"
#include "value/json_reader.h"

namespace strake::kinds {
namespace {

using value::Document;
using value::Member;
using value::Value;
using Form = ProtoField::Form;
using Count = ProtoField::Count;
// A message, in as many pieces as it came in: reading one after the other merges them.
using Pieces = std::span<const std::string_view>;

constexpr std::string_view kMagic("k8s\0", 4);

// What one field of a message was given.
struct Gathered {
  bool seen = false;
  std::uint64_t number = 0;            // the last one
  std::vector<std::uint64_t> numbers;  // of a list
  std::vector<std::string_view> pieces;
};

bool is_number(const ProtoField& field) {
  return field.count != Count::kMap && field.form <= Form::kInt64;
}

Result<> gather(Pieces message, std::span<const ProtoField> fields, std::string_view owner,
                std::span<Gathered> out) {
  for (const std::string_view piece : message) {
    WireReader reader(piece);
    while (!reader.done()) {
      STRAKE_TRY(const WireField one, reader.next());
      const auto field = std::ranges::find(fields, one.number, &ProtoField::number);
      if (field == fields.end()) continue;
      Gathered& into = out[static_cast<std::size_t>(field - fields.begin())];
      const bool is_list_of_numbers = is_number(*field) && field->count == Count::kList;
      // Lists of numbers may be packed, whatever the schema says.
      if (is_list_of_numbers && one.type == WireField::Type::kBytes) {
        into.seen = true;
        for (WireReader packed(one.bytes); !packed.done();) {
          STRAKE_TRY(const std::uint64_t number, packed.varint());
          into.numbers.push_back(number);
        }
        continue;
      }
      const auto wanted = is_number(*field) ? WireField::Type::kVarint : WireField::Type::kBytes;
      if (one.type != wanted) {
        return fail(Code::kBadRequest, "protobuf: wrong wire type {} for field {} of {}",
                    static_cast<int>(one.type), field->name, owner);
      }
      into.seen = true;
      into.number = one.varint;
      if (is_list_of_numbers) into.numbers.push_back(one.varint);
      if (wanted == WireField::Type::kBytes) into.pieces.push_back(one.bytes);
    }
  }
  return {};
}

// The messages that stand for something else than an object.
constexpr ProtoField kMomentFields[] = {{1, "seconds", Form::kInt64}, {2, "nanos", Form::kInt32}};
constexpr ProtoField kRawFields[] = {{1, "Raw", Form::kBytes}};
constexpr ProtoField kQuantityFields[] = {{1, "string"}};
constexpr ProtoField kItemsFields[] = {{1, "items", Form::kText, Count::kList}};
constexpr ProtoField kIntOrStringFields[] = {
    {1, "type", Form::kInt64}, {2, "intVal", Form::kInt32}, {3, "strVal"}};
constexpr ProtoField kTextEntry[] = {{1, "key"}, {2, "value"}};

class Decoder {
 public:
  explicit Decoder(Arena& arena) : arena_(arena) {}

  Result<Value> object(Pieces pieces, const ProtoMessage& message) {
    std::vector<Member> members;
    STRAKE_CHECK(add_members(pieces, message, members));
    return sorted(members);
  }

  Value text(std::string_view bytes) { return Value::string(keep_text(bytes)); }

 private:
  Result<> add_members(Pieces pieces, const ProtoMessage& message, std::vector<Member>& out) {
    std::vector<Gathered> gathered(message.fields.size());
    STRAKE_CHECK(gather(pieces, message.fields, message.name, gathered));
    for (std::size_t i = 0; i < gathered.size(); ++i) {
      const ProtoField& field = message.fields[i];
      if (!gathered[i].seen) continue;
      if (field.form == Form::kInline) {
        STRAKE_CHECK(add_members(gathered[i].pieces, *field.message, out));
        continue;
      }
      STRAKE_TRY(const Value value, read(field, gathered[i]));
      // Zero times and raw JSON of no bytes stand for nothing.
      if (!value.is_null()) out.push_back({field.name, value});
    }
    return {};
  }

  Result<Value> read(const ProtoField& field, const Gathered& from) {
    switch (field.count) {
      case Count::kOne:
        return is_number(field) ? number(field, from.number) : one(field, from.pieces);
      case Count::kList:
        if (is_number(field))
          return list(from.numbers,
                      [&](std::uint64_t item) -> Result<Value> { return number(field, item); });
        return list(from.pieces, [&](std::string_view item) { return one(field, {&item, 1}); });
      case Count::kMap: return map(field, from.pieces);
    }
    return Value();
  }

  static Value number(const ProtoField& field, std::uint64_t from) {
    if (field.form == Form::kBool) return Value::boolean(from != 0);
    // Longer numbers lose their upper half, as they do in every decoder.
    if (field.form == Form::kInt32) return Value::integer(static_cast<std::int32_t>(from));
    return Value::integer(static_cast<std::int64_t>(from));
  }

  // One value that is no number. Without pieces it is empty.
  Result<Value> one(const ProtoField& field, Pieces from) {
    const std::string_view last = from.empty() ? std::string_view() : from.back();
    switch (field.form) {
      case Form::kBytes: return base64(last);
      case Form::kMessage:
      case Form::kInline: return object(from, *field.message);
      case Form::kTime:
      case Form::kMicroTime: return time(field, from);
      case Form::kJson:
      case Form::kOwnedFields: return json(field, from);
      case Form::kIntOrString: return int_or_string(field, from);
      case Form::kQuantity: return quantity(field, from);
      case Form::kTexts: return texts(field, from);
      case Form::kText:
      case Form::kBool:
      case Form::kInt32:
      case Form::kInt64: break;
    }
    return text(last);
  }

  template <typename Item, typename Make>
  Result<Value> list(const std::vector<Item>& from, const Make& make) {
    const std::span items(arena_.allocate_array<Value>(from.size()), from.size());
    for (std::size_t i = 0; i < from.size(); ++i) {
      STRAKE_TRY(items[i], make(from[i]));
    }
    return Value::array(items);
  }

  Result<Value> map(const ProtoField& field, Pieces entries) {
    std::vector<Member> members;
    members.reserve(entries.size());
    for (const std::string_view& entry : entries) {
      Gathered parts[2];
      STRAKE_CHECK(gather({&entry, 1}, kTextEntry, field.name, parts));
      const std::string_view key = parts[0].seen ? parts[0].pieces.back() : "";
      STRAKE_TRY(const Value value, one(field, parts[1].pieces));
      members.push_back({keep_text(key), value});
    }
    return sorted(members);
  }

  Result<Value> texts(const ProtoField& field, Pieces pieces) {
    Gathered items;
    STRAKE_CHECK(gather(pieces, kItemsFields, field.name, {&items, 1}));
    return list(items.pieces, [&](std::string_view item) -> Result<Value> { return text(item); });
  }

  Result<Value> quantity(const ProtoField& field, Pieces pieces) {
    Gathered amount;
    STRAKE_CHECK(gather(pieces, kQuantityFields, field.name, {&amount, 1}));
    return text(amount.seen ? amount.pieces.back() : "0");
  }

  Result<Value> time(const ProtoField& field, Pieces pieces) {
    constexpr std::int64_t kFirst = -62'167'219'200;  // of the year 0
    constexpr std::int64_t kLast = 253'402'300'799;   // of the year 9999
    constexpr std::int64_t kSecond = 1'000'000'000;
    Gathered parts[2];
    STRAKE_CHECK(gather(pieces, kMomentFields, field.name, parts));
    auto seconds = static_cast<std::int64_t>(parts[0].number);
    std::int64_t nanos = static_cast<std::int32_t>(parts[1].number);
    if (seconds == 0 && nanos == 0) return Value();
    if (seconds < kFirst || seconds > kLast)
      return fail(Code::kBadRequest, "protobuf: {} is outside the years 0 to 9999", field.name);
    // At most two seconds, either way.
    for (; nanos < 0; nanos += kSecond) --seconds;
    for (; nanos >= kSecond; nanos -= kSecond) ++seconds;
    const Instant moment{seconds, static_cast<std::uint32_t>(nanos)};
    return Value::string(arena_.copy(field.form == Form::kTime ? format_rfc3339(moment)
                                                               : format_rfc3339_micro(moment)));
  }

  Result<Value> json(const ProtoField& field, Pieces pieces) {
    Gathered raw;
    STRAKE_CHECK(gather(pieces, kRawFields, field.name, {&raw, 1}));
    if (!raw.seen || raw.pieces.back().empty()) return Value();
    Result<Document> read =
        value::read_json_borrowed(raw.pieces.back(), value::ReadOptions::as_api_server());
    if (!read) {
      return fail(Code::kBadRequest, "protobuf: {} is no JSON: {}", field.name,
                  read.error().message());
    }
    return deep_copy(read->root(), arena_);
  }

  Result<Value> int_or_string(const ProtoField& field, Pieces pieces) {
    constexpr std::uint64_t kString = 1;
    Gathered parts[3];
    STRAKE_CHECK(gather(pieces, kIntOrStringFields, field.name, parts));
    if (parts[0].number != kString)
      return Value::integer(static_cast<std::int32_t>(parts[1].number));
    return text(parts[2].seen ? parts[2].pieces.back() : "");
  }

  Value base64(std::string_view bytes) { return Value::string(arena_.copy(base64_encode(bytes))); }

  // Protobuf text need not be UTF-8; JSON text must.
  std::string_view keep_text(std::string_view bytes) {
    return utf8::is_valid(bytes) ? arena_.copy(bytes) : arena_.copy(utf8::replace_invalid(bytes));
  }

  // Of members with one key the last one counts.
  Value sorted(const std::vector<Member>& members) {
    std::vector<const Member*> order;
    order.reserve(members.size());
    for (const Member& one : members) order.push_back(&one);
    std::ranges::sort(order, [](const Member* a, const Member* b) {
      const int keys = value::compare_keys(a->key, b->key);
      return keys != 0 ? keys < 0 : a < b;
    });
    Member* const out = arena_.allocate_array<Member>(members.size());
    std::size_t count = 0;
    for (const Member* one : order) {
      if (count > 0 && out[count - 1].key == one->key) --count;
      out[count++] = *one;
    }
    return Value::object({out, count});
  }

  Arena& arena_;
};

struct Envelope {
  std::string_view api_version;
  std::string_view kind;
  std::vector<std::string_view> raw;
};

Result<Envelope> open(std::string_view body) {
  static constexpr ProtoField kEnvelope[] = {
      {1, "typeMeta"}, {2, "raw", Form::kBytes}, {3, "contentEncoding"}};
  static constexpr ProtoField kTypeMeta[] = {{1, "apiVersion"}, {2, "kind"}};
  Gathered parts[3];
  STRAKE_CHECK(gather({&body, 1}, kEnvelope, "the envelope", parts));
  Gathered type[2];
  STRAKE_CHECK(gather(parts[0].pieces, kTypeMeta, "the envelope", type));
  const auto last = [](const Gathered& from) {
    return from.seen ? from.pieces.back() : std::string_view();
  };
  if (!last(parts[2]).empty()) {
    return fail(Code::kParse, "protobuf: content encoding {} is not supported",
                quote(last(parts[2])));
  }
  Envelope out{.api_version = last(type[0]), .kind = last(type[1]), .raw = {}};
  if (out.kind.empty()) return fail(Code::kParse, "Object 'Kind' is missing in the envelope");
  if (out.api_version.empty())
    return fail(Code::kParse, "Object 'apiVersion' is missing in the envelope");
  if (parts[1].seen) out.raw.push_back(parts[1].pieces.back());
  return out;
}

}  // namespace

Result<Document> decode_protobuf(std::string_view body) {
  if (body.empty()) return fail(Code::kParse, "empty data");
  if (!body.starts_with(kMagic)) {
    return fail(Code::kParse,
                "provided data does not appear to be a protobuf message, expected prefix [107 56 "
                "115 0]");
  }
  Result<Envelope> envelope = open(body.substr(kMagic.size()));
  if (!envelope) return fail(Code::kParse, "{}", envelope.error().message());
  const ProtoMessage* message = find_message(envelope->api_version, envelope->kind);
  if (message == nullptr) {
    return fail(Code::kUnsupported, "kind {} of version {} is not read from protobuf",
                quote(envelope->kind), quote(envelope->api_version));
  }
  Document out;
  Decoder decoder(out.arena());
  STRAKE_TRY(out.root(), decoder.object(envelope->raw, *message));
  out.root().set("apiVersion", decoder.text(envelope->api_version), out.arena());
  out.root().set("kind", decoder.text(envelope->kind), out.arena());
  return out;
}

}  // namespace strake::kinds
