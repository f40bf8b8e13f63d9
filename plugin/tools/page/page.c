/* SPDX-License-Identifier: BSD-3-Clause */
#include "plugin/tools/page/page.h"

#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <unistd.h>

#include "plugin/tools/terminal/message.h"

/* The files of plugin/tools/page/, put into the command by the assembler. */
#define FILES(X)                                                                                                       \
    X(page_html, "page.html")                                                                                          \
    X(page_css, "page.css")                                                                                            \
    X(data_js, "data.js")                                                                                              \
    X(copies_js, "copies.js")                                                                                          \
    X(solids_js, "solids.js")                                                                                          \
    X(shapes_js, "shapes.js")                                                                                          \
    X(arrows_js, "arrows.js")                                                                                          \
    X(camera_js, "camera.js")                                                                                          \
    X(bodies_js, "bodies.js")                                                                                          \
    X(joints_js, "joints.js")                                                                                          \
    X(trails_js, "trails.js")                                                                                          \
    X(ground_js, "ground.js")                                                                                          \
    X(sharpness_js, "sharpness.js")                                                                                    \
    X(world_js, "world.js")                                                                                            \
    X(download_js, "download.js")                                                                                      \
    X(curves_js, "curves.js")                                                                                          \
    X(list_js, "list.js")                                                                                              \
    X(findings_js, "findings.js")                                                                                      \
    X(player_js, "player.js")                                                                                          \
    X(main_js, "main.js")                                                                                              \
    X(study_html, "study.html")                                                                                        \
    X(study_css, "study.css")                                                                                          \
    X(study_js, "study.js")                                                                                            \
    X(live_html, "live.html")                                                                                          \
    X(live_css, "live.css")                                                                                            \
    X(live_js, "live.js")                                                                                              \
    X(controls_js, "controls.js")                                                                                      \
    X(modes_html, "modes.html")                                                                                        \
    X(modes_css, "modes.css")                                                                                          \
    X(modes_js, "modes.js")

#define EMBED(name, file)                                                                                              \
    __asm__(".section .rodata\n"                                                                                       \
            "page_" #name ":\n.incbin \"" UKODE_REPORT_DIRECTORY "/" file "\"\n"                                       \
            "page_" #name "_end:\n.byte 0\n.text\n");                                                                  \
    extern const char page_##name[], page_##name##_end[];
FILES(EMBED)

static const struct Embedded {
    const char *name, *text, *end;
} embedded[] = {
#define ENTRY(name, file) {file, page_##name, page_##name##_end},
    FILES(ENTRY)};
enum { EmbeddedFiles = sizeof embedded / sizeof *embedded };

/* Paths of the libraries on Debian; UKODE_JAVASCRIPT names another folder with the same tree. */
static const struct Library {
    const char *name, *path, *package;
} libraries[] = {
    {"three.min.js", "three/three.min.js", "libjs-three"},
    {"dygraph.min.js", "dygraphs/dygraph.min.js", "libjs-dygraphs"},
    {"dygraph.css", "dygraphs/dygraph.min.css", "libjs-dygraphs"},
};
enum { Libraries = sizeof libraries / sizeof *libraries };

static void pathOf(const struct Library *library, char *path, size_t size)
{
    /* read once, by pageReady: the server of `ukode view` writes pages on its threads while the command sets
     * variables */
    static const char *folder;
    if (!folder) {
        const char *const given = getenv("UKODE_JAVASCRIPT");
        folder = given && *given ? given : "/usr/share/javascript";
    }
    snprintf(path, size, "%s/%s", folder, library->path);
}

bool pageReady(void)
{
    bool ready = true;
    for (int i = 0; i < Libraries; i++) {
        char path[1024];
        pathOf(&libraries[i], path, sizeof path);
        if (access(path, R_OK) == 0) continue;
        messagePrint("%s was not found, which a page needs (install Debian's %s, or use --text)", path,
                     libraries[i].package);
        ready = false;
    }
    return ready;
}

static bool putLibrary(FILE *file, const struct Library *library)
{
    char path[1024], buffer[65536];
    size_t n;
    pathOf(library, path, sizeof path);
    FILE *const from = fopen(path, "re");
    if (!from) return false;
    while ((n = fread(buffer, 1, sizeof buffer, from)) > 0) fwrite(buffer, 1, n, file);
    const bool good = !ferror(from);
    fclose(from);
    return good;
}

typedef struct Page {
    FILE *file;
    char nonce[33]; /* of this page's own scripts: scripts that a recording contains cannot know it */
    bool (*data)(FILE *file, void *context);
    void *context;
} Page;

static bool chooseNonce(char nonce[33])
{
    unsigned char bytes[16];
    if (getrandom(bytes, sizeof bytes, 0) != sizeof bytes) return false;
    for (size_t i = 0; i < sizeof bytes; i++) snprintf(nonce + 2 * i, 3, "%02x", bytes[i]);
    return true;
}

/* Writes the text for @name@; false: it cannot be written. *known: the name exists. */
static bool writePlaceholder(const Page *page, const char *name, size_t length, bool *known)
{
    *known = true;
    if (length == 5 && memcmp(name, "nonce", 5) == 0) {
        fputs(page->nonce, page->file);
        return true;
    }
    if (length == 4 && memcmp(name, "data", 4) == 0) {
        fprintf(page->file, "{");
        const bool good = page->data(page->file, page->context);
        fprintf(page->file, "}");
        return good;
    }
    for (int i = 0; i < Libraries; i++)
        if (strlen(libraries[i].name) == length && memcmp(libraries[i].name, name, length) == 0)
            return putLibrary(page->file, &libraries[i]);
    for (int i = 0; i < EmbeddedFiles; i++) {
        const struct Embedded *const e = &embedded[i];
        if (strlen(e->name) != length || memcmp(e->name, name, length) != 0) continue;
        fwrite(e->text, 1, (size_t)(e->end - e->text), page->file);
        return true;
    }
    *known = false;
    return true;
}

bool pageWrite(FILE *file, const char *form, bool (*data)(FILE *file, void *context), void *context)
{
    Page page = {.file = file, .data = data, .context = context};
    int k = 0;
    if (!chooseNonce(page.nonce)) return false;
    while (k + 1 < EmbeddedFiles && strcmp(embedded[k].name, form) != 0) k++;
    const char *at = embedded[k].text;
    const char *const end = embedded[k].end;
    while (at < end) {
        const char *const open = memchr(at, '@', (size_t)(end - at));
        const char *const close = open ? memchr(open + 1, '@', (size_t)(end - open - 1)) : NULL;
        bool known = false;
        if (!close) break;
        fwrite(at, 1, (size_t)(open - at), file);
        if (!writePlaceholder(&page, open + 1, (size_t)(close - open - 1), &known)) return false;
        if (!known) putc('@', file);
        at = known ? close + 1 : open + 1;
    }
    fwrite(at, 1, (size_t)(end - at), file);
    return fflush(file) == 0 && !ferror(file);
}
