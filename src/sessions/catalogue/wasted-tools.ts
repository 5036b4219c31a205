import type { CompileInput, Manifest, WireExchange } from '../../core/index.ts'
import type { WastedTools } from '../../stores/index.ts'
import { toolWaste } from '../../tools/index.ts'
import { functionsOf } from './listed-tools.ts'
import type { Catalogue } from './listed-tools.ts'

export interface ToolsShown {
  /** The client's request as it came. */
  readonly received: WireExchange
  readonly input: Pick<CompileInput, 'items'>
  readonly manifest: Pick<Manifest, 'decisions'>
  readonly catalogue?: Catalogue | undefined
}

/** The client's functions that a request defines and that the conversation has not called; undefined where it defines none. */
export function wastedTools({ received, input, manifest, catalogue }: ToolsShown): WastedTools | undefined {
  const unlisted = new Set(catalogue?.unlisted.map(({ name }) => name))
  const defined = functionsOf(received).flatMap(({ name }) => (unlisted.has(name) ? [] : [name]))
  if (defined.length === 0) return undefined
  // C-020
  const { items } = received.conversation
  const called = items.flatMap(({ kind, toolName }) =>
    kind === 'tool-call' && toolName !== undefined ? [toolName] : [],
  )
  const { wastedTools: wasted } = toolWaste(defined, called)
  const tokens = shownTokens({ input, manifest })
  const sum = (names: readonly string[]): number => names.reduce((total, name) => total + (tokens.get(name) ?? 0), 0)
  return { defined: defined.length, definedTokens: sum(defined), wasted: wasted.length, wastedTokens: sum(wasted) }
}

/** What the definition of each tool takes as it is shown, by the tool's name. */
function shownTokens({ input, manifest }: Pick<ToolsShown, 'input' | 'manifest'>): ReadonlyMap<string, number> {
  const names = new Map(
    input.items.flatMap(({ id, kind, toolName, toolNamespace }) =>
      kind === 'tool-schema' && toolName !== undefined && toolNamespace === undefined ? [[id, toolName]] : [],
    ),
  )
  return new Map(
    manifest.decisions.flatMap(({ itemId, tokens }) => {
      const name = names.get(itemId)
      return name === undefined ? [] : [[name, tokens]]
    }),
  )
}
