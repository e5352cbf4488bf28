// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: Apache-2.0
#include "core/plan/rotor_500.h"

#include <algorithm>
#include <limits>
#include <vector>

#include "core/base/index.h"

namespace remat {

namespace {

constexpr std::int64_t kSlots = 500;
constexpr std::int64_t kNever = std::numeric_limits<std::int64_t>::max() / 4;

/// An option in slots.
struct SlotOption {
    int index = 0;
    std::int64_t kept = 0;     ///< abar
    std::int64_t forward = 0;  ///< of
    std::int64_t backward = 0; ///< ob, without the weight gradient
    std::int64_t time = 0;
};

struct SlotStage {
    std::int64_t output = 0, gradient = 0, forwardTemp = 0, time = 0;
    std::vector<SlotOption> options;
    bool runsOnce = false;
};

class Rotor {
public:
    Rotor(const Chain& chain, Bytes room, RotorStages stages)
        : m_unit(std::max<std::int64_t>(1, room.value / kSlots + (room.value % kSlots != 0 ? 1 : 0)))
    {
        for (const Stage& stage : chain.stages) {
            SlotStage s{slots(stage.outBytes), slots(stage.gradBytes), slots(stage.forwardTempBytes),
                stage.forwardTime.value, {}, stage.runsOnce};
            const auto fastest = std::min_element(stage.options.begin(), stage.options.end(),
                [](const Option& a, const Option& b) { return a.backwardTime < b.backwardTime; });
            for (auto option = stage.options.begin(); option != stage.options.end(); ++option) {
                if (stages == RotorStages::Atomic && option != fastest)
                    continue;
                const Bytes transient = std::max(Bytes{}, option->backwardTempBytes - stage.weightGradBytes);
                s.options.push_back(
                    {static_cast<int>(option - stage.options.begin()), slots(option->savedBytes + stage.outBytes),
                        slots(option->forwardTempBytes), slots(transient), option->backwardTime.value});
            }
            m_stages.push_back(std::move(s));
        }
        for (int length = 0; length < count(); ++length)
            for (int s = 0; s + length < count(); ++s)
                fill(s, s + length);
    }

    std::optional<RotorAnswer> answer()
    {
        const std::int64_t time = row(0, count() - 1)[kSlots];
        if (time >= kNever)
            return std::nullopt;
        m_schedule.clear();
        append(0, count() - 1, kSlots);
        return RotorAnswer{{time}, std::move(m_schedule)};
    }

private:
    using Row = std::vector<std::int64_t>;

    int count() const { return static_cast<int>(m_stages.size()); }
    std::int64_t slots(Bytes bytes) const { return bytes.value / m_unit + (bytes.value % m_unit != 0 ? 1 : 0); }
    /// Rows stand in the order in which they are filled: by length, then by first stage.
    const Row& row(int s, int t) const
    {
        const int length = t - s;
        return m_rows[at(length * count() - length * (length - 1) / 2 + s)];
    }
    std::int64_t needOf(int s, int t, const SlotOption& option) const
    {
        return option.kept
            + std::max(m_stages[at(t)].gradient + option.forward, m_stages[at(s)].gradient + option.backward);
    }
    std::int64_t needOfForwards(int s, int t) const
    {
        std::int64_t need = m_stages[at(s)].output + m_stages[at(s)].forwardTemp;
        for (int j = s + 1; j < t; ++j)
            need = std::max(need, m_stages[at(j - 1)].output + m_stages[at(j)].output + m_stages[at(j)].forwardTemp);
        return m_stages[at(t)].gradient + need;
    }

    /// best = min(best, time + right + left), the loop where all the time goes.
    static void improve(
        std::int64_t* best, const std::int64_t* right, const std::int64_t* left, std::int64_t time, std::int64_t count)
    {
        for (std::int64_t i = 0; i < count; ++i) {
            const std::int64_t sum = time + right[i] + left[i];
            best[i] = sum < best[i] ? sum : best[i];
        }
    }

    void fill(int s, int t)
    {
        const SlotStage& stage = m_stages[at(s)];
        Row best(kSlots + 1, kNever);
        for (const SlotOption& option : stage.options)
            for (std::int64_t m = needOf(s, t, option); m <= kSlots; ++m) {
                const std::int64_t after = s == t ? 0 : row(s + 1, t)[std::size_t(m - option.kept)];
                best[std::size_t(m)] = std::min(best[std::size_t(m)], stage.time + option.time + after);
            }
        const std::int64_t need = needOfForwards(s, t);
        std::int64_t forwards = 0;
        for (int next = s + 1; next <= t && !m_stages[at(next - 1)].runsOnce; ++next) {
            const SlotStage& last = m_stages[at(next - 1)];
            forwards += last.time;
            const std::int64_t from = std::max(need, last.output);
            if (from <= kSlots)
                improve(best.data() + from, row(next, t).data() + from - last.output, row(s, next - 1).data() + from,
                    forwards, kSlots - from + 1);
        }
        m_rows.push_back(std::move(best));
    }

    /// Appends the ops of stages s..t with m slots: the first choice that reaches the table's time.
    void append(int s, int t, std::int64_t m)
    {
        using Kind = ScheduleOp::Kind;
        const SlotStage& stage = m_stages[at(s)];
        const std::int64_t time = row(s, t)[std::size_t(m)];
        for (const SlotOption& option : stage.options) {
            if (m < needOf(s, t, option))
                continue;
            const std::int64_t after = s == t ? 0 : row(s + 1, t)[std::size_t(m - option.kept)];
            if (stage.time + option.time + after != time)
                continue;
            m_schedule.push_back({Kind::Forward, s, option.index});
            if (s != t)
                append(s + 1, t, m - option.kept);
            m_schedule.push_back({Kind::Backward, s});
            if (s > 0)
                m_schedule.push_back({Kind::FreeOutput, s});
            return;
        }
        std::int64_t forwards = 0;
        for (int next = s + 1; next <= t && !m_stages[at(next - 1)].runsOnce; ++next) {
            const std::int64_t output = m_stages[at(next - 1)].output;
            forwards += m_stages[at(next - 1)].time;
            if (m < std::max(needOfForwards(s, t), output)
                || forwards + row(next, t)[std::size_t(m - output)] + row(s, next - 1)[std::size_t(m)] != time)
                continue;
            for (int i = s; i < next; ++i) {
                m_schedule.push_back({Kind::Forward, i});
                if (i > s)
                    m_schedule.push_back({Kind::FreeOutput, i - 1});
            }
            append(next, t, m - output);
            m_schedule.push_back({Kind::FreeOutput, next - 1});
            append(s, next - 1, m);
            return;
        }
    }

    std::int64_t m_unit;
    std::vector<SlotStage> m_stages;
    std::vector<Row> m_rows;
    Schedule m_schedule;
};

} // namespace

std::optional<RotorAnswer> solveRotor500(const Chain& chain, Bytes budget, RotorStages stages)
{
    Bytes room = budget - chain.baseBytes;
    for (const Stage& stage : chain.stages)
        room -= stage.weightGradBytes;
    if (room < Bytes{} || chain.stages.empty())
        return std::nullopt;
    return Rotor(chain, room, stages).answer();
}

} // namespace remat
