import { invalidInput } from '../../core/index.ts'
import type { SessionRecord } from '../../core/index.ts'
import type { Scope, Store } from '../../stores/index.ts'
import { changeRecord } from '../compaction/session-record.ts'

/** Characters of a note, and pinned items of a session. */
export const mostNoteChars = 2000
export const mostPins = 50

export interface Steering {
  readonly note: string | null
  /** Ids of items. */
  readonly pins: readonly string[]
}

export interface SteeringChange {
  /** Null removes the note. */
  readonly note?: string | null
  readonly pin?: readonly string[]
  readonly unpin?: readonly string[]
}

interface SteeringHost {
  readonly store: Store
  readonly clock: () => number
}

export function steeringIn(record: SessionRecord | undefined): Steering {
  return { note: record?.note ?? null, pins: record?.pins ?? [] }
}

/** Changes what the next request of a session is steered by. Rejects with `invalid-input`, `conflict` and `store-failed`. */
export async function changeSteering(host: SteeringHost, scope: Scope, change: SteeringChange): Promise<Steering> {
  return steeringIn(await changeRecord(host, scope, (record) => changed(record, change)))
}

function changed(record: SessionRecord, { note, pin = [], unpin = [] }: SteeringChange): SessionRecord {
  const before = steeringIn(record)
  const gone = new Set(unpin)
  const pins = [...new Set([...before.pins, ...pin])].filter((id) => !gone.has(id))
  if (pins.length > mostPins)
    throw invalidInput('pin', `makes ${pins.length} pinned items`, `Unpin some: a session has at most ${mostPins}.`)
  const after = note === undefined ? before.note : note
  const isSame =
    after === before.note && pins.length === before.pins.length && pins.every((id, at) => id === before.pins[at])
  if (isSame) return record
  const { note: _note, pins: _pins, ...others } = record
  return { ...others, ...(after !== null && { note: after }), ...(pins.length > 0 && { pins }) }
}
