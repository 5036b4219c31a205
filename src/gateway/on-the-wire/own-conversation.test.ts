import { afterEach, describe, expect, it } from 'vitest'
import { memoryStore } from '../../stores/index.ts'
import { waysToAsk } from '../seams/ask.fixture.ts'
import type { Source } from '../index.ts'
import {
  answerTo,
  asks,
  bodyOf,
  brought,
  callId,
  lookedAgain,
  lookingAgain,
  reads,
  says,
} from './hidden-exchanges.fixture.ts'
import type { Message, Way } from './hidden-exchanges.fixture.ts'
import { anHourMs, closeTestGateways, handleIn, testGateway } from './test-gateway.fixture.ts'
import type { TestGateway } from './test-gateway.fixture.ts'

afterEach(closeTestGateways)

/** The same opening, other files; ids of calls are the same where a server counts them. */
function another({ dialect }: Way, results: number): readonly Message[] {
  return JSON.parse(
    JSON.stringify(bodyOf(dialect, results).messages).replaceAll('src/module-', 'lib/other-'),
  ) as Message[]
}

const metric = async (gateway: TestGateway): Promise<string | undefined> =>
  /prehend_hidden_lost_total (\d+)/.exec(await (await fetch(`${gateway.url}/metrics`)).text())?.[1]

describe.each(waysToAsk)('what is hidden stays in its own conversation: $name', (way) => {
  const { fixture } = way.dialect
  const user = (text: string): Message => fixture.says(text) as Message

  /** Without the first exchanges. */
  const cutOut = (messages: readonly Message[]): readonly Message[] => {
    const start = messages.findIndex(({ role }) => role === 'user') + 1
    return [...messages.slice(0, start), ...messages.slice(start + 8)]
  }

  it('one that begins alike and says the same gets nothing of it, whatever its calls are named', async () => {
    for (const last of [[says('Done.')], [says('Done.'), reads('call_1')]]) {
      const store = memoryStore()
      const gateway = await testGateway({ store, script: lookingAgain(last, []) })
      const { clock, provider } = gateway
      const { body, messages, message } = await lookedAgain(gateway, way)
      const ending = last.length === 1 ? [message, user('And?')] : [message, answerTo(way, 'call_1', 'the tenth file')]
      const restarted = await testGateway({ store, clock, provider })
      for (const files of [another(way, 2), another(way, 9), bodyOf(way.dialect, 2).messages]) {
        for (const either of [gateway, restarted]) {
          const { sent, lost } = await asks(either, way, { ...body, messages: [...files, ...ending] })
          expect(sent).not.toContain(brought)
          expect(lost).toBeNull()
        }
      }
      for (const either of [gateway, restarted]) {
        const { sent } = await asks(either, way, { ...body, messages: [...messages, ...ending] })
        expect(sent).toContain(brought)
      }
    }
  })

  it('one that parts from it later gets what stood before they parted, and no more', async () => {
    const gateway = await testGateway({ script: lookingAgain([says('Done.')], []) })
    const { body, messages, message } = await lookedAgain(gateway, way)
    const goesOn = [...messages, message, user('And?')]
    await asks(gateway, way, { ...body, messages: goesOn })
    const parted = [...messages.slice(0, -2), user('Leave the ninth.'), message, user('And?')]
    expect((await asks(gateway, way, { ...body, messages: parted })).sent).not.toContain(brought)
    const later = [...goesOn, message, user('Now the other way.'), message, user('So?')]
    expect((await asks(gateway, way, { ...body, messages: later })).sent).toContain(brought)
  })

  it('where the client has cleared or cut out what is long past, ids of calls tell it', async () => {
    const script = lookingAgain([says('Found. '), reads(callId)])
    const gateway = await testGateway({ script })
    const { body, messages, message } = await lookedAgain(gateway, way)
    const turn = [message, answerTo(way, callId, 'the tenth file')]
    const cleared = JSON.parse(JSON.stringify(messages).replace(brought, 'cleared')) as Message[]
    const cut = cutOut(messages)
    for (const before of [cleared, cut]) {
      const { sent, lost } = await asks(gateway, way, { ...body, messages: [...before, ...turn] })
      expect(sent).toContain(brought)
      expect(lost).toBeNull()
    }
    const counted = JSON.parse(JSON.stringify([...cut, ...turn]).replaceAll(callId, 'call_1')) as Message[]
    expect((await asks(gateway, way, { ...body, messages: counted })).sent).not.toContain(brought)
  })

  it.each([true, false])(
    'words after a cut are told by the call before them, where its id is drawn: %s',
    async (isDrawn) => {
      const gateway = await testGateway({ script: lookingAgain([says('Done.')], []) })
      const { body, messages, message } = await lookedAgain(gateway, { ...way, isDrawn })
      const next = [...cutOut(messages), message, user('And?')]
      const { sent, lost } = await asks(gateway, way, { ...body, messages: next })
      // Its step is over, so that it is put back as a line.
      expect(sent.includes('[Tool: rehydrate - ok')).toBe(isDrawn)
      expect(lost).toBe(isDrawn ? null : '1')
    },
  )

  it('a handle of another session is not known; one of the same is, also where it has parted', async () => {
    let asksFor: string | undefined
    const gateway = await testGateway({
      script: () => {
        const handle = asksFor
        asksFor = undefined
        return handle === undefined ? 'done' : { toolCalls: [{ name: 'rehydrate', arguments: { handle } }] }
      },
    })
    const send = (session: string, messages: readonly unknown[]) =>
      asks(gateway, way, { ...bodyOf(way.dialect, 9), messages }, { 'x-session-id': session })
    for (const results of [7, 8]) {
      await send('a', bodyOf(way.dialect, results).messages)
      await gateway.clock.advance(anHourMs)
    }
    const { messages } = bodyOf(way.dialect, 9)
    const handle = handleIn((await send('a', messages)).sent, 1)!
    asksFor = handle
    expect((await send('b', another(way, 3))).sent).toContain('Nothing is kept under the handle')
    asksFor = handle
    expect((await send('b', bodyOf(way.dialect, 1).messages)).sent).toContain('Nothing is kept under the handle')
    asksFor = handle
    expect((await send('a', [...messages.slice(0, -2), user('Leave the ninth.')])).sent).toContain(brought)
  })

  it('one that nobody has named finds by a topic only what was left out of itself', async () => {
    let about: string | undefined
    const gateway = await testGateway({
      script: () => {
        const topic = about
        about = undefined
        return topic === undefined ? 'done' : { toolCalls: [{ name: 'rehydrate', arguments: { about: topic } }] }
      },
    })
    const send = (messages: readonly unknown[], headers: Record<string, string> = {}) =>
      asks(gateway, way, { ...bodyOf(way.dialect, 9), messages }, headers)
    // Two people of one application: the same opening, and other results behind it.
    for (const results of [7, 8, 9]) {
      await send(bodyOf(way.dialect, results).messages)
      await send(another(way, results))
      await gateway.clock.advance(anHourMs)
    }
    const topic = 'src module-1 line'
    about = topic
    const others = (await send(another(way, 9))).sent
    expect(others).not.toContain(brought)
    expect(others).not.toContain('src/module-')
    about = topic
    expect((await send(bodyOf(way.dialect, 9).messages)).sent).toContain('src/module-1')
  })

  it('nor is what a source contributed to one put into the other', async () => {
    const source: Source = {
      id: 'notes',
      collect: async ({ conversation }) =>
        conversation.items.some(({ text }) => text.includes('alpha'))
          ? [{ id: 'alpha', section: 'evidence', kind: 'evidence', text: 'Alpha is secret.' }]
          : [],
    }
    const gateway = await testGateway({ host: { sources: [source] }, script: () => 'Yes.' })
    const { messages, ...body } = bodyOf(way.dialect, 1)
    const alpha = [...messages, { role: 'assistant', content: 'Yes.' }, user('What of alpha?')]
    expect((await asks(gateway, way, { ...body, messages: alpha })).sent).toContain('Alpha is secret.')
    const more = [...alpha, { role: 'assistant', content: 'Yes.' }, user('And?')]
    expect((await asks(gateway, way, { ...body, messages: more })).sent.split('Alpha is secret.')).toHaveLength(2)
    const beta = [...messages, { role: 'assistant', content: 'No.' }, user('What of beta?')]
    expect((await asks(gateway, way, { ...body, messages: beta })).sent).not.toContain('Alpha is secret.')
  })

  it('a reply in the place of one that the client has asked for again is no loss', async () => {
    const gateway = await testGateway({ script: lookingAgain([says('Done.')]) })
    const { body, messages } = await lookedAgain(gateway, way)
    const { message } = await way.dialect.ask(gateway, body, way.stream)
    const { sent, lost } = await asks(gateway, way, { ...body, messages: [...messages, message, user('And?')] })
    expect(sent).not.toContain(brought)
    expect(lost).toBeNull()
    const [receipt] = await gateway.store.read('receipts').list('default', { limit: 1 })
    expect(await gateway.store.read('sessions').lanes('default', receipt!.session)).toHaveLength(1)
  })

  it('what cannot be put back is told in header, receipt, metric and, once, in the log', async () => {
    const gateway = await testGateway({ script: lookingAgain([says('Done.')]) })
    const { body, messages, message } = await lookedAgain(gateway, way)
    expect(JSON.stringify(message)).toContain('Let me look again')
    const changed = [...messages, { role: 'assistant', content: 'It was found.' }, user('And?')] as const
    const { sent, lost } = await asks(gateway, way, { ...body, messages: changed })
    expect(sent).not.toContain(brought)
    expect(lost).toBe('1')
    const later = [...changed, { role: 'assistant', content: 'Well.' }, user('So?')]
    expect((await asks(gateway, way, { ...body, messages: later })).lost).toBe('1')
    expect(await metric(gateway)).toBe('1')
    const told = gateway.log.filter(({ event }) => event === 'hidden-lost')
    expect(told).toEqual([
      { level: 'warn', event: 'hidden-lost', fields: { requestId: expect.any(String), exchanges: 1 } },
    ])
    const { requestId } = gateway.log.findLast(({ event }) => event === 'request')!.fields
    const receipt = await gateway.store.read('receipts').get('default', String(requestId))
    expect(receipt?.result).toMatchObject({ hiddenLost: 1 })
    const kept = [...messages, message, user('And?')]
    expect((await asks(gateway, way, { ...body, messages: kept })).lost).toBeNull()
  })
})
