import type { Item, LadderMaker, PackEntry, Rendition } from '../core/index.ts'
import type { Candidate } from './candidate.ts'
import type { Shown, ShownLadder } from './shown-form.ts'
import type { Markup } from './layout/markup.ts'
import { slotOf, wireRole } from './layout/slot.ts'
import { hullOf } from './solvers/hull.ts'

/** What the ladders of one compile depend on besides the item. */
export interface LadderSetting {
  readonly focus: ReadonlySet<string>
  readonly rehydration: boolean
  readonly handleKey: string
  readonly hiddenTools: readonly string[]
  readonly markup: Markup
  /** The same for settings that make the same ladders. */
  readonly key: string
  /** The handle of a candidate's original. */
  handleOf(candidate: Candidate): string
}

export interface ShownReader {
  full(candidate: Candidate, markup: Markup): Shown
  ladder(candidate: Candidate, setting: LadderSetting): ShownLadder
}

interface Parts {
  readonly ladders: LadderMaker | undefined
  /** What wrapping one message costs. */
  readonly messageTokens: number
  count(text: string): number
  itemTokens(item: Item, text: string): number
}

/** Makes every form once per candidate and setting. */
export function shownReader(parts: Parts): ShownReader {
  const costOf = costReader(parts)
  const full = ({ item, memo }: Candidate, markup: Markup): Shown => {
    if (memo.full?.markup !== markup.name)
      memo.full = show({ item, markup, costOf, rendition: { rung: 'full', text: item.text, tokens: 0, fidelity: 1 } })
    return memo.full
  }
  return {
    full,
    ladder(candidate, setting) {
      const { memo } = candidate
      if (memo.ladder?.key === setting.key) return memo.ladder
      const dearest = full(candidate, setting.markup)
      const shown = [dearest, ...lesserForms({ candidate, setting, costOf, ...parts, dearest })]
      const points = shown.map(({ tokens, rendition }) => ({ tokens, value: valueOf(rendition) }))
      const lossless = shown.findLastIndex(({ rendition }) => rendition.fidelity >= 1)
      memo.ladder = { key: setting.key, shown, points, hull: hullOf(points), lossless }
      return memo.ladder
    },
  }
}

type CostOf = (item: Item, text: string, markup: Markup) => number

function costReader({ count, itemTokens, messageTokens }: Parts): CostOf {
  return (item, text, markup) => {
    const own = count(markup.fragment(item, text)) + (text === '' ? (item.tokens ?? itemTokens(item, text)) : 0)
    // A tool's schema is sent beside the messages and the payload only names it (B-66).
    if (item.section === 'tools') return own + itemTokens(item, text)
    return isMessage(item, markup) ? own + messageTokens : own
  }
}

/** Pieces of a conversation are messages, save where all of it is one text. */
function isMessage({ section }: Item, { name }: Markup): boolean {
  return section === 'history' && name !== 'canonical'
}

interface ShowOptions {
  readonly item: Item
  readonly rendition: Rendition
  readonly markup: Markup
  readonly costOf: CostOf
}

function show({ item, rendition, markup, costOf }: ShowOptions): Shown {
  const { rung, text, handle } = rendition
  const fragment = markup.fragment(item, text)
  const tokens = costOf(item, text, markup)
  const entry: PackEntry = {
    itemId: item.id,
    section: item.section,
    rung,
    text,
    tokens,
    ...(handle === undefined ? {} : { handle }),
  }
  const slot = slotOf(item)
  const message = isMessage(item, markup) ? { role: wireRole(item), text: fragment } : undefined
  return {
    markup: markup.name,
    uri: item.provenance?.uri,
    rendition,
    fragment,
    tokens,
    entry,
    slot,
    message,
    digest: undefined,
    entryLine: undefined,
  }
}

interface LesserOptions extends Parts {
  readonly candidate: Candidate
  readonly setting: LadderSetting
  readonly costOf: CostOf
  readonly dearest: Shown
}

/** Forms that are cheaper where they stand; texts are measured as they would stand there. */
function lesserForms({ candidate, setting, costOf, ladders, dearest }: LesserOptions): readonly Shown[] {
  const { item } = candidate
  const { markup } = setting
  if (ladders === undefined || item.pin === true || item.frozen === true || item.text === '') return []
  // A ladder measures what it makes; what is measured here is not measured again.
  const costs = new Map([[item.text, dearest.tokens]])
  const count = (text: string): number => {
    const known = costs.get(text) ?? costOf(item, text, markup)
    costs.set(text, known)
    return known
  }
  const forms: Shown[] = []
  let cheapest = dearest.tokens
  const { focus, hiddenTools } = setting
  for (const rendition of ladders(item, { count, handle: setting.handleOf(candidate), focus, hiddenTools })) {
    if (rendition.rung === 'full' || rendition.rung === 'omitted') continue
    if (rendition.fidelity < 1 && !setting.rehydration) continue
    const form = show({ item, rendition, markup, costOf: (_, text) => count(text) })
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
