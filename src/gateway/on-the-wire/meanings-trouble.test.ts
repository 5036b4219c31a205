import { afterEach, describe, expect, it } from 'vitest'
import {
  closeMeaningGateways,
  counted,
  embeddingServer,
  embeddings,
  meaningGateway,
  meaningTools,
  until,
} from './embedding-server.fixture.ts'
import type { MeaningGateway } from './embedding-server.fixture.ts'
import { openaiFixture, post } from './test-gateway.fixture.ts'

afterEach(closeMeaningGateways)

const policies = [{ extends: 'careful', id: 'sticky', version: '1.0.0', tools: { selection: 'sticky' as const } }]
const config = { policy: 'sticky', policies }
const tools = meaningTools.map(({ schema, ...tool }) => ({
  type: 'function',
  function: { ...tool, parameters: schema },
}))

async function ask(
  gateway: MeaningGateway,
  content = 'Handle task 7 of the desk, with the-secret-text.',
): Promise<number> {
  const startedMs = performance.now()
  const body = { model: 'gpt-5.1', messages: [{ role: 'user', content }], tools }
  const response = await post(gateway, openaiFixture, body)
  expect([response.status, await response.text()]).toEqual([200, expect.stringContaining('Done.')])
  expect(gateway.provider.requests.at(-1)!.body).toContain('"mcp__desk__task_7"')
  return performance.now() - startedMs
}

const troubles = ({ log }: MeaningGateway) => log.filter(({ event }) => event === 'embeddings-failed')

const reasons = {
  'never': 'Error',
  'one too few': 'upstream-broken',
  'one twice': 'upstream-broken',
  'other lengths': 'upstream-broken',
  'no numbers': 'upstream-broken',
  'zeros': 'upstream-broken',
  'no key': 'upstream-refused',
  'no JSON': 'upstream-broken',
  'a flood': 'upstream-broken',
} as const

describe('G-025: a server of vectors that does not do as it should', () => {
  it.each(Object.entries(reasons))(
    'and answers %s: requests are answered by words, with one line in the log and a metric',
    async (how, reason) => {
      const embedder = await embeddingServer(embeddings[how as keyof typeof reasons])
      const gateway = await meaningGateway({ config, embedder, embeddings: { timeoutMs: 300, waitMs: 50 } })
      await ask(gateway)
      await until(() => troubles(gateway).length > 0)
      const asked = embedder.asked.length
      for (const text of ['Handle task 7 again.', 'And task 7 of the desk.']) await ask(gateway, text)
      expect(embedder.asked).toHaveLength(asked)
      const [told, ...more] = troubles(gateway)
      expect(more).toEqual([])
      expect(told).toMatchObject({ level: 'warn', fields: { tenant: 'default', upstream: 'local', model: 'tiny' } })
      if (how !== 'never') expect(told!.fields).toMatchObject({ reason, remedy: expect.stringContaining('embedd') })
      expect(JSON.stringify(gateway.log)).not.toContain('the-secret-text')
      expect(await counted(gateway, 'tool failed')).toBe(30)
      expect(await counted(gateway, 'tool paused')).toBeGreaterThanOrEqual(60)
    },
  )

  it('and stops answering: a request waits for it as long as the configuration says, three times', async () => {
    const gateway = await meaningGateway({ config, embeddings: { timeoutMs: 60_000, waitMs: 100 } })
    await ask(gateway)
    await until(async () => (await counted(gateway, 'tool made')) === 30)
    gateway.embedder.answers = embeddings.never
    const tookMs: number[] = []
    for (const at of [1, 2, 3, 4, 5]) tookMs.push(await ask(gateway, `Handle task 7 of the desk, part ${at}.`))
    for (const waited of tookMs.slice(0, 3)) expect(waited).toBeGreaterThan(95)
    expect(await counted(gateway, 'query late')).toBe(3)
    expect(await counted(gateway, 'query paused')).toBe(2)
    expect(troubles(gateway)).toHaveLength(1)
  })

  it('and stops answering: the gateway closes all the same, and says nothing of it', async () => {
    const embedder = await embeddingServer(embeddings.never)
    const gateway = await meaningGateway({ config, embedder, embeddings: { timeoutMs: 60_000 } })
    await ask(gateway)
    await until(() => embedder.asked.length > 0)
    const startedMs = performance.now()
    await gateway.close()
    expect(performance.now() - startedMs).toBeLessThan(5_000)
    expect(troubles(gateway)).toEqual([])
  })

  it('but gives vectors in another order: they are told apart by their index', async () => {
    const embedder = await embeddingServer(embeddings['out of order'])
    const gateway = await meaningGateway({ config, embedder })
    await ask(gateway)
    await until(async () => (await counted(gateway, 'tool made')) === 30)
    const body = { model: 'gpt-5.1', messages: [{ role: 'user', content: 'Where is the parcel?' }], tools }
    await (await post(gateway, openaiFixture, body)).text()
    expect(gateway.provider.requests.at(-1)!.body).toContain('"mcp__post__trace"')
  })
})
