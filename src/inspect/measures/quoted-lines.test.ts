import { describe, expect, it } from 'vitest'
import type { TraceMessage } from '../trace.ts'
import { quotedEdits, quotedLines } from './quoted-lines.ts'

const calling = (input: object): TraceMessage => ({
  id: 'm1',
  role: 'assistant',
  items: [{ id: 'c', section: 'history', kind: 'tool-call', role: 'assistant', text: JSON.stringify(input) }],
})

describe('the lines that an edit quotes', () => {
  it.each([
    ['an exact-match edit', { path: 'a.py', old_str: 'def total(a):\n    return 0', new_str: 'def total(b):' }],
    ['an edit in a list', { edits: [{ oldText: 'def total(a):\n    return 0', newText: '' }] }],
    ['search and replace', { search: 'def total(a):\n  return 0', replace: 'x' }],
    [
      'a unified diff',
      { patch: '--- a/a.py\n+++ b/a.py\n@@ -1,2 +1,2 @@\n def total(a):\n-    return 0\n+    return 1 # new' },
    ],
    [
      'apply_patch',
      {
        input:
          '*** Begin Patch\n*** Update File: a.py\n@@\n def total(a):\n-    return 0\n+    return 1\n*** End Patch',
      },
    ],
    ['a search block', { diff: '<<<<<<< SEARCH\ndef total(a):\n    return 0\n=======\nnew text\n>>>>>>> REPLACE' }],
    ['a file written again', { command: "cat > a.py <<'EOF'\ndef total(a):\n    return 0\nEOF\necho done" }],
  ])('%s', (_, input) => {
    expect(quotedLines(calling(input))).toEqual([['def total(a):', 'return 0']])
  })

  it('sed: a pattern that is nothing but text', () => {
    const command = String.raw`sed -i 's/return total\.sum(a)/return 1/; s/x/y/; s/^ *if .*:/pass/' a.py`
    expect(quotedLines(calling({ command }))).toEqual([['return total.sum(a)']])
  })

  it('nothing of what is written anew, read, or said', () => {
    for (const input of [
      { path: 'a.py', content: 'def total(a):\n    return 0' },
      { command: 'cat a.py\nsed -n 1,20p a.py' },
      { path: 'a.py', insert_line: 3, new_str: 'def total(a):' },
      { query: 'old text of a file', limit: 3 },
    ])
      expect(quotedLines(calling(input))).toEqual([])
  })

  it('not a line that is too short to be told', () => {
    expect(quotedLines(calling({ old_str: '}\n\n  })\n', new_str: 'x' }))).toEqual([])
  })
})

describe('the texts that an edit quotes in one piece', () => {
  it('are the whole old text, blank lines and indents included', () => {
    const [edit] = quotedEdits(calling({ old_str: '\n  def total(a):\n\n    return 0\n', new_str: 'x' }))
    expect(edit?.pieces).toEqual(['  def total(a):\n\n    return 0'])
  })

  it('are one for each hunk of a patch, and for each search block', () => {
    const patch = '@@ -1 +1 @@\n-    return 0\n+    return 1\n@@ -9 +9 @@\n-    return 10\n'
    expect(quotedEdits(calling({ patch }))[0]?.pieces).toEqual(['    return 0', '    return 10'])
    const diff = '<<<<<<< SEARCH\nfirst text\n=======\na\n>>>>>>> REPLACE\n<<<<<<< SEARCH\nsecond text\n=======\nb\n'
    expect(quotedEdits(calling({ diff }))[0]?.pieces).toEqual(['first text', 'second text'])
  })

  it.each([
    ["cat > src/a.py <<'EOF'\nimport sum_lib\nEOF", 'src/a.py'],
    ["cat <<'EOF' > 'src/a.py'\nimport sum_lib\nEOF", 'src/a.py'],
    ['tee -a src/a.py <<EOF\nimport sum_lib\nEOF', 'src/a.py'],
    ["python - <<'EOF' 2>&1\nimport sum_lib\nEOF", undefined],
  ])('are none of a here-document, which names what it writes: %s', (command, writes) => {
    const [edit] = quotedEdits(calling({ command }))
    expect(edit).toEqual({ lines: ['import sum_lib'], pieces: [], ...(writes !== undefined && { writes }) })
  })
})
