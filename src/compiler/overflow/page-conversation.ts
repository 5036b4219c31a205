import type { Item, ReasonCode, Section } from '../../core/index.ts'
import { invalidInput, pageNoteId, pageNoteText } from '../../core/index.ts'
import type { FormReader, LadderSetting } from '../items/form-reader.ts'
import type { Form } from '../forms/form.ts'
import type { Candidate } from '../items/candidate.ts'
import { pageAssembly } from '../stages/assemble-messages.ts'
import { usedTokens } from '../stages/compress-into.ts'
import { divided } from './exchanges.ts'
import { fillPages } from './fill-pages.ts'
import type { PagedConversation, Solution } from './overflow.ts'

export interface ConversationToPage {
  readonly candidates: readonly Candidate[]
  /** Tokens of each item as it came. */
  readonly fullTokens: ArrayLike<number>
  /** 1 where an item stands whole whatever happens. */
  readonly pinned: Uint8Array
  /** Why items may not be shown. */
  readonly dropped: ReadonlyMap<number, ReasonCode>
  /** 1 for items that the last request left out. */
  readonly omitted: Uint8Array
  /** All of it at once, which does not fit. */
  readonly whole: Solution
  readonly roomTokens: number
  readonly forms: FormReader
  readonly setting: LadderSetting
  itemTokens(item: Item, text?: string): number
}

/**
 * The pages of a conversation: what came before its first answer and its end stand on each, what is between on one of them, and
 * every page says which it is. Nothing is shortened.
 */
export function pageConversation(problem: ConversationToPage): PagedConversation {
  const { candidates, whole, roomTokens } = problem
  const items = candidates.map(({ item }) => item)
  refuseTakenName(items)
  const left = leftOut(problem)
  const { plans } = whole.allocated
  const fixed = new Set(plans.flatMap(({ mode, members }) => (mode === 'elastic' ? [] : members)))
  const isWhole = (index: number): boolean => fixed.has(index) || problem.pinned[index] === 1
  const { standing, units, headEnd } = divided({ items, isWhole, isOut: (index) => left.has(index) })
  const formAt = formReader(problem)
  const partOf = (index: number) => ({
    section: items[index]?.section ?? 'history',
    tokens: formAt(index)?.tokens ?? 0,
  })
  const most = new Map(
    plans.flatMap(({ mode, section, budget }) => (mode === 'elastic' ? [[section, budget.max]] : [])),
  )
  const filled = fillPages({
    standing: standing.map(partOf),
    units: units.map((unit) => unit.map(partOf)),
    roomTokens,
    mostOf: (section) => most.get(section) ?? Infinity,
    noteTokens: (page, pages) => problem.itemTokens(noteOf(page, pages)),
  })
  if (filled.kind !== 'pages') return filled
  const pages = filled.pages.map((own, at, { length }): Solution => {
    const on = [...standing, ...own.flatMap((unit) => units[unit] ?? [])]
    return pageOf(problem, { on, left, formAt, headEnd, note: noteOf(at + 1, length) })
  })
  return { kind: 'pages', pages }
}

function refuseTakenName(items: readonly Item[]): void {
  const index = items.findIndex(({ id }) => id === pageNoteId)
  if (index >= 0) throw invalidInput(`items[${index}].id`, 'is a name that pages need', 'Call it otherwise.')
}

/** What no page shows, and why. */
function leftOut({ candidates, dropped, omitted }: ConversationToPage): ReadonlyMap<number, ReasonCode> {
  const left = new Map(dropped)
  for (const [index, { item }] of candidates.entries())
    if (omitted[index] === 1 && item.role === undefined && !left.has(index)) left.set(index, 'ledger')
  return left
}

/** An item as it came, or as its policy's defense wants it shown; each is made once. */
function formReader(problem: ConversationToPage): (index: number) => Form | undefined {
  const known = new Map<number, Form | undefined>()
  return (index) => {
    if (!known.has(index)) known.set(index, formOf(problem, index))
    return known.get(index)
  }
}

function formOf(
  { candidates, fullTokens, forms, setting, itemTokens }: ConversationToPage,
  index: number,
): Form | undefined {
  const candidate = candidates[index]
  if (candidate === undefined) return undefined
  const { item, dress } = candidate
  const text = dress === undefined || item.text === '' ? item.text : dress(item.text)
  const isSame = text === item.text
  const tokens = isSame ? (fullTokens[index] ?? 0) : itemTokens(item, text)
  const told = isSame ? {} : { handle: setting.handleOf(candidate) }
  return forms.plain(candidate, { rung: isSame ? 'full' : 'lossless', text, tokens, fidelity: 1, ...told })
}

function noteOf(page: number, pages: number): Item {
  return { id: pageNoteId, section: 'history', kind: 'text', role: 'user', text: pageNoteText(page, pages) }
}

interface PageToMake {
  readonly on: readonly number[]
  readonly left: ReadonlyMap<number, ReasonCode>
  readonly headEnd: number
  readonly note: Item
  formAt(index: number): Form | undefined
}

function pageOf(problem: ConversationToPage, { on, left, headEnd, note, formAt }: PageToMake): Solution {
  const { whole, candidates, itemTokens } = problem
  const { shortage: _, sections: _none, ...rest } = whole
  const isOn = new Set(on)
  const forms = candidates.map((__, index) => (isOn.has(index) ? formAt(index) : undefined))
  const granted = new Map<Section, number>()
  for (const plan of whole.allocated.plans) granted.set(plan.section, usedTokens(forms, plan))
  const assembly = pageAssembly({ note, tokens: itemTokens(note), place: headEnd })
  return { ...rest, forms, granted, closed: new Set(), without: left, assembly }
}
