import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { columnsOf, usesColor } from './io.ts'

describe('usesColor', () => {
  it.each([
    [true, {}, true],
    [false, {}, false],
    [true, { NO_COLOR: '1' }, false],
    [true, { NO_COLOR: '' }, true],
    [true, { TERM: 'dumb' }, false],
    [false, { FORCE_COLOR: '1' }, true],
    [true, { FORCE_COLOR: '1', NO_COLOR: '1' }, false],
  ])('terminal %s with %j: %s', (isTerminal, environment, expected) => {
    expect(usesColor(environment, isTerminal)).toBe(expected)
  })
})

it.each([
  [{}, {}, undefined],
  [{}, { isTTY: true, columns: 120 }, 120],
  [{ COLUMNS: '72' }, { isTTY: true, columns: 120 }, 72],
  [{ COLUMNS: '72' }, {}, 72],
  [{ COLUMNS: '' }, { isTTY: true, columns: 120 }, 120],
  [{ COLUMNS: 'wide' }, {}, undefined],
  [{}, { isTTY: true, columns: 0 }, undefined],
  [{}, { isTTY: true, columns: 5 }, 40],
])('with %j a line on %j has %s columns', (environment, stream, expected) => {
  expect(columnsOf(environment, stream)).toBe(expected)
})

describe('the process', () => {
  it('says in a line why its output cannot be written to', async () => {
    const program = `
      import { processIo } from ${JSON.stringify(join(import.meta.dirname, 'io.ts'))}
      processIo()
      process.stdout.emit('error', Object.assign(new Error('no space left'), { code: 'ENOSPC' }))
    `
    const child = spawn(process.execPath, ['--input-type=module', '-e', program])
    let err = ''
    child.stderr.on('data', (chunk: Buffer) => void (err += chunk.toString()))
    expect(await once(child, 'close')).toEqual([1, null])
    expect(err).toBe('prehend: standard output cannot be written to (ENOSPC)\n')
  })

  it('ends quietly when the reader of its output goes away', async () => {
    const child = spawn('sh', [
      '-c',
      `{ "${process.execPath}" src/cli/main.ts help --markdown; echo "code $?" >&2; } | true`,
    ])
    let err = ''
    child.stderr.on('data', (chunk: Buffer) => void (err += chunk.toString()))
    await once(child, 'close')
    expect(err.trim()).toBe('code 0')
  })

  it('stops a server on SIGINT, and ends with 0', async () => {
    const child = spawn(process.execPath, ['src/cli/main.ts', 'simulate', '--port', '0', '--json'])
    const [first] = (await once(child.stdout, 'data')) as [Buffer]
    const { url } = JSON.parse(first.toString()) as { url: string }
    expect((await fetch(`${url}/v1/models`, { headers: { authorization: 'Bearer x' } })).status).toBe(200)
    child.kill('SIGINT')
    expect(await once(child, 'close')).toEqual([0, null])
  })

  it('reads the configuration again on SIGHUP, and keeps the one in force where the new one is wrong', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'prehend-hup-'))
    const file = join(folder, 'config.json')
    const write = (config: object): void => writeFileSync(file, JSON.stringify({ port: 0, ...config }))
    write({ tokens: [{ token: 'the-old-token', tenant: 'a' }] })
    const child = spawn(process.execPath, [
      'src/cli/main.ts',
      'serve',
      '--json',
      '--simulate',
      '--config',
      file,
      '--data',
      folder,
    ])
    try {
      const [first] = (await once(child.stdout, 'data')) as [Buffer]
      const { url } = JSON.parse(first.toString()) as { url: string }
      const status = async (token: string): Promise<number> =>
        (await fetch(`${url}/v1/models`, { headers: { authorization: `Bearer ${token}` } })).status
      expect(await status('the-old-token')).toBe(200)
      write({ tokens: [{ token: 'short', tenant: 'a' }] })
      child.kill('SIGHUP')
      const [told] = (await once(child.stderr, 'data')) as [Buffer]
      expect(told.toString()).toContain('the configuration was not changed: tokens[0].token')
      expect(await status('the-old-token')).toBe(200)
      write({ tokens: [{ token: 'the-new-token', tenant: 'a' }] })
      child.kill('SIGHUP')
      await once(child.stderr, 'data')
      expect([await status('the-old-token'), await status('the-new-token')]).toEqual([401, 200])
    } finally {
      child.kill('SIGTERM')
      await once(child, 'close')
      rmSync(folder, { recursive: true })
    }
  })
})
