#pragma once
// The spec of PersistentVolumeClaims, wherever it stands: in claims, in the claim templates of
// stateful sets, and in the ephemeral volumes of pods.
#include <string>
#include <vector>

#include "base/arena.h"
#include "base/field_path.h"
#include "value/field_error.h"
#include "value/value.h"

namespace strake::kinds {

void apply_claim_spec_defaults(value::Value& spec, Arena& arena);
// Of a whole claim {metadata, spec, status}: also what templates of stateful sets get.
void apply_claim_defaults(value::Value& claim, Arena& arena);

// What a claim that was stored before may keep although a new one could not have it.
struct ClaimSpecOptions {
  bool allow_invalid_label_values = false;
  bool allow_any_source_group = false;
};
ClaimSpecOptions stored_claim_options(const value::Value& old_spec);
// Templates are checked as new claims, also on an update.
void check_claim_spec(const value::Value& spec, const FieldPath& at, value::FieldErrors& errors,
                      const ClaimSpecOptions& options = {});
// A PersistentVolumeClaimTemplate {metadata, spec} of an ephemeral volume.
void check_claim_template(const value::Value& claim_template, const FieldPath& at,
                          value::FieldErrors& errors);

// What is said of a spec at `at` that is taken.
void warn_of_claim_spec(const value::Value& spec, const FieldPath& at,
                        std::vector<std::string>& warnings);

}  // namespace strake::kinds
