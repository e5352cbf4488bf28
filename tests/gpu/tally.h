// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdio>
#include <functional>
#include <string>

#include <nlohmann/json.hpp>

#include "core/base/clock.h"

namespace remat::testing {

/// Says how checks went, counts them, and gathers what they found.
class Tally {
public:
    explicit Tally(double mostSeconds) : m_start(steadyClock()), m_mostSeconds(mostSeconds) { }

    /// Runs a section's checks, or notes that there was no time for them.
    void section(const std::string& name, const std::function<void()>& checks)
    {
        m_checks = nlohmann::json::array();
        nlohmann::json entry{{"name", name}};
        if (seconds() > m_mostSeconds) {
            std::printf("left out, no time is left: %s\n", name.c_str());
            entry["left_out"] = true;
        } else {
            const double before = seconds();
            checks();
            entry["checks"] = m_checks;
            entry["seconds"] = seconds() - before;
        }
        m_sections.push_back(std::move(entry));
    }

    /// One check; `figures` are kept beside it.
    void note(bool isGood, const std::string& what, const nlohmann::json& figures = nlohmann::json::object())
    {
        std::printf("%s  %s\n", isGood ? "ok    " : "FAILED", what.c_str());
        std::fflush(stdout);
        m_failed += isGood ? 0 : 1;
        nlohmann::json check{{"ok", isGood}, {"what", what}};
        check.update(figures);
        m_checks.push_back(std::move(check));
    }

    bool hasTime() const { return seconds() < m_mostSeconds; }
    nlohmann::json report() const
    {
        return {{"format", "remat-gpu-check"}, {"version", 1}, {"failed", m_failed}, {"seconds", seconds()},
            {"sections", m_sections}};
    }

private:
    double seconds() const { return static_cast<double>((steadyClock() - m_start).value) * 1e-9; }

    Nanoseconds m_start;
    double m_mostSeconds;
    int m_failed = 0;
    nlohmann::json m_checks, m_sections = nlohmann::json::array();
};

} // namespace remat::testing
