import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Item, Pressure } from '../../core/index.ts'
import { sha256, wordTokenizer, words } from '../compile-input.fixture.ts'
import { ladderFor } from '../../ladders/index.ts'
import { careful } from '../policies.ts'
import { conversationPlanner } from './index.ts'
import type { ConversationPlan } from './index.ts'
import type { ConversationInput } from './plan-context.ts'

const limitTokens = 10_000
const { prepare, compress, evict } = careful.pressure
/** Never begins an epoch to save money. */
const policy = { ...careful, epochs: { ...careful.epochs, reserveCalls: 1e9 } }
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

  it('stays as it came until then, and where old turns make room enough', () => {
    expect(plan([...results(1_800), ...large]).renditions[5]?.rung).toBe('full')
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
        expect(total(plans[index - 1]!) + 331).toBeGreaterThan(evict * limitTokens)
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
    const shortened = over.renditions.map(({ rung }) => rung !== 'full')
    expect(total(over)).toBeLessThanOrEqual(compress * limitTokens)
    expect(shortened.lastIndexOf(true)).toBe(shortened.filter(Boolean).length - 1)
    expect(shortened.slice(-4)).toEqual([false, false, false, false])
    expect(over.reasons[0]).toBe('pressure')
  })

  it('where handles cannot be followed nothing is hidden, and too much is said to be too much', () => {
    const items = [...results(10_800), said('ask', 'user', 300)]
    const held = plan(items, { rehydration: false })
    expect(held.renditions.every(({ rung }) => rung === 'full' || rung === 'lossless')).toBe(true)
    expect(held.fits).toBe(false)
  })

  it('B-61, A-053: relief goes on while there is too much, ends, and touches old turns only after every result that may go', () => {
    const step = fc.record({ isResult: fc.boolean(), tokens: fc.integer({ min: 1, max: 40 }) })
    const seen = { fits: 0, refused: 0, turns: 0 }
    fc.assert(
      fc.property(
        fc.array(step, { minLength: 1, maxLength: 30 }),
        fc.integer({ min: 200, max: 9_000 }),
        (steps, limit) => {
          const items = steps.flatMap(({ isResult, tokens }, index) =>
            isResult ? result(`r${index}`, Math.max(15, tokens) * 10) : [said(`t${index}`, 'assistant', tokens * 10)],
          )
          const all = [said('first', 'user', 30), ...items, said('ask', 'user', 20), said('now', 'assistant', 20)]
          const relieved = plan(all, {}, limit)
          const full = plan(all, {}, 1e9)
          expect(total(relieved)).toBeLessThanOrEqual(total(full))
          expect(relieved.fits).toBe(total(relieved) <= limit)
          const shortened = all.filter((_, index) => relieved.renditions[index]?.rung !== 'full')
          const turns = shortened.filter(({ kind }) => kind === 'text')
          const whole = all.filter(
            ({ kind, text }, index) =>
              kind === 'tool-result' && text.includes('\n') && relieved.renditions[index]?.rung === 'full',
          )
          // The newest result always stays.
          if (turns.length > 0) expect(whole.length).toBeLessThanOrEqual(1)
          seen.fits += relieved.fits ? 1 : 0
          seen.refused += relieved.fits ? 0 : 1
          seen.turns += turns.length > 0 ? 1 : 0
        },
      ),
      { numRuns: 200 },
    )
    for (const count of Object.values(seen)) expect(count).toBeGreaterThan(10)
  })
})
