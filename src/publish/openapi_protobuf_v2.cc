// The messages of gnostic's OpenAPIv2.proto, as far as the API's documents use them.
#include "publish/openapi.h"
#include "publish/openapi_protobuf.h"
#include "value/fields.h"
#include "value/json_reader.h"

namespace strake::publish {
namespace v2 {
namespace {

using namespace protobuf;
using value::Value;

// --- schemas

extern const Message kSchema;

constexpr Message kItems = {.choose = [](const Value&) { return Choice{1, &kSchema}; }};
constexpr Message kAdditionalProperties = {.choose = [](const Value& v) {
  return v.is_object() ? Choice{1, &kSchema} : Choice{2, nullptr};
}};
constexpr Message kProperties = {.entries = &kSchema};
constexpr Field kExternalDocsFields[] = {{"description", 1}, {"url", 2}};
constexpr Message kExternalDocs = {.fields = kExternalDocsFields, .extensions = 3};

constexpr Field kSchemaFields[] = {
    {"$ref", 1},
    {"format", 2},
    {"title", 3},
    {"description", 4},
    {"default", 5, kMessage, &kAnyJson},
    {"multipleOf", 6, kDouble},
    {"maximum", 7, kDouble},
    {"exclusiveMaximum", 8, kBool},
    {"minimum", 9, kDouble},
    {"exclusiveMinimum", 10, kBool},
    {"maxLength", 11, kInt},
    {"minLength", 12, kInt},
    {"pattern", 13},
    {"maxItems", 14, kInt},
    {"minItems", 15, kInt},
    {"uniqueItems", 16, kBool},
    {"maxProperties", 17, kInt},
    {"minProperties", 18, kInt},
    {"required", 19, kTexts},
    {"enum", 20, kMessages, &kAnyJson},
    {"additionalProperties", 21, kMessage, &kAdditionalProperties},
    {"type", 22, kMessage, &kTextList},
    {"items", 23, kMessage, &kItems},
    {"allOf", 24, kMessages, &kSchema},
    {"properties", 25, kMessage, &kProperties},
    {"discriminator", 26},
    {"readOnly", 27, kBool},
    {"externalDocs", 29, kMessage, &kExternalDocs},
    {"example", 30, kMessage, &kAnyJson},
};
constexpr Message kSchema = {.fields = kSchemaFields, .extensions = 31};
constexpr Message kSchemaItem = {.choose = [](const Value&) { return Choice{1, &kSchema}; }};

// --- parameters

constexpr Field kReferenceFields[] = {{"$ref", 1}, {"description", 2}};
constexpr Message kReference = {.fields = kReferenceFields};

constexpr Field kBodyFields[] = {{"description", 1},
                                 {"name", 2},
                                 {"in", 3},
                                 {"required", 4, kBool},
                                 {"schema", 5, kMessage, &kSchema}};
constexpr Message kBody = {.fields = kBodyFields, .extensions = 6};

constexpr Field kQueryFields[] = {
    {"required", 1, kBool},        {"in", 2},   {"description", 3}, {"name", 4},
    {"allowEmptyValue", 5, kBool}, {"type", 6}, {"format", 7},      {"uniqueItems", 20, kBool}};
constexpr Message kQuery = {.fields = kQueryFields, .extensions = 23};

// Header and path parameters have the same fields.
constexpr Field kPathFields[] = {{"required", 1, kBool},
                                 {"in", 2},
                                 {"description", 3},
                                 {"name", 4},
                                 {"type", 5},
                                 {"format", 6},
                                 {"uniqueItems", 19, kBool}};
constexpr Message kPath = {.fields = kPathFields, .extensions = 22};

constexpr Message kNonBody = {.choose = [](const Value& v) {
  const std::string_view in = text_of(v, "in");
  if (in == "header") return Choice{1, &kPath};
  return in == "path" ? Choice{4, &kPath} : Choice{3, &kQuery};
}};
constexpr Message kParameter = {.choose = [](const Value& v) {
  return text_of(v, "in") == "body" ? Choice{1, &kBody} : Choice{2, &kNonBody};
}};
constexpr Message kParameterItem = {.choose = [](const Value& v) {
  return v.find("$ref") != nullptr ? Choice{2, &kReference} : Choice{1, &kParameter};
}};
constexpr Message kParameters = {.entries = &kParameter};

// --- operations

constexpr Field kResponseFields[] = {{"description", 1}, {"schema", 2, kMessage, &kSchemaItem}};
constexpr Message kResponse = {.fields = kResponseFields, .extensions = 5};
constexpr Message kResponseValue = {.choose = [](const Value& v) {
  return v.find("$ref") != nullptr ? Choice{2, &kReference} : Choice{1, &kResponse};
}};
constexpr Message kResponses = {.entries = &kResponseValue};

constexpr Field kOperationFields[] = {
    {"tags", 1, kTexts},
    {"summary", 2},
    {"description", 3},
    {"externalDocs", 4, kMessage, &kExternalDocs},
    {"operationId", 5},
    {"produces", 6, kTexts},
    {"consumes", 7, kTexts},
    {"parameters", 8, kMessages, &kParameterItem},
    {"responses", 9, kMessage, &kResponses},
    {"schemes", 10, kTexts},
    {"deprecated", 11, kBool},
    {"security", 12, kMessages, &kTextLists},
};
constexpr Message kOperation = {.fields = kOperationFields, .extensions = 13};

constexpr Field kPathItemFields[] = {
    {"$ref", 1},
    {"get", 2, kMessage, &kOperation},
    {"put", 3, kMessage, &kOperation},
    {"post", 4, kMessage, &kOperation},
    {"delete", 5, kMessage, &kOperation},
    {"options", 6, kMessage, &kOperation},
    {"head", 7, kMessage, &kOperation},
    {"patch", 8, kMessage, &kOperation},
    {"parameters", 9, kMessages, &kParameterItem},
};
constexpr Message kPathItem = {.fields = kPathItemFields, .extensions = 10};
constexpr Message kPaths = {.entries = &kPathItem, .entry = 2};

// --- the document

constexpr Field kInfoFields[] = {
    {"title", 1}, {"version", 2}, {"description", 3}, {"termsOfService", 4}};
constexpr Message kInfo = {.fields = kInfoFields, .extensions = 7};

constexpr Field kApiKeyFields[] = {{"type", 1}, {"name", 2}, {"in", 3}, {"description", 4}};
constexpr Message kApiKey = {.fields = kApiKeyFields, .extensions = 5};
constexpr Message kSecurityDefinition = {
    .choose = [](const Value&) { return Choice{2, &kApiKey}; }};
constexpr Message kSecurityDefinitions = {.entries = &kSecurityDefinition};

constexpr Field kDocumentFields[] = {
    {"swagger", 1},
    {"info", 2, kMessage, &kInfo},
    {"host", 3},
    {"basePath", 4},
    {"schemes", 5, kTexts},
    {"consumes", 6, kTexts},
    {"produces", 7, kTexts},
    {"paths", 8, kMessage, &kPaths},
    {"definitions", 9, kMessage, &kProperties},
    {"parameters", 10, kMessage, &kParameters},
    {"security", 12, kMessages, &kTextLists},
    {"securityDefinitions", 13, kMessage, &kSecurityDefinitions},
};
constexpr Message kDocument = {.fields = kDocumentFields, .extensions = 16};

}  // namespace
}  // namespace v2

Result<value::Document> read_for_encoding(std::string_view json) {
  value::ReadOptions options;
  options.limits.depth = 1000;
  return value::read_json_borrowed(json, options);
}

Result<std::string> openapi_v2_protobuf(std::string_view json) {
  STRAKE_TRY(const value::Document document, read_for_encoding(json));
  return protobuf::encode(document.root(), v2::kDocument);
}

}  // namespace strake::publish
