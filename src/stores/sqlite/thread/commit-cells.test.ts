import fc from 'fast-check'
import { expect, it } from 'vitest'
import type { CommitRows, SessionChange } from '../commit-rows.ts'
import { fragmentKinds } from '../known-lists.ts'
import { commitCells, commitsIn } from './commit-cells.ts'

const text = fc.string()
const number = fc.integer()

/** Some of the members. */
function some<Members extends object>(members: { [Name in keyof Members]: fc.Arbitrary<Members[Name]> }) {
  return fc.record(members, { requiredKeys: [] })
}

const fragment = fc.integer({ min: 0, max: 4 }).chain((texts) =>
  fc.record({
    kind: fc.constantFrom(...Object.values(fragmentKinds)),
    first: number,
    strings: fc.array(text, { minLength: texts + 1, maxLength: texts + 1 }),
    texts: fc.array(text, { minLength: texts, maxLength: texts }),
  }),
)

const receipt = fc
  .tuple(
    fc.record({ requestId: text, packId: text, head: text, policy: text, manifest: text }),
    some({ model: text, input: text, request: text }),
  )
  .map(([always, sometimes]) => ({ ...always, ...sometimes }))

const session = fc
  .tuple(
    fc.record({
      fragments: fc.array(fragment, { maxLength: 3 }),
      originals: fc.array(fc.record({ handle: text, text, about: text }), { maxLength: 3 }),
    }),
    some({
      base: fc.record({ id: number, version: number, usedMs: number }),
      offeredTools: text,
      ledger: fc.option(text),
      overlay: text,
      policy: fc.record({ key: text, json: text }),
      receipt,
    }),
  )
  .map(([always, sometimes]): SessionChange => ({ ...always, ...sometimes }))

const commit = fc
  .tuple(
    fc.record({ tenant: text, session: text }),
    some({ lane: text }),
    some({
      expectVersion: number,
      session,
      result: fc.record({ requestId: text, json: text }),
      tally: fc.record({
        model: text,
        policy: text,
        figures: fc.record({ requests: number, usd: fc.double({ noDefaultInfinity: true, noNaN: true }) }),
      }),
    }),
  )
  .map(([scope, lane, rest]): CommitRows => ({ scope: { ...scope, ...lane }, nowMs: 1, ...rest }))

it('commits come out of their cells, on the other side of a thread, as they were put in', () => {
  fc.assert(
    fc.property(fc.array(commit, { maxLength: 5 }), (batch) => {
      const read = commitsIn(structuredClone(commitCells(batch)))
      // A tally is JSON, which knows no negative zero.
      expect(JSON.parse(JSON.stringify(read))).toEqual(JSON.parse(JSON.stringify(batch)))
      expect(read.map((rows) => Object.keys(rows).toSorted())).toEqual(
        batch.map((rows) => Object.keys(rows).toSorted()),
      )
    }),
  )
})
