/* The compiled kernels of puntobanco. No kernel knows a game: each runs a program made from a declaration.

   This is the one source that is compiled. It has the face that Python sees; the headers hold the rest. Each kernel
   has its own, named after it, in the order in which they are read. So far there is one.

   Exact odds. In how many ordered draws of six cards does each outcome of each wager happen? The program names
   quantities, and sums of products of them: odds/quantities.py says what they are, odds/kernel.py writes it.

   Exactness. The ordered draws of six from 650 cards, ten packs of 65, are fewer than 2^57. Compositions with more
   cards of a value than those packs hold (200 of value 0, 50 of each other) are refused.
   - Products and sums are of 64-bit integers modulo 2^64: a count is below 2^57 whatever values a sum with signs passes
     through on its way.
   - A form is a sum over multisets of values of (orders / 4) times the product of C(count, times taken), in doubles.
     It is cut into blocks by how many of the cards are below five. With k low cards a block counts at most all draws of
     k from 400 low cards and 6 - k from 250 high ones, / 4: in units of 2^53 that is at most 0.01, 0.06, 0.25, 0.54,
     0.65, 0.42, 0.11 for k = 0 .. 6. So the blocks up to k = 3 add up to less than one unit, which doubles hold
     exactly, and so do the block of k = 4 and the last two; these three are added as integers.
   - Rounds of four and five cards are fewer than 650^5 < 2^47, in doubles; what is added up in 32-bit integers is at
     most 650^3 < 2^29. */

#define PY_SSIZE_T_CLEAN
#define Py_LIMITED_API 0x030B0000
#include <Python.h>

#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "odds_tables.h"
#include "odds_instructions.h"
#include "odds_program.h"
#include "odds_making.h"
#include "odds_counting.h"
#include "odds_reading.h"

typedef struct {
    PyObject_HEAD
    struct program *program;
    struct room room; /* for calls that keep the lock of the interpreter */
    int64_t *outcomes;
} ProgramObject;

static void program_dealloc(PyObject *object)
{
    ProgramObject *self = (ProgramObject *)object;
    PyTypeObject *type = Py_TYPE(object);
    freefunc release = (freefunc)PyType_GetSlot(type, Py_tp_free);
    if (self->program) {
        room_close(&self->room);
        free(self->outcomes);
        free_program(self->program);
    }
    release(object);
    Py_DECREF(type);
}

static PyObject *program_new(PyTypeObject *type, PyObject *arguments, PyObject *keywords)
{
    Py_buffer numbers;
    if (keywords && PyDict_Size(keywords)) {
        PyErr_SetString(PyExc_TypeError, "Program takes no keyword arguments");
        return NULL;
    }
    if (!PyArg_ParseTuple(arguments, "y*", &numbers))
        return NULL;
    allocfunc allocate = (allocfunc)PyType_GetSlot(type, Py_tp_alloc);
    ProgramObject *self = (ProgramObject *)allocate(type, 0);
    if (self && (uintptr_t)numbers.buf % sizeof(int32_t) == 0 && (size_t)numbers.len % sizeof(int32_t) == 0)
        self->program = read_program(numbers.buf, (size_t)numbers.len / sizeof(int32_t));
    PyBuffer_Release(&numbers);
    if (!self)
        return NULL;
    if (!self->program) {
        Py_DECREF(self);
        PyErr_SetString(PyExc_ValueError, "these numbers are not a program");
        return NULL;
    }
    self->outcomes = malloc(sizeof(int64_t) * (size_t)(self->program->outcomes + 1));
    if (!room_open(&self->room, self->program) || !self->outcomes) {
        Py_DECREF(self);
        return PyErr_NoMemory();
    }
    return (PyObject *)self;
}

static PyObject *list_of(const int64_t *numbers, int length)
{
    PyObject *list = PyList_New(length);
    for (int place = 0; list && place < length; place++) {
        PyObject *number = PyLong_FromLongLong(numbers[place]);
        if (!number || PyList_SetItem(list, place, number) < 0) {
            Py_DECREF(list);
            return NULL;
        }
    }
    return list;
}

static PyObject *program_counts(PyObject *object, PyObject *argument)
{
    ProgramObject *self = (ProgramObject *)object;
    Py_buffer shoe;
    if (PyObject_GetBuffer(argument, &shoe, PyBUF_SIMPLE) < 0)
        return NULL;
    if (shoe.len != self->program->cards) {
        PyBuffer_Release(&shoe);
        PyErr_Format(PyExc_ValueError, "a composition has %d counts", (int)self->program->cards);
        return NULL;
    }
    int accepted = count_cards(self->program, shoe.buf, &self->room);
    if (accepted)
        evaluate(self->program, &self->room, 1, self->outcomes);
    PyBuffer_Release(&shoe);
    if (!accepted)
        Py_RETURN_NONE;
    return list_of(self->outcomes, self->program->outcomes);
}

/* Counts for every row into numbers; a refused row is filled with -1. Returns how many are refused, or -1. */
static Py_ssize_t evaluate_rows(const struct program *program, const uint8_t *rows, Py_ssize_t length, int64_t *numbers)
{
    struct room *rooms = malloc(SHOES_TOGETHER * sizeof *rooms);
    Py_ssize_t refused = 0;
    int open = 0, ready = 0;
    while (rooms && open < SHOES_TOGETHER && room_open(&rooms[open], program))
        open++;
    for (Py_ssize_t row = 0; row < length && open == SHOES_TOGETHER; row++) {
        int accepted = count_cards(program, rows + row * program->cards, &rooms[ready]);
        ready += accepted;
        /* Compositions are counted together that follow each other. */
        if (ready == SHOES_TOGETHER || (ready && (!accepted || row == length - 1))) {
            evaluate(program, rooms, ready, numbers + (row + accepted - ready) * program->outcomes);
            ready = 0;
        }
        for (int place = 0; place < program->outcomes && !accepted; place++)
            numbers[row * program->outcomes + place] = -1;
        refused += !accepted;
    }
    for (int place = 0; rooms && place <= open && place < SHOES_TOGETHER; place++)
        room_close(&rooms[place]);
    free(rooms);
    return open == SHOES_TOGETHER ? refused : -1;
}

static PyObject *program_counts_into(PyObject *object, PyObject *arguments)
{
    const struct program *program = ((ProgramObject *)object)->program;
    Py_buffer rows, numbers;
    PyObject *result = NULL;
    if (!PyArg_ParseTuple(arguments, "y*w*", &rows, &numbers))
        return NULL;
    Py_ssize_t length = rows.len / program->cards, refused;
    if (rows.len % program->cards || numbers.len / (Py_ssize_t)sizeof(int64_t) < length * program->outcomes ||
        (length && (uintptr_t)numbers.buf % sizeof(int64_t)))
        PyErr_Format(PyExc_ValueError, "a row has %d counts and needs an aligned room of %d numbers of 64 bits",
                     (int)program->cards, (int)program->outcomes);
    else {
        Py_BEGIN_ALLOW_THREADS
        refused = evaluate_rows(program, rows.buf, length, numbers.buf);
        Py_END_ALLOW_THREADS
        result = refused < 0 ? PyErr_NoMemory() : PyLong_FromSsize_t(refused);
    }
    PyBuffer_Release(&rows);
    PyBuffer_Release(&numbers);
    return result;
}

static PyObject *program_outcomes(PyObject *object, void *closure)
{
    (void)closure;
    return PyLong_FromLong(((ProgramObject *)object)->program->outcomes);
}

static PyMethodDef program_methods[] = {
    {"counts", program_counts, METH_O, "The count of each outcome from one composition; None if it is refused."},
    {"counts_into", program_counts_into, METH_VARARGS,
     "The counts from each row of compositions, into a buffer of 64-bit integers; -1 in refused rows.\n"
     "Returns how many are refused. Other threads of Python run meanwhile."},
    {NULL, NULL, 0, NULL},
};

static PyGetSetDef program_attributes[] = {
    {"outcomes", program_outcomes, NULL, "How many outcomes there are.", NULL},
    {NULL, NULL, NULL, NULL, NULL},
};

static PyType_Slot program_slots[] = {
    {Py_tp_new, program_new},
    {Py_tp_dealloc, program_dealloc},
    {Py_tp_methods, program_methods},
    {Py_tp_getset, program_attributes},
    {Py_tp_doc, "The exact counts of all outcomes of a plan, compiled from 32-bit integers."},
    {0, NULL},
};

static PyType_Spec program_type = {
    .name = "puntobanco._odds_kernel.Program",
    .basicsize = sizeof(ProgramObject),
    .flags = Py_TPFLAGS_DEFAULT,
    .slots = program_slots,
};

static PyObject *module_use(PyObject *module, PyObject *name)
{
    (void)module;
    PyObject *text = PyUnicode_AsASCIIString(name);
    if (!text)
        return NULL;
    int found = choose_instructions(PyBytes_AsString(text));
    Py_DECREF(text);
    return PyBool_FromLong(found);
}

static PyMethodDef module_methods[] = {
    {"use", module_use, METH_O,
     "Use the instruction set 'plain', 'avx2' or 'avx512' from now on; False if the machine does not have it."},
    {NULL, NULL, 0, NULL},
};

static int module_exec(PyObject *module)
{
    make_tables();
    if (!choose_instructions("avx512") && !choose_instructions("avx2"))
        choose_instructions("plain");
    PyObject *type = PyType_FromSpec(&program_type);
    if (!type)
        return -1;
    int failed = PyModule_AddObjectRef(module, "Program", type);
    Py_DECREF(type);
    return failed;
}

static PyModuleDef_Slot module_slots[] = {
    {Py_mod_exec, module_exec},
    {0, NULL},
};

static struct PyModuleDef module_definition = {
    .m_base = PyModuleDef_HEAD_INIT,
    .m_name = "puntobanco._odds_kernel",
    .m_doc = "The compiled kernels.",
    .m_methods = module_methods,
    .m_slots = module_slots,
};

PyMODINIT_FUNC PyInit__odds_kernel(void)
{
    return PyModuleDef_Init(&module_definition);
}
