#include "cel/eval/program.h"

#include "cel/eval/plan.h"

namespace strake::cel {

Program::Program() = default;
Program::Program(std::shared_ptr<const Plan> plan) : plan_(std::move(plan)) {}
Program::~Program() = default;
Program::Program(Program&&) noexcept = default;
Program& Program::operator=(Program&&) noexcept = default;
Program::Program(const Program&) = default;
Program& Program::operator=(const Program&) = default;

std::size_t Program::bytes() const {
  return plan_ == nullptr ? 0 : sizeof(Plan) + plan_->arena.bytes_reserved();
}

Value Program::evaluate(const Evaluation& evaluation, Arena& arena) const {
  Frame frame{.context = {arena},
              .variables = evaluation.variables,
              .cost = evaluation.cost,
              .observer = evaluation.observer};
  if (plan_->locals != 0) {
    frame.locals = arena.allocate_array<Value>(plan_->locals);
    for (std::uint32_t i = 0; i < plan_->locals; ++i) new (&frame.locals[i]) Value();
  }
  const Value result = plan_->root->run(frame);
  if (frame.aborted) return frame.abort_value();
  return result;
}

}  // namespace strake::cel
