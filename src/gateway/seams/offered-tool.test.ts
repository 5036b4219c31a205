import { afterEach, describe, expect, it } from 'vitest'
import type { HiddenTool, OfferContext } from '../index.ts'
import { memoryStore } from '../../stores/index.ts'
import { anHourMs, closeTestGateways, post, testGateway } from '../on-the-wire/test-gateway.fixture.ts'
import type { Body, TestGateway } from '../on-the-wire/test-gateway.fixture.ts'
import { askingDialects } from './ask.fixture.ts'

afterEach(closeTestGateways)

/** A tool that is offered as long as a registry says so. */
function registered(name: string, isOffered: (context: OfferContext) => boolean) {
  const asked: OfferContext[] = []
  const tool: HiddenTool = {
    definition: { name, description: 'Does something.', schema: { type: 'object', properties: {} } },
    offer: (context) => {
      asked.push(context)
      return isOffered(context)
    },
    answer: async () => ({ text: `${name} did it`, found: true }),
  }
  return { asked, tool }
}

/** But for the one of ours, which comes in when a pack needs it. */
const toolsIn = ({ body }: { readonly body: string }): readonly string[] => {
  const { tools } = JSON.parse(body) as { tools: readonly { name?: string; function?: { name: string } }[] }
  return tools.map((tool) => tool.name ?? tool.function?.name ?? '').filter((name) => name !== 'rehydrate')
}

const offeredLast = (gateway: TestGateway): readonly string[] => toolsIn(gateway.provider.requests.at(-1)!)

describe.each(askingDialects)('a hidden tool that decides whether it is offered: $fixture.name', ({ fixture }) => {
  const send = async (gateway: TestGateway, body: Body, headers = {}): Promise<void> => {
    const response = await post(gateway, fixture, body, headers)
    expect([response.status, await response.text()]).toEqual([200, expect.stringContaining('done')])
  }

  it('comes and goes with a cold cache only, and is not asked in between', async () => {
    const on = new Set(['apple'])
    const apple = registered('apple', () => on.has('apple'))
    const berry = registered('berry', () => on.has('berry'))
    const host = { hiddenTools: [berry.tool, apple.tool] }
    const store = memoryStore()
    let gateway = await testGateway({ store, host, script: () => 'done' })
    await send(gateway, fixture.body(1))
    expect(offeredLast(gateway)).toEqual(['read', 'apple'])
    const first = [apple.asked.length, berry.asked.length]
    on.clear()
    on.add('berry')
    await send(gateway, fixture.body(2))
    expect(offeredLast(gateway)).toEqual(['read', 'apple'])
    expect([apple.asked.length, berry.asked.length]).toEqual(first)
    await gateway.clock.advance(anHourMs)
    await send(gateway, fixture.body(3))
    expect(offeredLast(gateway)).toEqual(['read', 'berry'])
    on.clear()
    const { clock } = gateway
    gateway = await testGateway({ store, clock, host, script: () => 'done' })
    await send(gateway, fixture.body(4))
    expect(offeredLast(gateway)).toEqual(['read', 'berry'])
  })

  it('stays as long as the conversation has calls of it', async () => {
    let isOn = true
    const { tool } = registered('apple', () => isOn)
    const calls = { toolCalls: [{ name: 'apple', arguments: {} }] }
    const script = (_: unknown, turn: number) => (turn === 0 ? calls : 'done')
    const gateway = await testGateway({ host: { hiddenTools: [tool] }, script })
    const body = fixture.body(1)
    await send(gateway, body)
    isOn = false
    await gateway.clock.advance(anHourMs)
    await send(gateway, {
      ...body,
      messages: [...body.messages, { role: 'assistant', content: 'done' }, fixture.says('And now?')],
    })
    expect(gateway.provider.requests.at(-1)!.body).toContain('apple did it')
    expect(offeredLast(gateway)).toEqual(['read', 'apple'])
  })

  it('is offered to those for whom it says so, by who asks and what the conversation is about', async () => {
    const { asked, tool } = registered(
      'ledger',
      ({ principal, conversation }) =>
        principal.team === 'finance' && conversation.items.some(({ text }) => text.includes('Find')),
    )
    const tokens = [
      { token: 'token-of-finance', tenant: 'acme', team: 'finance' },
      { token: 'token-of-build', tenant: 'acme', team: 'build' },
    ]
    const gateway = await testGateway({ config: { tokens }, host: { hiddenTools: [tool] }, script: () => 'done' })
    for (const [token, session, tools] of [
      ['token-of-finance', 'one', ['read', 'ledger']],
      ['token-of-build', 'two', ['read']],
    ] as const) {
      const headers = { 'authorization': `Bearer ${token}`, 'x-session-id': session }
      await send(gateway, fixture.body(1), headers)
      expect(offeredLast(gateway)).toEqual(tools)
    }
    expect(asked[0]!.scope).toMatchObject({ tenant: 'acme', session: 'one' })
    expect(asked[0]!.policy.id).toBe('thrifty')
  })

  it('that cannot say whether it is offered is not, and is named', async () => {
    const { tool } = registered('broken', () => {
      throw new Error('no registry')
    })
    const gateway = await testGateway({ host: { hiddenTools: [tool] }, script: () => 'done' })
    await send(gateway, fixture.body(1))
    expect(offeredLast(gateway)).toEqual(['read'])
    expect(gateway.log.find(({ event }) => event === 'stage-skipped')?.fields).toMatchObject({ stage: 'broken' })
  })
})
