#include "patch/edited_list.h"

#include <gtest/gtest.h>

#include <random>

namespace strake::patch {
namespace {

using value::Value;

std::vector<std::int64_t> numbers(const EditedList& list) {
  std::vector<std::int64_t> out;
  list.for_each([&](const EditSlot& slot) { out.push_back(slot.value.as_int()); });
  return out;
}

std::vector<Value> counted(std::int64_t count) {
  std::vector<Value> out;
  for (std::int64_t i = 0; i < count; ++i) out.push_back(Value::integer(i));
  return out;
}

TEST(EditedList, HoldsWhatAVectorWouldAfterAnyEdits) {
  for (std::uint32_t seed = 0; seed < 50; ++seed) {
    std::mt19937 random(seed);
    const std::vector<Value> items = counted(seed % 5 * 100);
    EditedList list(items);
    std::vector<std::int64_t> expected = numbers(list);
    ASSERT_EQ(expected.size(), items.size());
    for (std::int64_t step = 0; step < 400; ++step) {
      const std::size_t size = expected.size();
      const std::size_t index = random() % (size + 1);
      const auto place = expected.begin() + static_cast<std::ptrdiff_t>(index);
      const Value made = Value::integer(1000 + step);
      if (index == size || random() % 3 == 0) {
        list.insert(index, {made});
        expected.insert(place, made.as_int());
      } else if (random() % 2 == 0) {
        list.erase(index);
        expected.erase(place);
      } else {
        list.at(index) = {made};
        *place = made.as_int();
      }
      ASSERT_EQ(list.size(), expected.size()) << "seed " << seed << ", step " << step;
      if (!expected.empty()) {
        const std::size_t any = random() % expected.size();
        ASSERT_EQ(list.get(any).value.as_int(), expected[any]);
      }
    }
    EXPECT_EQ(numbers(list), expected) << "seed " << seed;
  }
}

TEST(EditedList, EndsEmptyWhenEverythingIsErasedFromEitherEnd) {
  const std::vector<Value> items = counted(1000);
  EditedList front(items);
  EditedList back(items);
  for (std::size_t left = items.size(); left > 0; --left) {
    EXPECT_EQ(front.get(0).value.as_int(), static_cast<std::int64_t>(items.size() - left));
    front.erase(0);
    back.erase(left - 1);
  }
  EXPECT_EQ(front.size(), 0U);
  EXPECT_EQ(numbers(back), std::vector<std::int64_t>());
}

TEST(EditedList, KeepsASlotWhereItIsWhileOthersChange) {
  const std::vector<Value> items = counted(100);
  EditedList list(items);
  EditSlot& slot = list.at(50);
  for (std::size_t i = 0; i < 200; ++i) list.insert(i % 7, {Value::integer(-1)});
  for (std::size_t i = 0; i < 200; ++i) list.erase(i % 5);
  slot = {Value::integer(77)};
  EXPECT_EQ(&list.at(50), &slot);
  EXPECT_EQ(list.get(50).value.as_int(), 77);
}

}  // namespace
}  // namespace strake::patch
