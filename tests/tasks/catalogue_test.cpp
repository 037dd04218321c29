// What holds of every task.
#include "tasks/catalogue.h"

#include <gmock/gmock.h>

#include <cmath>
#include <map>
#include <set>
#include <string>

#include "core/files.h"
#include "core/table_reader.h"
#include "tests/support/example.h"
#include "tests/support/temporary_folder.h"
#include "tests/support/user_error.h"

namespace layerlab::tasks {
namespace {

TEST(TaskCatalogue, RefusesUnknownTasksWithTheNearest) {
  EXPECT_EQ(refusal([] {
              find_task("revers", Place{"demo.toml", 2, 3});
            }),
            "demo.toml:2:3: unknown task revers; did you mean 'reverse'?");
}

TEST(TaskCatalogue, RefusesExamplesThatFillTheMemory) {
  EXPECT_THAT(refusal([] {
                make_task(request("linear_regression", ModelKind::kDecoder,
                                  [](TaskConfig& task) { task.length = task.dimensions = 65536; }));
              }),
              testing::AllOf(testing::HasSubstr("over 1 GB"), testing::HasSubstr("task.length")));
}

struct Case {
  const char* name;
  Operation operation = Operation::kAdd;
};

void PrintTo(const Case& c, std::ostream* out) { *out << c.name << name_of(c.operation); }

// Every task, small enough that chance alone would put problems into both parts.
class Tasks : public testing::TestWithParam<Case> {
 protected:
  Request small(ModelKind kind) const {
    Request result = request(GetParam().name, kind);
    TaskConfig& task = result.task;
    task.length = 8;
    task.symbols = 4;
    task.pairs = 2;
    task.items = 3;
    task.digits = 2;
    task.modulus = 13;
    task.operation = GetParam().operation;
    task.dimensions = 2;
    if (find_task(task.name).uses("path")) {
      task.path = folder_ / task.name;
      std::string text;
      for (int i = 0; i < 100; ++i) {
        const std::string number = std::to_string(i * i);
        text += number + "\t" + std::string(number.rbegin(), number.rend()) + "\n";
      }
      write_file_atomically(task.path, text);
    }
    return result;
  }

  // One for each kind of model that can solve it.
  std::vector<std::unique_ptr<Task>> solvable() const {
    std::vector<std::unique_ptr<Task>> tasks;
    for (const ModelKind kind :
         {ModelKind::kEncoder, ModelKind::kDecoder, ModelKind::kEncoderDecoder}) {
      try {
        tasks.push_back(make_task(small(kind)));
      } catch (const UserError& error) {
        EXPECT_THAT(error.what(), testing::HasSubstr("model.kind")) << error.what();
      }
    }
    return tasks;
  }

 private:
  TemporaryFolder folder_;
};

std::string written(const Example& example) {
  std::string text;
  for (const Ids* ids : {&example.source, &example.inputs}) {
    for (const std::int64_t id : *ids) text += std::to_string(id) + " ";
  }
  for (const float feature : example.features) text += std::to_string(feature) + " ";
  return text;
}

TEST_P(Tasks, KeepToTheirShape) {
  const auto tasks = solvable();
  EXPECT_FALSE(tasks.empty());
  for (const auto& task : tasks) {
    const TaskShape& shape = task->shape();
    for (const Example& example : examples(*task, 200)) {
      for (const Ids* ids : {&example.source, &example.inputs}) {
        for (const std::int64_t id : *ids) {
          EXPECT_GE(id, 0);
          EXPECT_LT(id, shape.vocabulary);
        }
      }
      int scored = 0;
      for (const std::int64_t target : example.targets) {
        EXPECT_TRUE(target == kIgnored || (target >= 0 && target < shape.outputs)) << target;
        scored += target == kIgnored ? 0 : 1;
      }
      for (const float value : example.values) scored += std::isnan(value) ? 0 : 1;
      EXPECT_GT(scored, 0);
    }
  }
}

TEST_P(Tasks, HoldOutWhatTrainingNeverSees) {
  if (GetParam().name == std::string("text")) {
    GTEST_SKIP() << "the parts of a text share no byte, and may repeat words";
  }
  for (const auto& task : solvable()) {
    std::set<std::string> seen;
    for (const Example& example : examples(*task, 3000)) seen.insert(written(example));
    for (const Example& example : examples(*task, 300, Split::kHeldOut, 2)) {
      EXPECT_FALSE(seen.contains(written(example))) << written(example);
    }
  }
}

TEST_P(Tasks, DrawTheSameFromTheSameStream) {
  for (const auto& task : solvable()) {
    const auto some = examples(*task, 20), same = examples(*task, 20);
    const auto others = examples(*task, 20, Split::kTraining, 2);
    std::string a, b, c;
    for (std::size_t i = 0; i < some.size(); ++i) {
      a += written(some[i]);
      b += written(same[i]);
      c += written(others[i]);
    }
    EXPECT_EQ(a, b);
    EXPECT_NE(a, c);
  }
}

// By the frequencies of what is scored, or the variance of it.
TEST_P(Tasks, KnowTheLossOfTheBestConstantGuess) {
  for (const auto& task : solvable()) {
    std::map<std::int64_t, double> counts;
    double scored = 0, sum = 0, squares = 0;
    for (const Split split : {Split::kTraining, Split::kHeldOut}) {
      // In proportion to the parts, so that together they are all problems.
      const double share = split == Split::kTraining ? 15 : 1;
      for (const Example& example : examples(*task, static_cast<int>(1000 * share), split)) {
        for (const std::int64_t target : example.targets) {
          if (target == kIgnored) continue;
          ++counts[target];
          ++scored;
        }
        for (const float value : example.values) {
          if (std::isnan(value)) continue;
          ++scored;
          sum += value;
          squares += value * value;
        }
      }
    }
    double chance = squares / scored - sum / scored * (sum / scored);
    for (const auto& [target, count] : counts) chance -= count / scored * std::log(count / scored);
    EXPECT_NEAR(chance, task->shape().chance_loss, 0.03 * task->shape().chance_loss);
  }
}

INSTANTIATE_TEST_SUITE_P(All, Tasks,
                         testing::Values(Case{"copy"}, Case{"reverse"}, Case{"sort"},
                                         Case{"addition"}, Case{"parity"}, Case{"modular"},
                                         Case{"modular", Operation::kSubtract},
                                         Case{"modular", Operation::kMultiply},
                                         Case{"modular", Operation::kDivide}, Case{"induction"},
                                         Case{"selective_copy"}, Case{"recall"}, Case{"mqar"},
                                         Case{"linear_regression"}, Case{"text"}, Case{"pairs"}),
                         [](const auto& chosen) {
                           return std::string(chosen.param.name) +
                                  std::to_string(static_cast<int>(chosen.param.operation));
                         });

}  // namespace
}  // namespace layerlab::tasks
