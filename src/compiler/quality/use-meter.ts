import type { Item } from '../../core/index.ts'
import { textMemo } from '../../core/index.ts'
import type { Candidate } from '../items/candidate.ts'
import type { CandidateList } from '../items/read-candidates.ts'
import { sharedLength } from '../items/read-candidates.ts'
import { allNames } from './all-names.ts'

/** When the items of a list came, and when the model last used them. */
export interface Uses {
  /** Turns in the conversation so far: each run of the model's words and calls is one. */
  readonly turns: number
  /** Per candidate: the turn in which it came. */
  readonly came: readonly number[]
  /** Per candidate: the last turn in which the model said a name that it was the first to say; that of its coming where none. */
  readonly used: readonly number[]
  readonly calledTools: ReadonlySet<string>
}

export type UseMeter = (list: CandidateList) => Uses

interface Heard {
  came: number[]
  used: number[]
  /** Which item was the first to say a name. */
  readonly first: Map<string, number>
  readonly calledTools: Set<string>
  turns: number
  /** Whether the last item was the model's. */
  isAnswering: boolean
}

/** Most conversations are the one before and a little more: what both begin with is not read again. */
export function useMeter(): UseMeter {
  const names = textMemo(allNames, rememberedCharacters)
  let heard = nothingHeard()
  let version = 0
  return (list) => {
    if (sharedLength(list, version) < heard.came.length) heard = nothingHeard()
    version = list.version
    for (let index = heard.came.length; index < list.candidates.length; index += 1) {
      const { item } = list.candidates[index] as Candidate
      hear(heard, item, names.get(item.text))
    }
    const { turns, came, used, calledTools } = heard
    return { turns, came, used, calledTools }
  }
}

const rememberedCharacters = 3_000_000

function nothingHeard(): Heard {
  return { came: [], used: [], first: new Map(), calledTools: new Set(), turns: 0, isAnswering: false }
}

function hear(heard: Heard, item: Item, names: readonly string[]): void {
  const index = heard.came.length
  const isModel = isOfModel(item)
  if (isModel && !heard.isAnswering) heard.turns += 1
  heard.isAnswering = isModel
  heard.came.push(heard.turns)
  heard.used.push(heard.turns)
  if (item.kind === 'tool-call' && item.toolName !== undefined) heard.calledTools.add(item.toolName)
  for (const name of names) {
    const first = heard.first.get(name)
    if (first === undefined) heard.first.set(name, index)
    else if (isModel) heard.used[first] = heard.turns
  }
}

/** The model's own words, calls and thoughts. */
export function isOfModel({ role, kind }: Item): boolean {
  return role === 'assistant' || kind === 'tool-call' || kind === 'reasoning'
}
