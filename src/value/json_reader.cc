#include "value/json_reader.h"

#include "value/builder.h"
#include "value/json_machine.h"

namespace strake::value {
namespace {

using internal::JsonMachine;

Error name_source(Error error, const ReadOptions& options) {
  return options.source_name.empty() ? std::move(error) : std::move(error).in(options.source_name);
}

// The builder's own reason is worth more than the machine's "stopped".
Error why(DocumentBuilder& builder, JsonMachine<DocumentBuilder>& machine,
          const ReadOptions& options) {
  return name_source(builder.error() ? *builder.error() : machine.take_error(), options);
}

Result<> check_size(std::uint64_t bytes, const ReadOptions& options) {
  if (bytes <= options.limits.bytes) return {};
  return std::unexpected(name_source(
      Error(Code::kLimit, fmt::format("input is longer than {} bytes", options.limits.bytes)),
      options));
}

// Nodes take about as much room as compact text; strings stay where they are.
constexpr std::size_t kLeastArena = 512;

Result<Document> read_whole(DocumentBuilder& builder, std::string_view text,
                            const ReadOptions& options) {
  builder.expect_bytes(std::max(kLeastArena, text.size() * 2));
  JsonMachine<DocumentBuilder> machine(builder, options, false);
  const char* stop = machine.run(text.data(), text.data() + text.size(), 0, true);
  if (stop == nullptr || !machine.finish(text.size()))
    return std::unexpected(why(builder, machine, options));
  return builder.take();
}

}  // namespace

Result<Document> read_json(std::string&& text, const ReadOptions& options) {
  STRAKE_CHECK(check_size(text.size(), options));
  DocumentBuilder builder(options);
  const std::string_view kept = builder.adopt_text(std::move(text));
  return read_whole(builder, kept, options);
}

Result<Document> read_json(std::string_view text, const ReadOptions& options) {
  STRAKE_CHECK(check_size(text.size(), options));
  return read_json(std::string(text), options);
}

Result<Document> read_json_borrowed(std::string_view text, const ReadOptions& options) {
  STRAKE_CHECK(check_size(text.size(), options));
  DocumentBuilder builder(options);
  builder.borrow_text(text);
  return read_whole(builder, text, options);
}

struct JsonReader::Impl {
  Impl(std::string_view t, ReadOptions o)
      : text(t), options(std::move(o)), builder(options), machine(builder, options, true) {
    machine.pause_between_documents();
  }
  std::string_view text;
  ReadOptions options;
  DocumentBuilder builder;
  JsonMachine<DocumentBuilder> machine;
  std::size_t at = 0;
  bool over = false;
};

JsonReader::JsonReader(std::string_view text, ReadOptions options)
    : impl_(std::make_unique<Impl>(text, std::move(options))) {}
JsonReader::~JsonReader() = default;
JsonReader::JsonReader(JsonReader&&) noexcept = default;
JsonReader& JsonReader::operator=(JsonReader&&) noexcept = default;

Result<std::optional<Document>> JsonReader::next() {
  Impl& in = *impl_;
  if (in.over) return std::nullopt;
  auto failed = [&in](Error error) {
    in.over = true;
    return std::unexpected(std::move(error));
  };
  if (auto fits = check_size(in.text.size(), in.options); !fits)
    return failed(std::move(fits).error());
  const char* base = in.text.data();
  const char* stop = in.machine.run(base + in.at, base + in.text.size(), in.at, true);
  if (stop == nullptr) return failed(why(in.builder, in.machine, in.options));
  in.at = static_cast<std::size_t>(stop - base);
  if (!in.machine.between_documents()) {
    in.machine.finish(in.at);
    return failed(why(in.builder, in.machine, in.options));
  }
  if (!in.builder.complete()) {  // only white space was left
    in.over = true;
    return std::nullopt;
  }
  return in.builder.take();
}

struct JsonPushParser::Impl {
  Impl(EventSink& sink, const ReadOptions& o, bool many)
      : options(o), machine(sink, options, many) {}

  // Bytes of the chunk that belong to the token held back in `carry`, with the byte behind it;
  // `ended` when it ends there.
  std::size_t rest_of_token(std::string_view chunk, bool& ended);
  Result<> drain_carry(std::string_view& chunk);
  Result<> failure() { return std::unexpected(name_source(machine.take_error(), options)); }

  ReadOptions options;
  JsonMachine<EventSink> machine;
  std::string carry;  // a token that began in an earlier chunk
  std::uint64_t carry_offset = 0;
  bool escaped = false;      // the carry ends in the middle of an escape
  std::uint64_t offset = 0;  // of the next byte to come
};

std::size_t JsonPushParser::Impl::rest_of_token(std::string_view chunk, bool& ended) {
  ended = true;
  if (carry[0] == '"') {
    std::size_t i = 0;
    while (i < chunk.size()) {
      if (escaped) {
        escaped = false;
        ++i;
        continue;
      }
      bool ignored = false;
      const char* stop =
          internal::find_string_stop(chunk.data() + i, chunk.data() + chunk.size(), ignored);
      i = static_cast<std::size_t>(stop - chunk.data());
      if (i == chunk.size()) break;
      if (chunk[i] != '\\')
        return i + 1;  // the closing quote, or a control character that ends it with an error
      escaped = true;
      ++i;
    }
    ended = false;
    return chunk.size();
  }
  std::size_t i = 0;
  auto in_word = [](char c) {
    return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || c == 'E' || c == '+' || c == '-' ||
           c == '.';
  };
  while (i < chunk.size() && in_word(chunk[i])) ++i;
  ended = i < chunk.size();
  return std::min(i + 1, chunk.size());
}

Result<> JsonPushParser::Impl::drain_carry(std::string_view& chunk) {
  while (!carry.empty() && !chunk.empty()) {
    bool ended = false;
    const std::size_t more = rest_of_token(chunk, ended);
    if (carry.size() + more > options.limits.string_bytes + 16) {
      return std::unexpected(name_source(
          Error(Code::kLimit,
                fmt::format("string is longer than {} bytes", options.limits.string_bytes)),
          options));
    }
    carry.append(chunk.substr(0, more));
    chunk.remove_prefix(more);
    if (!ended)
      return {};  // the machine sees only whole tokens: looking at each part anew would cost the
                  // square
    const char* stop = machine.run(carry.data(), carry.data() + carry.size(), carry_offset, false);
    if (stop == nullptr) return failure();
    const auto used = static_cast<std::size_t>(stop - carry.data());
    carry.erase(0, used);
    carry_offset += used;
    // What is left over now starts a token anew, or the token goes on in the next chunk.
    if (used != 0) escaped = false;
  }
  return {};
}

JsonPushParser::JsonPushParser(EventSink& sink, const ReadOptions& options, Documents documents)
    : impl_(std::make_unique<Impl>(sink, options, documents == Documents::kMany)) {}
JsonPushParser::~JsonPushParser() = default;
JsonPushParser::JsonPushParser(JsonPushParser&&) noexcept = default;

Result<> JsonPushParser::feed(std::string_view chunk) {
  Impl& in = *impl_;
  STRAKE_CHECK(check_size(in.offset + chunk.size(), in.options));
  in.offset += chunk.size();
  STRAKE_CHECK(in.drain_carry(chunk));
  if (chunk.empty()) return {};
  const std::uint64_t start = in.offset - chunk.size();
  const char* stop = in.machine.run(chunk.data(), chunk.data() + chunk.size(), start, false);
  if (stop == nullptr) return in.failure();
  const auto used = static_cast<std::size_t>(stop - chunk.data());
  in.carry.assign(chunk.substr(used));
  in.carry_offset = start + used;
  in.escaped = false;
  if (!in.carry.empty() && in.carry[0] == '"') {
    // Whether the held back part ends inside an escape decides what the next byte means.
    for (std::size_t i = 1; i < in.carry.size(); ++i) {
      in.escaped = !in.escaped && in.carry[i] == '\\';
    }
  }
  return {};
}

Result<> JsonPushParser::finish() {
  Impl& in = *impl_;
  if (!in.carry.empty()) {
    const char* stop =
        in.machine.run(in.carry.data(), in.carry.data() + in.carry.size(), in.carry_offset, true);
    if (stop == nullptr) return in.failure();
    in.carry.clear();
  }
  if (!in.machine.finish(in.offset)) return in.failure();
  return {};
}

}  // namespace strake::value
