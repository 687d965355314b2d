#include "rules/field_path.h"

#include <gtest/gtest.h>

#include "schema/compile.h"
#include "value/yaml_reader.h"

namespace strake::rules {
namespace {

std::string resolved(std::string_view path) {
  static const schema::NodePtr schema =
      schema::compile(value::read_yaml("{type: object, properties: {a: {type: object, properties: "
                                       "{b.c: {type: string}, l: {type: array, items: {type: "
                                       "string}}, m: {type: object, additionalProperties: {type: "
                                       "string}}}}}}")
                          .value()
                          .root())
          .value();
  const auto found = resolve_field_path(path, *schema);
  return found ? found->to_k8s() : "none";
}

TEST(FieldPathOfARule, FollowsTheSchema) {
  EXPECT_EQ(resolved(".a"), "a");
  EXPECT_EQ(resolved(".a['b.c']"), "a.b.c");
  EXPECT_EQ(resolved("['a'].l"), "a.l");
  EXPECT_EQ(resolved(".a.m.anything"), "a.m[anything]");
  EXPECT_EQ(resolved(".a.m['it\\'s']"), "a.m[it's]");
}

TEST(FieldPathOfARule, IsRefusedWhenItLeadsNowhere) {
  for (const char* path :
       {"a", ".", ".x", ".a.x", ".a.l[0]", ".a[b]", ".a['b.c'", ".a['\\q']", ".a.l.x"}) {
    EXPECT_EQ(resolved(path), "none") << path;
  }
}

}  // namespace
}  // namespace strake::rules
