#pragma once
// Conversion by the schemas of both versions, as the strategy None of definitions says: the
// apiVersion changes, and what the other version has no field for is dropped. Conversion by webhook
// is refused: who calls webhooks stands above.
#include "api/request/converter.h"

namespace strake::api {

class SchemaConverter final : public Converter {
 public:
  bool is_at_once(const Conversion&) const override { return true; }
  Eventual<> convert(const Conversion& conversion, std::span<value::Document> documents,
                     const CancelToken& cancel) const override;
};

// Whether objects of both look the same but for their apiVersion.
Answer<bool> same_schema(const kinds::ServedVersion& a, const kinds::ServedVersion& b);

}  // namespace strake::api
