// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: Apache-2.0
// cuBLASLt's functions, as far as cuda_gpu.cpp calls them, found in the library when they are first needed.
//
// Linked in the usual way, the program would not start where the library is not installed, and packages would depend on
// files of NVIDIA that no Debian has; so nothing is linked, and a missing library is an error with words.
#include "cuda/device/cublaslt.h"

#include <cublasLt.h>
#include <dlfcn.h>

#include <stdexcept>
#include <string>

namespace remat::cuda {

namespace {

/// Of the major version that the headers are of; stays loaded as long as the process.
const std::string kLibrary = "libcublasLt.so." + std::to_string(CUBLAS_VER_MAJOR);

void* library()
{
    static void* const handle = ::dlopen(kLibrary.c_str(), RTLD_NOW | RTLD_LOCAL);
    return handle;
}

template <class Function> Function* find(const char* name)
{
    void* const address = library() ? ::dlsym(library(), name) : nullptr;
    if (!address)
        throw std::runtime_error(std::string(name) + " is not in " + kLibrary);
    return reinterpret_cast<Function*>(address);
}

} // namespace

void requireCublasLt()
{
    if (!library())
        throw std::runtime_error(kLibrary
            + " of the CUDA toolkit (Debian package libcublas of NVIDIA's repository) is not "
            + "installed here: " + ::dlerror());
}

} // namespace remat::cuda

/// Each is the library's function of the same name.
#define REMAT_CUBLASLT(result, name, parameters, arguments)                                                            \
    extern "C" result CUBLASWINAPI name parameters                                                                     \
    {                                                                                                                  \
        static auto* const function = remat::cuda::find<result parameters>(#name);                                     \
        return function arguments;                                                                                     \
    }

REMAT_CUBLASLT(cublasStatus_t, cublasLtCreate, (cublasLtHandle_t * handle), (handle))
REMAT_CUBLASLT(cublasStatus_t, cublasLtDestroy, (cublasLtHandle_t handle), (handle))
REMAT_CUBLASLT(const char*, cublasLtGetStatusString, (cublasStatus_t status), (status))
REMAT_CUBLASLT(cublasStatus_t, cublasLtMatmulDescCreate,
    (cublasLtMatmulDesc_t * description, cublasComputeType_t compute, cudaDataType_t scale),
    (description, compute, scale))
REMAT_CUBLASLT(cublasStatus_t, cublasLtMatmulDescDestroy, (cublasLtMatmulDesc_t description), (description))
REMAT_CUBLASLT(cublasStatus_t, cublasLtMatmulDescSetAttribute,
    (cublasLtMatmulDesc_t description, cublasLtMatmulDescAttributes_t attribute, const void* value, size_t bytes),
    (description, attribute, value, bytes))
REMAT_CUBLASLT(cublasStatus_t, cublasLtMatrixLayoutCreate,
    (cublasLtMatrixLayout_t * layout, cudaDataType type, uint64_t rows, uint64_t columns, int64_t stride),
    (layout, type, rows, columns, stride))
REMAT_CUBLASLT(cublasStatus_t, cublasLtMatrixLayoutDestroy, (cublasLtMatrixLayout_t layout), (layout))
REMAT_CUBLASLT(cublasStatus_t, cublasLtMatmulPreferenceCreate, (cublasLtMatmulPreference_t * preference), (preference))
REMAT_CUBLASLT(cublasStatus_t, cublasLtMatmulPreferenceDestroy, (cublasLtMatmulPreference_t preference), (preference))
REMAT_CUBLASLT(cublasStatus_t, cublasLtMatmulPreferenceSetAttribute,
    (cublasLtMatmulPreference_t preference, cublasLtMatmulPreferenceAttributes_t attribute, const void* value,
        size_t bytes),
    (preference, attribute, value, bytes))
REMAT_CUBLASLT(cublasStatus_t, cublasLtMatmulAlgoGetHeuristic,
    (cublasLtHandle_t handle, cublasLtMatmulDesc_t description, cublasLtMatrixLayout_t a, cublasLtMatrixLayout_t b,
        cublasLtMatrixLayout_t c, cublasLtMatrixLayout_t d, cublasLtMatmulPreference_t preference, int wanted,
        cublasLtMatmulHeuristicResult_t results[], int* found),
    (handle, description, a, b, c, d, preference, wanted, results, found))
REMAT_CUBLASLT(cublasStatus_t, cublasLtMatmul,
    (cublasLtHandle_t handle, cublasLtMatmulDesc_t description, const void* alpha, const void* a,
        cublasLtMatrixLayout_t layoutA, const void* b, cublasLtMatrixLayout_t layoutB, const void* beta, const void* c,
        cublasLtMatrixLayout_t layoutC, void* d, cublasLtMatrixLayout_t layoutD, const cublasLtMatmulAlgo_t* algorithm,
        void* workspace, size_t workspaceBytes, cudaStream_t stream),
    (handle, description, alpha, a, layoutA, b, layoutB, beta, c, layoutC, d, layoutD, algorithm, workspace,
        workspaceBytes, stream))
