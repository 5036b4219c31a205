import type { OverlayPart, SessionRecord, SessionRecordPart } from '../../core/index.ts'
import type { Scope, SessionState, Store } from '../../stores/index.ts'
import { isConflict } from '../is-conflict.ts'

/** Times that a change is made again because somebody else was faster. */
const mostTries = 8

/** Beside the conversations of a session; the name of no conversation begins so. */
const recordLane = 'session-record'

/** Where the record of a session lies. */
export function recordScope({ tenant, session }: Scope): Scope {
  return { tenant, session, lane: recordLane }
}

export function recordIn(state: SessionState | undefined): SessionRecord | undefined {
  const parts: readonly (OverlayPart | SessionRecordPart)[] = state?.overlay ?? []
  const part = parts.find(({ kind }) => kind === 'session-record')
  if (part?.kind !== 'session-record') return undefined
  const { kind: _, ...record } = part
  return record
}

/** Rejects where the store cannot be read. */
export async function readRecord(store: Pick<Store, 'read'>, scope: Scope): Promise<SessionRecord | undefined> {
  return recordIn(await store.read('sessions').get(recordScope(scope)))
}

interface RecordHost {
  readonly store: Store
  readonly clock: () => number
}

/**
 * Changes the record of a session, and has everybody who holds one of its conversations in memory read it again: all of them are written
 * to, so that a commit upon what they hold is a conflict. Nothing is written where nothing changes, and
 * with `touches: false` nobody need read it again. Rejects with `conflict`.
 */
export async function changeRecord(
  { store, clock }: RecordHost,
  scope: Scope,
  change: (record: SessionRecord) => SessionRecord,
  { touches = true }: { readonly touches?: boolean } = {},
): Promise<SessionRecord> {
  const at = recordScope(scope)
  for (let tries = 1; ; tries += 1) {
    const state = await store.read('sessions').get(at)
    const before = recordIn(state) ?? {}
    const record = change(before)
    if (record === before) return before
    try {
      const overlay = [{ kind: 'session-record', ...record } as const]
      await store.commit({
        scope: at,
        nowMs: clock(),
        expectVersion: state?.version ?? 0,
        writes: [{ table: 'sessions', overlay }],
      })
    } catch (error) {
      if (!isConflict(error) || tries === mostTries) throw error
      continue
    }
    if (touches) await touchLanes({ store, clock }, scope)
    return record
  }
}

async function touchLanes({ store, clock }: RecordHost, { tenant, session }: Scope): Promise<void> {
  const lanes = await store.read('sessions').lanes(tenant, session)
  const nowMs = clock()
  for (const lane of lanes)
    if (lane !== recordLane)
      await store.commit({ scope: { tenant, session, lane }, nowMs, writes: [{ table: 'sessions' }] })
}
