import { parseTrace, withFoundNeedles } from '../../src/inspect/index.ts'
import type { Trace } from '../../src/inspect/index.ts'
import { browserSession } from './browser.ts'
import { notebookSession } from './notebooks.ts'
import { officeSession } from './office.ts'
import { operationsSession } from './operations.ts'
import { readingSession } from './reading.ts'
import { tableSession } from './tables.ts'
import type { SessionMaker } from './talk.ts'

/**
 * Sessions of kinds that no recorded set holds, made from seeds: browsers, mails, tables, notebooks, handbooks and the care of a
 * cluster. What a later step takes up is a price, a name with blanks, a state, a sentence or a date that a tool has shown.
 */
const makers: Readonly<Record<string, SessionMaker>> = {
  browser: browserSession,
  office: officeSession,
  tables: tableSession,
  notebooks: notebookSession,
  reading: readingSession,
  operations: operationsSession,
}

export const madeKinds: readonly string[] = Object.keys(makers)

/** What the product is built on, and what it is only measured on: other seeds, and a layout that the first half does not have. */
export type Half = 'built' | 'held-out'

const plans: Readonly<Record<Half, readonly (readonly [layout: number, seed: number])[]>> = {
  'built': [
    [0, 1],
    [1, 2],
    [0, 3],
    [1, 4],
  ],
  'held-out': [
    [2, 101],
    [2, 102],
    [0, 103],
    [1, 104],
  ],
}

/** Recorded lines of the sessions of a kind. */
export function madeLines(kind: string, half: Half): string {
  const maker = makers[kind]
  if (maker === undefined)
    throw new Error(`No kind of made session is called ${kind}; there are ${madeKinds.join(', ')}.`)
  const sessions = plans[half].map(([layout, seed]) => maker({ id: `${kind}-${layout}-${seed}`, seed, layout }))
  return sessions.map((session) => JSON.stringify(session)).join('\n')
}

/** The same with the needles that their own messages tell of. */
export function madeTraces(kind: string, half: Half): readonly Trace[] {
  return parseTrace(madeLines(kind, half), kind).map(withFoundNeedles)
}
