import { isTrue, member, present, scanJson } from '../../core/index.ts'
import type { StreamUsage } from '../codec.ts'
import { treeOf } from '../decoded-state.ts'
import { memberEdits, splice, withMembers } from '../splice.ts'

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
  isAlone: ({ data }) => /"choices"\s*:\s*\[\s*\]/.test(data) && /"usage"\s*:\s*\{/.test(data),
}
