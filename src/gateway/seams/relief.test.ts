import { afterEach, describe, expect, it } from 'vitest'
import { evidence } from '../../core/index.ts'
import type { ReliefPolicy } from '../../core/index.ts'
import type { Source } from '../index.ts'
import { closeTestGateways, testGateway, unmarkedMessages } from '../on-the-wire/test-gateway.fixture.ts'
import type { Body, TestGateway } from '../on-the-wire/test-gateway.fixture.ts'
import { waysToAsk } from './ask.fixture.ts'

const linesOf = (name: string, count: number): string =>
  Array.from({ length: count }, (_, line) => `${name} says in its line ${line} that ${line * 7919} holds.`).join('\n')

/** Remembers one thing, found what another is about, and nothing later. */
const notes: Source = {
  id: 'notes',
  collect: async ({ conversation }) =>
    conversation.items.some(({ text }) => text.includes('And now?'))
      ? []
      : [
          { ...evidence(linesOf('the note', 60), 'notes', { id: 'm1' }), section: 'memory', kind: 'memory' },
          evidence(linesOf('the page', 60), 'wiki', { id: 'e1' }),
        ],
}

afterEach(closeTestGateways)

const second = 1000

describe.each(waysToAsk)('the order of relief of a gateway: $name', ({ dialect, stream }) => {
  const { fixture, ask } = dialect
  const saying = (body: Body, ...messages: readonly unknown[]): Body => ({
    ...body,
    messages: [...body.messages, ...messages],
  })
  /** Windows that are a little too small for what is sent, by how the dialect's models count. */
  const [forOne, forThree] = fixture.name === 'openai-chat' ? [11_800, 14_000] : [14_000, 16_500]
  const gatewayWith = (relief: ReliefPolicy, windowTokens: number): Promise<TestGateway> =>
    testGateway({
      config: {
        policy: 'house',
        policies: [{ extends: 'careful', id: 'house', version: '1.0.0', relief }],
        models: { [String(fixture.body(1)['model'])]: { windowTokens } },
      },
      host: { sources: [notes] },
      script: () => 'Soon.',
    })
  const manifestsOf = async (gateway: TestGateway) => {
    const listed = await gateway.store.read('receipts').list('default', { limit: 9 })
    const receipts = await Promise.all(
      listed.map(({ requestId }) => gateway.store.read('receipts').get('default', requestId)),
    )
    return receipts.toReversed().map((receipt) => receipt!.manifest)
  }

  it('X-08: is set in its configuration, and its receipts say which steps were taken', async () => {
    const gateway = await gatewayWith('step-pack', forOne)
    await ask(gateway, saying(fixture.body(1), fixture.says('When is it?')), stream)
    const [manifest] = await manifestsOf(gateway)
    expect(manifest!.relief).toMatchObject({ profile: 'step-pack', enough: true })
    expect(manifest!.relief!.steps.map(({ step }) => step)).toContain('compress-memory')
  })

  it('what a step leaves out of what was collected before is gone from the body, and stays so', async () => {
    const gateway = await gatewayWith(['drop-memory', 'drop-evidence'], forThree)
    const asking = saying(fixture.body(1), fixture.says('When is it?'))
    const { message } = await ask(gateway, asking, stream)
    await gateway.clock.advance(second)
    const longer = saying(asking, message, fixture.says(`And now?\n${linesOf('the user', 180)}`))
    const { message: again } = await ask(gateway, longer, stream)
    await gateway.clock.advance(second)
    await ask(gateway, saying(longer, again, fixture.says('Thanks.')), stream)
    const [first, next, last] = gateway.provider.requests.map(({ body }) => body)
    expect(first).toContain('the note says in its line 3 ')
    expect(next).not.toContain('the note says in its line 3 ')
    expect(next).toContain('the user says in its line 179 ')
    const sent = unmarkedMessages(next!)
    expect(unmarkedMessages(last!).slice(0, sent.length)).toEqual(sent)
    expect((await manifestsOf(gateway)).map(({ relief }) => relief!.steps.map(({ step }) => step))).toEqual([
      [],
      ['drop-memory'],
      [],
    ])
  })
})
