import { describe, expect, it } from 'vitest'
import type { CompileResult, EpisodeMask, Item, PayloadMarkup } from '../../core/index.ts'
import { compile, input, itemOf } from '../compile-input.fixture.ts'
import { careful } from '../policy/policies.ts'
import { usualEpisodes, windowAt } from './episode-mask.ts'

const episode = (tick: number): Item =>
  itemOf(
    'memory',
    `ep${tick}`,
    `Bought ${tick} "units" & sold <none>.\nThen waited for a long while until the market of ${tick} closed again, as it does.\n${Array.from({ length: 30 }, (_, at) => `detail${at}`).join(' ')}`,
    {
      category: 'episode/trade',
      birthTurn: tick,
      status: tick % 2 === 0 ? 'ok' : 'error',
    },
  )

interface Given {
  readonly markup?: PayloadMarkup
  readonly windowTokens?: number
  readonly episodes?: EpisodeMask
  readonly more?: readonly Item[]
}

function packed(
  count: number,
  { markup = 'xml', windowTokens = 20_000, episodes, more = [] }: Given = {},
): CompileResult {
  const policy = {
    ...careful,
    id: 'remembering',
    relief: 'episodes',
    ...(episodes && { hygiene: { episodes } }),
  } as const
  const items = [...Array.from({ length: count }, (_, at) => episode(at + 1)), ...more]
  return compile(input({ items, policy, markup, budget: { windowTokens } }))
}

const memoryOf = ({ pack }: CompileResult): string =>
  /<memory>\n([\s\S]*)<\/memory>/.exec(pack?.messages.at(-1)?.text ?? '')?.[1] ?? ''

const shown = ({ manifest }: CompileResult) =>
  ['full', 'line', 'omitted'].map((rung) => manifest.decisions.filter((one) => one.rung === rung).length)

describe('episodes', () => {
  it.each([
    [0, [0, 0, 0]],
    [2, [2, 0, 0]],
    [3, [3, 0, 0]],
    [5, [3, 2, 0]],
    [10, [3, 7, 0]],
    [15, [3, 7, 5]],
  ])(
    'V-028, X-01: of %d the newest three stand whole, seven more in a row each, the rest is left out',
    (count, expected) => {
      const result = packed(count)
      expect(shown(result)).toEqual(expected)
      const whole = result.manifest.decisions.flatMap(({ itemId, rung }) => (rung === 'full' ? [itemId] : []))
      expect(whole).toEqual(
        [count - 2, count - 1, count]
          .filter((tick) => tick > 0)
          .map((tick) => `ep${tick}`)
          .slice(-count || undefined),
      )
    },
  )

  it('V-028: stand in tags with tick, type and outcome, all text escaped, and what is left out within reach', () => {
    const memory = memoryOf(packed(5, { episodes: { full: 1, rows: 2 } })).replaceAll(/\d{12}/g, 'HANDLE')
    expect(memory.replaceAll(/detail\d+ ?/g, '')).toMatchInlineSnapshot(`
      "<recent_episodes>
      <episode tick="5" type="trade" outcome="error">Bought 5 &quot;units&quot; &amp; sold &lt;none&gt;.
      Then waited for a long while until the market of 5 closed again, as it does.
      </episode>
      </recent_episodes>
      <older_episodes>
      <episode tick="4" type="trade" outcome="ok" summary="[Memory: unnamed, 91 tokens] rehydrate(&quot;HANDLE&quot;) Bought 4 &quot;units&quot; &amp; sold &lt;none&gt;."/>
      <episode tick="3" type="trade" outcome="error" summary="[Memory: unnamed, 91 tokens] rehydrate(&quot;HANDLE&quot;) Bought 3 &quot;units&quot; &amp; sold &lt;none&gt;."/>
      </older_episodes>
      <line>2 more not shown: rehydrate(&quot;HANDLE&quot;)</line>
      "
    `)
  })

  it('X-01: two whole and five rows stand where a pack is nearly full', () => {
    const items = [
      itemOf('history', 'said', Array.from({ length: 2_500 }, (_, at) => `w${at}`).join(' '), { role: 'user' }),
    ]
    expect(shown(packed(15, { more: items, windowTokens: 5_200 })).slice(1)).toEqual([5, 8])
    expect(shown(packed(15, { more: items, windowTokens: 20_000 })).slice(1)).toEqual([7, 5])
  })

  it('X-01: nearly full is what uses more than 0.8 of its window', () => {
    const usual = { full: 3, rows: 7 }
    expect([0.79, 0.8].map((used) => windowAt(usualEpisodes, used))).toEqual(
      [1, 2].map(() => expect.objectContaining(usual)),
    )
    expect(windowAt(usualEpisodes, 0.81)).toMatchObject({ full: 2, rows: 5 })
  })

  it('have a row each in every markup, with a handle', () => {
    for (const markup of ['headers', 'canonical'] as const) {
      const text =
        packed(15, { markup })
          .pack?.messages.map((one) => one.text)
          .join('') ?? ''
      expect(text.split('[Memory: unnamed, ')).toHaveLength(8)
      expect(text).toMatch(/5 more not shown: rehydrate\("\d{12}"\)/)
    }
  })

  it('never take more than there is, tags included', () => {
    for (let windowTokens = 300; windowTokens < 1_500; windowTokens += 77) {
      const { pack, budget } = packed(15, { windowTokens })
      expect(pack?.tokens ?? 0).toBeLessThanOrEqual(budget.windowTokens - budget.reserveTokens)
    }
  })
})
