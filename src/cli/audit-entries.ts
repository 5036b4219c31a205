import { invalidInput, isJsonObject, jsonValue } from '../core/index.ts'
import type { AuditEntry, AuditOrder, AuditPlace } from '../stores/index.ts'
import { askGateway } from './gateway-request.ts'
import type { Io } from './io.ts'
import type { PlaceGiven } from './keys-place.ts'
import { readText } from './read-text.ts'
import { openStoreThere } from './store-place.ts'

const pageRows = 1000

/** Entries of the audit log, a page after the other: of a gateway that runs, or of a store. */
export async function* auditEntries(given: PlaceGiven, io: Io, order: AuditOrder): AsyncGenerator<AuditEntry> {
  yield* given.url === undefined ? ofStore(given, io, order) : ofGateway({ ...given, url: given.url }, order)
}

async function* ofStore({ tenant, ...given }: PlaceGiven, io: Io, order: AuditOrder): AsyncGenerator<AuditEntry> {
  const store = await openStoreThere(given, io)
  try {
    let after: AuditPlace | undefined
    do {
      const query = { ...(tenant !== undefined && { tenant }), order, limit: pageRows, ...(after && { after }) }
      const page: readonly AuditEntry[] = await store.read('audit').list(query)
      yield* page
      after = page.length === pageRows ? page.at(-1) : undefined
    } while (after)
  } finally {
    await store.close()
  }
}

async function* ofGateway(
  { url, token, tenant }: PlaceGiven & { readonly url: string },
  order: AuditOrder,
): AsyncGenerator<AuditEntry> {
  let cursor: string | null = null
  do {
    const query = new URLSearchParams({ order, limit: String(pageRows), ...(tenant !== undefined && { tenant }) })
    if (cursor !== null) query.set('cursor', cursor)
    const page = (await askGateway({ url, token }, { path: `/v1/audit?${query.toString()}` })) as AuditPage
    yield* page.data
    cursor = page.next
  } while (cursor !== null)
}

interface AuditPage {
  readonly data: readonly AuditEntry[]
  readonly next: string | null
}

/** Entries of a file that `prehend audit export` has written, or of standard input for `-`. */
export async function* exportedEntries(file: string, io: Io): AsyncGenerator<AuditEntry> {
  const lines = (await readText(file, io)).split('\n')
  for (const [index, line] of lines.entries()) {
    if (line.trim() === '') continue
    const value = jsonValue(line)
    if (!isJsonObject(value) || typeof value['seq'] !== 'number' || typeof value['hash'] !== 'string')
      throw invalidInput(`${file}:${index + 1}`, 'is no entry of an audit log', 'Write one with prehend audit export.')
    yield value as unknown as AuditEntry
  }
}
