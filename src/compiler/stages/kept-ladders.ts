import type { FormReader, LadderSetting } from '../items/form-reader.ts'
import type { FormLadder } from '../forms/form.ts'
import { withinRemoval } from '../forms/form.ts'
import type { Candidate } from '../items/candidate.ts'

export interface AskedLadders {
  readonly candidates: readonly Candidate[]
  /** Indexes of the candidates of a section, in order. */
  readonly members: readonly number[]
  readonly setting: LadderSetting
  /** Most of an item that a shorter form may take away. */
  readonly mostRemoved: number | undefined
}

/** The ladder of each member, by its place among them; looked up when it is asked for. */
export type LaddersOf = (asked: AskedLadders) => (place: number) => FormLadder | undefined

/** Of a conversation that grows, ladders stay where they are. */
export function keptLadders(forms: FormReader): LaddersOf {
  let kept = emptyLadders('', undefined)
  return ({ candidates, members, setting, mostRemoved }) => {
    if (kept.key !== setting.key || kept.mostRemoved !== mostRemoved) kept = emptyLadders(setting.key, mostRemoved)
    const { owners, ladders } = kept
    while (owners.length < members.length) {
      owners.push(undefined)
      ladders.push(undefined)
    }
    return (place) => {
      const candidate = candidates[members[place] ?? -1]
      if (candidate === undefined) return undefined
      if (!Object.is(owners[place], candidate)) {
        owners[place] = candidate
        ladders[place] = withinRemoval(forms.ladder(candidate, setting), mostRemoved)
      }
      return ladders[place]
    }
  }
}

interface Kept {
  readonly key: string
  readonly mostRemoved: number | undefined
  readonly owners: (Candidate | undefined)[]
  readonly ladders: (FormLadder | undefined)[]
}

function emptyLadders(key: string, mostRemoved: number | undefined): Kept {
  return { key, mostRemoved, owners: [], ladders: [] }
}
