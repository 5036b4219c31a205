import { isJsonObject, isTrue, jsonValue, member, present, scanJson } from '../../core/index.ts'
import type { StreamUsage } from '../codec.ts'
import { treeOf } from '../decoded-state.ts'
import { memberEdits, splice, withMembers } from '../splice.ts'

/** Members of a chunk with usage that say nothing beside it. A server may put more into it, such as an error, or sources of a search. */
const saysNothingMore: ReadonlySet<string> = new Set([
  'id',
  'object',
  'created',
  'model',
  'choices',
  'usage',
  'service_tier',
  'system_fingerprint',
  'obfuscation',
  'provider',
  'x_groq',
])

/** A stream of Chat Completions reports usage only where the request sets `stream_options.include_usage`. */
export const openaiStreamUsage: StreamUsage = {
  isWanted(exchange) {
    const tree = treeOf(exchange)
    return isTrue(tree, member(tree, present(tree, tree.root, 'stream_options'), 'include_usage'))
  },
  asked(body) {
    const tree = scanJson(body)
    const options = member(tree, tree.root, 'stream_options')
    return options?.kind === 'object'
      ? splice(body, memberEdits(tree, options, [['include_usage', 'true']]))
      : withMembers(body, [['stream_options', '{"include_usage":true}']])
  },
  isAlone({ data }) {
    if (!/"choices"\s*:\s*\[\s*\]/.test(data) || !/"usage"\s*:\s*\{/.test(data)) return false
    const chunk = jsonValue(data)
    if (!isJsonObject(chunk)) return false
    const { choices, usage } = chunk
    const isEmpty = Array.isArray(choices) && choices.length === 0
    return isEmpty && isJsonObject(usage) && Object.keys(chunk).every((name) => saysNothingMore.has(name))
  },
}
