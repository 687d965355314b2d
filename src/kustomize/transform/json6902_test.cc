#include "kustomize/transform/json6902.h"

#include <gtest/gtest.h>

#include "kustomize/tree/node_reader.h"
#include "kustomize/tree/node_value.h"

namespace strake::kustomize {
namespace {

struct OperationCase {
  std::string operation;
  std::string want;
};

constexpr std::string_view kDocument = "data: {a: b}\nl: [1, 2]\nnothing: null\n";

std::string patched(const std::string& patch) {
  NodeArena arena;
  const auto nodes = read_nodes(kDocument, arena);
  Node* root = nodes->front();
  const auto operations = read_json_patch(patch, arena);
  if (!operations) return "unreadable: " + operations.error().message();
  if (const auto done = apply_json_patch(root, *operations, arena); !done)
    return "error: " + done.error().message();
  return to_text(*root);
}

class JsonPatchOperations : public ::testing::TestWithParam<OperationCase> {};

TEST_P(JsonPatchOperations, DoAndSayWhatTheReferenceDoes) {
  EXPECT_EQ(patched(GetParam().operation), GetParam().want) << GetParam().operation;
}

INSTANTIATE_TEST_SUITE_P(
    Operations, JsonPatchOperations,
    ::testing::Values(
        OperationCase{"- {op: replace, path: /data/x, value: 1}",
                      "data:\n  a: b\n  x: 1\nl:\n- 1\n- 2\nnothing: null\n"},
        OperationCase{"- {op: replace, path: /nope/x, value: 1}",
                      "error: replace operation does not apply: doc is missing path: /nope/x: "
                      "missing value"},
        OperationCase{"- {op: add, path: /data/x}",
                      "data:\n  a: b\n  x: null\nl:\n- 1\n- 2\nnothing: null\n"},
        OperationCase{"- {op: remove, path: /data/a}\n- {op: remove, path: /nothing}\n- {op: "
                      "remove, path: /l}",
                      "data: {}\n"},
        OperationCase{"- {op: remove, path: /data}\n- {op: remove, path: /data/a}",
                      "error: remove operation does not apply: doc is missing path: \"/data/a\": "
                      "missing value"},
        OperationCase{"- {op: remove, path: /data}\n- {op: remove, path: /data}",
                      "error: error in remove for path: '/data': Unable to remove nonexistent key: "
                      "data: missing value"},
        OperationCase{"- {op: remove, path: /data}\n- {op: add, path: /data, value: 1}",
                      "data: 1\nl:\n- 1\n- 2\nnothing: null\n"},
        OperationCase{
            "- {op: remove, path: /l}\n- {op: remove, path: /nothing}\n- {op: test, path: /l}",
            "data:\n  a: b\n"},
        OperationCase{"- {op: add, path: /l/-1, value: 9}",
                      "data:\n  a: b\nl:\n- 1\n- 2\n- 9\nnothing: null\n"},
        OperationCase{"- {op: add, path: /l/x, value: 9}",
                      "error: error in add for path: '/l/x': value was not a proper array index: "
                      "'x': strconv.Atoi: parsing \"x\": invalid syntax"},
        OperationCase{"- {op: replace, path: /l/7, value: 9}",
                      "error: replace operation does not apply: doc is missing key: /l/7: missing "
                      "value"},
        OperationCase{"- {op: remove, path: /l/-3}",
                      "error: error in remove for path: '/l/-3': Unable to access invalid index: "
                      "-3: invalid index referenced"},
        OperationCase{"- {op: move, from: /data/q, path: /data/z}",
                      "error: error in move for path: 'q': Unable to remove nonexistent key: q: "
                      "missing value"},
        OperationCase{"- {op: move, from: /data/a, path: /l/0}",
                      "data: {}\nl:\n- b\n- 1\n- 2\nnothing: null\n"},
        OperationCase{"- {op: copy, from: /data/q, path: /data/z}",
                      "data:\n  a: b\n  z: null\nl:\n- 1\n- 2\nnothing: null\n"},
        OperationCase{"- {op: test, path: /l, value: [1, 2]}",
                      "data:\n  a: b\nl:\n- 1\n- 2\nnothing: null\n"},
        OperationCase{"- {op: test, path: /data/a, value: c}",
                      "error: testing value /data/a failed: test failed"},
        OperationCase{"- {op: test, path: /data/a}",
                      "error: testing value /data/a failed: test failed"},
        OperationCase{"- {op: test, path: /nothing, value: null}",
                      "data:\n  a: b\nl:\n- 1\n- 2\nnothing: null\n"},
        OperationCase{"- {path: /n}", "error: Unexpected kind: unknown"},
        OperationCase{"- {op: zap, path: /n}", "error: Unexpected kind: zap"},
        OperationCase{"- {op: add}", "error: add operation failed to decode path: missing value"},
        OperationCase{"- {op: add, path: \"\", value: {}}",
                      "error: add operation does not apply: doc is missing path: \"\": missing "
                      "value"},
        OperationCase{"- {op: replace, path: \"\", value: {x: 1}}", "x: 1\n"},
        OperationCase{"- {op: add, path: /data/a/y, value: 1}",
                      "error: add operation does not apply: doc is missing path: \"/data/a/y\": "
                      "missing value"},
        OperationCase{"- {op: add, path: /data/a~1b~0c, value: 1}",
                      "data:\n  a: b\n  a/b~c: 1\nl:\n- 1\n- 2\nnothing: null\n"},
        OperationCase{"- a",
                      "unreadable: json: cannot unmarshal string into Go value of type "
                      "jsonpatch.Operation"}));

}  // namespace
}  // namespace strake::kustomize
