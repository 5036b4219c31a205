import { afterEach, describe, expect, it } from 'vitest'
import { sha256 } from '../../host/index.ts'
import { memoryStore } from '../../stores/index.ts'
import type { Source } from '../index.ts'
import { closeTestGateways, testGateway, unmarkedMessages } from '../on-the-wire/test-gateway.fixture.ts'
import type { Body } from '../on-the-wire/test-gateway.fixture.ts'
import { waysToAsk } from './ask.fixture.ts'

/** Knows when things begin, and says so where a conversation asks. */
const calendar: Source = {
  id: 'calendar',
  collect: async ({ conversation }) =>
    conversation.items.some(({ text }) => text.includes('When'))
      ? [{ id: 'launch', section: 'evidence', kind: 'evidence', text: 'The launch is on 4 May.' }]
      : [],
}

afterEach(closeTestGateways)

const second = 1000

describe.each(waysToAsk)('a source of evidence: $name', ({ dialect, stream }) => {
  const { fixture, ask } = dialect
  const saying = (body: Body, ...messages: readonly unknown[]): Body => ({
    ...body,
    messages: [...body.messages, ...messages],
  })

  it('V-073, B-37: what it contributed stands in later requests where it stood, so that the cache is read, after a restart too', async () => {
    const store = memoryStore()
    const host = { sources: [calendar] }
    let gateway = await testGateway({ store, host, script: () => 'Soon.' })
    await ask(gateway, fixture.body(2), stream)
    await gateway.clock.advance(second)
    const asking = saying(fixture.body(2), { role: 'assistant', content: 'Soon.' }, fixture.says('When is it?'))
    const { message } = await ask(gateway, asking, stream)
    const [, asked] = gateway.provider.requests
    expect(asked!.body).toContain('The launch is on 4 May.')
    const sent = unmarkedMessages(asked!.body)

    const before = gateway.provider
    for (const [restarted, words] of [
      [false, 'And where?'],
      [true, 'And who?'],
    ] as const) {
      if (restarted) gateway = await testGateway({ store, host, script: () => 'Soon.' })
      await gateway.clock.advance(second)
      await ask(gateway, saying(asking, message, fixture.says(words)), stream)
      const next = gateway.provider.requests.at(-1)!
      expect(unmarkedMessages(next.body).slice(0, sent.length)).toEqual(sent)
      expect(next.body.split('The launch is on 4 May.')).toHaveLength(2)
    }
    expect(before.requests.at(-1)!.usage?.cacheReadTokens).toBeGreaterThan(asked!.usage!.inputTokens * 0.9)
  })

  it('is evidence of its source in every receipt', async () => {
    const gateway = await testGateway({ host: { sources: [calendar] }, script: () => 'Soon.' })
    const asking = saying(fixture.body(1), fixture.says('When is it?'))
    const { message } = await ask(gateway, asking, stream)
    await ask(gateway, saying(asking, message, fixture.says('And where?')), stream)
    for (const { fields } of gateway.log.filter(({ event }) => event === 'request')) {
      const receipt = await gateway.store.read('receipts').get('default', String(fields['requestId']))
      const items = receipt?.input?.items.filter(({ text }) => text.includes('4 May')) ?? []
      expect(items).toMatchObject([{ section: 'evidence', kind: 'evidence', provenance: { sourceId: 'calendar' } }])
      const decisions = receipt?.manifest.decisions.filter(({ section }) => section === 'evidence') ?? []
      expect(decisions).toMatchObject([{ rung: 'full' }])
    }
  })

  it('A-047: a receipt names session, order of events, task, step, tools, memory with its time, artifacts and the pack', async () => {
    const provenance = { sourceId: 'notes', uri: 'artifact://plan.md', retrievedAt: '2026-11-20T10:00:00Z' }
    const notes: Source = {
      id: 'notes',
      collect: async () => [
        { id: 'm1', section: 'memory', kind: 'evidence', text: 'Launches slip on Fridays.', provenance },
      ],
    }
    const gateway = await testGateway({ host: { sources: [notes] }, script: () => 'Soon.' })
    const names = { taskId: 'release', stepId: 'find' }
    const response = await ask(gateway, { ...fixture.body(2), prehend: names }, stream)
    expect(response.text).toBe('Soon.')
    expect(gateway.provider.requests[0]!.body).not.toContain('stepId')
    const [listed] = await gateway.store.read('receipts').list('default', { limit: 1 })
    const receipt = await gateway.store.read('receipts').get('default', listed!.requestId)
    const ids = receipt!.manifest.decisions.map(({ itemId }) => itemId)
    const inOrder = receipt!.input!.items.filter(({ section }) => section === 'history').map(({ id }) => id)
    expect(inOrder.length).toBeGreaterThan(2)
    expect(ids.filter((id) => inOrder.includes(id))).toEqual(inOrder)
    expect(ids).toContain('tool:read')
    expect(receipt).toMatchObject({
      session: listed!.session,
      step: names,
      packId: sha256(gateway.provider.requests[0]!.body),
    })
    const { itemId } = receipt!.origins![0]!
    expect(receipt!.origins).toEqual([{ itemId, uri: provenance.uri, retrievedAt: provenance.retrievedAt }])
    expect(receipt!.manifest.decisions.find((decision) => decision.itemId === itemId)?.section).toBe('memory')
    expect(gateway.log.find(({ event }) => event === 'request')?.fields).toMatchObject(names)
  })

  it('what has no place in a conversation is left out, and the request is packed without', async () => {
    const odd: Source = {
      id: 'odd',
      collect: async () => [{ id: 'call', section: 'history', kind: 'tool-call', role: 'assistant', text: '{}' }],
    }
    const gateway = await testGateway({ host: { sources: [odd] }, script: () => 'Soon.' })
    expect((await ask(gateway, fixture.body(1), stream)).text).toBe('Soon.')
    const { requestId } = gateway.log.find(({ event }) => event === 'request')!.fields
    const receipt = await gateway.store.read('receipts').get('default', String(requestId))
    expect(receipt?.result).toMatchObject({ skipped: ['collect'] })
    expect(receipt?.manifest.outcome).toBe('ok')
  })

  it('V-073: what it contributes anew stands behind all that was there before', async () => {
    let day = 4
    const moving: Source = {
      id: 'calendar',
      collect: async () => [
        { id: 'launch', section: 'evidence', kind: 'evidence', text: `The launch is on ${(day += 1)} May.` },
      ],
    }
    const gateway = await testGateway({ host: { sources: [moving] }, script: () => 'Soon.' })
    const asking = saying(fixture.body(1), fixture.says('When is it?'))
    const { message } = await ask(gateway, asking, stream)
    await ask(gateway, saying(asking, message, fixture.says('And now?')), stream)
    const [asked, next] = gateway.provider.requests
    const sent = unmarkedMessages(asked!.body)
    expect(unmarkedMessages(next!.body).slice(0, sent.length)).toEqual(sent)
    expect(next!.body.match(/The launch is on \d May\./g)).toEqual([
      'The launch is on 5 May.',
      'The launch is on 6 May.',
    ])
  })
})
