import type { Blobs, Store, ToolWrite } from '../../stores/index.ts'
import type { HostTool } from './sources/host-source.ts'
import type { ToolSettings } from './tool-settings.ts'

/** What a registry is opened with. */
export interface RegistryParts {
  readonly settings: ToolSettings
  /** Functions of the host. */
  readonly hostTools?: readonly HostTool[] | undefined
  readonly store: Pick<Store, 'commit' | 'read'>
  readonly blobs: Blobs
  readonly clock: () => number
  readonly stopwatch: () => number
  readonly wait: (ms: number, signal: AbortSignal) => Promise<void>
  readonly fetcher: typeof fetch
  readonly newId: () => string
  /** Tokens of a text, by the tokenizer that results are measured with. */
  readonly count: (text: string) => number
  /** Told of each call as it ends: the source by its name, `own` for whatever tenants have put. */
  readonly called?: (source: string, outcome: string) => void
  /** Told what could not be written. */
  readonly failed?: (doing: string, error: unknown) => void
}

export function writeTools(
  { store, clock }: RegistryParts,
  tenant: string,
  ...writes: readonly ToolWrite[]
): Promise<void> {
  const scope = { tenant, session: '' }
  return store.commit({ scope, nowMs: clock(), writes: writes.map((one) => ({ table: 'tools', ...one })) })
}

/** Who changes a tool, for the audit log. */
export interface ChangedBy {
  readonly actor: string
  readonly from: string
}

export interface ToolChange {
  readonly write?: ToolWrite
  readonly action: string
  readonly target: string
  readonly by: ChangedBy
}

/** A change that somebody makes, and its entry in the audit log. */
export function changeTools(
  { store, clock }: RegistryParts,
  tenant: string,
  { write, action, target, by: { actor, from } }: ToolChange,
): Promise<void> {
  const entry = { table: 'audit', actor, action, target, from } as const
  const writes = [...(write === undefined ? [] : [{ table: 'tools', ...write } as const]), entry]
  return store.commit({ scope: { tenant, session: '' }, nowMs: clock(), writes })
}
