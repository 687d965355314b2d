#include "crd/crd_shape.h"

#include "meta/object_meta.h"

// The Go types of apiextensions.k8s.io/v1, as far as decoding shows them. Fields are sorted by
// name, since they are looked up by binary search. Keep says what becomes of empty values, as the
// tags of the Go fields do: by default they are left out (omitempty), kAlways writes them, and
// kPointer tells absent from empty. The Go type names appear in messages.

namespace strake::crd {

using meta::kAnyShape;
using meta::kBoolShape;
using meta::kBytesShape;
using meta::kFloatShape;
using meta::kInt32Shape;
using meta::kInt64Shape;
using meta::kStringListShape;
using meta::kStringShape;
using meta::kTimeShape;
using meta::Shape;
using meta::ShapeField;
using Keep = ShapeField::Keep;
using Kind = Shape::Kind;

namespace {

constinit const Shape kUrlShape{Kind::kString, "v1.JSONSchemaURL"};
constinit const Shape kReasonShape{Kind::kString, "v1.FieldValueErrorReason"};
constinit const Shape kEnumShape{Kind::kList, "[]v1.JSON", {}, &kAnyShape};
constinit const Shape kSchemaListShape{Kind::kList, "[]v1.JSONSchemaProps", {}, &kJsonSchemaShape};
constinit const Shape kSchemaMapShape{
    Kind::kMap, "map[string]v1.JSONSchemaProps", {}, &kJsonSchemaShape};
constinit const Shape kDefinitionsShape{
    Kind::kMap, "v1.JSONSchemaDefinitions", {}, &kJsonSchemaShape};
constinit const Shape kSchemaOrBoolShape{
    Kind::kObjectOrBool, "v1.JSONSchemaPropsOrBool", {}, &kJsonSchemaShape};
constinit const Shape kSchemaOrArrayShape{
    Kind::kObjectOrList, "v1.JSONSchemaPropsOrArray", {}, &kJsonSchemaShape};
constinit const Shape kSchemaOrStringsShape{
    Kind::kObjectOrStrings, "v1.JSONSchemaPropsOrStringArray", {}, &kJsonSchemaShape};
constinit const Shape kDependenciesShape{
    Kind::kMap, "v1.JSONSchemaDependencies", {}, &kSchemaOrStringsShape};

constinit const ShapeField kExternalDocsFields[] = {{"description", &kStringShape},
                                                    {"url", &kStringShape}};
constinit const Shape kExternalDocsShape{Kind::kStruct, "v1.ExternalDocumentation",
                                         kExternalDocsFields};

constinit const ShapeField kRuleFields[] = {
    {"fieldPath", &kStringShape},
    {"message", &kStringShape},
    {"messageExpression", &kStringShape},
    {"optionalOldSelf", &kBoolShape, Keep::kPointer},
    {"reason", &kReasonShape, Keep::kPointer},
    {"rule", &kStringShape, Keep::kAlways},
};
constinit const Shape kRuleShape{Kind::kStruct, "v1.ValidationRule", kRuleFields};
constinit const Shape kRulesShape{Kind::kList, "v1.ValidationRules", {}, &kRuleShape};

constinit const ShapeField kSchemaFields[] = {
    {"$ref", &kStringShape, Keep::kPointer},
    {"$schema", &kUrlShape},
    {"additionalItems", &kSchemaOrBoolShape, Keep::kPointer},
    {"additionalProperties", &kSchemaOrBoolShape, Keep::kPointer},
    {"allOf", &kSchemaListShape},
    {"anyOf", &kSchemaListShape},
    {"default", &kAnyShape, Keep::kPointer},
    {"definitions", &kDefinitionsShape},
    {"dependencies", &kDependenciesShape},
    {"description", &kStringShape},
    {"enum", &kEnumShape},
    {"example", &kAnyShape, Keep::kPointer},
    {"exclusiveMaximum", &kBoolShape},
    {"exclusiveMinimum", &kBoolShape},
    {"externalDocs", &kExternalDocsShape, Keep::kPointer},
    {"format", &kStringShape},
    {"id", &kStringShape},
    {"items", &kSchemaOrArrayShape, Keep::kPointer},
    {"maxItems", &kInt64Shape, Keep::kPointer},
    {"maxLength", &kInt64Shape, Keep::kPointer},
    {"maxProperties", &kInt64Shape, Keep::kPointer},
    {"maximum", &kFloatShape, Keep::kPointer},
    {"minItems", &kInt64Shape, Keep::kPointer},
    {"minLength", &kInt64Shape, Keep::kPointer},
    {"minProperties", &kInt64Shape, Keep::kPointer},
    {"minimum", &kFloatShape, Keep::kPointer},
    {"multipleOf", &kFloatShape, Keep::kPointer},
    {"not", &kJsonSchemaShape, Keep::kPointer},
    {"nullable", &kBoolShape},
    {"oneOf", &kSchemaListShape},
    {"pattern", &kStringShape},
    {"patternProperties", &kSchemaMapShape},
    {"properties", &kSchemaMapShape},
    {"required", &kStringListShape},
    {"title", &kStringShape},
    {"type", &kStringShape},
    {"uniqueItems", &kBoolShape},
    {"x-kubernetes-embedded-resource", &kBoolShape},
    {"x-kubernetes-int-or-string", &kBoolShape},
    {"x-kubernetes-list-map-keys", &kStringListShape},
    {"x-kubernetes-list-type", &kStringShape, Keep::kPointer},
    {"x-kubernetes-map-type", &kStringShape, Keep::kPointer},
    {"x-kubernetes-preserve-unknown-fields", &kBoolShape, Keep::kPointer},
    {"x-kubernetes-validations", &kRulesShape},
};

constinit const ShapeField kValidationFields[] = {
    {"openAPIV3Schema", &kJsonSchemaShape, Keep::kPointer}};
constinit const Shape kValidationShape{Kind::kStruct, "v1.CustomResourceValidation",
                                       kValidationFields};

constinit const Shape kStatusSubresourceShape{Kind::kStruct, "v1.CustomResourceSubresourceStatus"};
constinit const ShapeField kScaleFields[] = {
    {"labelSelectorPath", &kStringShape, Keep::kPointer},
    {"specReplicasPath", &kStringShape, Keep::kAlways},
    {"statusReplicasPath", &kStringShape, Keep::kAlways},
};
constinit const Shape kScaleShape{Kind::kStruct, "v1.CustomResourceSubresourceScale", kScaleFields};
constinit const ShapeField kSubresourcesFields[] = {
    {"scale", &kScaleShape, Keep::kPointer},
    {"status", &kStatusSubresourceShape, Keep::kPointer},
};
constinit const Shape kSubresourcesShape{Kind::kStruct, "v1.CustomResourceSubresources",
                                         kSubresourcesFields};

constinit const ShapeField kColumnFields[] = {
    {"description", &kStringShape},
    {"format", &kStringShape},
    {"jsonPath", &kStringShape, Keep::kAlways},
    {"name", &kStringShape, Keep::kAlways},
    {"priority", &kInt32Shape},
    {"type", &kStringShape, Keep::kAlways},
};
constinit const Shape kColumnShape{Kind::kStruct, "v1.CustomResourceColumnDefinition",
                                   kColumnFields};
constinit const Shape kColumnsShape{
    Kind::kList, "[]v1.CustomResourceColumnDefinition", {}, &kColumnShape};

constinit const ShapeField kSelectableFields[] = {{"jsonPath", &kStringShape, Keep::kAlways}};
constinit const Shape kSelectableShape{Kind::kStruct, "v1.SelectableField", kSelectableFields};
constinit const Shape kSelectableListShape{
    Kind::kList, "[]v1.SelectableField", {}, &kSelectableShape};

constinit const ShapeField kVersionFields[] = {
    {"additionalPrinterColumns", &kColumnsShape},
    {"deprecated", &kBoolShape},
    {"deprecationWarning", &kStringShape, Keep::kPointer},
    {"name", &kStringShape, Keep::kAlways},
    {"schema", &kValidationShape, Keep::kPointer},
    {"selectableFields", &kSelectableListShape},
    {"served", &kBoolShape, Keep::kAlways},
    {"storage", &kBoolShape, Keep::kAlways},
    {"subresources", &kSubresourcesShape, Keep::kPointer},
};
constinit const Shape kVersionShape{Kind::kStruct, "v1.CustomResourceDefinitionVersion",
                                    kVersionFields};
constinit const Shape kVersionsShape{
    Kind::kList, "[]v1.CustomResourceDefinitionVersion", {}, &kVersionShape};

constinit const ShapeField kServiceFields[] = {
    {"name", &kStringShape, Keep::kAlways},
    {"namespace", &kStringShape, Keep::kAlways},
    {"path", &kStringShape, Keep::kPointer},
    {"port", &kInt32Shape, Keep::kPointer},
};
constinit const Shape kServiceShape{Kind::kStruct, "v1.ServiceReference", kServiceFields};
constinit const ShapeField kClientConfigFields[] = {
    {"caBundle", &kBytesShape},
    {"service", &kServiceShape, Keep::kPointer},
    {"url", &kStringShape, Keep::kPointer},
};
constinit const Shape kClientConfigShape{Kind::kStruct, "v1.WebhookClientConfig",
                                         kClientConfigFields};
constinit const ShapeField kWebhookFields[] = {
    {"clientConfig", &kClientConfigShape, Keep::kPointer},
    {"conversionReviewVersions", &kStringListShape, Keep::kAlways},
};
constinit const Shape kWebhookShape{Kind::kStruct, "v1.WebhookConversion", kWebhookFields};
constinit const Shape kStrategyShape{Kind::kString, "v1.ConversionStrategyType"};
constinit const ShapeField kConversionFields[] = {
    {"strategy", &kStrategyShape, Keep::kAlways},
    {"webhook", &kWebhookShape, Keep::kPointer},
};
constinit const Shape kConversionShape{Kind::kStruct, "v1.CustomResourceConversion",
                                       kConversionFields};

constinit const ShapeField kNamesFields[] = {
    {"categories", &kStringListShape}, {"kind", &kStringShape, Keep::kAlways},
    {"listKind", &kStringShape},       {"plural", &kStringShape, Keep::kAlways},
    {"shortNames", &kStringListShape}, {"singular", &kStringShape},
};
constinit const Shape kNamesShape{Kind::kStruct, "v1.CustomResourceDefinitionNames", kNamesFields};

constinit const Shape kScopeShape{Kind::kString, "v1.ResourceScope"};
constinit const ShapeField kSpecFields[] = {
    {"conversion", &kConversionShape, Keep::kPointer},
    {"group", &kStringShape, Keep::kAlways},
    {"names", &kNamesShape, Keep::kAlways},
    {"preserveUnknownFields", &kBoolShape},
    {"scope", &kScopeShape, Keep::kAlways},
    {"versions", &kVersionsShape, Keep::kAlways},
};
constinit const Shape kSpecShape{Kind::kStruct, "v1.CustomResourceDefinitionSpec", kSpecFields};

constinit const Shape kConditionTypeShape{Kind::kString,
                                          "v1.CustomResourceDefinitionConditionType"};
constinit const Shape kConditionStatusShape{Kind::kString, "v1.ConditionStatus"};
constinit const ShapeField kConditionFields[] = {
    {"lastTransitionTime", &kTimeShape, Keep::kAlways},
    {"message", &kStringShape},
    {"observedGeneration", &kInt64Shape},
    {"reason", &kStringShape},
    {"status", &kConditionStatusShape, Keep::kAlways},
    {"type", &kConditionTypeShape, Keep::kAlways},
};
constinit const Shape kConditionShape{Kind::kStruct, "v1.CustomResourceDefinitionCondition",
                                      kConditionFields};
constinit const Shape kConditionsShape{
    Kind::kList, "[]v1.CustomResourceDefinitionCondition", {}, &kConditionShape};
constinit const ShapeField kStatusFields[] = {
    {"acceptedNames", &kNamesShape, Keep::kAlways},
    {"conditions", &kConditionsShape, Keep::kAlways},
    {"observedGeneration", &kInt64Shape},
    {"storedVersions", &kStringListShape, Keep::kAlways},
};
constinit const Shape kStatusShape{Kind::kStruct, "v1.CustomResourceDefinitionStatus",
                                   kStatusFields};

constinit const ShapeField kCrdFields[] = {
    {"apiVersion", &kStringShape},
    {"kind", &kStringShape},
    {"metadata", &meta::kObjectMetaShape, Keep::kAlways},
    {"spec", &kSpecShape, Keep::kAlways},
    {"status", &kStatusShape, Keep::kAlways},
};

}  // namespace

constinit const Shape kJsonSchemaShape{Kind::kStruct, "v1.JSONSchemaProps", kSchemaFields, nullptr,
                                       true};
constinit const Shape kCrdShape{Kind::kStruct, "v1.CustomResourceDefinition", kCrdFields};

}  // namespace strake::crd
