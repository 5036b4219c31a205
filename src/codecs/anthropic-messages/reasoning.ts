import type { JsonNode, JsonTree } from '../../core/index.ts'
import { member, rawText, stringAt } from '../../core/index.ts'
import type { ReplyPart } from '../reasoning/reasoning-chain.ts'

/** The parts of an assistant's message. What thinking blocks show is a summary; what they leave out is signed, or redacted. */
export function anthropicReplyParts(tree: JsonTree): readonly ReplyPart[] {
  return (member(tree, tree.root, 'content')?.children ?? []).map((block) => partOf(tree, block))
}

function partOf(tree: JsonTree, block: JsonNode): ReplyPart {
  const type = stringAt(tree, block, 'type')
  const raw = rawText(tree, block)
  if (type === 'redacted_thinking') return { kind: 'reasoning', visibility: 'opaque', raw }
  if (type !== 'thinking') return { kind: 'words' }
  const text = stringAt(tree, block, 'thinking') ?? ''
  return text === ''
    ? { kind: 'reasoning', visibility: 'opaque', raw }
    : { kind: 'reasoning', visibility: 'summarized', text, raw }
}
