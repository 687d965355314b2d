#include "extension/members.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <span>

#include "meta/names.h"
#include "value/yaml_reader.h"

namespace strake::extension {
namespace {

using value::Value;

constexpr std::size_t kMostMembers = 1000;
constexpr std::size_t kMostGroups = 1000;
constexpr std::size_t kMostVersions = 100;

std::unexpected<Error> bad_member(std::string_view where, std::string_view why) {
  return fail(Code::kInvalid, "{}: {}", where, why);
}

// A field that nobody knows is a mistake that would go unseen.
Result<> check_keys(const Value& object, std::span<const std::string_view> known,
                    std::string_view where) {
  if (!object.is_object()) return bad_member(where, "must be an object");
  for (const value::Member& one : object.members()) {
    if (std::ranges::find(known, one.key) == known.end())
      return bad_member(where, fmt::format("unknown field \"{}\"", one.key));
  }
  return {};
}

Result<std::string> text_field(const Value& object, std::string_view key, std::string_view where) {
  const Value* found = object.find(key);
  if (found == nullptr) return std::string();
  if (!found->is_string() || found->as_string().empty())
    return bad_member(where, fmt::format("{} must be a string that is not empty", key));
  return std::string(found->as_string());
}

std::string whole_path(std::string path, std::string_view folder) {
  if (path.empty() || path.starts_with('/') || folder.empty()) return path;
  return fmt::format("{}/{}", folder, path);
}

Result<std::string> group_name(const Value& v, std::string_view where) {
  if (!v.is_string() || !meta::check_dns1123_subdomain(v.as_string()).empty())
    return bad_member(where, "a group must be a DNS subdomain, such as a.example.com");
  return std::string(v.as_string());
}

Result<> read_versions(const Value& entry, Member& out, std::string_view where) {
  constexpr std::string_view kKnown[] = {"group", "versions"};
  STRAKE_CHECK(check_keys(entry, kKnown, where));
  STRAKE_TRY(const std::string group, group_name(entry.get("group"), where));
  const Value& versions = entry.get("versions");
  if (!versions.is_array() || versions.size() == 0)
    return bad_member(where, fmt::format("group {}: versions must be a list", group));
  if (versions.size() > kMostVersions)
    return bad_member(where, fmt::format("group {}: more than {} versions", group, kMostVersions));
  std::vector<std::string>& to = out.versions[group];
  if (!to.empty()) return bad_member(where, fmt::format("group {} stands twice", group));
  for (const Value& one : versions.items()) {
    if (!one.is_string() || !meta::check_dns1123_label(one.as_string()).empty())
      return bad_member(where, fmt::format("group {}: a version must be a DNS label", group));
    to.emplace_back(one.as_string());
  }
  return {};
}

Result<> read_groups(const Value& entry, Member& out, std::string_view where) {
  const Value* groups = entry.find("groups");
  if (groups == nullptr) return {};
  if (!groups->is_array()) return bad_member(where, "groups must be a list");
  if (groups->size() > kMostGroups)
    return bad_member(where, fmt::format("more than {} groups", kMostGroups));
  for (const Value& one : groups->items()) {
    if (out.kubeconfig.empty()) {
      STRAKE_CHECK(read_versions(one, out, where));
    } else {
      STRAKE_TRY(std::string group, group_name(one, where));
      out.groups.push_back(std::move(group));
    }
  }
  return {};
}

Result<Member> read_member(const Value& entry, std::size_t index, std::string_view folder) {
  constexpr std::string_view kKnown[] = {"name", "kubeconfig", "server", "certificateAuthorityFile",
                                         "groups"};
  std::string where = fmt::format("members[{}]", index);
  STRAKE_CHECK(check_keys(entry, kKnown, where));
  Member out;
  STRAKE_TRY(out.name, text_field(entry, "name", where));
  if (!meta::check_dns1123_label(out.name).empty())
    return bad_member(where, "name must be a DNS label, such as team-a");
  where = fmt::format("member {}", out.name);
  STRAKE_TRY(std::string kubeconfig, text_field(entry, "kubeconfig", where));
  STRAKE_TRY(out.server, text_field(entry, "server", where));
  STRAKE_TRY(std::string ca_file, text_field(entry, "certificateAuthorityFile", where));
  if (kubeconfig.empty() == out.server.empty())
    return bad_member(where, "wants either a kubeconfig or a server");
  if (out.server.empty() != ca_file.empty())
    return bad_member(where, "certificateAuthorityFile goes with server, and server with it");
  if (!out.server.empty() && !out.server.starts_with("https://"))
    return bad_member(where, "server must begin with https://");
  out.kubeconfig = whole_path(std::move(kubeconfig), folder);
  out.ca_file = whole_path(std::move(ca_file), folder);
  STRAKE_CHECK(read_groups(entry, out, where));
  if (!out.server.empty() && out.versions.empty())
    return bad_member(where, "groups, with their versions, must be given with server");
  return out;
}

}  // namespace

Result<std::vector<Member>> read_members(std::string_view text, std::string_view folder) {
  STRAKE_TRY(const value::Document read, value::read_yaml(text));
  constexpr std::string_view kKnown[] = {"members"};
  STRAKE_CHECK(check_keys(read.root(), kKnown, "the file"));
  const Value& members = read.root().get("members");
  if (!members.is_array()) return bad_member("members", "must be a list");
  if (members.size() > kMostMembers)
    return fail(Code::kLimit, "more than {} members", kMostMembers);
  std::vector<Member> out;
  std::set<std::string> names;
  for (std::size_t i = 0; i < members.size(); ++i) {
    STRAKE_TRY(Member one, read_member(members.items()[i], i, folder));
    if (!names.insert(one.name).second)
      return bad_member(fmt::format("members[{}]", i),
                        fmt::format("a member named {} stands before it", one.name));
    out.push_back(std::move(one));
  }
  return out;
}

}  // namespace strake::extension
