import { toolDefinedBy } from '../../../codecs/index.ts'
import type { Item, ManifestDecision } from '../../../core/index.ts'
import { contentKind, detectFailure, textLines } from '../../../ladders/index.ts'
import { executeToolName, readExecuteCall } from '../../../tools/index.ts'

/** What an item of a request has to do with a tool. */
export interface ToolItem {
  readonly what: 'definition' | 'call' | 'result'
  readonly tool: string
  /** Whether a result says that its call failed: by its mark, or in its text by an exit status or a failure. */
  readonly hasFailed: boolean
}

/** Items of a request that belong to tools, by id. A call by `execute_tool` belongs to the tool that it calls. */
export function toolItems(items: readonly Item[]): ReadonlyMap<string, ToolItem> {
  const called = new Map<string, string>()
  for (const item of items) if (item.kind === 'tool-call') called.set(callKey(item), calledTool(item))
  return new Map(
    items.flatMap((item): readonly [string, ToolItem][] => {
      const found = toolItem(item, called)
      return found === undefined ? [] : [[item.id, found]]
    }),
  )
}

/** The same where items are not recorded: names of definitions stand in their ids, those of calls nowhere. */
export function definitionsIn(decisions: readonly ManifestDecision[]): ReadonlyMap<string, ToolItem> {
  return new Map(
    decisions.flatMap(({ itemId }): readonly [string, ToolItem][] => {
      const tool = toolDefinedBy(itemId)
      return tool === undefined ? [] : [[itemId, { what: 'definition', tool, hasFailed: false }]]
    }),
  )
}

function toolItem(item: Item, called: ReadonlyMap<string, string>): ToolItem | undefined {
  const { kind, toolName } = item

  if (kind === 'tool-schema')
    return toolName === undefined ? undefined : { what: 'definition', tool: toolName, hasFailed: false }
  if (kind === 'tool-call') return { what: 'call', tool: calledTool(item), hasFailed: false }
  if (kind !== 'tool-result') return undefined
  const tool = called.get(callKey(item)) ?? toolName
  return tool === undefined ? undefined : { what: 'result', tool, hasFailed: hasFailed(item) }
}

/** Chat Completions and Responses have no mark for a failed call. */
function hasFailed({ status, text, toolName }: Item): boolean {
  if (status !== undefined) return status === 'error'
  return detectFailure(textLines(text).lines, contentKind(text, toolName), text).failed
}

function calledTool({ toolName = '', text }: Item): string {
  return (toolName === executeToolName ? readExecuteCall(text)?.name : undefined) ?? toolName
}

function callKey({ toolCallId, group, id }: Item): string {
  return toolCallId ?? group ?? id
}
