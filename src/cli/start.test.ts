import { createServer as createHttpServer } from 'node:http'
import { createServer } from 'node:net'
import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { ReplayReport } from '../inspect/index.ts'
import { commandName } from './command-name.ts'
import { openGateway, parseConfig } from '../gateway/index.ts'
import { memoryStore } from '../stores/index.ts'
import { exampleFile } from './example.ts'
import { fakeIo } from './fake-io.fixture.ts'
import { runCli } from './run-cli.ts'
import type { AddressInfo } from 'node:net'

let data = ''
let first: { readonly code: number; readonly out: string }
beforeAll(async () => {
  data = mkdtempSync(join(tmpdir(), 'prehend-start-'))
  first = await run('start', '--once', '--port', '0', '--data', data, '--policy', 'careful', '--json')
})
afterAll(() => rmSync(data, { recursive: true, force: true }))

async function run(...argv: readonly string[]) {
  const io = fakeIo()
  const code = await runCli(argv, io)
  return { code, ...io.written }
}

interface Listed {
  readonly packs: readonly { readonly requestId: string; readonly packId: string; readonly sequence: number }[]
}

const listed = async (...argv: readonly string[]): Promise<Listed['packs']> =>
  (JSON.parse((await run('packs', '--data', data, ...argv, '--json')).out) as Listed).packs

describe('prehend start', () => {
  it('sends the example session through the gateway', () => {
    expect(first.code).toBe(0)
    expect(JSON.parse(first.out)).toMatchObject({ sent: 46, example: { requests: 46 } })
  })

  it('says what was saved, and where to look', async () => {
    const { code, out } = await run('start', '--once', '--port', '0', '--data', data)
    expect(code).toBe(0)
    for (const said of [
      'money for input',
      'read from the cache',
      'lines needed later',
      '/v1/packs',
      'curl http',
      'new OpenAI',
    ]) {
      expect(out).toContain(said)
    }
    // The session is in the store by now, and is not sent again.
    expect(out).toContain('is in its store already')
    expect(out).toMatch(/Another version or policy recorded it: it saved 7\.\d% then, and balanced saves 13\.\d% now\./)
    expect(out).toContain('npm run -s prehend -- start --data FOLDER')
    expect(out).toContain('  npm run -s prehend -- packs\n')
  })

  it('does not say that its own record is of another version', async () => {
    const { out } = await run('start', '--once', '--port', '0', '--data', data, '--policy', 'careful')
    expect(out).toContain('is in its store already')
    expect(out).not.toContain('Another version')
  })

  it('says "fetched again" of the same measure as replay', async () => {
    const said = (text: string, pattern: RegExp): readonly number[] =>
      (pattern.exec(text)?.[1] ?? '').trim().split(/\s+/).map(Number.parseFloat)
    const started = said((await run('start', '--no-serve')).out, /every line missed is fetched again +(.*)/)
    const { out } = await run('replay', exampleFile, '--json')
    const { strategies } = JSON.parse(out) as ReplayReport
    const settled = ['pass-through', 'prehend:careful', 'prehend:balanced', 'prehend:thrifty'].map(
      (name) => 100 * (strategies.find((row) => row.name === name)?.settledAllCostRatio ?? 0),
    )
    expect(started).toEqual(settled.map((share) => Number(share.toFixed(1))))
  })

  it('--no-serve stops after the summary', async () => {
    const { code, out } = await run('start', '--no-serve')
    expect(code).toBe(0)
    expect(out).toContain('A recorded session was replayed')
    expect(out).not.toContain('Gateway on')
  })

  it('refuses a port that was named and is taken', async () => {
    const other = createServer().listen(0, '127.0.0.1')
    await once(other, 'listening')
    const { port } = other.address() as AddressInfo
    const { code, err } = await run('start', '--once', '--port', String(port), '--data', data)
    other.close()
    expect(code).toBe(2)
    expect(err).toContain(`--port: ${port} is taken by another program`)
  })

  it('sends no example into a store that holds sessions', async () => {
    const used = join(data, 'used')
    const io = fakeIo()
    const done = runCli(['serve', '--port', '0', '--data', used, '--json'], io)
    await expect.poll(() => io.written.out, { timeout: 20_000 }).not.toBe('')
    const { url } = JSON.parse(io.written.out) as { url: string }
    const body = JSON.stringify({ model: 'gpt-5.1', messages: [{ role: 'user', content: 'Hello' }] })
    const headers = { 'content-type': 'application/json', 'x-session-id': 'mine' }
    await (await fetch(`${url}/v1/chat/completions`, { method: 'POST', headers, body })).text()
    io.interrupt()
    await done
    const { out } = await run('start', '--once', '--port', '0', '--data', used)
    expect(out.replaceAll(/\s+/g, ' ')).toContain(
      'Its store holds sessions, so the example session was not sent into it.',
    )
    const { sessions } = JSON.parse((await run('sessions', '--data', used, '--json')).out) as {
      readonly sessions: readonly { readonly session: string }[]
    }
    expect(sessions.map(({ session }) => session)).toEqual(['mine'])
  })
})

it('on 80 columns no line of it is longer', async () => {
  const io = fakeIo({ columns: 80 })
  await runCli(['start', '--once', '--port', '0', '--data', data], io)
  for (const line of io.written.out.split('\n')) expect(line.length).toBeLessThanOrEqual(80)
})

it('from an installed package it names the command that is installed', () => {
  expect(commandName('file:///app/node_modules/prehend/dist/cli/command-name.js')).toBe('npx prehend')
  expect(commandName('file:///checkout/src/cli/command-name.ts')).toBe('npm run -s prehend --')
})

describe('prehend serve', () => {
  it('refuses a port that is taken', async () => {
    const other = createServer().listen(0, '127.0.0.1')
    await once(other, 'listening')
    const { port } = other.address() as AddressInfo
    const { code, err } = await run('serve', '--port', String(port), '--data', data)
    other.close()
    expect(code).toBe(2)
    expect(err).toContain(`--port: ${port} is taken by another program`)
  })

  it('says that a gateway has the port where one has', async () => {
    const gateway = await openGateway(parseConfig({ port: 0 }), { store: memoryStore() })
    const { port } = new URL(gateway.url)
    const served = await run('serve', '--port', port, '--data', data)
    await gateway.close(0)
    const holder = `${port} is taken by a Prehend gateway, which answers at ${gateway.url}`
    expect(served.err.replaceAll(/\s+/g, ' ')).toContain(`--port: ${holder}. Stop it, or choose another port`)
  })

  it('refuses to be reached from other machines without a token', async () => {
    const { code, err } = await run('serve', '--host', '0.0.0.0', '--port', '0', '--data', data)
    expect(code).toBe(2)
    expect(err).toContain('tokens: ')
  })

  it.each([
    [['--host', '0.0.0.0', '--token', 'a-token-of-this-test'], 'on 0.0.0.0'],
    [['--store', 'postgres://127.0.0.1:1/prehend'], 'with a store in PostgreSQL'],
  ])('refuses to simulate answers for others unless it is asked to: %j', async (words, where) => {
    const { code, err } = await run('serve', '--port', '0', '--data', data, ...words)
    const text = err.replaceAll(/\s+/g, ' ')
    expect([code, text]).toEqual([2, expect.stringContaining('upstreams: ')])
    expect(text).toContain(`${where} the simulated provider answers only where --simulate asks for it`)
    expect(text).toContain('Set OPENAI_API_KEY, ANTHROPIC_API_KEY')
  })

  it('simulates answers beyond loopback where it is asked to', async () => {
    const io = fakeIo()
    const words = ['--host', '0.0.0.0', '--token', 'a-token-of-this-test', '--simulate']
    const done = runCli(['serve', '--port', '0', '--data', data, '--json', ...words], io)
    await expect.poll(() => io.written.out, { timeout: 20_000 }).not.toBe('')
    io.interrupt()
    expect(await done).toBe(0)
  })

  it('fails where the data folder cannot be had', async () => {
    const file = join(data, 'a-file')
    writeFileSync(file, '')
    const { code } = await run('serve', '--port', '0', '--data', join(file, 'inside'))
    expect(code).toBe(7)
  })

  it('serves until it is interrupted; packs and verify can ask it', async () => {
    const io = fakeIo()
    const done = runCli(['serve', '--port', '0', '--data', data, '--json'], io)
    await expect.poll(() => io.written.out, { timeout: 20_000 }).not.toBe('')
    const { url, providers } = JSON.parse(io.written.out) as { url: string; providers: readonly string[] }
    expect(providers).toEqual([])
    const list = JSON.parse((await run('packs', '--url', url, '--limit', '1', '--json')).out) as Listed
    const id = list.packs[0]?.requestId ?? ''
    expect(id).toMatch(/^req_/)
    expect((await run('verify', id, '--url', url)).out).toContain('verified: compiled again, same bytes')
    expect(await run('packs', 'none', '--url', url)).toMatchObject({ code: 4 })
    const doctor = await run('doctor', '--port', new URL(url).port, '--data', data, '--json')
    expect(JSON.parse(doctor.out)).toMatchObject({ ok: true })
    expect(doctor.out).toContain('a prehend gateway with this store runs on')
    io.interrupt()
    expect(await done).toBe(0)
  })
})

describe('prehend packs and verify, on the store', () => {
  it('lists receipts, newest first, page by page', async () => {
    const [newest, second] = await listed('--limit', '2')
    expect(newest?.sequence).toBe((second?.sequence ?? 0) + 1)
    const [next] = await listed('--limit', '1', '--before', String(newest?.sequence))
    expect(next).toEqual(second)
    expect((await run('packs', '--session', 'no such session', '--data', data)).code).toBe(4)
    expect((await run('packs', '--data', data)).out).toMatch(/^request +# +time/)
  })

  it('lists them on 80 columns: what is the same for all stands once, and what has no room is named', async () => {
    const io = fakeIo({ columns: 80 })
    await runCli(['packs', '--data', data, '--limit', '5'], io)
    for (const line of io.written.out.split('\n')) expect(line.length).toBeLessThanOrEqual(80)
    expect(io.written.out).toMatch(/^the same for all: .*session example-fix-stocktake/)
    expect(io.written.out).toMatch(/^request +tokens +packed +cost +saved$/m)
    expect(io.written.out).toContain('no room for: own ms')
  })

  it('shows one on 80 columns', async () => {
    const [newest] = await listed('--limit', '1')
    const io = fakeIo({ columns: 80 })
    await runCli(['packs', newest?.requestId ?? '', '--data', data], io)
    for (const line of io.written.out.split('\n')) expect(line.length).toBeLessThanOrEqual(80)
  })

  describe('a text of a request', () => {
    const shown = async (...argv: readonly string[]) => {
      const [newest] = await listed('--limit', '1')
      return run('packs', newest?.requestId ?? '', '--data', data, ...argv)
    }
    const decisions = async () => {
      const { manifest } = JSON.parse((await shown('--json')).out) as {
        manifest: { decisions: readonly { itemId: string; rung: string; tokens: number; handle?: string }[] }
      }
      return manifest.decisions
    }

    it('--item prints it as it was sent, whole or shortened', async () => {
      const folded = (await decisions()).find(({ rung, handle }) => rung === 'lossless' && handle !== undefined)
      const { code, out, err } = await shown('--item', folded?.itemId ?? '')
      expect([code, err]).toEqual([0, ''])
      // Lines that stand in an earlier step are named by their place there; the tool is not needed for them.
      expect(out).toMatch(/^\[repeats lines \d+-\d+ of step \d+, \d+ before this\]$/m)
      const original = (await shown('--handle', folded?.handle ?? '')).out
      expect(original.split('\n').length).toBeGreaterThan(out.split('\n').length)
      expect(original).not.toContain('[repeats lines')
      const whole = (await decisions()).find(({ itemId }) => itemId.startsWith('system'))
      expect((await shown('--item', whole?.itemId ?? '')).out).toContain('You ')
      const json = JSON.parse((await shown('--item', folded?.itemId ?? '', '--json')).out) as object
      expect(json).toMatchObject({
        itemId: folded?.itemId,
        rung: 'lossless',
        tokens: folded?.tokens,
        handle: folded?.handle,
      })
    })

    it('--handle prints what a handle stands for, as rehydrate does', async () => {
      const folded = (await decisions()).find(({ handle }) => handle !== undefined)
      const { code, out } = await shown('--handle', folded?.handle ?? '')
      expect(code).toBe(0)
      expect(out).toBe((await run('rehydrate', folded?.handle ?? '', '--data', data)).out)
      const json = JSON.parse((await shown('--handle', folded?.handle ?? '', '--json')).out) as object
      expect(json).toMatchObject({ handle: folded?.handle, itemId: folded?.itemId })
    })

    it('is told by how an id begins, where only one begins so', async () => {
      const id = (await decisions()).find(({ itemId }) => itemId.startsWith('result:'))?.itemId ?? ''
      expect((await shown('--item', 'result:')).err).toMatch(/no single item that begins with result:; there are \d+/)
      expect((await shown('--item', id)).code).toBe(0)
    })

    it.each([
      [4, ['--item', 'nobody'], 'There is no item nobody in this request.'],
      [4, ['--handle', '123'], 'There is no handle 123 in this request.'],
    ])('exits with %d for %j', async (expected, argv, message) => {
      const { code, err } = await shown(...argv)
      expect([code, err]).toEqual([expected, expect.stringContaining(message)])
    })

    it('belongs to one receipt', async () => {
      expect(await run('packs', '--item', 'x', '--data', data)).toMatchObject({
        code: 2,
        err: expect.stringContaining('--item: belongs to one receipt'),
      })
    })
  })

  it('shows one, and verifies it by request, by pack and by file', async () => {
    const [newest] = await listed('--limit', '1')
    const { requestId = '', packId = '' } = newest ?? {}
    const shown = await run('packs', requestId, '--data', data)
    expect(shown.out).toContain(`request    ${requestId}`)
    for (const id of [requestId, packId]) {
      expect(await run('verify', id, '--data', data)).toMatchObject({ code: 0 })
    }
    const file = join(data, 'receipt.json')
    const receipt = (await run('packs', requestId, '--data', data, '--json')).out
    writeFileSync(file, receipt)
    expect(await run('verify', file)).toMatchObject({ code: 0 })
  })

  it('says why a receipt of another version is not provable', async () => {
    const [newest] = await listed('--limit', '1')
    const receipt = JSON.parse((await run('packs', newest?.requestId ?? '', '--data', data, '--json')).out) as {
      input: { policy: { epochs: object } }
    }
    const epochs = { ...receipt.input.policy.epochs, ownCalls: undefined }
    const input = { ...receipt.input, policy: { ...receipt.input.policy, epochs } }
    const file = join(data, 'earlier.json')
    writeFileSync(file, JSON.stringify({ ...receipt, input }))
    const told = await run('verify', file)
    expect(told.code).toBe(1)
    expect(told.out).toMatch(/^not provable: Another version of Prehend made this request: .+\.\n/)
    expect(told.out).toContain('What can be compared without compiling it again is the same.')
  })

  it('tells where a receipt does not come out again', async () => {
    const [newest] = await listed('--limit', '1')
    const receipt = JSON.parse((await run('packs', newest?.requestId ?? '', '--data', data, '--json')).out) as {
      input: { items: { text: string }[] }
    }
    const file = join(data, 'changed.json')
    const items = receipt.input.items.map((item, index) => (index === 1 ? { ...item, text: 'changed' } : item))
    writeFileSync(file, JSON.stringify({ ...receipt, input: { ...receipt.input, items } }))
    const { code, out } = await run('verify', file)
    expect(code).toBe(1)
    expect(out).toContain('not verified')
    expect(out).toContain('packHash')
  })

  it.each([
    [4, ['packs', 'none'], 'There is no pack none'],
    [4, ['verify', 'none'], 'There is no pack none'],
    [2, ['packs', '--url', 'x'], '--url: "x" is no address. Give one such as http://127.0.0.1:8484'],
    [2, ['packs', '--url', 'file:///tmp'], '--url: "file:///tmp" is no address'],
  ])('exits with %d for %j', async (expected, argv, message) => {
    const { code, err } = await run(...argv, '--data', data)
    expect(code).toBe(expected)
    expect(err).toContain(message)
  })

  it('finds no store where none is, and makes none', async () => {
    const { code, err } = await run('packs', '--data', join(data, 'elsewhere'))
    expect(code).toBe(4)
    expect(err).toContain('Start a gateway first')
  })

  it('exits with 4 where something else answers', async () => {
    const other = createHttpServer((_, response) => response.end('hello')).listen(0, '127.0.0.1')
    await once(other, 'listening')
    const { port } = other.address() as AddressInfo
    const answer = await run('packs', '--url', `http://127.0.0.1:${port}`)
    other.close()
    expect([answer.code, answer.err]).toEqual([4, expect.stringContaining('There is no gateway at')])
  })

  it('exits with 6 where no gateway answers, with 2 for a file that is no receipt', async () => {
    expect(await run('packs', '--url', 'http://127.0.0.1:9')).toMatchObject({ code: 6 })
    const file = join(data, 'no-receipt.json')
    writeFileSync(file, '{}')
    expect(await run('verify', file)).toMatchObject({ code: 2 })
  })
})
