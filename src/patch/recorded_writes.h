#pragma once
// Recorded conversations with kube-apiserver, read for tests of writes: which object a step is
// about, who wrote it, and under which schema.
#include <filesystem>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "schema/node.h"
#include "value/document.h"

namespace strake::patch {

// Recorded times are no times: this stands for all of them.
inline constexpr std::string_view kRecordedTime = "2024-01-01T00:00:00Z";

struct RecordedVersion {
  schema::NodePtr schema;
  bool status = false;  // has the status subresource
};

// What a conversation has told so far.
struct Conversation {
  std::map<std::string, RecordedVersion> versions;  // by group/version/plural
  std::map<std::string, value::Document> stored;    // by path
  std::map<std::string, value::Document> crds;      // by name
};

// /apis/group/version[/namespaces/ns]/plural[/name[/subresource]]?query
struct RecordedTarget {
  std::string version_key;
  std::string api_version;
  std::string collection;  // without the version, since others show the same objects
  std::string name;
  std::string subresource;
  std::string query;
};

value::Document read_recording(const std::filesystem::path& file);
// All recordings that no webhook has a hand in, in order.
std::vector<std::filesystem::path> recordings_in(const std::filesystem::path& folder);

// Follows CRDs that are posted, replaced or patched.
void follow_crds(const value::Value& step, Conversation& told);
RecordedTarget target_of(const value::Value& step);
std::string manager_of(const RecordedTarget& target);
bool is_apply(const value::Value& step);

const value::Value* entries_of(const value::Value& object);
// Entries with their times made alike (but for whether they have one), in their order.
std::vector<std::string> entries_as_text(const value::Value& object);
// With kRecordedTime for the times of entries.
value::Document copy_of(const value::Value& v);

}  // namespace strake::patch
