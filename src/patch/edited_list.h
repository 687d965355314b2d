#pragma once
// The items of an array on its way through many edits: what no edit touched stays a run of the
// array that was there, and runs and edited items are the nodes of a balanced tree. So opening an
// array takes no time, and an edit at any index takes that of the logarithm of the edits before.
#include <cstddef>
#include <deque>
#include <span>
#include <utility>
#include <vector>

#include "value/value.h"

namespace strake::patch {

struct EditContainer;

// A value, or the container that it has become.
struct EditSlot {
  value::Value value;
  EditContainer* open = nullptr;

  bool is_array() const;
  bool is_object() const;
  bool is_null() const { return open == nullptr && value.is_null(); }
};

class EditedList {
 public:
  EditedList() = default;
  // The items must outlive the list.
  explicit EditedList(std::span<const value::Value> items);
  EditedList(const EditedList&) = delete;
  EditedList& operator=(const EditedList&) = delete;
  EditedList(EditedList&&) = default;
  EditedList& operator=(EditedList&&) = default;

  std::size_t size() const { return total(root_); }
  EditSlot get(std::size_t index) const;
  EditSlot& at(std::size_t index);  // for edits; stays where it is until it is erased
  void insert(std::size_t index, EditSlot slot);
  void erase(std::size_t index);
  // Of untouched items there is only a value.
  template <typename Visit>  // void(const EditSlot&)
  void for_each(Visit visit) const {
    std::vector<const Node*> above;
    for (const Node* at = root_; at != nullptr || !above.empty();) {
      for (; at != nullptr; at = at->left) above.push_back(at);
      at = above.back();
      above.pop_back();
      if (at->run.empty()) visit(at->slot);
      for (const value::Value& item : at->run) visit(EditSlot{item});
      at = at->right;
    }
  }

 private:
  struct Node {
    std::span<const value::Value> run;  // untouched items; an edited one has none
    EditSlot slot;
    Node* left = nullptr;
    Node* right = nullptr;
    std::size_t total = 1;  // items of this node and all below
    int height = 1;
  };
  using Split = std::pair<Node*, Node*>;

  static std::size_t total(const Node* node) { return node == nullptr ? 0 : node->total; }
  static int height(const Node* node) { return node == nullptr ? 0 : node->height; }
  static std::size_t length(const Node& node) { return node.run.empty() ? 1 : node.run.size(); }
  static void update(Node& node);
  static Node* rotate_left(Node* node);
  static Node* rotate_right(Node* node);
  static Node* balance(Node* node);
  static Node* join(Node* left, Node* middle, Node* right);
  Node* join(Node* left, Node* right);
  Split split(Node* node, std::size_t index);  // what stands before the index, and the rest
  Node* make(std::span<const value::Value> run, EditSlot slot);
  // The node of an index, and where in it the item stands.
  std::pair<Node*, std::size_t> find(std::size_t index) const;

  std::deque<Node> nodes_;
  Node* root_ = nullptr;
};

}  // namespace strake::patch
