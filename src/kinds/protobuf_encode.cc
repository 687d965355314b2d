#include <algorithm>
#include <cstdint>
#include <utility>
#include <vector>

#include "base/base64.h"
#include "base/rfc3339.h"
#include "kinds/protobuf.h"
#include "patch/path_element.h"
#include "value/fields.h"
#include "value/json_writer.h"

// What Go's generated code writes, byte for byte: fields in the order of their numbers, maps in the
// order of their keys, fields that are no pointers even when they are empty.

namespace strake::kinds {
namespace {

using value::Value;
using Form = ProtoField::Form;
using Count = ProtoField::Count;

constexpr std::string_view kMagic("k8s\0", 4);
constexpr unsigned kVarint = 0;
constexpr unsigned kBytes = 2;

void add_varint(std::string& out, std::uint64_t v) {
  for (; v >= 0x80; v >>= 7) out += static_cast<char>(v | 0x80);
  out += static_cast<char>(v);
}
void add_tag(std::string& out, std::uint32_t number, unsigned wire_type) {
  add_varint(out, std::uint64_t{number} << 3 | wire_type);
}
void add_number(std::string& out, std::uint32_t number, std::int64_t v) {
  add_tag(out, number, kVarint);
  add_varint(out, static_cast<std::uint64_t>(v));
}
void add_bytes(std::string& out, std::uint32_t number, std::string_view bytes) {
  add_tag(out, number, kBytes);
  add_varint(out, bytes.size());
  out.append(bytes);
}
// What `write` adds, with its length in front: written first and then moved, mostly by one byte.
template <typename Write>
void add_nested(std::string& out, std::uint32_t number, const Write& write) {
  add_tag(out, number, kBytes);
  const std::size_t at = out.size();
  write();
  std::string length;
  add_varint(length, out.size() - at);
  out.insert(at, length);
}

// What somebody owns, as the API writes it: items of lists in the order of their keys as values, in
// which 80 comes before 443, where members of other JSON are sorted as texts.
class OwnedFields {
 public:
  std::string text(const Value& fields) {
    write(fields);
    return std::move(out_);
  }

 private:
  struct Entry {
    patch::PathElement element;
    const value::Member* member;
  };

  void write(const Value& fields) {
    if (!fields.is_object()) {
      out_ += value::to_json(fields);
      return;
    }
    out_ += '{';
    bool first = true;
    const auto add = [&](const value::Member& member) {
      if (!std::exchange(first, false)) out_ += ',';
      value::write_json_string(member.key, out_);
      out_ += ':';
      write(member.value);
    };
    std::vector<Entry> entries;
    for (const value::Member& member : fields.members()) {
      // What has no path stands for the set itself: ".".
      if (const auto element = patch::PathElement::read(member.key, arena_)) {
        entries.push_back({*element, &member});
      } else {
        add(member);
      }
    }
    std::ranges::sort(
        entries, [](const Entry& a, const Entry& b) { return a.element.compare(b.element) < 0; });
    for (const Entry& entry : entries) add(*entry.member);
    out_ += '}';
  }

  Arena arena_;
  std::string out_;
};

class Encoder {
 public:
  explicit Encoder(std::string& out) : out_(out) {}

  void message(const Value& object, const ProtoMessage& message) {
    for (const ProtoField& field : message.fields) {
      if (field.form == Form::kInline) {
        add_nested(out_, field.number, [&] { this->message(object, *field.message); });
        continue;
      }
      const Value& v = object.get(field.name);
      if (v.is_null() && !field.always) continue;
      switch (field.count) {
        case Count::kOne: one(v, field, field.number); break;
        case Count::kList:
          for (const Value& item : v.items()) one(item, field, field.number);
          break;
        case Count::kMap: map(v, field); break;
      }
    }
  }

 private:
  void map(const Value& v, const ProtoField& field) {
    std::vector<const value::Member*> members;
    members.reserve(v.size());
    for (const value::Member& member : v.members()) members.push_back(&member);
    std::ranges::sort(members, {}, [](const value::Member* member) { return member->key; });
    for (const value::Member* member : members) {
      add_nested(out_, field.number, [&] {
        add_bytes(out_, 1, member->key);
        one(member->value, field, 2);
      });
    }
  }

  void one(const Value& v, const ProtoField& field, std::uint32_t number) {
    switch (field.form) {
      case Form::kBool: return add_number(out_, number, v.is_bool() && v.as_bool() ? 1 : 0);
      case Form::kInt32:
      case Form::kInt64: return add_number(out_, number, integer(v));
      case Form::kText: return add_bytes(out_, number, value::text_of(v));
      case Form::kBytes:
        return add_bytes(out_, number, base64_decode(value::text_of(v)).value_or(std::string()));
      case Form::kQuantity:
        return nested(number, [&] { add_bytes(out_, 1, v.is_null() ? "0" : value::text_of(v)); });
      case Form::kTime:
      case Form::kMicroTime: return nested(number, [&] { time(v, field.form); });
      case Form::kJson:
        return nested(number, [&] {
          if (!v.is_null()) add_bytes(out_, 1, value::to_json(v));
        });
      case Form::kOwnedFields:
        return nested(number, [&] { add_bytes(out_, 1, OwnedFields().text(v)); });
      case Form::kIntOrString:
        return nested(number, [&] {
          add_number(out_, 1, v.is_string() ? 1 : 0);
          add_number(out_, 2, integer(v));
          add_bytes(out_, 3, value::text_of(v));
        });
      case Form::kTexts:
        return nested(number, [&] {
          for (const Value& item : v.items()) add_bytes(out_, 1, value::text_of(item));
        });
      case Form::kMessage:
      case Form::kInline: return nested(number, [&] { message(v, *field.message); });
    }
  }

  template <typename Write>
  void nested(std::uint32_t number, const Write& write) {
    add_nested(out_, number, write);
  }

  static std::int64_t integer(const Value& v) {
    return v.type() == value::Type::kInt ? v.as_int() : 0;
  }

  // No time is an empty message.
  void time(const Value& v, Form form) {
    const Result<Instant> moment = form == Form::kTime ? parse_rfc3339(value::text_of(v))
                                                       : parse_rfc3339_micro(value::text_of(v));
    if (!moment) return;
    add_number(out_, 1, moment->seconds);
    add_number(out_, 2, moment->nanoseconds);
  }

  std::string& out_;
};

}  // namespace

std::string encode_message(const Value& object, const ProtoMessage& message) {
  std::string out;
  Encoder(out).message(object, message);
  return out;
}

std::string encode_list(const Value& list_metadata, std::span<const std::string> items) {
  std::string out;
  add_nested(out, 1, [&] { Encoder(out).message(list_metadata, list_meta_message()); });
  for (const std::string& item : items) add_bytes(out, 2, item);
  return out;
}

std::string in_envelope(std::string_view api_version, std::string_view kind,
                        std::string_view message) {
  std::string out(kMagic);
  out.reserve(message.size() + api_version.size() + kind.size() + 32);
  add_nested(out, 1, [&] {
    add_bytes(out, 1, api_version);
    add_bytes(out, 2, kind);
  });
  add_bytes(out, 2, message);
  add_bytes(out, 3, "");  // encoding and type of the content
  add_bytes(out, 4, "");
  return out;
}

std::string watch_frame(std::string_view type, std::string_view body) {
  std::string event;
  add_bytes(event, 1, type);
  add_nested(event, 2, [&] { add_bytes(event, 1, body); });
  const auto size = static_cast<std::uint32_t>(event.size());
  std::string out;
  for (const int shift : {24, 16, 8, 0}) out += static_cast<char>(size >> shift);
  return out + event;
}

}  // namespace strake::kinds
