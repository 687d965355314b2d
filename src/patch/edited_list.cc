#include "patch/edited_list.h"

#include <algorithm>

// A balanced tree over runs of the original array, ordered by position instead of by key: a node
// knows how many items are below it, which is what an index is searched by. All edits are made of
// two operations, split at an index and join; balance is that of an AVL tree, so both take the
// logarithm of the number of nodes. A split may cut a run in two, so n edits make at most about 2 n
// nodes, and the items that no edit touched are never copied.
//
// Why not a vector: a JSON patch of ten thousand insertions at the front of a large array would
// move the array ten thousand times.

namespace strake::patch {

using value::Value;

EditedList::EditedList(std::span<const Value> items) {
  if (!items.empty()) root_ = make(items, {});
}

EditedList::Node* EditedList::make(std::span<const Value> run, EditSlot slot) {
  Node& made = nodes_.emplace_back(Node{.run = run, .slot = slot});
  made.total = length(made);
  return &made;
}

void EditedList::update(Node& node) {
  node.total = total(node.left) + length(node) + total(node.right);
  node.height = std::max(height(node.left), height(node.right)) + 1;
}

EditedList::Node* EditedList::rotate_left(Node* node) {
  Node* top = node->right;
  node->right = top->left;
  top->left = node;
  update(*node);
  update(*top);
  return top;
}

EditedList::Node* EditedList::rotate_right(Node* node) {
  Node* top = node->left;
  node->left = top->right;
  top->right = node;
  update(*node);
  update(*top);
  return top;
}

// The rotations of an AVL tree, for sides whose heights differ by two at most.
EditedList::Node* EditedList::balance(Node* node) {
  update(*node);
  const int lean = height(node->left) - height(node->right);
  if (lean > 1) {
    if (height(node->left->left) < height(node->left->right)) node->left = rotate_left(node->left);
    return rotate_right(node);
  }
  if (lean < -1) {
    if (height(node->right->right) < height(node->right->left))
      node->right = rotate_right(node->right);
    return rotate_left(node);
  }
  return node;
}

// The lower tree goes in along the edge of the higher one, where it is as high.
EditedList::Node* EditedList::join(Node* left, Node* middle, Node* right) {
  if (height(left) > height(right) + 1) {
    left->right = join(left->right, middle, right);
    return balance(left);
  }
  if (height(right) > height(left) + 1) {
    right->left = join(left, middle, right->left);
    return balance(right);
  }
  middle->left = left;
  middle->right = right;
  update(*middle);
  return middle;
}

// Two trees without a node between them: the first node of the right one becomes it. The split is
// at the end of that node, so no run is cut.
EditedList::Node* EditedList::join(Node* left, Node* right) {
  if (left == nullptr) return right;
  if (right == nullptr) return left;
  const Node* first = right;
  while (first->left != nullptr) first = first->left;
  const auto [middle, rest] = split(right, length(*first));
  return join(left, middle, rest);
}

EditedList::Split EditedList::split(Node* node, std::size_t index) {
  if (node == nullptr) return {};
  Node* const left = node->left;
  Node* const right = node->right;
  const std::size_t begin = total(left);
  const std::size_t end = begin + length(*node);
  if (index <= begin) {
    const auto [before, rest] = split(left, index);
    return {before, join(rest, node, right)};
  }
  if (index >= end) {
    const auto [before, rest] = split(right, index - end);
    return {join(left, node, before), rest};
  }
  Node* tail = make(node->run.subspan(index - begin), {});
  node->run = node->run.first(index - begin);
  return {join(left, node, nullptr), join(nullptr, tail, right)};
}

std::pair<EditedList::Node*, std::size_t> EditedList::find(std::size_t index) const {
  Node* node = root_;
  while (true) {
    const std::size_t begin = total(node->left);
    if (index < begin) {
      node = node->left;
    } else if (index >= begin + length(*node)) {
      index -= begin + length(*node);
      node = node->right;
    } else {
      return {node, index - begin};
    }
  }
}

EditSlot EditedList::get(std::size_t index) const {
  const auto [node, at] = find(index);
  return node->run.empty() ? node->slot : EditSlot{node->run[at]};
}

// Cuts the item out of its run. Nodes live in a deque and keep their place, so the slot stays valid
// whatever happens around it.
EditSlot& EditedList::at(std::size_t index) {
  if (Node* there = find(index).first; there->run.empty()) return there->slot;
  const auto [before, rest] = split(root_, index);
  const auto [one, after] = split(rest, 1);
  one->slot = {one->run.front()};
  one->run = {};
  root_ = join(before, one, after);
  return one->slot;
}

void EditedList::insert(std::size_t index, EditSlot slot) {
  const auto [before, after] = split(root_, index);
  root_ = join(before, make({}, slot), after);
}

void EditedList::erase(std::size_t index) {
  const auto [before, rest] = split(root_, index);
  root_ = join(before, split(rest, 1).second);
}

}  // namespace strake::patch
