import type { Verification } from './api/answers.ts'
import { count } from './format.ts'

export interface Told {
  readonly tone: 'good' | 'warn' | 'bad'
  readonly words: string
}

type Verified = Pick<Verification, 'verified' | 'notProvable' | 'differences' | 'rounds'>

/** What came of making a request again. */
export function verificationWords({ verified, notProvable, differences, rounds }: Verified): Told {
  const fields = differences.map(({ field }) => field).join(', ')
  if (notProvable !== null && fields === '') return { tone: 'warn', words: `Not provable. ${notProvable}` }
  if (notProvable !== null) return { tone: 'bad', words: `Not the same: ${fields}. Not provable. ${notProvable}` }
  if (!verified) return { tone: 'bad', words: `Not the same: ${fields}` }
  const also = rounds.length > 0 ? `, ${count(rounds.length)} hidden rounds too` : ''
  return { tone: 'good', words: `Verified: made again to the byte${also}.` }
}
