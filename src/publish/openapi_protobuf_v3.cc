// The messages of gnostic's OpenAPIv3.proto, as far as the API's documents use them.
#include "publish/openapi.h"
#include "publish/openapi_protobuf.h"

namespace strake::publish {
namespace v3 {
namespace {

using namespace protobuf;
using value::Value;

constexpr Field kReferenceFields[] = {{"$ref", 1}, {"summary", 2}, {"description", 3}};
constexpr Message kReference = {.fields = kReferenceFields};

bool is_reference(const Value& v) { return v.find("$ref") != nullptr; }

// --- schemas

extern const Message kSchema;

constexpr Message kSchemaOrReference = {.choose = [](const Value& v) {
  return is_reference(v) ? Choice{2, &kReference} : Choice{1, &kSchema};
}};
constexpr Message kItems = {.choose = [](const Value&) { return Choice{1, &kSchemaOrReference}; }};
constexpr Message kAdditionalProperties = {.choose = [](const Value& v) {
  return v.is_object() ? Choice{1, &kSchemaOrReference} : Choice{2, nullptr};
}};
constexpr Message kSchemas = {.entries = &kSchemaOrReference};
// There is no place for defaults that are objects or arrays.
constexpr Message kDefault = {.choose = [](const Value& v) {
  if (v.is_number()) return Choice{1, nullptr};
  if (v.is_bool()) return Choice{2, nullptr};
  return Choice{v.is_string() ? 3U : 0U, nullptr};
}};

constexpr Field kSchemaFields[] = {
    {"nullable", 1, kBool},
    {"readOnly", 3, kBool},
    {"writeOnly", 4, kBool},
    {"example", 7, kMessage, &kAnyJson},
    {"deprecated", 8, kBool},
    {"title", 9},
    {"multipleOf", 10, kDouble},
    {"maximum", 11, kDouble},
    {"exclusiveMaximum", 12, kBool},
    {"minimum", 13, kDouble},
    {"exclusiveMinimum", 14, kBool},
    {"maxLength", 15, kInt},
    {"minLength", 16, kInt},
    {"pattern", 17},
    {"maxItems", 18, kInt},
    {"minItems", 19, kInt},
    {"uniqueItems", 20, kBool},
    {"maxProperties", 21, kInt},
    {"minProperties", 22, kInt},
    {"required", 23, kTexts},
    {"enum", 24, kMessages, &kAnyJson},
    {"type", 25},
    {"allOf", 26, kMessages, &kSchemaOrReference},
    {"oneOf", 27, kMessages, &kSchemaOrReference},
    {"anyOf", 28, kMessages, &kSchemaOrReference},
    {"not", 29, kMessage, &kSchema},
    {"items", 30, kMessage, &kItems},
    {"properties", 31, kMessage, &kSchemas},
    {"additionalProperties", 32, kMessage, &kAdditionalProperties},
    {"default", 33, kMessage, &kDefault},
    {"description", 34},
    {"format", 35},
};
constexpr Message kSchema = {.fields = kSchemaFields, .extensions = 36};

// --- operations

constexpr Field kMediaTypeFields[] = {{"schema", 1, kMessage, &kSchemaOrReference}};
constexpr Message kMediaType = {.fields = kMediaTypeFields, .extensions = 5};
constexpr Message kContent = {.entries = &kMediaType};

constexpr Field kParameterFields[] = {{"name", 1},
                                      {"in", 2},
                                      {"description", 3},
                                      {"required", 4, kBool},
                                      {"deprecated", 5, kBool},
                                      {"allowEmptyValue", 6, kBool},
                                      {"schema", 10, kMessage, &kSchemaOrReference},
                                      {"content", 13, kMessage, &kContent}};
constexpr Message kParameter = {.fields = kParameterFields, .extensions = 14};
constexpr Message kParameterOrReference = {.choose = [](const Value& v) {
  return is_reference(v) ? Choice{2, &kReference} : Choice{1, &kParameter};
}};

constexpr Field kRequestBodyFields[] = {
    {"description", 1}, {"content", 2, kMessage, &kContent}, {"required", 3, kBool}};
constexpr Message kRequestBody = {.fields = kRequestBodyFields, .extensions = 4};
constexpr Message kRequestBodyOrReference = {.choose = [](const Value& v) {
  return is_reference(v) ? Choice{2, &kReference} : Choice{1, &kRequestBody};
}};

constexpr Field kResponseFields[] = {{"description", 1}, {"content", 3, kMessage, &kContent}};
constexpr Message kResponse = {.fields = kResponseFields, .extensions = 5};
constexpr Message kResponseOrReference = {.choose = [](const Value& v) {
  return is_reference(v) ? Choice{2, &kReference} : Choice{1, &kResponse};
}};
// The API declares an answer for each code and none by default.
constexpr Message kResponses = {.entries = &kResponseOrReference, .entry = 2};

constexpr Field kOperationFields[] = {
    {"tags", 1, kTexts},
    {"summary", 2},
    {"description", 3},
    {"operationId", 5},
    {"parameters", 6, kMessages, &kParameterOrReference},
    {"requestBody", 7, kMessage, &kRequestBodyOrReference},
    {"responses", 8, kMessage, &kResponses},
    {"deprecated", 10, kBool},
    {"security", 11, kMessages, &kTextLists},
};
constexpr Message kOperation = {.fields = kOperationFields, .extensions = 13};

constexpr Field kPathItemFields[] = {
    {"$ref", 1},
    {"summary", 2},
    {"description", 3},
    {"get", 4, kMessage, &kOperation},
    {"put", 5, kMessage, &kOperation},
    {"post", 6, kMessage, &kOperation},
    {"delete", 7, kMessage, &kOperation},
    {"options", 8, kMessage, &kOperation},
    {"head", 9, kMessage, &kOperation},
    {"patch", 10, kMessage, &kOperation},
    {"trace", 11, kMessage, &kOperation},
    {"parameters", 13, kMessages, &kParameterOrReference},
};
constexpr Message kPathItem = {.fields = kPathItemFields, .extensions = 14};
constexpr Message kPaths = {.entries = &kPathItem};

// --- the document

constexpr Field kSecuritySchemeFields[] = {{"type", 1}, {"description", 2}, {"name", 3},
                                           {"in", 4},   {"scheme", 5},      {"bearerFormat", 6}};
constexpr Message kSecurityScheme = {.fields = kSecuritySchemeFields, .extensions = 9};
constexpr Message kSecuritySchemeOrReference = {.choose = [](const Value& v) {
  return is_reference(v) ? Choice{2, &kReference} : Choice{1, &kSecurityScheme};
}};
constexpr Message kSecuritySchemes = {.entries = &kSecuritySchemeOrReference};

constexpr Field kComponentsFields[] = {{"schemas", 1, kMessage, &kSchemas},
                                       {"securitySchemes", 7, kMessage, &kSecuritySchemes}};
constexpr Message kComponents = {.fields = kComponentsFields, .extensions = 10};

constexpr Field kInfoFields[] = {
    {"title", 1}, {"description", 2}, {"termsOfService", 3}, {"version", 6}};
constexpr Message kInfo = {.fields = kInfoFields, .extensions = 7};

constexpr Field kDocumentFields[] = {{"openapi", 1},
                                     {"info", 2, kMessage, &kInfo},
                                     {"paths", 4, kMessage, &kPaths},
                                     {"components", 5, kMessage, &kComponents},
                                     {"security", 6, kMessages, &kTextLists}};
constexpr Message kDocument = {.fields = kDocumentFields, .extensions = 9};

}  // namespace
}  // namespace v3

Result<std::string> openapi_v3_protobuf(std::string_view json) {
  STRAKE_TRY(const value::Document document, read_for_encoding(json));
  return protobuf::encode(document.root(), v3::kDocument);
}

}  // namespace strake::publish
