import type { JsonNode, JsonTree } from '../../core/index.ts'
import { member, rawText, scanJson } from '../../core/index.ts'
import type { LeaveReasoning, WithoutReasoning } from '../reasoning/foreign-reasoning.ts'
import { removeChildren, sortEdits, splice } from '../splice.ts'
import type { Edit } from '../splice.ts'
import { either, partKind } from './members.ts'

/** What the provider takes for the signature of a call that another model has made. */
export const anySignature = 'skip_thought_signature_validator'

/** Models of the third generation and later want the first call of a turn signed, and take media in results. */
export function isThirdGeneration(model: string): boolean {
  return Number(/gemini-(\d+)/.exec(model)?.[1] ?? 0) >= 3
}

/** Calls that older models and others have made are signed by nobody: the provider is told so. */
export const signCalls: LeaveReasoning = (came, { model, changes }) => {
  const { body, left } = changes === undefined ? { body: came, left: 0 } : withoutSeals(came, changes)
  if (!isThirdGeneration(model) || !/"function_?[cC]all"/.test(body)) return { body, left }
  const tree = scanJson(body)
  const edits = (member(tree, tree.root, 'contents')?.children ?? []).flatMap((content) => unsigned(tree, content))
  return edits.length === 0 ? { body, left } : { body: splice(body, sortEdits(edits)), left: left + edits.length }
}

/** Thoughts that are to be changed are left out, with a message that is nothing else; words and calls lose their signatures. */
function withoutSeals(body: string, changes: (raw: string) => boolean): WithoutReasoning {
  const tree = scanJson(body)
  const contents = member(tree, tree.root, 'contents')
  const edits: Edit[] = []
  const empty = new Set<number>()
  let left = 0
  for (const [at, content] of (contents?.children ?? []).entries()) {
    const parts = member(tree, content, 'parts')
    const changed = (parts?.children ?? []).map((part) => changes(rawText(tree, part)))
    if (parts === undefined || !changed.includes(true)) continue
    const gone = parts.children.map((part, index) => changed[index] === true && partKind(tree, part) === 'thought')
    left += changed.filter(Boolean).length
    if (gone.every(Boolean)) empty.add(at)
    else edits.push(...removeChildren(parts, (index) => gone[index] === true))
    const signed = parts.children.filter((_, index) => changed[index] === true && gone[index] !== true)
    edits.push(...signed.flatMap((part) => signatureEdits(tree, part)))
  }
  if (contents === undefined || left === 0) return { body, left }
  return { body: splice(body, sortEdits([...edits, ...removeChildren(contents, (at) => empty.has(at))])), left }
}

function signatureEdits(tree: JsonTree, part: JsonNode): readonly Edit[] {
  const signature = either(tree, part, 'thoughtSignature')
  return removeChildren(part, (index) => part.children[index] === signature)
}

function unsigned(tree: JsonTree, content: JsonNode): readonly Edit[] {
  const parts = member(tree, content, 'parts')?.children ?? []
  const call = parts.find((part) => partKind(tree, part) === 'call')
  if (call === undefined || either(tree, call, 'thoughtSignature') !== undefined) return []
  return [{ start: call.end - 1, end: call.end - 1, text: `,"thoughtSignature":${JSON.stringify(anySignature)}` }]
}
