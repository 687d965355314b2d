#include "publish/protobuf.h"

#include <bit>
#include <cstring>
#include <ranges>

#include "value/json_writer.h"

namespace strake::publish::protobuf {
namespace {

using value::Member;
using value::Type;
using value::Value;

// Named JSON: {name = 1, value = 2: {yaml = 2}}.
constexpr Message kAny = {.json = 2};

// Writes from the end to the start: the length of a message is known once its content stands
// behind it, so nothing is measured twice or moved.
class Writer {
 public:
  std::size_t size() const { return size_; }
  std::string take() && { return buffer_.substr(buffer_.size() - size_); }

  void bytes(std::string_view text) {
    reserve(text.size());
    size_ += text.size();
    std::memcpy(buffer_.data() + buffer_.size() - size_, text.data(), text.size());
  }
  void varint(std::uint64_t number) {
    char text[10];
    std::size_t length = 0;
    do {
      text[length++] = static_cast<char>((number & 0x7f) | (number > 0x7f ? 0x80 : 0));
      number >>= 7;
    } while (number != 0);
    bytes({text, length});
  }
  // What precedes the bytes written since the buffer had `start` bytes.
  void header(std::uint32_t number, std::size_t start) {
    varint(size_ - start);
    tag(number, 2);
  }
  void tag(std::uint32_t number, std::uint32_t wire) { varint(std::uint64_t{number} << 3 | wire); }

  void text(std::uint32_t number, std::string_view text) {
    const std::size_t start = size_;
    if (!text.empty()) bytes(text);
    header(number, start);
  }
  void boolean(std::uint32_t number, bool b) {
    varint(b ? 1 : 0);
    tag(number, 0);
  }
  void integer(std::uint32_t number, std::int64_t i) {
    varint(static_cast<std::uint64_t>(i));
    tag(number, 0);
  }
  void real(std::uint32_t number, double d) {
    auto bits = std::bit_cast<std::uint64_t>(d);
    char text[8];
    for (char& c : text) {
      c = static_cast<char>(bits & 0xff);
      bits >>= 8;
    }
    bytes({text, 8});
    tag(number, 1);
  }

 private:
  void reserve(std::size_t more) {
    if (size_ + more <= buffer_.size()) return;
    std::string larger(2 * (size_ + more) + 64, '\0');
    std::memcpy(larger.data() + larger.size() - size_, buffer_.data() + buffer_.size() - size_,
                size_);
    buffer_ = std::move(larger);
  }

  std::string buffer_;  // its last size_ bytes are used
  std::size_t size_ = 0;
};

// Goes through everything from its end, as the writer does; members keep their order that way.
class Encoder {
 public:
  explicit Encoder(Writer& out) : out_(out) {}

  // The content of the message, without a header.
  void content(const Value& v, const Message& message) {
    if (message.choose != nullptr) {
      const Choice choice = message.choose(v);
      if (choice.message != nullptr) {
        one(choice.number, v, *choice.message);
      } else {
        scalar(choice.number, v);
      }
    } else if (message.texts != 0) {
      texts(message.texts, v);
    } else if (message.json != 0) {
      out_.text(message.json, value::to_json(v));
    } else if (v.is_object()) {
      for (const Member& member : v.members() | std::views::reverse) {
        if (message.entries != nullptr) {
          entry(message.entry, member, *message.entries);
        } else {
          named(member, message);
        }
      }
    }
  }

 private:
  void one(std::uint32_t number, const Value& v, const Message& message) {
    const std::size_t start = out_.size();
    content(v, message);
    out_.header(number, start);
  }

  void entry(std::uint32_t number, const Member& member, const Message& message) {
    const std::size_t start = out_.size();
    one(2, member.value, message);
    out_.text(1, member.key);
    out_.header(number, start);
  }

  void named(const Member& member, const Message& message) {
    for (const Field& field : message.fields) {
      if (field.key != member.key) continue;
      const bool repeats =
          field.form == Field::Form::kTexts || field.form == Field::Form::kMessages;
      if (!repeats) {
        put(field, member.value);
      } else if (member.value.is_array()) {
        for (const Value& item : member.value.items() | std::views::reverse) put(field, item);
      }
      return;
    }
    if (message.extensions != 0 && member.key.starts_with("x-"))
      entry(message.extensions, member, kAny);
  }

  void put(const Field& field, const Value& v) {
    switch (field.form) {
      case Field::Form::kText:
      case Field::Form::kTexts:
        if (v.is_string()) out_.text(field.number, v.as_string());
        return;
      case Field::Form::kBool:
        if (v.is_bool()) out_.boolean(field.number, v.as_bool());
        return;
      case Field::Form::kInt:
        if (v.type() == Type::kInt) out_.integer(field.number, v.as_int());
        return;
      case Field::Form::kDouble:
        if (v.is_number()) out_.real(field.number, v.as_double());
        return;
      case Field::Form::kMessage:
      case Field::Form::kMessages: one(field.number, v, *field.message); return;
    }
  }

  void texts(std::uint32_t number, const Value& v) {
    if (v.is_string()) {
      out_.text(number, v.as_string());
    } else if (v.is_array()) {
      for (const Value& item : v.items() | std::views::reverse) {
        if (item.is_string()) out_.text(number, item.as_string());
      }
    }
  }

  void scalar(std::uint32_t number, const Value& v) {
    if (number == 0) return;
    if (v.is_bool()) out_.boolean(number, v.as_bool());
    if (v.is_number()) out_.real(number, v.as_double());
    if (v.is_string()) out_.text(number, v.as_string());
  }

  Writer& out_;
};

}  // namespace

std::string encode(const Value& document, const Message& message) {
  Writer out;
  Encoder(out).content(document, message);
  return std::move(out).take();
}

}  // namespace strake::publish::protobuf
