import type { Item, LadderContext, LadderMaker, MediaWish, PackEntry, ProseWish, Rendition } from '../../core/index.ts'
import type { Candidate } from './candidate.ts'
import { slotOf, wireRole } from '../forms/slot.ts'
import { hullOf } from '../solvers/hull.ts'
import type { Form, FormLadder, Writing } from '../forms/form.ts'
import { plainWriting } from '../forms/form.ts'

/** What the ladders of one compile depend on besides the item. */
export interface LadderSetting {
  readonly rehydration: boolean
  readonly handleKey: string
  /** Names of those that are shortened last, beside those that the conversation has called. */
  readonly coreTools: readonly string[] | undefined
  /** What may be made of media. */
  readonly media?: MediaWish | undefined
  readonly writing: Writing
  /** What of this a ladder is told. */
  readonly asked: Omit<LadderContext, 'count' | 'handle' | 'prose' | 'media'>
  /** The same for settings that make the same ladders. */
  readonly key: string
  /** The handle of a candidate's original. */
  handleOf(candidate: Candidate): string
}

export interface FormReader {
  full(candidate: Candidate, writing: Writing): Form
  ladder(candidate: Candidate, setting: LadderSetting): FormLadder
  /** A rendition of an item of a conversation, as its ledger knows it. */
  plain(candidate: Candidate, rendition: Rendition): Form
}

interface Parts {
  readonly ladders: LadderMaker | undefined
  /** What wrapping one message costs. */
  readonly messageTokens: number
  count(text: string): number
  itemTokens(item: Item, text: string): number
  /** What stands beside the words of an item of media. */
  madeTokens(item: Item, text: string): number
}

/** Makes every form once per candidate and setting. */
export function formReader(parts: Parts): FormReader {
  const costOf = costReader(parts)
  const full = (candidate: Candidate, writing: Writing): Form => {
    const { memo } = candidate
    if (memo.full?.writing !== writing.name) {
      const rendition = wholeOf(candidate)
      memo.full = show({ candidate, writing, tokens: costOf(candidate, rendition.text, writing), rendition })
    }
    return memo.full
  }
  return {
    full,
    plain(candidate, rendition) {
      const { memo } = candidate
      const known = memo.plain
      if (known !== undefined && isAlike(known.rendition, rendition)) return known
      memo.plain = show({ candidate, writing: plainWriting, tokens: rendition.tokens, rendition })
      return memo.plain
    },
    ladder(candidate, setting) {
      const { memo } = candidate
      if (memo.ladder?.key === setting.key) return memo.ladder
      const { writing } = setting
      const dearest = full(candidate, writing)
      const lesser = lesserRenditions({ candidate, setting, costOf, ...parts, dearest })
      memo.ladder = ladderOf(setting.key, dearest, lesser, (rendition) =>
        show({ candidate, rendition, writing, tokens: rendition.tokens }),
      )
      return memo.ladder
    },
  }
}

function ladderOf(
  key: string,
  dearest: Form,
  lesser: readonly Rendition[],
  makeForm: (rendition: Rendition) => Form,
): FormLadder {
  const points = [
    { tokens: dearest.tokens, value: valueOf(dearest.rendition) },
    ...lesser.map((rendition) => ({ tokens: rendition.tokens, value: valueOf(rendition) })),
  ]
  const lossless = lesser.findLastIndex(({ fidelity }) => fidelity >= 1) + 1
  const forms: (Form | undefined)[] = [dearest]
  const form = (at: number): Form | undefined => {
    const rendition = lesser[at - 1]
    if (forms[at] === undefined && rendition !== undefined) forms[at] = makeForm(rendition)
    return forms[at]
  }
  return { key, points, hull: hullOf(points), lossless, form }
}

/** What is shown in other clothes is not as it came, and has lost nothing. */
function wholeOf({ item: { text }, dress, whole }: Candidate): Rendition {
  if (whole !== undefined) return whole
  if (dress === undefined || text === '') return { rung: 'full', text, tokens: 0, fidelity: 1 }
  return { rung: 'lossless', text: dress(text), tokens: 0, fidelity: 1 }
}

function isAlike(a: Rendition, b: Rendition): boolean {
  return a.rung === b.rung && a.tokens === b.tokens && a.handle === b.handle && a.text === b.text
}

type CostOf = (candidate: Pick<Candidate, 'item' | 'label'>, text: string, writing: Writing) => number

function costReader({ count, itemTokens, madeTokens, messageTokens }: Parts): CostOf {
  return ({ item, label }, text, writing) => {
    if (writing.name === 'plain') return itemTokens(item, text)
    const beside = text === '' ? (item.tokens ?? itemTokens(item, text)) : madeTokens(item, text)
    const own = count(writing.fragment(item, text, label)) + beside
    // A tool's schema is sent beside the messages and the payload only names it (B-66).
    if (item.section === 'tools') return text === '' ? own : own + itemTokens(item, text)
    return isMessage(item, writing) ? own + messageTokens : own
  }
}

/** Pieces of a conversation are messages, save where all of it is one text. */
function isMessage({ section }: Item, { name }: Writing): boolean {
  return section === 'history' && name !== 'canonical' && name !== 'plain'
}

interface ShowOptions {
  readonly candidate: Pick<Candidate, 'item' | 'label'>
  readonly rendition: Rendition
  readonly writing: Writing
  readonly tokens: number
}

function show({ candidate, rendition, writing, tokens }: ShowOptions): Form {
  const { item, label } = candidate
  const { rung, text, handle } = rendition
  const fragment = writing.fragment(item, text, label)
  const entry: PackEntry = {
    itemId: item.id,
    section: item.section,
    rung,
    text,
    tokens,
    ...(handle === undefined ? {} : { handle }),
  }
  const slot = slotOf(item)
  const message = isMessage(item, writing) ? { role: wireRole(item), text: fragment } : undefined
  return {
    writing: writing.name,
    uri: item.provenance?.uri,
    rendition,
    fragment,
    tokens,
    entry,
    slot,
    message,
    digest: undefined,
    entryLine: undefined,
    memoryKey: undefined,
  }
}

interface LesserOptions extends Parts {
  readonly candidate: Candidate
  readonly setting: LadderSetting
  readonly costOf: CostOf
  readonly dearest: Form
}

/**
 * Renditions that are cheaper where they stand, with the tokens that they take there. A schema that explains less accepts
 * the same calls, so that nothing has to be brought back.
 */
function lesserRenditions({ candidate, setting, costOf, ladders, dearest }: LesserOptions): readonly Rendition[] {
  const { item, dress = (text: string) => text } = candidate
  const { writing } = setting
  if (ladders === undefined || item.pin === true || item.frozen === true || saysNothing(item)) return []
  const count = countedOnce(candidate.whole?.text ?? item.text, dearest.tokens, (text) =>
    costOf(candidate, dress(text), writing),
  )
  const lesser: Rendition[] = []
  let cheapest = dearest.tokens
  // Of media what the caller has said in its place needs no handle.
  const isOwn = item.kind === 'media' && !setting.rehydration
  const handle = isOwn ? '' : setting.handleOf(candidate)
  const { prose } = candidate
  const media = candidate.dress === undefined ? setting.media : undefined
  const context = { ...setting.asked, count, handle, ...(prose && { prose }), ...(media && { media }) }
  const mayHide = setting.rehydration || isOwn || item.kind === 'tool-schema'
  for (const rendition of ladders(item, context)) {
    if (rendition.rung === 'full' || rendition.rung === 'omitted') continue
    if (rendition.fidelity < 1 && !mayHide && !isUnhandled(rendition, prose)) continue
    const tokens = count(rendition.text)
    if (tokens >= cheapest) continue
    cheapest = tokens
    lesser.push(
      candidate.dress === undefined && rendition.tokens === tokens
        ? rendition
        : { ...rendition, text: dress(rendition.text), tokens },
    )
  }
  return lesser
}

/** A ladder measures what it makes, a few texts; what has been measured is not measured again. */
function countedOnce(first: string, tokens: number, count: (text: string) => number): (text: string) => number {
  const texts = [first]
  const counts = [tokens]
  return (text) => {
    const at = texts.indexOf(text)
    if (at !== -1) return counts[at] as number
    const made = count(text)
    texts.push(text)
    counts.push(made)
    return made
  }
}

/** What a policy has shortened although no handle can be followed. */
function isUnhandled({ rung }: Rendition, prose: ProseWish | undefined): boolean {
  return prose?.unhandled === true && (rung === 'trimmed' || rung === 'summary')
}

/** What has neither words nor anything to look at. */
function saysNothing({ text, kind }: Item): boolean {
  return text === '' && kind !== 'media'
}

/** A reader has all of a lossless form, yet the original is shown where room is left over. */
function valueOf({ rung, fidelity }: Rendition): number {
  if (rung === 'full') return 1
  return fidelity >= 1 ? 0.995 : 0.99 * fidelity
}
