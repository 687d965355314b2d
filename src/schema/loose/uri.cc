#include "schema/loose/uri.h"

namespace strake::schema::loose {
namespace {

bool is_scheme_start(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }
bool is_scheme_rest(char c) {
  return is_scheme_start(c) || (c >= '0' && c <= '9') || c == '+' || c == '-' || c == '.';
}

// RFC 3986, 5.2.4, rule by rule in the order of the RFC.
std::string remove_dot_segments(std::string_view in) {
  std::string out;
  const auto drop_last = [&] {
    const std::size_t slash = out.rfind('/');
    out.erase(slash == std::string::npos ? 0 : slash);
  };
  while (!in.empty()) {
    if (in.starts_with("../")) {
      in.remove_prefix(3);
    } else if (in.starts_with("./")) {
      in.remove_prefix(2);
    } else if (in.starts_with("/./")) {
      in.remove_prefix(2);
    } else if (in == "/.") {
      in = "/";
    } else if (in.starts_with("/../")) {
      in.remove_prefix(3);
      drop_last();
    } else if (in == "/..") {
      in = "/";
      drop_last();
    } else if (in == "." || in == "..") {
      in = {};
    } else {
      const std::size_t next = in.find('/', 1);
      out += in.substr(0, next);
      in = next == std::string_view::npos ? std::string_view() : in.substr(next);
    }
  }
  return out;
}

int uri_hex(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  if (c >= 'A' && c <= 'F') return c - 'A' + 10;
  return -1;
}

}  // namespace

UriParts split_uri(std::string_view uri) {
  UriParts out;
  if (const std::size_t hash = uri.find('#'); hash != std::string_view::npos) {
    out.has_fragment = true;
    out.fragment = uri.substr(hash + 1);
    uri = uri.substr(0, hash);
  }
  if (const std::size_t mark = uri.find('?'); mark != std::string_view::npos) {
    out.has_query = true;
    out.query = uri.substr(mark + 1);
    uri = uri.substr(0, mark);
  }
  if (!uri.empty() && is_scheme_start(uri.front())) {
    std::size_t i = 1;
    while (i < uri.size() && is_scheme_rest(uri[i])) ++i;
    if (i < uri.size() && uri[i] == ':') {
      out.scheme = uri.substr(0, i);
      uri.remove_prefix(i + 1);
    }
  }
  if (uri.starts_with("//")) {
    out.has_authority = true;
    uri.remove_prefix(2);
    const std::size_t slash = uri.find('/');
    out.authority = uri.substr(0, slash);
    uri = slash == std::string_view::npos ? std::string_view() : uri.substr(slash);
  }
  out.path = uri;
  return out;
}

// RFC 3986, 5.2.2, in its strict form: a reference with the scheme of the base is absolute all the
// same.
std::string resolve_uri(std::string_view base_text, std::string_view reference) {
  if (base_text.empty()) return std::string(reference);
  const UriParts base = split_uri(base_text);
  const UriParts ref = split_uri(reference);
  std::string_view scheme = base.scheme;
  std::string_view authority = base.authority;
  bool has_authority = base.has_authority;
  std::string path;
  std::string_view query = ref.query;
  bool has_query = ref.has_query;
  if (!ref.scheme.empty()) {
    scheme = ref.scheme;
    authority = ref.authority;
    has_authority = ref.has_authority;
    path = remove_dot_segments(ref.path);
  } else if (ref.has_authority) {
    authority = ref.authority;
    has_authority = true;
    path = remove_dot_segments(ref.path);
  } else if (ref.path.empty()) {
    path = base.path;
    if (!ref.has_query) {
      query = base.query;
      has_query = base.has_query;
    }
  } else if (ref.path.starts_with('/')) {
    path = remove_dot_segments(ref.path);
  } else {
    std::string merged;
    // RFC 3986, 5.2.3. rfind() finding nothing gives npos, and npos + 1 is 0: no folder to keep.
    if (base.has_authority && base.path.empty()) {
      merged = "/";
    } else {
      merged = base.path.substr(0, base.path.rfind('/') + 1);
    }
    merged += ref.path;
    path = remove_dot_segments(merged);
  }
  std::string out;
  if (!scheme.empty()) out.append(scheme).append(":");
  if (has_authority) out.append("//").append(authority);
  out += path;
  if (has_query) out.append("?").append(query);
  if (ref.has_fragment) out.append("#").append(ref.fragment);
  return out;
}

std::string_view without_fragment(std::string_view uri) { return uri.substr(0, uri.find('#')); }

bool percent_decode(std::string_view text, std::string& out) {
  out.clear();
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] != '%') {
      out.push_back(text[i]);
      continue;
    }
    if (i + 2 >= text.size() || uri_hex(text[i + 1]) < 0 || uri_hex(text[i + 2]) < 0) return false;
    out.push_back(static_cast<char>(uri_hex(text[i + 1]) * 16 + uri_hex(text[i + 2])));
    i += 2;
  }
  return true;
}

}  // namespace strake::schema::loose
