import type { JsonNode, JsonTree } from '../../core/index.ts'
import { member, rawText, stringAt } from '../../core/index.ts'
import type { ReplyPart } from '../reasoning/reasoning-chain.ts'

/** The items of a response: reasoning in full (open models), as a summary, or encrypted. */
export function responsesReplyParts(tree: JsonTree): readonly ReplyPart[] {
  return tree.root.children.map((item): ReplyPart => {
    if (stringAt(tree, item, 'type') !== 'reasoning') return { kind: 'words' }
    const raw = rawText(tree, item)
    const [content, summary] = ['content', 'summary'].map((name) => textsOf(tree, member(tree, item, name)))
    if (content) return { kind: 'reasoning', visibility: 'visible', text: content, raw }
    if (summary) return { kind: 'reasoning', visibility: 'summarized', text: summary, raw }
    return { kind: 'reasoning', visibility: 'opaque', raw }
  })
}

function textsOf(tree: JsonTree, list: JsonNode | undefined): string {
  return (list?.children ?? []).map((part) => stringAt(tree, part, 'text') ?? '').join('\n\n')
}
