// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: Apache-2.0
/// \file
/// How many cases a test tries: every test that has more than one form asks here.
#pragma once

#include <cstdlib>

namespace remat::testing {

/// The long form, which `./dev check --long` asks for with REMAT_LONG=1.
inline bool isLongForm()
{
    return std::getenv("REMAT_LONG") != nullptr;
}

/// The brief form, which the presets asan and tsan ask for with REMAT_BRIEF=1: a sanitizer looks for accesses and races
/// that the first cases make as well as the later ones, and slows each down many times; answers are judged by the usual
/// form.  Every kind of case stays, with fewer of its kind.
inline bool isBriefForm()
{
    return !isLongForm() && std::getenv("REMAT_BRIEF") != nullptr;
}

/// A count in each form, from few to many.
struct Counts {
    int brief, usual, full;
};

/// The count of the form that is asked for.
inline int countOf(const Counts& counts)
{
    return isLongForm() ? counts.full : isBriefForm() ? counts.brief : counts.usual;
}

} // namespace remat::testing
