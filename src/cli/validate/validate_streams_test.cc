// Documents that are checked as they pass.
#include <gmock/gmock.h>

#include "cli/validate/test_validate.h"

namespace strake::cli {
namespace {

using ::testing::EndsWith;
using ::testing::HasSubstr;
using ::testing::StartsWith;

TEST_F(Validate, ChecksLargeFilesAsTheyPass) {
  std::string text = R"({"apiVersion":"example.dev/v1","kind":"Garden","metadata":{"name":"a"},)"
                     R"("spec":{"plants":[)";
  for (int i = 0; text.size() < (4u << 20); ++i)
    text += fmt::format("{{\"name\":\"{:0400}\",\"water\":\"little\"}},\n", i);
  text += "{\"water\":\"plenty\"}]}}";
  const std::string file = folder_.write("big.json", text);
  const std::string fault = ".name: Required value [required]\n";
  const auto checked = [&](std::vector<std::string> more, std::string input = "") {
    std::vector<std::string> args = {"-s", crd_, "--max-bytes=1Gi"};
    args.insert(args.end(), more.begin(), more.end());
    return run(args, std::move(input));
  };
  const Printed held = checked({file});
  EXPECT_THAT(held.out, HasSubstr(fault));
  EXPECT_EQ(checked({"--stream", file}).out, held.out);
  EXPECT_EQ(checked({"--stream-threshold=1Mi", file}).out, held.out);
  EXPECT_THAT(checked({"--stream", "-"}, text).out, HasSubstr(fault));
  EXPECT_THAT(run({"-s", crd_, "--stream", file}).out, HasSubstr("Request entity too large"));
}

TEST_F(Validate, DoesNotCallFineWhatItCouldNotJudge) {
  const std::string schema = folder_.write(
      "u.yaml", "{type: array, items: {type: integer}, anyOf: [{maxItems: 2}, {minItems: 3}]}");
  std::string text = "[1";
  while (text.size() < (4u << 20)) text += "," + std::string(100, ' ') + "1000000";
  const std::string file = folder_.write("big.json", text + "]");
  const auto checked = [&](std::vector<std::string> more) {
    std::vector<std::string> args = {"-s", schema, "--stream", "--max-bytes=1Gi", file};
    args.insert(args.end(), more.begin(), more.end());
    return run(args);
  };
  const std::string small = "--max-buffer=64Ki";
  const Printed unknown = checked({"-o", "json", small});
  EXPECT_EQ(unknown.code, ExitCode::kFindings);
  EXPECT_THAT(unknown.out, HasSubstr("\"code\": \"buffer_exceeded\""));
  EXPECT_THAT(unknown.out, HasSubstr("\"status\": \"unknown\""));
  EXPECT_THAT(unknown.out, HasSubstr("\"unknown\": 1"));
  EXPECT_THAT(checked({small}).out, EndsWith("1 warning, 1 not judged in full\n"));
  EXPECT_THAT(checked({"--strategy=fail-fast", "-o", "json", small}).out,
              HasSubstr("\"code\": \"truncated\""));
  EXPECT_EQ(checked({"--strategy=full-buffer", small}).code, ExitCode::kFine);
  EXPECT_EQ(checked({"--max-buffer=1Gi"}).code, ExitCode::kFine);
}

TEST_F(Validate, ReadsManyDocumentsWithoutHoldingTheFile) {
  std::string text;
  for (int i = 0; i < 50; ++i)
    text += fmt::format(
        "{{\"apiVersion\":\"example.dev/v1\",\"kind\":\"Garden\",\"metadata\":{{"
        "\"name\":\"g{}\"}},\"spec\":{{\"beds\":{}}}}}\n",
        i, i == 30 ? 300 : 1);
  const std::string file = folder_.write("many.ndjson", text);
  const Printed got = run({"-s", crd_, "--stream", file});
  EXPECT_THAT(got.out, StartsWith(file + ":31:"));
  EXPECT_THAT(got.out, EndsWith("1 file, 50 documents: 1 error\n"));
}

TEST_F(Validate, StopsReadingAStreamAtTheFirstErrorWhenToldTo) {
  std::string text;
  for (int i = 0; i < 3000; ++i) {
    text += fmt::format(
        "{{\"apiVersion\":\"example.dev/v1\",\"kind\":\"Garden\",\"metadata\":{{"
        "\"name\":\"g{}\"}},\"spec\":{{\"beds\":300}}}}\n",
        i);
  }
  const std::string file = folder_.write("many.ndjson", text);
  const Printed got = run({"-s", crd_, "--stream", "--fail-fast", file});
  EXPECT_EQ(got.code, ExitCode::kFindings);
  EXPECT_THAT(got.out, EndsWith("1 file, 1 document: 1 error\n"));
}

TEST_F(Validate, ReadsCompressedStreams) {
  // A garden with 300 beds.
  const std::string packed(
      "\037\213\010\000\000\000\000\000\002\003\025\311\101\012\200\040\024\105\321\171\313\170\343"
      "\050\243\231\033\150\007\315\177\375\107\110\151\222\041\101\270\367\154\170\317\175\041\321"
      "\315\274\222\073\003\054\370\210\217\007\073\145\356\363\200\026\273\013\132\175\222\113\031"
      "\152\173\336\242\162\013\354\213\040\236\365\155\050\055\122\344\372\333\102\115\260\243\061"
      "\245\064\037\337\223\371\140\134\000\000\000",
      103);
  const std::string fault = "spec.beds: Invalid value: 300";
  EXPECT_THAT(run({"-s", crd_, "--stream", "-"}, packed).out, HasSubstr(fault));
  const std::string file = folder_.write("a.ndjson.gz", packed);
  EXPECT_THAT(run({"-s", crd_, "--stream", file}).out, HasSubstr("a.ndjson.gz:1:87: " + fault));
}

TEST_F(Validate, SaysThatYamlDoesNotStream) {
  const Printed got = run({"-s", crd_, "--stream", "-"}, "apiVersion: v1\nkind: Pod\n");
  EXPECT_EQ(got.code, ExitCode::kInput);
  EXPECT_THAT(got.out, HasSubstr("only JSON can be checked as a stream"));
}

}  // namespace
}  // namespace strake::cli
