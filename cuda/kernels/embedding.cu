// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: Apache-2.0
// out[n] = wte[ids[n]] + wpe[n % T] + wtt[0]              out, dout: [N, C], N = B T; ids: [N]
// dwte[v] (+)= sum over n with ids[n] == v of dout[n]     wte: [V, C]; in the order of n
// dwpe[t] (+)= sum over b of dout[b T + t]                wpe: [P, C], P >= T
// dwtt[0] (+)= sum over n of dout[n]                      wtt: [types, C]
// For dwte the row numbers n are sorted by their tokens, stably, by counting digits of eight bits from the lowest up;
// warps then add each run of equal tokens.  Unlike a scatter with atomics this has one order of additions.
#include <algorithm>
#include <bit>
#include <utility>

#include "cuda/kernels/rows.h"
#include "cuda/language/elements.h"
#include "cuda/language/row_quads.h"

namespace remat::cuda {
namespace {

// ---------------------------------------------------------------------------------------- device helpers

constexpr int kDigitBits = 8;
constexpr int kDigits = 1 << kDigitBits; // one thread of a block each
constexpr int kGroupRows = 1024;         // that a block sorts

struct Sorting {
    Index rows, groups;
    const std::int32_t* ids;

    Sorting(const EmbeddingShape& shape, const std::int32_t* tokens)
        : rows(shape.batch * shape.sequence),
          groups(dividedUp(rows, kGroupRows)),
          ids(tokens)
    { }
};

__device__ Quad operator+(const Quad& a, const Quad& b)
{
    return {{a.x[0] + b.x[0], a.x[1] + b.x[1], a.x[2] + b.x[2], a.x[3] + b.x[3]}};
}

/// Row number i of an order; no order is the rows' own.
__device__ Index rowAt(const std::int32_t* order, Index i)
{
    return order == nullptr ? i : order[i];
}

/// The digits of the block's group of rows; returns how many there are.  All threads must call.
__device__ int loadDigits(const Sorting& sorting, const std::int32_t* order, int shift, std::int32_t* digits)
{
    const Index begin = static_cast<Index>(blockIdx.x) * kGroupRows;
    const int size = static_cast<int>(min(static_cast<Index>(kGroupRows), sorting.rows - begin));
    for (int i = static_cast<int>(threadIdx.x); i < size; i += kDigits)
        digits[i] = sorting.ids[rowAt(order, begin + i)] >> shift & (kDigits - 1);
    __syncthreads();
    return size;
}

/// Behind the run of equal tokens that begins at sorted place `begin`.  Most runs are short, so the steps begin small.
__device__ Index endOfRun(const Sorting& sorting, const std::int32_t* order, Index begin)
{
    const std::int32_t id = sorting.ids[order[begin]];
    const auto isInRun = [&](Index place) { return place < sorting.rows && sorting.ids[order[place]] == id; };
    Index known = begin, step = 1;
    while (isInRun(known + step)) {
        known += step;
        step *= 2;
    }
    while (step > 1) { // the end lies in (known, known + step]
        step /= 2;
        if (isInRun(known + step))
            known += step;
    }
    return known + 1;
}

// ---------------------------------------------------------------------------------------- kernels

template <class T>
__global__ void look_up(EmbeddingShape shape, const std::int32_t* ids, const T* wte, const T* wpe, const T* wtt, T* out)
{
    const Index index = rowOfWarp();
    if (index >= shape.batch * shape.sequence)
        return;
    const Row row(index, shape.width);
    const Row token(ids[index], shape.width), position(index % shape.sequence, shape.width);
    forQuadsOfLane(row, [&](Index first) {
        const Index column = first - row.begin;
        Quad sum = token.load(wte, token.begin + column);
        if (wpe != nullptr)
            sum = sum + position.load(wpe, position.begin + column);
        if (wtt != nullptr)
            sum = sum + row.loadColumns(wtt, first);
        row.store(out, first, sum);
    });
}

/// counts[group, d] = rows of the group whose digit is d.
__global__ void count_digits(Sorting sorting, const std::int32_t* order, int shift, std::int32_t* counts)
{
    REMAT_SHARED_ARRAY(std::int32_t, digits, kGroupRows);
    const int size = loadDigits(sorting, order, shift, digits);
    const int own = static_cast<int>(threadIdx.x);
    std::int32_t count = 0;
    for (int i = 0; i < size; ++i)
        count += digits[i] == own ? 1 : 0;
    counts[static_cast<Index>(blockIdx.x) * kDigits + own] = count;
}

/// One block: counts[group, d] becomes the first place of the group's rows with digit d: behind all rows with smaller
/// digits and those with this digit in groups before.
__global__ void place_digits(Index groups, std::int32_t* counts)
{
    REMAT_SHARED_ARRAY(std::int32_t, totals, kDigits);
    const int own = static_cast<int>(threadIdx.x);
    std::int32_t total = 0;
    for (Index group = 0; group < groups; ++group)
        total += counts[group * kDigits + own];
    totals[own] = total;
    __syncthreads();
    std::int32_t place = 0;
    for (int smaller = 0; smaller < own; ++smaller)
        place += totals[smaller];
    for (Index group = 0; group < groups; ++group) {
        const std::int32_t count = counts[group * kDigits + own];
        counts[group * kDigits + own] = place;
        place += count;
    }
}

/// sorted = order, stably sorted by the digit.  A thread places the rows of its digit one after another.
__global__ void sort_by_digit(
    Sorting sorting, const std::int32_t* order, int shift, const std::int32_t* places, std::int32_t* sorted)
{
    REMAT_SHARED_ARRAY(std::int32_t, digits, kGroupRows);
    const int size = loadDigits(sorting, order, shift, digits);
    const int own = static_cast<int>(threadIdx.x);
    const Index begin = static_cast<Index>(blockIdx.x) * kGroupRows;
    std::int32_t place = places[static_cast<Index>(blockIdx.x) * kDigits + own];
    for (int i = 0; i < size; ++i)
        if (digits[i] == own)
            sorted[place++] = static_cast<std::int32_t>(rowAt(order, begin + i));
}

/// Warp y of blocks x begins at a sorted place and has nothing to do unless a run begins there; blocks y over columns,
/// one for each lane.
template <class T>
__global__ void sum_runs(Sorting sorting, Index width, const std::int32_t* order, const T* dout, T* dwte, Store mode)
{
    const Index begin = rowOfWarp();
    const Index column = static_cast<Index>(blockIdx.y) * kWarp + static_cast<Index>(threadIdx.x);
    if (begin >= sorting.rows || column >= width)
        return;
    const std::int32_t id = sorting.ids[order[begin]];
    if (begin > 0 && sorting.ids[order[begin - 1]] == id)
        return;
    // The end is found before any row is read, so that several rows of a long run are read at a time.
    const Index end = endOfRun(sorting, order, begin), at = id * width + column;
    float sum = 0.0F;
    for (Index i = begin; i < end; ++i)
        sum += load(dout, order[i] * width + column);
    store(dwte, at, mode == Store::Add ? load(dwte, at) + sum : sum);
}

/// An element of dwpe is the sum of the elements at its place in each sequence; behind the longest sequence it is none.
template <class T> __global__ void sum_positions(EmbeddingShape shape, const T* dout, T* dwpe, Store mode)
{
    const Index first = firstOfQuad(), count = shape.positions * shape.width;
    if (first >= count)
        return;
    Quad sum{};
    for (Index b = 0; b < shape.batch; ++b) {
        const Row sequence(b, shape.sequence * shape.width);
        sum = sum + sequence.load(dout, sequence.begin + first);
    }
    if (mode == Store::Add)
        sum = sum + loadQuad(dwpe, first, count);
    storeQuad(dwpe, first, count, sum);
}

} // namespace

// ---------------------------------------------------------------------------------------- launchers

namespace {

/// The rows' numbers in the order of their tokens, in the workspace: two orders of N each, and the digits' counts.
const std::int32_t* sortRows(const Sorting& sorting, Index vocabulary, std::int32_t* workspace, Stream stream)
{
    const auto bits = static_cast<int>(std::bit_width(static_cast<std::uint64_t>(vocabulary - 1)));
    const auto groups = static_cast<unsigned>(sorting.groups);
    std::int32_t* sorted = workspace;
    std::int32_t* other = workspace + sorting.rows;
    std::int32_t* const counts = other + sorting.rows;
    const std::int32_t* order = nullptr;
    int shift = 0;
    do { // once at least, which makes the order of a vocabulary of one
        REMAT_LAUNCH(count_digits, groups, kDigits, 0, stream)(sorting, order, shift, counts);
        REMAT_LAUNCH(place_digits, 1, kDigits, 0, stream)(sorting.groups, counts);
        REMAT_LAUNCH(sort_by_digit, groups, kDigits, 0, stream)(sorting, order, shift, counts, sorted);
        order = sorted;
        std::swap(sorted, other);
        shift += kDigitBits;
    } while (shift < bits);
    return order;
}

} // namespace

template <class T>
void embeddingForward(const EmbeddingShape& shape, const std::int32_t* ids, const T* wte, const T* wpe, const T* wtt,
    T* out, Stream stream)
{
    REMAT_LAUNCH(look_up<T>, gridOfRows(shape.batch * shape.sequence), kRowsBlock, 0, stream)
    (shape, ids, wte, wpe, wtt, out);
}

std::int64_t embeddingBackwardWorkspaceBytes(const EmbeddingShape& shape)
{
    const Sorting sorting(shape, nullptr);
    const Index sortingBytes = (2 * sorting.rows + sorting.groups * kDigits) * static_cast<Index>(sizeof(std::int32_t));
    return shape.tokenTypes == 0 ? sortingBytes
                                 : std::max(sortingBytes, columnSumsWorkspaceBytes({sorting.rows, shape.width}));
}

template <class T>
void embeddingBackward(const EmbeddingShape& shape, const std::int32_t* ids, const T* dout, T* dwte, Store storeTokens,
    T* dwpe, T* dwtt, Store storeOthers, std::byte* workspace, Stream stream)
{
    const Sorting sorting(shape, ids);
    if (storeTokens == Store::Write)
        fill(shape.vocabulary * shape.width, 0.0F, dwte, stream);
    const std::int32_t* const order
        = sortRows(sorting, shape.vocabulary, reinterpret_cast<std::int32_t*>(workspace), stream);
    const dim3 grid(gridOfRows(sorting.rows).x, static_cast<unsigned>(dividedUp(shape.width, kWarp)));
    REMAT_LAUNCH(sum_runs<T>, grid, kRowsBlock, 0, stream)(sorting, shape.width, order, dout, dwte, storeTokens);
    if (dwpe != nullptr) {
        REMAT_LAUNCH(sum_positions<T>, gridOfQuads(shape.positions * shape.width), kElementThreads, 0, stream)
        (shape, dout, dwpe, storeOthers);
    }
    if (dwtt == nullptr)
        return;
    if (storeOthers == Store::Write)
        fill(shape.tokenTypes * shape.width, 0.0F, dwtt, stream);
    columnSums({sorting.rows, shape.width}, dout, dwtt, Store::Add, reinterpret_cast<float*>(workspace), stream);
}

template void embeddingForward(
    const EmbeddingShape&, const std::int32_t*, const float*, const float*, const float*, float*, Stream);
template void embeddingForward(
    const EmbeddingShape&, const std::int32_t*, const bf16*, const bf16*, const bf16*, bf16*, Stream);
template void embeddingBackward(
    const EmbeddingShape&, const std::int32_t*, const float*, float*, Store, float*, float*, Store, std::byte*, Stream);
template void embeddingBackward(
    const EmbeddingShape&, const std::int32_t*, const bf16*, bf16*, Store, bf16*, bf16*, Store, std::byte*, Stream);

} // namespace remat::cuda
