import type { JsonNode, JsonTree } from '../../core/index.ts'
import { member, rawText, stringAt } from '../../core/index.ts'
import type { ReplyPart } from '../reasoning/reasoning-chain.ts'
import { beforeThinking, restOfThinking, thinkTags } from '../replies/think-tags.ts'
import { textOf } from './reply.ts'

/** The parts of an assistant's message: reasoning in a member, in OpenRouter's details, or between tags, then words and calls. */
export function openaiReplyParts(tree: JsonTree): readonly ReplyPart[] {
  const { root } = tree
  const details = (member(tree, root, 'reasoning_details')?.children ?? []).map((detail) => detailPart(tree, detail))
  const inMember = ['reasoning_content', 'reasoning'].flatMap((name): readonly ReplyPart[] => {
    const text = stringAt(tree, root, name) ?? ''
    const node = member(tree, root, name)
    if (text === '' || node === undefined) return []
    return [{ kind: 'reasoning', visibility: 'visible', text, raw: `{${JSON.stringify(name)}:${rawText(tree, node)}}` }]
  })
  const { state, events } = thinkTags(beforeThinking, textOf(tree, root))
  const said = [...events, ...restOfThinking(state)].map((event): ReplyPart => {
    return event.kind === 'reasoning'
      ? { kind: 'reasoning', visibility: 'visible', text: event.text }
      : { kind: 'words' }
  })
  const calls = (member(tree, root, 'tool_calls')?.children ?? []).map((): ReplyPart => ({ kind: 'words' }))
  return [...(details.length > 0 ? details : inMember.slice(0, 1)), ...said, ...calls]
}

function detailPart(tree: JsonTree, detail: JsonNode): ReplyPart {
  const raw = rawText(tree, detail)
  const text = stringAt(tree, detail, 'text')
  if (text !== undefined) return { kind: 'reasoning', visibility: 'visible', text, raw }
  const summary = stringAt(tree, detail, 'summary')
  if (summary !== undefined) return { kind: 'reasoning', visibility: 'summarized', text: summary, raw }
  return { kind: 'reasoning', visibility: 'opaque', raw }
}
