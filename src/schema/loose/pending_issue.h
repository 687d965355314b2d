#pragma once
// An issue in the making: small, and without its words until someone wants to read them.
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "schema/loose/issue.h"
#include "schema/loose/schema.h"

namespace strake::schema::loose {

// A way from the root of the value, shared by all that lead through it. Null is the root.
struct PathNode;
using PathPtr = std::shared_ptr<const PathNode>;
struct PathNode {
  PathPtr up;
  FieldPath::Step step;
  ~PathNode();  // lets go of long chains one by one
};

struct PendingIssue {
  IssueCode code = IssueCode::kInvalidType;
  Severity severity = Severity::kError;
  const LooseNode* node = nullptr;  // null when no schema is to blame
  std::string_view keyword;         // static text
  PathPtr path;
  std::uint64_t first = 0;  // what they mean depends on the code; see to_issue
  std::uint64_t second = 0;
  std::string text;
  std::shared_ptr<const std::vector<PendingIssue>> branch;
};

Issue to_issue(const PendingIssue& pending);

// In the order of a report.
bool comes_before(const PendingIssue& a, const PendingIssue& b);

// The first `most` of all that were added, whatever the order in which they came.
class PendingIssues {
 public:
  void clear() { kept_.clear(), total_ = 0; }
  void add(PendingIssue pending, std::size_t most);
  void add_all(const PendingIssues& others, std::size_t most);
  std::size_t total() const { return total_; }
  std::vector<PendingIssue> sorted(std::size_t most) const;
  bool empty() const { return kept_.empty(); }

 private:
  std::vector<PendingIssue> kept_;
  std::size_t total_ = 0;
};

}  // namespace strake::schema::loose
