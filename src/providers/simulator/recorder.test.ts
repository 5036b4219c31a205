import { expect, it } from 'vitest'
import { manualClock } from './clock.ts'
import { recorder } from './recorder.ts'

it('keeps the newest requests, fewer when they are large', () => {
  const kept = recorder(manualClock(), 3)
  const begin = (body: string) => kept.begin({ method: 'POST', path: '/', headers: {}, body })
  for (const body of ['1', '2', '3', '4']) begin(body)
  expect(kept.requests.map(({ body }) => body)).toEqual(['2', '3', '4'])
  begin('x'.repeat(7_999_999))
  expect(kept.requests.map(({ body }) => body.length)).toEqual([1, 7_999_999])
  begin('x'.repeat(9_000_000))
  expect(kept.requests.map(({ id }) => id)).toEqual(['req_sim00000006'])
})
