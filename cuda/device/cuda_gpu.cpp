// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: Apache-2.0
#include "cuda/device/cuda_gpu.h"

#include <cublasLt.h>
#include <cuda_runtime_api.h>

#include <array>
#include <cmath>
#include <cstdint>
#include <map>
#include <stdexcept>
#include <tuple>

#include "core/cost/device_traits.h"
#include "cuda/device/cublaslt.h"
#include "cuda/machine/nvml.h"

namespace remat::cuda {

namespace {

void check(cudaError_t status, const char* what)
{
    if (status == cudaSuccess)
        return;
    cudaGetLastError(); // An error that is not sticky must not appear again at the next launch.
    throw std::runtime_error(std::string(what) + ": " + cudaGetErrorString(status));
}

void check(cublasStatus_t status, const char* what)
{
    if (status != CUBLAS_STATUS_SUCCESS)
        throw std::runtime_error(std::string(what) + ": " + cublasLtGetStatusString(status));
}

/// cuBLASLt's descriptions are opaque handles, each with a function that destroys it.
template <class Handle, cublasStatus_t (*Destroy)(Handle)> struct Destroyer {
    using pointer = Handle;
    void operator()(Handle handle) const { Destroy(handle); }
};
using Description = std::unique_ptr<void, Destroyer<cublasLtMatmulDesc_t, cublasLtMatmulDescDestroy>>;
using Layout = std::unique_ptr<void, Destroyer<cublasLtMatrixLayout_t, cublasLtMatrixLayoutDestroy>>;
using Preference = std::unique_ptr<void, Destroyer<cublasLtMatmulPreference_t, cublasLtMatmulPreferenceDestroy>>;

template <class Value>
void setAttribute(const Description& description, cublasLtMatmulDescAttributes_t attribute, const Value& value)
{
    check(cublasLtMatmulDescSetAttribute(description.get(), attribute, &value, sizeof value), "describing a product");
}

Layout layoutOf(cudaDataType_t type, std::int64_t rows, std::int64_t columns, bool isTransposed)
{
    const auto [storedRows, storedColumns] = isTransposed ? std::pair(columns, rows) : std::pair(rows, columns);
    cublasLtMatrixLayout_t layout = nullptr;
    check(cublasLtMatrixLayoutCreate(&layout, type, static_cast<std::uint64_t>(storedRows),
              static_cast<std::uint64_t>(storedColumns), storedRows),
        "describing a matrix");
    return Layout(layout);
}

/// The largest power of two that divides an address, at most what cuBLASLt asks about: 256.
std::uint32_t alignmentOf(const std::byte* data)
{
    const auto address = reinterpret_cast<std::uintptr_t>(data) | 256U;
    return static_cast<std::uint32_t>(address & (~address + 1));
}

/// What an algorithm is chosen by: sizes, transpositions, storage, bias, whether C is added to, and the alignments of
/// A, B and C.
using ProductKey = std::tuple<std::int64_t, std::int64_t, std::int64_t, bool, bool, ElementType, bool, bool,
    std::uint32_t, std::uint32_t, std::uint32_t>;

} // namespace

struct CudaGpu::State {
    int device = 0;
    std::string name;
    cudaStream_t stream = nullptr;
    cudaMemPool_t pool = nullptr;
    cublasLtHandle_t library = nullptr;
    std::map<ProductKey, cublasLtMatmulAlgo_t> algorithms;
    std::vector<cudaEvent_t> events; ///< reused from one takeStamps() to the next
    std::size_t stamps = 0;          ///< of them noted since then
    Nanoseconds lastStamp;           ///< the last moment that was told
    Nvml nvml;
    std::string busId; ///< "0000:3b:00.0", by which NVML knows the device

    void createPool(std::optional<Bytes> limit)
    {
        cudaMemPoolProps properties{};
        properties.allocType = cudaMemAllocationTypePinned;
        properties.location = {cudaMemLocationTypeDevice, device};
        if (limit)
            properties.maxSize = static_cast<std::size_t>(limit->value);
        check(cudaMemPoolCreate(&pool, &properties), "making a memory pool");
        // What is freed stays in the pool: returning it to the system costs time in every step.
        std::uint64_t all = UINT64_MAX;
        check(cudaMemPoolSetAttribute(pool, cudaMemPoolAttrReleaseThreshold, &all), "setting up the memory pool");
    }

    ~State()
    {
        if (stream)
            cudaStreamSynchronize(stream);
        for (const cudaEvent_t event : events)
            cudaEventDestroy(event);
        if (library)
            cublasLtDestroy(library);
        if (pool)
            cudaMemPoolDestroy(pool);
        if (stream)
            cudaStreamDestroy(stream);
    }
};

CudaGpu::CudaGpu(int device, std::optional<Bytes> poolLimit) : m_state(std::make_unique<State>())
{
    State& s = *m_state;
    s.device = device;
    check(cudaSetDevice(device), "choosing the device");
    cudaDeviceProp properties{};
    check(cudaGetDeviceProperties(&properties, device), "asking for the device's properties");
    s.name = properties.name;
    std::array<char, 32> busId{};
    check(cudaDeviceGetPCIBusId(busId.data(), busId.size(), device), "asking for the device's address");
    s.busId = busId.data();
    check(cudaStreamCreateWithFlags(&s.stream, cudaStreamNonBlocking), "making a stream");
    s.createPool(poolLimit);
    requireCublasLt();
    check(cublasLtCreate(&s.library), "starting cuBLASLt");
}

CudaGpu::~CudaGpu() = default;

std::string CudaGpu::name() const
{
    return m_state->name;
}

Stream CudaGpu::stream() const
{
    return m_state->stream;
}

std::byte* CudaGpu::allocate(Bytes bytes)
{
    void* data = nullptr;
    const cudaError_t status
        = cudaMallocFromPoolAsync(&data, static_cast<std::size_t>(bytes.value), m_state->pool, m_state->stream);
    if (status == cudaErrorMemoryAllocation) {
        cudaGetLastError(); // not sticky: the context goes on
        return nullptr;
    }
    check(status, "allocating memory");
    return static_cast<std::byte*>(data);
}

void CudaGpu::release(std::byte* data)
{
    check(cudaFreeAsync(data, m_state->stream), "freeing memory");
}

void CudaGpu::setBytes(std::span<std::byte> data, unsigned char value)
{
    check(cudaMemsetAsync(data.data(), value, data.size(), m_state->stream), "setting memory");
}

void CudaGpu::copyToHost(std::span<const std::byte> data, std::span<std::byte> out)
{
    check(cudaMemcpyAsync(out.data(), data.data(), data.size(), cudaMemcpyDeviceToHost, m_state->stream),
        "copying to the host");
    finish();
}

void CudaGpu::finish()
{
    check(cudaStreamSynchronize(m_state->stream), "waiting for the GPU");
}

void CudaGpu::resetPeak()
{
    finish();
    for (const cudaMemPoolAttr attribute : {cudaMemPoolAttrUsedMemHigh, cudaMemPoolAttrReservedMemHigh}) {
        std::uint64_t zero = 0; // the one value that it can be set to
        check(cudaMemPoolSetAttribute(m_state->pool, attribute, &zero), "resetting the memory pool's peak");
    }
}

PoolPeak CudaGpu::peak()
{
    finish();
    const auto read = [&](cudaMemPoolAttr attribute) {
        std::uint64_t value = 0;
        check(cudaMemPoolGetAttribute(m_state->pool, attribute, &value), "reading the memory pool's peak");
        return Bytes{static_cast<std::int64_t>(value)};
    };
    return {read(cudaMemPoolAttrUsedMemHigh), read(cudaMemPoolAttrReservedMemHigh)};
}

DriverMemory CudaGpu::driverMemory()
{
    finish();
    DriverMemory memory{m_state->nvml.memoryOfThisProcess(m_state->busId), std::nullopt};
    std::size_t free = 0, all = 0;
    if (cudaMemGetInfo(&free, &all) == cudaSuccess)
        memory.free = Bytes{static_cast<std::int64_t>(free)};
    else
        cudaGetLastError();
    return memory;
}

void CudaGpu::stamp()
{
    State& s = *m_state;
    if (s.stamps == s.events.size()) {
        cudaEvent_t event = nullptr;
        check(cudaEventCreate(&event), "making an event");
        s.events.push_back(event);
    }
    check(cudaEventRecord(s.events[s.stamps++], s.stream), "recording an event");
}

std::vector<Nanoseconds> CudaGpu::takeStamps()
{
    State& s = *m_state;
    std::vector<Nanoseconds> moments;
    moments.reserve(s.stamps);
    finish();
    for (std::size_t i = 0; i < s.stamps; ++i) {
        // From one event to the next, since a float of milliseconds has seven digits; no clock spans two calls.
        float milliseconds = 0;
        if (i > 0)
            check(cudaEventElapsedTime(&milliseconds, s.events[i - 1], s.events[i]), "reading an event");
        s.lastStamp += Nanoseconds{std::llround(static_cast<double>(milliseconds) * 1e6)};
        moments.push_back(s.lastStamp);
    }
    s.stamps = 0;
    return moments;
}

/// cuBLASLt's matrices are column-major: what lies in memory as C[m, n] by rows is C'[n, m] by columns, and
/// C' = op(B)' op(A)'.  So B comes first, and a bias of n numbers runs down its columns.
void CudaGpu::multiply(const Product& product, std::byte* workspace)
{
    State& s = *m_state;
    const auto [m, n, k, transposeA, transposeB] = product.gemm;
    const cudaDataType_t type = product.storage == ElementType::Bf16 ? CUDA_R_16BF : CUDA_R_32F;
    cublasLtMatmulDesc_t raw = nullptr;
    check(cublasLtMatmulDescCreate(&raw, CUBLAS_COMPUTE_32F, CUDA_R_32F), "describing a product");
    const Description description(raw);
    const auto operation = [](bool isTransposed) { return isTransposed ? CUBLAS_OP_T : CUBLAS_OP_N; };
    setAttribute(description, CUBLASLT_MATMUL_DESC_TRANSA, operation(transposeB));
    setAttribute(description, CUBLASLT_MATMUL_DESC_TRANSB, operation(transposeA));
    if (product.bias) {
        setAttribute(description, CUBLASLT_MATMUL_DESC_EPILOGUE, CUBLASLT_EPILOGUE_BIAS);
        setAttribute(description, CUBLASLT_MATMUL_DESC_BIAS_POINTER, product.bias);
    }
    const Layout first = layoutOf(type, n, k, transposeB), second = layoutOf(type, k, m, transposeA),
                 result = layoutOf(type, n, m, false);

    const bool adds = product.store == kernels::Store::Add;
    const ProductKey key{m, n, k, transposeA, transposeB, product.storage, product.bias != nullptr, adds,
        alignmentOf(product.a), alignmentOf(product.b), alignmentOf(product.c)};
    auto algorithm = s.algorithms.find(key);
    if (algorithm == s.algorithms.end()) {
        cublasLtMatmulPreference_t rawPreference = nullptr;
        check(cublasLtMatmulPreferenceCreate(&rawPreference), "choosing an algorithm");
        const Preference preference(rawPreference);
        const auto prefer = [&](cublasLtMatmulPreferenceAttributes_t attribute, auto value) {
            check(cublasLtMatmulPreferenceSetAttribute(preference.get(), attribute, &value, sizeof value),
                "choosing an algorithm");
        };
        prefer(CUBLASLT_MATMUL_PREF_MAX_WORKSPACE_BYTES, static_cast<std::size_t>(kCudaWorkspace.value));
        // Parts of a sum may be added in fp32 alone, never in bf16.
        prefer(CUBLASLT_MATMUL_PREF_REDUCTION_SCHEME_MASK, std::uint32_t{CUBLASLT_REDUCTION_SCHEME_COMPUTE_TYPE});
        // Its first matrix is our second.
        prefer(CUBLASLT_MATMUL_PREF_MIN_ALIGNMENT_A_BYTES, alignmentOf(product.b));
        prefer(CUBLASLT_MATMUL_PREF_MIN_ALIGNMENT_B_BYTES, alignmentOf(product.a));
        prefer(CUBLASLT_MATMUL_PREF_MIN_ALIGNMENT_C_BYTES, alignmentOf(product.c));
        prefer(CUBLASLT_MATMUL_PREF_MIN_ALIGNMENT_D_BYTES, alignmentOf(product.c));
        cublasLtMatmulHeuristicResult_t found{};
        int count = 0;
        check(cublasLtMatmulAlgoGetHeuristic(s.library, description.get(), first.get(), second.get(), result.get(),
                  result.get(), preference.get(), 1, &found, &count),
            "choosing an algorithm");
        if (count == 0)
            throw std::runtime_error("cuBLASLt has no algorithm for this product");
        algorithm = s.algorithms.emplace(key, found.algo).first;
    }
    const float alpha = 1.0F, beta = adds ? 1.0F : 0.0F;
    check(cublasLtMatmul(s.library, description.get(), &alpha, product.b, first.get(), product.a, second.get(), &beta,
              product.c, result.get(), product.c, result.get(), &algorithm->second, workspace,
              static_cast<std::size_t>(kCudaWorkspace.value), s.stream),
        "a matrix product");
}

} // namespace remat::cuda
