import fc from 'fast-check'
import { expect, it } from 'vitest'
import { listKinds } from '../tables/list-kinds.ts'
import { unitCells, unitsIn } from './unit-cells.ts'
import type { UnitRows } from './unit-rows.ts'

const text = fc.string()
const number = fc.integer()

const fragment = fc.integer({ min: 0, max: 4 }).chain((texts) =>
  fc.record({
    kind: fc.constantFrom(...Object.values(listKinds)),
    first: number,
    strings: fc.array(text, { minLength: texts + 1, maxLength: texts + 1 }),
    texts: fc.array(text, { minLength: texts, maxLength: texts }),
  }),
)

const cell = fc.oneof(text, number, fc.constant(null), fc.constant(undefined))
const write = fc.tuple(text, fc.array(cell, { maxLength: 9 }))

const unit = fc
  .tuple(
    fc.record({ tenant: text, session: text }),
    fc.record({ lane: text }, { requiredKeys: [] }),
    fc.record(
      {
        nowMs: number,
        changesSession: fc.boolean(),
        fragments: fc.array(fragment, { maxLength: 3 }),
        writes: fc.array(write, { maxLength: 4 }),
        expectVersion: number,
        base: fc.record({ id: number, version: number, usedMs: number }),
      },
      { requiredKeys: ['nowMs', 'changesSession', 'fragments', 'writes'] },
    ),
  )
  .map(([scope, lane, rest]): UnitRows => ({ ...rest, scope: { ...scope, ...lane } }))

it('units come out of their cells, on the other side of a thread, as they were put in', () => {
  fc.assert(
    fc.property(fc.array(unit, { maxLength: 5 }), (batch) => {
      const read = unitsIn(structuredClone(unitCells(batch)))
      expect(read).toEqual(batch)
    }),
  )
})
