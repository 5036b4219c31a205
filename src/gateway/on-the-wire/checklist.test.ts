import { afterEach, describe, expect, it } from 'vitest'
import type { SimulatedRequest, ScriptEntry } from '../../providers/index.ts'
import { parseConfig } from '../index.ts'
import { waysToAsk } from '../seams/ask.fixture.ts'
import { closeTestGateways, openaiFixture, post, testGateway } from './test-gateway.fixture.ts'

afterEach(closeTestGateways)

/** Says these one after the other, and the last for good. */
function saying(...texts: readonly ScriptEntry[]): { script: () => ScriptEntry; asked: SimulatedRequest[] } {
  const asked: SimulatedRequest[] = []
  const script = (request?: SimulatedRequest): ScriptEntry => {
    if (request) asked.push(request)
    return texts[Math.min(asked.length, texts.length) - 1]!
  }
  return { script, asked }
}

const checklist = [
  '## Plan',
  { text: 'Name the risks.', check: { contains: ['## Risks'] } },
  { text: 'Say how to roll back.', check: { contains: ['rollback', 'restore'] } },
]
const whole = '## Plan, ## Risks: none. rollback: restore the backup.'

describe.each(waysToAsk)('A-019: an answer that lacks points of its checklist: $name', ({ dialect, stream }) => {
  const { fixture, ask } = dialect

  it('is asked for once more with exactly these, and what is said then goes out', async () => {
    const { script, asked } = saying('## Plan: go. rollback: no.', whole)
    const gateway = await testGateway({ config: { checklist }, script })
    expect((await ask(gateway, fixture.body(1), stream)).text).toBe(whole)
    expect(asked).toHaveLength(2)
    const [first = '', second = ''] = asked.map(({ body }) => body)
    expect(first).not.toContain('Name the risks.')
    expect(second).toContain('Name the risks.')
    expect(second).toMatch(/Say how to roll back\. Does not contain .{1,3}restore/)
    expect(second).not.toContain('## Plan')
    expect(gateway.log.filter(({ event }) => event === 'checklist').map(({ fields }) => fields)).toMatchObject([
      { points: '1, 2' },
    ])
  })

  it('is repaired once: what lacks them still goes out, and so does what lacks none', async () => {
    const { script, asked } = saying('Nothing.', 'Nothing yet.', whole)
    const gateway = await testGateway({ config: { checklist }, script })
    expect((await ask(gateway, fixture.body(1), stream)).text).toBe('Nothing yet.')
    expect(asked).toHaveLength(2)
    expect((await ask(gateway, fixture.body(1), stream)).text).toBe(whole)
    expect(asked).toHaveLength(3)
  })
})

describe('A-019: a checklist', () => {
  const ask = (url: Parameters<typeof post>[0], more: Record<string, unknown>) =>
    post(url, openaiFixture, openaiFixture.body(1, { prehend: more }))

  it('may be a request’s own, and the reply says how much of it is met', async () => {
    const { script, asked } = saying('Nothing.', '## Plan')
    const gateway = await testGateway({ script })
    const reply = await ask(gateway, { checklist })
    expect(await reply.text()).toContain('## Plan')
    expect([reply.headers.get('x-prehend-checklist'), reply.headers.get('x-prehend-repairs')]).toEqual(['1/3', '1'])
    const other = await ask(gateway, {})
    await other.text()
    expect([asked.length, other.headers.get('x-prehend-checklist')]).toEqual([3, null])
  })

  it('gives way to a hard constraint: its repairs go on, and an answer that breaks it never goes out', async () => {
    const constraints = [{ text: 'Name no customer.', strength: 'hard', check: { lacks: ['ACME'] } }]
    const { script, asked } = saying('ACME', `ACME ${whole}`, whole)
    const gateway = await testGateway({ config: { checklist, constraints, repairs: 2 }, script })
    expect(await (await ask(gateway, {})).text()).toContain('restore the backup')
    expect(asked).toHaveLength(3)
    expect(asked[1]?.body).toContain('Name the risks.')
    expect(asked[2]?.body.split('Name the risks.')).toHaveLength(2)
  })

  it('a point that nothing can tell is refused by its place', async () => {
    const gateway = await testGateway({ script: () => 'x' })
    const reply = await ask(gateway, { checklist: ['## Plan', { text: 'Be kind.' }] })
    expect([reply.status, await reply.text()]).toEqual([400, expect.stringContaining('prehend.checklist[1].check')])
    expect(() => parseConfig({ checklist: [{ text: '' }] })).toThrow('checklist')
  })
})
