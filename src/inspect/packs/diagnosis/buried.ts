import { relevanceRanker } from '../../../knowledge/index.ts'
import { largePack, lineOf, short } from './finding.ts'
import type { Case, Finding, FoundText } from './finding.ts'
import { placesOf } from './missing.ts'

/** What models overlook lies between these shares of a long request. */
const middle = { from: 0.2, to: 0.8 } as const

/** What is needed, is shown, and lies where models overlook it: once, in the middle of a long request. */
export function buried(given: Case): readonly Finding[] {
  const { packTokens } = given.manifest
  if (packTokens < largePack) return []
  const depth = depths(given)
  const found = given.needed.flatMap(({ text, isNamed }): readonly Finding[] => {
    const places = placesOf(given, text).filter(({ isShown }) => isShown)
    const [first] = places
    const items = new Set(places.map(({ place }) => place.at))
    if (first === undefined || items.size > 1) return []
    const at = depth.get(first.place.at)
    if (at === undefined || !isDeep(at)) return []
    return [
      findingOf(JSON.stringify(short(text)), { at, packTokens, place: first.place, weight: isNamed ? 0.7 : 0.45 }),
    ]
  })
  return found.length > 0 ? found : deepBest(given, depth)
}

interface Deep {
  readonly at: number
  readonly packTokens: number
  readonly place: FoundText
  readonly weight: number
}

function findingOf(what: string, { at, packTokens, place, weight }: Deep): Finding {
  return {
    cause: 'buried',
    weight,
    why: `${what} stands once, ${Math.round(100 * at)}% into ${packTokens} tokens, where models overlook things.`,
    texts: [place],
    remedy: 'Repeat it at the end, place it first or last (payload.placement, payload.last), or send less around it.',
  }
}

/** One piece of evidence that has far more to do with the request than any other, in the middle. */
function deepBest(given: Case, depth: ReadonlyMap<string, number>): readonly Finding[] {
  const items = given.input.items.filter(({ id, section }) => section === 'evidence' && given.shown.has(id))
  if (items.length < 3) return []
  const scores = relevanceRanker(items)(given.request)
  const [best, next] = items
    .map((item, at) => ({ item, score: scores[at] ?? 0 }))
    .toSorted((one, other) => other.score - one.score)
  const at = depth.get(best?.item.id ?? '')
  if (best === undefined || at === undefined || !isDeep(at) || (next?.score ?? 0) > 0.6 * best.score) return []
  const { packTokens } = given.manifest
  const place = lineOf(given, best.item, 0)
  return [findingOf('What has most to do with the request', { at, packTokens, place, weight: 0.4 })]
}

function isDeep(at: number): boolean {
  return at > middle.from && at < middle.to
}

/** Where the middle of each item lies, as a share of the pack's tokens. */
function depths({ pack }: Case): ReadonlyMap<string, number> {
  let before = 0
  const all = pack.entries.reduce((sum, { tokens }) => sum + tokens, 0)
  return new Map(
    pack.entries.map(({ itemId, tokens }) => {
      const at = (before + tokens / 2) / Math.max(1, all)
      before += tokens
      return [itemId, at]
    }),
  )
}
