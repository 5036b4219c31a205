import { spawnSync } from 'node:child_process'
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, describe, expect, it } from 'vitest'
import { setValue, sqliteStore } from '../stores/index.ts'
import { fakeIo } from './fake-io.fixture.ts'
import { runCli } from './run-cli.ts'

const folder = mkdtempSync(join(tmpdir(), 'prehend-place-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const mainFile = fileURLToPath(new URL('main.ts', import.meta.url))

interface Place {
  readonly cwd: string
  readonly environment: Readonly<Record<string, string>>
}

function place(name: string, environment: (root: string) => Place['environment'] = () => ({})): Place {
  const root = join(folder, name)
  mkdirSync(join(root, 'cwd'), { recursive: true })
  return { cwd: join(root, 'cwd'), environment: { HOME: join(root, 'home'), ...environment(root) } }
}

/** Runs the command in a folder of its own, with no more of the environment than is given. */
function prehend({ cwd, environment }: Place, ...argv: readonly string[]) {
  const env = { PATH: process.env['PATH'] ?? '', ...environment }
  return spawnSync(process.execPath, [mainFile, ...argv], { cwd, env, encoding: 'utf8', timeout: 50_000 })
}

/** What doctor says of the store. */
async function storeCheck(...argv: readonly string[]) {
  const io = fakeIo()
  const code = await runCli(['doctor', '--port', '0', '--json', ...argv], io)
  const { checks } = JSON.parse(io.written.out) as {
    checks: { name: string; state: string; detail: string; remedy?: string }[]
  }
  return { code, ...checks.find(({ name }) => name === 'store')! }
}

describe('the folder of the store', () => {
  it.each([
    {
      where: '.prehend of the current folder, where it exists',
      at: (root: string) => join(root, 'cwd', '.prehend'),
      env: () => ({ XDG_DATA_HOME: '/elsewhere' }),
    },
    {
      where: 'XDG_DATA_HOME',
      at: (root: string) => join(root, 'xdg', 'prehend'),
      env: (root: string) => ({ XDG_DATA_HOME: join(root, 'xdg') }),
    },
    {
      where: 'the home folder, where that is not said or relative',
      at: (root: string) => join(root, 'home', '.local', 'share', 'prehend'),
      env: () => ({ XDG_DATA_HOME: 'relative' }),
    },
  ])('is $where; all commands agree, and nobody else can read it', ({ where, at, env }) => {
    const there = place(where.slice(0, 8).trim(), env)
    const data = at(join(there.cwd, '..'))
    if (data.startsWith(there.cwd)) mkdirSync(data, { mode: 0o700 })
    const tools = [{ type: 'function', function: { name: 'read', parameters: { type: 'object' } } }]
    const body = { model: 'gpt-4.1', tools, messages: [{ role: 'user', content: 'x' }, ...results()] }
    writeFileSync(join(there.cwd, 'body.json'), JSON.stringify(body))
    const compiled = prehend(there, 'compile', 'body.json', '--budget', '16000', '--output', 'out.json')
    expect([compiled.status, compiled.stderr]).toEqual([0, ''])
    const handle = /rehydrate\(\\?"([\w-]+)/.exec(readFileSync(join(there.cwd, 'out.json'), 'utf8'))?.[1] ?? ''
    expect(prehend(there, 'rehydrate', handle, '--lines', '1').stdout).toContain('line 0')
    expect(JSON.parse(prehend(there, 'doctor', '--port', '0', '--json').stdout)).toMatchObject({ ok: true })
    expect(readdirSync(data)).toContain('prehend.sqlite')
    expect(statSync(join(data, 'prehend.sqlite')).mode & 0o777).toBe(0o600)
    expect(statSync(data).mode & 0o777).toBe(0o700)
  })

  it('is named in the error where it cannot be had, with what to do', async () => {
    writeFileSync(join(folder, 'a-file'), '')
    for (const data of ['/proc/nowhere', '/proc/nowhere/deeper', join(folder, 'a-file', 'inside')]) {
      const io = fakeIo()
      expect(await runCli(['serve', '--port', '0', '--data', data], io)).toBe(7)
      expect(io.written.err).toContain(`The store ${join(data, 'prehend.sqlite')} cannot be used: `)
      expect(io.written.err).toContain('Name another folder with --data DIR or PREHEND_DATA.')
      expect(await storeCheck('--data', data)).toMatchObject({
        code: 1,
        state: 'failed',
        remedy: expect.stringContaining('--data'),
      })
    }
    const homeless = prehend(
      place('homeless', () => ({ HOME: '/proc/nobody' })),
      'serve',
      '--port',
      '0',
    )
    expect([homeless.status, homeless.stderr]).toEqual([7, expect.stringContaining('--data DIR')])
  })

  it('whoever opens it closes it to others, and says so', async () => {
    const data = join(folder, 'open')
    mkdirSync(data)
    const store = sqliteStore({ path: join(data, 'prehend.sqlite') })
    await store.close()
    chmodSync(data, 0o755)
    chmodSync(join(data, 'prehend.sqlite'), 0o644)
    const warned = await storeCheck('--data', data)
    expect(warned).toMatchObject({ code: 0, state: 'warning', detail: expect.stringContaining('other users') })
    const io = fakeIo()
    const serving = runCli(['serve', '--port', '0', '--data', data], io)
    await expect.poll(() => io.written.out, { timeout: 20_000 }).toContain(`store ${join(data, 'prehend.sqlite')}`)
    expect(io.written.out).toContain('--record receipts')
    expect(io.written.err).toBe(
      `prehend: other users of this machine could read ${data}, ${join(data, 'prehend.sqlite')}; now only you can\n`,
    )
    io.interrupt()
    expect(await serving).toBe(0)
    expect(await storeCheck('--data', data)).toMatchObject({ state: 'ok' })
  })
})

describe('doctor', () => {
  it('makes nothing', async () => {
    const data = join(folder, 'unmade', 'deeper')
    expect(await storeCheck('--data', data)).toMatchObject({
      state: 'ok',
      detail: expect.stringContaining('can be made'),
    })
    expect(existsSync(join(folder, 'unmade'))).toBe(false)
    expect(readdirSync(folder).filter((name) => name.includes('doctor'))).toEqual([])
  })

  it('finds what is damaged in a store', async () => {
    const data = join(folder, 'damaged')
    const path = join(data, 'prehend.sqlite')
    const store = sqliteStore({ path })
    for (let turn = 0; turn < 50; turn += 1) await setValue(store, `key ${turn}`, 'value '.repeat(1000))
    await store.close()
    expect(await storeCheck('--data', data)).toMatchObject({ state: 'ok', detail: expect.stringContaining('is whole') })
    const bytes = readFileSync(path)
    bytes.fill(7, 100_000, 180_000)
    writeFileSync(path, bytes)
    expect(await storeCheck('--data', data)).toMatchObject({
      code: 1,
      state: 'failed',
      detail: expect.stringMatching(/damaged|malformed/),
    })
  })
})

/** Calls with long results, so that something must be shown shorter. */
function results(): readonly object[] {
  return Array.from({ length: 12 }, (_, index) => {
    const call = { id: `c${index}`, type: 'function', function: { name: 'read', arguments: '{}' } }
    const content = Array.from(
      { length: 400 },
      (__, line) => `line ${line} of file ${index} has the value ${line * index}`,
    )
    return [
      { role: 'assistant', content: null, tool_calls: [call] },
      { role: 'tool', tool_call_id: call.id, content: content.join('\n') },
    ]
  }).flat()
}
