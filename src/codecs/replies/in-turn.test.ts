import { describe, expect, it } from 'vitest'
import type { ReplyEvent } from '../../core/index.ts'
import { inTurn, nothingOpen } from './in-turn.ts'

const call = (number: number): ReplyEvent => ({ kind: 'call', call: number, id: `c${number}`, name: 'read' })
const piece = (number: number, text: string): ReplyEvent => ({ kind: 'arguments', call: number, text })
const nothing = (number: number): ReplyEvent => piece(number, '{}')
const over = (number: number): ReplyEvent => ({ kind: 'call-end', call: number })
const text = (said: string): ReplyEvent => ({ kind: 'text', text: said })
const end: ReplyEvent = { kind: 'end', reason: 'tool-calls' }

function oneByOne(events: readonly ReplyEvent[]): readonly ReplyEvent[] {
  let state = nothingOpen
  return events.flatMap((event) => {
    const step = inTurn(state, [event])
    state = step.state
    return step.events
  })
}

describe('inTurn', () => {
  it('lets through at once what comes in turn', () => {
    const told = [
      text('a'),
      call(0),
      piece(0, '{'),
      piece(0, '}'),
      over(0),
      text('b'),
      call(1),
      piece(1, '{}'),
      over(1),
      end,
    ]
    let state = nothingOpen
    for (const event of told) {
      const step = inTurn(state, [event])
      state = step.state
      expect(step.events).toEqual([event])
    }
  })

  it('sorts parallel calls whose pieces come mixed, and closes what nobody has closed', () => {
    const mixed = [call(0), piece(0, 'a'), call(1), piece(1, 'x'), piece(0, 'b'), text('words'), piece(1, 'y'), end]
    expect(oneByOne(mixed)).toEqual([
      call(0),
      piece(0, 'a'),
      piece(0, 'b'),
      over(0),
      call(1),
      piece(1, 'x'),
      piece(1, 'y'),
      over(1),
      text('words'),
      end,
    ])
  })

  it('goes on with what has waited as soon as a call is over', () => {
    const state = inTurn(nothingOpen, [call(0), call(1), piece(1, 'x'), over(1)]).state
    expect(inTurn(state, [over(0)]).events).toEqual([nothing(0), over(0), call(1), piece(1, 'x'), over(1)])
  })

  it('a call without arguments has an empty object, unless it takes a text or was cut off', () => {
    expect(oneByOne([call(0), call(1), end])).toEqual([call(0), nothing(0), over(0), call(1), nothing(1), over(1), end])
    const patch: ReplyEvent = { kind: 'call', call: 0, id: 'c0', name: 'patch', isText: true }
    expect(oneByOne([patch, over(0), end])).toEqual([patch, over(0), end])
    const cut: ReplyEvent = { kind: 'end', reason: 'length' }
    expect(oneByOne([call(0), cut])).toEqual([call(0), over(0), cut])
  })

  it('tells nothing of a call that never began, or is over', () => {
    expect(oneByOne([over(3), piece(3, 'x'), end])).toEqual([end])
    expect(oneByOne([call(0), over(0), piece(0, 'late'), over(0), end])).toEqual([call(0), nothing(0), over(0), end])
  })
})
