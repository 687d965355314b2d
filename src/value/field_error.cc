#include "value/field_error.h"

#include <fmt/format.h>

#include <unordered_set>

#include "base/hash.h"
#include "base/number_format.h"
#include "base/quote.h"
#include "value/json_writer.h"

namespace strake::value {
namespace {

struct TypeText {
  std::string_view reason;
  std::string_view head;
};

TypeText text_of(FieldError::Type type) {
  using enum FieldError::Type;
  switch (type) {
    case kNotFound: return {"FieldValueNotFound", "Not found"};
    case kRequired: return {"FieldValueRequired", "Required value"};
    case kDuplicate: return {"FieldValueDuplicate", "Duplicate value"};
    case kInvalid: return {"FieldValueInvalid", "Invalid value"};
    case kTypeInvalid: return {"FieldValueTypeInvalid", "Invalid value"};
    case kNotSupported: return {"FieldValueNotSupported", "Unsupported value"};
    case kForbidden: return {"FieldValueForbidden", "Forbidden"};
    case kTooLong: return {"FieldValueTooLong", "Too long"};
    case kTooShort: return {"FieldValueTooShort", "Too short"};
    case kTooMany: return {"FieldValueTooMany", "Too many"};
    case kTooFew: return {"FieldValueTooFew", "Too few"};
    case kInternal: return {"InternalError", "Internal error"};
  }
  return {"", ""};
}

FieldError make(FieldError::Type type, FieldPath path, std::optional<std::string> shown,
                std::string detail) {
  return {.type = type,
          .path = std::move(path),
          .shown = std::move(shown),
          .detail = std::move(detail)};
}

std::size_t size_of(const FieldError& error) {
  std::size_t size = 32 + error.detail.size() + (error.shown ? error.shown->size() : 0);
  for (const FieldPath::Step& step : error.path.steps()) size += step.name.size() + 4;
  return size;
}

std::string count_text(std::string_view bound, std::int64_t n) {
  return fmt::format("must have at {} {} item{}", bound, n, n == 1 ? "" : "s");
}

}  // namespace

void cut_text(std::string& text, std::size_t most) {
  if (text.size() <= most) return;
  std::size_t end = most;
  // Not inside a character.
  while (end > 0 && (static_cast<unsigned char>(text[end]) & 0xc0) == 0x80) --end;
  text.resize(end);
  text += fmt::format("... (cut after {} bytes)", end);
}

std::string render_value(const Value& v) {
  std::string out;
  switch (v.type()) {
    // Quoting makes no text shorter: one byte more than fits is enough to be cut.
    case Type::kString: out = quote(v.as_string().substr(0, kMostShownBytes + 1)); break;
    case Type::kDouble: return format_go_v(v.as_double());
    default: out = to_json(v, {.most_bytes = kMostShownBytes}); break;
  }
  cut_text(out, kMostShownBytes);
  return out;
}

FieldErrors::FieldErrors(std::initializer_list<FieldError> errors) {
  for (const FieldError& error : errors) push_back(error);
}

// Bounded in bytes: a small schema and a large object can make more messages than there is memory
// for. Those over the bound are counted only.
void FieldErrors::push_back(FieldError error) {
  if (full()) {
    ++omitted_;
    return;
  }
  if (error.shown) cut_text(*error.shown, kMostShownBytes);
  cut_text(error.detail, kMostShownBytes);
  const std::size_t size = size_of(error);
  if (!errors_.empty() && bytes_ + size > kMostErrorBytes) {
    // The list ends here, so that those that are kept are the first ones.
    bytes_ = kMostErrorBytes;
    ++omitted_;
    return;
  }
  bytes_ += size;
  errors_.push_back(std::move(error));
}

void FieldErrors::append(FieldErrors&& more) {
  if (errors_.empty() && omitted_ == 0) {
    *this = std::move(more);
  } else {
    for (FieldError& error : more.errors_) push_back(std::move(error));
    omitted_ += more.omitted_;
  }
  more = FieldErrors();
}

void FieldErrors::keep_first(std::size_t count) {
  if (count >= errors_.size()) return;
  errors_.erase(errors_.begin() + static_cast<std::ptrdiff_t>(count), errors_.end());
  bytes_ = 0;
  for (const FieldError& error : errors_) bytes_ += size_of(error);
}

std::string FieldError::body() const {
  std::string out(text_of(type).head);
  if (shown) out += ": " + *shown;
  if (!detail.empty()) out += ": " + detail;
  return out;
}

std::string FieldError::field() const { return nil_path ? "<nil>" : path.to_k8s(); }

std::string FieldError::to_string() const { return field() + ": " + body(); }

std::string_view FieldError::reason() const { return text_of(type).reason; }

FieldError FieldError::required(FieldPath path, std::string detail) {
  return make(Type::kRequired, std::move(path), std::nullopt, std::move(detail));
}
FieldError FieldError::duplicate(FieldPath path, const Value& v) {
  return make(Type::kDuplicate, std::move(path), render_value(v), {});
}
FieldError FieldError::invalid(FieldPath path, const Value& v, std::string detail) {
  return make(Type::kInvalid, std::move(path), render_value(v), std::move(detail));
}
FieldError FieldError::type_invalid(FieldPath path, const Value& v, std::string detail) {
  return make(Type::kTypeInvalid, std::move(path), render_value(v), std::move(detail));
}
FieldError FieldError::not_supported(FieldPath path, const Value& v,
                                     std::span<const std::string> supported) {
  std::string detail;
  for (const std::string& one : supported) {
    detail += detail.empty() ? "supported values: " : ", ";
    detail += quote(one);
  }
  return make(Type::kNotSupported, std::move(path), render_value(v), std::move(detail));
}
FieldError FieldError::forbidden(FieldPath path, std::string detail) {
  return make(Type::kForbidden, std::move(path), std::nullopt, std::move(detail));
}
FieldError FieldError::too_long(FieldPath path, std::int64_t max) {
  std::string detail =
      max < 0 ? std::string("value is too long")
              : fmt::format("may not be more than {} byte{}", max, max == 1 ? "" : "s");
  return make(Type::kTooLong, std::move(path), std::nullopt, std::move(detail));
}
FieldError FieldError::too_many(FieldPath path, std::int64_t count, std::int64_t max) {
  return make(Type::kTooMany, std::move(path), fmt::format("{}", count), count_text("most", max));
}
FieldError FieldError::too_few(FieldPath path, std::int64_t count, std::int64_t min) {
  return make(Type::kTooFew, std::move(path), fmt::format("{}", count), count_text("least", min));
}
FieldError FieldError::not_found(FieldPath path, const Value& v) {
  return make(Type::kNotFound, std::move(path), render_value(v), {});
}
FieldError FieldError::internal(FieldPath path, std::string detail) {
  return make(Type::kInternal, std::move(path), std::nullopt, std::move(detail));
}

std::string more_errors(std::uint64_t count) {
  return fmt::format("and {} more error{}", count, count == 1 ? "" : "s");
}

// utilerrors.NewAggregate of Kubernetes: one error stands alone, several in brackets, equal texts
// once.
std::string aggregate(const FieldErrors& errors) {
  std::unordered_set<std::string, TextHash> seen;
  std::vector<const std::string*> texts;  // in their order
  for (const FieldError& error : errors) {
    const auto [text, fresh] = seen.insert(error.to_string());
    if (fresh) texts.push_back(&*text);
  }
  if (texts.size() == 1 && errors.omitted() == 0) return *texts[0];
  std::string out = "[";
  for (const std::string* text : texts) {
    if (out.size() > 1) out += ", ";
    out += *text;
  }
  if (errors.omitted() != 0) out += ", " + more_errors(errors.omitted());
  return out + "]";
}

}  // namespace strake::value
