import { PrehendError, shape } from '../../core/index.ts'
import type { OutcomeSource, OutcomeWrite, RecordedOutcome, Scope, Store } from '../../stores/index.ts'
import { mostNoteChars, outcomeSources } from '../../stores/index.ts'
import { unknownSession } from '../compaction/compact-session.ts'

/** How good a request or a session turned out. */
export interface GivenOutcome {
  /** From 0 to 1. */
  readonly quality: number
  /** `person` by default. */
  readonly source?: OutcomeSource | undefined
  /** Which request of the session. Without it, the outcome is that of the whole session. */
  readonly requestId?: string | undefined
  /** 2,000 characters at most. */
  readonly note?: string | undefined
  /** Whether it takes the place of another quality of the same source; a conflict otherwise. */
  readonly replace?: boolean | undefined
}

const { flag, name, object, oneOf, optional, share } = shape

const note: shape.Shape<string> = {
  about: `a text of 1 to ${mostNoteChars} characters`,
  schema: { type: 'string', minLength: 1, maxLength: mostNoteChars },
  problem: (value) =>
    typeof value === 'string' && value !== '' && value.length <= mostNoteChars
      ? undefined
      : { field: '', message: 'is no such text', remedy: `Give 1 to ${mostNoteChars} characters.` },
}

export const givenOutcomeShape = object<GivenOutcome>({
  quality: share,
  source: optional(oneOf(outcomeSources)),
  requestId: optional(name),
  note: optional(note),
  replace: optional(flag),
})

export interface OutcomeHost {
  readonly store: Store
  readonly clock: () => number
}

/**
 * Records an outcome and gives what is recorded: the first one where it was there already. Rejects with `invalid-input`, with `not-found`
 * where there is no such session or request of it, and with `conflict` where the same source has said another quality.
 */
export async function recordOutcome(
  { store, clock }: OutcomeHost,
  scope: Scope,
  given: GivenOutcome,
): Promise<RecordedOutcome> {
  shape.check(givenOutcomeShape, given, 'outcome', { strict: true })
  const { tenant, session } = scope
  await requireKnown(store, scope, given.requestId)
  const write = writeOf(given)
  const known = await outcomeLike(store, scope, write)
  if (known !== undefined && write.replace !== true) {
    if (known.quality === write.quality) return known
    throw otherQuality(known)
  }
  await store.commit({ scope: { tenant, session }, nowMs: clock(), writes: [{ table: 'outcomes', ...write }] })
  return (await outcomeLike(store, scope, write)) ?? noLonger()
}

function writeOf({ quality, source = 'person', requestId, note: said, replace }: GivenOutcome): OutcomeWrite {
  return {
    quality,
    source,
    ...(requestId !== undefined && { requestId }),
    ...(said !== undefined && { note: said }),
    ...(replace === true && { replace }),
  }
}

async function outcomeLike(
  store: Store,
  { tenant, session }: Scope,
  { requestId, source }: OutcomeWrite,
): Promise<RecordedOutcome | undefined> {
  const recorded = await store.read('outcomes').list(tenant, session)
  return recorded.find((one) => one.requestId === requestId && one.source === source)
}

/** The log of a session holds requests whose receipts have gone; what went as it came has a receipt only. */
async function requireKnown(store: Store, { tenant, session }: Scope, requestId: string | undefined): Promise<void> {
  const lanes = await store.read('sessions').lanes(tenant, session)
  if (lanes.length === 0) throw unknownSession()
  if (requestId === undefined || (await store.read('turns').has(tenant, session, requestId))) return
  const [receipt] = await store.read('receipts').list(tenant, { session, requestId, limit: 1 })
  if (receipt === undefined) throw noSuch('request of this session', 'List them with GET /v1/packs, or prehend packs.')
}

function noSuch(what: string, remedy: string): PrehendError<'not-found'> {
  return new PrehendError('not-found', `There is no such ${what}. ${remedy}`, { what, remedy })
}

function otherQuality({ source, quality, requestId }: RecordedOutcome): PrehendError<'conflict'> {
  const what = requestId === undefined ? 'the session' : `request ${requestId}`
  const remedy = 'To put the new one in its place, say `replace`.'
  return new PrehendError('conflict', `The source ${source} has given ${what} the quality ${quality}. ${remedy}`, {
    what,
    remedy,
  })
}

/** The session went between the write and the read. */
function noLonger(): never {
  throw unknownSession()
}
