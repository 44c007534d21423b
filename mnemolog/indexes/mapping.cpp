// Arrays of a file in memory without reading them first, with room to grow behind them.
//
// Pages are read when they are needed and shared between processes; a page that is written
// to becomes the process's own, and the file stays as it is. Python's mmap can map a file, but
// not beside reserved memory, so that a first addition would copy all of it.
//
// Built against Python's limited API, so that one wheel serves every version.

#define PY_SSIZE_T_CLEAN
#include <Python.h>

#include <sys/mman.h>
#include <unistd.h>

#include <cerrno>

#ifndef MAP_NORESERVE
#define MAP_NORESERVE 0
#endif

namespace {

struct Mapping {
    PyObject_HEAD
    void* start;
    Py_ssize_t size;
};

int mapping_buffer(PyObject* self, Py_buffer* view, int flags) {
    auto* mapping = reinterpret_cast<Mapping*>(self);
    return PyBuffer_FillInfo(view, self, mapping->start, mapping->size, 0, flags);
}

void mapping_dealloc(PyObject* self) {
    auto* mapping = reinterpret_cast<Mapping*>(self);
    if (mapping->start != nullptr) munmap(mapping->start, size_t(mapping->size));
    PyTypeObject* type = Py_TYPE(self);
    auto* release = reinterpret_cast<freefunc>(PyType_GetSlot(type, Py_tp_free));
    release(self);
    Py_DECREF(type);
}

PyType_Slot slots[] = {
    {Py_tp_dealloc, reinterpret_cast<void*>(mapping_dealloc)},
    {Py_bf_getbuffer, reinterpret_cast<void*>(mapping_buffer)},
    {0, nullptr},
};

PyType_Spec spec = {"mnemolog.indexes.mapping.Mapping", sizeof(Mapping), 0,
                    Py_TPFLAGS_DEFAULT | Py_TPFLAGS_DISALLOW_INSTANTIATION, slots};

PyObject* type = nullptr;

PyObject* mapped(PyObject*, PyObject* arguments) {
    int descriptor;
    Py_ssize_t offset, size, reserved;
    if (!PyArg_ParseTuple(arguments, "innn:mapped", &descriptor, &offset, &size, &reserved)) {
        return nullptr;
    }
    if (size < 1 || reserved < 0 || offset < 0 || offset % sysconf(_SC_PAGESIZE) != 0) {
        PyErr_SetString(PyExc_ValueError,
                        "the offset is a multiple of a page, and there is something to map");
        return nullptr;
    }
    const auto whole = size_t(size) + size_t(reserved);
    void* start = mmap(nullptr, whole, PROT_READ | PROT_WRITE,
                       MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (start == MAP_FAILED) return PyErr_SetFromErrno(PyExc_OSError);
    if (mmap(start, size_t(size), PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_FIXED | MAP_NORESERVE,
             descriptor, off_t(offset)) == MAP_FAILED) {
        const int problem = errno;
        munmap(start, whole);
        errno = problem;
        return PyErr_SetFromErrno(PyExc_OSError);
    }
    auto* allocate = reinterpret_cast<allocfunc>(
        PyType_GetSlot(reinterpret_cast<PyTypeObject*>(type), Py_tp_alloc));
    PyObject* made = allocate(reinterpret_cast<PyTypeObject*>(type), 0);
    if (made == nullptr) {
        munmap(start, whole);
        return nullptr;
    }
    auto* mapping = reinterpret_cast<Mapping*>(made);
    mapping->start = start;
    mapping->size = Py_ssize_t(whole);
    return made;
}

PyMethodDef methods[] = {
    {"mapped", mapped, METH_VARARGS,
     "mapped(descriptor, offset, size, reserved) -> buffer\n\n"
     "A writable buffer of `size` bytes of a file from `offset` on, a multiple of a page, and of\n"
     "`reserved` bytes behind them that take no memory until they are written. What is written\n"
     "stays in this process. The file must not become shorter. Raises OSError, and ValueError\n"
     "for numbers that do not fit."},
    {nullptr, nullptr, 0, nullptr},
};

PyModuleDef module = {
    PyModuleDef_HEAD_INIT, "mapping", "Arrays of a file in memory, with room to grow.", -1,
    methods, nullptr, nullptr, nullptr, nullptr,
};

}  // namespace

PyMODINIT_FUNC PyInit_mapping() {
    type = PyType_FromSpec(&spec);
    return type == nullptr ? nullptr : PyModule_Create(&module);
}
