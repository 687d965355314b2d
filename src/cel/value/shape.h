#pragma once
// How document nodes are seen as CEL values: whoever knows a schema describes it in shapes, and the
// evaluator reads the document through them without converting it. A shape is immutable and must
// outlive programs and values that use it.
#include <cstdint>
#include <span>
#include <string_view>

#include "cel/value/type.h"

namespace strake::cel {

struct DocumentField;

struct DocumentShape {
  enum class Kind : std::uint8_t {
    kDyn,  // whatever the node is: int-or-string, preserved unknown data
    kBool,
    kInt,
    kDouble,  // integers in the document are doubles to CEL
    kString,
    kBytes,      // base64 text
    kTimestamp,  // RFC 3339 text
    kDate,       // full-date text, a timestamp at midnight UTC
    kDuration,   // Go duration text
    kList,
    kMap,     // string keys
    kObject,  // declared fields; a member that is null counts as absent
  };
  // What == and + mean on lists.
  enum class ListKind : std::uint8_t {
    kAtomic,  // order matters; + concatenates
    kSet,     // == ignores order; + is the union, in the order of the left side
    kMap,     // items are told apart by `keys`; == ignores order; + replaces items in place and
              // appends new ones
  };

  Kind kind = Kind::kDyn;
  ListKind list_kind = ListKind::kAtomic;
  const Type* type = &types::dyn;            // what the checker sees
  const DocumentShape* element = nullptr;    // of list items and map values; null means kDyn
  std::span<const std::string_view> keys{};  // of a kMap list: member names in the document
  std::span<const DocumentField> fields{};   // of an object, sorted by name

  const DocumentField* find_field(std::string_view name) const;
};

struct DocumentField {
  std::string_view name;  // as expressions spell it, escaped where needed
  std::string_view key;   // as the document spells it
  const DocumentShape* shape = nullptr;
};

// The shape of a node about which nothing is known.
inline constexpr DocumentShape kDynShape{};

}  // namespace strake::cel
