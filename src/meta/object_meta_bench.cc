#include <benchmark/benchmark.h>

#include "meta/object_meta.h"
#include "value/json_reader.h"

namespace strake::meta {
namespace {

constexpr const char* kMetadata =
    R"({"annotations":{"example.com/note":"a few words"},"creationTimestamp":"2024-01-01T00:00:00Z","generation":3,)"
    R"("labels":{"app":"web","tier":"front"},"managedFields":[{"apiVersion":"v1","fieldsType":"FieldsV1",)"
    R"("fieldsV1":{"f:spec":{"f:replicas":{}}},"manager":"kubectl","operation":"Update","time":"2024-01-01T00:00:00Z"}],)"
    R"("name":"web-1","namespace":"default","resourceVersion":"812","uid":"8f4b3f0e-7b1f-4c3e-9a55-0d7c4f9f3a10"})";

void CoerceCanonicalMetadata(benchmark::State& state) {
  value::Document document = std::move(*value::read_json(kMetadata));
  for (auto _ : state)
    benchmark::DoNotOptimize(coerce_object_meta(document.root(), document.arena()));
}
BENCHMARK(CoerceCanonicalMetadata);

void ValidateMetadata(benchmark::State& state) {
  const value::Document document = std::move(*value::read_json(kMetadata));
  const NameCheck check = name_is_dns_subdomain;
  const FieldPath at = FieldPath() / "metadata";
  for (auto _ : state) {
    benchmark::DoNotOptimize(validate_object_meta(ObjectMeta(&document.root()), true, check, at));
  }
}
BENCHMARK(ValidateMetadata);

}  // namespace
}  // namespace strake::meta
