import { registryEntry } from '../../tools/index.ts'
import type { RegistryTool, SourcedTool, ToolProtocol } from '../../tools/index.ts'
import type { ToolPin } from './tool-pin.ts'

/** `unavailable`: its server cannot be reached, or has it no more. `quarantined`: nobody has accepted its definition. */
export const toolStatuses = ['ready', 'unavailable', 'quarantined'] as const
export type ToolStatus = (typeof toolStatuses)[number]

/** A tool of the registry, and whether it can be called. */
export interface CatalogueTool extends RegistryTool {
  readonly status: ToolStatus
  /** Why it cannot be called. */
  readonly why?: string
  /** A later definition that is held back: it differs from the one that is offered, or its words are suspected. */
  readonly heldBack?: {
    readonly why: 'changed' | 'suspected'
    readonly reasons?: readonly string[]
    readonly description: string
  }
}

/** What every tool of a source has by the words of the configuration. */
export interface SourceDefaults {
  readonly level?: RegistryTool['level']
  readonly timeout?: RegistryTool['timeout']
  readonly scopes?: readonly string[]
  readonly idempotent?: readonly string[]
}

export interface CatalogueOf {
  readonly server: string
  readonly protocol: ToolProtocol
  readonly defaults: SourceDefaults
  /** Ids and names of core tools. */
  readonly core: ReadonlySet<string>
  readonly pins: ReadonlyMap<string, ToolPin>
  /** Names that the source has listed; undefined where it has listed none yet. */
  readonly present: ReadonlySet<string> | undefined
}

/** The tools of a source: those that it lists, and those that are remembered of it. */
export function catalogueTools({
  server,
  protocol,
  defaults,
  core,
  pins,
  present,
}: CatalogueOf): readonly CatalogueTool[] {
  return [...pins].flatMap(([name, pin]): readonly CatalogueTool[] => {
    const definition = pin.accepted ?? pin.quarantined
    if (definition === undefined) return []
    const given = withDefaults(definition.tool, defaults, core.has(`${server}::${name}`) || core.has(pin.calledAs))
    const entered = registryEntry(given, { server, protocol: given.http && protocol === 'native' ? 'http' : protocol })
    if ('refused' in entered) return []
    return [{ ...entered.tool, calledAs: pin.calledAs, ...statusOf(name, pin, present), ...heldBack(pin) }]
  })
}

function withDefaults(tool: SourcedTool, defaults: SourceDefaults, isCore: boolean): SourcedTool {
  const { level = defaults.level, timeout = defaults.timeout, scopes = [] } = tool
  const isIdempotent = tool.idempotent === true || defaults.idempotent?.includes(tool.name) === true
  return {
    ...tool,
    ...(level !== undefined && { level }),
    ...(isCore && { level: 'core' }),
    ...(timeout !== undefined && { timeout }),
    scopes: [...new Set([...(defaults.scopes ?? []), ...scopes])],
    idempotent: isIdempotent,
  }
}

function statusOf(
  name: string,
  { accepted }: ToolPin,
  present: ReadonlySet<string> | undefined,
): Pick<CatalogueTool, 'status' | 'why'> {
  if (accepted === undefined) return { status: 'quarantined', why: 'Its description looks like orders to a model.' }
  // Remembered from an earlier run: the first call finds out.
  if (present === undefined || present.has(name)) return { status: 'ready' }
  return { status: 'unavailable', why: 'Its server cannot be reached, or has it no more.' }
}

function heldBack({ quarantined }: ToolPin): Pick<CatalogueTool, 'heldBack'> {
  if (quarantined === undefined) return {}
  const { why, reasons, tool } = quarantined
  return { heldBack: { why, ...(reasons && { reasons }), description: tool.description } }
}
