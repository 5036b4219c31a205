import { catalogueTools } from './catalogue-tool.ts'
import type { CatalogueTool, SourceDefaults } from './catalogue-tool.ts'
import { listedInTime, unlistedReason } from './listed-in-time.ts'
import type { ToolSource } from './sources/tool-source.ts'
import type { NameDesk } from './name-desk.ts'
import { takeListed } from './take-listed.ts'
import type { MissingTools } from './take-listed.ts'
import type { Pinning, ToolPin } from './tool-pin.ts'

/** What is to be written of pins; an undefined one is forgotten. */
export type PinChanges = ReadonlyMap<string, ToolPin | undefined>

export interface SourceCatalogueParts {
  readonly server: string
  readonly source: ToolSource
  readonly defaults: SourceDefaults
  readonly accept: readonly string[]
  readonly core: ReadonlySet<string>
  readonly mostTools: number
  readonly connectMs: number
  readonly refreshMs: number
  readonly clock: () => number
  readonly pinning: Omit<Pinning, 'nowMs'>
  readonly desk: NameDesk
  keep(changes: PinChanges): Promise<void>
}

/** The tools of one source, as far as they are known. */
export interface SourceCatalogue {
  /** Counts changes of what `tools` gives. */
  readonly version: number
  readonly tools: readonly CatalogueTool[]
  readonly missing: readonly MissingTools[]
  readonly pins: ReadonlyMap<string, ToolPin>
  /** Whether it has been listed, or is remembered from an earlier run. */
  readonly isKnown: boolean
  /** Lists the source again where that is due. Never rejects. */
  refresh(): Promise<void>
  /** The source says that its list is another. It is listed again when that is due, however often this is said. */
  changed(): void
  /** Forgets what was accepted of a tool, so that what its source says next is taken. */
  forget(name: string): Promise<void>
}

interface State {
  pins: ReadonlyMap<string, ToolPin>
  /** Undefined until the source has been listed in this run. */
  present: ReadonlySet<string> | undefined
  missing: readonly MissingTools[]
  isStale: boolean
  triedMs: number | undefined
  version: number
  shown: readonly CatalogueTool[] | undefined
}

export function sourceCatalogue(
  parts: SourceCatalogueParts,
  remembered: ReadonlyMap<string, ToolPin>,
): SourceCatalogue {
  const begun = { present: undefined, missing: [], triedMs: undefined, shown: undefined }
  const state: State = { ...begun, pins: remembered, isStale: true, version: 0 }
  let refreshing: Promise<void> | undefined
  return {
    get version() {
      return state.version
    },
    get tools() {
      const { server, source, defaults, core } = parts
      state.shown ??= catalogueTools({ server, protocol: source.protocol, defaults, core, ...state })
      return state.shown
    },
    get missing() {
      return state.missing
    },
    get pins() {
      return state.pins
    },
    get isKnown() {
      return state.present !== undefined || state.pins.size > 0
    },
    async refresh() {
      const { triedMs, isStale } = state
      const isDue = triedMs === undefined || (isStale && parts.clock() - triedMs >= parts.refreshMs)
      if (isDue)
        refreshing ??= parts.desk.listing(() => listAgain(parts, state)).finally(() => (refreshing = undefined))
      await refreshing
    },
    changed() {
      state.isStale = true
    },
    forget: (name) => forget(parts, state, name),
  }
}

async function listAgain(parts: SourceCatalogueParts, state: State): Promise<void> {
  const { server, source, mostTools, accept, desk, pinning } = parts
  const nowMs = parts.clock()
  state.triedMs = nowMs
  state.isStale = false
  try {
    const listed = await listedInTime(parts)
    const taking = { server, protocol: source.protocol, mostTools, accept, pinning: { ...pinning, nowMs } }
    const { pins, fresh, dropped, present, missing } = await takeListed(listed, state.pins, {
      ...taking,
      names: (unnamed) => desk.names(server, unnamed),
    })
    Object.assign(state, { pins, present, missing })
    await parts.keep(new Map([...fresh, ...dropped.map((name) => [name, undefined] as const)]))
  } catch (error) {
    Object.assign(state, {
      isStale: true,
      present: new Set(),
      missing: [{ server, reason: `It cannot be listed: ${unlistedReason(error)}` }],
    })
  }
  state.version += 1
  state.shown = undefined
}

async function forget(parts: SourceCatalogueParts, state: State, name: string): Promise<void> {
  const pin = state.pins.get(name)
  if (pin === undefined) return
  const kept = { calledAs: pin.calledAs }
  await parts.keep(new Map([[name, kept]]))
  Object.assign(state, { pins: new Map([...state.pins, [name, kept]]), triedMs: undefined, shown: undefined })
  state.version += 1
}
