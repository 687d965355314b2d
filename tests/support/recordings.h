#pragma once
// Recorded conversations with kube-apiserver, and the answers of our own engine put into the same
// shape.
#include <filesystem>
#include <string>
#include <vector>

#include "meta/status.h"
#include "resource/kind.h"
#include "resource/rule_runner.h"
#include "value/document.h"

namespace strake::testing {

// What a server answered, or what the engine would: the code, and the object or Status as JSON text
// with everything left out that only a live server knows (uid, times, managed fields), causes
// sorted.
struct Answer {
  int code = 0;
  std::string body;
  std::vector<std::string> warnings;
  friend bool operator==(const Answer&, const Answer&) = default;
};

// The Kind that a CRD document declares for one of its versions (the first when empty), and for the
// one it stores.
resource::Kind kind_of(const value::Value& crd, std::string_view version = {});
resource::Kind storage_kind_of(const value::Value& crd);

struct CreateOptions {
  bool strict = false;  // fieldValidation=Strict
  const resource::RuleRunner* rules = nullptr;
  const resource::Kind* storage = nullptr;  // the stored version's kind, when it is another
  value::Document* created = nullptr;       // gets the object as it would be stored
};
// The answer to creating the object.
Answer create(const value::Value& body, const resource::Kind& kind, const CreateOptions& options);
// The answer to replacing the stored object by another.
Answer update(const value::Value& body, const value::Value& stored, const resource::Kind& kind,
              const resource::RuleRunner* rules, value::Document* updated = nullptr);

// The answer to replacing the status of the stored object.
Answer update_status(const value::Value& body, const value::Value& stored,
                     const resource::Kind& kind, const resource::RuleRunner* rules);
// The answer that a Status is.
Answer refusal(const meta::Status& status);

// A recorded `expect` in the same shape.
Answer recorded(const value::Value& expect);

// Applies an RFC 6902 patch of `replace`, `add` and `remove` operations.
void apply_json_patch(value::Document& document, const value::Value& operations);

}  // namespace strake::testing
