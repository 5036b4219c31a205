import { sha256 } from '../../host/index.ts'
import type { ToolRecord } from '../../stores/index.ts'
import { calledAs } from '../../tools/index.ts'
import type { CatalogueTool } from './catalogue-tool.ts'
import type { SourcesOfTenant } from './open-catalogues.ts'
import { ownTools } from './own-tools.ts'
import type { MissingTools } from './take-listed.ts'

/** All tools of a tenant, and what is missing: a catalogue with anything missing is incomplete. */
export interface ToolCatalogue {
  /** By id. */
  readonly tools: readonly CatalogueTool[]
  readonly missing: readonly MissingTools[]
  /** Another one whenever the tools are. */
  readonly version: string
}

/** Tenants whose catalogue is remembered. */
const mostRemembered = 200

type Merge = (tenant: string, own: readonly ToolRecord[], ofSources: SourcesOfTenant) => ToolCatalogue

/** Puts the catalogues of tenants together; as long as nothing changes, the same value comes again. */
export function mergedCatalogues(): Merge {
  const known = new Map<string, ToolCatalogue>()
  return (tenant, own, { tools, missing, version: versionOfSources }) => {
    const key = own.map(({ id, writtenMs, value }) => [id, writtenMs, value])
    const version = sha256(JSON.stringify([versionOfSources, key])).slice(0, 16)
    const before = known.get(tenant)
    if (before?.version === version) return before
    const catalogue = { tools: mergedTools(ownTools(own), tools), missing, version }
    if (known.size >= mostRemembered) known.clear()
    known.set(tenant, catalogue)
    return catalogue
  }
}

/** Tools of the tenant keep their names; one of a source that is called so, too, has its server before it. */
function mergedTools(own: readonly CatalogueTool[], ofSources: readonly CatalogueTool[]): readonly CatalogueTool[] {
  const taken = new Set(own.map((tool) => tool.calledAs))
  const given = new Map([...own, ...ofSources.filter((tool) => !taken.has(tool.calledAs))].map(nameOf))
  const names = calledAs(ofSources, given)
  const renamed = ofSources.map((tool) => ({ ...tool, calledAs: names.get(tool.id) ?? tool.calledAs }))
  return [...own, ...renamed].toSorted((one, other) => (one.id < other.id ? -1 : 1))
}

function nameOf(tool: CatalogueTool): readonly [string, string] {
  return [tool.id, tool.calledAs]
}
