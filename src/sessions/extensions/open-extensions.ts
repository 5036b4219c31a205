import { callable, invalidInput, shape } from '../../core/index.ts'
import type { TextEmbedder } from '../../knowledge/index.ts'
import { inProcessHot, memoryBlobs } from '../../stores/index.ts'
import type { BlobRef, Blobs, Hot, Store } from '../../stores/index.ts'
import { dialectsOf, requireDialects } from './added-dialects.ts'
import { requireCompileAdditions } from './compile-additions.ts'
import type {
  CountMetric,
  ExtensionHost,
  ExtensionLog,
  ExtensionPlace,
  ExtensionValues,
  HeardEvent,
  SessionAdditions,
} from './extension.ts'
import { requireTables, tableOpener } from './own-tables.ts'
import { extensionFailure, named, readConfig } from './read-extension.ts'
import type { ConfiguredExtension } from './read-extension.ts'

/** Everything that an extension may give. Each place uses the kinds that have a meaning there, and ignores the others. */
const additionKinds = [
  'layers',
  'sources',
  'tools',
  'ladders',
  'scorers',
  'detectors',
  'dialects',
  'routes',
  'commands',
  'metrics',
  'jobs',
  'events',
  'close',
] as const

const known: ReadonlySet<string> = new Set(additionKinds)
const functions: ReadonlySet<string> = new Set(['events', 'close'])

/** An extension that is open on a thread. */
export interface OpenedExtension<Added extends SessionAdditions = SessionAdditions> {
  readonly name: string
  readonly added: Added
  /** The kinds of what it adds, tables among them. */
  readonly adds: readonly string[]
}

/** The extensions of a thread, in their order. */
export interface OpenedExtensions<Added extends SessionAdditions = SessionAdditions> {
  readonly all: readonly OpenedExtension<Added>[]
  /** Tells all of them what has happened. Never throws. */
  hear(heard: HeardEvent): void
  /** Closes all of them. Never rejects. */
  close(): Promise<void>
}

/** What a place opens extensions with. */
export interface OpeningParts {
  readonly place: ExtensionPlace
  readonly store: Store
  readonly clock: () => number
  readonly hot?: Hot | undefined
  /** Of the process by default. */
  readonly blobs?: Blobs | undefined
  readonly embedder?: TextEmbedder | undefined
  readonly log?: ExtensionLog | undefined
  /** How an extension counts; nobody reads counts where absent. */
  readonly counter?: ((extension: string, declared: () => SessionAdditions) => CountMetric) | undefined
}

const silent: ExtensionLog = { info: () => undefined, warn: () => undefined, error: () => undefined }

/**
 * Opens extensions one after the other. Rejects with an `invalid-input` that names the extension that is not one, fails, or gives what nobody
 * knows; those before it are closed again.
 */
export async function openExtensions<Added extends SessionAdditions = SessionAdditions>(
  given: readonly ConfiguredExtension[],
  parts: OpeningParts,
): Promise<OpenedExtensions<Added>> {
  const opened: OpenedExtension<Added>[] = []
  const close = async (): Promise<void> => {
    for (const { name, added } of opened.splice(0).toReversed()) await closed(name, added, parts.log)
  }
  const hot = parts.hot ?? (given.length > 0 ? inProcessHot({ clock: parts.clock }) : undefined)
  const { blobs = memoryBlobs() } = parts
  try {
    for (const one of given) {
      const { name } = one.extension
      if (opened.some((other) => other.name === name))
        throw invalidInput('extensions', `has ${JSON.stringify(name)} twice`, 'Leave one of them out.')
      const added = (await openOne(one, { ...parts, hot, blobs })) as Added
      opened.push({ name, added, adds: addsOf(one, added) })
    }
    dialectsOf({ all: opened })
  } catch (error) {
    await close()
    throw error
  }
  const all = [...opened]
  return { all, close, hear: (heard) => hearing(all, heard) }
}

function addsOf({ extension: { tables } }: ConfiguredExtension, added: object): readonly string[] {
  return [...Object.keys(added), ...(tables ? ['tables'] : [])].toSorted()
}

/** What an extension has given, checked. */
async function openOne(one: ConfiguredExtension, parts: OpeningParts): Promise<SessionAdditions> {
  const { name } = one.extension
  let given: object | undefined
  try {
    requireTables(one, parts.store)
    const host = await hostOf(one, parts, () => given ?? {})
    given = await one.extension.open(host as ExtensionHost<never>)
    requireAdditions(name, given)
    return given
  } catch (error) {
    if (given) await closed(name, given, parts.log)
    throw extensionFailure(name, 'cannot be opened', error)
  }
}

async function hostOf(
  one: ConfiguredExtension,
  { place, store, clock, hot, blobs = memoryBlobs(), embedder, log = silent, counter }: OpeningParts,
  declared: () => SessionAdditions,
): Promise<ExtensionHost> {
  return {
    config: await readConfig(one),
    place,
    store,
    values: valuesOf(one.extension.name, { store, clock }),
    table: tableOpener(one, { store, clock }),
    hot: hot ?? inProcessHot({ clock }),
    blobs: blobsOf(one.extension.name, blobs),
    embedder,
    clock,
    log: namedLog(log, one.extension.name),
    count: counter?.(one.extension.name, declared) ?? (() => undefined),
  }
}

function valuesOf(extension: string, { store, clock }: Pick<OpeningParts, 'store' | 'clock'>): ExtensionValues {
  const keyOf = (key: string): string => `${extension} ${key}`
  return {
    get: async (tenant, key) => (await store.read('extension-values').get(tenant, keyOf(key)))?.value,
    put: (tenant, key, value) =>
      store.commit({
        scope: { tenant, session: '', lane: '' },
        nowMs: clock(),
        writes: [{ table: 'extension-values', key: keyOf(key), value }],
      }),
  }
}

/** Whose the blobs are that an extension keeps for a tenant. */
export function extensionTenant(extension: string, tenant: string): string {
  return `extension\0${extension}\0${tenant}`
}

/** A blob goes when its extension drops it, whatever others have stored. */
function blobsOf(extension: string, blobs: Blobs): Blobs {
  const tenantOf = (tenant: string): string => extensionTenant(extension, tenant)
  const owned = <Ref extends Pick<BlobRef, 'tenant'>>(ref: Ref): Ref => ({ ...ref, tenant: tenantOf(ref.tenant) })
  return {
    async put(tenant, bytes, { beforeStored } = {}) {
      const told = beforeStored && { beforeStored: (ref: BlobRef) => beforeStored({ ...ref, tenant }) }
      return { ...(await blobs.put(tenantOf(tenant), bytes, told)), tenant }
    },
    get: (ref, range) => blobs.get(owned(ref), range),
    drop: (ref) => blobs.drop(owned(ref)),
    dropTenant: (tenant) => blobs.dropTenant(tenantOf(tenant)),
  }
}

/** Every line says which extension has written it. */
function namedLog(log: ExtensionLog, extension: string): ExtensionLog {
  return {
    info: (event, fields) => log.info(event, { ...fields, extension }),
    warn: (event, fields) => log.warn(event, { ...fields, extension }),
    error: (event, fields) => log.error(event, { ...fields, extension }),
  }
}

/** Throws `invalid-input` that names the extension and the member. */
function requireAdditions(name: string, added: unknown): asserts added is SessionAdditions {
  const at = named(name)
  if (typeof added !== 'object' || added === null)
    throw invalidInput(at, 'gives nothing when it opens', `Give an object with some of ${additionKinds.join(', ')}.`)
  shape.checkMembers(added, known, at)
  for (const [kind, value] of Object.entries(added)) {
    if (value === undefined) continue
    if (functions.has(kind)) shape.check(callable(), value, `${at}.${kind}`)
    else if (kind !== 'metrics' && !Array.isArray(value))
      throw invalidInput(`${at}.${kind}`, 'is not a list', 'Give a list.')
  }
  const checked: SessionAdditions = added
  requireCompileAdditions(at, checked)
  requireDialects(at, checked.dialects ?? [])
}

function hearing(all: readonly OpenedExtension[], heard: HeardEvent): void {
  for (const { added } of all) {
    try {
      added.events?.(heard)
    } catch {
      // Nobody's request fails because somebody cannot listen.
    }
  }
}

async function closed(name: string, added: SessionAdditions, log: ExtensionLog = silent): Promise<void> {
  try {
    await added.close?.()
  } catch {
    log.warn('extension-not-closed', { extension: name })
  }
}

/** What extensions have given of a kind, in their order. */
export function givenOf<Added extends SessionAdditions, Kind extends keyof Added>(
  { all }: Pick<OpenedExtensions<Added>, 'all'>,
  kind: Kind,
): readonly Exclude<Added[Kind], undefined>[] {
  return all.flatMap(({ added }) => (added[kind] === undefined ? [] : [added[kind] as Exclude<Added[Kind], undefined>]))
}

export const noExtensions: OpenedExtensions<never> = { all: [], hear: () => undefined, close: async () => undefined }
