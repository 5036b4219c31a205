import type { Shown } from '../shown.ts'

/** One item of a conversation and the ways to show it. */
export interface HistoryItem {
  readonly forms: readonly Shown[]
  readonly group?: string
  readonly pinned: boolean
}

export interface HistoryProblem {
  /** Oldest first. */
  readonly items: readonly HistoryItem[]
  readonly budgetTokens: number
}

/** Calls and their results move as one. */
interface Turn {
  readonly members: readonly number[]
  readonly pinned: boolean
}

/**
 * The newest part of a conversation in full, what lies before it in its shortest form while that fits, the oldest part
 * not at all (P-010, P-017, A-031, A-045). Gives the index of the form per item, -1 where it is left out. Without gaps,
 * save for what is pinned.
 */
export function compressHistory({ items, budgetTokens }: HistoryProblem): Int32Array {
  const chosen = new Int32Array(items.length).fill(-1)
  const cost = (index: number, form: number): number => items[index]?.forms[form]?.tokens ?? 0
  const total = items.reduce((sum, _, index) => sum + cost(index, 0), 0)
  if (total <= budgetTokens) return chosen.fill(0)
  const turns = turnsOf(items)
  let left = budgetTokens
  for (const { members } of turns.filter(({ pinned }) => pinned)) {
    for (const index of members) {
      chosen[index] = items[index]?.pinned === true ? 0 : items[index] === undefined ? 0 : items[index].forms.length - 1
      left -= cost(index, chosen[index] ?? 0)
    }
  }
  const shorten = [keptForm, shortestForm]
  let stage = 0
  for (const { members, pinned } of turns.toReversed()) {
    if (pinned) continue
    for (; stage < shorten.length; stage += 1) {
      const form = shorten[stage] ?? shortestForm
      const price = members.reduce((sum, index) => sum + cost(index, form(items[index]?.forms ?? [])), 0)
      if (price > left) continue
      for (const index of members) chosen[index] = form(items[index]?.forms ?? [])
      left -= price
      break
    }
    if (stage >= shorten.length) break
  }
  return chosen
}

/** The cheapest form that loses nothing. */
function keptForm(forms: readonly Shown[]): number {
  const lossy = forms.findIndex(({ rendition }) => rendition.fidelity < 1)
  return (lossy === -1 ? forms.length : lossy) - 1
}

function shortestForm(forms: readonly Shown[]): number {
  return forms.length - 1
}

/** In order of their newest item. */
function turnsOf(items: readonly HistoryItem[]): readonly Turn[] {
  const groups = new Map<string, number[]>()
  for (const [index, { group }] of items.entries()) {
    if (group === undefined) continue
    const members = groups.get(group)
    if (members === undefined) groups.set(group, [index])
    else members.push(index)
  }
  const turns: Turn[] = []
  for (const [index, { group }] of items.entries()) {
    const members = (group === undefined ? undefined : groups.get(group)) ?? [index]
    if (members.at(-1) !== index) continue
    turns.push({ members, pinned: members.some((member) => items[member]?.pinned === true) })
  }
  return turns
}
