import { describe, expect, it } from 'vitest'
import { memoryStore } from '../stores/index.ts'
import type { Store, Unit } from '../stores/index.ts'
import { withReads } from '../testing/index.ts'
import { openSessions } from './open-sessions.ts'
import { bodyOf, sent, sessionParts } from './session.fixture.ts'

/** Counts sessions that are read, or found to be new. */
function counting(): { store: Store; readonly reads: number; readonly states: number } {
  const plain = memoryStore()
  const counter = { reads: 0, states: 0, store: plain }
  counter.store = withReads(plain, {
    results: {
      async sessions(tenant, query) {
        const found = await plain.read('results').sessions(tenant, query)
        if (found.length === 0) counter.reads += 1
        return found
      },
    },
    sessions: {
      get(asked) {
        counter.reads += 1
        counter.states += 1
        return plain.read('sessions').get(asked)
      },
    },
  })
  return counter
}

const limits = { liveSessions: 3, liveBytes: 3_000_000 }

describe('openSessions', () => {
  it('reads a session once, also when two requests of it come at a time', async () => {
    const counter = counting()
    const sessions = openSessions(sessionParts({ store: counter.store }))
    await Promise.all([sent(sessions, 's', bodyOf(1)), sent(sessions, 's', bodyOf(2))])
    await sent(sessions, 's', bodyOf(3))
    expect(counter.reads).toBe(1)
  })

  it('asks nothing more of a session that the store does not have, and all of one that it has', async () => {
    const counter = counting()
    await sent(openSessions(sessionParts({ store: counter.store })), 's', bodyOf(1))
    expect(counter).toMatchObject({ reads: 1, states: 0 })
    const next = await sent(openSessions(sessionParts({ store: counter.store })), 's', bodyOf(2))
    expect(counter).toMatchObject({ reads: 3, states: 2 })
    expect(next).toMatchObject({ kind: 'packed', before: { version: 1 } })
  })

  it('tries again after a failure', async () => {
    let broken = true
    const plain = memoryStore()
    const down = () => Promise.reject(new Error('down'))
    const store = withReads(plain, {
      sessions: { get: (asked) => (broken ? down() : plain.read('sessions').get(asked)) },
      results: { sessions: (tenant, query) => (broken ? down() : plain.read('results').sessions(tenant, query)) },
    })
    const sessions = openSessions(sessionParts({ store }))
    expect(await sent(sessions, 's', bodyOf(1))).toMatchObject({ kind: 'unpacked', stage: 'session' })
    broken = false
    expect(await sent(sessions, 's', bodyOf(1))).toMatchObject({ kind: 'packed' })
  })

  it('lets go of what was not used longest, by number and by size', async () => {
    const counter = counting()
    const sessions = openSessions(sessionParts({ store: counter.store, limits }))
    for (const name of ['a', 'b', 'c', 'a', 'd']) await sent(sessions, name, bodyOf(1))
    expect(counter.reads).toBe(4)
    await sent(sessions, 'a', bodyOf(2))
    expect(counter.reads).toBe(4)
    // The conversation, and what is known of its session.
    await sent(sessions, 'b', bodyOf(2))
    expect(counter.reads).toBe(6)
    await sent(sessions, 'huge', bodyOf(1, 'x'.repeat(1_100_000)))
    await sent(sessions, 'a', bodyOf(3))
    expect(counter.reads).toBe(9)
  })

  it('never lets go of a session of which a request is under way', async () => {
    const counter = counting()
    const sessions = openSessions(sessionParts({ store: counter.store, limits: { liveSessions: 1, liveBytes: 0 } }))
    const together = [sent(sessions, 'a', bodyOf(1)), sent(sessions, 'a', bodyOf(2)), sent(sessions, 'b', bodyOf(1))]
    const packed = await Promise.all(together)
    expect(packed.map(({ kind }) => kind)).toEqual(['packed', 'packed', 'packed'])
    expect(counter.reads).toBe(2)
    await sent(sessions, 'b', bodyOf(2))
    const before = counter.reads
    await sent(sessions, 'a', bodyOf(3))
    expect(counter.reads).toBe(before + 2)
  })

  it('guesses which request a body continues, within the tenant', async () => {
    const sessions = openSessions(sessionParts())
    const opening = 'the same long beginning '.repeat(60)
    const bodies = Array.from({ length: 5 }, (_, index) =>
      bodyOf(1, `${opening}${`conversation ${index} `.repeat(50)}`),
    )
    for (const [index, body] of bodies.entries()) await sent(sessions, `s${index}`, body)
    expect(sessions.guess('acme', `${bodies[2]}and more`)?.wire.body).toBe(bodies[2])
    expect(sessions.guess('umbrella', `${bodies[2]}and more`)).toBeUndefined()
    expect(sessions.guess('acme', 'something else')).toBeUndefined()
  })

  it('tells sessions apart that begin alike for thousands of characters, however many there are', async () => {
    const sessions = openSessions(sessionParts())
    const opening = 'what agents of one kind are told '.repeat(300)
    const body = (index: number, turns: number): string =>
      bodyOf(turns, `${opening}${`conversation ${index} `.repeat(400)}`)
    for (let index = 0; index < 30; index += 1) await sent(sessions, `s${index}`, body(index, 1))
    for (let index = 0; index < 30; index += 1) {
      expect(sessions.guess('acme', body(index, 2))?.wire.body === body(index, 1)).toBe(true)
      expect(sessions.guess('umbrella', body(index, 2))).toBeUndefined()
    }
  })

  it('keeps nothing of sessions whose store does not answer', async () => {
    const plain = memoryStore()
    const hanging = { ...plain, commit: (): Promise<void> => new Promise(() => undefined) }
    const sessions = openSessions(sessionParts({ store: hanging, limits: { ...limits, stageMs: 5 } }))
    for (let index = 0; index < 5; index += 1) await sent(sessions, `s${index}`, bodyOf(1))
    expect(sessions.guess('acme', bodyOf(1))).toBeUndefined()
  })

  it('requests of one session have their turns, however many come', async () => {
    const store = memoryStore()
    const versions: (number | undefined)[] = []
    const commit = async (work: Unit): Promise<void> => {
      versions.push(work.expectVersion)
      await store.commit(work)
    }
    const sessions = openSessions(sessionParts({ store: { ...store, commit } }))
    const turns = await Promise.all(Array.from({ length: 8 }, (_, index) => sent(sessions, 's', bodyOf(index + 1))))
    expect(turns.every(({ kind }) => kind === 'packed')).toBe(true)
    expect(versions).toEqual([0, 1, 2, 3, 4, 5, 6, 7])
  })
})
