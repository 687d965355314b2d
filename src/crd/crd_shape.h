#pragma once
// The shapes of CustomResourceDefinition v1 and of the JSON schemas inside it.
#include "meta/shape.h"

namespace strake::crd {

extern const meta::Shape kCrdShape;
extern const meta::Shape kJsonSchemaShape;

}  // namespace strake::crd
