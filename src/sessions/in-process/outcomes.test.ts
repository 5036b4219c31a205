import { expect, it } from 'vitest'
import { memoryStore } from '../../stores/index.ts'
import { bodyOf } from '../session.fixture.ts'
import { openSession } from './open-session.ts'

const body = (results: number) => JSON.parse(bodyOf(results, 'Find the value.')) as object

it('a session in process records how good a request turned out, and the whole session', async () => {
  const store = memoryStore()
  const session = openSession({ store, id: 'job', tenant: 'acme', clock: () => 5 })
  await session.pack(body(2))
  const { receipt } = await session.pack(body(3))
  const requestId = receipt?.requestId
  const passed = await session.outcome({ requestId, source: 'test', quality: 0.8, note: '8 of 10 pass' })
  expect(passed).toEqual({ requestId, source: 'test', quality: 0.8, weight: 1, atMs: 5, note: '8 of 10 pass' })
  const whole = await session.outcome({ quality: 1 })
  expect(whole).toEqual({ source: 'person', quality: 1, weight: 1, atMs: 5 })
  expect(await store.read('outcomes').list('acme', 'job')).toHaveLength(2)
  expect(await session.outcome({ requestId, source: 'test', quality: 0.8, note: 'again' })).toEqual(passed)
  const worse = { requestId, source: 'test', quality: 0.1 } as const
  await expect(session.outcome(worse)).rejects.toMatchObject({ code: 'conflict' })
  expect(await session.outcome({ ...worse, replace: true })).toMatchObject({ quality: 0.1 })
  // What was packed before is judged still, and the session goes on as it was.
  expect((await session.pack(body(4))).skipped).toBeUndefined()
})

it('an outcome of nothing is not found, and one that is none is refused by name', async () => {
  const session = openSession()
  await expect(session.outcome({ quality: 1 })).rejects.toMatchObject({ code: 'not-found' })
  await session.pack(body(2))
  const refused = async (given: object): Promise<unknown> =>
    session.outcome({ quality: 1, ...given }).catch(({ code, data }: { code: string; data: object }) => [code, data])
  expect(await refused({ requestId: 'none' })).toMatchObject(['not-found', { what: 'request of this session' }])
  expect(await refused({ quality: 1.1 })).toMatchObject(['invalid-input', { field: 'outcome.quality' }])
  expect(await refused({ quality: Number.NaN })).toMatchObject(['invalid-input', { field: 'outcome.quality' }])
  expect(await refused({ source: 'guess' })).toMatchObject(['invalid-input', { field: 'outcome.source' }])
  expect(await refused({ note: 'x'.repeat(2001) })).toMatchObject(['invalid-input', { field: 'outcome.note' }])
  expect(await refused({ turn: 3 })).toMatchObject(['invalid-input', { field: 'outcome.turn' }])
  await expect(openSession({ id: 'other' }).outcome({ quality: 1 })).rejects.toMatchObject({ code: 'not-found' })
})
