import { perObject } from '../../core/index.ts'
import type { Needle, Trace } from '../trace.ts'
import { editTexts } from './edit-texts.ts'
import type { EditText } from './edit-texts.ts'
import { ownStrings } from './own-strings.ts'
import { failuresOf } from './reading.ts'

/** What the answers of a session used of what stood before them; the same for every strategy. */
export interface Uses {
  readonly ownStrings: ReadonlyMap<number, readonly Needle[]>
  /** Strings that only text of the assistant had held. */
  readonly saidStrings: ReadonlyMap<number, readonly Needle[]>
  readonly edits: ReadonlyMap<number, readonly EditText[]>
  readonly failures: ReturnType<typeof failuresOf>
}

export const usesOf = perObject((trace: Trace): Uses => {
  const { called, said } = ownStrings(trace)
  return { ownStrings: called, saidStrings: said, edits: editTexts(trace), failures: failuresOf(trace) }
})
