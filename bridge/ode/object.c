/* SPDX-License-Identifier: BSD-3-Clause */
#include "bridge/ode/object.h"

#include <elf.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#ifdef __GLIBC__ /* which lists its namespaces since 2.35 */
#if __GLIBC_PREREQ(2, 35)
#define UKODE_NAMESPACES
#endif
#endif

/* ---- objects ----------------------------------------------------------------------------------------------------- */

typedef struct Visit {
    bool (*visit)(const ukObject *object, void *data);
    void *data;
} Visit;

static ukObject objectOf(const struct dl_phdr_info *info)
{
    ukObject object = {.base = info->dlpi_addr,
                       .begin = UINTPTR_MAX,
                       .segment = info->dlpi_phdr,
                       .segments = info->dlpi_phnum,
                       .path = info->dlpi_name ? info->dlpi_name : ""};
    for (int i = 0; i < info->dlpi_phnum; i++) {
        const ElfW(Phdr) *const p = &info->dlpi_phdr[i];
        const uintptr_t begin = info->dlpi_addr + p->p_vaddr, end = begin + p->p_memsz;
        if (p->p_type == PT_DYNAMIC) object.dynamic = (const ElfW(Dyn) *)begin;
        if (p->p_type != PT_LOAD) continue;
        if (begin < object.begin) object.begin = begin;
        if (end > object.end) object.end = end;
    }
    return object;
}

static int visitObject(struct dl_phdr_info *info, size_t size, void *data)
{
    const Visit *const v = data;
    const ukObject object = objectOf(info);
    (void)size;
    return v->visit(&object, v->data) ? 0 : 1;
}

void ukObjectsVisit(bool (*visit)(const ukObject *object, void *data), void *data)
{
    Visit v = {visit, data};
    dl_iterate_phdr(visitObject, &v);
}

void ukObjectsVisitOthers(bool (*visit)(const ukObject *object, void *data), void *data)
{
#ifdef UKODE_NAMESPACES
    extern const struct r_debug_extended extendedDebug __asm__("_r_debug");
    if (extendedDebug.base.r_version < 2) return;
    for (const struct r_debug_extended *space = extendedDebug.r_next; space; space = space->r_next)
        for (const struct link_map *map = space->base.r_map; map; map = map->l_next) {
            const ukObject object = {.base = map->l_addr, .dynamic = map->l_ld, .path = map->l_name};
            if (!visit(&object, data)) return;
        }
#else
    (void)visit, (void)data;
#endif
}

static int countChanges(struct dl_phdr_info *info, size_t size, void *data)
{
    if (size >= offsetof(struct dl_phdr_info, dlpi_subs) + sizeof info->dlpi_subs)
        *(uint64_t *)data = (uint64_t)(info->dlpi_adds + info->dlpi_subs);
    return 1;
}

uint64_t ukObjectsChanges(void)
{
    uint64_t changes = 0;
    dl_iterate_phdr(countChanges, &changes);
    return changes;
}

const char *ukObjectFileName(const char *path)
{
    const char *const slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
}

void ukObjectPath(const ukObject *object, char path[ukObjectPathLength])
{
    if (object->path[0]) {
        snprintf(path, ukObjectPathLength, "%s", object->path);
        return;
    }
    const ssize_t n = readlink("/proc/self/exe", path, ukObjectPathLength - 1);
    path[n > 0 ? n : 0] = 0;
    if (n <= 0) snprintf(path, ukObjectPathLength, "the program");
}

/* ---- tables of an object ----------------------------------------------------------------------------------------- */

typedef struct Tables {
    const ElfW(Sym) * symbol;
    const char *text;
    const uint32_t *gnu, *sysv; /* hash tables */
    const char *relocation[2];  /* DT_JMPREL; DT_RELA or DT_REL */
    size_t relocation_bytes[2];
    bool addends[2]; /* of RELA, not REL */
} Tables;

/* glibc has relocated the pointers of most dynamic sections, other loaders and the vDSO have not */
static const void *pointerOf(const ukObject *object, const ElfW(Dyn) * entry)
{
    const uintptr_t address = entry->d_un.d_ptr;
    return (const void *)(address < object->base ? object->base + address : address);
}

static Tables tablesOf(const ukObject *object)
{
    Tables t = {.text = NULL};
    for (const ElfW(Dyn) *d = object->dynamic; d && d->d_tag != DT_NULL; d++) {
        switch (d->d_tag) {
        case DT_SYMTAB: t.symbol = pointerOf(object, d); break;
        case DT_STRTAB: t.text = pointerOf(object, d); break;
        case DT_GNU_HASH: t.gnu = pointerOf(object, d); break;
        case DT_HASH: t.sysv = pointerOf(object, d); break;
        case DT_JMPREL: t.relocation[0] = pointerOf(object, d); break;
        case DT_PLTRELSZ: t.relocation_bytes[0] = d->d_un.d_val; break;
        case DT_PLTREL: t.addends[0] = d->d_un.d_val == DT_RELA; break;
        case DT_RELA:
        case DT_REL:
            t.relocation[1] = pointerOf(object, d);
            t.addends[1] = d->d_tag == DT_RELA;
            break;
        case DT_RELASZ:
        case DT_RELSZ: t.relocation_bytes[1] = d->d_un.d_val; break;
        default: break;
        }
    }
    return t;
}

static bool definesFunction(const Tables *t, uint32_t index, const char *name)
{
    const ElfW(Sym) *const s = &t->symbol[index];
    const int type = ELF64_ST_TYPE(s->st_info), binding = ELF64_ST_BIND(s->st_info);
    return s->st_shndx != SHN_UNDEF && s->st_value != 0 && (type == STT_FUNC || type == STT_NOTYPE) &&
           (binding == STB_GLOBAL || binding == STB_WEAK) && strcmp(t->text + s->st_name, name) == 0;
}

/* index of the symbol that the object defines; 0: none */
static uint32_t findGnu(const Tables *t, const char *name)
{
    uint32_t hash = 5381;
    for (const unsigned char *c = (const unsigned char *)name; *c; c++) hash = 33 * hash + *c;
    const uint32_t buckets = t->gnu[0], first = t->gnu[1], words = t->gnu[2];
    const uint32_t *const bucket =
        (const uint32_t *)(const void *)((const ElfW(Addr) *)(const void *)(t->gnu + 4) + words);
    const uint32_t *const chain = bucket + buckets;
    uint32_t i = buckets ? bucket[hash % buckets] : 0;
    if (i < first) return 0;
    for (;; i++) {
        const uint32_t h = chain[i - first];
        if ((h | 1) == (hash | 1) && definesFunction(t, i, name)) return i;
        if (h & 1) return 0; /* the end of the chain */
    }
}

static uint32_t findSysv(const Tables *t, const char *name)
{
    const uint32_t count = t->sysv[1]; /* of symbols: a linear search, where there is no other table */
    for (uint32_t i = 1; i < count; i++)
        if (definesFunction(t, i, name)) return i;
    return 0;
}

void *ukObjectSymbol(const ukObject *object, const char *name)
{
    const Tables t = tablesOf(object);
    if (!t.symbol || !t.text || (!t.gnu && !t.sysv)) return NULL;
    const uint32_t i = t.gnu ? findGnu(&t, name) : findSysv(&t, name);
    return i ? (void *)(object->base + t.symbol[i].st_value) : NULL;
}

bool ukObjectNeeds(const ukObject *object, const char *file_name)
{
    const Tables t = tablesOf(object);
    for (const ElfW(Dyn) *d = object->dynamic; t.text && d && d->d_tag != DT_NULL; d++)
        if (d->d_tag == DT_NEEDED && strcmp(ukObjectFileName(t.text + d->d_un.d_val), file_name) == 0) return true;
    return false;
}

void *ukObjectBinding(const ukObject *object, const char *name)
{
    const Tables t = tablesOf(object);
    for (int k = 0; k < 2 && t.symbol && t.text; k++) {
        const size_t size = t.addends[k] ? sizeof(ElfW(Rela)) : sizeof(ElfW(Rel));
        for (size_t at = 0; t.relocation[k] && at + size <= t.relocation_bytes[k]; at += size) {
            const ElfW(Rel) *const r = (const ElfW(Rel) *)(const void *)(t.relocation[k] + at);
            const ElfW(Sym) *const s =
                &t.symbol[sizeof(void *) == 8 ? ELF64_R_SYM((uint64_t)r->r_info) : ELF32_R_SYM((uint32_t)r->r_info)];
            if (s->st_shndx == SHN_UNDEF && strcmp(t.text + s->st_name, name) == 0)
                return *(void *const *)(object->base + r->r_offset);
        }
    }
    return NULL;
}

bool ukObjectHasText(const ukObject *object, const char *text)
{
    for (int i = 0; i < object->segments; i++) {
        const ElfW(Phdr) *const p = &object->segment[i];
        if (p->p_type == PT_LOAD && (p->p_flags & PF_R) && !(p->p_flags & PF_W) &&
            memmem((const void *)(object->base + p->p_vaddr), p->p_filesz, text, strlen(text)))
            return true;
    }
    return false;
}
