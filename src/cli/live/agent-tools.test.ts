import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { agentTools, runTool } from './agent-tools.ts'
import type { ToolOutput } from './agent-tools.ts'
import { openWorkFolder } from './work-folder.ts'
import type { WorkFolder } from './work-folder.ts'
import { readTasks } from './task.ts'

let folder = ''
let work: WorkFolder
const abort = new AbortController()

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'prehend-tools-'))
  mkdirSync(join(folder, 'task', 'repo', 'test'), { recursive: true })
  mkdirSync(join(folder, 'task', 'tests'))
  writeFileSync(
    join(folder, 'task', 'task.json'),
    JSON.stringify({ schema: 'prehend.task/1', about: 'a', prompt: 'b', testTimeoutSeconds: 3 }),
  )
  writeFileSync(join(folder, 'task', 'tests', 'a.test.js'), '')
  writeFileSync(join(folder, 'task', 'repo', 'a.txt'), 'one\ntwo\nthree\n')
  writeFileSync(join(folder, 'secret.txt'), 'a key')
  work = openWorkFolder(readTasks(join(folder, 'task'))[0]!)
})

afterEach(() => {
  work.remove()
  rmSync(folder, { recursive: true, force: true })
})

function run(name: string, input: unknown): Promise<ToolOutput> {
  return runTool(name, input, { task: readTasks(join(folder, 'task'))[0]!, work, signal: abort.signal })
}

/** Puts a test file in place, and runs it. */
async function tested(code: string): Promise<string> {
  writeFileSync(join(work.path, 'test', 'a.test.js'), code)
  return (await run('run_tests', {})).text
}

it('reads, searches, writes and edits', async () => {
  expect(await run('read_file', { path: 'a.txt' })).toEqual({ text: 'one\ntwo\nthree\n', isError: false })
  expect((await run('read_file', { path: 'a.txt', offset: 2, limit: 1 })).text).toBe('two\n[2 more lines]')
  expect((await run('search', { pattern: '^t', path: '.' })).text).toBe('a.txt:2:two\na.txt:3:three')
  await run('write_file', { path: 'src/deep/b.txt', content: 'x' })
  expect((await run('list_files', { path: '.' })).text).toBe('a.txt\nsrc/deep/b.txt')
  await run('edit_file', { path: 'a.txt', old_string: 'two', new_string: '$& 2' })
  expect(readFileSync(join(work.path, 'a.txt'), 'utf8')).toBe('one\n$& 2\nthree\n')
})

it('tells the model what is wrong with a call', async () => {
  const errors = [
    ['edit_file', { path: 'a.txt', old_string: 'four', new_string: '' }, 'stands 0 times'],
    ['edit_file', { path: 'a.txt', old_string: 't', new_string: '' }, 'stands 2 times'],
    ['read_file', { path: 'none' }, 'ENOENT'],
    ['read_file', {}, 'path is missing'],
    ['read_file', '{"path":', 'not a JSON object'],
    ['search', { pattern: '(', path: '.' }, 'Invalid regular expression'],
    ['rm', {}, 'there is no tool rm'],
  ] as const
  for (const [name, input, message] of errors) {
    const { text, isError } = await run(name, input)
    expect([isError, text]).toEqual([true, expect.stringContaining(message)])
    expect(text).not.toContain(work.path)
  }
})

describe('nothing outside the repository', () => {
  it('is read or written by a path', async () => {
    symlinkSync(folder, join(work.path, 'out'))
    symlinkSync(join(folder, 'secret.txt'), join(work.path, 'link.txt'))
    const outside = [
      '../tmp/x',
      join(folder, 'secret.txt'),
      'out/secret.txt',
      'link.txt',
      'out/new/x',
      'a/../../x',
      'x\0',
    ]
    for (const path of outside) {
      expect(await run('read_file', { path })).toMatchObject({
        isError: true,
        text: expect.stringContaining('outside'),
      })
      expect(await run('write_file', { path, content: 'x' })).toMatchObject({ isError: true })
    }
    expect(readFileSync(join(folder, 'secret.txt'), 'utf8')).toBe('a key')
    expect(existsSync(join(folder, 'new'))).toBe(false)
  })

  it('is read, written or started by tests, and no key is in their environment', async () => {
    process.env['PREHEND_TEST_API_KEY'] = 'a key of the environment'
    try {
      const output = await tested(`
        import test from 'node:test'
        import fs from 'node:fs'
        import { execSync } from 'node:child_process'
        const tried = (what, act) => { try { console.log(what, act()) } catch (error) { console.log(what, error.code) } }
        test('all', () => {
          tried('read', () => fs.readFileSync(${JSON.stringify(join(folder, 'secret.txt'))}, 'utf8'))
          tried('write', () => fs.writeFileSync(${JSON.stringify(join(folder, 'new.txt'))}, ''))
          tried('start', () => execSync('ls'))
          tried('own', () => fs.mkdtempSync(process.env.TMPDIR + '/x') && 'made')
          console.log('keys', JSON.stringify(Object.keys(process.env).filter((name) => name.endsWith('KEY'))))
        })`)
      for (const what of ['read', 'write', 'start']) expect(output).toContain(`${what} ERR_ACCESS_DENIED`)
      expect(output).toContain('own made')
      expect(output).toContain('keys []')
    } finally {
      delete process.env['PREHEND_TEST_API_KEY']
    }
  })
})

it('a test that hangs is killed, and so is a search', async () => {
  const begunMs = performance.now()
  expect(await tested(`import test from 'node:test'\ntest('hangs', () => { for (;;); })`)).toContain(
    '[killed after 3 s]',
  )
  writeFileSync(join(work.path, 'a.txt'), `${'a'.repeat(50)}b`)
  const { text, isError } = await run('search', { pattern: '^(a+)+$', path: 'a.txt' })
  expect([isError, text]).toEqual([true, expect.stringContaining('timed out')])
  expect(performance.now() - begunMs).toBeLessThan(30_000)
})

it('of a long output beginning and end are kept', async () => {
  const output = await tested(`for (let at = 0; at < 50_000; at += 1) console.log('line ' + at)`)
  expect(output).toContain('line 0\n')
  expect(output).toContain('line 49999')
  expect(output).toMatch(/\[\d+ characters left out\]/)
  expect(output.length).toBeLessThan(100_000)
})

it('every parameter of a tool is described', () => {
  for (const { schema } of agentTools) expect(JSON.stringify(schema)).not.toContain('undefined')
})
