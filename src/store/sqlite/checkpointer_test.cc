#include "store/sqlite/checkpointer.h"

#include <gtest/gtest.h>

#include "store/sqlite/schema.h"
#include "store/sqlite/test_folder.h"

namespace strake::store::sqlite {
namespace {

class CheckpointerTest : public testing::Test {
 protected:
  void SetUp() override {
    auto writing = Database::open(path_, Access::kCreate, kBusyTimeout);
    ASSERT_TRUE(writing) << writing.error().to_string();
    writing_.emplace(*std::move(writing));
    ASSERT_TRUE(prepare_for_writing(*writing_));
    writing_->count_log_pages(log_pages_);
    ASSERT_TRUE(writing_->execute("CREATE TABLE rows(id INTEGER PRIMARY KEY, data BLOB)"));
    auto folding = Database::open(path_, Access::kWrite, kBusyTimeout);
    ASSERT_TRUE(folding) << folding.error().to_string();
    ASSERT_TRUE(prepare_for_writing(*folding));
    checkpointer_.emplace(*std::move(folding));
  }
  void write_pages(int pages) {
    ASSERT_TRUE(writing_->execute(
        fmt::format("INSERT INTO rows(data) VALUES (zeroblob({}))", pages * 4096).c_str()));
  }
  int pages_in_file() const { return static_cast<int>(std::filesystem::file_size(path_) / 4096); }

  TestFolder folder_;
  const std::string path_ = folder_ / "test.db";
  int log_pages_ = 0;
  std::optional<Database> writing_;
  std::optional<Checkpointer> checkpointer_;
};

TEST_F(CheckpointerTest, LetsNoWriterGetFarAheadOfTheFile) {
  write_pages(3 * Checkpointer::kMostUnfolded);
  EXPECT_LT(pages_in_file(), 100);
  EXPECT_FALSE(checkpointer_->after_commit(log_pages_));
  EXPECT_GT(pages_in_file(), 3 * Checkpointer::kMostUnfolded);
}

TEST_F(CheckpointerTest, DoesNotWaitForWhatAReaderHoldsUp) {
  auto reading = Database::open(path_, Access::kRead, kBusyTimeout);
  ASSERT_TRUE(reading);
  ASSERT_TRUE(reading->execute("BEGIN; SELECT * FROM rows"));
  for (int round = 1; round <= 3; ++round) {
    write_pages(Checkpointer::kMostUnfolded);
    EXPECT_FALSE(checkpointer_->after_commit(log_pages_));
  }
  EXPECT_LT(pages_in_file(), 100);
  ASSERT_TRUE(reading->execute("COMMIT"));
  write_pages(Checkpointer::kMostUnfolded / 2);
  EXPECT_FALSE(checkpointer_->after_commit(log_pages_));
  EXPECT_GT(pages_in_file(), 3 * Checkpointer::kMostUnfolded);
}

}  // namespace
}  // namespace strake::store::sqlite
