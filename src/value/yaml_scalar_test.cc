#include "value/yaml_scalar.h"

#include <gtest/gtest.h>

#include <cmath>

namespace strake::value {
namespace {

// A scalar's kind and value in one text.
std::string meaning(std::string_view text, YamlSchema schema = YamlSchema::kKubernetes) {
  const Scalar scalar = resolve_scalar(text, schema, true);
  switch (scalar.kind) {
    case ScalarKind::kString: return "string";
    case ScalarKind::kNull: return "null";
    case ScalarKind::kBool: return scalar.boolean ? "true" : "false";
    case ScalarKind::kInt: return fmt::format("int {}", scalar.integer);
    case ScalarKind::kUint: return fmt::format("uint {}", scalar.unsigned_integer);
    case ScalarKind::kFloat: return "float " + format_float(scalar.real);
    case ScalarKind::kTimestamp: return "timestamp";
  }
  return "?";
}

struct ScalarCase {
  std::string_view text;
  std::string_view kubernetes;
  std::string_view core;
};

TEST(YamlScalar, MeansWhatItsSchemaSays) {
  const ScalarCase cases[] = {
      {"", "null", "null"},
      {"~", "null", "null"},
      {"null", "null", "null"},
      {"Null", "null", "null"},
      {"NULL", "null", "null"},
      {"nULL", "string", "string"},
      {"nul", "string", "string"},
      {"~~", "string", "string"},
      {"true", "true", "true"},
      {"True", "true", "true"},
      {"TRUE", "true", "true"},
      {"tRUE", "string", "string"},
      {"TRue", "string", "string"},
      {"false", "false", "false"},
      {"FALSE", "false", "false"},
      {"y", "true", "string"},
      {"Y", "true", "string"},
      {"n", "false", "string"},
      {"N", "false", "string"},
      {"yes", "true", "string"},
      {"Yes", "true", "string"},
      {"YES", "true", "string"},
      {"yEs", "string", "string"},
      {"no", "false", "string"},
      {"No", "false", "string"},
      {"nO", "string", "string"},
      {"on", "true", "string"},
      {"ON", "true", "string"},
      {"off", "false", "string"},
      {"Off", "false", "string"},
      {"oFF", "string", "string"},
      {"0", "int 0", "int 0"},
      {"-0", "int 0", "int 0"},
      {"+0", "int 0", "int 0"},
      {"7", "int 7", "int 7"},
      {"+7", "int 7", "int 7"},
      {"-7", "int -7", "int -7"},
      {"--7", "string", "string"},
      {"+-7", "string", "string"},
      {"017", "int 15", "int 17"},
      {"-017", "int -15", "int -17"},
      {"00", "int 0", "int 0"},
      {"08", "float 8", "int 8"},
      {"0_8", "float 8", "string"},
      {"0o17", "int 15", "int 15"},
      {"0O17", "int 15", "string"},
      {"-0o17", "int -15", "string"},
      {"0o8", "string", "string"},
      {"0o", "string", "string"},
      {"0x1F", "int 31", "int 31"},
      {"0X1f", "int 31", "string"},
      {"-0x1F", "int -31", "string"},
      {"0x", "string", "string"},
      {"0x-1", "string", "string"},
      {"0xg", "string", "string"},
      {"0b11", "int 3", "string"},
      {"0B11", "int 3", "string"},
      {"-0b11", "int -3", "string"},
      {"0b-11", "int -3", "string"},
      {"0b+11", "int 3", "string"},
      {"0b12", "string", "string"},
      {"0b", "string", "string"},
      {"1_000", "int 1000", "string"},
      {"1__0", "int 10", "string"},
      {"1_", "int 1", "string"},
      {"_1", "string", "string"},
      {"-_1", "int -1", "string"},
      {"0x_1F", "int 31", "string"},
      {"9223372036854775807", "int 9223372036854775807", "int 9223372036854775807"},
      {"-9223372036854775808", "int -9223372036854775808", "int -9223372036854775808"},
      {"9223372036854775808", "uint 9223372036854775808", "uint 9223372036854775808"},
      {"18446744073709551615", "uint 18446744073709551615", "uint 18446744073709551615"},
      {"18446744073709551616", "float 1.8446744073709552e+19", "float 1.8446744073709552e+19"},
      {"+9223372036854775808", "float 9.223372036854776e+18", "float 9.223372036854776e+18"},
      {"0xFFFFFFFFFFFFFFFF", "uint 18446744073709551615", "uint 18446744073709551615"},
      {"0x1FFFFFFFFFFFFFFFF", "string", "string"},
      {"1.5", "float 1.5", "float 1.5"},
      {"-1.5", "float -1.5", "float -1.5"},
      {"1.", "float 1", "float 1"},
      {".5", "float 0.5", "float 0.5"},
      {"+.5", "float 0.5", "float 0.5"},
      {"-.5e2", "float -50", "float -50"},
      {".5_5", "float 0.55", "string"},
      {"._5", "string", "string"},
      {".5_", "string", "string"},
      {".", "string", "string"},
      {"..5", "string", "string"},
      {".e5", "string", "string"},
      {"1e3", "float 1000", "float 1000"},
      {"1E+3", "float 1000", "float 1000"},
      {"1e", "string", "string"},
      {"1e+", "string", "string"},
      {"1.e2", "float 100", "float 100"},
      {"1.2.3", "string", "string"},
      {"1_2_3.4_5", "float 123.45", "string"},
      {"1e400", "string", "string"},
      {"-1e400", "string", "string"},
      {"1e-400", "float 0", "float 0"},
      {"0x1p3", "string", "string"},
      {".inf", "float .inf", "float .inf"},
      {".Inf", "float .inf", "float .inf"},
      {"+.INF", "float .inf", "float .inf"},
      {"-.inf", "float -.inf", "float -.inf"},
      {".iNF", "string", "string"},
      {"inf", "string", "string"},
      {".nan", "float .nan", "float .nan"},
      {".NaN", "float .nan", "float .nan"},
      {".NAN", "float .nan", "float .nan"},
      {"-.nan", "string", "string"},
      {"nan", "string", "string"},
      {"NaN", "string", "string"},
      {"1:30", "string", "string"},
      {"2024-01-01", "timestamp", "string"},
      {"-", "string", "string"},
      {"+", "string", "string"},
      {"1 2", "string", "string"},
      {"<<", "string", "string"},
      {"=", "string", "string"},
      {"hello", "string", "string"},
      {"\xc3\xa9", "string", "string"},
  };
  for (const ScalarCase& c : cases) {
    EXPECT_EQ(meaning(c.text), c.kubernetes) << c.text;
    EXPECT_EQ(meaning(c.text, YamlSchema::kCore), c.core) << c.text << " in the core schema";
  }
}

TEST(YamlScalar, KnowsTimestampsOfTheReference) {
  for (const std::string_view text :
       {"2024-01-01", "2024-1-2", "2024-02-29", "2000-2-29", "2024-01-01T00:00:00Z",
        "2024-01-01t1:2:3Z", "2024-01-01T00:00:00.123456789123Z", "2024-01-01T00:00:00,5+02:00",
        "2024-01-01T23:59:59-24:60", "2024-01-01 00:00:00", "2024-01-01   1:2:3.5"}) {
    EXPECT_TRUE(is_timestamp(text)) << text;
  }
  for (const std::string_view text : {"",
                                      "2024",
                                      "2024-",
                                      "2024-01",
                                      "2024-13-01",
                                      "2024-00-01",
                                      "2024-01-32",
                                      "2023-02-29",
                                      "1900-02-29",
                                      "2024-04-31",
                                      "24-01-01",
                                      "02024-01-01",
                                      "2024-01-01T",
                                      "2024-01-01T00:00:00",
                                      "2024-01-01T24:00:00Z",
                                      "2024-01-01T00:60:00Z",
                                      "2024-01-01T00:00:60Z",
                                      "2024-01-01T00:00Z",
                                      "2024-01-01T00:00:00z",
                                      "2024-01-01T00:00:00+2:00",
                                      "2024-01-01T00:00:00+25:00",
                                      "2024-01-01 00:00:00Z",
                                      "2024-01-01 ",
                                      "2024-01-01x",
                                      "2024-01-01T00:00:00.Z"}) {
    EXPECT_FALSE(is_timestamp(text)) << text;
  }
}

TEST(YamlScalar, KnowsBase60Numbers) {
  for (const std::string_view text :
       {"1:30", "190:20:30", "-1:30", "+12:30:45", "12:30:45.5", "1_0:5", "1:5.", "1:59:00.1_2"}) {
    EXPECT_TRUE(is_base60(text)) << text;
  }
  for (const std::string_view text : {"1:60", "1:", ":1", "a:1", "1:2a", "_1:2", "1:2:", "1:234",
                                      "-:1", "1.5:30", "1:30,5", "+"}) {
    EXPECT_FALSE(is_base60(text)) << text;
  }
}

TEST(YamlScalar, KnowsJsonNumbers) {
  for (const std::string_view text : {"0", "-0", "12", "-1.5", "1e3", "1.5E-3", "0.1", "1E+2"})
    EXPECT_TRUE(is_json_number(text)) << text;
  for (const std::string_view text :
       {"", "-", "01", "+1", ".5", "1.", "1.e2", "0x1", "1_0", "1e", "nan", "-01"}) {
    EXPECT_FALSE(is_json_number(text)) << text;
  }
}

TEST(YamlScalar, PrintsFloatsInGosShortestForm) {
  const std::pair<double, std::string_view> cases[] = {
      {0.1, "0.1"},
      {100000.5, "100000.5"},
      {1234567.5, "1.2345675e+06"},
      {1e20, "1e+20"},
      {1e21, "1e+21"},
      {1e-4, "0.0001"},
      {1e-5, "1e-05"},
      {1e-7, "1e-07"},
      {1e100, "1e+100"},
      {5e-324, "5e-324"},
      {-2.5, "-2.5"},
      {999999, "999999"},
      {1000000, "1e+06"},
      {0.30000000000000004, "0.30000000000000004"},
      {123456.789, "123456.789"},
      {HUGE_VAL, ".inf"},
      {-HUGE_VAL, "-.inf"},
  };
  for (const auto& [d, text] : cases) EXPECT_EQ(format_float(d), text);
  EXPECT_EQ(format_float(std::nan("")), ".nan");
  EXPECT_EQ(format_float32(0.1), "0.1");
  EXPECT_EQ(format_float32(1.23456789), "1.2345679");
  EXPECT_EQ(format_float32(1e300), ".inf");
  EXPECT_EQ(format_float32(1e6), "1e+06");
  EXPECT_EQ(format_float32(1e-5), "1e-05");
  EXPECT_EQ(format_float32(-0.0001), "-0.0001");
  EXPECT_EQ(format_float32(0), "0");
}

TEST(YamlScalar, ReadsWholeFloatsAsJsonShowsThem) {
  EXPECT_EQ(whole_float(5).integer, 5);
  EXPECT_EQ(whole_float(-0.0).integer, 0);
  EXPECT_EQ(whole_float(1152921504606846976.0).integer, 1152921504606847000);
  EXPECT_EQ(whole_float(1e19).unsigned_integer, 10000000000000000000u);
  EXPECT_EQ(whole_float(-9223372036854775808.0).kind, ScalarKind::kFloat);
  EXPECT_EQ(whole_float(1e20).kind, ScalarKind::kFloat);
}

}  // namespace
}  // namespace strake::value
