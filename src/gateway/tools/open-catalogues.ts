import { installation } from '../../stores/index.ts'
import type { ToolRecord, ToolWrite } from '../../stores/index.ts'
import { readToolId, toolId } from '../../tools/index.ts'
import type { ToolId } from '../../tools/index.ts'
import type { CatalogueTool } from './catalogue-tool.ts'
import { nameDesk } from './name-desk.ts'
import type { NameDesk } from './name-desk.ts'
import { isOwnWords, openSource } from './open-sources.ts'
import { ownSource } from './own-tools.ts'
import { writeTools } from './registry-parts.ts'
import type { RegistryParts } from './registry-parts.ts'
import { sourceCatalogue } from './source-catalogue.ts'
import type { PinChanges, SourceCatalogue } from './source-catalogue.ts'
import { hostServer, hostSource } from './sources/host-source.ts'
import type { ToolSource } from './sources/tool-source.ts'
import type { MissingTools } from './take-listed.ts'
import type { ToolPin } from './tool-pin.ts'
import type { ToolSourceSettings } from './tool-settings.ts'

/** What the sources of the configuration have for one tenant. */
export interface SourcesOfTenant {
  readonly tools: readonly CatalogueTool[]
  readonly missing: readonly MissingTools[]
  readonly version: string
}

/** A tool that sessions are offered by name. */
export interface CoreTool {
  readonly tool: CatalogueTool
  isOf(tenant: string): boolean
}

export interface Catalogues {
  of(tenant: string): Promise<SourcesOfTenant>
  /** Whether a source has this name. */
  has(server: string): boolean
  /** What runs a tool. */
  source(server: string): ToolSource
  /** Forgets the accepted definition of a tool. False where the tenant has no such tool. */
  forget(tenant: string, id: ToolId): Promise<boolean>
  readonly core: readonly CoreTool[]
  close(): Promise<void>
}

interface OpenSource {
  readonly source: ToolSource
  readonly catalogue: SourceCatalogue
  readonly tenants: readonly string[] | undefined
}

export async function openCatalogues(parts: RegistryParts): Promise<Catalogues> {
  const pins = pinsByServer(await parts.store.read('tools').list(installation.tenant, 'pin'))
  const open = openAll(parts, pins)
  const own = ownSource(parts.fetcher, parts.settings.allowedHosts)
  const isOf = ({ tenants }: OpenSource, tenant: string): boolean => tenants === undefined || tenants.includes(tenant)
  const core = await coreTools(parts, open)
  return {
    async of(tenant) {
      const mine = [...open.values()].filter((one) => isOf(one, tenant))
      await Promise.all(mine.map(({ catalogue }) => refreshed(catalogue)))
      return {
        tools: mine.flatMap(({ catalogue }) => catalogue.tools),
        missing: mine.flatMap(({ catalogue }) => catalogue.missing),
        version: mine.map(({ catalogue }) => catalogue.version).join(),
      }
    },
    has: (server) => open.has(server),
    source: (server) => open.get(server)?.source ?? own,
    async forget(tenant, { server, name }) {
      const one = open.get(server)
      if (one === undefined || !isOf(one, tenant) || !one.catalogue.pins.has(name)) return false
      await one.catalogue.forget(name)
      return true
    },
    core: core.map(({ tool, one }) => ({ tool, isOf: (tenant) => isOf(one, tenant) })),
    close: async () => void (await Promise.all([...open.values()].map(({ source }) => source.close()))),
  }
}

/** What is known is used at once, and looked at again meanwhile. */
async function refreshed(catalogue: SourceCatalogue): Promise<void> {
  const refresh = catalogue.refresh()
  if (!catalogue.isKnown) await refresh
}

function openAll(
  parts: RegistryParts,
  pins: ReadonlyMap<string, ReadonlyMap<string, ToolPin>>,
): ReadonlyMap<string, OpenSource> {
  const { settings, hostTools = [] } = parts
  const open = new Map<string, OpenSource>()
  const desk = nameDesk(() => namesOf(open))
  const add = (
    server: string,
    source: ToolSource,
    said: ToolSourceSettings & { readonly isOwn: boolean },
  ): SourceCatalogue => {
    const catalogue = catalogueOf({ parts, desk, server, source, said }, pins.get(server) ?? new Map())
    open.set(server, { source, catalogue, tenants: said.tenants })
    return catalogue
  }
  for (const [server, said] of Object.entries(settings.sources)) {
    const { connectMs } = settings
    const watch = { changed: () => open.get(server)?.catalogue.changed() }
    const source = openSource({ server, settings: said, connectMs, fetcher: parts.fetcher }, watch)
    add(server, source, { ...said, isOwn: isOwnWords(said) })
  }
  if (hostTools.length > 0) add(hostServer, hostSource(hostTools), { isOwn: true })
  return open
}

interface Cataloguing {
  readonly parts: RegistryParts
  readonly desk: NameDesk
  readonly server: string
  readonly source: ToolSource
  readonly said: ToolSourceSettings & { readonly isOwn: boolean }
}

function catalogueOf(
  { parts, desk, server, source, said }: Cataloguing,
  pins: ReadonlyMap<string, ToolPin>,
): SourceCatalogue {
  const { mostTools, connectMs, refreshMs, core } = parts.settings
  const { level, timeout, scopes, idempotent, accept = [], isOwn } = said
  const defaults = {
    ...(level && { level }),
    ...(timeout && { timeout }),
    ...(scopes && { scopes }),
    ...(idempotent && { idempotent }),
  }
  const keep = async (changes: PinChanges): Promise<void> => {
    if (changes.size === 0) return
    const writes = [...changes].map(([name, pin]) => pinWrite(toolId({ server, name }), pin))
    await writeTools(parts, installation.tenant, ...writes).catch((error: unknown) =>
      parts.failed?.('tool-pins', error),
    )
  }
  return sourceCatalogue(
    {
      server,
      source,
      defaults,
      accept,
      mostTools,
      connectMs,
      refreshMs,
      keep,
      desk,
      core: new Set(core),
      clock: parts.clock,
      pinning: { isHeld: !isOwn, isTrusted: isOwn },
    },
    pins,
  )
}

/** The names of all tools of all sources. */
function namesOf(open: ReadonlyMap<string, OpenSource>): ReadonlyMap<string, string> {
  const given = new Map<string, string>()
  for (const [server, { catalogue }] of open)
    for (const [name, pin] of catalogue.pins) given.set(toolId({ server, name }), pin.calledAs)
  return given
}

function pinWrite(id: string, pin: ToolPin | undefined): ToolWrite {
  // A pin is JSON: it was made of what a server has sent, or of what a store has held.
  return pin === undefined
    ? { drop: id }
    : { put: id, kind: 'pin', value: pin as unknown as Extract<ToolWrite, { put: string }>['value'] }
}

function pinsByServer(records: readonly ToolRecord[]): ReadonlyMap<string, ReadonlyMap<string, ToolPin>> {
  const found = new Map<string, Map<string, ToolPin>>()
  for (const { id, value } of records) {
    const { server, name } = readToolId(id)
    found.set(server, (found.get(server) ?? new Map<string, ToolPin>()).set(name, value as unknown as ToolPin))
  }
  return found
}

interface OpenCore {
  readonly tool: CatalogueTool
  readonly one: OpenSource
}

/** Core tools as they are now. Sources that nothing is known of are waited for, since their tools could not come in later. */
async function coreTools(
  { settings }: RegistryParts,
  open: ReadonlyMap<string, OpenSource>,
): Promise<readonly OpenCore[]> {
  const mayHaveCore = (server: string): boolean => {
    const said = settings.sources[server]
    if (said === undefined || said.level === 'core' || said.file !== undefined) return true
    return settings.core.some((id) => !id.includes('::') || id.startsWith(`${server}::`))
  }
  const asked = [...open].filter(([server]) => mayHaveCore(server)).map(([, one]) => one)
  await Promise.all(asked.map(({ catalogue }) => refreshed(catalogue)))
  return asked.flatMap((one) =>
    one.catalogue.tools.flatMap((tool) => (tool.level === 'core' && tool.status === 'ready' ? [{ tool, one }] : [])),
  )
}
