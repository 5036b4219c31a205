import { mkdtempSync, rmSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openGateway, parseConfig } from '../gateway/index.ts'
import type { Gateway } from '../gateway/index.ts'
import { memoryStore, sqliteStore } from '../stores/index.ts'
import type { SessionSummary, Store } from '../stores/index.ts'
import { fakeIo } from './fake-io.fixture.ts'
import { runCli } from './run-cli.ts'

const folder = mkdtempSync(join(tmpdir(), 'prehend-sessions-'))
let store: Store
let gateway: Gateway
let newest: string

async function run(...argv: readonly string[]): Promise<string> {
  const io = fakeIo({ columns: 80 })
  const code = await runCli([...argv], io)
  expect(io.written.err).toBe('')
  expect(code).toBe(0)
  for (const line of io.written.out.split('\n')) if (!line.startsWith('{')) expect(line.length).toBeLessThanOrEqual(80)
  return io.written.out
}

async function ask(session: string, model: string): Promise<string> {
  const tool = { type: 'function', function: { name: 'read', description: 'Reads.', parameters: { type: 'object' } } }
  const body = { model, tools: [tool], messages: [{ role: 'user', content: 'Find the value.' }] }
  const headers = { 'content-type': 'application/json', 'x-session-id': session }
  const url = `${gateway.url}/v1/chat/completions`
  const reply = await fetch(url, { method: 'POST', headers, body: JSON.stringify(body) })
  await reply.text()
  return reply.headers.get('x-prehend-request-id') ?? ''
}

beforeAll(async () => {
  store = sqliteStore({ path: join(folder, 'prehend.sqlite') })
  const models = { priced: { family: 'openai', prices: { input: 2000, output: 8000 } } } as const
  gateway = await openGateway(parseConfig({ port: 0, policy: 'thrifty', models }), { store })
  await ask('of two models', 'priced')
  await ask('of two models', 'nobody-knows-it')
  await ask('without a price', 'nobody-knows-it')
  newest = await ask('dearer', 'priced')
  // A read waits for what is still to be written, which another connection would not see.
  await store.read('receipts').list('default', { limit: 1 })
})

afterAll(async () => {
  await gateway.close(0)
  await store.close()
  rmSync(folder, { recursive: true })
})

it('the session of unread requests is not listed while none of them was answered', async () => {
  const other = await openGateway(parseConfig({ port: 0 }), { store: memoryStore() })
  try {
    const body = '{"model": "gpt-5.1", "messages": 1}'
    const headers = { 'content-type': 'application/json' }
    await (await fetch(`${other.url}/v1/chat/completions`, { method: 'POST', headers, body })).text()
    expect(await run('sessions', '--url', other.url)).toBe('There are no sessions yet.\n')
    expect(await run('sessions', 'unread', '--url', other.url)).toMatch(/^unread /m)
  } finally {
    await other.close(0)
  }
})

it('a session is found by the long name that its client has sent', async () => {
  const name = 'n'.repeat(300)
  const own = mkdtempSync(join(tmpdir(), 'prehend-long-names-'))
  const kept = sqliteStore({ path: join(own, 'prehend.sqlite') })
  const other = await openGateway(parseConfig({ port: 0 }), { store: kept })
  try {
    const headers = { 'content-type': 'application/json', 'x-session-id': name }
    const body = JSON.stringify({ model: 'gpt-5.1', messages: [{ role: 'user', content: 'Hello.' }] })
    await (await fetch(`${other.url}/v1/chat/completions`, { method: 'POST', headers, body })).text()
    await kept.read('receipts').list('default', { limit: 1 })
    for (const source of [
      ['--data', own],
      ['--url', other.url],
    ]) {
      const io = fakeIo({ columns: 80 })
      expect([await runCli(['sessions', name, '--json', ...source], io), io.written.err]).toEqual([0, ''])
      expect(await runCli(['packs', '--session', name, '--json', ...source], io)).toBe(0)
      expect(io.written.out).toContain('"requestId"')
    }
  } finally {
    await other.close(0)
    await kept.close()
    rmSync(own, { recursive: true })
  }
})

describe.each(['the store', 'a gateway'])('what sessions have cost, read from %s', (where) => {
  const source = (): readonly string[] => (where === 'the store' ? ['--data', folder] : ['--url', gateway.url])

  it('prehend sessions log: turn by turn, by words, and as JSON', async () => {
    const out = await run('sessions', 'log', 'dearer', ...source())
    expect(out).toContain(`turn 1, `)
    expect(out).toContain(newest)
    expect(out).toContain('user: Find the value.')
    expect(await run('sessions', 'log', 'dearer', '--search', 'values', ...source())).toContain('Find the value.')
    expect(await run('sessions', 'log', 'dearer', '--search', 'zebras', ...source())).toBe(
      'There is no such turn in the log of dearer.\n',
    )
    const log = JSON.parse(await run('sessions', 'log', 'dearer', '--json', ...source())) as object
    expect(log).toMatchObject({ sessionId: 'dearer', turns: [{ turn: 1, requestId: newest }], more: false })
  })

  it('says why a session costs more, and that the simulated provider spent no money', async () => {
    const out = (await run('sessions', 'dearer', ...source())).replaceAll(/\s+/g, ' ')
    expect(out).toContain("dearer costs more than the client's own requests would have. Packing cost $")
    expect(out).toContain('simulated provider: no money was spent')
    const told = JSON.parse(await run('sessions', 'dearer', '--json', ...source())) as object
    expect(told).toMatchObject({ sessions: [{ simulated: true, whyMore: expect.stringMatching(/^Packing cost/) }] })
    expect(await run('packs', newest, ...source())).toContain('provider   simulated provider: no money was spent')
  })

  it('prehend packs SESSION names the option for a session', async () => {
    const io = fakeIo()
    expect(await runCli(['packs', 'dearer', ...source()], io)).toBe(4)
    expect(io.written.err).toContain('There is a session of that name: prehend packs --session dearer')
    expect(await runCli(['packs', 'of two models', ...source()], io)).toBe(4)
    expect(io.written.err).toContain('prehend packs --session "of two models"')
  })

  it('prehend sessions: in dollars, negative where it is, n/a where no price is known', async () => {
    const out = await run('sessions', ...source())
    expect(out).toMatch(/^session .*requests .*cost +saved +share +by marks +by packing$/m)
    expect(out).toMatch(/^dearer +1 +\$\d\.\d+ +-\$\d\.\d+ +-\d+\.\d% +\$0\.0000 +-\$\d\.\d+$/m)
    expect(out).toMatch(/^of two models +1 of 2 .*-\$/m)
    expect(out).toMatch(/^without a price +0 of 1 .*n\/a +n\/a +n\/a +n\/a +n\/a$/m)
    expect(out).toMatch(/^requests: priced of all/m)
  })

  it('prehend packs and prehend sessions say that there are more than they show, and how to see them', async () => {
    const first = await run('packs', '--limit', '3', ...source())
    const before = /^The newest 3 are shown\. Older ones: prehend packs --before (\d+);/m.exec(first)?.[1]
    const rest = await run('packs', '--limit', '3', '--before', String(before), ...source())
    expect(rest.match(/^req_/gm)).toHaveLength(1)
    expect(rest).not.toContain('are shown')
    const ofOne = await run('packs', '--limit', '1', '--session', 'of two models', ...source())
    expect(ofOne.replaceAll(/\s+/g, ' ')).toContain('prehend packs --session "of two models" --before')
    expect(await run('packs', ...source())).not.toContain('are shown')
    expect(await run('sessions', '--limit', '2', ...source())).toMatch(
      /^The 2 last used are shown\. More: .*--limit N$/m,
    )
    const json = JSON.parse(await run('sessions', '--limit', '2', '--json', ...source())) as { sessions: unknown[] }
    expect(json.sessions).toHaveLength(2)
    expect(await run('sessions', '--limit', '3', ...source())).not.toContain('are shown')
  })

  it('P-072: prehend packs --lineage and --quote: where tokens go, and where a text is from', async () => {
    const out = await run('packs', newest, '--lineage', ...source())
    expect(out).toMatch(/^section +tokens +share/m)
    expect(out).toMatch(/^query .*%  #+$/m)
    expect(out).toMatch(/message 1, turn 0, user/)
    expect(await run('packs', newest, '--quote', 'Find  the', ...source())).toMatch(
      /^\S+, line 1, shown\n {2}from message 1, turn 0, user\n$/,
    )
    expect(await run('packs', newest, '--quote', 'no such words', ...source())).toMatch(/^Nothing in req_\w+ says that/)
    const { places } = JSON.parse(await run('packs', newest, '--quote', 'the value.', '--json', ...source()))
    expect(places).toMatchObject([{ firstLine: 1, isShown: true, origin: { role: 'user', kind: 'text' } }])
  })

  it('prehend sessions SESSION --json: the figures', async () => {
    const { sessions } = JSON.parse(await run('sessions', 'dearer', '--json', ...source())) as {
      sessions: SessionSummary[]
    }
    const [session] = await store.read('results').sessions('default', { limit: 1, session: 'dearer' })
    const [receipt] = await store.read('receipts').list('default', { session: 'dearer', limit: 1 })
    expect(receipt?.why).toBeDefined()
    expect(sessions).toEqual([
      { ...session, why: receipt?.why, simulated: true, whyMore: expect.stringContaining('Packing cost') as string },
    ])
    expect(sessions[0]?.cost.priced).toBe(1)
    expect(sessions[0]?.cost.usd).toBeGreaterThan(sessions[0]?.cost.passThroughUsd ?? Number.NaN)
  })

  it.each([
    ['sessions', 'dearr'],
    ['packs', '--session', 'dearr'],
  ])('%s of a session that is not there: exit code 4 and the name that is near', async (...argv) => {
    const io = fakeIo()
    expect(await runCli([...argv, ...source()], io)).toBe(4)
    expect(io.written.out).toBe('')
    expect(io.written.err).toBe(
      'prehend: There is no session dearr. Did you mean dearer? List them with prehend sessions.\n',
    )
  })

  it.each(['packs', 'verify', 'ablate', 'diagnose'])(
    '%s of a request that is not there names the near one',
    async (name) => {
      const io = fakeIo()
      expect(await runCli([name, newest.slice(0, -3), ...source()], io)).toBe(4)
      expect(io.written.err).toContain(`Did you mean ${newest}?`)
    },
  )

  it('prehend packs: cost and saving of each request, and of the session that is asked for', async () => {
    const out = await run('packs', ...source())
    expect(out).toMatch(/^request .*cost +saved$/m)
    expect(out.match(/\$\d\.\d+ +-\$\d\.\d+$/gm)).toHaveLength(2)
    expect(out.match(/n\/a +n\/a$/gm)).toHaveLength(2)
    const one = await run('packs', '--session', 'of two models', ...source())
    expect(one.replaceAll(/\s+/g, ' ')).toMatch(
      /session: \$\d\.\d+, the client's own requests about \$\d\.\d+: saved -\$\d\.\d+/,
    )
    expect(one.replaceAll(/\s+/g, ' ')).toContain('(1 of 2 requests)')
    const { session } = JSON.parse(await run('packs', '--session', 'dearer', '--json', ...source())) as {
      session: SessionSummary
    }
    expect(session.cost.requests).toBe(1)
  })

  it('prehend packs PACK: what it came to', async () => {
    const out = await run('packs', newest, ...source())
    expect(out.replaceAll(/\s+/g, ' ')).toMatch(
      /cost \$\d\.\d+, the client's own requests about \$\d\.\d+: saved -\$\d\.\d+ \(-\d+\.\d%\), \$0\.0000 by cache marks, -\$\d\.\d+ by packing /,
    )
    expect(out).toMatch(/^input {6}\d+ tokens in all rounds, about \d+ with everything sent$/m)
  })
})

it('tells what mode on would have saved of what was only observed, and nothing of it elsewhere', async () => {
  const out = (await run('sessions', '--data', folder)).replaceAll(/\s+/g, ' ')
  expect(out).not.toContain('would save')
  const observing = await openGateway(
    parseConfig({
      port: 0,
      mode: 'observe',
      models: { priced: { family: 'openai', prices: { input: 2000, output: 8000 } } },
    }),
    { store },
  )
  const body = { model: 'priced', messages: [{ role: 'user', content: 'Find the value.' }] }
  const headers = { 'content-type': 'application/json', 'authorization': 'Bearer any', 'x-session-id': 'only observed' }
  await (
    await fetch(`${observing.url}/v1/chat/completions`, { method: 'POST', headers, body: JSON.stringify(body) })
  ).text()
  await expect
    .poll(
      async () =>
        (await store.read('results').sessions('default', { limit: 1, session: 'only observed' }))[0]?.cost.priced,
    )
    .toBe(1)
  const list = await run('sessions', 'only observed', '--data', folder)
  expect(list).toMatch(/would save$/m)
  expect(list).toMatch(/~\$0\.0000 \(0\.0%\)$/m)
  expect(list.replaceAll(/\s+/g, ' ')).toContain('estimated with a simulated cache')
  const packs = await run('packs', '--session', 'only observed', '--data', folder)
  expect(packs.replaceAll(/\s+/g, ' ')).toMatch(
    /session: \$\d\.\d+; mode on would have saved about \$0\.0000 \(0\.0%\), \$0\.0000 by cache marks/,
  )
  await observing.close(0)
})

it('the store and a gateway give the same, of lists and of one', async () => {
  for (const asked of [
    ['packs'],
    ['packs', newest],
    ['sessions'],
    ['packs', '--session', 'dearer'],
    ['packs', '--limit', '2'],
  ]) {
    const from = (source: readonly string[]): Promise<string> => run(...asked, '--json', ...source)
    expect(JSON.parse(await from(['--url', gateway.url]))).toEqual(JSON.parse(await from(['--data', folder])))
  }
})

it('what is no gateway of ours is told by the member that is not as it is stated', async () => {
  const told = async (answer: unknown, ...argv: readonly string[]): Promise<string> => {
    const server = createServer((_, response) => void response.end(JSON.stringify(answer)))
    await new Promise<void>((done) => void server.listen(0, '127.0.0.1', done))
    const io = fakeIo({ columns: 80 })
    const { port } = server.address() as AddressInfo
    expect(await runCli([...argv, '--url', `http://127.0.0.1:${port}`], io)).not.toBe(0)
    server.close()
    return io.written.err
  }
  const cost = { requests: 1, priced: 1, inputTokens: 1, passThroughTokens: 1, usd: 'cheap', passThroughUsd: 1 }
  const list = { object: 'list', next: null, data: [{ session: 's', usedMs: 1, cost }] }
  expect(await told(list, 'sessions')).toContain('data.0.cost.usd: ')
  expect(await told({ hello: 'there' }, 'packs')).toContain('object: ')
  expect(await told({ hello: 'there' }, 'packs', 'req_1')).toContain('requestId: ')
})

describe('prehend sessions compact and handoff', () => {
  const long = (results: number): string =>
    JSON.stringify({
      model: 'priced',
      tools: [{ type: 'function', function: { name: 'read', description: 'Reads.', parameters: { type: 'object' } } }],
      messages: [
        { role: 'user', content: 'Find the value. Never touch the lock file.' },
        ...Array.from({ length: results }, (_, at) => [
          {
            role: 'assistant',
            tool_calls: [{ id: `c${at}`, type: 'function', function: { name: 'read', arguments: '{}' } }],
          },
          { role: 'tool', tool_call_id: `c${at}`, content: `line ${at} of many words `.repeat(60) },
        ]).flat(),
      ],
    })
  const send = async (session: string, results: number): Promise<Headers> => {
    const headers = { 'content-type': 'application/json', 'x-session-id': session }
    const reply = await fetch(`${gateway.url}/v1/chat/completions`, { method: 'POST', headers, body: long(results) })
    await reply.text()
    await store.read('receipts').list('default', { limit: 1 })
    return reply.headers
  }

  it.each([
    ['the store', () => ['--data', folder]],
    ['a gateway', () => ['--url', gateway.url]],
  ] as const)('compacts a session in %s, so that its next request is (G-050)', async (place, at) => {
    const session = `long in ${place}`
    await send(session, 20)
    const out = await run('sessions', 'compact', session, '--preserve-recent', '4', ...at())
    expect(out).toMatch(
      /^The next request of session .* will be compacted\.\nThe last request took \d+ tokens\. Compacted, it would take \d+, \d+ fewer\.\nThis is compaction 1 of the session\.\n$/,
    )
    expect((await send(session, 20)).get('x-prehend-compaction-count')).toBe('1')
  })

  it.each([
    ['the store', () => ['--data', folder]],
    ['a gateway', () => ['--url', gateway.url]],
  ] as const)('hands a session over in %s (G-050)', async (place, at) => {
    const session = `old in ${place}`
    await send(session, 10)
    const told = JSON.parse(await run('sessions', 'handoff', session, '--json', ...at())) as Record<string, unknown>
    expect(told).toMatchObject({ parentId: session, briefing: { constraints: ['Never touch the lock file.'] } })
    const child = JSON.parse(await run('sessions', String(told['sessionId']), '--json', ...at())) as object
    expect(child).toMatchObject({ sessions: [{ session: told['sessionId'] }] })
  })

  it.each([
    [['compact'], 2, 'prehend sessions compact SESSION'],
    [['compat', 'dearer'], 2, 'compat is not log, compact or handoff'],
    [['compact', 'dearrer'], 4, 'Did you mean dearer?'],
  ])('%j is told what is wrong', async (argv, code, message) => {
    const io = fakeIo({ columns: 80 })
    expect(await runCli(['sessions', ...argv, '--data', folder], io)).toBe(code)
    expect(io.written.err).toContain(message)
  })
})
