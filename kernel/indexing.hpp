// std::vector, std::span and std::array with signed indices.
//
// Lines, words and boundaries are numbered by `int`, because numbers are subtracted and -1 means "none". The standard
// containers count with std::size_t. These types convert in one place, so that no solver has to.
#pragma once

#include <array>
#include <concepts>
#include <cstddef>
#include <span>
#include <utility>
#include <vector>

namespace pagemeter {

constexpr std::size_t unsigned_index(std::integral auto i) { return static_cast<std::size_t>(i); }

template <class T>
class Vector : public std::vector<T> {
  public:
    using Base = std::vector<T>;
    using Base::Base;
    Vector(Base items) : Base(std::move(items)) {}
    explicit Vector(std::integral auto count) : Base(unsigned_index(count)) {}
    Vector(std::integral auto count, const T& value) : Base(unsigned_index(count), value) {}

    T& operator[](std::integral auto i) { return Base::operator[](unsigned_index(i)); }
    const T& operator[](std::integral auto i) const { return Base::operator[](unsigned_index(i)); }
    int count() const { return static_cast<int>(Base::size()); }

    using Base::assign;
    void assign(std::integral auto count, const T& value) { Base::assign(unsigned_index(count), value); }
    void resize(std::integral auto count) { Base::resize(unsigned_index(count)); }
    void resize(std::integral auto count, const T& value) { Base::resize(unsigned_index(count), value); }
};

template <class T>
class View : public std::span<T> {
  public:
    using Base = std::span<T>;
    using Base::Base;
    constexpr View(Base items) : Base(items) {}

    constexpr T& operator[](std::integral auto i) const { return Base::operator[](unsigned_index(i)); }
    constexpr int count() const { return static_cast<int>(Base::size()); }
    constexpr View first(std::integral auto count) const { return Base::first(unsigned_index(count)); }
    constexpr View subspan(std::integral auto from) const { return Base::subspan(unsigned_index(from)); }
    constexpr View subspan(std::integral auto from, std::integral auto count) const {
        return Base::subspan(unsigned_index(from), unsigned_index(count));
    }
};

template <class T, std::size_t N>
struct Array : std::array<T, N> {
    using Base = std::array<T, N>;
    constexpr T& operator[](std::integral auto i) { return Base::operator[](unsigned_index(i)); }
    constexpr const T& operator[](std::integral auto i) const { return Base::operator[](unsigned_index(i)); }
};

}  // namespace pagemeter
