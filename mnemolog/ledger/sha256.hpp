// SHA-256 (FIPS 180-4), by x86's instructions for it where the processor has them.

#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>

#if defined(__x86_64__) || defined(__i386__)
#include <cpuid.h>
#include <immintrin.h>
#endif

namespace {

constexpr size_t kBlock = 64;
constexpr size_t kDigest = 32;

alignas(16) constexpr uint32_t kRound[64] = {
    0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5,
    0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174,
    0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da,
    0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7, 0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967,
    0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13, 0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85,
    0xa2bfe8a1, 0xa81a664b, 0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070,
    0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f, 0x682e6ff3,
    0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7, 0xc67178f2,
};

constexpr uint32_t kInitial[8] = {
    0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a, 0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19,
};

inline uint32_t rotated(uint32_t word, int bits) { return word >> bits | word << (32 - bits); }

inline uint32_t big_endian(const uint8_t* bytes) {
    return uint32_t{bytes[0]} << 24 | uint32_t{bytes[1]} << 16 | uint32_t{bytes[2]} << 8 | bytes[3];
}

void compress_portably(uint32_t* state, const uint8_t* data, size_t blocks) {
    for (; blocks > 0; --blocks, data += kBlock) {
        uint32_t w[64];
        for (int i = 0; i < 16; ++i) w[i] = big_endian(data + 4 * i);
        for (int i = 16; i < 64; ++i) {
            const uint32_t s0 = rotated(w[i - 15], 7) ^ rotated(w[i - 15], 18) ^ w[i - 15] >> 3;
            const uint32_t s1 = rotated(w[i - 2], 17) ^ rotated(w[i - 2], 19) ^ w[i - 2] >> 10;
            w[i] = w[i - 16] + s0 + w[i - 7] + s1;
        }
        uint32_t a = state[0], b = state[1], c = state[2], d = state[3];
        uint32_t e = state[4], f = state[5], g = state[6], h = state[7];
        for (int i = 0; i < 64; ++i) {
            const uint32_t s1 = rotated(e, 6) ^ rotated(e, 11) ^ rotated(e, 25);
            const uint32_t t1 = h + s1 + ((e & f) ^ (~e & g)) + kRound[i] + w[i];
            const uint32_t s0 = rotated(a, 2) ^ rotated(a, 13) ^ rotated(a, 22);
            const uint32_t t2 = s0 + ((a & b) ^ (a & c) ^ (b & c));
            h = g, g = f, f = e, e = d + t1, d = c, c = b, b = a, a = t1 + t2;
        }
        state[0] += a, state[1] += b, state[2] += c, state[3] += d;
        state[4] += e, state[5] += f, state[6] += g, state[7] += h;
    }
}

#if defined(__x86_64__) || defined(__i386__)
bool has_sha_instructions() {
    unsigned a, b, c, d;
    if (!__get_cpuid(1, &a, &b, &c, &d) || !(c & bit_SSE4_1) || !(c & bit_SSSE3)) return false;
    return __get_cpuid_count(7, 0, &a, &b, &c, &d) && (b & (1u << 29));
}

// Four rounds at a time, as Intel describes in 'Intel SHA Extensions' (2013).
__attribute__((target("sha,sse4.1,ssse3"))) void compress_by_instructions(uint32_t* state,
                                                                          const uint8_t* data,
                                                                          size_t blocks) {
    const __m128i swap = _mm_set_epi64x(0x0c0d0e0f08090a0b, 0x0405060700010203);
    // The instructions want the state as ABEF and CDGH.
    const __m128i cdab = _mm_shuffle_epi32(_mm_loadu_si128(reinterpret_cast<__m128i*>(state)), 0xb1);
    const __m128i efgh =
        _mm_shuffle_epi32(_mm_loadu_si128(reinterpret_cast<__m128i*>(state + 4)), 0x1b);
    __m128i abef = _mm_alignr_epi8(cdab, efgh, 8);
    __m128i cdgh = _mm_blend_epi16(efgh, cdab, 0xf0);
    for (; blocks > 0; --blocks, data += kBlock) {
        const __m128i abef_before = abef, cdgh_before = cdgh;
        __m128i w[4];
        for (int i = 0; i < 4; ++i) {
            w[i] = _mm_shuffle_epi8(
                _mm_loadu_si128(reinterpret_cast<const __m128i*>(data + 16 * i)), swap);
        }
#pragma GCC unroll 16
        for (int i = 0; i < 16; ++i) {
            const __m128i word = w[i & 3];
            const __m128i keyed =
                _mm_add_epi32(word, _mm_load_si128(reinterpret_cast<const __m128i*>(kRound + 4 * i)));
            cdgh = _mm_sha256rnds2_epu32(cdgh, abef, keyed);
            abef = _mm_sha256rnds2_epu32(abef, cdgh, _mm_shuffle_epi32(keyed, 0x0e));
            if (i < 12) {
                // w[i] becomes the schedule's words four steps on.
                const __m128i seven_before = _mm_alignr_epi8(w[(i + 3) & 3], w[(i + 2) & 3], 4);
                const __m128i sum =
                    _mm_add_epi32(_mm_sha256msg1_epu32(word, w[(i + 1) & 3]), seven_before);
                w[i & 3] = _mm_sha256msg2_epu32(sum, w[(i + 3) & 3]);
            }
        }
        abef = _mm_add_epi32(abef, abef_before);
        cdgh = _mm_add_epi32(cdgh, cdgh_before);
    }
    const __m128i feba = _mm_shuffle_epi32(abef, 0x1b);
    const __m128i dchg = _mm_shuffle_epi32(cdgh, 0xb1);
    _mm_storeu_si128(reinterpret_cast<__m128i*>(state), _mm_blend_epi16(feba, dchg, 0xf0));
    _mm_storeu_si128(reinterpret_cast<__m128i*>(state + 4), _mm_alignr_epi8(dchg, feba, 8));
}
#endif

using Compress = void (*)(uint32_t*, const uint8_t*, size_t);

Compress best_compress() {
#if defined(__x86_64__) || defined(__i386__)
    if (has_sha_instructions()) return compress_by_instructions;
#endif
    return compress_portably;
}

const Compress compress = best_compress();

// One hash under way: whole blocks are compressed from where they lie.
class Sha256 {
  public:
    explicit Sha256(Compress with = compress) : compress_(with) {
        std::memcpy(state_, kInitial, sizeof state_);
    }

    void update(const uint8_t* data, size_t size) {
        length_ += size;
        if (held_ > 0) {
            const size_t taken = size < kBlock - held_ ? size : kBlock - held_;
            std::memcpy(buffer_ + held_, data, taken);
            held_ += taken, data += taken, size -= taken;
            if (held_ < kBlock) return;
            compress_(state_, buffer_, 1);
            held_ = 0;
        }
        compress_(state_, data, size / kBlock);
        held_ = size % kBlock;
        std::memcpy(buffer_, data + (size - held_), held_);
    }

    void finish(uint8_t* digest) {  // 32 bytes
        const uint64_t bits = uint64_t{length_} * 8;
        buffer_[held_++] = 0x80;
        if (held_ > kBlock - 8) {
            std::memset(buffer_ + held_, 0, kBlock - held_);
            compress_(state_, buffer_, 1);
            held_ = 0;
        }
        std::memset(buffer_ + held_, 0, kBlock - 8 - held_);
        for (int i = 0; i < 8; ++i) buffer_[kBlock - 1 - i] = uint8_t(bits >> 8 * i);
        compress_(state_, buffer_, 1);
        for (int i = 0; i < 32; ++i) digest[i] = uint8_t(state_[i / 4] >> (24 - 8 * (i % 4)));
    }

  private:
    Compress compress_;
    uint32_t state_[8];
    uint8_t buffer_[kBlock];
    size_t held_ = 0;
    size_t length_ = 0;
};

}  // namespace
