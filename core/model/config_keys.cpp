// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: Apache-2.0
#include "core/model/config_keys.h"

#include "core/base/json_text.h"

namespace remat {

namespace {

constexpr MessageCode kDefaultUsed{
    "config-default-used", REMAT_TR("{0} is not given: transformers' default {1} is used."), ""};
constexpr MessageCode kLeftOut{
    "config-key-left-out", REMAT_TR("{0} is {1}: the training step is described without what it adds."), ""};

} // namespace

void ConfigKeys::noteDefault(const char* key, std::string value)
{
    note({&kDefaultUsed, {std::string(key), std::move(value)}});
}

void ConfigKeys::noteLeftOut(const char* key)
{
    note({&kLeftOut, {std::string(key), shownJson(m_root[key].raw())}});
}

std::int64_t ConfigKeys::integer(const char* key, std::int64_t otherwise, std::int64_t least, std::int64_t most)
{
    if (isGiven(key))
        return m_root[key].integer(least, most);
    noteDefault(key, std::to_string(otherwise));
    return otherwise;
}

double ConfigKeys::number(const char* key, double otherwise)
{
    if (isGiven(key))
        return m_root[key].number();
    noteDefault(key, shownJson(otherwise));
    return otherwise;
}

bool ConfigKeys::flag(const char* key, bool otherwise)
{
    if (isGiven(key))
        return m_root[key].boolean();
    noteDefault(key, otherwise ? "true" : "false");
    return otherwise;
}

std::string ConfigKeys::text(const char* key, const char* otherwise)
{
    if (isGiven(key))
        return m_root[key].string();
    noteDefault(key, otherwise);
    return otherwise;
}

} // namespace remat
