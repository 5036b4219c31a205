import { expect, it } from 'vitest'
import { verificationWords } from './verification-words.ts'

const proven = { verified: true, notProvable: null, differences: [], rounds: [] }
const why = 'Another version of Prehend made this request: its receipt has other members.'
const differences = [{ field: 'packHash', expected: 'a', actual: 'b' }]

it.each([
  ['what is the same', proven, 'good', 'Verified: made again to the byte.'],
  [
    'hidden rounds',
    { ...proven, rounds: ['a', 'b'] },
    'good',
    'Verified: made again to the byte, 2 hidden rounds too.',
  ],
  ['what differs', { ...proven, verified: false, differences }, 'bad', 'Not the same: packHash'],
  ['what cannot be proven', { ...proven, verified: false, notProvable: why }, 'warn', `Not provable. ${why}`],
  [
    'what contradicts itself whatever the version',
    { ...proven, verified: false, notProvable: why, differences },
    'bad',
    `Not the same: packHash. Not provable. ${why}`,
  ],
])('says of %s', (_, verification, tone, words) => {
  expect(verificationWords(verification)).toEqual({ tone, words })
})
