import { afterEach, describe, expect, it } from 'vitest'
import type { ScriptEntry } from '../../providers/index.ts'
import { memoryStore } from '../../stores/index.ts'
import { chats, chatTurns } from './chats.fixture.ts'
import { differences, receiptsOf } from './proven.fixture.ts'
import { closeTestGateways, testGateway } from './test-gateway.fixture.ts'
import type { TestGateway, TestGatewayOptions } from './test-gateway.fixture.ts'

afterEach(closeTestGateways)

const policy = {
  id: 'short-chats',
  version: '1.0.0',
  extends: 'careful',
  sections: [{ section: 'history', max: 2000 }],
  summaries: { writer: 'model', recall: 'required' },
}

const prose = 'They went through one topic after the other and settled nothing yet.'

/** The cheap model of each provider, and what it says of a block. */
const config = { policy, summaries: { model: 'gpt-4o-mini' } }

const isSummary = (body: string): boolean => body.includes('You summarise a part of a conversation')

/** A model that answers an agent at once, and who asks for a summary so. */
const playing =
  (summary: ScriptEntry): NonNullable<TestGatewayOptions['script']> =>
  ({ body }) =>
    isSummary(body) ? summary : 'Understood.'

const summaryRequests = ({ provider }: TestGateway) => provider.requests.filter(({ body }) => isSummary(body))

const agentBodies = ({ provider }: TestGateway): readonly string[] =>
  provider.requests.filter(({ body }) => !isSummary(body)).map(({ body }) => body)

/** Waits until nothing is written in the background any more. */
async function settled(gateway: TestGateway, wanted: number, results = /written|failed/): Promise<void> {
  const told = () =>
    gateway.log.filter(({ event, fields }) => event === 'summary' && results.test(String(fields['result'])))
  for (let round = 0; round < 200 && told().length < wanted; round += 1)
    await new Promise((done) => setTimeout(done, 10))
}

const [chat] = chats
const later = (turns: number): readonly string[] => chatTurns(turns)

describe('summaries that a model writes', () => {
  it.each(chats.filter(({ name }) => !name.includes('without')))(
    'are asked of the cheap model behind the request, and stand in a later one (G-006, G-032), over $name',
    async ({ name, ask, wordsOf }) => {
      const model = { 'anthropic-messages': 'claude-haiku-4-5', 'gemini': 'gemini-3.5-flash' }[name] ?? 'gpt-4o-mini'
      const gateway = await testGateway({ config: { policy, summaries: { model } }, script: playing(prose) })
      await ask(gateway, later(24))
      await settled(gateway, 4)
      const asked = summaryRequests(gateway)
      expect(asked).toHaveLength(4)
      expect(asked.every(({ body, path }) => `${path} ${body}`.includes(model))).toBe(true)
      expect(asked[0]?.body).toContain('This is question 1 about')
      expect(wordsOf(agentBodies(gateway)[0] ?? '')).not.toContain(prose)
      await ask(gateway, later(34))
      const words = wordsOf(agentBodies(gateway)[1] ?? '')
      expect(words).toContain(prose)
      expect(words).toContain('Never deploy on Fridays.')
      expect((await receiptsOf(gateway)).map(differences)).toEqual([[], []])
    },
  )

  it('are asked for at temperature 0, with a seed of what is summarised, and only beyond the budget (P-029, G-006)', async () => {
    const gateway = await testGateway({ config, script: playing(prose) })
    await chat?.ask(gateway, later(6))
    expect(summaryRequests(gateway)).toEqual([])
    await chat?.ask(gateway, later(24))
    await settled(gateway, 4)
    const bodies = summaryRequests(gateway).map(({ body }) => JSON.parse(body) as Record<string, unknown>)
    expect(bodies.map(({ temperature }) => temperature)).toEqual([0, 0, 0, 0])
    expect(new Set(bodies.map(({ seed }) => seed)).size).toBe(bodies.length)
  })

  it('are asked for once: other requests, other sessions and a fresh start find them in the store (P-068, B-51, B-57)', async () => {
    const store = memoryStore()
    const first = await testGateway({ config, script: playing(prose), store })
    await chat?.ask(first, later(24))
    await settled(first, 4)
    await chat?.ask(first, later(25))
    await first.close()
    const again = await testGateway({ config, script: playing('Something else altogether.'), store })
    await chat?.ask(again, later(26))
    await settled(again, 1, /kept/)
    await chat?.ask(again, later(34))
    expect(summaryRequests(first)).toHaveLength(4)
    expect(agentBodies(again)[1]).toContain(prose)
    expect(agentBodies(again)[1]).not.toContain('Something else altogether.')
  })

  it('are not shared between tenants that say the same', async () => {
    const tokens = ['one', 'two'].map((tenant) => ({ token: `token-of-${tenant}`, tenant }))
    const gateway = await testGateway({ config: { ...config, tokens }, script: playing(prose) })
    await chat?.ask(gateway, later(24), 'token-of-one')
    await settled(gateway, 4)
    await chat?.ask(gateway, later(24), 'token-of-two')
    await settled(gateway, 8)
    expect(summaryRequests(gateway)).toHaveLength(8)
  })

  it.each<[string, ScriptEntry]>([
    ['refused', { fault: { kind: 'error', status: 500 } }],
    ['broken off', { text: prose, fault: { kind: 'connection-death', afterChunks: 0 } }],
    ['empty', { text: ' ' }],
    ['longer than its turns', { text: 'word '.repeat(2000) }],
  ])('that are %s are never kept, and no request suffers', async (_, entry) => {
    const store = memoryStore()
    const gateway = await testGateway({ config, script: playing(entry), store })
    expect(await chat?.ask(gateway, later(24))).toBe('Understood.')
    await settled(gateway, 4)
    expect(
      gateway.log.filter(({ event, fields }) => event === 'summary' && fields['result'] === 'failed'),
    ).toHaveLength(4)
    expect(await chat?.ask(gateway, later(34))).toBe('Understood.')
    expect(agentBodies(gateway)[1]).toContain('Extract of turns 1-5')
    expect(JSON.stringify(gateway.log.filter(({ event }) => event === 'summary'))).not.toContain('question')
  })

  it('that never come hold up no request, and end with the gateway', async () => {
    const gateway = await testGateway({ config, script: playing({ fault: { kind: 'hang' } }) })
    expect(await chat?.ask(gateway, later(24))).toBe('Understood.')
    expect(await chat?.ask(gateway, later(25))).toBe('Understood.')
    await gateway.close()
    expect(gateway.log.filter(({ event, fields }) => event === 'summary' && fields['result'] === 'written')).toEqual([])
  })

  it('are accounted by role (G-032)', async () => {
    const gateway = await testGateway({ config, script: playing(prose) })
    await chat?.ask(gateway, later(24))
    await settled(gateway, 4)
    const metrics = await (await fetch(`${gateway.url}/metrics`)).text()
    expect(metrics).toMatch(/prehend_summaries_total\{result="written"\} 4/)
    const spent = (role: string): number =>
      Number(new RegExp(`prehend_role_cost_usd_total\\{role="${role}",family="openai"\\} (\\S+)`).exec(metrics)?.[1])
    expect(spent('summarizer')).toBeGreaterThan(0)
    expect(spent('agent')).toBeGreaterThan(0)
  })

  it('need a model that is named', async () => {
    await expect(testGateway({ config: { policy } })).rejects.toThrow('summaries.model')
  })
})
