#include "kube/service_places.h"

#include <fmt/format.h>

#include <charconv>

#include "base/quote.h"
#include "meta/names.h"
#include "value/fields.h"
#include "value/json_writer.h"
#include "value/yaml_reader.h"

namespace strake::kube {
namespace {

constexpr std::size_t kMostPlaceBytes = std::size_t{4} << 20;

std::optional<std::uint16_t> read_port(std::string_view text) {
  std::uint16_t out = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), out);
  const bool fine = error == std::errc() && end == text.data() + text.size() && out != 0;
  return fine ? std::optional(out) : std::nullopt;
}

// NAMESPACE/NAME or NAMESPACE/NAME:PORT.
bool is_service(std::string_view key) {
  const std::size_t slash = key.find('/');
  if (slash == std::string_view::npos) return false;
  std::string_view name = key.substr(slash + 1);
  if (const std::size_t colon = name.find(':'); colon != std::string_view::npos) {
    if (!read_port(name.substr(colon + 1))) return false;
    name = name.substr(0, colon);
  }
  return meta::check_dns1123_label(key.substr(0, slash)).empty() &&
         meta::check_dns1123_label(name).empty();
}

}  // namespace

std::optional<ServicePlace> ServicePlace::parse(std::string_view text) {
  const std::size_t colon = text.rfind(':');
  if (colon == std::string_view::npos) return std::nullopt;
  const auto port = read_port(text.substr(colon + 1));
  std::string_view host = text.substr(0, colon);
  const bool bracketed = host.starts_with('[') && host.ends_with(']');
  if (bracketed) host = host.substr(1, host.size() - 2);
  if (!port || host.empty() || host.contains(':') != bracketed) return std::nullopt;
  if (host.find_first_of("/@?#[]% \t\r\n") != std::string_view::npos) return std::nullopt;
  return ServicePlace{.host = std::string(host), .port = *port};
}

std::string ServicePlace::to_string() const {
  return host.contains(':') ? fmt::format("[{}]:{}", host, port) : fmt::format("{}:{}", host, port);
}

Result<ServicePlaces> read_service_places(std::string_view text) {
  if (text.size() > kMostPlaceBytes)
    return fail(Code::kInvalid, "must have at most {} bytes, got {}", kMostPlaceBytes, text.size());
  STRAKE_TRY(const value::Document document, value::read_yaml(text));
  ServicePlaces out;
  if (document.root().is_null()) return out;
  if (!document.root().is_object())
    return fail(Code::kInvalid, "must be a mapping from NAMESPACE/NAME[:PORT] to HOST:PORT");
  for (const value::Member& one : document.root().members()) {
    const std::string_view key = one.key;
    if (!is_service(key))
      return fail(Code::kInvalid, "must be NAMESPACE/NAME or NAMESPACE/NAME:PORT, got {}",
                  quote(key));
    auto place = ServicePlace::parse(value::text_of(one.value));
    if (!place) return fail(Code::kInvalid, "{}: must lead to HOST:PORT", key);
    out.emplace(key, *std::move(place));
  }
  return out;
}

std::string write_service_places(const ServicePlaces& places) {
  std::string out = "{";
  for (const auto& [service, place] : places) {
    out += out.size() > 1 ? ",\n  " : "\n  ";
    value::write_json_string(service, out);
    out += ": ";
    value::write_json_string(place.to_string(), out);
  }
  out += places.empty() ? "}\n" : "\n}\n";
  return out;
}

}  // namespace strake::kube
