#pragma once
// The rules for names in the API. Each check returns what is wrong in the API server's own words,
// one message for each broken rule, and nothing when the name is good.
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace strake::meta {

using Messages = std::vector<std::string>;

// Lower-case letters, digits and '-', at most 63: the name of a namespace.
Messages check_dns1123_label(std::string_view name);
// Such labels joined by dots, at most 253: the name of most objects, and every API group.
Messages check_dns1123_subdomain(std::string_view name);
// As a DNS-1123 label, but starting with a letter: versions, plurals, kinds in lower case.
Messages check_dns1035_label(std::string_view name);
// [prefix/]name: the key of a label, an annotation or a finalizer.
Messages check_qualified_name(std::string_view name);
Messages check_label_value(std::string_view value);
// What can stand in a URL path. A prefix may be '.' or '..', since something follows it.
Messages check_path_segment_name(std::string_view name);
Messages check_path_segment_prefix(std::string_view name);
// 1 to 65535.
Messages check_port(std::int64_t port);

// How the objects of a resource may be named. With `prefix` the text is a generateName, to which
// characters will be added: a dash may stand at its end.
using NameCheck = std::function<Messages(std::string_view name, bool prefix)>;
Messages name_is_dns_subdomain(std::string_view name, bool prefix);
Messages name_is_dns_label(std::string_view name, bool prefix);
Messages name_is_dns1035_label(std::string_view name, bool prefix);
Messages name_is_path_segment(std::string_view name, bool prefix);

// The messages as one text, as the server joins them.
std::string join(const Messages& messages, std::string_view separator = ",");

// Letters of A to Z made small, others kept.
std::string to_lower_ascii(std::string_view text);

}  // namespace strake::meta
