#include "kinds/types.h"

namespace strake::kinds {

// clang-format off
constinit const std::string_view kApiExtensionsTypes = R"(
package io.k8s.apiextensions-apiserver.pkg.apis.apiextensions.v1 group apiextensions.k8s.io version v1
string ResourceScope
string ConversionStrategyType
string ConditionStatus
string CustomResourceDefinitionConditionType
string FieldValueErrorReason
string JSONSchemaURL
any JSON | JSON is any JSON value.
any JSONSchemaPropsOrArray | JSONSchemaPropsOrArray is a schema or a list of schemas.
any JSONSchemaPropsOrBool | JSONSchemaPropsOrBool is a schema, or true or false.
any JSONSchemaPropsOrStringArray | JSONSchemaPropsOrStringArray is a schema or a list of texts.
list ValidationRules []ValidationRule
map JSONSchemaDefinitions map[string]JSONSchemaProps
map JSONSchemaDependencies map[string]JSONSchemaPropsOrStringArray
kind CustomResourceDefinition | CustomResourceDefinition adds a resource of your own to the API.
  spec CustomResourceDefinitionSpec | What the resource is like.
  status? CustomResourceDefinitionStatus | What the server made of it. Set by the server.
struct CustomResourceDefinitionSpec | CustomResourceDefinitionSpec says what a resource is like.
  group string | The API group of the resource. The definition is named after it: plural.group.
  names CustomResourceDefinitionNames | What the resource and its kind are called.
  scope ResourceScope | Namespaced or Cluster.
  versions []CustomResourceDefinitionVersion atomic | The versions of the resource, in any order.
  conversion? *CustomResourceConversion | How objects are turned from one version into another.
  preserveUnknownFields? bool | Whether unknown fields are kept. Not to be used: see x-kubernetes-preserve-unknown-fields.
struct CustomResourceDefinitionNames | CustomResourceDefinitionNames are what a resource is called.
  plural string | The name in paths, such as crontabs. Lower case.
  singular? string | The name of one. The kind in lower case unless given.
  shortNames? []string atomic | Short names for the command line. Lower case.
  kind string | The kind of an object, such as CronTab.
  listKind? string | The kind of a list. The kind with List behind it unless given.
  categories? []string atomic | Groups of resources that this one is listed with, such as all.
struct CustomResourceDefinitionVersion | CustomResourceDefinitionVersion is one version of a resource.
  name string | The name of the version, such as v1.
  served bool | Whether the version can be used.
  storage bool | Whether objects are stored in this version. Just one version is.
  deprecated? bool | Whether clients are warned that they use this version.
  deprecationWarning? *string | The warning, in place of the usual one.
  schema? *CustomResourceValidation | What objects of this version look like.
  subresources? *CustomResourceSubresources | The subresources of this version.
  additionalPrinterColumns? []CustomResourceColumnDefinition atomic | Columns of tables, in place of the age alone.
  selectableFields? []SelectableField atomic | Fields that field selectors may name.
struct CustomResourceValidation | CustomResourceValidation says what objects look like.
  openAPIV3Schema? *JSONSchemaProps | The schema of the objects.
struct CustomResourceConversion | CustomResourceConversion says how versions are turned into one another.
  strategy ConversionStrategyType | None changes the apiVersion alone; Webhook asks a webhook.
  webhook? *WebhookConversion | How the webhook is called. For the strategy Webhook only.
struct WebhookConversion | WebhookConversion says how to call a conversion webhook.
  clientConfig? *WebhookClientConfig | Where the webhook is.
  conversionReviewVersions []string atomic | The versions of ConversionReview that it understands; the first that the server knows is sent.
struct WebhookClientConfig | WebhookClientConfig says where a webhook is: by url or by service.
  url? *string | The place as an https URL.
  service? *ServiceReference | The place as a service of the cluster.
  caBundle? bytes | The certificates, in PEM, that the webhook's own is checked against.
struct ServiceReference | ServiceReference points to a service.
  namespace string | The namespace of the service.
  name string | The name of the service.
  path? *string | The path of the URL.
  port? *int32 | The port; 443 unless given.
struct CustomResourceSubresources | CustomResourceSubresources are the subresources of a version.
  status? *CustomResourceSubresourceStatus | When given, status is written through a subresource of its own.
  scale? *CustomResourceSubresourceScale | When given, the number of replicas is written through a subresource of its own.
struct CustomResourceSubresourceStatus | CustomResourceSubresourceStatus turns the status subresource on.
struct CustomResourceSubresourceScale | CustomResourceSubresourceScale says where the numbers of the scale subresource are.
  specReplicasPath string | The number wanted, as a path below .spec.
  statusReplicasPath string | The number there is, as a path below .status.
  labelSelectorPath? *string | The selector of the replicas as text, as a path below .spec or .status.
struct CustomResourceColumnDefinition | CustomResourceColumnDefinition is a column of a table.
  name string | The heading.
  type string | The type of the values: string, integer, number, boolean or date.
  format? string | The format of the values.
  description? string | What the column shows.
  priority? int32 | Columns above 0 are left out where space is short.
  jsonPath string | Where the value stands in an object.
struct SelectableField | SelectableField is a field that field selectors may name.
  jsonPath string | Where the value stands in an object.
struct CustomResourceDefinitionStatus | CustomResourceDefinitionStatus says what the server made of a definition.
  conditions? []CustomResourceDefinitionCondition map:type | How the definition stands.
  acceptedNames? CustomResourceDefinitionNames | The names that are served: others may have been taken.
  storedVersions? []string atomic | Every version that objects may be stored in.
  observedGeneration? int64 | The generation that the status was made from.
struct CustomResourceDefinitionCondition | CustomResourceDefinitionCondition says how one side of a definition stands.
  type CustomResourceDefinitionConditionType | What it is about: NamesAccepted, Established, Terminating and others.
  status ConditionStatus | True, False or Unknown.
  lastTransitionTime? time | When the status changed last.
  reason? string | Why it changed, in one word.
  message? string | The same for people to read.
  observedGeneration? int64 | The generation that the condition was judged by.
struct ValidationRule | ValidationRule is a rule in CEL that values must meet.
  rule string | The expression: true for values that are good.
  message? string | What is said when it is not met.
  messageExpression? string | An expression that makes what is said.
  reason? *FieldValueErrorReason | The reason that machines read.
  fieldPath? string | The field that is named when the rule is not met.
  optionalOldSelf? *bool | Whether the rule runs also when there is no old value.
struct ExternalDocumentation | ExternalDocumentation points to more documentation.
  description? string | What is found there.
  url? string | Where it is.
struct JSONSchemaProps | JSONSchemaProps is a JSON schema as OpenAPI v3 has it.
  id? string | The identity of the schema.
  $schema? JSONSchemaURL | The dialect of the schema.
  $ref? *string | Another schema in place of this one.
  description? string | What the value means.
  type? string | The type of the value.
  format? string | The form of a text or number, such as date-time.
  title? string | A short name for people.
  default? *JSON | The value that stands in for an absent one.
  maximum? *float64 | The largest number.
  exclusiveMaximum? bool | Whether that number itself is too large.
  minimum? *float64 | The smallest number.
  exclusiveMinimum? bool | Whether that number itself is too small.
  maxLength? *int64 | The most characters of a text.
  minLength? *int64 | The fewest characters of a text.
  pattern? string | A regular expression that a text must match.
  maxItems? *int64 | The most items of a list.
  minItems? *int64 | The fewest items of a list.
  uniqueItems? bool | Whether items must differ.
  multipleOf? *float64 | What a number must be a multiple of.
  enum? []JSON atomic | All values that are good.
  maxProperties? *int64 | The most members of an object.
  minProperties? *int64 | The fewest members of an object.
  required? []string atomic | Members that must be there.
  items? *JSONSchemaPropsOrArray |
  allOf? []JSONSchemaProps atomic | Schemas that must all hold.
  oneOf? []JSONSchemaProps atomic | Schemas of which just one must hold.
  anyOf? []JSONSchemaProps atomic | Schemas of which one must hold at least.
  not? *JSONSchemaProps |
  properties? map[string]JSONSchemaProps | The schemas of members.
  additionalProperties? *JSONSchemaPropsOrBool |
  patternProperties? map[string]JSONSchemaProps | The schemas of members whose names match.
  dependencies? JSONSchemaDependencies | What must be there when a member is.
  additionalItems? *JSONSchemaPropsOrBool |
  definitions? JSONSchemaDefinitions | Schemas to refer to.
  externalDocs? *ExternalDocumentation |
  example? *JSON |
  nullable? bool | Whether null is good too.
  x-kubernetes-preserve-unknown-fields? *bool | Whether members that the schema does not name are kept.
  x-kubernetes-embedded-resource? bool | Whether the value is an object of the API itself.
  x-kubernetes-int-or-string? bool | Whether the value is an integer or a text.
  x-kubernetes-list-map-keys? []string atomic | The members that tell the items of a list of type map apart.
  x-kubernetes-list-type? *string | How a list is owned: atomic, set or map.
  x-kubernetes-map-type? *string | How an object is owned: granular or atomic.
  x-kubernetes-validations? ValidationRules map:rule merge:rule | Rules in CEL.
)";
// clang-format on

}  // namespace strake::kinds
