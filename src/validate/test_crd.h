#pragma once
// A CRD for tests: gardens with beds and plants, in two versions.
#include <string_view>

namespace strake::validate {

inline constexpr std::string_view kGardenCrd = R"(apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata:
  name: gardens.example.dev
spec:
  group: example.dev
  names:
    kind: Garden
    listKind: GardenList
    plural: gardens
    singular: garden
  scope: Namespaced
  versions:
  - name: v1
    served: true
    storage: true
    subresources:
      status: {}
    schema:
      openAPIV3Schema:
        type: object
        required: [spec]
        properties:
          spec:
            type: object
            properties:
              beds:
                type: integer
                default: 1
                maximum: 100
                minimum: 0
              owner:
                type: string
                maxLength: 8
              plants:
                type: array
                x-kubernetes-list-type: map
                x-kubernetes-list-map-keys: [name]
                items:
                  type: object
                  required: [name]
                  properties:
                    name: {type: string}
                    water: {type: string, enum: [little, plenty]}
          status:
            type: object
            properties:
              phase: {type: string}
  - name: v1beta1
    served: true
    storage: false
    deprecated: true
    schema:
      openAPIV3Schema:
        type: object
        x-kubernetes-preserve-unknown-fields: true
  - name: v1alpha1
    served: false
    storage: false
    schema:
      openAPIV3Schema: {type: object}
)";

}  // namespace strake::validate
