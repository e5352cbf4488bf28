// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "cuda/machine/gpu.h"

namespace remat::cuda {

/// The emulator as a Gpu: memory is heap blocks of exactly the size asked for, so that the address sanitizer sees every
/// access beside them, and products are plain loops with fp32 sums.
class EmulatedGpu : public Gpu {
public:
    std::string name() const override { return "emulated GPU"; }
    Stream stream() const override { return nullptr; }
    std::byte* allocate(Bytes bytes) override;
    void release(std::byte* data) override;
    void setBytes(std::span<std::byte> data, unsigned char value) override;
    void copyToHost(std::span<const std::byte> data, std::span<std::byte> out) override;
    void finish() override { }
    void multiply(const Product& product, std::byte* workspace) override;
};

} // namespace remat::cuda
