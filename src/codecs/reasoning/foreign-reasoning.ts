import type { JsonNode, JsonTree, JsonValue } from '../../core/index.ts'
import { keyAt, member, rawText, scanJson, stringAt } from '../../core/index.ts'
import { insistsOnReasoning, isOpenaiModel, wantsReasoning } from '../openai-models.ts'
import type { Edit } from '../splice.ts'
import { removeChildren, sortEdits, splice } from '../splice.ts'
import { markedOwner, mayBeOf } from './owner.ts'

/** Who is to be sent a body in the dialect in which it came. */
export interface ReasoningReader {
  readonly model: string
  /** Whether the client has meant the body for another provider, for which this one stands in. */
  readonly standsIn: boolean
  /** Whether somebody else has sealed a piece of reasoning, as far as that is known; undefined where it is not. */
  readonly isForeign?: (seal: string) => boolean | undefined
  /**
   * Whether what stands so in the body is to be changed, which no seal allows: reasoning is left out, and words and calls that
   * carry a seal are left without it.
   */
  readonly changes?: (raw: string) => boolean
}

export interface WithoutReasoning {
  readonly body: string
  /** How many pieces of reasoning are left out. */
  readonly left: number
}

/** A body without the reasoning that its reader has not written; the same bytes where there is none. */
export type LeaveReasoning = (body: string, reader: ReasoningReader) => WithoutReasoning

const sealPattern =
  /"(?:signature|encrypted_content)"\s*:\s*"((?:[^"\\]|\\.)+)"|"redacted_thinking"\s*,\s*"data"\s*:\s*"((?:[^"\\]|\\.)+)"/g

/** What stands in a JSON text, a request's or a reply's, where providers sign or seal their reasoning. */
export function sealsIn(json: string): readonly string[] {
  if (!/"(?:signature|encrypted_content|redacted_thinking)"/.test(json)) return []
  const found = [...json.matchAll(sealPattern)].map(([, seal, data = '']) => seal ?? data)
  return [...new Set(found)].filter((seal) => markedOwner(seal) === undefined)
}

/** Thinking that Claude has not signed is refused, and so is what somebody else has signed. */
export const leaveAnthropicReasoning: LeaveReasoning = (body, reader) => {
  if (!/"(?:redacted_)?thinking"/.test(body)) return { body, left: 0 }
  const tree = scanJson(body)
  const messages = member(tree, tree.root, 'messages')
  const edits: Edit[] = []
  const empty = new Set<number>()
  let [left, last] = [0, -1]
  for (const [at, message] of (messages?.children ?? []).entries()) {
    const content = member(tree, message, 'content')
    if (content?.kind !== 'array') continue
    const gone = content.children.map((block) => isForeignBlock(tree, block, reader))
    const count = gone.filter(Boolean).length
    if (count === 0) continue
    left += count
    last = at
    if (count === gone.length) empty.add(at)
    else edits.push(...removeChildren(content, (index) => gone[index] === true))
  }
  if (messages === undefined || left === 0) return { body, left: 0 }
  const all = [
    ...edits,
    ...removeChildren(messages, (index) => empty.has(index)),
    ...thinkingEdits(tree, messages, last),
  ]
  return { body: splice(body, sortEdits(all)), left }
}

function isForeignBlock(tree: JsonTree, block: JsonNode, reader: ReasoningReader): boolean {
  const { model, standsIn, isForeign } = reader
  const type = stringAt(tree, block, 'type')
  if (type !== 'thinking' && type !== 'redacted_thinking') return false
  if (reader.changes?.(rawText(tree, block)) === true) return true
  const signature = stringAt(tree, block, 'signature') ?? ''
  const owner = markedOwner(signature)
  if (owner !== undefined) return model.includes('claude') || !mayBeOf(model, owner)
  const known = isForeign?.(type === 'thinking' ? signature : (stringAt(tree, block, 'data') ?? ''))
  return (known ?? standsIn) || (type === 'thinking' && signature === '' && model.includes('claude'))
}

/** Where thinking is on, a turn that calls tools has to begin with it: such a turn goes on without. */
function thinkingEdits(tree: JsonTree, messages: JsonNode, last: number): readonly Edit[] {
  const isOfTurn = !messages.children.slice(last + 1).some((message) => stringAt(tree, message, 'role') === 'assistant')
  if (!isOfTurn || stringAt(tree, member(tree, tree.root, 'thinking'), 'type') !== 'enabled') return []
  const management = member(tree, tree.root, 'context_management')
  const clears =
    management !== undefined && tree.text.slice(management.start, management.end).includes('clear_thinking')
  const names = clears ? ['thinking', 'context_management'] : ['thinking']
  const gone = names.map((name) => member(tree, tree.root, name))
  return removeChildren(tree.root, (index) => gone.includes(tree.root.children[index]))
}

/** What is sealed only the provider reads that has sealed it. */
export const leaveResponsesReasoning: LeaveReasoning = (body, { standsIn, isForeign, changes }) => {
  if (!body.includes('"reasoning"')) return { body, left: 0 }
  const tree = scanJson(body)
  const input = member(tree, tree.root, 'input')
  if (input?.kind !== 'array') return { body, left: 0 }
  const gone = input.children.map((item) => {
    if (stringAt(tree, item, 'type') !== 'reasoning') return false
    if (changes?.(rawText(tree, item)) === true) return true
    const seal = stringAt(tree, item, 'encrypted_content') ?? ''
    return (isForeign?.(seal) ?? standsIn) || markedOwner(seal) !== undefined
  })
  const left = gone.filter(Boolean).length
  if (left === 0) return { body, left }
  return {
    body: splice(
      body,
      removeChildren(input, (index) => gone[index] === true),
    ),
    left,
  }
}

const chatMembers: ReadonlySet<JsonValue | undefined> = new Set(['reasoning_content', 'reasoning', 'reasoning_details'])

/** A model that wants reasoning back keeps it, and has some for each call where it insists; OpenAI takes none from anybody. */
export const leaveChatReasoning: LeaveReasoning = (body, { model, standsIn, changes = () => false }) => {
  const insists = insistsOnReasoning(model)
  const leaves = standsIn || (isOpenaiModel(model) && !model.includes('/'))
  if (!body.includes('"reasoning') && !(insists && body.includes('"tool_calls"'))) return { body, left: 0 }
  const tree = scanJson(body)
  let left = 0
  const edits = (member(tree, tree.root, 'messages')?.children ?? []).flatMap((message) => {
    const gone = message.children.map(
      (value, index) =>
        (leaves && isReasoningMember(tree, message, { index, model })) ||
        (chatMembers.has(nameAt(tree, message, index)) && changes(rawText(tree, value))),
    )
    const own = [
      ...(gone.includes(true) ? removeChildren(message, (index) => gone[index] === true) : []),
      ...(insists ? missingReasoning(tree, message) : []),
    ]
    left += own.length === 0 ? 0 : Math.max(1, gone.filter(Boolean).length)
    return own
  })
  return left === 0 ? { body, left } : { body: splice(body, sortEdits(edits)), left }
}

/** What stands for the reasoning of a call that another model has made. */
export const unknownReasoning = '(Another model has made this call.)'

function missingReasoning(tree: JsonTree, message: JsonNode): readonly Edit[] {
  if (message.kind !== 'object' || (member(tree, message, 'tool_calls')?.children.length ?? 0) === 0) return []
  if (stringAt(tree, message, 'reasoning_content')) return []
  const empty = message.children.findIndex((_, index) => keyAt(tree, message, index) === 'reasoning_content')
  const literal = JSON.stringify(unknownReasoning)
  const node = message.children[empty]
  if (node) return [{ start: node.start, end: node.end, text: literal }]
  const at = message.start + 1
  return [{ start: at, end: at, text: `"reasoning_content":${literal},` }]
}

function isReasoningMember(
  tree: JsonTree,
  message: JsonNode,
  { index, model }: { readonly index: number; readonly model: string },
): boolean {
  const name = nameAt(tree, message, index)
  return chatMembers.has(name) && !(name === 'reasoning_content' && wantsReasoning(model))
}

function nameAt(tree: JsonTree, message: JsonNode, index: number): string | undefined {
  return message.kind === 'object' ? keyAt(tree, message, index) : undefined
}
