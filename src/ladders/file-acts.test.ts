import { describe, expect, it } from 'vitest'
import { fileActs } from './file-acts.ts'

const actsOf = (value: unknown) => fileActs(JSON.stringify(value))
const bash = (command: string) => actsOf({ command })

describe('what a call does to files', () => {
  it.each([
    [{ path: 'a.ts' }, { kind: 'read', path: 'a.ts', first: 1, extent: 'whole' }],
    [
      { file_path: 'a.ts', offset: 40, limit: 10 },
      { kind: 'read', path: 'a.ts', first: 40, extent: 'part' },
    ],
    [
      { command: 'view', path: 'a.ts', view_range: [5, 9] },
      { kind: 'read', path: 'a.ts', first: 5, extent: 'part' },
    ],
    [
      { path: 'a.ts', oldText: 'one', newText: 'two' },
      { kind: 'edit', path: 'a.ts', old: 'one', text: 'two', every: false },
    ],
    [
      { file_path: 'a.ts', old_string: 'one', new_string: '', replace_all: true },
      { kind: 'edit', path: 'a.ts', old: 'one', text: '', every: true },
    ],
    [
      { command: 'str_replace', path: 'a.ts', old_str: 'one', new_str: 'two' },
      { kind: 'edit', path: 'a.ts', old: 'one', text: 'two', every: false },
    ],
    [
      { command: 'create', path: 'a.ts', file_text: 'let x' },
      { kind: 'write', path: 'a.ts', text: 'let x' },
    ],
    [
      { command: 'insert', path: 'a.ts', insert_line: 3, new_str: 'let y' },
      { kind: 'insert', path: 'a.ts', after: 3, text: 'let y' },
    ],
    [
      { path: 'a.ts', content: 'let x\n' },
      { kind: 'write', path: 'a.ts', text: 'let x\n' },
    ],
  ])('%j', (value, act) => {
    expect(actsOf(value)).toEqual([act])
  })

  it('several edits of one file', () => {
    const edits = [
      { oldText: '1', newText: '2' },
      { oldText: '3', newText: '4' },
    ]
    expect(actsOf({ path: 'a.ts', edits })).toEqual([
      { kind: 'edit', path: 'a.ts', old: '1', text: '2', every: false },
      { kind: 'edit', path: 'a.ts', old: '3', text: '4', every: false },
    ])
  })

  it('a tool that searches shows no file', () => {
    expect(actsOf({ path: 'src', pattern: 'x' })).toEqual([])
  })

  it('patches', () => {
    const patch = [
      '*** Begin Patch',
      '*** Update File: a.py',
      '@@ def f():',
      ' x = 1',
      '-y = 2',
      '+y = 3',
      '*** Add File: b.py',
      '+z = 4',
      '*** Delete File: c.py',
      '*** End Patch',
    ].join('\n')
    const acts = [
      { kind: 'edit', path: 'a.py', old: 'x = 1\ny = 2', text: 'x = 1\ny = 3', every: false },
      { kind: 'write', path: 'b.py', text: 'z = 4\n' },
      { kind: 'remove', path: 'c.py' },
    ]
    expect(actsOf({ input: patch })).toEqual(acts)
    expect(fileActs(patch)).toEqual(acts)
    expect(bash(`apply_patch <<'EOF'\n${patch}\nEOF`)).toEqual(acts)
  })

  it.each([
    ['cat a.py', { kind: 'read', path: 'a.py', first: 1, extent: 'whole' }],
    ['cd /app && cat src/a.py', { kind: 'read', path: '/app/src/a.py', first: 1, extent: 'whole' }],
    ["sed -n '20,40p' a.py", { kind: 'read', path: 'a.py', first: 20, extent: 'part' }],
    ['cat a.py | head -20', { kind: 'read', path: 'a.py', first: 1, extent: 'part' }],
    ['tail -n +30 a.py', { kind: 'read', path: 'a.py', first: 30, extent: 'part' }],
    ['tail -5 a.py', { kind: 'read', path: 'a.py', extent: 'part' }],
    ['cat -n a.py | sed -n 3,9p', { kind: 'read', path: 'a.py', extent: 'numbered' }],
    ['grep -n "x y" a.py -A 3', { kind: 'read', path: 'a.py', extent: 'numbered' }],
    ["cat > a.py <<'EOF'\nx = 1\nEOF", { kind: 'write', path: 'a.py', text: 'x = 1\n' }],
    ['cat >> a.py <<EOF\nx = 1\nEOF', { kind: 'append', path: 'a.py', text: 'x = 1\n' }],
    ["sed -i 's/a;b/c|d/' src/a.py", { kind: 'touch', path: 'src/a.py' }],
    ['npx prettier --write src/a.ts', { kind: 'touch', path: 'src/a.ts' }],
    ['npx prettier --write .', { kind: 'touch' }],
    ['npm run lint:fix', { kind: 'touch' }],
    ['git checkout -- src/a.ts', { kind: 'restore', path: 'src/a.ts' }],
    ['git stash', { kind: 'touch' }],
    ['git mv a.ts src/b.ts', { kind: 'move', path: 'a.ts', to: 'src/b.ts' }],
    ['mv a.ts src/', { kind: 'move', path: 'a.ts', to: 'src/a.ts' }],
    ['mv a.ts src/b.ts', { kind: 'move', path: 'a.ts', to: 'src/b.ts' }],
    ['rm -rf a.ts', { kind: 'remove', path: 'a.ts' }],
    ['echo done > log.txt', { kind: 'touch', path: 'log.txt' }],
    ["python3 - <<'EOF'\nopen('a.py', 'w').write(s)\nEOF", { kind: 'touch', path: 'a.py' }],
    ['python patch.py', { kind: 'run', path: 'patch.py' }],
    ['npm test 2>&1 | tail -20', undefined],
    ['git checkout -b next', undefined],
    ['git stash list', undefined],
  ])('%s', (command, act) => {
    expect(bash(command)).toEqual(act === undefined ? [] : [act])
  })

  it('what several programs print cannot be told apart', () => {
    expect(bash('cat a.py; cat b.py').map((act) => act.kind === 'read' && act.extent)).toEqual(['numbered', 'numbered'])
  })
})
