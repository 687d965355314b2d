#pragma once
// Label selectors {matchLabels, matchExpressions} of decoded objects: whom they select, and how
// they are written in messages and tables.
#include <optional>
#include <span>
#include <string>

#include "value/value.h"

namespace strake::kinds {

// As a message shows it: with the fields in the order of the Go struct. Null when there is none.
std::string show_label_selector(const value::Value* selector);

// It is there and asks for nothing, so that it selects everything.
bool is_empty_selector(const value::Value& selector);

// Whether it selects these labels, of which there may be none. Null selects nothing. Nothing when
// the selector makes no sense.
std::optional<bool> selects(const value::Value* selector, const value::Value* labels);

// "app=a,tier in (x,y)". Empty for null and for what selects everything; nothing when the selector
// makes no sense.
std::optional<std::string> selector_text(const value::Value* selector);
// "app=a,tier=b"
std::string labels_text(std::span<const value::Member> labels);

}  // namespace strake::kinds
