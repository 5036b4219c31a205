import { registryEntry } from '../../tools/index.ts'
import type { SourcedTool, ToolProtocol } from '../../tools/index.ts'
import { pinned } from './tool-pin.ts'
import type { Pinning, ToolPin } from './tool-pin.ts'

/** Why a catalogue lacks tools. */
export interface MissingTools {
  readonly server: string
  readonly reason: string
}

export interface Taking {
  readonly server: string
  readonly protocol: ToolProtocol
  readonly mostTools: number
  readonly pinning: Pinning
  /** Tools whose words are taken as they are. */
  readonly accept: readonly string[]
  /** The names that models call new tools by. */
  readonly names: (names: readonly string[]) => Promise<ReadonlyMap<string, string>>
}

export interface Taken {
  /** All that is remembered of the source from now on. */
  readonly pins: ReadonlyMap<string, ToolPin>
  readonly fresh: ReadonlyMap<string, ToolPin>
  readonly dropped: readonly string[]
  readonly present: ReadonlySet<string>
  readonly missing: readonly MissingTools[]
}

/** Takes what a source has listed. Of tools with one name the first counts, and what cannot be used is told. */
export async function takeListed(
  listed: readonly SourcedTool[],
  before: ReadonlyMap<string, ToolPin>,
  { server, protocol, mostTools, pinning, accept, names }: Taking,
): Promise<Taken> {
  const { usable, missing } = usableTools(listed, { server, protocol, mostTools })
  const unnamed = [...usable.keys()].filter((name) => !before.has(name))
  const calledAs = unnamed.length === 0 ? new Map<string, string>() : await names(unnamed)
  const fresh = new Map<string, ToolPin>()
  for (const [name, tool] of usable) {
    const pin = before.get(name) ?? { calledAs: calledAs.get(name) ?? name }
    const next = pinned(pin, tool, { ...pinning, isTrusted: pinning.isTrusted || accept.includes(name) })
    if (next !== before.get(name)) fresh.set(name, next)
  }
  const all = new Map([...before, ...fresh])
  // A server that lists other tools each time is not remembered for ever.
  const dropped = all.size > 2 * mostTools ? [...all.keys()].filter((name) => !usable.has(name)) : []
  for (const name of dropped) all.delete(name)
  return { pins: all, fresh, dropped, present: new Set(usable.keys()), missing }
}

interface Usable {
  readonly usable: ReadonlyMap<string, SourcedTool>
  readonly missing: readonly MissingTools[]
}

function usableTools(
  listed: readonly SourcedTool[],
  { server, protocol, mostTools }: Pick<Taking, 'server' | 'protocol' | 'mostTools'>,
): Usable {
  const usable = new Map<string, SourcedTool>()
  const refused = new Map<string, number>()
  for (const tool of listed.slice(0, mostTools)) {
    const entered = registryEntry(tool, { server, protocol })
    if ('refused' in entered) refused.set(entered.refused, (refused.get(entered.refused) ?? 0) + 1)
    else if (!usable.has(tool.name)) usable.set(tool.name, tool)
  }
  const flood = listed.length > mostTools ? [`It lists ${listed.length} tools; the first ${mostTools} are taken.`] : []
  const reasons = [...flood, ...[...refused].map(([why, count]) => `${count} of its tools refused: ${why}`)]
  return { usable, missing: reasons.map((reason) => ({ server, reason })) }
}
