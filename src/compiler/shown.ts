import type { Item, LadderMaker, Rendition } from '../core/index.ts'
import type { Candidate } from './candidate.ts'
import type { LadderOptions } from './solvers/choose-rungs.ts'
import { hullOf } from './solvers/hull.ts'
import { fragmentOf } from './layout/fragment.ts'

/** A rendition as it stands in a pack of layout `pack`, and what that costs. */
export interface Shown {
  readonly rendition: Rendition
  readonly fragment: string
  readonly tokens: number
}

/** The ways to show a candidate, dearest first, and the solver's view of them. */
export interface ShownLadder {
  readonly shown: readonly Shown[]
  readonly options: LadderOptions
}

/** What the ladders of one compile depend on besides the item. */
export interface LadderSetting {
  readonly focus: ReadonlySet<string>
  readonly rehydration: boolean
  /** The same for settings that make the same ladders. */
  readonly key: string
  handleOf(contentHash: string): string
}

export interface ShownReader {
  full(candidate: Candidate): Shown
  ladder(candidate: Candidate, setting: LadderSetting): ShownLadder
}

interface Parts {
  readonly ladders: LadderMaker | undefined
  /** What wrapping one message costs. */
  readonly messageTokens: number
  count(text: string): number
}

/** Makes every form once per item; what it answers does not depend on what it remembers. */
export function shownReader({ ladders, messageTokens, count }: Parts): ShownReader {
  const fulls = new WeakMap<Candidate, Shown>()
  const known = new WeakMap<Candidate, ShownLadder & { readonly key: string }>()
  const costOf = (item: Item, text: string, fragment: string): number => {
    // Pieces of a conversation are messages; a tool's schema is sent beside them and the payload only names it (B-66).
    const beside = item.section === 'history' ? messageTokens : item.section === 'tools' ? count(text) : 0
    return count(fragment) + beside + (text === '' ? (item.tokens ?? 0) : 0)
  }
  const full = (candidate: Candidate): Shown => {
    const made = fulls.get(candidate)
    if (made !== undefined) return made
    const { item } = candidate
    const shown = show(item, { rung: 'full', text: item.text, tokens: 0, fidelity: 1 }, costOf)
    fulls.set(candidate, shown)
    return shown
  }
  return {
    full,
    ladder(candidate, setting) {
      const made = known.get(candidate)
      if (made?.key === setting.key) return made
      const shown = [
        full(candidate),
        ...lesserForms({ candidate, setting, ladders, count, costOf, dearest: full(candidate) }),
      ]
      const points = shown.map(({ tokens, rendition }) => ({ tokens, value: valueOf(rendition) }))
      const options = { points, hull: hullOf(points), weight: 1 }
      const ladder = { key: setting.key, shown, options }
      known.set(candidate, ladder)
      return ladder
    },
  }
}

type CostOf = (item: Item, text: string, fragment: string) => number

function show(item: Item, rendition: Rendition, costOf: CostOf): Shown {
  const fragment = fragmentOf(item, rendition.text)
  const tokens = costOf(item, rendition.text, fragment)
  return { rendition: { ...rendition, tokens }, fragment, tokens }
}

function lesserForms(options: {
  readonly candidate: Candidate
  readonly setting: LadderSetting
  readonly ladders: LadderMaker | undefined
  readonly dearest: Shown
  readonly costOf: CostOf
  count(text: string): number
}): readonly Shown[] {
  const { candidate, setting, ladders, count, costOf } = options
  const { item } = candidate
  if (ladders === undefined || item.pin === true || item.frozen === true || item.text === '') return []
  const handle = setting.handleOf(candidate.contentHash)
  const forms: Shown[] = []
  let cheapest = options.dearest.tokens
  for (const rendition of ladders(item, { count, handle, focus: setting.focus })) {
    if (rendition.rung === 'full' || rendition.rung === 'omitted') continue
    if (rendition.fidelity < 1 && !setting.rehydration) continue
    const form = show(item, rendition, costOf)
    if (form.tokens >= cheapest) continue
    cheapest = form.tokens
    forms.push(form)
  }
  return forms
}

/** A reader has all of a lossless form, yet the original is shown where room is left over. */
function valueOf({ rung, fidelity }: Rendition): number {
  if (rung === 'full') return 1
  return fidelity >= 1 ? 0.995 : 0.99 * fidelity
}
