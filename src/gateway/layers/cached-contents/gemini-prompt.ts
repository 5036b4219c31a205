import { keyAt, member, present, scanJson } from '../../../core/index.ts'
import type { JsonNode, JsonTree } from '../../../core/index.ts'
import { sha256 } from '../../../host/index.ts'

/** A request in Gemini's dialect, by its bytes. */
export interface GeminiPrompt {
  /** Contents that it has. */
  readonly count: number
  /** Whether it goes on from something of its client's own. */
  readonly isKept: boolean
  /** The hash of what stands before the contents. */
  readonly head: string
  /** The hash of the first of them. */
  contentsOf(count: number): string
  /** The body of a request to keep the first contents. */
  keeping(count: number, model: string, ttlMs: number): string
  /** The body that goes on from what is kept under a name: without its head and its first contents. */
  goingOn(count: number, name: string): string
}

/** What may not stand beside what is kept, for it is part of it. */
const head = new Set(['systemInstruction', 'system_instruction', 'tools', 'toolConfig', 'tool_config'])
const kept = new Set(['cachedContent', 'cached_content'])

/** Undefined for a body that is not a list of contents. */
export function geminiPrompt(body: string): GeminiPrompt | undefined {
  const tree = scanJson(body)
  const contents = member(tree, tree.root, 'contents')
  if (contents?.kind !== 'array') return undefined
  const members = membersOf(tree)
  const before = members.filter(({ name }) => head.has(name))
  const beside = members.filter(({ name }) => !head.has(name) && !kept.has(name) && name !== 'contents')
  const written = ({ name, node }: Member): string => `${JSON.stringify(name)}:${text(tree, node)}`
  const list = (from: number, to: number): string => {
    const [first, last] = [contents.children[from], contents.children[to - 1]]
    return first === undefined || last === undefined ? '[]' : `[${body.slice(first.start, last.end)}]`
  }
  return {
    count: contents.children.length,
    isKept: [...kept].some((name) => present(tree, tree.root, name) !== undefined),
    head: sha256(before.map(written).join('\n')),
    contentsOf: (count) => sha256(list(0, count)),
    keeping: (count, model, ttlMs) =>
      object([
        `"model":${JSON.stringify(`models/${model}`)}`,
        `"ttl":"${Math.round(ttlMs / 1000)}s"`,
        ...before.map(written),
        `"contents":${list(0, count)}`,
      ]),
    goingOn: (count, name) =>
      object([
        `"cachedContent":${JSON.stringify(name)}`,
        ...beside.map(written),
        `"contents":${list(count, contents.children.length)}`,
      ]),
  }
}

interface Member {
  readonly name: string
  readonly node: JsonNode
}

function membersOf(tree: JsonTree): readonly Member[] {
  return tree.root.children.map((node, index) => ({ name: keyAt(tree, tree.root, index), node }))
}

function text(tree: JsonTree, node: JsonNode): string {
  return tree.text.slice(node.start, node.end)
}

function object(members: readonly string[]): string {
  return `{${members.join(',')}}`
}
