import { dialects } from '../../codecs/index.ts'
import { PrehendError } from '../../core/index.ts'
import type { Store } from '../../stores/index.ts'
import type { ReplayedRequest } from './replay-messages.ts'

const pageSize = 100
/** Of a session, its first ones. */
const mostRequests = 1000
/** Of all bodies of a session: a thread holds them all. */
const mostChars = 256_000_000

/** The requests of a session, the oldest first; undefined for one whose content is not recorded. Throws `beyond-limits`. */
export async function* recordedRequests(
  store: Store,
  tenant: string,
  session: string,
): AsyncGenerator<ReplayedRequest | undefined> {
  let after = -1
  let told = 0
  let chars = 0
  for (;;) {
    const page = await store.read('receipts').list(tenant, { session, after, limit: pageSize })
    for (const { requestId, dialect, mode, lane, createdMs, sequence, result } of page) {
      after = sequence
      if (dialect === 'compile' || mode === 'unpacked' || mode === 'answered') continue
      const { request } = (await store.read('receipts').get(tenant, requestId)) ?? {}
      chars += request?.body.length ?? 0
      if (chars > mostChars) throw tooMuch(session)
      const answerTokens = result?.rounds ? undefined : result?.usage?.outputTokens
      const { path, body } = request ?? {}
      // It is made again on a thread that opens no extensions.
      yield body === undefined || !dialects.names.includes(dialect)
        ? undefined
        : { session, lane, requestId, dialect, path, body, atMs: createdMs, answerTokens }
      told += 1
      if (told === mostRequests) return
    }
    if (page.length < pageSize) return
  }
}

function tooMuch(session: string): PrehendError {
  const remedy = 'Replay a shorter session, or its trace with `prehend replay`.'
  return new PrehendError('beyond-limits', `The requests of ${session} are too long to be replayed here. ${remedy}`, {
    field: 'sessions',
    most: mostChars,
    remedy,
  })
}
