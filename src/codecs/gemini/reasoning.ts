import type { JsonTree } from '../../core/index.ts'
import { isTrue, member, rawText, stringAt } from '../../core/index.ts'
import type { ReplyPart } from '../reasoning/reasoning-chain.ts'

/** The parts of a content: thoughts are summaries; the signatures of words and calls stand for what is not shown. */
export function geminiReplyParts(tree: JsonTree): readonly ReplyPart[] {
  return (member(tree, tree.root, 'parts')?.children ?? []).flatMap((part): readonly ReplyPart[] => {
    const raw = rawText(tree, part)
    const text = stringAt(tree, part, 'text') ?? ''
    if (isTrue(tree, member(tree, part, 'thought'))) return [{ kind: 'reasoning', visibility: 'summarized', text, raw }]
    const isSigned = stringAt(tree, part, 'thoughtSignature') !== undefined
    return [...(isSigned ? [{ kind: 'signature', visibility: 'opaque', raw } as const] : []), { kind: 'words' }]
  })
}
