import type { JsonNode, JsonTree, JsonValue } from '../../core/index.ts'
import { decodeValue, fingerprint, present, rawText, stableJson, stringAt } from '../../core/index.ts'
import { either } from './members.ts'

/** A call as a part has it. */
export interface PartCall {
  /** The provider's id, which older models do not give. */
  readonly id?: string
  readonly name: string
  /** Raw JSON; absent where the call has none. */
  readonly args?: JsonNode
}

export function callIn(tree: JsonTree, part: JsonNode): PartCall | undefined {
  const call = either(tree, part, 'functionCall')
  const name = stringAt(tree, call, 'name')
  if (call === undefined || name === undefined) return undefined
  const id = stringAt(tree, call, 'id')
  const args = present(tree, call, 'args')
  return { name, ...(id !== undefined && id !== '' && { id }), ...(args && { args }) }
}

export function argumentsOf(tree: JsonTree, { args }: PartCall): string {
  return args === undefined ? '{}' : rawText(tree, args)
}

export function callId(tree: JsonTree, { id, name, args }: PartCall, isTaken: (id: string) => boolean): string {
  return id ?? unnamedId(name, args === undefined ? {} : decodeValue(tree, args), isTaken)
}

/**
 * The id of a call that the provider gave none: what it asks names it, however its JSON is written, so that reply and request
 * agree; in pieces, for an id of one piece would pass for one that was drawn.
 */
export function unnamedId(name: string, args: JsonValue, isTaken: (id: string) => boolean): string {
  const base = `call-${fingerprint(`${name} ${stableJson(args)}`).replaceAll(/.{4}(?=.)/g, '$&-')}`
  for (let use = 1; ; use += 1) {
    const own = use === 1 ? base : `${base}.${use}`
    if (!isTaken(own)) return own
  }
}
