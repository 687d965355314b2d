#include "provider/names/resource_id.h"

#include <algorithm>
#include <array>

#include "meta/names.h"
#include "provider/names/quote_briefly.h"

namespace strake::provider {
namespace {

struct KindName {
  std::string_view in_id;
  std::string_view whole;
};
// From the left: each belongs to the one before it.
constexpr std::array<KindName, 5> kChain = {
    {{"ws", "Workspace"}, {"prv", "Provider"}, {"cls", "Cluster"}, {"app", "App"}, {"box", "Box"}}};

// Where the kind stands in the chain; its end when there is no such kind.
std::size_t place_of(std::string_view short_kind) {
  const auto found = std::ranges::find(kChain, short_kind, &KindName::in_id);
  return static_cast<std::size_t>(found - kChain.begin());
}

template <typename... Args>
std::unexpected<Failure> wrong_id(fmt::format_string<Args...> format, Args&&... args) {
  return refuse(FailureClass::kValidation, format, std::forward<Args>(args)...);
}

}  // namespace

Outcome<ResourceId> ResourceId::parse(std::string_view text) {
  if (!text.starts_with('/'))
    return wrong_id("Resource ID must start with '/', got {}", quote_briefly(text));
  if (text == "/") return wrong_id("Resource ID must have at least one kind/name pair");
  const auto slashes = static_cast<std::size_t>(std::ranges::count(text, '/'));
  if (slashes % 2 != 0)
    return wrong_id("Resource ID must have kind/name pairs, got {}", quote_briefly(text));

  ResourceId out;
  std::array<std::string_view, kChain.size()> kinds;  // the first ones
  std::string_view last_kind;
  const std::size_t pairs = slashes / 2;
  std::size_t at = 1;
  const auto next = [&] {
    const std::size_t start = at;
    const std::size_t end = std::min(text.find('/', start), text.size());
    at = end + 1;
    return Part{.at = start, .size = end - start};
  };
  for (std::size_t i = 0; i < pairs; ++i) {
    const Part kind = next();
    const Part name = next();
    last_kind = text.substr(kind.at, kind.size);
    if (place_of(last_kind) == kChain.size())
      return wrong_id("unknown kind shortname {} in Resource ID", quote_briefly(last_kind));
    const std::string_view named = text.substr(name.at, name.size);
    if (const auto wrong = meta::check_dns1123_label(named); !wrong.empty())
      return wrong_id("invalid name {} in Resource ID: {}", quote_briefly(named),
                      meta::join(wrong));
    if (i < kinds.size()) {
      kinds[i] = last_kind;
      out.names_.push_back(name);
    }
  }

  const std::size_t place = place_of(last_kind);
  if (pairs != place + 1) {
    return wrong_id("Resource ID of a {} expects {} kind/name pairs, got {}", kChain[place].whole,
                    place + 1, pairs);
  }
  for (std::size_t i = 0; i < pairs; ++i) {
    if (kinds[i] != kChain[i].in_id) {
      return wrong_id("Resource ID of a {}: expected kind \"{}\" at position {}, got \"{}\"",
                      kChain[place].whole, kChain[i].in_id, i, kinds[i]);
    }
  }
  out.text_ = text;
  return out;
}

std::string_view ResourceId::kind() const { return kChain[names_.size() - 1].whole; }
std::string_view ResourceId::short_kind() const { return kChain[names_.size() - 1].in_id; }
std::string_view ResourceId::name() const { return name_of(short_kind()); }

std::string_view ResourceId::name_of(std::string_view short_kind) const {
  const std::size_t place = place_of(short_kind);
  if (place >= names_.size()) return {};
  return std::string_view(text_).substr(names_[place].at, names_[place].size);
}

std::string_view ResourceId::parent() const {
  const std::size_t before = names_.back().at - short_kind().size() - 2;  // both slashes
  return std::string_view(text_).substr(0, before);
}

Outcome<> ResourceId::check_document(std::string_view kind, std::string_view name) const {
  if (kind != this->kind()) {
    return wrong_id("Resource ID kind \"{}\" does not match expected kind {}", this->kind(),
                    quote_briefly(kind));
  }
  if (name != this->name()) {
    return wrong_id("Resource ID name \"{}\" does not match metadata.name {}", this->name(),
                    quote_briefly(name));
  }
  return {};
}

}  // namespace strake::provider
