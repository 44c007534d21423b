// What an append and a verification do once an event: hashes, links and rows.
//
// In Python the same loops took three times as long, most of it for making and
// freeing a hashlib context of its own for every few dozen bytes. The formulas are
// those of ledger/digests.py, which reads events by hashlib: what is sealed here is
// proved by another implementation when it is shown.
//
// Built against Python's limited API, so that one wheel serves every version.

#define PY_SSIZE_T_CLEAN
#include <Python.h>

#include <algorithm>
#include <charconv>
#include <cstdint>
#include <cstring>
#include <string>

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

// -- Python's objects ------------------------------------------------------------------

constexpr size_t kId = 16;
constexpr size_t kSalt = 16;
constexpr char kAbsent = 0, kPresent = 1, kLink = 2;

// A reference that is given back at the end of its scope.
class Owned {
  public:
    explicit Owned(PyObject* object = nullptr) : object_(object) {}
    Owned(const Owned&) = delete;
    Owned& operator=(const Owned&) = delete;
    ~Owned() { Py_XDECREF(object_); }
    PyObject* get() const { return object_; }
    PyObject* release() {
        PyObject* object = object_;
        object_ = nullptr;
        return object;
    }
    explicit operator bool() const { return object_ != nullptr; }

  private:
    PyObject* object_;
};

struct Bytes {
    const char* data = nullptr;
    Py_ssize_t size = 0;
};

PyObject* none() {
    Py_INCREF(Py_None);
    return Py_None;
}

PyObject* bytes_object(const void* data, size_t size) {
    return PyBytes_FromStringAndSize(static_cast<const char*>(data), Py_ssize_t(size));
}

bool bytes_of(PyObject* object, Bytes* found) {
    return PyBytes_AsStringAndSize(object, const_cast<char**>(&found->data), &found->size) == 0;
}

bool utf8_of(PyObject* object, Bytes* found) {
    found->data = PyUnicode_AsUTF8AndSize(object, &found->size);
    return found->data != nullptr;
}

void add(Sha256* hash, const void* data, size_t size) {
    hash->update(static_cast<const uint8_t*>(data), size);
}

// -- sealing ---------------------------------------------------------------------------

constexpr uint8_t kNoDigit = 0xff;

// What each byte counts as a lowercase hexadecimal digit.
struct HexValues {
    uint8_t of[256];
    constexpr HexValues() : of() {
        for (uint8_t& value : of) value = kNoDigit;
        for (int i = 0; i < 10; ++i) of['0' + i] = uint8_t(i);
        for (int i = 0; i < 6; ++i) of['a' + i] = uint8_t(10 + i);
    }
};
constexpr HexValues kHexValues;

// The 16 bytes that 32 hexadecimal digits stand for.
bool read_id(PyObject* digits, uint8_t* id) {
    Bytes text;
    if (!utf8_of(digits, &text)) return false;
    bool good = text.size == 2 * kId;
    for (size_t i = 0; good && i < kId; ++i) {
        const uint8_t high = kHexValues.of[uint8_t(text.data[2 * i])];
        const uint8_t low = kHexValues.of[uint8_t(text.data[2 * i + 1])];
        good = high != kNoDigit && low != kNoDigit;
        id[i] = uint8_t(high << 4 | low);
    }
    if (!good) PyErr_Format(PyExc_ValueError, "%R is no id of 32 hexadecimal digits", digits);
    return good;
}

void append_number(std::string* json, long long number) {
    char digits[24];
    json->append(digits, std::to_chars(digits, digits + sizeof digits, number).ptr);
}

void append_escaped(std::string* json, unsigned char byte) {
    constexpr char kHex[] = "0123456789abcdef";
    json->push_back('\\');
    switch (byte) {
        case '"': case '\\': json->push_back(char(byte)); break;
        case '\b': json->push_back('b'); break;
        case '\t': json->push_back('t'); break;
        case '\n': json->push_back('n'); break;
        case '\f': json->push_back('f'); break;
        case '\r': json->push_back('r'); break;
        default:
            json->append("u00");
            json->push_back(kHex[byte >> 4]);
            json->push_back(kHex[byte & 15]);
    }
}

// A JSON string as msgspec writes it: what must be escaped, as short as may be.
void append_string(std::string* json, Bytes text) {
    json->push_back('"');
    const char* const end = text.data + text.size;
    for (const char* plain = text.data;;) {
        const char* next = std::find_if(plain, end, [](unsigned char byte) {
            return byte < 0x20 || byte == '"' || byte == '\\';
        });
        json->append(plain, next);
        if (next == end) break;
        append_escaped(json, static_cast<unsigned char>(*next));
        plain = next + 1;
    }
    json->push_back('"');
}

// The attributes of a draft, by the names of the log's columns.
enum Field {
    kEventId, kSpace, kKind, kVersion, kActor, kMemoryId, kCorrelationId, kCausationId, kStructure,
    kContent, kFields,
};
constexpr const char* kNames[kFields] = {
    "event_id", "space", "kind", "version", "actor", "memory_id", "correlation_id", "causation_id",
    "structure", "content",
};
PyObject* names[kFields];

// The head of a log, moved on event by event.
struct Chain {
    long long position;
    long long recorded_at;
    uint8_t digest[kDigest];
    std::string envelope;  // kept for its memory
};

class Draft {
  public:
    bool read(PyObject* draft) {
        for (int field = 0; field < kFields; ++field) {
            fields_[field] = PyObject_GetAttr(draft, names[field]);
            if (fields_[field] == nullptr) return false;
        }
        return true;
    }

    ~Draft() {
        for (PyObject* field : fields_) Py_XDECREF(field);
    }

    // The row that continues the chain, which is moved on to it.
    PyObject* sealed(const uint8_t* salt, PyObject* recorded_at, Chain* chain) {
        ++chain->position;
        uint8_t event_id[kId];
        if (!read_id(fields_[kEventId], event_id)) return nullptr;
        const Owned id(bytes_object(event_id, kId));
        Sha256 hash;
        add(&hash, &kLink, 1);
        add(&hash, chain->digest, kDigest);
        add(&hash, event_id, kId);
        const Owned memory_id(optional_id(kMemoryId, event_id, id.get(), &hash));
        const Owned causation_id(optional_id(kCausationId, event_id, id.get(), &hash));
        if (!id || !memory_id || !causation_id) return nullptr;
        const bool full = fields_[kContent] != Py_None;
        const Owned content(full ? decoded(kContent) : none());
        const Owned salt_bytes(full ? bytes_object(salt, kSalt) : none());
        const Owned content_hash(full ? hashed_content(salt, &hash) : none());
        if (!full) add(&hash, &kAbsent, 1);
        if (!content || !salt_bytes || !content_hash || !add_envelope(&hash, chain)) return nullptr;
        Bytes structure;
        if (!bytes_of(fields_[kStructure], &structure)) return nullptr;
        add(&hash, structure.data, size_t(structure.size));
        hash.finish(chain->digest);
        const Owned text(decoded(kStructure));
        const Owned digest(bytes_object(chain->digest, kDigest));
        const Owned position(PyLong_FromLongLong(chain->position));
        if (!text || !digest || !position) return nullptr;
        return PyTuple_Pack(15, position.get(), id.get(), fields_[kSpace], fields_[kKind],
                            fields_[kVersion], recorded_at, fields_[kActor], memory_id.get(),
                            fields_[kCorrelationId], causation_id.get(), text.get(), content.get(),
                            salt_bytes.get(), content_hash.get(), digest.get());
    }

  private:
    PyObject* decoded(Field field) {
        Bytes text;
        if (!bytes_of(fields_[field], &text)) return nullptr;
        return PyUnicode_DecodeUTF8(text.data, text.size, nullptr);
    }

    // The raw id of a field, or None; added to the hash as present or absent.
    PyObject* optional_id(Field field, const uint8_t* own, PyObject* own_object, Sha256* hash) {
        if (fields_[field] == Py_None) {
            add(hash, &kAbsent, 1);
            return none();
        }
        uint8_t id[kId];
        if (!read_id(fields_[field], id)) return nullptr;
        add(hash, &kPresent, 1);
        add(hash, id, kId);
        if (own_object != nullptr && std::memcmp(id, own, kId) == 0) {
            Py_INCREF(own_object);
            return own_object;
        }
        return bytes_object(id, kId);
    }

    // The hash of the salt and the content; added to the other hash as present.
    PyObject* hashed_content(const uint8_t* salt, Sha256* hash) {
        Bytes content;
        if (!bytes_of(fields_[kContent], &content)) return nullptr;
        uint8_t hashed[kDigest];
        Sha256 own;
        add(&own, salt, kSalt);
        add(&own, content.data, size_t(content.size));
        own.finish(hashed);
        add(hash, &kPresent, 1);
        add(hash, hashed, kDigest);
        return bytes_object(hashed, kDigest);
    }

    bool add_envelope(Sha256* hash, Chain* chain) {
        std::string& json = chain->envelope;
        Bytes space, kind, actor, run;
        const bool has_run = fields_[kCorrelationId] != Py_None;
        const long long version = PyLong_AsLongLong(fields_[kVersion]);
        if ((version == -1 && PyErr_Occurred()) || !utf8_of(fields_[kSpace], &space) ||
            !utf8_of(fields_[kKind], &kind) || !utf8_of(fields_[kActor], &actor) ||
            (has_run && !utf8_of(fields_[kCorrelationId], &run))) {
            return false;
        }
        json.assign(1, '[');
        append_number(&json, chain->position);
        json.push_back(',');
        append_string(&json, space);
        json.push_back(',');
        append_string(&json, kind);
        json.push_back(',');
        append_number(&json, version);
        json.push_back(',');
        append_number(&json, chain->recorded_at);
        json.push_back(',');
        append_string(&json, actor);
        json.push_back(',');
        if (has_run) {
            append_string(&json, run);
        } else {
            json.append("null");
        }
        json.push_back(']');
        add(hash, json.data(), json.size());
        return true;
    }

    PyObject* fields_[kFields] = {};
};

PyObject* seal(PyObject*, PyObject* arguments) {
    PyObject* drafts;
    Bytes salts, digest;
    Chain chain;
    if (!PyArg_ParseTuple(arguments, "O!y#Ly#L:seal", &PyList_Type, &drafts, &salts.data, &salts.size,
                          &chain.position, &digest.data, &digest.size, &chain.recorded_at)) {
        return nullptr;
    }
    const Py_ssize_t count = PyList_Size(drafts);
    if (salts.size != count * Py_ssize_t{kSalt} || digest.size != Py_ssize_t{kDigest}) {
        PyErr_SetString(PyExc_ValueError, "a salt has 16 bytes, one a draft; a digest has 32");
        return nullptr;
    }
    std::memcpy(chain.digest, digest.data, kDigest);
    const Owned recorded_at(PyLong_FromLongLong(chain.recorded_at));
    if (!recorded_at) return nullptr;
    Owned rows(PyList_New(count));
    for (Py_ssize_t i = 0; rows && i < count; ++i) {
        // Looked up each time, and held: reading a draft may run code that changes the list.
        const Owned object(PySequence_GetItem(drafts, i));
        Draft draft;
        if (!object || !draft.read(object.get())) return nullptr;
        const auto* salt = reinterpret_cast<const uint8_t*>(salts.data) + i * kSalt;
        PyObject* row = draft.sealed(salt, recorded_at.get(), &chain);
        if (row == nullptr) return nullptr;
        PyList_SetItem(rows.get(), i, row);
    }
    return rows.release();
}

// -- verifying -------------------------------------------------------------------------

// Whether a row (position, time, leaf, salted content, content hash, digest) continues the chain.
bool continues(PyObject* row, Chain* chain) {
    if (!PyTuple_Check(row) || PyTuple_Size(row) != 6) return false;
    PyObject* salted = PyTuple_GetItem(row, 3);
    const long long position = PyLong_AsLongLong(PyTuple_GetItem(row, 0));
    const long long recorded_at = PyLong_AsLongLong(PyTuple_GetItem(row, 1));
    Bytes leaf, digest, content, expected;
    if (position != chain->position + 1 || recorded_at < chain->recorded_at ||
        !bytes_of(PyTuple_GetItem(row, 2), &leaf) || !bytes_of(PyTuple_GetItem(row, 5), &digest)) {
        return false;
    }
    Sha256 hash;
    add(&hash, &kLink, 1);
    add(&hash, chain->digest, kDigest);
    add(&hash, leaf.data, size_t(leaf.size));
    hash.finish(chain->digest);
    if (digest.size != Py_ssize_t{kDigest} || std::memcmp(chain->digest, digest.data, kDigest) != 0) {
        return false;
    }
    chain->position = position;
    chain->recorded_at = recorded_at;
    if (salted == Py_None) return true;
    if (!bytes_of(salted, &content) || !bytes_of(PyTuple_GetItem(row, 4), &expected)) return false;
    uint8_t hashed[kDigest];
    Sha256 own;
    add(&own, content.data, size_t(content.size));
    own.finish(hashed);
    return expected.size == Py_ssize_t{kDigest} && std::memcmp(hashed, expected.data, kDigest) == 0;
}

PyObject* first_broken(PyObject*, PyObject* arguments) {
    PyObject* rows;
    Bytes digest;
    Chain chain;
    if (!PyArg_ParseTuple(arguments, "O!Ly#L:first_broken", &PyList_Type, &rows, &chain.position,
                          &digest.data, &digest.size, &chain.recorded_at)) {
        return nullptr;
    }
    if (digest.size != Py_ssize_t{kDigest}) {
        PyErr_SetString(PyExc_ValueError, "a digest has 32 bytes");
        return nullptr;
    }
    std::memcpy(chain.digest, digest.data, kDigest);
    const Py_ssize_t count = PyList_Size(rows);
    Py_ssize_t good = 0;
    while (good < count && continues(PyList_GetItem(rows, good), &chain)) ++good;
    // Values of other types are damage like any other.
    PyErr_Clear();
    return PyLong_FromSsize_t(good);
}

// -- the hash by itself ----------------------------------------------------------------

PyObject* hashed_with(PyObject* message, Compress with) {
    Bytes data;
    if (!bytes_of(message, &data)) return nullptr;
    uint8_t digest[kDigest];
    Sha256 hash(with);
    add(&hash, data.data, size_t(data.size));
    hash.finish(digest);
    return bytes_object(digest, kDigest);
}

PyObject* sha256(PyObject*, PyObject* message) { return hashed_with(message, compress); }

PyObject* portable_sha256(PyObject*, PyObject* message) {
    return hashed_with(message, compress_portably);
}

PyMethodDef methods[] = {
    {"seal", seal, METH_VARARGS, "Rows that continue the chain."},
    {"first_broken", first_broken, METH_VARARGS, "Where rows stop continuing the chain."},
    {"sha256", sha256, METH_O, "SHA-256 by the processor's instructions, if it has them."},
    {"portable_sha256", portable_sha256, METH_O, "SHA-256 without them."},
    {nullptr, nullptr, 0, nullptr},
};

PyModuleDef module = {
    PyModuleDef_HEAD_INIT, "sealing", "What an append and a verification do once an event.", -1,
    methods, nullptr, nullptr, nullptr, nullptr,
};

}  // namespace

PyMODINIT_FUNC PyInit_sealing() {
    for (int field = 0; field < kFields; ++field) {
        names[field] = PyUnicode_InternFromString(kNames[field]);
        if (names[field] == nullptr) return nullptr;
    }
    return PyModule_Create(&module);
}
