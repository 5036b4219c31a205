import { describe, expect, it } from 'vitest'
import type { Exchange } from '../core/index.ts'
import { memoryStore } from '../stores/index.ts'
import type { Store } from '../stores/index.ts'
import { liveSessions } from './live-sessions.ts'

const scope = (session: string): { tenant: string; session: string } => ({ tenant: 'acme', session })
const exchange = (body: string): Exchange => ({ wire: { body } }) as Exchange
const limits = { liveSessions: 3, liveChars: 10_000 }

function counting(): { store: Store; readonly reads: number } {
  const plain = memoryStore()
  const counter = { reads: 0, store: plain }
  counter.store = { ...plain, session: (asked) => ((counter.reads += 1), plain.session(asked)) }
  return counter
}

describe('liveSessions', () => {
  it('reads a session once, also when it is asked for twice at a time', async () => {
    const counter = counting()
    const sessions = liveSessions(counter.store, limits)
    const [one, two] = await Promise.all([sessions.open(scope('s')), sessions.open(scope('s'))])
    expect(one).toBe(two)
    expect(sessions.open(scope('s'))).toBe(one)
    expect(counter.reads).toBe(1)
  })

  it('tries again after a failure', async () => {
    let broken = true
    const plain = memoryStore()
    const session: Store['session'] = (asked) => (broken ? Promise.reject(new Error('down')) : plain.session(asked))
    const sessions = liveSessions({ ...plain, session }, limits)
    await expect(sessions.open(scope('s'))).rejects.toThrow('down')
    broken = false
    expect((await sessions.open(scope('s'))).scope).toEqual(scope('s'))
  })

  it('lets go of what was not used longest, by number and by size', async () => {
    const counter = counting()
    const sessions = liveSessions(counter.store, limits)
    const use = async (name: string, chars = 1): Promise<void> => {
      const session = await sessions.open(scope(name))
      session.received = exchange('x'.repeat(chars))
      sessions.touch(session)
    }
    for (const name of ['a', 'b', 'c', 'a', 'd']) await use(name)
    expect(counter.reads).toBe(4)
    await use('a')
    expect(counter.reads).toBe(4)
    await use('b')
    expect(counter.reads).toBe(5)
    await use('huge', 50_000)
    await use('a')
    expect(counter.reads).toBe(7)
  })

  it('guesses which request a body continues, within the tenant', async () => {
    const sessions = liveSessions(memoryStore(), { liveSessions: 100, liveChars: 1_000_000 })
    const opening = 'the same long beginning '.repeat(60)
    const bodies = Array.from({ length: 5 }, (_, index) => `${opening}${`conversation ${index} `.repeat(50)}`)
    for (const [index, body] of bodies.entries()) {
      const session = await sessions.open(scope(`s${index}`))
      session.received = exchange(body)
      sessions.touch(session)
    }
    expect(sessions.guess('acme', `${bodies[2]}and more`)?.wire.body).toBe(bodies[2])
    expect(sessions.guess('umbrella', `${bodies[2]}and more`)).toBeUndefined()
    expect(sessions.guess('acme', 'something else')).toBeUndefined()
  })
})
