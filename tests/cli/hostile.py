# SPDX-License-Identifier: BSD-3-Clause
"""Recordings made to harm whoever reads them, given to every command that does: each must be refused with a message that
names what is wrong, or be read without harm; within seconds, and without a control character in the output.
Usage: hostile.py BUILD [PART ...]: all parts, or these, as `schemas`"""
import csv
import json
import os
import resource
import shutil
import signal
import sqlite3
import struct
import subprocess
import sys
import tempfile
import time

build = os.path.abspath(sys.argv[1])
ukode = os.path.join(build, 'ukode')
failures = []


def check(what, good, detail=''):
    if not good:
        failures.append(what)
        print('hostile: failed: %s: %s' % (what, str(detail)[:600]), flush=True)


def run(*words, timeout=60):
    """Exit status (below 0: a signal, None: it did not end), standard output and error together."""
    process = subprocess.Popen([ukode] + list(words), stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                               stdin=subprocess.DEVNULL)
    try:
        out, _ = process.communicate(timeout=timeout)
    except subprocess.TimeoutExpired:
        process.kill()
        return None, process.communicate()[0]
    return process.returncode, out


def controls(out):
    return [byte for byte in out if (byte < 32 and byte not in b'\n\t') or byte == 127] or b'\xc2\x9b' in out


READERS = {'replay': ['replay'], 'verify': ['verify'], 'report': ['report', '--text'], 'page': ['report', '-o', 'page.html'],
           'csv': ['export', '--csv', 'csv'], 'gltf': ['export', '--gltf', 'run.glb'], 'mjcf': ['export', '--mjcf', 'run.xml'],
           'urdf': ['export', '--urdf', 'run.urdf'], 'sdf': ['export', '--sdf', 'run.sdf', '--step', '1']}

ANALYSES = (['modes'], ['linearize'], ['assemble'], ['equilibrium'], ['inverse', '--actuators', 'joints'])


def refused(what, path, *says, readers=READERS):
    """Every reader ends with 1 and says so."""
    for name in readers:
        status, out = run(*READERS[name], path)
        check('%s: %s: refused' % (what, name), status == 1 and all(word in out.decode(errors='replace') for word in says),
              (status, out))
        check('%s: %s: plain text' % (what, name), not controls(out), out)


def changed(name, *statements, writable_schema=False):
    """A copy of the recording, with these statements of SQL executed, or functions of the connection called."""
    path = name + '.ukode'
    shutil.copy('good.ukode', path)
    file = sqlite3.connect(path)
    if writable_schema:
        file.execute('pragma writable_schema = on')
    for statement in statements:
        if callable(statement):
            statement(file)
        else:
            file.executescript(statement)
    file.commit()
    file.close()
    return path


def columns(file, table):
    return [row[1] for row in file.execute('pragma table_info(%s)' % table)]


# ---- schemas --------------------------------------------------------------------------------------------------------

def endless(file):
    c = columns(file, 'step')
    file.execute('alter table step rename to step0')
    file.execute('create view step as with recursive n(i) as (select 1 union all select i + 1 from n) select '
                 + ','.join('n.i as step' if x == 'step' else 'step0.' + x for x in c)
                 + ' from n join step0 where step0.step = 1')


def bomb(file):
    c = columns(file, 'equation')
    file.execute('alter table equation rename to equation0')
    file.execute('create view equation as select '
                 + ','.join(x if x in ('step', 'island', 'format') else 'zeroblob(999999999) as ' + x for x in c)
                 + ' from equation0')


def counts(file):
    """A view that cannot be counted once a report has stored its findings."""
    c = columns(file, 'step')
    file.execute('alter table step rename to step0')
    file.execute('create view step as select ' + ','.join('abs(-9223372036854775807-1) as world' if x == 'world' else x
                                                         for x in c) + ' from step0')


def disguise(file):
    """A view that the schema calls a table."""
    counts(file)
    file.execute('pragma writable_schema = on')
    file.execute("update sqlite_master set type = 'table' where name = 'step'")


def schemas():
    for name, change in (('endless', endless), ('bomb', bomb), ('counts', counts)):
        refused('a view (%s)' % name, changed(name, change), 'has the view')
    refused('a view called a table', changed('disguise', disguise), 'ukode: disguise.ukode: ')
    refused('a trigger', changed('trigger', 'create trigger t after insert on step begin delete from body; end'),
            'has the trigger t')
    refused('a trigger of a table that reports make', changed(
        'finding', 'create table finding (finding integer primary key); create trigger t after insert on finding begin '
        'delete from step; end'), 'has the trigger t')
    if any('FTS5' in row[0] for row in sqlite3.connect(':memory:').execute('pragma compile_options')):
        refused('a virtual table', changed('virtual', 'create virtual table f using fts5(x)'), 'not an ordinary table')
    refused('a generated column', changed('generated', 'alter table run add column g as (zeroblob(900000000))'), 'table run')
    refused('a default', changed('default', "alter table run add column g text default 'x'"), 'table run')
    refused('a constraint', changed('constraint', "create table other (x text check (length(printf('%999999d', x)) > 0))"),
            'table other')
    refused('an index over an expression', changed('expression', 'create index i on body (abs(body))'), 'has the index i')
    refused('a column whose name is markup', changed(
        'markup', 'alter table run add column "</script><script>document.title=\'owned\'</script>" text'), 'table run')
    refused('a table whose name is a control sequence', changed('sequence', 'create table "\x1b[2Jx\ny" (a)'), '\\x1b[2Jx')
    refused('a write-ahead log', changed('log', lambda file: file.execute('pragma journal_mode = wal')), 'write-ahead log')
    for value, column in (("'x'", 'time'), ("x'00'", 'number'), ('9223372036854775807', 'world')):
        refused('%s in step.%s' % (value, column), changed('type', 'update step set %s = %s where step = 7' % (column, value)),
                'table step, row with step 7', column + ' is not of its column')
    path = changed('index', 'create index ordinary on body_step (body)')
    check('an ordinary index is read', run('report', '--text', path)[0] == 0)


def pages():
    """An interior page whose cells all lead to the same child: 500 to the power of its depth rows."""
    path = 'tree.ukode'
    shutil.copy('good.ukode', path)
    with open(path, 'r+b') as file:
        data = bytearray(file.read())
        size = struct.unpack('>H', data[16:18])[0]
        done = 0
        for at in range(0, len(data), size):
            head = at + (100 if at == 0 else 0)
            cells = struct.unpack('>H', data[head + 3:head + 5])[0]
            if data[head] != 5 or cells < 3 or 12 + 2 * cells > size:
                continue
            pointers = [struct.unpack('>H', data[head + 12 + 2 * i:head + 14 + 2 * i])[0] for i in range(cells)]
            child = data[at + pointers[0]:at + pointers[0] + 4]
            for pointer in pointers:
                data[at + pointer:at + pointer + 4] = child
            done += 1
        file.seek(0)
        file.write(data)
    check('there are trees to spoil', done > 0)
    refused('pages that are used many times', path, 'tree.ukode: the file is damaged')


def journals():
    """A rollback journal that names another file, which SQLite would read and delete."""
    shutil.copy('good.ukode', 'hot.ukode')
    with open('precious', 'w') as file:
        file.write('kept\n')
    name = os.path.abspath('precious').encode()
    with open('hot.ukode-journal', 'wb') as file:
        head = bytes.fromhex('d9d505f920a163d7') + struct.pack('>5I', 0, 0, 0, 512, 4096)
        file.write(head.ljust(512, b'\0'))
        file.write(struct.pack('>I', 0) + name + struct.pack('>2I', len(name), sum(name)) + bytes.fromhex('d9d505f920a163d7'))
    refused('a journal that names another file', 'hot.ukode', 'journal next to it')
    check('which is still there', os.path.exists('precious'))
    os.mkdir('inner')
    os.rename('hot.ukode', 'inner/hot.ukode')
    os.rename('hot.ukode-journal', 'inner/hot.ukode-journal')
    os.symlink('inner/hot.ukode', 'linked.ukode')
    refused('a journal beside what a link leads to', 'linked.ukode', 'journal next to it')
    check('what it names is still there', os.path.exists('precious'))
    shutil.copy('good.ukode', 'hot.ukode')
    os.symlink('inner/hot.ukode-journal', 'hot.ukode-journal')
    refused('a journal that is a link', 'hot.ukode', 'journal next to it')
    os.unlink('hot.ukode-journal')


def outputs():
    """Names of files that the user did not give, links in the place of which came along with the recording."""
    with open('diary', 'w') as file:
        file.write('mine')
    os.mkdir('came')
    shutil.copy('good.ukode', 'came/run.ukode')
    os.symlink('../diary', 'came/run.html')
    status, out = run('report', 'came/run.ukode')
    check('a page beside its recording, through a link', status == 1 and b'it is a symbolic link, which is not followed' in out, (status, out))
    os.mkdir('came/tables')
    os.symlink('../../diary', 'came/tables/body.csv')
    status, out = run('export', '--csv', 'came/tables', 'came/run.ukode')
    check('a table through a link', status == 1 and b'body.csv: it is a symbolic link, which is not followed' in out, (status, out))
    with open('diary') as file:
        check('what they lead to is as it was', file.read() == 'mine')
    os.unlink('came/run.html')
    os.mkfifo('came/run.html')
    status, out = run('report', 'came/run.ukode', timeout=20)
    check('a page into a pipe', status == 1 and b'not a regular file' in out, (status, out))
    os.symlink('diary', 'own.html')
    status, out = run('report', '-o', 'own.html', 'good.ukode')
    check('a name of the user is opened as a shell would', status == 0 and os.path.getsize('diary') > 1000, (status, out))
    path = changed('tables', "create table thesis (x text); insert into thesis values ('x')")
    os.mkdir('mine')
    with open('mine/thesis.csv', 'w') as file:
        file.write('mine')
    status, out = run('export', '--csv', 'mine', path)
    with open('mine/thesis.csv') as file:
        check("a table of another's name overwrites nothing", status == 0 and file.read() == 'mine', (status, out))
    names = ["=cmd|' /C calc'!A0", '+1', '-1+2', '@SUM(1)', '\t=1', 'plain', '1=2']
    path = changed('formulas', lambda file: [file.execute('update body set name = ? where body = ?', (name, i + 1))
                                             for i, name in enumerate(names)])
    status, out = run('export', '--csv', 'mine', path)
    count = sqlite3.connect(path).execute('select count(*) from body').fetchone()[0]
    with open('mine/body.csv', newline='') as file:
        rows = list(csv.DictReader(file))
    for name, row in zip(names, rows):
        check('no spreadsheet evaluates a name', row['name'] == name if name in names[5:] else row['name'] == "'" + name, row)
    check('of each body a row', len(rows) == count and count > 0 and status == 0, (len(rows), count, out))


def memory():
    """The limit of a command's memory, while it waits for a recording that is locked."""
    shutil.copy('good.ukode', 'locked.ukode')
    file = sqlite3.connect('locked.ukode', isolation_level=None)
    file.execute('begin exclusive')
    size = os.path.getsize('locked.ukode')
    for name, words in list(READERS.items()) + [('compare', ['compare', 'locked.ukode'])]:
        process = subprocess.Popen([ukode] + words + ['locked.ukode'], stdout=subprocess.DEVNULL,
                                   stderr=subprocess.DEVNULL)
        limit, expected = '', (768 << 20) + 100 * size * (2 if name == 'compare' else 1)
        for _ in range(400):
            with open('/proc/%d/limits' % process.pid) as limits:
                limit = next((line.split()[3] for line in limits if line.startswith('Max data size')), '')
            if limit == str(expected) or process.poll() is not None:
                break
            time.sleep(0.005)
        check('%s: its memory is bounded' % name, limit == str(expected), (limit, expected))
        process.kill()
        process.wait()
    file.close()


# ---- texts ----------------------------------------------------------------------------------------------------------

def texts():
    name = '\x1b]0;owned\x07\x1b[2J\x9b31m\nukode: 99 of 99 steps are verified\u202e</script><script>alert(1)</script>'
    file = sqlite3.connect(shutil.copy('good.ukode', 'names.ukode'))
    file.execute('update joint set name = ?', (name,))
    file.execute('update body set name = ?, mass = mass * 1e7 where body = 1', (name,))
    file.execute('update body set name = ?', (name,))
    file.execute('update event set text = ?, kind = ?', (name, name))
    file.execute('update step set why = ?, fallback = 1 where step = 3', (name,))
    file.commit()
    file.close()
    for reader, words in READERS.items():
        status, out = run(*words, 'names.ukode')
        check('names: %s: ends' % reader, status in (0, 1), (status, out))
        check('names: %s: plain text' % reader, not controls(out), out)
        check('names: %s: no forged line' % reader, b'\nukode: 99' not in out, out)
        check('names: %s: no override of the direction' % reader, '\u202e'.encode() not in out, out)
    with open('page.html', encoding='utf-8') as page:
        text = page.read()
    check('a page holds no markup of a recording', 'alert(1)' in text and '<script>alert' not in text)
    check('a page runs its own scripts alone', "'unsafe-inline'; img" in text and "script-src 'nonce-" in text)
    check('a page loads and sends nothing', "default-src 'none'; script-src" in text and "base-uri 'none'; form-action 'none'" in text)
    nonce = text.split("script-src 'nonce-")[1].split("'")[0]
    run(*READERS['page'], 'names.ukode')
    with open('page.html', encoding='utf-8') as page:
        check('which nobody can know before', len(nonce) == 32 and nonce not in page.read())
    for table in os.listdir('csv'):
        with open(os.path.join('csv', table), 'rb') as file:
            data = file.read()
        check('tables without control characters', not set(data) & (set(range(32)) - set(b'\r\n\t') | {127}), table)


# ---- inputs ---------------------------------------------------------------------------------------------------------

def number(x):
    out = b''
    while x >= 128:
        out += bytes([x & 127 | 128])
        x >>= 7
    return out + bytes([x])


def doubles(*values):
    out = number((1 << len(values)) - 1)
    return out + b''.join(struct.pack('<d', x) for x in values)


STEP, BODY, BODY_GONE, JOINT, CONTACT, ATTACH, SETTER, SET, ELEMENT, ANSWER, CALLED, LOOK, FIELDS, WORLD_FIELDS, LAW = \
    1, 2, 3, 7, 8, 10, 11, 12, 14, 16, 17, 18, 19, 20, 21


def events(*parts):
    return b''.join(part if isinstance(part, bytes) else number(part) for part in parts)


def step(*parts, call=0):
    return events(STEP, call, doubles(0.01), *parts)


def inputs(name, *parts):
    """A recording whose first input is this."""
    data = events(*parts)
    data = number(len(data)) + data

    def put(file):
        first = file.execute('select min(step) from input').fetchone()[0]
        file.execute('update input set data = ? where step = ?', (data, first))
    return changed(name, put)


def replays():
    largest = 2**64 - 1
    cases = {
        'a serial that wraps': ([ELEMENT, 0, 0, 1, 1, 1, ELEMENT, largest, 0, 600, 1, 1, step(), ANSWER, 0, 1, 0, 1, 64,
                                 doubles(*[1.5] * 64)], 'exceeds the largest'),
        'a body that wraps': ([BODY, largest, 0, doubles(0.0), step()], 'exceeds the largest'),
        'a joint that wraps': ([JOINT, 2, largest, step()], 'exceeds the largest'),
        'a contact that wraps': ([CONTACT, largest, 0, 0, 0, doubles(*[0.0] * 10), step()], 'exceeds the largest'),
        'a serial beyond all': ([JOINT, 2, 2**40, step()], 'exceeds the largest'),
        'a body that is not there': ([BODY_GONE, 12345, step()], 'no object with the serial 12345'),
        'a contact that is not there': ([ATTACH, 2**62 + 1, 0, 0, step()], 'there is no contact'),
        'a surface that is not there': ([CONTACT, 0, 0, 0, 77, doubles(*[0.0] * 10), step()], 'no surface 77'),
        'a joint of one body twice': ([JOINT, 2, 1000, ATTACH, 2 * 1009, 1, 1, 0, 0, step()], 'twice'),
        'a motor axis without a body': ([JOINT, 10, 1000, SETTER, 9, 19, b'dJointSetAMotorAxis', SET, 9, 2 * 1009, 0, 1,
                                         doubles(*[1.0, 0, 0, 0, 0, 0][:6]), 0, step()], 'relative to body 1'),
        'an endless text': ([SETTER, 1, largest, b'x'], 'cannot be read'),
        'a law of a negative coefficient': ([LAW, 0, 2, 1, struct.pack('<d', -1)], 'coefficient of a joint law'),
        'iterations without an end': ([WORLD_FIELDS, 1 << 7, struct.pack('<d', 1e9), step(call=1)], 'iterations'),
        'samples without an end': ([FIELDS, 1, 1 << 56, struct.pack('<d', 1e9), step()], 'samples'),
        'answers without an end': ([ELEMENT, 0, 0, 1536, 1, 1, step()] + [ANSWER, 0, 1, 0, 0] * 2000, 'result of a user'),
        'an unknown event': ([200, 1], 'cannot be read'),
        'nothing but a mask': ([BODY, 0, 0, number(largest)], 'cannot be read'),
    }
    for name, (parts, says) in cases.items():
        refused(name, inputs('input', *parts), 'input.ukode: table input, the row of step', says, readers=['replay'])
    # a moved callback in a step of ODE's own destroys the body that the step goes on with
    gone = events(BODY_GONE, 1)
    called = events(FIELDS, 2, 1 << 57, struct.pack('<d', 1), WORLD_FIELDS, 1 << 9, struct.pack('<d', 0))
    status, out = run('replay', inputs('moved', called, step(CALLED, 2, len(gone), gone)))
    check('a callback that destroys a body within ODE', status in (0, 1), (status, out))
    refused('a snapshot that is not one', changed('snapshot', "update snapshot set data = x'ff00ff'"),
            'table snapshot, the row of step', readers=['replay'])
    refused('a surface that is not one', changed('surface', "update surface set data = x'01'"), 'table surface, row 1',
            readers=['replay'])


# ---- large files ----------------------------------------------------------------------------------------------------

PROCESSOR = 20  # seconds of it for files of some megabytes: times that grow with their square are minutes


def within(*words, seconds=PROCESSOR):
    process = subprocess.run([ukode] + list(words), stdout=subprocess.PIPE, stderr=subprocess.STDOUT, preexec_fn=lambda: (
        resource.setrlimit(resource.RLIMIT_CPU, (seconds, seconds)), resource.setrlimit(resource.RLIMIT_CORE, (0, 0))))
    return process.returncode, process.stdout


def many():
    """Inputs with a great many objects, poses, callbacks and answers: up to an event that is not one."""
    file = sqlite3.connect('good.ukode')
    bodies = file.execute('select count(*) from body').fetchone()[0]
    joints = file.execute("select count(*) from joint where type <> 'contact'").fetchone()[0]
    file.close()
    count, often = 20000, 1000000
    made = [events(BODY, 0, 0, 0) for _ in range(count)]
    placed = [events(JOINT, 2, 0, ATTACH, 2 * (joints + i), bodies + i, 0, 7, 0, 0) for i in range(1, count + 1)]
    again = events(SET, 9, 2 * (joints + count), 0, 0, 0, 1, 7, 0, 0)
    poses = b''.join(made + placed) + events(SETTER, 9, 20, b'dJointSetHingeAnchor') + again * often
    called = [events(FIELDS, bodies + i, 1 << 57, struct.pack('<d', 1)) for i in range(1, count + 1)]
    calls = b''.join(made + called) + step() + events(CALLED, 2**31, 0) * often
    answers = b''.join(events(ANSWER, 1, i, 0, 0) for i in range(1, 300001)) + events(LOOK, 0, 0) * 50000
    for name, data in (('poses', poses), ('callbacks', calls), ('answers', answers)):
        path = inputs('many', data + (b'' if name == 'callbacks' else number(200)))
        file = sqlite3.connect(path)
        file.execute("update input set data = x'01c8' where step > (select min(step) from input)")
        file.commit()
        file.close()
        status, out = within('replay', path)
        check('many %s: %d bytes' % (name, len(data)), status == 1 and b' cannot be read\n' in out, (status, out))


def scenes():
    """Many bodies with a shape each, all of them one mesh that is large; and as many worlds."""
    count, vertices = 20000, 100000

    def fill(file):
        file.execute("insert into mesh (mesh, kind, hash, vertex_count, face_count, vertices, faces) values "
                     "(77, 'trimesh', zeroblob(16), ?, 1, ?, ?)",
                     (vertices, struct.pack('<3d', 0.5, 1, 2) * vertices, struct.pack('<3i', 0, 1, 2)))
        for k in range(count):
            file.execute('insert into world (world, gravity_x, gravity_y, gravity_z) values (?, 0, 0, -9.8)', (1000 + k,))
            file.execute('insert into body (body, world, mass, kinematic, created_step) values (?, ?, 1, 0, 1)', (1000 + k,) * 2)
            file.execute("insert into shape (shape, world, body, type, position_x, position_y, position_z, orientation_w, "
                         "orientation_x, orientation_y, orientation_z, mesh) values (?, ?, ?, 'trimesh', 0, 0, 0, 1, 0, 0, 0, "
                         "77)", (1000 + k,) * 3)
    path = changed('scenes', fill)
    status, out = within('export', '--gltf', 'scenes.glb', path)
    check('many bodies of one mesh: read once', status == 0, (status, out))
    if status != 0:
        return
    with open('scenes.glb', 'rb') as file:
        size, = struct.unpack('<I', file.read(20)[12:16])
        scene = json.loads(file.read(size))
    meshes = [mesh for mesh in scene['meshes'] if scene['accessors'][mesh['primitives'][0]['attributes']['POSITION']]['count']
              == vertices]
    bodies = [node for node in scene['nodes'] if node.get('name', '').startswith('body ')]
    check('many bodies of one mesh', 0 < len(meshes) <= 7 and len(bodies) >= count and
          sum('mesh' in node for node in scene['nodes']) >= count, (status, out, len(meshes)))


def worlds():
    """Many worlds: what each of them asks of the file must not read the rows of all."""
    count, few = 3000, 20
    tables = [name for name, in sqlite3.connect('good.ukode').execute(
        "select name from sqlite_master where type = 'table' and name not in ('unit', 'run')")]

    def fill(file):
        for table in tables:
            file.execute('delete from ' + table)
        for k in range(1, count + 1):
            file.execute("insert into world (world, integrator, gravity_x, gravity_y, gravity_z) values (?, 'euler', 0, 0, -9.8)", (k,))
            file.execute('insert into body (body, world, mass, inertia_xx, inertia_yy, inertia_zz, kinematic, created_step) '
                         'values (?, ?, 1, 1, 1, 1, 0, ?)', (k, k, 2 * k))
            for step in (2 * k, 2 * k + 1):
                file.execute('insert into step (step, world, number, time, h, ukode, contacts) values (?, ?, ?, ?, 0.01, 1, 1)',
                             (step, k, step - 2 * k + 1, 0.01 * (step - 2 * k + 1)))
                file.execute('insert into body_step (step, body, position_x, position_y, position_z, orientation_w, velocity_x, '
                             'velocity_y, velocity_z, awake) values (?, ?, ?, 0, 1, 1, 0.1, 0, 0, 1)', (step, k, k))
                file.execute('insert into contact_step (step, contact, body_1, normal_x, normal_y, normal_z, depth, force_x, '
                             'force_y, force_z) values (?, 1, ?, 0, 0, 1, 0.01, 1, 0, 9)', (step, k))
    path = changed('worlds', fill)
    for words in READERS['report'], READERS['page'], READERS['csv'], READERS['gltf'], READERS['verify'], ['compare', path]:
        status, out = within(*words, path)
        check('many worlds: %s' % words[0], status in (0, 1) and b'more work than' not in out, (status, out))
    with open('page.html', encoding='utf-8') as page:
        text = page.read()
    check('many worlds: each is in the page, with its body', text.count('"integrator":"euler"') == count and
          all('[{"body":%d,' % k in text for k in (1, 2, count // 2, count)))

    def copy(file):
        """The same world again: with its own rows alone, it has the same findings."""
        file.execute('delete from event')
        for k in range(1, few):
            for table in ('world', 'body', 'shape', 'joint', 'joint_parameter', 'step', 'body_step', 'joint_step'):
                moved = [name if name not in ('world', 'body', 'body_1', 'body_2', 'shape', 'joint', 'step', 'created_step',
                                              'destroyed_step') else '%s + %d' % (name, 100000 * k) for name in columns(file, table)]
                file.execute('insert into %s select %s from %s where %s < 100000' % (table, ', '.join(moved), table,
                                                                                   columns(file, table)[0]))
    file = changed('alone', 'delete from event; delete from contact_step; delete from ledger_step; delete from step where step > '
                   '50; delete from body_step where step > 50; delete from joint_step where step > 50; update body set mass = '
                   'mass * 1e7 where body = 1')
    os.rename(file, 'good-alone')
    shutil.copy('good-alone', 'copies.ukode')
    copies = sqlite3.connect('copies.ukode')
    copy(copies)
    copies.commit()
    found = {}
    for path in ('good-alone', 'copies.ukode'):
        check('findings: %s' % path, run('report', '--text', path)[0] == 0)
        found[path] = sqlite3.connect(path).execute('select kind, count(*) from finding group by kind').fetchall()
    check('many worlds: each has its findings', found['good-alone'] and
          found['copies.ukode'] == [(kind, few * n) for kind, n in found['good-alone']], found)


def bodies():
    """One world of many bodies, each with a shape, a joint and contacts: no body reads the rows of all others."""
    count = 16000
    tables = [name for name, in sqlite3.connect('good.ukode').execute(
        "select name from sqlite_master where type = 'table' and name not in ('unit', 'run')")]

    def fill(file):
        for table in tables:
            file.execute('delete from ' + table)
        file.execute("insert into world (world, integrator, gravity_x, gravity_y, gravity_z) values (1, 'euler', 0, 0, -9.8)")
        file.executemany('insert into body (body, world, mass, inertia_xx, inertia_yy, inertia_zz, inertia_xy, inertia_xz, '
                         'inertia_yz, kinematic, created_step) values (?1, 1, 1, 1, 1, case ?1 when ?2 then 40 else 1 end, 0, 0, 0, 0, 1)',
                         ((k, count) for k in range(1, count + 1)))
        for k in range(1, count + 1):
            file.execute("insert into shape (shape, world, body, type, size_1, size_2, size_3, position_x, position_y, position_z, "
                         "orientation_w) values (?, 1, ?, 'box', 1, 1, 1, 0, 0, 0, 1)", (k, k))
            file.execute("insert into joint (joint, world, type, body_1, anchor_x, anchor_y, anchor_z, axis_1_x, axis_1_y, axis_1_z, "
                         "created_step) values (?, 1, 'hinge', ?, ?, 0, 1, 0, 1, 0, 1)", (k, k, k + 0.5))
        file.execute('insert into step (step, world, number, time, h, ukode, contacts) values (1, 1, 1, 0.01, 0.01, 1, ?)', (count,))
        file.executemany('insert into body_step (step, body, position_x, position_y, position_z, orientation_w, velocity_x, '
                         'velocity_y, velocity_z, awake) values (1, ?, ?, 0, 1, 1, 0.1, 0, 0, 1)', ((k, k) for k in range(1, count + 1)))
        file.executemany('insert into contact_step (step, contact, body_1, body_2, normal_x, normal_y, normal_z, depth, force_x, '
                         'force_y, force_z) values (1, ?, ?, ?, 0, 0, 1, 0.01, 1, 0, 9)', ((k, k, k + 1) for k in range(1, count)))
    path = changed('bodies', fill)
    for words in READERS['report'], READERS['page']:
        status, out = within(*words, path, seconds=5)  # it takes half a second, or 9 if every body reads all shapes
        check('many bodies: %s' % words[0], status == 0 and b'more work than' not in out, (status, out))
    found = sqlite3.connect(path).execute('select kind, body from finding').fetchall()
    check('many bodies: the moments of the last one cannot be', ('inertia', count) in found, found[:5])


# ---- certificates ---------------------------------------------------------------------------------------------------

def certificates():
    """Equations removed, and the tables that would say so: the last line claims no more than was checked."""
    path = changed('resealed', 'delete from equation where step > 5')
    status, out = run('verify', path)
    check('equations are missing: the seal says so', status == 1, out)
    good = run('verify', '--all', 'good.ukode')
    check('all steps have their equations', good[0] == 0 and b' with equations: ' in good[1], good)
    sealer = os.path.join(build, 'tests', 'cli', 'reseal')
    check('sealed again', subprocess.call([sealer, path]) == 0)
    status, out = run('verify', path)
    check('a seal is not a signature: what is checked is said', status == 0 and b' 5 with equations' in out, out)
    check('and no more is claimed', b'5 of %d steps are verified; of the others only the seals' % steps() in out and b' steps are verified\n' not in out, out)
    status, out = run('verify', '--all', path)
    check('--all asks for every step', status == 1 and b'without all equations' in out, (status, out))
    path = changed('island', 'update equation set step = step + 1000000 where step = 7')
    subprocess.call([sealer, path])
    check('equations of no step', run('verify', path)[0] == 1)


def steps():
    return sqlite3.connect('good.ukode').execute('select count(*) from step').fetchone()[0]


# ---- other files ----------------------------------------------------------------------------------------------------

def files():
    os.mkfifo('pipe')
    for words in list(READERS.values()) + list(ANALYSES) + [['compare', 'good.ukode']]:
        status, out = run(*words, 'pipe', timeout=20)
        check('a pipe: %s' % words[0], status == 1 and b'not a regular file' in out, (status, out))
    status, out = run('run', '--config', 'pipe', '--', '/bin/true', timeout=20)
    check('a configuration from a pipe', status == 2 and b'a pipe, not a file' in out, (status, out))
    demo = os.path.join(build, 'demos', 'door')
    status, out = run('run', '--restore', 'pipe', '--', demo, timeout=20)
    check('a state from a pipe', status is not None and b'pipe: it is not a regular file' in out, (status, out))
    status, out = run('sweep', 'pipe', '--', demo, timeout=20)
    check('a study from a pipe', status == 1 and b'not a regular file' in out, (status, out))
    with open('kept', 'w') as file:
        file.write('kept')
    os.symlink('kept', 'state')
    status, out = run('run', '--save', 'state', '--save-every', '0.1', '--', demo)
    check('a state through a link', b'state: it is a symbolic link, which is not followed' in out, (status, out))
    with open('kept') as file:
        check('what it leads to is as it was', file.read() == 'kept' and os.path.islink('state'))
    os.symlink('kept', 'taken.ukode')
    status, out = run('record', '-o', 'taken.ukode', '--', demo)
    with open('kept') as file:
        check('a recording through a link', status == 126 and b'it is not replaced' in out and file.read() == 'kept',
              (status, out))
    os.symlink(os.path.join(build, 'libukode.so'), 'library')  # LD_PRELOAD holds no path with a blank
    status = subprocess.call([demo], stdout=subprocess.DEVNULL, env=dict(
        os.environ, LD_PRELOAD=os.path.abspath('library'), UKODE_RECORD=os.path.abspath('taken.ukode')))
    with open('kept') as file:
        check('a recording beside a link, by the library alone', status == 0 and file.read() == 'kept' and
              os.path.exists('taken-2.ukode') and os.path.getsize('taken-2.ukode') > 1000, status)
    os.unlink('state')
    os.mkfifo('state')
    status, out = run('run', '--save', 'state', '--save-every', '0.1', '--', demo, timeout=20)
    check('a state into a pipe', b'state: it is not a regular file' in out, (status, out))
    os.unlink('state')
    status, out = run('run', '--save', 'state', '--save-every', '0.1', '--', demo)
    left = [name for name in os.listdir('.') if name.startswith('state')]
    check('a state, and nothing beside it', left == ['state'] and os.path.getsize('state') > 100, (left, out))
    status, out = run('report', '--text', '.')
    check('a directory', status == 1 and b'directory' in out, (status, out))


def executables():
    """Recordings that are programs, with the permission to be executed: only what stands after -- is run."""
    with open('program.ukode', 'w') as file:
        file.write('#!/bin/sh\ntouch ran\n')
    shutil.copy('good.ukode', 'executable.ukode')
    for name in ('program.ukode', 'executable.ukode'):
        os.chmod(name, 0o755)
    for words in list(READERS.values()) + list(ANALYSES) + [['compare', 'good.ukode'], ['compare', './program.ukode']]:
        status, out = run(*words, './program.ukode')
        check('a recording that is a program: %s' % words[0], status == 1 and b'is not a database' in out and
              not os.path.exists('ran'), (status, out))
    for words in ['compare'], ['compare', './program.ukode', 'good.ukode'], ['modes', 'good.ukode']:
        status, out = run(*words, './program.ukode')
        check('too few or many recordings: %s' % words[0], status == 2 and not os.path.exists('ran'), (status, out))
    status, out = run('compare', './executable.ukode', 'good.ukode')
    check('a recording that may be executed is compared', status == 0, (status, out))
    run('modes', '--', './program.ukode')
    check('a program after -- is run', os.path.exists('ran'))


def synced():
    """Each state is on the disk before it replaces the one before, and its name after it (tests/cli/synced.c)."""
    source = os.path.join(os.path.dirname(os.path.abspath(__file__)), 'synced.c')
    subprocess.run([os.environ.get('CC', 'cc'), '-shared', '-fPIC', '-D_GNU_SOURCE', '-o', 'synced.so', source, '-ldl'],
                   check=True)
    os.environ.update(LD_PRELOAD=os.path.abspath('synced.so'), SYNCED=os.path.abspath('log'))
    status, out = run('run', '--save', 'state', '--save-every', '0.1', '--', os.path.join(build, 'demos', 'door'))
    del os.environ['LD_PRELOAD'], os.environ['SYNCED']
    lines = open('log').read().split() if os.path.exists('log') else []
    saved = len(lines) // 2
    check('states are synchronized before they are renamed, and their folder after', status == 0 and saved > 5 and
          lines == ['synced', 'folder'] * saved, (status, out, lines[:6]))


def links():
    """A database that came along with its study as a link: to another sweep of the user's, or to nothing yet."""
    with open('mine.conf', 'w') as file:
        file.write('vary n in 1 2\n')
    with open('theirs.conf', 'w') as file:  # the same study with more runs, which a sweep would add
        file.write('vary n in 1 2\nrepeat = 2\n')
    status, out = run('sweep', 'mine.conf', '--', '/bin/true')
    check('a sweep of one\'s own', status == 0, (status, out))
    with open('mine.db', 'rb') as file:
        before = file.read()
    for aim in ('mine.db', 'nothing.db'):
        os.symlink(aim, 'theirs.db')
        status, out = run('sweep', 'theirs.conf', '--', '/bin/true')
        check('the database of a study, through a link', status == 1 and b'theirs.db: it is a symbolic link, which is not followed' in out,
              (status, out))
        os.unlink('theirs.db')
    with open('mine.db', 'rb') as file:
        check('what they lead to is as it was', file.read() == before and not os.path.exists('nothing.db'))
    os.symlink('nothing.db', 'own.db')
    status, out = run('sweep', 'theirs.conf', '-o', 'own.db', '--', '/bin/true')
    check('a database that the user names is opened as a shell would', status == 0 and os.path.getsize('nothing.db') > 0,
          (status, out))


def studies():
    """The database of a sweep: the names of its columns stand in queries."""
    def make(name, *columns_of_run):
        file = sqlite3.connect(name)
        file.executescript('pragma application_id = 0x554b4f53; pragma user_version = 1;'
                           'create table run (point INTEGER, repetition INTEGER, outcome TEXT, exit_status INTEGER, '
                           'signal INTEGER, why TEXT, seconds REAL, hash TEXT);'
                           'create table run_column (name TEXT, role TEXT, unit TEXT, meaning TEXT);'
                           'create table study (name TEXT, value TEXT);')
        file.execute('insert into run values (1, 1, ?, 1, null, ?, 1.0, null)', ('o\x1b[2J', 'why\x1b[31m\nukode: fine'))
        for column in columns_of_run:
            file.execute("insert into run_column values (?, 'result', '', '')", (column,))
        file.commit()
        file.close()
    with open('nul.conf', 'wb') as file:
        file.write(b'vary n in 1 2\0\nsamples = frobnicate\n')
    status, out = run('sweep', 'nul.conf', '--', './runs')
    check('a study with a byte of zero', status == 1 and b'nul.conf: it is not a text' in out, (status, out))
    with open('links.conf', 'w') as file:
        file.write('vary n in 1\nkeep out mode link folder/* missing\n')
    with open('runs', 'w') as file:
        file.write('#!/bin/sh\necho out >out\nstat -c %a . >mode\nln -s /etc/passwd link\nln -s /etc folder\n')
    os.chmod('runs', 0o755)
    status, out = run('sweep', 'links.conf', '--', './runs')
    rows = sqlite3.connect('links.db').execute('select name from file order by name desc').fetchall()
    mode = sqlite3.connect('links.db').execute("select content from file where name = 'mode'").fetchone()
    check('of a run the folder is its own', mode == (b'700\n',), mode)
    why = sqlite3.connect('links.db').execute('select why from run').fetchone()[0]
    check('of a run its own files alone', rows == [('out',), ('mode',)] and 'link is not kept: a symbolic link' in why, (rows, why[:200]))
    forged = 'o\x1b[2J\nukode: fine\u202e'
    for column in ('outcome', 'why', 'value'):
        shutil.copy('links.db', 'forged.db')
        file = sqlite3.connect('forged.db')
        if column == 'value':
            file.execute("update study set value = ? || value where name = 'identity'", (forged,))
        else:
            file.execute('update run set outcome = ?, %s = ?' % column, ('exit', forged))
        file.commit()
        file.close()
        status, out = run('sweep', 'links.conf', '-o', 'forged.db', '--', './runs')
        plain = not controls(out) and b'\nukode: fine' not in out and '\u202e'.encode() not in out
        check('a sweep that continues a forged database (%s)' % column, plain and (
            status == 1 if column == 'value' else status == 0 and b'\\x0aukode: fine' in out), (status, out))
    make('study.db', 'seconds', 'outcome')
    status, out = run('report', '--text', 'study.db')
    check('texts of a study', status == 0 and not controls(out) and b'\nukode: fine' not in out, (status, out))
    make('injected.db', 'seconds" from run union all select value from study --')
    with open('poem', 'w') as file:
        file.write('mine')
    os.symlink('poem', 'study.html')
    status, out = run('report', 'study.db')
    with open('poem') as file:
        check('the page of a study, through a link', status == 1 and b'study.html: it is a symbolic link, which is not followed' in out
              and file.read() == 'mine', (status, out))
    for words in (['--text'], ['-o', 'injected.html']):
        status, out = run('report', *words, 'injected.db')
        check('a column that is SQL', status == 1 and b'is not the name of a column' in out, (status, out))


def configurations():
    """Words of a configuration and of a study, printed by the command, and by the library in a program of its own."""
    word = '\x1b[2J\u202e\x9b31m'
    library = os.path.abspath('preloaded.so')  # LD_PRELOAD holds no path with a blank
    os.symlink(os.path.join(build, 'libukode.so'), library)
    program = os.path.join(build, 'demos', 'walker')
    for line in ('body %s mass 4', 'name body 1 %s\nbody 2 mass nan', '%s = 1', 'all viscous %s', 'hinge %s 0.1'):
        with open('words.conf', 'w', encoding='utf-8') as file:
            file.write(line.replace('%s', word) + '\n')
        outs = {'run': run('run', '--config', 'words.conf', '--', program)[1]}
        outs['library'] = subprocess.run([program], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, env=dict(
            os.environ, LD_PRELOAD=library, UKODE_CONFIG='words.conf')).stdout
        for name, out in outs.items():
            check('words of a configuration: %s: %s' % (line, name), b'ukode: ' in out and not controls(out)
                  and '\u202e'.encode() not in out, out[-600:])
    with open('words.conf', 'w', encoding='utf-8') as file:
        file.write('vary n in 1\nresult x = SELECT %s\n' % '\u202e\x9b')
    status, out = run('sweep', 'words.conf', '--', program)
    check('the query of a study', status == 1 and not controls(out) and '\u202e'.encode() not in out, (status, out))


def main():
    here = os.getcwd()
    environment = {name: value for name, value in os.environ.items() if not name.startswith('UKODE_')}
    os.environ.clear()
    os.environ.update(environment)
    signal.signal(signal.SIGPIPE, signal.SIG_DFL)
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        status, out = run('record', '-o', 'good.ukode', '--inputs', '--certificates', '--every-step', '--',
                          os.path.join(build, 'demos', 'walker'))
        check('a recording', status == 0, out)
        for part in (schemas, pages, journals, outputs, memory, texts, replays, many, scenes, worlds, bodies, certificates, files, executables, synced, links, studies,
                     configurations):
            if part.__name__ in (sys.argv[2:] or [part.__name__]):
                part()
        os.chdir(here)
    print('hostile: %d failed' % len(failures))
    return 1 if failures else 0


sys.exit(main())
