import { describe, expect, it } from 'vitest'
import type { WireExchange, Item, ItemKind, Pack, Role } from '../../core/index.ts'
import { shippedCatalogue } from '../../tokens/index.ts'
import { promptCacheKey } from './cache-key.ts'
import type { BreakpointInput } from './plan-breakpoints.ts'
import { planBreakpoints } from './plan-breakpoints.ts'

const claude = shippedCatalogue.info('claude-opus-5')
const hourMs = 3_600_000

type Block = readonly [id: string, kind: ItemKind, role: Role, tokens?: number, changed?: boolean]

const opening: readonly Block[] = [
  ['t0', 'tool-schema', 'system', 800],
  ['s0', 'instruction', 'system', 800],
  ['m0', 'text', 'user', 100],
]
const step = (index: number, results = 1): readonly Block[] => [
  [`m${index}.b0`, 'tool-call', 'assistant', 20],
  ...Array.from({ length: results }, (_, at): Block => [`m${index + 1}.b${at}`, 'tool-result', 'tool', 300]),
]

function inputOf(
  blocks: readonly Block[],
  rest: Partial<BreakpointInput> & { markers?: WireExchange['wire']['markers'] } = {},
) {
  const items = blocks.map(([id, kind, role]): Item => ({
    id,
    kind,
    role,
    section: 'history',
    text: kind === 'media' ? '' : 'x',
  }))
  const entries = blocks.map(([itemId, kind, , tokens = 100, changed = false]) => {
    const text = kind === 'media' ? '' : changed ? 'short' : 'x'
    return { itemId, section: 'history', rung: 'full' as const, text, tokens }
  })
  const pack: Pack = { layout: 'messages', entries, messages: [], breakpoints: [], tokens: 0, hash: '' }
  const exchange = {
    wire: { dialect: 'anthropic-messages', markers: rest.markers ?? [] },
    conversation: { items },
  } as unknown as WireExchange
  return { exchange, pack, info: claude, ...rest }
}

const ids = (input: BreakpointInput): readonly string[] => planBreakpoints(input).map(({ itemId }) => itemId)

describe('breakpoints for Anthropic', () => {
  it('C-008: stand after the tools, the system prompt, what came before, and the end', () => {
    const turn = [...opening, ...step(1), ...step(3)]
    expect(ids(inputOf(turn))).toEqual(['s0', 'm1.b0', 'm2.b0', 'm4.b0'])
    expect(ids(inputOf(opening))).toEqual(['t0', 's0', 'm0'])
  })

  it("stand behind a caller's own, in places left over", () => {
    const ttlMs = 300_000
    const turn = [...opening, ...step(1), ...step(3)]
    const behind = (...own: string[]) => ids(inputOf(turn, { markers: own.map((itemId) => ({ itemId, ttlMs })) }))
    expect(behind('s0')).toEqual(['m1.b0', 'm2.b0', 'm4.b0'])
    expect(behind('t0', 's0', 'm0')).toEqual(['m4.b0'])
    expect(behind('m4.b0')).toEqual([])
    expect(behind('t0', 's0', 'm0', 'm2.b0')).toEqual([])
  })

  it('are none in a pack that was laid out from sections', () => {
    const input = inputOf(opening)
    expect(ids({ ...input, pack: { ...input.pack, layout: 'payload' } })).toEqual([])
  })

  it('stand only where the prefix is long enough to be cached', () => {
    const info = { ...claude, cache: { ...claude.cache, minTokens: 1700 } }
    expect(ids(inputOf(opening, { info }))).toEqual(['m0'])
    expect(ids(inputOf(opening, { info: { ...claude, cache: { ...claude.cache, minTokens: 1701 } } }))).toEqual([])
  })

  it('never stand on thinking, unknown blocks or empty texts', () => {
    const blocks: readonly Block[] = [
      ...opening,
      ['m1.b0', 'text', 'assistant'],
      ['m1.b1', 'reasoning', 'assistant'],
      ['m2.b0', 'opaque', 'user'],
    ]
    expect(ids(inputOf(blocks)).at(-1)).toBe('m1.b0')
    expect(ids(inputOf([...blocks, ['m2.b1', 'media', 'user']])).at(-1)).toBe('m2.b1')
  })

  it('repeat the end of the request before, however much a turn added', () => {
    const before = planBreakpoints(inputOf([...opening, ...step(1)]))
    const now = inputOf([...opening, ...step(1), ...step(3, 40), ...step(5, 40)], { previous: before })
    expect(ids(now)).toContain('m2.b0')
    expect(ids(now)).not.toContain('m4.b39')
  })

  it('repeat the last place that is unchanged when an epoch has thinned what followed it', () => {
    const before = planBreakpoints(inputOf([...opening, ...step(1), ...step(3)]))
    const thinned: readonly Block[] = [
      ...opening,
      ['m1.b0', 'tool-call', 'assistant', 20],
      ['m2.b0', 'tool-result', 'tool', 10, true],
      ...step(3),
      ...step(5),
    ]
    expect(ids(inputOf(thinned, { previous: before }))).toEqual(['s0', 'm1.b0', 'm3.b0', 'm6.b0'])
  })

  it('fill places left over with steps within the lookback', () => {
    const user = Array.from({ length: 60 }, (_, at): Block => [`m0.b${at}`, 'text', 'user', 400])
    expect(ids(inputOf(user))).toEqual(['m0.b2', 'm0.b21', 'm0.b40', 'm0.b59'])
  })

  it('keep what sessions share for longer, and never put a longer lifetime after a shorter one', () => {
    const turn = inputOf([...opening, ...step(1), ...step(3)], { sharedTtlMs: hourMs })
    const planned = planBreakpoints(turn)
    const shared = planned.filter(({ itemId }) => !itemId.startsWith('m')).map(({ ttlMs }) => ttlMs)
    expect(shared.length).toBeGreaterThan(0)
    expect(new Set(shared)).toEqual(new Set([hourMs]))
    expect(planned.slice(shared.length).map(({ ttlMs }) => ttlMs)).toEqual(
      planned.slice(shared.length).map(() => 300_000),
    )
  })
})

describe('breakpoints for others', () => {
  it('OpenAI from GPT-5.6 on marks the latest message itself; ours stand where an epoch leaves things alone', () => {
    const info = shippedCatalogue.info('gpt-5.6-sol')
    const thinned: readonly Block[] = [
      ...opening,
      ['m1.b0', 'tool-call', 'assistant', 20],
      ['m2.b0', 'tool-result', 'tool', 10, true],
      ...step(3),
    ]
    expect(ids(inputOf(thinned, { info }))).toEqual(['s0', 'm2.b0'])
    expect(ids(inputOf(opening, { info }))).toEqual(['s0'])
  })

  it.each(['gpt-5.1', 'gpt-4o', 'deepseek-v4-pro', 'gemini-3.5-flash'])('%s takes none', (model) => {
    expect(ids(inputOf([...opening, ...step(1)], { info: shippedCatalogue.info(model) }))).toEqual([])
  })

  it('a cache key is the same for a session, different for others, and says nothing of either', () => {
    expect(promptCacheKey('a', 'b')).toBe(promptCacheKey('a', 'b'))
    expect(promptCacheKey('a', 'b')).not.toBe(promptCacheKey('ab', ''))
    expect(promptCacheKey('tenant-one', 'session-one')).toMatch(/^prehend-[0-9a-f]{32}$/)
  })
})
