import { expect, it } from 'vitest'
import { knownSessions } from './known-sessions.ts'
import { emptyBody } from './known-body.ts'

const scopeOf = (session: string) => ({ tenant: 'acme', session })
const base = { createdMs: 1, version: 1 }
const sessionOf = (chars: number) => ({ base, lists: [], body: { ...emptyBody, body: 'x'.repeat(chars) } }) as never

it('what was written longest ago is forgotten when there is no room in bytes, the newest never', () => {
  const known = knownSessions(1000)
  known.put(scopeOf('a'), sessionOf(400))
  known.put(scopeOf('b'), sessionOf(400))
  known.put(scopeOf('a'), sessionOf(500))
  known.put(scopeOf('c'), sessionOf(300))
  expect(['a', 'b', 'c'].map((name) => known.get(scopeOf(name)).base !== undefined)).toEqual([true, false, true])
  known.put(scopeOf('d'), sessionOf(5000))
  expect(['a', 'c', 'd'].map((name) => known.get(scopeOf(name)).base !== undefined)).toEqual([false, false, true])
})
