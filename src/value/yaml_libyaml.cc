#include "value/yaml_libyaml.h"

#include <yaml.h>

#include <algorithm>
#include <cstring>

#include "base/assert.h"

namespace strake::value::internal {
namespace {

enum class Encoding : std::uint8_t { kUtf8, kUtf16Little, kUtf16Big };

// libyaml counts characters, we count bytes. Marks come nearly in order, so a cursor that walks
// from one to the next costs little; plain ASCII needs no walk at all.
class ByteCounter {
 public:
  // A text that is known to be usable for the scanner is not looked through: with many documents
  // that would cost the square of their number.
  ByteCounter(std::string_view text, bool usable, bool ascii) : text_(text) {
    if (usable) {
      one_byte_each_ = ascii;
      return;
    }
    if (text.starts_with("\xff\xfe")) {
      encoding_ = Encoding::kUtf16Little;
      start_ = 2;
    } else if (text.starts_with("\xfe\xff")) {
      encoding_ = Encoding::kUtf16Big;
      start_ = 2;
    } else if (text.starts_with("\xef\xbb\xbf")) {
      start_ = 3;
    }
    byte_ = start_;
    one_byte_each_ = encoding_ == Encoding::kUtf8 &&
                     std::none_of(text.begin() + static_cast<std::ptrdiff_t>(start_), text.end(),
                                  [](char c) { return (c & 0x80) != 0; });
  }

  std::size_t offset_of(std::size_t character) {
    if (one_byte_each_) return std::min(start_ + character, text_.size());
    while (character_ < character && byte_ < text_.size()) {
      byte_ = std::min(byte_ + length_at(byte_), text_.size());
      ++character_;
    }
    while (character_ > character) {
      step_back();
      --character_;
    }
    return byte_;
  }

  // Where a byte stands, found from the start of the text. For errors only.
  Position place_of(std::size_t offset) const {
    Position at{.offset = offset};
    for (std::size_t i = start_; i < offset && i < text_.size(); i += length_at(i)) {
      const std::uint32_t c = unit_at(i);
      const bool crlf =
          c == '\r' && i + length_at(i) < text_.size() && unit_at(i + length_at(i)) == '\n';
      if (c == '\n' || (c == '\r' && !crlf)) {
        ++at.line;
        at.column = 1;
      } else {
        ++at.column;
      }
    }
    return at;
  }

 private:
  // A byte of UTF-8, or a unit of UTF-16.
  std::uint32_t unit_at(std::size_t i) const {
    const auto byte = [&](std::size_t k) {
      return k < text_.size() ? static_cast<std::uint32_t>(static_cast<unsigned char>(text_[k]))
                              : 0;
    };
    switch (encoding_) {
      case Encoding::kUtf8: return byte(i);
      case Encoding::kUtf16Little: return byte(i) | byte(i + 1) << 8;
      case Encoding::kUtf16Big: return byte(i) << 8 | byte(i + 1);
    }
    return 0;
  }
  std::size_t length_at(std::size_t i) const {
    const std::uint32_t unit = unit_at(i);
    if (encoding_ != Encoding::kUtf8) return unit >= 0xd800 && unit < 0xdc00 ? 4 : 2;
    return unit < 0xc0 ? 1 : unit < 0xe0 ? 2 : unit < 0xf0 ? 3 : 4;
  }
  void step_back() {
    if (encoding_ != Encoding::kUtf8) {
      byte_ -= 2;
      const std::uint32_t unit = unit_at(byte_);
      if (unit >= 0xdc00 && unit < 0xe000) byte_ -= 2;
      return;
    }
    do {
      --byte_;
    } while (byte_ > start_ && (static_cast<unsigned char>(text_[byte_]) & 0xc0) == 0x80);
  }

  std::string_view text_;
  Encoding encoding_ = Encoding::kUtf8;
  bool one_byte_each_ = false;
  std::size_t start_ = 0;
  std::size_t character_ = 0;
  std::size_t byte_ = 0;
};

// libyaml looks every tag up in the list of %TAG directives, and every directive too.
constexpr std::size_t kMaxTagDirectives = 256;

std::size_t count_tag_directives(std::string_view text) {
  std::size_t count = text.starts_with("%TAG") ? 1 : 0;
  for (std::size_t at = text.find("%TAG"); at != std::string_view::npos;
       at = text.find("%TAG", at + 4)) {
    if (at > 0 && (text[at - 1] == '\n' || text[at - 1] == '\r')) ++count;
  }
  return count;
}

std::string_view view(const yaml_char_t* text) {
  return text == nullptr ? std::string_view()
                         : std::string_view(reinterpret_cast<const char*>(text));
}

}  // namespace

struct LibyamlParser::Impl {
  Impl(std::string_view whole, YamlSchema s, const From& f)
      : from(f),
        rest(whole.substr(f.offset)),
        bytes(rest, f.usable, f.ascii),
        schema(s),
        flow_budget(f.flow_budget),
        // The scanner takes no text with such directives.
        too_many_tags(!f.usable && count_tag_directives(rest) > kMaxTagDirectives) {
    STRAKE_ASSERT(yaml_parser_initialize(&parser) != 0);  // fails only without memory
    if (from.usable) {
      yaml_parser_set_input(&parser, &Impl::read_a_little, this);
    } else {
      // libyaml asserts that there is a text, be it empty.
      const char* data = rest.empty() ? "" : rest.data();
      yaml_parser_set_input_string(&parser, reinterpret_cast<const unsigned char*>(data),
                                   rest.size());
    }
  }
  ~Impl() {
    yaml_event_delete(&event);
    yaml_parser_delete(&parser);
  }
  Impl(const Impl&) = delete;
  Impl& operator=(const Impl&) = delete;

  // libyaml fills its buffer as far as the source gives bytes. When only one document of a long
  // text is for libyaml, small steps keep it from decoding the documents behind.
  static int read_a_little(void* self, unsigned char* buffer, std::size_t size, std::size_t* read) {
    constexpr std::size_t kStep = 1024;
    Impl& in = *static_cast<Impl*>(self);
    *read = std::min({kStep, size, in.rest.size() - in.handed_out});
    std::memcpy(buffer, in.rest.data() + in.handed_out, *read);
    in.handed_out += *read;
    return 1;
  }

  Position place(const yaml_mark_t& mark) {
    return {from.offset + bytes.offset_of(mark.index),
            static_cast<std::uint32_t>(mark.line + from.line),
            static_cast<std::uint32_t>(mark.column + 1)};
  }

  // The line that go-yaml prints is counted from 0 except for errors of the scanner, and left
  // out on the first line.
  Error failure() {
    const char* problem =
        parser.problem != nullptr ? parser.problem : "unknown problem parsing YAML content";
    if (parser.error == YAML_MEMORY_ERROR) return Error(Code::kLimit, "yaml: input is too long");
    if (parser.error == YAML_READER_ERROR) {
      return Error(Code::kParse, fmt::format("yaml: {}", problem))
          .at(bytes.place_of(parser.problem_offset));
    }
    // kKustomize names the line where the construct began, kKubernetes that of the problem.
    const bool from_start = schema == YamlSchema::kKustomize && parser.context_mark.line != 0;
    const yaml_mark_t& mark = from_start ? parser.context_mark : parser.problem_mark;
    std::size_t line = mark.line + from.line - 1;
    if (line != 0) {
      if (parser.error == YAML_SCANNER_ERROR) ++line;
    } else {
      line = parser.context_mark.line;
    }
    const Position at = place(parser.problem_mark);
    if (line == 0) return Error(Code::kParse, fmt::format("yaml: {}", problem)).at(at);
    return Error(Code::kParse, fmt::format("yaml: line {}: {}", line, problem)).at(at);
  }

  yaml_parser_t parser{};
  yaml_event_t event{};
  From from;
  std::string_view rest;
  std::size_t handed_out = 0;
  ByteCounter bytes;
  YamlSchema schema;
  std::uint64_t flow_depth = 0;
  std::uint64_t flow_budget;
  std::string flow_kinds;  // one per open collection: whether it is a flow one
  bool too_many_tags;
};

LibyamlParser::LibyamlParser(std::string_view text, YamlSchema schema, const From& from)
    : impl_(std::make_unique<Impl>(text, schema, from)) {}
LibyamlParser::~LibyamlParser() = default;

std::uint64_t LibyamlParser::flow_budget() const { return impl_->flow_budget; }

Result<> LibyamlParser::next(YamlEvent& out) {
  Impl& in = *impl_;
  if (in.too_many_tags)
    return fail(Code::kLimit, "yaml: more than {} %TAG directives", kMaxTagDirectives);
  do {
    yaml_event_delete(&in.event);
    if (yaml_parser_parse(&in.parser, &in.event) == 0) return std::unexpected(in.failure());
  } while (in.event.type == YAML_STREAM_START_EVENT);

  out = {};
  out.at = in.place(in.event.start_mark);
  if (in.flow_depth > in.flow_budget) {
    return fail(Code::kLimit, out.at, "yaml: too much text inside deeply nested brackets");
  }
  in.flow_budget -= in.flow_depth;
  // flow_kinds mirrors libyaml's stack: an end event does not say whether its collection was a flow
  // one.
  const auto open = [&in](bool flow) {
    in.flow_kinds += static_cast<char>(flow);
    in.flow_depth += flow ? 1 : 0;
  };
  const auto close = [&in] {
    in.flow_depth -= static_cast<std::uint64_t>(in.flow_kinds.back());
    in.flow_kinds.pop_back();
  };
  const auto& data = in.event.data;
  switch (in.event.type) {
    case YAML_DOCUMENT_START_EVENT: {
      out.kind = YamlEventKind::kDocumentStart;
      const yaml_version_directive_t* version = data.document_start.version_directive;
      if (version != nullptr && version->minor != 1 && in.schema == YamlSchema::kKubernetes) {
        return fail(Code::kParse, out.at, "yaml: found incompatible YAML document");
      }
      break;
    }
    case YAML_DOCUMENT_END_EVENT: out.kind = YamlEventKind::kDocumentEnd; break;
    case YAML_ALIAS_EVENT:
      out.kind = YamlEventKind::kAlias;
      out.anchor = view(data.alias.anchor);
      break;
    case YAML_SCALAR_EVENT:
      out.kind = YamlEventKind::kScalar;
      out.text = {reinterpret_cast<const char*>(data.scalar.value), data.scalar.length};
      out.tag = view(data.scalar.tag);
      out.anchor = view(data.scalar.anchor);
      out.plain = data.scalar.plain_implicit != 0;
      break;
    case YAML_SEQUENCE_START_EVENT:
      out.kind = YamlEventKind::kArrayStart;
      out.anchor = view(data.sequence_start.anchor);
      open(data.sequence_start.style == YAML_FLOW_SEQUENCE_STYLE);
      break;
    case YAML_SEQUENCE_END_EVENT:
      out.kind = YamlEventKind::kArrayEnd;
      close();
      break;
    case YAML_MAPPING_START_EVENT:
      out.kind = YamlEventKind::kObjectStart;
      out.anchor = view(data.mapping_start.anchor);
      open(data.mapping_start.style == YAML_FLOW_MAPPING_STYLE);
      break;
    case YAML_MAPPING_END_EVENT:
      out.kind = YamlEventKind::kObjectEnd;
      close();
      break;
    default: out.kind = YamlEventKind::kStreamEnd; break;
  }
  return {};
}

}  // namespace strake::value::internal
