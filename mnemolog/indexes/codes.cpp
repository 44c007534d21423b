// Comparing vectors: their 1-bit codes, which a recall reads once for every memory of a large
// space, and the numbers themselves of those that are left.
//
// numpy takes several passes with arrays of its own between them; this reads every code and
// every vector once.
//
// Built against Python's limited API, so that one wheel serves every version.

#define PY_SSIZE_T_CLEAN
#include <Python.h>

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <stdexcept>
#include <thread>
#include <vector>

#if defined(__x86_64__) || defined(__i386__)
#include <immintrin.h>
#define X86 1
#endif

namespace {

// 384 dimensions, as of the built-in embedder: a count that the compiler knows is unrolled.
constexpr Py_ssize_t kUsualWords = 6;
constexpr int kPlanes = 2;            // Bits of a weight in a cue's planes
constexpr uint16_t kOut = 0xffff;     // Distance of a row that must not be found
// Starting a thread costs what so many rows take.
constexpr Py_ssize_t kCodesPerThread = 100'000, kVectorsPerThread = 2'000;
constexpr unsigned kMostThreads = 4;

unsigned threads_for(Py_ssize_t rows, Py_ssize_t rows_per_thread) {
    const Py_ssize_t worth = std::max<Py_ssize_t>(1, rows / rows_per_thread);
    const unsigned cores = std::max(1u, std::thread::hardware_concurrency());
    return unsigned(std::min<Py_ssize_t>(worth, std::min(cores, kMostThreads)));
}

// `work(thread, first, last)` over all rows, on so many threads. Each row's result depends on that
// row alone, so their number changes nothing. It must not throw.
template <typename Work>
void in_parallel(Py_ssize_t rows, unsigned count, const Work& work) {
    const Py_ssize_t part = (rows + count - 1) / count;
    std::vector<std::thread> others;
    others.reserve(count);
    Py_ssize_t first = 0;
    try {
        for (; first + part < rows; first += part) {
            others.emplace_back(work, others.size(), first, first + part);
        }
    } catch (const std::exception&) {
        // No further thread: this one does the rest.
    }
    work(others.size(), first, rows);
    for (auto& other : others) other.join();
}

// -- codes -----------------------------------------------------------------------------
// Bytes ahead of a code that are fetched: one after another, codes come faster than by themselves.
constexpr uintptr_t kAheadBytes = 4096;

[[gnu::always_inline]] inline void fetch_ahead(const uint64_t* code) {
    // An address, as it may lie behind the last code.
    __builtin_prefetch(reinterpret_cast<const void*>(reinterpret_cast<uintptr_t>(code) + kAheadBytes));
}

struct Codes {
    const uint64_t* codes;
    const uint64_t* query;
    uint16_t* differing;
    Py_ssize_t count;
    Py_ssize_t words;
};

[[gnu::always_inline]] inline void count_each(const Codes& given, Py_ssize_t words) {
    const uint64_t* code = given.codes;
    for (Py_ssize_t i = 0; i < given.count; ++i, code += words) {
        fetch_ahead(code);
        int bits = 0;
        for (Py_ssize_t word = 0; word < words; ++word) {
            bits += __builtin_popcountll(code[word] ^ given.query[word]);
        }
        given.differing[i] = uint16_t(bits);
    }
}

// The same, each differing bit with its weight: `query` has the signs, then the planes of the
// weights, the lowest bits first.
[[gnu::always_inline]] inline void weigh_each(const Codes& given, Py_ssize_t words) {
    const uint64_t* code = given.codes;
    for (Py_ssize_t i = 0; i < given.count; ++i, code += words) {
        fetch_ahead(code);
        int weight = 0;
        for (Py_ssize_t word = 0; word < words; ++word) {
            const uint64_t differs = code[word] ^ given.query[word];
            for (int plane = 0; plane < kPlanes; ++plane) {
                const uint64_t weighted = differs & given.query[(plane + 1) * words + word];
                weight += __builtin_popcountll(weighted) << plane;
            }
        }
        given.differing[i] = uint16_t(weight);
    }
}

[[gnu::always_inline]] inline void count_all(const Codes& given) {
    given.words == kUsualWords ? count_each(given, kUsualWords) : count_each(given, given.words);
}

[[gnu::always_inline]] inline void weigh_all(const Codes& given) {
    given.words == kUsualWords ? weigh_each(given, kUsualWords) : weigh_each(given, given.words);
}

using Count = void (*)(const Codes&);

void count_portably(const Codes& given) { count_all(given); }
void weigh_portably(const Codes& given) { weigh_all(given); }

#ifdef X86
__attribute__((target("popcnt"))) void count_by_instruction(const Codes& given) {
    count_all(given);
}
__attribute__((target("popcnt"))) void weigh_by_instruction(const Codes& given) {
    weigh_all(given);
}

#ifndef __clang__
// GCC warns of what its own header leaves open on purpose (its bug 105593).
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wmaybe-uninitialized"
#endif
// Eight codes at a time, a code in each vector: 512 bits hold one of up to 8 words.
constexpr Py_ssize_t kWordsPerVector = 8;

__attribute__((target("avx512f,avx512vpopcntdq"))) void weigh_by_vectors(const Codes& given) {
    const Py_ssize_t words = given.words, whole = given.count - given.count % 8;
    if (words > kWordsPerVector) return weigh_by_instruction(given);
    const auto mask = __mmask8((1u << words) - 1);
    const auto query = _mm512_maskz_loadu_epi64(mask, given.query);
    const auto low = _mm512_maskz_loadu_epi64(mask, given.query + words);
    const auto high = _mm512_maskz_loadu_epi64(mask, given.query + 2 * words);
    for (Py_ssize_t i = 0; i < whole; i += 8) {
        __m512i sums[8];
        for (int row = 0; row < 8; ++row) {
            const uint64_t* code = given.codes + (i + row) * words;
            fetch_ahead(code);
            const auto differs = _mm512_xor_si512(_mm512_maskz_loadu_epi64(mask, code), query);
            const auto ones = _mm512_popcnt_epi64(_mm512_and_si512(differs, low));
            const auto twos = _mm512_popcnt_epi64(_mm512_and_si512(differs, high));
            sums[row] = _mm512_add_epi64(ones, _mm512_slli_epi64(twos, 1));
        }
        // Sums of neighbouring words of two rows, then of four and of all eight words.
        __m512i pairs[4], fours[2];
        for (int at = 0; at < 4; ++at) {
            const auto one = sums[2 * at], other = sums[2 * at + 1];
            pairs[at] = _mm512_add_epi64(_mm512_unpacklo_epi64(one, other),
                                         _mm512_unpackhi_epi64(one, other));
        }
        for (int at = 0; at < 2; ++at) {
            const auto one = pairs[2 * at], other = pairs[2 * at + 1];
            fours[at] = _mm512_add_epi64(_mm512_shuffle_i64x2(one, other, 0x88),
                                         _mm512_shuffle_i64x2(one, other, 0xdd));
        }
        const auto weights = _mm512_add_epi64(_mm512_shuffle_i64x2(fours[0], fours[1], 0x88),
                                              _mm512_shuffle_i64x2(fours[0], fours[1], 0xdd));
        _mm_storeu_si128(reinterpret_cast<__m128i*>(given.differing + i),
                         _mm512_cvtepi64_epi16(weights));
    }
    weigh_by_instruction({given.codes + whole * words, given.query, given.differing + whole,
                          given.count - whole, words});
}
static_assert(kPlanes == 2, "weigh_by_vectors reads two planes");
#ifndef __clang__
#pragma GCC diagnostic pop
#endif

const bool has_popcnt = __builtin_cpu_supports("popcnt");
const bool has_vectors = __builtin_cpu_supports("avx512f") &&
                         __builtin_cpu_supports("avx512vpopcntdq");
const Count count = has_popcnt ? count_by_instruction : count_portably;
const Count weigh = has_vectors  ? weigh_by_vectors
                    : has_popcnt ? weigh_by_instruction
                                 : weigh_portably;
#else
const Count count = count_portably;
const Count weigh = weigh_portably;
#endif

// Rows by distance, as many as 16 bits tell apart in codes of so many words.
size_t radii(Py_ssize_t words) { return size_t((1 << kPlanes) - 1) * 64 * size_t(words) + 1; }

// The `wanted` rows with the least distances, ascending; of the outermost the last ones.
// `rows_at` has the number of rows at each distance.
Py_ssize_t nearest(const std::vector<uint16_t>& distances, const std::vector<uint32_t>& rows_at,
                   Py_ssize_t wanted, int64_t* found) {
    size_t radius = 0;
    Py_ssize_t inside = 0;
    while (radius < rows_at.size() && inside + Py_ssize_t(rows_at[radius]) < wanted) {
        inside += rows_at[radius++];
    }
    // Whole circles can hold thousands: of the outermost only as many as are wanted.
    Py_ssize_t surplus = radius == rows_at.size()
                             ? 0
                             : std::max<Py_ssize_t>(0, inside + rows_at[radius] - wanted);
    Py_ssize_t kept = 0;
    for (size_t row = 0; row < distances.size(); ++row) {
        const uint16_t distance = distances[row];
        if (distance > radius || distance == kOut) continue;
        if (distance == radius && surplus > 0) {
            --surplus;
            continue;
        }
        found[kept++] = int64_t(row);
    }
    return kept;
}

// -- vectors ---------------------------------------------------------------------------
struct Rows {
    const uint16_t* vectors;  // float16
    const int64_t* rows;
    const float* query;
    float* products;
    Py_ssize_t dimensions;
};

constexpr Py_ssize_t kLanes = 8;
constexpr Py_ssize_t kAhead = 8;  // Rows that are fetched before they are needed

float half_to_float(uint16_t half) {
    const uint32_t sign = uint32_t(half & 0x8000u) << 16;
    uint32_t exponent = (half >> 10) & 0x1fu, fraction = half & 0x3ffu, bits;
    if (exponent == 0x1f) {
        bits = sign | 0x7f800000u | (fraction << 13);
    } else if (exponent == 0) {
        const float value = float(fraction) * 0x1p-24f;
        std::memcpy(&bits, &value, sizeof bits);
        bits |= sign;
    } else {
        bits = sign | ((exponent + 112) << 23) | (fraction << 13);
    }
    float value;
    std::memcpy(&value, &bits, sizeof value);
    return value;
}

// Sums in eight lanes, then in pairs: in one order for every row, whichever are asked for.
void multiply_portably(const Rows& given, Py_ssize_t first, Py_ssize_t last) {
    for (Py_ssize_t i = first; i < last; ++i) {
        const uint16_t* vector = given.vectors + given.rows[i] * given.dimensions;
        float sums[kLanes] = {};
        for (Py_ssize_t j = 0; j < given.dimensions; ++j) {
            sums[j % kLanes] += half_to_float(vector[j]) * given.query[j];
        }
        for (Py_ssize_t width = kLanes / 2; width > 0; width /= 2) {
            for (Py_ssize_t lane = 0; lane < width; ++lane) sums[lane] += sums[lane + width];
        }
        given.products[i] = sums[0];
    }
}

using Multiply = void (*)(const Rows&, Py_ssize_t, Py_ssize_t);

#ifdef X86
__attribute__((target("avx,f16c,fma"))) void multiply_by_instruction(const Rows& given,
                                                                     Py_ssize_t first,
                                                                     Py_ssize_t last) {
    const Py_ssize_t bytes = given.dimensions * Py_ssize_t{sizeof(uint16_t)};
    for (Py_ssize_t i = first; i < last; ++i) {
        if (i + kAhead < last) {
            const auto* ahead = reinterpret_cast<const char*>(
                given.vectors + given.rows[i + kAhead] * given.dimensions);
            for (Py_ssize_t at = 0; at < bytes; at += 64) _mm_prefetch(ahead + at, _MM_HINT_T0);
        }
        const uint16_t* vector = given.vectors + given.rows[i] * given.dimensions;
        __m256 sums = _mm256_setzero_ps();
        Py_ssize_t j = 0;
        for (; j + kLanes <= given.dimensions; j += kLanes) {
            const auto halves = _mm_loadu_si128(reinterpret_cast<const __m128i*>(vector + j));
            sums = _mm256_fmadd_ps(_mm256_cvtph_ps(halves), _mm256_loadu_ps(given.query + j), sums);
        }
        __m128 four = _mm_add_ps(_mm256_castps256_ps128(sums), _mm256_extractf128_ps(sums, 1));
        __m128 two = _mm_add_ps(four, _mm_movehl_ps(four, four));
        float sum = _mm_cvtss_f32(_mm_add_ss(two, _mm_shuffle_ps(two, two, 1)));
        for (; j < given.dimensions; ++j) sum += half_to_float(vector[j]) * given.query[j];
        given.products[i] = sum;
    }
}
const Multiply multiply = __builtin_cpu_supports("avx") && __builtin_cpu_supports("fma") &&
                                  __builtin_cpu_supports("f16c")
                              ? multiply_by_instruction
                              : multiply_portably;
#else
const Multiply multiply = multiply_portably;
#endif

// -- Python ----------------------------------------------------------------------------
// A buffer that is given back at the end of its scope.
class Buffer {
  public:
    Buffer() = default;
    Buffer(const Buffer&) = delete;
    Buffer& operator=(const Buffer&) = delete;
    ~Buffer() { PyBuffer_Release(&view); }
    Py_buffer view{};

    template <typename T>
    T* as() const {
        return static_cast<T*>(view.buf);
    }
    template <typename T>
    Py_ssize_t count() const {
        return view.len / Py_ssize_t{sizeof(T)};
    }
};

PyObject* refuse(const char* problem) {
    PyErr_SetString(PyExc_ValueError, problem);
    return nullptr;
}

PyObject* counted_with(PyObject* arguments, Count with) {
    Buffer codes, query, differing;
    if (!PyArg_ParseTuple(arguments, "y*y*w*:differing_bits", &codes.view, &query.view,
                          &differing.view)) {
        return nullptr;
    }
    Codes given{codes.as<const uint64_t>(), query.as<const uint64_t>(), differing.as<uint16_t>(),
                differing.count<uint16_t>(), query.count<uint64_t>()};
    // A count of 16 bits holds the difference of codes up to 8,191 bytes long.
    if (query.view.len % Py_ssize_t{sizeof(uint64_t)} != 0 || query.view.len > 8191 ||
        differing.view.len % Py_ssize_t{sizeof(uint16_t)} != 0 ||
        codes.view.len != given.count * query.view.len) {
        return refuse(
            "codes are whole words of 8 bytes, at most 8,191 bytes each, one as long "
            "as the query's for each of the counts of 2 bytes");
    }
    Py_BEGIN_ALLOW_THREADS;
    with(given);
    Py_END_ALLOW_THREADS;
    Py_INCREF(Py_None);
    return Py_None;
}

PyObject* nearest_with(PyObject* arguments, Count with) {
    Buffer codes, query, allowed, excluded, found;
    if (!PyArg_ParseTuple(arguments, "y*y*y*y*w*:nearest_codes", &codes.view, &query.view,
                          &allowed.view, &excluded.view, &found.view)) {
        return nullptr;
    }
    const Py_ssize_t words = query.count<uint64_t>() / (1 + kPlanes);
    const Py_ssize_t row_bytes = words * Py_ssize_t{sizeof(uint64_t)};
    // A distance of 16 bits, of which one is taken, holds the weights of 8,192 dimensions.
    if (words == 0 || query.view.len != (1 + kPlanes) * row_bytes || row_bytes > 1024 ||
        codes.view.len % row_bytes != 0) {
        return refuse(
            "the query has three rows, of the signs and of two planes of weights, "
            "each as long as a code, of whole words of 8 bytes and at most 1,024 bytes");
    }
    const Py_ssize_t count = codes.view.len / row_bytes;
    const bool has_mask = allowed.view.len != 0;
    if (has_mask && allowed.view.len != count) return refuse("the mask has a byte for each code");
    for (Py_ssize_t i = 0; i < excluded.count<int64_t>(); ++i) {
        const int64_t row = excluded.as<const int64_t>()[i];
        if (row < 0 || row >= count) return refuse("an excluded row is none of the codes");
    }
    Py_ssize_t kept = 0;
    bool failed = false;
    Py_BEGIN_ALLOW_THREADS;
    try {
        // Kept, as taking fresh pages from the system would cost a tenth of the search.
        thread_local std::vector<uint16_t> kept_distances;
        std::vector<uint16_t>& distances = kept_distances;
        distances.resize(static_cast<size_t>(count));
        const unsigned threads = threads_for(count, kCodesPerThread);
        std::vector<std::vector<uint32_t>> rows_at(threads, std::vector<uint32_t>(radii(words)));
        const auto* mask = allowed.as<const uint8_t>();
        in_parallel(count, threads, [&](size_t thread, Py_ssize_t first, Py_ssize_t last) {
            with(Codes{codes.as<const uint64_t>() + first * words, query.as<const uint64_t>(),
                       distances.data() + first, last - first, words});
            for (Py_ssize_t row = first; row < last; ++row) {
                uint16_t& distance = distances[size_t(row)];
                if (has_mask && !mask[row]) {
                    distance = kOut;
                } else {
                    ++rows_at[thread][distance];
                }
            }
        });
        for (size_t thread = 1; thread < threads; ++thread) {
            for (size_t at = 0; at < rows_at[0].size(); ++at) rows_at[0][at] += rows_at[thread][at];
        }
        for (Py_ssize_t i = 0; i < excluded.count<int64_t>(); ++i) {
            uint16_t& distance = distances[size_t(excluded.as<const int64_t>()[i])];
            if (distance != kOut) --rows_at[0][distance];
            distance = kOut;
        }
        kept = nearest(distances, rows_at[0], found.count<int64_t>(), found.as<int64_t>());
    } catch (const std::bad_alloc&) {
        failed = true;
    }
    Py_END_ALLOW_THREADS;
    return failed ? PyErr_NoMemory() : PyLong_FromSsize_t(kept);
}

PyObject* products_with(PyObject* arguments, Multiply with) {
    Buffer vectors, rows, query, products;
    if (!PyArg_ParseTuple(arguments, "y*y*y*w*:products", &vectors.view, &rows.view, &query.view,
                          &products.view)) {
        return nullptr;
    }
    const Rows given{vectors.as<const uint16_t>(), rows.as<const int64_t>(),
                     query.as<const float>(), products.as<float>(), query.count<float>()};
    const Py_ssize_t count = rows.count<int64_t>();
    if (given.dimensions == 0 || products.count<float>() != count) {
        return refuse("the query has a number, and there is a product for each row");
    }
    const Py_ssize_t held = vectors.count<uint16_t>() / given.dimensions;
    for (Py_ssize_t i = 0; i < count; ++i) {
        if (given.rows[i] < 0 || given.rows[i] >= held) return refuse("a row is none of the vectors");
    }
    Py_BEGIN_ALLOW_THREADS;
    in_parallel(count, threads_for(count, kVectorsPerThread),
                [&](size_t, Py_ssize_t first, Py_ssize_t last) { with(given, first, last); });
    Py_END_ALLOW_THREADS;
    Py_INCREF(Py_None);
    return Py_None;
}

PyObject* differing_bits(PyObject*, PyObject* arguments) { return counted_with(arguments, count); }
PyObject* portable_differing_bits(PyObject*, PyObject* arguments) {
    return counted_with(arguments, count_portably);
}
PyObject* nearest_codes(PyObject*, PyObject* arguments) { return nearest_with(arguments, weigh); }
PyObject* portable_nearest_codes(PyObject*, PyObject* arguments) {
    return nearest_with(arguments, weigh_portably);
}
PyObject* products(PyObject*, PyObject* arguments) { return products_with(arguments, multiply); }
PyObject* portable_products(PyObject*, PyObject* arguments) {
    return products_with(arguments, multiply_portably);
}

PyMethodDef methods[] = {
    {"differing_bits", differing_bits, METH_VARARGS,
     "differing_bits(codes, query, differing)\n\n"
     "Write into `differing`, of shape (codes,) and uint16, in how many bits each code differs\n"
     "from the query's: `codes` of shape (codes, words) and uint64, `query` (words,). Raises\n"
     "ValueError for arrays whose sizes do not fit or that have gaps, TypeError if `differing`\n"
     "cannot be written."},
    {"portable_differing_bits", portable_differing_bits, METH_VARARGS,
     "The same without the processor's instruction for it."},
    {"nearest_codes", nearest_codes, METH_VARARGS,
     "nearest_codes(codes, query, allowed, excluded, found) -> count\n\n"
     "Write the rows of the nearest codes into `found` (int64), as many as it has room for,\n"
     "ascending, and return their number; of equally near ones the last are taken. `codes` has\n"
     "the shape (codes, words) and uint64. `query`, (3, words), has the signs and two planes\n"
     "of weights, the lowest bits first: the distance is the sum of the weights of the bits that\n"
     "differ. `allowed` is empty or a mask (bool) of the codes, `excluded` (int64) are rows that\n"
     "must not be found. Raises ValueError for arrays whose sizes do not fit or that have gaps."},
    {"portable_nearest_codes", portable_nearest_codes, METH_VARARGS,
     "The same without the processor's instruction for it."},
    {"products", products, METH_VARARGS,
     "products(vectors, rows, query, products)\n\n"
     "Write into `products` (float32) the scalar product of the query, float32 of shape\n"
     "(numbers,), with each of these `rows` (int64) of `vectors`, float16 of shape (vectors,\n"
     "numbers). Every row is summed in one order. Raises ValueError for arrays that do not fit."},
    {"portable_products", portable_products, METH_VARARGS,
     "The same without the processor's instructions for it; sums may differ in the last bits."},
    {nullptr, nullptr, 0, nullptr},
};

PyModuleDef module = {
    PyModuleDef_HEAD_INIT, "codes", "Comparing vectors and their 1-bit codes.", -1,
    methods, nullptr, nullptr, nullptr, nullptr,
};

}  // namespace

PyMODINIT_FUNC PyInit_codes() { return PyModule_Create(&module); }
