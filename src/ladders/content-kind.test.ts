import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { contentKind } from './content-kind.ts'
import { contentKinds } from './content-kinds.ts'
import type { ContentKind } from './content-kinds.ts'
import { enveloped, kindSamples } from './kind-samples.fixture.ts'

const codeUnit = fc.integer({ min: 0, max: 0xffff }).map((unit) => String.fromCharCode(unit))

const samples: readonly (readonly [ContentKind, string, string])[] = [
  ['json', 'pretty', '{\n  "id": 7,\n  "tags": ["a"]\n}'],
  ['json', 'one line', '[{"id":1},{"id":2}]'],
  ['json', 'lines', '{"a":1}\n{"a":2}\n'],
  ['table', 'csv', 'id,name,price\n1,tea,2.50\n2,coffee,3.10\n3,milk,1.00'],
  ['table', 'markdown', '| a | b |\n|---|---|\n| 1 | 2 |\n| 3 | 4 |'],
  [
    'table',
    'columns',
    'NAME      READY   STATUS    AGE\nweb-1     1/1     Running   2d\nweb-2     0/1     Pending   5m\ndb        1/1     Running   9d',
  ],
  ['log', 'dated', '2024-05-01 10:00:00 INFO started\n2024-05-01 10:00:01 INFO ready\n2024-05-01 10:00:09 WARN slow'],
  [
    'log',
    'traceback',
    'Traceback (most recent call last):\n  File "a.py", line 1, in <module>\n    import x\nImportError: x',
  ],
  ['test-output', 'pytest', '===== test session starts =====\ncollected 2 items\n\ntests/a.py ..\n'],
  ['test-output', 'unittest', 'test_add (tests.Sum) ... ok\n----\nRan 1 test in 0.001s\n\nOK'],
  ['test-output', 'vitest', ' ✓ adds numbers\n ✓ subtracts\nTests  2 passed'],
  ['build-output', 'tsc', 'src/a.ts(1,2): error TS2304: Cannot find name "x".'],
  [
    'build-output',
    'pip',
    'Collecting requests\n  Downloading requests-2.31.0.whl\nSuccessfully installed requests-2.31.0',
  ],
  ['diff', 'git', 'diff --git a/x b/x\n--- a/x\n+++ b/x\n@@ -1,2 +1,2 @@\n-a\n+b\n c'],
  ['search-results', 'grep -rn', 'src/a.ts:12:  const x = 1\nsrc/b/c.ts:3:import x'],
  ['search-results', 'grep -n with context', '10-def a():\n11:    match\n12-    pass\n--\n40-x\n41:    match'],
  ['search-results', 'grep -n, jumping', '12:  x = 1\n80:  x = 2\n431:  x = 3\n900: y'],
  [
    'directory-listing',
    'ls -l',
    'total 8\ndrwxr-xr-x 2 me me 4096 Jan  1 10:00 src\n-rw-r--r-- 1 me me   12 Jan  1 10:00 a.txt',
  ],
  ['directory-listing', 'find', './src/a.ts\n./src/b.ts\n./test/c.ts'],
  ['directory-listing', 'tree', '.\n├── src\n│   ├── a.ts\n│   └── b.ts\n└── package.json'],
  [
    'source-code',
    'python',
    'import os\n\ndef run(path):\n    if path:\n        return os.stat(path)\n    raise ValueError(path)',
  ],
  [
    'source-code',
    'typescript',
    "import { a } from './a.ts'\n\nexport function b(c: number): number {\n  return a(c)\n}",
  ],
  ['source-code', 'cat -n', '     1\timport os\n     2\t\n     3\tdef run(path):\n     4\t    return os.stat(path)'],
  ['source-code', 'grep -n -A', '10:def a(x):\n11-    y = x\n12-    return y\n13-\n14-def b(x):\n15-    return x'],
  ['html', 'page', '<!DOCTYPE html>\n<html><head><title>x</title></head></html>'],
  ['html', 'fragment', '<div class="a">\n<p>text</p>\n</div>'],
  ['prose', 'words', 'The tests pass now.\n\nNothing else is left to do here, I think.'],
  ['config', 'yaml', 'name: web\nports:\n  - 80\nimage: web:1.2\nreplicas: 3'],
  ['prose', 'empty', ''],
]

describe('contentKind', () => {
  it.each(samples)('%s: %s', (kind, _, text) => {
    expect(contentKind(text)).toBe(kind)
  })

  it('looks through the envelope of a harness', () => {
    const told = samples.filter(([, , text]) => text !== '')
    expect(told.map(([, , text]) => contentKind(enveloped(text)))).toEqual(told.map(([kind]) => kind))
  })

  it.each([
    ['bare', (text: string) => text],
    ['in the envelope of a harness', enveloped],
  ])('tells at least 95 of 101 samples of real output, %s', (_, shown) => {
    const right = kindSamples.filter(({ kind, text }) => contentKind(shown(text)) === kind)
    expect(kindSamples.length).toBeGreaterThan(100)
    expect(right.length / kindSamples.length).toBeGreaterThanOrEqual(95 / 101)
  })

  it('takes the name of the tool for a hint where the text says nothing', () => {
    expect(contentKind('nothing', 'grep')).toBe('search-results')
    expect(contentKind('{"a":1}', 'grep')).toBe('json')
  })

  it('gives a kind for whatever comes, always the same', () => {
    fc.assert(
      fc.property(fc.string({ unit: codeUnit, maxLength: 200 }), (text) => {
        expect(contentKinds).toContain(contentKind(text))
        expect(contentKind(text)).toBe(contentKind(text))
      }),
    )
  })

  it('reads a bounded sample of a huge text', () => {
    expect(contentKind('x'.repeat(5_000_000))).toBe('prose')
    expect(contentKind('\n'.repeat(1_000_000))).toBe('prose')
    expect(contentKind(' '.repeat(1_000_000))).toBe('prose')
  })
})
