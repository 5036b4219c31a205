import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Item, Policy, Pressure } from '../../core/index.ts'
import { sha256, wordTokenizer, words } from '../compile-input.fixture.ts'
import { ladderFor } from '../../ladders/index.ts'
import { balanced, careful } from '../policy/policies.ts'
import { conversationPlanner } from './index.ts'
import type { ConversationPlan } from './index.ts'
import type { ConversationInput } from './plan-context.ts'
import { uncompacted } from './uncompacted.fixture.ts'

const limitTokens = 10_000
const { prepare, compress, evict } = careful.pressure
/** Begins no epoch to save money, and compacts nothing. */
const shortening = uncompacted(careful)
const policy = { ...shortening, epochs: { ...shortening.epochs, reserveCalls: 1e9 } }
const prices = { read: 0.1, write: 1, minTokens: 0, ttlMs: 300_000 }

const said = (id: string, role: 'user' | 'assistant', tokens: number): Item => ({
  id,
  section: 'history',
  kind: 'text',
  role,
  text: words(tokens, id),
})

const result = (id: string, tokens: number): readonly Item[] => [
  { id: `c${id}`, section: 'history', kind: 'tool-call', role: 'assistant', text: '{}', toolCallId: id },
  {
    id,
    section: 'history',
    kind: 'tool-result',
    role: 'tool',
    text: Array.from({ length: tokens / 10 }, (_, line) => words(10, `${id}line${line}x`)).join('\n'),
    toolCallId: id,
  },
]

/** Results of 900 tokens each, up to `tokens`. */
const results = (tokens: number): readonly Item[] =>
  Array.from({ length: Math.floor(tokens / 900) }, (_, index) => result(`r${index}`, 900)).flat()

function plan(
  items: readonly Item[],
  changes: Partial<ConversationInput> = {},
  within = limitTokens,
): ConversationPlan {
  const itemTokens = (_: Item, text: string): number => wordTokenizer.count(text)
  return conversationPlanner({ ladders: ladderFor, itemTokens, hash: sha256 })({
    items,
    tokens: items.map(({ text }) => wordTokenizer.count(text)),
    overheadTokens: 0,
    policy,
    prices,
    handleKey: 'key',
    rehydration: true,
    ...changes,
  }).plan({ limitTokens: within })
}

const total = ({ renditions }: ConversationPlan): number => renditions.reduce((sum, { tokens }) => sum + tokens, 0)

const textsOf = ({ renditions }: ConversationPlan): readonly string[] => renditions.map(({ text }) => text)

describe('the newest result', () => {
  const large = result('x', 12_000)
  const ask = said('ask', 'user', 300)

  it('gives way rather than that nothing is sent, once the model has read it', () => {
    const fitted = plan([...results(1_800), ...large, said('answer', 'assistant', 30), ask])
    expect(fitted.over).toEqual([])
    expect(total(fitted)).toBeLessThanOrEqual(limitTokens)
    expect(fitted.renditions[5]?.rung).toBe('trimmed')
  })

  it('is shown by head and tail before the model has read it only where it does not fit, and says so', () => {
    const items = [said('task', 'user', 50), ...results(1_800), ...large]
    const fitted = plan(items)
    expect(fitted.fits).toBe(true)
    expect(total(fitted)).toBeLessThanOrEqual(limitTokens)
    const shown = fitted.renditions.at(-1)!
    expect([shown.rung, fitted.reasons.at(-1)]).toEqual(['trimmed', 'window-full'])
    const lines = large[1]!.text.split('\n')
    expect(shown.text.startsWith(lines.slice(0, 20).join('\n'))).toBe(true)
    expect(shown.text.endsWith(lines.slice(-20).join('\n'))).toBe(true)
    expect(shown.text).toMatch(/^\[lines \d+-\d+ folded: rehydrate\("\d{12}", "\d+-\d+"\)\]$/m)
    // What stood before has nothing to do with it.
    expect(fitted.renditions.slice(0, -1).every(({ rung }) => rung === 'full')).toBe(true)
    expect(plan(items, {}, 20_000).renditions.at(-1)?.rung).toBe('full')
  })

  it('shows the failures in it, however far from both ends', () => {
    const lines = large[1]!.text.split('\n')
    const text = lines.with(600, 'Error: connection refused by db-7').join('\n')
    const shown = plan([said('task', 'user', 50), large[0]!, { ...large[1]!, text }], {}, 2_000).renditions.at(-1)!
    expect(shown.text).toContain('Error: connection refused by db-7')
    expect(shown.tokens).toBeLessThan(2_000)
  })

  it('shares the room where several have come at once, the largest giving way first', () => {
    const parallel = [3_000, 9_000, 600].map((tokens, at) => result(`p${at}`, tokens))
    const items = [said('task', 'user', 50), ...parallel.map(([call]) => call!), ...parallel.map(([, back]) => back!)]
    const { renditions, fits } = plan(items)
    expect(fits).toBe(true)
    expect(renditions.slice(-3).map(({ rung }) => rung)).toEqual(['full', 'trimmed', 'full'])
  })

  it('stays where old turns make room enough', () => {
    const turns = Array.from({ length: 8 }, (_, at) => said(`old${at}`, at % 2 === 0 ? 'user' : 'assistant', 900))
    const newest = result('y', 4_000)
    const spared = plan([...turns, ...newest, said('answer', 'assistant', 30), ask])
    expect(spared.renditions[9]?.rung).toBe('full')
    expect(spared.renditions.slice(0, 8).some(({ rung }) => rung !== 'full')).toBe(true)
  })
})

describe('a result that a later one repeats word for word', () => {
  // Of one line, so that nothing refers to its lines.
  const twice = result('x', 10).map((item) =>
    item.kind === 'tool-result' ? { ...item, text: words(2_000, 'x') } : item,
  )
  const again = result('y', 10).map((item, at) => ({ ...item, text: twice[at]?.text ?? '' }))
  const around = (middle: readonly Item[]): readonly Item[] => [
    ...results(2_700),
    ...twice,
    ...middle,
    said('ask', 'user', 300),
  ]

  it('gives way before anything that stands once, however new it is', () => {
    const items = around([...again, ...result('z', 2_000)])
    const { renditions } = plan(items)
    const shortened = items.filter((_, index) => renditions[index]?.rung !== 'full').map(({ id }) => id)
    expect(shortened).toEqual(['x'])
  })

  it('stays where nothing repeats it, and where both came just now', () => {
    const once = around([...result('y', 2_000), ...result('z', 2_000)])
    expect(plan(once).renditions[once.findIndex(({ id }) => id === 'x')]?.rung).toBe('full')
    const [call, shown] = again
    const [first, whole] = twice
    const together = [...results(2_700), first, call, whole, shown].filter((item) => item !== undefined)
    expect(plan([...together, ...results(900)]).renditions).toHaveLength(together.length + 2)
    const unread = plan(together, {}, 8_000)
    expect(unread.renditions[together.findIndex(({ id }) => id === 'x')]?.rung).toBe('full')
  })
})

describe('a window that fills up', () => {
  it('X-07: is left alone below the pressure at which compression starts', () => {
    const items = [...results(8_100), said('ask', 'user', 300)]
    const held = plan(items)
    expect(total(held)).toBeLessThanOrEqual(compress * limitTokens)
    expect(held.renditions.every(({ rung }) => rung === 'full')).toBe(true)
  })

  it('X-07: above it, is brought back into the band and no further, so that the next requests change nothing', () => {
    const items = [...results(9_000), said('ask', 'user', 300)]
    const relieved = plan(items)
    expect(total(relieved)).toBeLessThanOrEqual(compress * limitTokens)
    expect(total(relieved)).toBeGreaterThanOrEqual(prepare * limitTokens)
    expect(relieved.epoch).toMatchObject({ decision: 'begin', cause: 'pressure' })
    const next = plan([...items, said('answer', 'assistant', 100), said('more', 'user', 50)], {
      ledger: relieved.ledger,
    })
    expect(next.epoch.decision).toBe('hold')
    expect(textsOf(next).slice(0, items.length)).toEqual(textsOf(relieved))
  })

  describe('X-07: while a provider has it cached', () => {
    /** Requests of a session of steps of 330 tokens, half a minute apart. */
    const session = (pressure: Pressure, steps: number, minutesBetween = 0.5): readonly ConversationPlan[] => {
      const plans: ConversationPlan[] = []
      for (let step = 1; step <= steps; step += 1) {
        const items = Array.from({ length: step }, (_, index) => result(`r${index}`, 330)).flat()
        const ledger = plans.at(-1)?.ledger
        const nowMs = step * minutesBetween * 60_000
        plans.push(plan([said('ask', 'user', 100), ...items], { policy: { ...policy, pressure }, ledger, nowMs }))
      }
      return plans
    }
    const breaks = (plans: readonly ConversationPlan[]): readonly number[] =>
      plans.flatMap(({ epoch }, index) => (epoch.cause === 'pressure' ? [index] : []))

    it('nothing is broken below the pressure of eviction, and then room is made for as many turns as the policy says', () => {
      const plans = session({ prepare, compress, evict, roomTurns: 10, lowest: 0.6 }, 60)
      const broken = breaks(plans)
      expect(broken.length).toBeGreaterThan(1)
      for (const [place, index] of broken.entries()) {
        expect(total(plans[index - 1]!) + 332).toBeGreaterThan(evict * limitTokens)
        expect(index - (broken[place - 1] ?? Number.NEGATIVE_INFINITY)).toBeGreaterThanOrEqual(10)
      }
      for (const each of plans) expect(total(each)).toBeLessThanOrEqual(evict * limitTokens)
    })

    it('goes no lower than the policy allows', () => {
      const low = Math.min(
        ...session({ prepare, compress, evict, roomTurns: 1_000, lowest: 0.7 }, 60).slice(30).map(total),
      )
      expect(low).toBeGreaterThanOrEqual(0.7 * limitTokens)
      expect(low).toBeLessThan(0.76 * limitTokens)
    })

    it('without either figure it stays at the pressure at which compression is prepared, and breaks more often', () => {
      const narrow = session({ prepare, compress, evict }, 60)
      expect(Math.min(...narrow.slice(30).map(total))).toBeGreaterThanOrEqual(prepare * limitTokens)
      expect(breaks(narrow).length).toBeGreaterThan(breaks(session(careful.pressure, 60)).length)
    })

    it('once it has gone cold, nothing is lost by shortening at once', () => {
      const warm = session(policy.pressure, 27)
      expect(total(warm.at(-1)!)).toBeGreaterThan(compress * limitTokens)
      const items = Array.from({ length: 27 }, (_, index) => result(`r${index}`, 330)).flat()
      const cold = plan([said('ask', 'user', 100), ...items, said('more', 'user', 10)], {
        ledger: warm.at(-1)!.ledger,
        nowMs: 3_600_000,
      })
      expect(total(cold)).toBeLessThanOrEqual(compress * limitTokens)
    })
  })

  it.each([2, 3, 4])('X-07: of %i large results, one is shortened where one will do', (count) => {
    const large = Math.floor((0.87 * limitTokens) / count / 10) * 10
    const items = Array.from({ length: count }, (_, index) => result(`r${index}`, large)).flat()
    const relieved = plan(items)
    expect(total(relieved)).toBeGreaterThanOrEqual(prepare * limitTokens)
    expect(total(relieved)).toBeLessThanOrEqual(compress * limitTokens)
    expect(relieved.renditions.map(({ rung }) => rung).filter((rung) => rung !== 'full')).toEqual(['trimmed'])
    expect(relieved.renditions[1]?.rung).toBe('trimmed')
  })

  it('X-07: shortens old turns only where the window is nearly full of them, oldest first, and makes room', () => {
    const turns = (count: number) =>
      Array.from({ length: count }, (_, index) => said(`t${index}`, index % 2 === 0 ? 'user' : 'assistant', 600))
    const full = plan([...turns(15), said('ask', 'user', 100)])
    expect(total(full)).toBeLessThanOrEqual(evict * limitTokens)
    expect(full.renditions.every(({ rung }) => rung === 'full')).toBe(true)
    const over = plan([...turns(16), said('ask', 'user', 100)])
    const [task, ...shortened] = over.renditions.map(({ rung }) => rung !== 'full')
    expect(total(over)).toBeLessThanOrEqual(compress * limitTokens)
    // The first message says what the task is.
    expect(task).toBe(false)
    const newest = shortened.lastIndexOf(true)
    // What the model said goes before what the user said.
    expect(shortened.slice(0, newest + 1)).toEqual(Array.from({ length: newest + 1 }, (_, at) => at % 2 === 0))
    expect(shortened.slice(-4)).toEqual([false, false, false, false])
    expect(over.reasons[1]).toBe('pressure')
  })

  describe('where handles cannot be followed', () => {
    const items = [said('task', 'user', 100), ...results(10_800), said('ask', 'user', 300)]
    const unhandled = { rehydration: false }

    it('nothing is hidden that fits', () => {
      const { renditions, fits } = plan(items, unhandled, 12_000)
      expect(renditions.every(({ rung }) => rung === 'full' || rung === 'lossless')).toBe(true)
      expect(fits).toBe(true)
    })

    it('what does not fit is shown by head and tail, says what it leaves out, and names no handle', () => {
      const held = plan(items, unhandled)
      expect(held.fits).toBe(true)
      const shortened = held.renditions.filter(({ rung }) => rung !== 'full')
      expect(shortened.length).toBeGreaterThan(0)
      for (const { text, handle, unhandled: isOpen } of shortened) {
        expect(text).toMatch(/^\[(?:lines \d+-\d+ left out|Tool: )/m)
        expect(text).not.toMatch(/rehydrate|\d{12}/)
        expect([isOpen, handle?.length]).toEqual([true, 12])
      }
      expect(held.offers).toBe(false)
    })

    it('what was shown so stands while that is so, and is shown with its handle as soon as the tool can be offered', () => {
      const first = plan(items, unhandled)
      const more = [...items, said('answer', 'assistant', 20), said('next', 'user', 10)]
      const second = plan(more, { ...unhandled, ledger: first.ledger })
      expect(textsOf(second).slice(0, items.length)).toEqual(textsOf(first))
      const third = plan(more, { ledger: second.ledger })
      expect(third.fits).toBe(true)
      expect(third.renditions.some(({ unhandled: isOpen }) => isOpen)).toBe(false)
      expect(textsOf(third).join('\n')).toContain('rehydrate("')
    })
  })

  describe('that is smaller than what a session has come to', () => {
    const step = fc.record({ isResult: fc.boolean(), tokens: fc.integer({ min: 1, max: 12 }) })
    const conversation = fc
      .array(step, { minLength: 1, maxLength: 90, size: 'max' })
      .map((steps) => [
        said('first', 'user', 30),
        ...steps.flatMap(({ isResult, tokens }, index) =>
          isResult ? result(`r${index}`, tokens * 10) : [said(`t${index}`, 'assistant', tokens * 10)],
        ),
      ])
    const ends = fc.constantFrom<(items: readonly Item[]) => readonly Item[]>(
      (items) => [...items, ...result('x', 100)],
      (items) => [...items, said('ask', 'user', 20)],
      (items) => [...items, ...result('x', 2_000)],
      (items) => [...items, said('ask', 'user', 20), ...result('x', 2_000)],
    )

    it('every request fits, in the same bytes, with and without handles', () => {
      const seen = { forced: 0, unread: 0, steps: 0 }
      fc.assert(
        fc.property(
          conversation,
          ends,
          fc.integer({ min: 400, max: 2_000 }),
          fc.record({ handled: fc.boolean(), by: fc.constantFrom<Policy>(policy, balanced) }),
          (steps, end, most, { handled, by }) => {
            const items = end(steps)
            const changes = { rehydration: handled, policy: by }
            const first = plan(items, changes, most)
            expect(total(first)).toBeLessThanOrEqual(most)
            expect(first.fits).toBe(true)
            expect(textsOf(plan(items, changes, most))).toEqual(textsOf(first))
            const more = [...items, said('answer', 'assistant', 20), ...result('more', 200)]
            const next = plan(more, { ...changes, ledger: first.ledger }, most)
            expect(total(next)).toBeLessThanOrEqual(most)
            if (!handled) expect(textsOf(next).join('\n')).not.toContain('rehydrate(')
            const calls = (shown: ConversationPlan, of: readonly Item[]): number =>
              of.filter(({ kind }, at) => kind === 'tool-call' && shown.renditions[at]?.rung !== 'omitted').length
            const returns = next.renditions.filter(
              ({ rung }, at) => more[at]?.kind === 'tool-result' && rung !== 'omitted',
            )
            expect(returns).toHaveLength(calls(next, more))
            seen.forced += first.reasons.includes('pressure') ? 1 : 0
            seen.unread += first.reasons.includes('window-full') ? 1 : 0
            seen.steps += first.renditions.some(({ rung }) => rung === 'omitted') ? 1 : 0
          },
        ),
        { numRuns: 40 },
      )
      for (const count of Object.values(seen)) expect(count).toBeGreaterThan(2)
    })

    it('words of the model are left out, oldest first, where nothing else fits', () => {
      const talk = Array.from({ length: 12 }, (_, at) => said(`t${at}`, 'assistant', 30))
      const items = [said('task', 'user', 30), ...talk, said('ask', 'user', 20)]
      const { renditions, fits } = plan(items, { rehydration: false }, 250)
      const gone = renditions.map(({ rung }) => rung === 'omitted')
      expect(fits).toBe(true)
      expect(gone.lastIndexOf(true)).toBe(gone.filter(Boolean).length)
      expect([gone[0], gone[1], gone.at(-2), gone.at(-1)]).toEqual([false, true, false, false])
    })

    it('twice the window never shows less of the newest result', () => {
      fc.assert(
        fc.property(conversation, fc.integer({ min: 600, max: 2_000 }), (steps, most) => {
          const items = [...steps, ...result('x', 2_000)]
          const shownIn = (within: number): number => plan(items, {}, within).renditions.at(-1)!.tokens
          expect(shownIn(2 * most)).toBeGreaterThanOrEqual(shownIn(most))
        }),
        { numRuns: 20 },
      )
    })

    it('A-053: relief ends where nothing may go, and says how much is too much', () => {
      const pinned = [{ ...said('task', 'user', 800), pin: true }, ...results(2_700), said('ask', 'user', 400)]
      const held = plan(pinned, {}, 1_000)
      expect([held.fits, held.over]).toEqual([false, ['window']])
      expect(total(held)).toBeGreaterThan(1_000)
    })

    it('B-61: never shows more than all of it', () => {
      fc.assert(
        fc.property(conversation, fc.integer({ min: 500, max: 9_000 }), (steps, most) => {
          expect(total(plan(steps, {}, most))).toBeLessThanOrEqual(total(plan(steps, {}, 1e9)))
        }),
        { numRuns: 20 },
      )
    })
  })
})
