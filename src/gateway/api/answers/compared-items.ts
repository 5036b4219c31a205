import type { z } from 'zod'
import type { Item, PackEntry } from '../../../core/index.ts'
import { itemNames } from '../../../inspect/index.ts'
import type { PackedAgain, RecordedCompile } from '../../../inspect/index.ts'
import type { Answered } from '../route.ts'
import type { packComparison } from '../schemas/comparison.ts'

type Compared = Answered<z.output<typeof packComparison>>['items'][number]
type Shown = Compared['shown'][number]

/** One way of sending a request: as what it shows an item. */
type Side = (item: Item) => Shown & { readonly section: string }

/** Each item of a request as two ways of packing it show it: what they show otherwise first, both in the request's order. */
export function comparedItems(
  { input, manifest }: RecordedCompile,
  one: PackedAgain,
  other: PackedAgain,
): readonly Compared[] {
  const tokens = new Map(manifest.decisions.map(({ itemId, originalTokens }) => [itemId, originalTokens]))
  const sides = [sideOf(one, tokens), sideOf(other, tokens)] as const
  const names = itemNames(input.items)
  const items = input.items.map((item): Compared => {
    const [{ section, ...first }, { section: _, ...second }] = [sides[0](item), sides[1](item)]
    return {
      itemId: item.id,
      name: names.get(item.id)?.name ?? null,
      section,
      kind: item.kind,
      role: item.role ?? null,
      toolName: item.toolName ?? null,
      originalTokens: tokens.get(item.id) ?? 0,
      original: item.text,
      isSame: first.text === second.text && (first.rung === 'omitted') === (second.rung === 'omitted'),
      shown: [first, second],
    }
  })
  return [...items.filter(({ isSame }) => !isSame), ...items.filter(({ isSame }) => isSame)]
}

function sideOf({ result, asItCame }: PackedAgain, tokens: ReadonlyMap<string, number>): Side {
  const decisions = new Map((result?.manifest.decisions ?? []).map((decision) => [decision.itemId, decision]))
  const entries = new Map<string, PackEntry>((result?.pack?.entries ?? []).map((entry) => [entry.itemId, entry]))
  return ({ id, text, section }) => {
    const decision = decisions.get(id)
    const entry = entries.get(id)
    const common = { section: decision?.section ?? section, handle: decision?.handle ?? null }
    if (asItCame || !decision) {
      const reason = asItCame ? 'as-it-came' : 'not-decided'
      return { ...common, rung: 'full', reason, tokens: tokens.get(id) ?? 0, handle: null, text: null }
    }
    const { rung, reason, tokens: shownTokens } = decision
    const isText = entry !== undefined && rung !== 'omitted' && entry.text !== text
    return { ...common, rung, reason, tokens: shownTokens, text: isText ? entry.text : null }
  }
}
