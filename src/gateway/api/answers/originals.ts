import type { z } from 'zod'
import { invalidInput } from '../../../core/index.ts'
import { originalLines, selectFrom } from '../../../ladders/index.ts'
import { chosenOriginals } from '../../../stores/index.ts'
import type { Store } from '../../../stores/index.ts'
import type { Answered, Asked } from '../route.ts'
import type { listOriginals, originalQuery, originalsQuery, showOriginal } from '../routes/original-routes.ts'
import { notFound } from './not-found.ts'

/** Characters of originals that a search by words looks through at most. */
const searchedChars = 4_000_000

/** What was left out of a session's requests, without the texts: all of it, or the best for some words. */
export async function answerOriginals(
  store: Store,
  { tenant, params, query }: Asked<typeof originalsQuery>,
): Promise<Answered<z.output<NonNullable<typeof listOriginals.answer>>>> {
  const scope = { tenant, session: params['session'] ?? '', lane: '' }
  const { q, kind, reason, limit } = query
  const wanted = { limit, ...(kind && { kind }), ...(reason && { reason }) }
  const found =
    q === undefined
      ? await store.read('originals').list(scope, wanted)
      : chosenOriginals(await store.read('originals').search(scope, q, { maxChars: searchedChars }), wanted)
  const data = found.map((one) => ({ ...one, uri: uriOf(scope.session, one.handle) }))
  return { object: 'list', data, next: null }
}

/** The text behind a handle, whole or some of its lines. Throws `not-found`, and `invalid-input` for lines that are none. */
export async function answerOriginal(
  store: Store,
  { tenant, params, query }: Asked<typeof originalQuery>,
): Promise<Answered<z.output<NonNullable<typeof showOriginal.answer>>>> {
  const { session = '', handle = '' } = params
  const original = await store.read('originals').get({ tenant, session }, handle)
  if (!original) throw notFound('handle', 'Copy it as it stands in a request of this session.')
  const uri = uriOf(session, handle)
  if (query.lines === undefined) return { ...original, uri }
  const split = originalLines(original)
  const text = selectFrom(split, query.lines)
  if (text === undefined)
    throw invalidInput(
      'lines',
      `is ${JSON.stringify(query.lines)}`,
      `Give first-last, from 1 to ${split.lines.length}.`,
    )
  return { ...original, text, uri }
}

/** The address of an original. */
function uriOf(session: string, handle: string): string {
  return `prehend://sessions/${encodeURIComponent(session)}/originals/${handle}`
}
