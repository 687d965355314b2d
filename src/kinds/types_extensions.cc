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
  spec CustomResourceDefinitionSpec #2 | What the resource is like.
  status? CustomResourceDefinitionStatus #3 | What the server made of it. Set by the server.
struct CustomResourceDefinitionSpec | CustomResourceDefinitionSpec says what a resource is like.
  group string #1 | The API group of the resource. The definition is named after it: plural.group.
  names CustomResourceDefinitionNames #3 | What the resource and its kind are called.
  scope ResourceScope #4 | Namespaced or Cluster.
  versions []CustomResourceDefinitionVersion #7 atomic | The versions of the resource, in any order.
  conversion? *CustomResourceConversion #9 | How objects are turned from one version into another.
  preserveUnknownFields? bool #10 | Whether unknown fields are kept. Not to be used: see x-kubernetes-preserve-unknown-fields.
struct CustomResourceDefinitionNames | CustomResourceDefinitionNames are what a resource is called.
  plural string #1 | The name in paths, such as crontabs. Lower case.
  singular? string #2 | The name of one. The kind in lower case unless given.
  shortNames? []string #3 atomic | Short names for the command line. Lower case.
  kind string #4 | The kind of an object, such as CronTab.
  listKind? string #5 | The kind of a list. The kind with List behind it unless given.
  categories? []string #6 atomic | Groups of resources that this one is listed with, such as all.
struct CustomResourceDefinitionVersion | CustomResourceDefinitionVersion is one version of a resource.
  name string #1 | The name of the version, such as v1.
  served bool #2 | Whether the version can be used.
  storage bool #3 | Whether objects are stored in this version. Just one version is.
  deprecated? bool #7 | Whether clients are warned that they use this version.
  deprecationWarning? *string #8 | The warning, in place of the usual one.
  schema? *CustomResourceValidation #4 | What objects of this version look like.
  subresources? *CustomResourceSubresources #5 | The subresources of this version.
  additionalPrinterColumns? []CustomResourceColumnDefinition #6 atomic | Columns of tables, in place of the age alone.
  selectableFields? []SelectableField #9 atomic | Fields that field selectors may name.
struct CustomResourceValidation | CustomResourceValidation says what objects look like.
  openAPIV3Schema? *JSONSchemaProps #1 | The schema of the objects.
struct CustomResourceConversion | CustomResourceConversion says how versions are turned into one another.
  strategy ConversionStrategyType #1 | None changes the apiVersion alone; Webhook asks a webhook.
  webhook? *WebhookConversion #2 | How the webhook is called. For the strategy Webhook only.
struct WebhookConversion | WebhookConversion says how to call a conversion webhook.
  clientConfig? *WebhookClientConfig #2 | Where the webhook is.
  conversionReviewVersions []string #3 atomic | The versions of ConversionReview that it understands; the first that the server knows is sent.
struct WebhookClientConfig | WebhookClientConfig says where a webhook is: by url or by service.
  url? *string #3 | The place as an https URL.
  service? *ServiceReference #1 | The place as a service of the cluster.
  caBundle? bytes #2 | The certificates, in PEM, that the webhook's own is checked against.
struct ServiceReference | ServiceReference points to a service.
  namespace string #1 | The namespace of the service.
  name string #2 | The name of the service.
  path? *string #3 | The path of the URL.
  port? *int32 #4 | The port; 443 unless given.
struct CustomResourceSubresources | CustomResourceSubresources are the subresources of a version.
  status? *CustomResourceSubresourceStatus #1 | When given, status is written through a subresource of its own.
  scale? *CustomResourceSubresourceScale #2 | When given, the number of replicas is written through a subresource of its own.
struct CustomResourceSubresourceStatus | CustomResourceSubresourceStatus turns the status subresource on.
struct CustomResourceSubresourceScale | CustomResourceSubresourceScale says where the numbers of the scale subresource are.
  specReplicasPath string #1 | The number wanted, as a path below .spec.
  statusReplicasPath string #2 | The number there is, as a path below .status.
  labelSelectorPath? *string #3 | The selector of the replicas as text, as a path below .spec or .status.
struct CustomResourceColumnDefinition | CustomResourceColumnDefinition is a column of a table.
  name string #1 | The heading.
  type string #2 | The type of the values: string, integer, number, boolean or date.
  format? string #3 | The format of the values.
  description? string #4 | What the column shows.
  priority? int32 #5 | Columns above 0 are left out where space is short.
  jsonPath string #6 | Where the value stands in an object.
struct SelectableField | SelectableField is a field that field selectors may name.
  jsonPath string #1 | Where the value stands in an object.
struct CustomResourceDefinitionStatus | CustomResourceDefinitionStatus says what the server made of a definition.
  conditions? []CustomResourceDefinitionCondition #1 map:type | How the definition stands.
  acceptedNames? CustomResourceDefinitionNames #2 | The names that are served: others may have been taken.
  storedVersions? []string #3 atomic | Every version that objects may be stored in.
  observedGeneration? int64 #4 | The generation that the status was made from.
struct CustomResourceDefinitionCondition | CustomResourceDefinitionCondition says how one side of a definition stands.
  type CustomResourceDefinitionConditionType #1 | What it is about: NamesAccepted, Established, Terminating and others.
  status ConditionStatus #2 | True, False or Unknown.
  lastTransitionTime? time #3 | When the status changed last.
  reason? string #4 | Why it changed, in one word.
  message? string #5 | The same for people to read.
  observedGeneration? int64 #6 | The generation that the condition was judged by.
struct ValidationRule | ValidationRule is a rule in CEL that values must meet.
  rule string #1 | The expression: true for values that are good.
  message? string #2 | What is said when it is not met.
  messageExpression? string #3 | An expression that makes what is said.
  reason? *FieldValueErrorReason #4 | The reason that machines read.
  fieldPath? string #5 | The field that is named when the rule is not met.
  optionalOldSelf? *bool #6 | Whether the rule runs also when there is no old value.
struct ExternalDocumentation | ExternalDocumentation points to more documentation.
  description? string #1 | What is found there.
  url? string #2 | Where it is.
struct JSONSchemaProps | JSONSchemaProps is a JSON schema as OpenAPI v3 has it.
  id? string #1 | The identity of the schema.
  $schema? JSONSchemaURL #2 | The dialect of the schema.
  $ref? *string #3 | Another schema in place of this one.
  description? string #4 | What the value means.
  type? string #5 | The type of the value.
  format? string #6 | The form of a text or number, such as date-time.
  title? string #7 | A short name for people.
  default? *JSON #8 | The value that stands in for an absent one.
  maximum? *float64 #9 | The largest number.
  exclusiveMaximum? bool #10 | Whether that number itself is too large.
  minimum? *float64 #11 | The smallest number.
  exclusiveMinimum? bool #12 | Whether that number itself is too small.
  maxLength? *int64 #13 | The most characters of a text.
  minLength? *int64 #14 | The fewest characters of a text.
  pattern? string #15 | A regular expression that a text must match.
  maxItems? *int64 #16 | The most items of a list.
  minItems? *int64 #17 | The fewest items of a list.
  uniqueItems? bool #18 | Whether items must differ.
  multipleOf? *float64 #19 | What a number must be a multiple of.
  enum? []JSON #20 atomic | All values that are good.
  maxProperties? *int64 #21 | The most members of an object.
  minProperties? *int64 #22 | The fewest members of an object.
  required? []string #23 atomic | Members that must be there.
  items? *JSONSchemaPropsOrArray #24 |
  allOf? []JSONSchemaProps #25 atomic | Schemas that must all hold.
  oneOf? []JSONSchemaProps #26 atomic | Schemas of which just one must hold.
  anyOf? []JSONSchemaProps #27 atomic | Schemas of which one must hold at least.
  not? *JSONSchemaProps #28 |
  properties? map[string]JSONSchemaProps #29 | The schemas of members.
  additionalProperties? *JSONSchemaPropsOrBool #30 |
  patternProperties? map[string]JSONSchemaProps #31 | The schemas of members whose names match.
  dependencies? JSONSchemaDependencies #32 | What must be there when a member is.
  additionalItems? *JSONSchemaPropsOrBool #33 |
  definitions? JSONSchemaDefinitions #34 | Schemas to refer to.
  externalDocs? *ExternalDocumentation #35 |
  example? *JSON #36 |
  nullable? bool #37 | Whether null is good too.
  x-kubernetes-preserve-unknown-fields? *bool #38 | Whether members that the schema does not name are kept.
  x-kubernetes-embedded-resource? bool #39 | Whether the value is an object of the API itself.
  x-kubernetes-int-or-string? bool #40 | Whether the value is an integer or a text.
  x-kubernetes-list-map-keys? []string #41 atomic | The members that tell the items of a list of type map apart.
  x-kubernetes-list-type? *string #42 | How a list is owned: atomic, set or map.
  x-kubernetes-map-type? *string #43 | How an object is owned: granular or atomic.
  x-kubernetes-validations? ValidationRules #44 map:rule merge:rule | Rules in CEL.
)";
// clang-format on

}  // namespace strake::kinds
