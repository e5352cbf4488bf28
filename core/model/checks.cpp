// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: Apache-2.0
#include "core/model/checks.h"

namespace remat {

namespace {

constexpr MessageCode kOutOfRange{
    "size-out-of-bounds", REMAT_TR("{0} is outside {1} to {2}."), REMAT_TR("Use a whole number from {1} to {2}.")};
constexpr MessageCode kBadName{
    "name-out-of-bounds", REMAT_TR("A name of {0} bytes is outside 1 to {1}."), REMAT_TR("Give it a short name.")};

} // namespace

void Checks::size(const char* where, std::int64_t value, std::int64_t least, std::int64_t most)
{
    require(kOutOfRange, value >= least && value <= most, where, {value, least, most});
}
void Checks::dropout(const char* where, double value)
{
    require(kDropoutOutOfBounds, value >= 0 && value < 1, where, {value});
}
void Checks::name(const char* where, const std::string& value, std::int64_t least)
{
    const auto length = static_cast<std::int64_t>(value.size());
    const auto most = static_cast<std::int64_t>(kMaxNameLength);
    require(kBadName, length >= least && length <= most, where, {length, least, most});
}

} // namespace remat
