// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: Apache-2.0
#include "tests/gpu/gpu_check.h"

#include <bit>
#include <cstdio>
#include <cstring>

#include "tests/cuda/step_laws.h"

namespace remat::testing {

namespace {

/// Says how a check went and counts it.
class Tally {
public:
    void note(bool isGood, const std::string& what)
    {
        std::printf("%s  %s\n", isGood ? "ok    " : "FAILED", what.c_str());
        std::fflush(stdout);
        m_failed += isGood ? 0 : 1;
    }
    int failed() const { return m_failed; }

private:
    int m_failed = 0;
};

void checkLaws(cuda::Gpu& gpu, int models, Tally& tally)
{
    std::mt19937 random(60);
    for (int i = 0; i < models; ++i) {
        const auto [c, tape] = randomCase(i, random);
        const StepResult keepAll = runOnGpu(gpu, tape, keepEverything(tape));
        std::string broken = brokenLaw(keepAll, keepAll);
        for (int k = 0; k < 4 && broken.empty(); ++k)
            broken = brokenLaw(runOnGpu(gpu, tape, randomKeepSets(tape, random)), keepAll);
        tally.note(broken.empty(),
            "five plans of model " + std::to_string(i) + ", " + familyOf(c.variety) + (c.isHalf ? ", bf16" : ", fp32")
                + (broken.empty() ? "" : ": " + broken));
    }
}

void checkAgreement(cuda::Gpu& gpu, Tally& tally)
{
    for (const bool isHalf : {false, true})
        for (const bool isStored : {false, true})
            for (int family = 0; family < 3; ++family) {
                const Agreement agreement = agreementWithCpu(gpu, family, isStored, isHalf);
                tally.note(Agreement::isClose(agreement, isHalf),
                    std::string(familyName(family)) + (isStored ? ", stored" : ", blocked")
                        + (isHalf ? ", bf16" : ", fp32") + ": gradients within " + std::to_string(agreement.gradients)
                        + " of the CPU machine's, loss within " + std::to_string(agreement.loss));
            }
}

/// A block of the GPU's memory, written by drawing and read back.
class Matrix {
public:
    Matrix(cuda::CudaMachine& machine, ElementType storage, std::int64_t count, std::uint64_t stream)
        : m_machine(machine),
          m_storage(storage),
          m_bytes(roundUp({count * bytesOf(storage)}, {512})),
          m_data(machine.allocate(m_bytes).value())
    {
        Parameter parameter;
        parameter.elements = count;
        machine.initialize(parameter, storage, 7, stream, m_data, nullptr);
    }
    ~Matrix() { m_machine.release(m_data, m_bytes); }
    Matrix(const Matrix&) = delete;
    Matrix& operator=(const Matrix&) = delete;

    std::byte* data() const { return m_data; }
    std::vector<float> numbers(std::int64_t count) const
    {
        std::vector<std::byte> room;
        const auto bytes = m_machine.onHost({m_data, static_cast<std::size_t>(count * bytesOf(m_storage))}, room);
        return bytes ? numbersOf(*bytes, m_storage) : std::vector<float>{};
    }

private:
    cuda::CudaMachine& m_machine;
    ElementType m_storage;
    Bytes m_bytes;
    std::byte* m_data;
};

/// The largest |C - (bias or old C) - sum over k| against double, as a share of the largest |C|.
double productError(cuda::Gpu& gpu, const kernels::Gemm& gemm, ElementType storage, kernels::Store store)
{
    cuda::CudaMachine machine(gpu, {});
    const auto [m, n, k, transposeA, transposeB] = gemm;
    const Matrix a(machine, storage, m * k, 1), b(machine, storage, k * n, 2), bias(machine, storage, n, 3),
        c(machine, storage, m * n, 4), room(machine, ElementType::Fp32, kCudaWorkspace.value / 4, 5);
    const bool adds = store == kernels::Store::Add;
    const std::vector<float> old = c.numbers(m * n);
    gpu.multiply({gemm, storage, a.data(), b.data(), adds ? nullptr : bias.data(), c.data(), store}, room.data());
    const std::vector<float> left = a.numbers(m * k), right = b.numbers(k * n), shift = bias.numbers(n),
                             got = c.numbers(m * n);
    double worst = 0, largest = 0;
    for (std::int64_t i = 0; i < m; ++i)
        for (std::int64_t j = 0; j < n; ++j) {
            const auto at = static_cast<std::size_t>(i * n + j);
            double sum = adds ? old[at] : shift[static_cast<std::size_t>(j)];
            for (std::int64_t l = 0; l < k; ++l)
                sum += static_cast<double>(left[static_cast<std::size_t>(transposeA ? l * m + i : i * k + l)])
                    * static_cast<double>(right[static_cast<std::size_t>(transposeB ? j * k + l : l * n + j)]);
            worst = std::max(worst, std::abs(static_cast<double>(got[at]) - sum));
            largest = std::max(largest, std::abs(sum));
        }
    return worst / largest;
}

void checkProducts(cuda::Gpu& gpu, Tally& tally)
{
    for (const ElementType storage : {ElementType::Fp32, ElementType::Bf16})
        for (const auto& [m, n, k] : {std::array<std::int64_t, 3>{1, 1, 1}, {33, 17, 65}, {64, 192, 128}})
            for (int bits = 0; bits < 8; ++bits) {
                const kernels::Gemm gemm{m, n, k, (bits & 1) != 0, (bits & 2) != 0};
                const auto store = (bits & 4) != 0 ? kernels::Store::Add : kernels::Store::Write;
                const double error = productError(gpu, gemm, storage, store);
                // bf16 rounds the result to 8 bits; fp32 sums of up to 128 terms err by less than 1e-5.
                const bool isGood = error < (storage == ElementType::Bf16 ? 0x1p-8 : 1e-5);
                if (!isGood || bits == 7)
                    tally.note(isGood,
                        "products " + std::to_string(m) + " x " + std::to_string(n) + " x " + std::to_string(k)
                            + (storage == ElementType::Bf16 ? ", bf16" : ", fp32") + ", the last one's error "
                            + std::to_string(error));
            }
}

} // namespace

int checkGpu(cuda::Gpu& gpu, int models)
{
    Tally tally;
    checkProducts(gpu, tally);
    checkAgreement(gpu, tally);
    checkLaws(gpu, models, tally);
    return tally.failed();
}

} // namespace remat::testing
