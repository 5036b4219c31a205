import type { Item, JsonObject, ProviderEditing } from '../../core/index.ts'
import { isJsonObject, isProviderCompaction } from '../../core/index.ts'
import type { Field } from '../read-field.ts'
import { valueAt } from '../sampling-fields.ts'

/** Where the caller does not say when: Anthropic's own figures. */
const usual = { clearAbove: 100_000, keep: 3, compactAbove: 150_000 }

/** What the provider has compacted already, and what it is asked to edit. */
export function anthropicEditing(body: Field, items: readonly Item[]): ProviderEditing | undefined {
  const asked = askedFor(body)
  const block = items.findLast(isProviderCompaction)
  return block === undefined ? asked : { ...asked, ignoresBefore: block.id }
}

/** What is asked for in a way that counts tokens; a trigger that counts calls is not planned for. */
function askedFor(body: Field): ProviderEditing | undefined {
  const management = valueAt(body, 'context_management')
  const edits = isJsonObject(management) && Array.isArray(management['edits']) ? management['edits'] : []
  const edit = (type: string): JsonObject | undefined =>
    edits.filter(isJsonObject).find((one) => typeof one['type'] === 'string' && one['type'].startsWith(type))
  const clearing = edit('clear_tool_uses')
  const compaction = edit('compact')
  const clearAbove = clearing && aboveTokens(clearing, usual.clearAbove)
  const compactAbove = compaction && aboveTokens(compaction, usual.compactAbove)
  if (clearing === undefined || clearAbove === undefined)
    return compactAbove === undefined ? undefined : { compactsAboveTokens: compactAbove }
  const spared = clearing['exclude_tools']
  const sparedTools = Array.isArray(spared) ? spared.filter((name) => typeof name === 'string') : []
  return {
    clears: {
      aboveTokens: clearAbove,
      keep: valueOf(clearing['keep']) ?? usual.keep,
      ...(sparedTools.length > 0 && { sparedTools }),
    },
    ...(compactAbove !== undefined && { compactsAboveTokens: compactAbove }),
  }
}

function aboveTokens({ trigger }: JsonObject, otherwise: number): number | undefined {
  if (!isJsonObject(trigger)) return otherwise
  return trigger['type'] === 'input_tokens' ? valueOf(trigger) : undefined
}

function valueOf(amount: JsonObject[string] | undefined): number | undefined {
  const value = isJsonObject(amount) ? amount['value'] : undefined
  return typeof value === 'number' && value >= 0 ? value : undefined
}
