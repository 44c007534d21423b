// Comparing 1-bit codes: what a recall does once for every memory of a large space.
//
// numpy takes three passes a word for it, with arrays of its own between them, and
// twice the time; this reads every code once.
//
// Built against Python's limited API, so that one wheel serves every version.

#define PY_SSIZE_T_CLEAN
#include <Python.h>

#include <cstdint>

namespace {

// 384 dimensions, as of the built-in embedder: a count that the compiler knows is unrolled.
constexpr Py_ssize_t kUsualWords = 6;

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
        int bits = 0;
        for (Py_ssize_t word = 0; word < words; ++word) {
            bits += __builtin_popcountll(code[word] ^ given.query[word]);
        }
        given.differing[i] = uint16_t(bits);
    }
}

[[gnu::always_inline]] inline void count_all(const Codes& given) {
    if (given.words == kUsualWords) {
        count_each(given, kUsualWords);
    } else {
        count_each(given, given.words);
    }
}

void count_portably(const Codes& given) { count_all(given); }

#if defined(__x86_64__) || defined(__i386__)
__attribute__((target("popcnt"))) void count_by_instruction(const Codes& given) {
    count_all(given);
}
#endif

using Count = void (*)(const Codes&);

Count best_count() {
#if defined(__x86_64__) || defined(__i386__)
    if (__builtin_cpu_supports("popcnt")) return count_by_instruction;
#endif
    return count_portably;
}

const Count count = best_count();

// A buffer that is given back at the end of its scope.
class Buffer {
  public:
    Buffer() = default;
    Buffer(const Buffer&) = delete;
    Buffer& operator=(const Buffer&) = delete;
    ~Buffer() { PyBuffer_Release(&view); }
    Py_buffer view{};
};

PyObject* counted_with(PyObject* arguments, Count with) {
    Buffer codes, query, differing;
    if (!PyArg_ParseTuple(arguments, "y*y*w*:differing_bits", &codes.view, &query.view,
                          &differing.view)) {
        return nullptr;
    }
    Codes given{static_cast<const uint64_t*>(codes.view.buf),
                static_cast<const uint64_t*>(query.view.buf),
                static_cast<uint16_t*>(differing.view.buf),
                differing.view.len / Py_ssize_t{sizeof(uint16_t)},
                query.view.len / Py_ssize_t{sizeof(uint64_t)}};
    // A count of 16 bits holds the difference of codes up to 8,191 bytes long.
    if (query.view.len % Py_ssize_t{sizeof(uint64_t)} != 0 || query.view.len > 8191 ||
        differing.view.len % Py_ssize_t{sizeof(uint16_t)} != 0 ||
        codes.view.len != given.count * query.view.len) {
        PyErr_SetString(PyExc_ValueError,
                        "codes are whole words of 8 bytes, at most 8,191 bytes each, one as long "
                        "as the query's for each of the counts of 2 bytes");
        return nullptr;
    }
    Py_BEGIN_ALLOW_THREADS;
    with(given);
    Py_END_ALLOW_THREADS;
    Py_INCREF(Py_None);
    return Py_None;
}

PyObject* differing_bits(PyObject*, PyObject* arguments) { return counted_with(arguments, count); }

PyObject* portable_differing_bits(PyObject*, PyObject* arguments) {
    return counted_with(arguments, count_portably);
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
    {nullptr, nullptr, 0, nullptr},
};

PyModuleDef module = {
    PyModuleDef_HEAD_INIT, "codes", "Comparing 1-bit codes.", -1,
    methods, nullptr, nullptr, nullptr, nullptr,
};

}  // namespace

PyMODINIT_FUNC PyInit_codes() { return PyModule_Create(&module); }
