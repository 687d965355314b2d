#pragma once
// Which names a CRD gets: within a group, no two CRDs share a plural, singular or short name, nor a
// kind or list kind.
#include <string>
#include <string_view>
#include <unordered_map>

#include "crd/crd.h"
#include "value/document.h"

namespace strake::api {

// Which of the names that a CRD wants other CRDs of its group have been given. The CRD must outlive
// this.
class TakenNames {
 public:
  explicit TakenNames(const crd::Names& wanted);

  // A name that another CRD has, as plural, singular or short name; or as kind or list kind.
  void add_resource(std::string_view name);
  void add_kind(std::string_view name);

  bool has_resource(std::string_view name) const { return is_taken(resources_, name); }
  bool has_kind(std::string_view name) const { return is_taken(kinds_, name); }

 private:
  // Wanted name to whether it is taken. A group has many names, and few of them are wanted here.
  using Wanted = std::unordered_map<std::string_view, bool>;
  static bool is_taken(const Wanted& wanted, std::string_view name);
  Wanted resources_;
  Wanted kinds_;
};

struct NameVerdict {
  bool accepted = true;
  std::string reason;  // "NoConflicts", or the last conflict's
  std::string message;
};

// Writes status.acceptedNames of the document: each part that is free moves over, others stay as
// they were.
NameVerdict accept_names(value::Document& document, const crd::Crd& crd, const TakenNames& taken);

// The approval that the groups of the project itself need, as a condition; empty for other groups.
struct ApprovalVerdict {
  bool needed = false;
  bool approved = false;
  std::string reason;
  std::string message;
};
ApprovalVerdict judge_approval(const crd::Crd& crd);

}  // namespace strake::api
