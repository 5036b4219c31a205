import { describe, expect, it } from 'vitest'
import { contentKinds } from './content-kinds.ts'
import type { ContentKind } from './content-kinds.ts'
import { statesExit } from './failure-exit.ts'
import { detectFailure, statesFailure } from './failure.ts'

const failing = [
  'Traceback (most recent call last):',
  "ModuleNotFoundError: No module named 'pytz'",
  'django.core.exceptions.ImproperlyConfigured: settings are not configured.',
  'E   AssertionError: assert 3 == 4',
  'FAILED tests/test_io.py::test_read - KeyError: 1',
  'ERROR: test_save (tests.models.SaveTest)',
  'FAILED (failures=1, errors=2)',
  '==== 2 failed, 31 passed in 4.1s ====',
  'src/main.ts(12,4): error TS2304: Cannot find name "join".',
  'src/a.c:12:4: error: expected ;',
  'error[E0308]: mismatched types',
  'npm ERR! code ELIFECYCLE',
  'bash: foo: command not found',
  'cat: /tmp/x: No such file or directory',
  '/usr/bin/python3: No module named pytest',
  'fatal: not a git repository',
  'panic: runtime error: index out of range',
  'make: *** [all] Error 2',
  'Segmentation fault (core dumped)',
  'not ok 3 - adds numbers',
  '  ✕ renders the page (12 ms)',
  'Tests:       1 failed, 8 passed, 9 total',
  'Error executing tool geocode: timeout',
  'Failed to fetch the page - status code 403',
  '  "isError": true',
  '{"error": "user not found"}',
  '2024-05-01 10:00:00,123 worker ERROR cannot connect',
  'Could not find the exact text in src/index.ts.',
  'patch: **** malformed patch at line 23: x',
  '2 out of 2 hunks ignored -- saving rejects to file a.rej',
  'CONFLICT (content): Merge conflict in a.txt',
  'Error: none of the servers answered',
  'error: null pointer dereference',
  'Error: - no such option',
]

const harmless = [
  '0 errors, 3 warnings',
  'Found 0 errors.',
  '=== 31 passed in 4.1s ===',
  '  "isError": false',
  '  "error": null,',
  '  "error": "red",',
  'export class ParseError extends Error {',
  '    raise ValueError("bad")',
  '123:        except KeyError as error:',
  'def test_failure_is_reported(self):',
  'Error: (none)',
  'Error: none',
  'error: null',
  'Error: -',
  'ERROR: N/A',
  'Error:   None.',
  'stderr: error: (empty)',
  'handled errors are listed below',
  'Exit code: 0',
  'patching file src/a.py',
  '- tests/test_error.py',
  '',
]

describe('failures', () => {
  it.each(failing)('V-027: a line that states a failure is seen: %s', (line) => {
    expect(statesFailure(line)).toBe(true)
  })

  it.each(harmless)('does not cry wolf: %s', (line) => {
    expect(statesFailure(line)).toBe(false)
  })

  it('believes a stated exit status before all else', () => {
    expect(detectFailure(['<returncode>1</returncode>', '<output>', '</output>'], 'prose')).toMatchObject({
      failed: true,
      stated: 0,
      exitStatus: 1,
      exitLine: 0,
      lines: [0],
    })
    const ended = detectFailure(['FAILED tests/a.py::b', 'Exit code: 0'], 'test-output')
    expect(ended).toMatchObject({ failed: false, stated: 1, exitStatus: 0, exitLine: 1, lines: [0] })
    expect(detectFailure(['x', 'Command exited with code 127'], 'prose')).toMatchObject({
      failed: true,
      exitStatus: 127,
    })
    expect(statesExit('<returncode>0</returncode>')).toBe(true)
  })

  it('a result whose field for errors is empty has not failed', () => {
    const lines = ['Command: ls', 'Output: a.ts', 'Error: (none)', 'Signal: (none)']
    expect(detectFailure(lines, 'prose')).toMatchObject({ failed: false, stated: 0, lines: [] })
  })

  it('names the exception at the end of a traceback, whatever it is called', () => {
    const lines = [
      'ok',
      'Traceback (most recent call last):',
      '  File "a.py", line 1, in <module>',
      '    run()',
      'app.Unlucky: no more tries',
      'done',
    ]
    expect(detectFailure(lines, 'log').lines).toEqual([1, 2, 3, 4])
  })

  it('goes on with a traceback behind what a program has said in between, and not into the next one', () => {
    const frame = (line: number): readonly string[] => [`  File "a.py", line ${line}, in <module>`, '    run()']
    const head = 'Traceback (most recent call last):'
    const between = ['=== Last test ===', '1. With a set:', '    **kw).encode(obj)']
    const lines = [
      head,
      ...frame(1),
      ...between,
      ...frame(2),
      'TypeError: no set',
      'done',
      head,
      ...frame(3),
      'ValueError: no list',
    ]
    const { lines: found } = detectFailure(lines, 'log')
    expect(found.map((at) => lines[at])).toEqual(expect.arrayContaining(['TypeError: no set', 'ValueError: no list']))
    expect(found).not.toContain(lines.indexOf('=== Last test ==='))
  })

  it('goes on with it where output has come between the last frame and the exception, and a name of any kind ends it', () => {
    const frames = ['Traceback (most recent call last):', '  File "a.py", line 1, in <module>', '    run()']
    const saidOf = (...rest: readonly string[]): readonly string[] => {
      const lines = [...frames, ...rest]
      return detectFailure(lines, 'log').lines.map((at) => lines[at] ?? '')
    }
    expect(saidOf("first.get(key).value = 'B'", "AttributeError: 'Name' has no 'get'")).toContain(
      "AttributeError: 'Name' has no 'get'",
    )
    expect(saidOf('harbour.Closed: no boat', 'The list: 1', 'ValueError: of another run')).toContain(
      'harbour.Closed: no boat',
    )
  })

  it('goes on with it also where the output has come between the last frame and its code', () => {
    const lines = [
      'Traceback (most recent call last):',
      '  File "/lib/functools.py", line 193, in total_ordering',
      'Test directory: /tmp/a',
      'Example directory: /tmp/a/b',
      "    raise ValueError('no operation')",
      'ValueError: no operation',
    ]
    const found = detectFailure(lines, 'log').lines.map((at) => lines[at])
    expect(found).toContain('ValueError: no operation')
    expect(found).not.toContain('Test directory: /tmp/a')
  })

  it('an error stays with the test that it belongs to', () => {
    const lines = [
      'test cart::adds ... ok',
      'test cart::first ... FAILED',
      'test cart::second ... FAILED',
      '',
      '---- cart::second stdout ----',
      '',
      "thread 'cart::second' panicked at src/lib.rs:7:9:",
      'no price',
    ]
    const { blocks } = detectFailure(lines, 'test-output')
    expect(blocks.map(({ title, message }) => [title, message])).toEqual([
      [1, 1],
      [4, 6],
    ])
  })

  it('of what a package manager says about one error only the telling lines stay', () => {
    const lines = [
      'src/a.ts(1,2): error TS2304: Cannot find name "x".',
      'npm error Lifecycle script `build` failed with error:',
      'npm error code 2',
      'npm error path /app/packages/a',
      'npm error workspace a@1.0.0',
      'npm error location /app/packages/a',
      'npm error command sh -c tsc',
    ]
    expect(detectFailure(lines, 'build-output').lines).toEqual([0, 1])
  })

  it('counts as the result does itself, else what it states', () => {
    const stated = (...lines: string[]) => detectFailure(lines, 'test-output').stated
    expect(stated('FAILED a.py::b - x', '=== 3 failed, 9 passed, 1 error in 0.1s ===')).toBe(4)
    expect(stated('src/a.c:1:2: error: x', 'src/a.c:9:2: error: y')).toBe(2)
    expect(stated('ok 1 - a', '# fail 0')).toBe(0)
  })

  it('V-027: a JSON document has failed where its outermost fields say so', () => {
    const report = (value: unknown) => {
      const text = JSON.stringify(value, null, 2)
      return detectFailure(text.split('\n'), 'json', text)
    }
    const flagged = report({ content: [{ type: 'text', text: 'too many requests' }], isError: true })
    expect(flagged).toMatchObject({ failed: true, lines: [3, 4, 7] })
    expect(report({ jobs: [{ name: 'a', error: 'no such image' }], error: null }).failed).toBe(false)
    expect(report([{ title: 'TypeError: x is undefined', body: 'Error: x' }]).lines).toEqual([])
  })

  it('V-027: what a script says under a step that it names is seen, as long as it stands below it', () => {
    const reported = (text: string): readonly number[] => detectFailure(text.split('\n'), 'log').lines
    expect(reported('Testing the folder:\n  opened src\n  Error: cannot load src/project\ndone')).toContain(2)
    expect(reported('   b. Generator (should work):\n      ERROR: no len()')).toContain(1)
    expect(reported('Test 3: a string\n  FAIL: should have raised')).toContain(1)
    expect(reported("Input: 'a b'\n  ValidationError: ['no address']")).toContain(1)
    expect(reported('Raises:\n    ValueError: where the name is empty')).toEqual([])
    expect(reported("Testing: 'http://[x]' - should raise ValidationError\n  ValidationError")).toContain(1)
    expect(reported('Raises:\n    ValueError')).toEqual([])
    expect(reported('src/a.md\n    Error: cannot read means that it is not there')).toEqual([])
  })

  it('V-027: what a script raises below the headings that it prints is no quotation', () => {
    const printed = ['# First case', 'passed', '# Second case', 'a = 1', 'TypeError: rate is no number']
    expect(detectFailure(printed, 'config').lines).toContain(4)
    expect(detectFailure(printed, 'prose').lines).toContain(4)
    expect(detectFailure(printed, 'source-code').lines).toEqual([])
    expect(detectFailure(printed, 'directory-listing').lines).toEqual([])
    const fenced = ['# Use', 'Read this.', '# Errors', '```', 'TypeError: rate is no number', '```']
    expect(detectFailure(fenced, 'prose').lines).toEqual([])
  })

  it('V-027: marks under the code of a traceback are no fences of a document', () => {
    const frame = ['  File "a.py", line 3, in f', '    return data[key]', '           ~~~~^^^^^']
    const trace = ['Traceback (most recent call last):', ...frame, "TypeError: 'NoneType' object is not subscriptable"]
    expect(detectFailure([...trace, ...trace, 'Test 2: string'], 'log').lines).toContain(4)
  })

  it('an exception at the beginning of a line is one in every kind but code, search results and diffs', () => {
    const line = 'ValueError: bad day'
    const stated = (kind: ContentKind, ...lines: readonly string[]): number =>
      detectFailure(lines, kind, lines.join('\n')).lines.length
    const quoting = new Set<ContentKind>(['source-code', 'search-results', 'diff'])
    for (const kind of contentKinds)
      expect([kind, stated(kind, 'one', line, 'two')]).toEqual([kind, quoting.has(kind) ? 0 : 1])
    expect(stated('html', '<html>', '<p>a page</p>', '</html>', line)).toBe(1)
    expect(stated('html', '<html>', '<pre class="code">', line, '</pre>', '</html>')).toBe(0)
    expect(stated('html', '<html>', '<pre>one line</pre>', line, '</html>')).toBe(1)
    expect(stated('html', '<html>', 'a page about "Error: one"', '</html>')).toBe(0)
  })

  it('V-027: an error that is raised over several lines is told by what was raised', () => {
    const raised = [
      '>       raise ConfigError(',
      "            'no {}'.format(name),",
      '        )',
      '    a',
      '    b',
      '    c',
    ]
    const text = [...raised, 'E       app.ConfigError: no name', '', 'app/config.py:542: ConfigError']
    expect(detectFailure(text, 'test-output').blocks[0]?.message).toBe(6)
  })

  it('quoted failures in code, diffs and search results do not fail the call', () => {
    const lines = ['ERROR: shown to the user']
    expect(detectFailure(lines, 'source-code').failed).toBe(false)
    expect(detectFailure(lines, 'prose').failed).toBe(true)
  })

  it('is linear in long lines and many lines', () => {
    const long = 'error '.repeat(200_000)
    expect(detectFailure([long], 'log').lines).toEqual([0])
    expect(
      detectFailure(
        Array.from({ length: 100_000 }, () => ' '.repeat(40) + 'not found'),
        'log',
      ).failed,
    ).toBe(false)
  })

  it('of a traceback that was cut before its exception the last frames stay', () => {
    const frames = [3, 4, 5].flatMap((line) => [
      `  File "/app/till/pay.py", line ${line}, in pay`,
      '    gateway.charge(order)',
    ])
    const cut = ['Traceback (most recent call last):', ...frames]
    for (const tail of [[], ['</output>']]) {
      const { lines, failed } = detectFailure([...cut, ...tail], 'log')
      expect(failed).toBe(true)
      expect(lines).toEqual([0, 5, 6])
    }
  })
})
