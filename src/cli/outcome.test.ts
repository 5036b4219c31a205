import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openGateway, parseConfig } from '../gateway/index.ts'
import type { Gateway } from '../gateway/index.ts'
import { sqliteStore } from '../stores/index.ts'
import type { Store } from '../stores/index.ts'
import { fakeIo } from './fake-io.fixture.ts'
import { runCli } from './run-cli.ts'

const folder = mkdtempSync(join(tmpdir(), 'prehend-outcome-'))
let store: Store
let gateway: Gateway

async function run(...argv: readonly string[]) {
  const io = fakeIo({ columns: 80 })
  return { code: await runCli([...argv], io), ...io.written }
}

/** Asks a model that is not there: the request has a receipt all the same. */
async function ask(session: string): Promise<string> {
  const body = { model: 'gpt-5.1', messages: [{ role: 'user', content: 'Find the value.' }] }
  const headers = { 'content-type': 'application/json', 'x-session-id': session }
  const url = `${gateway.url}/v1/chat/completions`
  const reply = await fetch(url, { method: 'POST', headers, body: JSON.stringify(body) })
  await reply.text()
  await store.read('receipts').list('default', { limit: 1 })
  return reply.headers.get('x-prehend-request-id') ?? ''
}

beforeAll(async () => {
  store = sqliteStore({ path: join(folder, 'prehend.sqlite') })
  gateway = await openGateway(parseConfig({ port: 0 }), { store })
})

afterAll(async () => {
  await gateway.close(0)
  await store.close()
  rmSync(folder, { recursive: true })
})

describe.each(['store', 'gateway'])('prehend outcome, by the %s', (where) => {
  const source = (): readonly string[] => (where === 'store' ? ['--data', folder] : ['--url', gateway.url])

  it('records what packs and sessions then show', async () => {
    const session = `job of ${where}`
    const request = await ask(session)
    const passed = ['--request', request, '--source', 'test', '--note', '8 of 10 tests pass']
    expect(await run('outcome', session, '0.8', ...passed, ...source())).toEqual({
      code: 0,
      out: 'recorded: 0.8 by test: 8 of 10 tests pass\n',
      err: '',
    })
    const whole = await run('outcome', session, '1', '--json', ...source())
    expect(JSON.parse(whole.out)).toEqual({
      session,
      source: 'person',
      quality: 1,
      weight: 1,
      atMs: expect.any(Number),
    })
    const { out } = await run('packs', request, ...source())
    expect(out).toContain(
      '\njudged     0.8 by test: 8 of 10 tests pass\njudged     1 by person, of the whole session\n',
    )
    for (const line of out.split('\n')) expect(line.length).toBeLessThanOrEqual(80)
    const { outcomes } = JSON.parse((await run('packs', request, '--json', ...source())).out)
    expect(outcomes).toMatchObject([{ source: 'test', quality: 0.8 }, { source: 'person' }])
    expect(JSON.parse((await run('sessions', session, '--json', ...source())).out)).toMatchObject({ outcomes })
  })

  it('refuses another quality of the same source, unless it replaces the first', async () => {
    const session = `changed in ${where}`
    await ask(session)
    await run('outcome', session, '1', ...source())
    const again = await run('outcome', session, '0', ...source())
    expect([again.code, again.out]).toEqual([7, ''])
    expect(again.err).toContain('The source person has given the session the quality 1.')
    expect((await run('outcome', session, '0', '--replace', ...source())).code).toBe(0)
    expect(await store.read('outcomes').list('default', session)).toMatchObject([{ quality: 0 }])
  })

  it('names the session or the request that is not there', async () => {
    const session = `known to ${where}`
    await ask(session)
    const noSession = await run('outcome', session.slice(0, -1), '1', ...source())
    expect([noSession.code, noSession.out]).toEqual([4, ''])
    expect(noSession.err).toContain(`Did you mean ${session}?`)
    const noRequest = await run('outcome', session, '1', '--request', 'req_none', ...source())
    expect([noRequest.code, noRequest.out]).toEqual([4, ''])
    expect(noRequest.err).toContain('There is no request req_none')
  })
})

it.each([
  ['QUALITY', 's', '1.1'],
  ['QUALITY', 's', '80%'],
  ['--source', 's', '1', '--source', 'guess'],
  ['SESSION', 's'],
])('%s that is wrong is named before anything is opened', async (name, ...argv) => {
  const { code, err, out } = await run('outcome', ...argv, '--data', folder)
  expect([code, out]).toEqual([2, ''])
  expect(err).toContain(name)
})
