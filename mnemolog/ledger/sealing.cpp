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
#include <cstdint>
#include <cstring>
#include <new>
#include <string>

#include "sha256.hpp"

namespace {

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
    char* first = digits + sizeof digits;
    // As unsigned, so that the lowest number has an opposite.
    unsigned long long rest = number < 0 ? 0ULL - static_cast<unsigned long long>(number)
                                         : static_cast<unsigned long long>(number);
    do {
        *--first = char('0' + rest % 10);
        rest /= 10;
    } while (rest > 0);
    if (number < 0) *--first = '-';
    json->append(first, digits + sizeof digits);
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

PyObject* sealed_drafts(PyObject* arguments) {
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

PyObject* seal(PyObject*, PyObject* arguments) {
    try {
        return sealed_drafts(arguments);
    } catch (const std::bad_alloc&) {
        return PyErr_NoMemory();
    }
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
    Py_ssize_t good = 0;
    while (good < PyList_Size(rows)) {
        // Held: reading a number of a class of its own may run code that changes the list.
        const Owned row(PySequence_GetItem(rows, good));
        if (!row || !continues(row.get(), &chain)) break;
        ++good;
    }
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
    {"seal", seal, METH_VARARGS,
     "seal(drafts, salts, position, digest, recorded_at)\n\n"
     "Drafts as rows of the log's table that continue the chain after a position and its digest.\n"
     "`salts` holds 16 bytes a draft. Raises ValueError for an id that is not 32 lowercase\n"
     "hexadecimal digits and for text that is no UTF-8, TypeError for values of other types."},
    {"first_broken", first_broken, METH_VARARGS,
     "first_broken(rows, position, digest, recorded_at)\n\n"
     "The index of the first row (position, time, leaf, salted content, content hash, digest)\n"
     "that does not continue the chain after a position, its digest and its time, or whose\n"
     "content does not fit its hash; the number of rows if all do. None for salted content\n"
     "fits any hash: content may have been destroyed. Values of other types do not fit."},
    {"sha256", sha256, METH_O, "SHA-256 by x86's instructions, if there are any."},
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
