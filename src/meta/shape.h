#pragma once
// The shape of a type that the API server knows by itself (ObjectMeta, CustomResourceDefinition,
// ...): which fields there are and what they hold. Reading a value by its shape does what decoding
// into that type and encoding it again would do: wrong JSON types are refused in the decoder's own
// words, unknown fields are dropped and listed, empty fields vanish, times are written anew. Shapes
// are constants; values are edited in place, and one already canonical is not touched.
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/arena.h"
#include "base/result.h"
#include "value/value.h"

namespace strake::meta {

struct Shape;

struct ShapeField {
  enum class Keep : std::uint8_t {
    kAlways,    // written even when zero, and made when absent
    kNonEmpty,  // zero, empty and null are left out
    kPointer,   // null is left out, zero is kept
    kNullable,  // a pointer that is written even when null, and made when absent
  };
  std::string_view name;
  const Shape* shape;
  Keep keep = Keep::kNonEmpty;
  // The structs inside of this one that Go has the field in, although JSON does not show them:
  // messages do.
  std::string_view within{};
};

struct Shape {
  enum class Kind : std::uint8_t {
    kString,
    kBool,
    kInt64,
    kInt32,
    kFloat,
    kBytes,      // base64 text
    kTime,       // RFC 3339, kept to the second
    kMicroTime,  // RFC 3339 with six digits of the second
    kQuantity,   // "500m"; numbers count by their text
    kIntOrString,
    kAny,  // any JSON, kept as it is
    kStruct,
    kList,
    kMap,
    // The three loose places of a JSON schema: an object of the element's shape, or else ...
    kObjectOrBool,     // true or false; other JSON is "boolean or JSON schema expected"
    kObjectOrList,     // a list of such objects; other JSON counts as null
    kObjectOrStrings,  // a list of strings; other JSON counts as null
  };
  Kind kind;
  std::string_view type;                 // as messages name it: "string", "[]v1.OwnerReference"
  std::span<const ShapeField> fields{};  // of a struct, sorted by name
  const Shape* element = nullptr;        // of lists, maps and the loose places
  // No field is Keep::kAlways or Keep::kNullable, so that none has to be looked for.
  bool all_optional = false;

  // "ObjectMeta" of "v1.ObjectMeta": how messages name a struct.
  std::string_view owner() const;
  const ShapeField* field(std::string_view name) const;
};

// A part of a value that cannot be read.
struct ShapeFault {
  std::string path;  // "a.b[0].c"
  std::string message;
};

struct ShapeOptions {
  // Fields of the outermost struct that cannot be read are dropped instead of failing.
  bool drop_malformed = false;
  // The value was read straight from a request's text: members are taken in the order of the text
  // where positions are known, and 5.0 is no integer. Otherwise members are taken in sorted order,
  // and 5.0 is the integer 5.
  bool from_text = false;
  // When given, unknown fields are appended, as "a.b[0].c" behind `prefix`; at most 100 of them.
  std::vector<std::string>* unknown = nullptr;
  std::string_view prefix;
  // When given, everything that cannot be read is listed, and the reading goes on and succeeds;
  // else the first fault ends it, as with the server. At most 1000 of them.
  std::vector<ShapeFault>* faults = nullptr;
};

// Fails with kBadRequest ("json: cannot unmarshal number into Go struct field ObjectMeta.name of
// type string"), leaving the value partly edited, or with kLimit when it is nested too deeply.
Result<> read_shape(value::Value& v, const Shape& shape, Arena& arena,
                    const ShapeOptions& options = {});

// Shapes that many types share.
extern const Shape kStringShape;
extern const Shape kBoolShape;
extern const Shape kInt64Shape;
extern const Shape kInt32Shape;
extern const Shape kFloatShape;
extern const Shape kBytesShape;
extern const Shape kTimeShape;
extern const Shape kMicroTimeShape;
extern const Shape kQuantityShape;
extern const Shape kIntOrStringShape;
extern const Shape kAnyShape;
extern const Shape kStringListShape;
extern const Shape kStringMapShape;
extern const Shape kUidShape;

}  // namespace strake::meta
