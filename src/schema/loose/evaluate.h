#pragma once
// Values against compiled loose schemas.
#include "schema/loose/issue.h"
#include "schema/loose/options.h"
#include "schema/loose/schema.h"
#include "value/value.h"

namespace strake::schema::loose {

// The same judgement as a StreamEvaluator's (stream.h) over the same value.
Report evaluate(const value::Value& v, const Schema& schema, const LooseNode& root,
                const Options& options = {});

// Against the schema's own root, which must be there.
Report evaluate(const value::Value& v, const Schema& schema, const Options& options = {});

}  // namespace strake::schema::loose
