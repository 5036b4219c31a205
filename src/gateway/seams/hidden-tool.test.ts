import { afterEach, describe, expect, it } from 'vitest'
import type { AnswerPart, SimulatedRequest, ScriptEntry } from '../../providers/index.ts'
import type { HiddenTool, Source } from '../index.ts'
import {
  anHourMs,
  closeTestGateways,
  handleIn,
  needleOf,
  testGateway,
  unmarkedMessages,
} from '../on-the-wire/test-gateway.fixture.ts'
import { waysToAsk } from './ask.fixture.ts'

const weekdays = ['Sunday', 'Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday']

/** Tells the day of the week of a date. */
const weekdayTool: HiddenTool = {
  definition: {
    name: 'weekday',
    description: 'The day of the week of a date.',
    schema: { type: 'object', properties: { date: { type: 'string' } }, required: ['date'] },
  },
  answer: async (call) => {
    const { date = '' } = JSON.parse(call.arguments) as { date?: string }
    const day = new Date(`${date}T00:00:00Z`)
    if (Number.isNaN(day.getTime())) return { text: `${date} is no date.`, found: false }
    return { text: `It is a ${weekdays[day.getUTCDay()]}.`, found: true }
  },
}

afterEach(closeTestGateways)

const says = (text: string): AnswerPart => ({ type: 'text', text })
const asks = (date: string): AnswerPart => ({ type: 'tool-call', name: 'weekday', arguments: { date } })
const reads: AnswerPart = { type: 'tool-call', name: 'read', arguments: { path: 'f' } }
const host = { hiddenTools: [weekdayTool] }

describe.each(waysToAsk)('a second hidden tool: $name', ({ dialect, stream }) => {
  const { fixture, ask } = dialect

  it('is answered here, the client sees nothing of it, and it stays in the conversation', async () => {
    const script: ScriptEntry[] = [
      { parts: [says('Let me see. '), asks('2026-11-21')] },
      'A Saturday.',
      { parts: [asks('someday'), reads] },
      'Done.',
    ]
    const gateway = await testGateway({ host, script })
    const body = fixture.body(1)
    const first = await ask(gateway, body, stream)
    expect(first).toMatchObject({ text: 'Let me see. A Saturday.', calls: [] })
    const next = { ...body, messages: [...body.messages, first.message, fixture.says('And someday?')] }
    const second = await ask(gateway, next, stream)
    expect(second.calls).toEqual([{ path: 'f' }])
    const [asked, answered, later] = gateway.provider.requests
    expect(asked!.body).toContain('"weekday"')
    expect(answered!.body).toContain('It is a Saturday.')
    const sent = unmarkedMessages(answered!.body)
    expect(unmarkedMessages(later!.body).slice(0, sent.length)).toEqual(sent)
  })

  it('is offered, too, where nothing may be brought back', async () => {
    const gateway = await testGateway({ host, script: [{ parts: [asks('2026-11-21')] }, 'A Saturday.'] })
    const { text, calls } = await ask(gateway, { ...fixture.body(1), prehend: { rehydrate: false } }, stream)
    expect([text, calls]).toEqual(['A Saturday.', []])
    for (const { body } of gateway.provider.requests) {
      expect(body).toContain('"weekday"')
      expect(body).not.toContain('"rehydrate"')
    }
  })

  it('and the first one go together, and with what a source contributes', async () => {
    const facts: Source = {
      id: 'facts',
      collect: async () => [{ id: 'fact', section: 'evidence', kind: 'evidence', text: 'The launch is on 4 May.' }],
    }
    const script = ({ body }: SimulatedRequest, turn: number): ScriptEntry => {
      if (turn !== 2) return 'done'
      const handle = handleIn(body, 1) ?? ''
      return { parts: [asks('2026-05-04'), { type: 'tool-call', name: 'rehydrate', arguments: { handle } }] }
    }
    const gateway = await testGateway({ host: { ...host, sources: [facts] }, script })
    for (const results of [7, 8]) {
      await ask(gateway, fixture.body(results), stream)
      await gateway.clock.advance(anHourMs)
    }
    const { message, calls } = await ask(gateway, fixture.body(9), stream)
    expect(calls).toEqual([])
    const [asked, answered] = gateway.provider.requests.slice(2)
    const sent = unmarkedMessages(answered!.body)
    expect(sent.slice(0, unmarkedMessages(asked!.body).length)).toEqual(unmarkedMessages(asked!.body))
    expect(JSON.stringify(sent)).toContain(needleOf(1))
    expect(JSON.stringify(sent)).toContain('It is a Monday.')
    const body = fixture.body(9)
    await ask(gateway, { ...body, messages: [...body.messages, message, fixture.says('And now?')] }, stream)
    const later = unmarkedMessages(gateway.provider.requests.at(-1)!.body)
    for (const [index, each] of sent.entries()) {
      if (/weekday|Monday|4 May/.test(JSON.stringify(each))) expect(later[index]).toEqual(each)
    }
    expect(JSON.stringify(later).match(/4 May|It is a Monday/g)).toHaveLength(2)
  })
})
