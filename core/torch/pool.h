// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstddef>
#include <memory>
#include <vector>

namespace remat::torch {

/// Objects of one type that come and go thousands of times in a step: given back ones are used again as they are, with
/// the memory that their vectors hold.  Addresses stay.  Whoever gives one back has emptied it.
template <class T> class Pool {
public:
    T& take()
    {
        if (!m_free.empty()) {
            T* item = m_free.back();
            m_free.pop_back();
            return *item;
        }
        if (m_used == kChunk) {
            m_chunks.push_back(std::make_unique<T[]>(kChunk));
            m_used = 0;
        }
        return m_chunks.back()[m_used++];
    }
    void giveBack(T& item) { m_free.push_back(&item); }
    /// Visits every object ever taken, given back or not.
    template <class Visit> void forEach(Visit visit) const
    {
        for (std::size_t chunk = 0; chunk < m_chunks.size(); ++chunk) {
            const std::size_t count = chunk + 1 == m_chunks.size() ? m_used : kChunk;
            for (std::size_t i = 0; i < count; ++i)
                visit(m_chunks[chunk][i]);
        }
    }

private:
    static constexpr std::size_t kChunk = 256;

    std::vector<std::unique_ptr<T[]>> m_chunks;
    std::vector<T*> m_free;
    std::size_t m_used = kChunk;
};

/// A counted reference to a pooled object: T has `references` and `void lastReferenceDropped()`.
template <class T> class Ref {
public:
    Ref() = default;
    explicit Ref(T* item) : m_item(item)
    {
        if (m_item)
            ++m_item->references;
    }
    Ref(const Ref& other) : Ref(other.m_item) { }
    Ref(Ref&& other) noexcept : m_item(other.m_item) { other.m_item = nullptr; }
    Ref& operator=(Ref other) noexcept
    {
        std::swap(m_item, other.m_item);
        return *this;
    }
    ~Ref() { reset(); }
    void reset()
    {
        if (T* item = m_item) {
            m_item = nullptr;
            if (--item->references == 0)
                item->lastReferenceDropped();
        }
    }
    T* get() const { return m_item; }
    T* operator->() const { return m_item; }
    T& operator*() const { return *m_item; }
    explicit operator bool() const { return m_item != nullptr; }

private:
    T* m_item = nullptr;
};

} // namespace remat::torch
