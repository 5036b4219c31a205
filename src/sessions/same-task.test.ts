import { expect, it } from 'vitest'
import { codecFor } from '../codecs/index.ts'
import type { Codec } from '../codecs/index.ts'
import { thrifty } from '../compiler/index.ts'
import { openSessions } from './open-sessions.ts'
import { bodyOf, sessionParts } from './session.fixture.ts'

const own = codecFor('anthropic-messages')

/** One task that is given again and again, each time with a number of its own among its instructions. */
const bodyOfRun = (run: number, results: number): string =>
  bodyOf(results, 'Find the value.', { system: `You are an agent. Your files are in /tmp/run-${4000 + 37 * run}.` })

it('of many runs of one task, a request is of the one that has its own values, and is written anew for none', async () => {
  const sessions = openSessions(sessionParts())
  let writtenAnew = 0
  const codec: Codec = {
    ...own,
    encode(exchange, view) {
      if (view.pack === undefined) writtenAnew += 1
      return own.encode(exchange, view)
    },
  }
  const scope = { tenant: 'acme', session: 's', lane: 'lane' }
  const runs = [0, 1, 2, 3, 4]
  const lanes = new Map<number, Set<string | undefined>>(runs.map((run) => [run, new Set()]))
  const turns = runs.flatMap((run) => [0, 1, 2].map((results) => ({ run, results })))
  // One after the other, then all of them a turn further.
  for (const { run, results } of [...turns, ...runs.map((each) => ({ run: each, results: 3 }))]) {
    const body = bodyOfRun(run, results)
    const received = codec.decode({ body }, sessions.guess('acme', body))
    const requestId = `${run}-${results}`
    const asked = { codec, received, requestId, mode: 'on', policy: thrifty, rehydrates: true, steady: true } as const
    const turn = await sessions.open(scope).pack(asked)
    if (turn.kind === 'unpacked') throw turn.error
    expect(turn.received).toBe(received)
    lanes.get(run)?.add(turn.scope.lane)
  }
  expect(writtenAnew).toBe(0)
  expect([...lanes.values()].map(({ size }) => size)).toEqual(runs.map(() => 1))
  expect(new Set([...lanes.values()].flatMap((names) => [...names])).size).toBe(runs.length)
})

it('what is asked again goes where it was asked, though another run begins with just its values by now', async () => {
  const sessions = openSessions(sessionParts())
  let asked = 0
  const laneOf = async (minute: number, results: number): Promise<string | undefined> => {
    const body = bodyOf(results, 'Find the value.', { system: `You are an agent. It is 2026-11-20T10:${minute}:00Z.` })
    const received = own.decode({ body }, sessions.guess('acme', body))
    asked += 1
    const request = { codec: own, received, requestId: `r${asked}`, mode: 'on', policy: thrifty } as const
    const turn = await sessions
      .open({ tenant: 'acme', session: 's', lane: 'lane' })
      .pack({ ...request, rehydrates: true, steady: true })
    if (turn.kind === 'unpacked') throw turn.error
    return turn.scope.lane
  }
  const first = [await laneOf(41, 0), await laneOf(41, 1)]
  expect(first).toEqual(['lane', 'lane'])
  const other = await laneOf(42, 0)
  expect(other).not.toBe('lane')
  expect(await laneOf(42, 1)).toBe('lane')
  expect(await laneOf(43, 2)).toBe('lane')
})
