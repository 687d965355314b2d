#include "validate/default_mode.h"

#include "resource/settle.h"
#include "schema/drop_nulls.h"

namespace strake::validate {

using value::Value;

Result<> settle_by(DefaultMode mode, Value& object, const resource::Kind& kind, Arena& arena,
                   std::vector<std::string>* unknown, bool keep_unknown) {
  const bool applies = mode == DefaultMode::kApply;
  STRAKE_CHECK(resource::settle(object, kind, arena, unknown,
                                {.apply_defaults = applies, .keep_unknown = keep_unknown}));
  if (applies) return {};
  if (kind.schema && !kind.preserve_unknown && kind.schema->has_defaults_below)
    schema::drop_nulls(object, *kind.schema);
  return {};
}

}  // namespace strake::validate
