import type { JsonNode, JsonTree } from '../../core/index.ts'
import { decodeString, isPrehendError, member, rawText, scanJson } from '../../core/index.ts'
import { executeToolName } from './meta-tools.ts'

/** A tool that is called, and the JSON text of its arguments. */
export interface NamedCall {
  readonly name: string
  readonly arguments: string
}

/** The call of `execute_tool` that calls a tool. The same call always gives the same text. */
export function asExecuteCall({ name, arguments: given }: NamedCall): NamedCall {
  const params = isObject(given) ? given : given.trim() === '' ? '{}' : JSON.stringify(given)
  return { name: executeToolName, arguments: `{"toolName":${JSON.stringify(name)},"params":${params}}` }
}

/**
 * The call that a call of `execute_tool` stands for, with its params as the model wrote them; undefined where it names no tool. Models write
 * params as a string of JSON, too, or leave them out where a tool takes none.
 */
export function readExecuteCall(json: string): NamedCall | undefined {
  const tree = scanned(json)
  if (tree === undefined) return undefined
  const name = member(tree, tree.root, 'toolName')
  if (name?.kind !== 'string') return undefined
  const params = member(tree, tree.root, 'params')
  return { name: decodeString(tree, name), arguments: params ? paramsAt(tree, params) : '{}' }
}

function paramsAt(tree: JsonTree, params: JsonNode): string {
  if (params.kind === 'string') return decodeString(tree, params)
  return params.kind === 'object' ? rawText(tree, params) : '{}'
}

function isObject(json: string): boolean {
  return scanned(json)?.root.kind === 'object'
}

function scanned(json: string): JsonTree | undefined {
  try {
    return scanJson(json)
  } catch (error) {
    if (isPrehendError(error)) return undefined
    throw error
  }
}
