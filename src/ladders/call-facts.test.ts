import { describe, expect, it } from 'vitest'
import { callFacts } from './call-facts.ts'

const factsOf = (value: unknown) => callFacts(JSON.stringify(value))

describe('what a call does to files', () => {
  it.each([
    [{ path: 'a.py', content: 'x = 1' }, ['a.py']],
    [{ file_path: '/app/b.ts', file_text: 'let x' }, ['/app/b.ts']],
    [{ filePath: 'c', newContent: 'c' }, ['c']],
    [{ command: "cat > /tmp/t.py <<'EOF'\nprint(1)\nEOF" }, ['/tmp/t.py']],
    [{ command: "cd /app && cat <<EOF > 'run.sh'\nls\nEOF" }, ['run.sh']],
    [{ command: 'tee notes.md << END\nhi\nEND' }, ['notes.md']],
    [{ command: 'cat a.py && echo "x > y"' }, []],
    [{ path: 'a.py', old_str: 'x', new_str: 'y' }, []],
  ])('writes of %j', (value, writes) => {
    expect(factsOf(value).writes).toEqual(writes)
  })

  it.each([
    [{ command: 'rm -rf build/a.py b.py' }, ['build/a.py', 'b.py']],
    [{ command: 'ls; rm "c d"' }, ['c', 'd']],
    [{ command: 'git checkout -- src/x.ts' }, ['src/x.ts']],
    [{ command: 'python form.py' }, []],
  ])('removals of %j', (value, removes) => {
    expect(factsOf(value).removes).toEqual(removes)
  })

  it('texts that are replaced, in every form that editing tools have', () => {
    expect([...factsOf({ path: 'a', old_str: 'one', new_str: 'two' }).replaces]).toEqual(['one'])
    expect([...factsOf({ file_path: 'a', old_string: 'one', new_string: 'two' }).replaces]).toEqual(['one'])
    const several = {
      path: 'a',
      edits: [
        { oldText: '1', newText: '2' },
        { oldText: '3', newText: '4' },
      ],
    }
    expect([...factsOf(several).replaces]).toEqual(['1', '3'])
  })

  it.each([
    [{ path: 'a.py', old_str: 'x', new_str: 'y' }, ['a.py']],
    [{ path: 'a.ts', edits: [{ oldText: '1', newText: '2' }] }, ['a.ts']],
    [{ input: '*** Begin Patch\n*** Update File: src/a.rs\n@@\n-x\n+y\n*** End Patch' }, ['src/a.rs']],
    [{ command: "cd /app && sed -i 's/x/y/' src/a.py" }, ['src/a.py']],
    [{ path: 'a.py', content: 'x' }, []],
    [{ command: "sed -n '1,80p' a.py" }, []],
    [{ path: 'a.py' }, []],
  ])('files that it edits: %j', (value, edits) => {
    expect(factsOf(value).edits).toEqual(edits)
  })

  it.each([
    [{ path: 'a.py' }, ['a.py']],
    [{ file_path: 'a.py', offset: 3 }, ['a.py']],
    [{ command: 'cd /app && cat a.py src/b.ts | head' }, ['a.py', 'src/b.ts']],
    [{ command: "sed -n '1,80p' a.py" }, ['a.py']],
    [{ command: 'pytest -q | tail -20' }, []],
    [{ command: 'ls -la' }, []],
    [{ path: 'a.py', content: 'x' }, []],
    [{ query: 'x' }, []],
  ])('files that its result shows: %j', (value, shows) => {
    expect(factsOf(value).shows).toEqual(shows)
  })

  it('of what is no JSON object nothing is known', () => {
    for (const json of ['', '[1', '"text"', '[]', 'null'])
      expect(callFacts(json)).toMatchObject({ writes: [], removes: [], shows: [] })
  })

  it('stays linear on hostile commands', () => {
    const hostile = [
      'cat <<'.repeat(40_000),
      'rm -a '.repeat(40_000),
      `cat ${' '.repeat(100_000)}`,
      ';rm '.repeat(40_000),
    ]
    for (const command of hostile) expect(factsOf({ command }).replaces.size).toBe(0)
  })
})
