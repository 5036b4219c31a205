import { z } from 'zod'
import { invalidInput, jsonValue } from '../../core/index.ts'

/** Where a list goes on, as a text that says nothing to others; it stays good when something is added to the list. */
export function cursorOf(place: object): string {
  return Buffer.from(JSON.stringify(place)).toString('base64url')
}

/** Throws `invalid-input` where a text is no cursor of this kind. */
export function placeOf<Place extends z.ZodType>(
  shape: Place,
  cursor: string | undefined,
): z.output<Place> | undefined {
  if (cursor === undefined) return undefined
  const read = shape.safeParse(jsonValue(Buffer.from(cursor, 'base64url').toString()))
  if (read.success) return read.data
  throw invalidInput(
    'cursor',
    'is not one that this list has given',
    'Take `next` of the page before, or leave it out.',
  )
}

/** One more than a page shows is read, so that a page knows whether another follows. */
export function pageOf<Row>(
  rows: readonly Row[],
  limit: number,
  placeOfRow: (row: Row) => object,
): { readonly data: readonly Row[]; readonly next: string | null } {
  const data = rows.slice(0, limit)
  const last = data.at(-1)
  return { data, next: last !== undefined && rows.length > limit ? cursorOf(placeOfRow(last)) : null }
}

const placeInList = z.strictObject({ at: z.number().int().min(0) })

/** A page of a list that is at hand as a whole; all of it by default. */
export function pageWithin<Row>(
  rows: readonly Row[],
  { limit = Infinity, cursor }: { readonly limit?: number | undefined; readonly cursor?: string | undefined },
): { readonly data: readonly Row[]; readonly next: string | null } {
  const from = placeOf(placeInList, cursor)?.at ?? 0
  const some = rows.slice(from, from + limit + 1).map((row, index) => ({ row, at: from + index + 1 }))
  const { data, next } = pageOf(some, limit, ({ at }) => ({ at }))
  return { data: data.map(({ row }) => row), next }
}
