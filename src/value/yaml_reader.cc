#include "value/yaml_reader.h"

#include <algorithm>

#include "value/builder.h"
#include "value/yaml_composer.h"

namespace strake::value {
namespace {

Error in_source(Error error, const ReadOptions& options) {
  return options.source_name.empty() ? std::move(error) : std::move(error).in(options.source_name);
}

Result<> check_length(std::string_view text, const ReadOptions& options) {
  if (text.size() <= options.limits.bytes) return {};
  return fail(Code::kLimit, "input is longer than {} bytes", options.limits.bytes);
}

// A first block of memory that a document of this text fills well.
std::size_t likely_bytes(std::string_view text) {
  return std::clamp<std::size_t>(text.size() * 3, 512, 4096);
}

// The builder's own reason is worth more than the composer's "stopped". Duplicate keys are worded
// as go-yaml words them.
Error reason(const DocumentBuilder& builder, Error error) {
  if (!builder.error()) return error;
  const Error& refused = *builder.error();
  constexpr std::string_view kStart = "duplicate ";
  const std::string_view message = refused.message();
  const std::size_t where = message.rfind(", first at ");
  if (refused.code() != Code::kParse || !message.starts_with(kStart) ||
      where == std::string_view::npos)
    return refused;
  const std::string_view key = message.substr(kStart.size(), where - kStart.size());
  Error reworded(Code::kParse, fmt::format("{} already set in map{}", key, message.substr(where)));
  if (refused.position()) reworded = std::move(reworded).at(*refused.position());
  return std::move(reworded).at(refused.path());
}

}  // namespace

struct YamlReader::Impl {
  Impl(std::string_view t, ReadOptions o)
      : text(t), options(std::move(o)), composer(text, options), builder(options) {
    builder.expect_bytes(likely_bytes(text));
  }

  // The next document whatever it holds, or nothing at the end.
  Result<std::optional<Document>> next_of_any_kind() {
    STRAKE_CHECK(check_length(text, options));
    const Result<bool> more = composer.next(builder);
    if (!more) return std::unexpected(reason(builder, more.error()));
    if (!*more) return std::nullopt;
    return builder.take();
  }

  std::string_view text;
  ReadOptions options;
  internal::YamlComposer composer;
  DocumentBuilder builder;
  bool over = false;
};

YamlReader::YamlReader(std::string_view text, ReadOptions options)
    : impl_(std::make_unique<Impl>(text, std::move(options))) {}
YamlReader::~YamlReader() = default;
YamlReader::YamlReader(YamlReader&&) noexcept = default;
YamlReader& YamlReader::operator=(YamlReader&&) noexcept = default;

Result<std::optional<Document>> YamlReader::next() {
  while (!impl_->over) {
    Result<std::optional<Document>> document = impl_->next_of_any_kind();
    if (!document) {
      impl_->over = true;
      return std::unexpected(in_source(std::move(document).error(), impl_->options));
    }
    impl_->over = !document->has_value();
    if (impl_->over || !(*document)->root().is_null()) return document;
  }
  return std::nullopt;
}

Result<Document> read_yaml(std::string_view text, const ReadOptions& options) {
  const auto failed = [&options](Error error) {
    return std::unexpected(in_source(std::move(error), options));
  };
  if (Result<> fits = check_length(text, options); !fits) return failed(std::move(fits).error());
  internal::YamlComposer composer(text, options);
  DocumentBuilder builder(options);
  builder.expect_bytes(likely_bytes(text));
  const Result<bool> found = composer.next(builder);
  if (!found) return failed(reason(builder, found.error()));
  if (!*found) builder.scalar(Value(), {});
  return builder.take();
}

Result<> read_yaml_events(std::string_view text, EventSink& sink, const ReadOptions& options) {
  const auto failed = [&options](Error error) {
    return std::unexpected(in_source(std::move(error), options));
  };
  if (Result<> fits = check_length(text, options); !fits) return failed(std::move(fits).error());
  internal::YamlComposer composer(text, options);
  const Result<bool> found = composer.next(sink);
  if (!found) return failed(found.error());
  if (!*found && !(sink.scalar(Value(), {}) && sink.end_document({}))) {
    return failed(Error(Code::kCancelled, "stopped by the reader of the events"));
  }
  return {};
}

}  // namespace strake::value
