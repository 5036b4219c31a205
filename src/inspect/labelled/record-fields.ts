import type { JsonObject } from '../../core/index.ts'
import { isJsonObject } from '../../core/index.ts'
import { inside, traceError } from '../trace-error.ts'
import type { TracePlace } from '../trace-error.ts'

/** A record of a file, and where it stands. */
export interface PlacedRecord {
  readonly record: JsonObject
  readonly place: TracePlace
}

/** Text of a member that must have some; a number is its digits. */
export function textField({ record, place }: PlacedRecord, name: string): string {
  const value = record[name]
  if (typeof value === 'number') return String(value)
  if (typeof value === 'string' && value !== '') return value
  throw traceError(inside(place, name), 'is no text', 'Give a string that is not empty')
}

export function optionalText({ record, place }: PlacedRecord, name: string): string | undefined {
  const value = record[name]
  if (value === undefined || value === null) return undefined
  if (typeof value === 'string') return value
  throw traceError(inside(place, name), 'is no text', 'Give a string, or leave it out')
}

/** What a list holds, each with its place. */
export function listField<Value>(
  { record, place }: PlacedRecord,
  name: string,
  read: (value: unknown, place: TracePlace) => Value,
): readonly Value[] {
  const value = record[name]
  const at = inside(place, name)
  if (!Array.isArray(value)) throw traceError(at, 'is no list', 'Give a list')
  return value.map((one: unknown, index) => read(one, inside(at, index)))
}

export function textEntry(value: unknown, place: TracePlace): string {
  if (typeof value === 'string' || typeof value === 'number') return String(value)
  throw traceError(place, 'is no text', 'Give a string')
}

export function recordEntry(value: unknown, place: TracePlace): PlacedRecord {
  if (isJsonObject(value)) return { record: value, place }
  throw traceError(place, 'is no object', 'Give an object')
}

/** An index from 0 into something of that size. */
export function indexEntry(size: number): (value: unknown, place: TracePlace) => number {
  return (value, place) => {
    if (typeof value === 'number' && Number.isInteger(value) && value >= 0 && value < size) return value
    throw traceError(place, `is no index from 0 to ${size - 1}`, 'Give the place of a turn, from 0')
  }
}
