// url, isURL and what a URL can be asked.
#include <map>

#include "cel/lib/k8s_libraries.h"
#include "cel/lib/k8s_objects.h"
#include "cel/lib/k8s_url.h"
#include "cel/value/containers.h"

namespace strake::cel {
namespace {

using Args = std::span<const Value>;

constexpr Type kUrlType{TypeKind::kObject, false, "kubernetes.URL"};

// Keeps the text it was made from: parts are read again when they are asked for, which is rare.
class UrlObject final : public Object {
 public:
  explicit UrlObject(std::string_view text) : text_(text) {}
  const Type* type() const override { return &kUrlType; }
  bool equal(const Object& other, Arena&) const override {
    return url().to_string() == static_cast<const UrlObject&>(other).url().to_string();
  }
  Url url() const { return parse_url(text_).value_or(Url{}); }

 private:
  std::string_view text_;
};

Url url_of(const Value& v) { return static_cast<const UrlObject*>(v.as_object())->url(); }

Value string_to_url(EvalContext& c, Args x) {
  for (auto* parse : {parse_request_uri, parse_url}) {
    if (const auto url = parse(x[0].as_text()); !url) {
      return c.error("URL parse error during conversion from string: " + url.error());
    }
  }
  return new_object<UrlObject>(c.arena, x[0].as_text());
}

Value query_of(EvalContext& c, Args x) {
  std::map<std::string, std::vector<std::string>> grouped;
  for (auto& [key, value] : url_of(x[0]).query()) grouped[key].push_back(value);
  Value out = new_map(grouped.size(), c.arena);
  for (const auto& [key, values] : grouped) {
    Value list = Value::list(new_list(0, c.arena), 0);
    for (const std::string& value : values) {
      list = list_append(list, Value::string(c.arena.copy(value)), c.arena);
    }
    out = *map_insert(out, Value::string(c.arena.copy(key)), list, c.arena);
  }
  return out;
}

Value url_text(EvalContext& c, std::string_view text) { return Value::string(c.arena.copy(text)); }

}  // namespace

const Library& k8s_urls_library() {
  static const Library* const library = [] {
    auto* out = new Library("kubernetes.urls");
    const Type* string = &types::string;
    out->function("url").global("string_to_url", {string}, &kUrlType, string_to_url);
    out->function("isURL").global(
        "is_url_string", {string}, &types::boolean, [](EvalContext&, Args x) {
          return Value::boolean(parse_request_uri(x[0].as_text()).has_value());
        });
    auto part = [&](std::string_view name, std::string_view id, Function function) {
      out->function(name).member(id, {&kUrlType}, string, function);
    };
    part("getScheme", "url_get_scheme",
         [](EvalContext& c, Args x) { return url_text(c, url_of(x[0]).scheme); });
    part("getHost", "url_get_host",
         [](EvalContext& c, Args x) { return url_text(c, url_of(x[0]).host); });
    part("getHostname", "url_get_hostname",
         [](EvalContext& c, Args x) { return url_text(c, url_of(x[0]).hostname()); });
    part("getPort", "url_get_port",
         [](EvalContext& c, Args x) { return url_text(c, url_of(x[0]).port()); });
    part("getEscapedPath", "url_get_escaped_path",
         [](EvalContext& c, Args x) { return url_text(c, url_of(x[0]).escaped_path()); });
    out->function("getQuery")
        .member("url_get_query", {&kUrlType}, out->types().map(string, out->types().list(string)),
                query_of);
    return out;
  }();
  return *library;
}

}  // namespace strake::cel
