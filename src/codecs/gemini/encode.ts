import type { JsonNode, JsonTree, PackMessage, ToolDefinition } from '../../core/index.ts'
import { isInstruction, member, present, rawText } from '../../core/index.ts'
import { memberUnder, nameOf } from '../body-shape.ts'
import { cannotEncode } from '../cannot-encode.ts'
import type { ItemPlace, RequestWriter, TextPlace } from '../request-writer.ts'
import type { Edit } from '../splice.ts'
import { appendChild, memberEdits } from '../splice.ts'
import { either, partKind } from './members.ts'
import { resultWords, wordMember } from './result-words.ts'
import { geminiShape } from './shape.ts'
import { mediaBytes, showMedia } from './show-media.ts'

export const geminiWriter: RequestWriter = {
  textPlace,
  showMedia,
  mediaBytes,
  // Prefixes are cached without markers, or by a request of their own.
  mark: () => undefined,
  mostMarkers: 0,
  ownsCaching: () => true,
  toolEdit,
  layOut,
  mayBegin: (role) => role === 'user',
  spoken: (role = 'user', text) => (role === 'user' ? said('user', text) : undefined),
  mayFollow: () => true,
}

function textPlace(tree: JsonTree, { path, node }: ItemPlace): TextPlace | undefined {
  if (path.root === 't') return path.list === undefined ? undefined : { node, form: 'json' }
  switch (partKind(tree, node)) {
    case 'text':
      return words(member(tree, node, 'text'))
    case 'call': {
      const args = present(tree, either(tree, node, 'functionCall'), 'args')
      return args && { node: args, form: 'json' }
    }
    case 'result': {
      const response = present(tree, either(tree, node, 'functionResponse'), 'response')
      if (response === undefined) return undefined
      const own = resultWords(tree, response)
      return own ? words(own) : { node: response, form: 'words', under: wordMember(tree, response) }
    }
    default:
      return undefined
  }
}

function words(node: JsonNode | undefined): TextPlace | undefined {
  return node && { node, form: 'words' }
}

/** A tool of ours joins the first list of definitions: of several, models read that one. */
function toolEdit(tree: JsonTree, tools: JsonNode, tool: ToolDefinition): Edit {
  const list = tools.children.map((element) => geminiShape.toolList(tree, element)).find((found) => found)
  const raw = geminiToolJson(tool)
  return list === undefined ? appendChild(tools, `{"functionDeclarations":[${raw}]}`) : appendChild(list, raw)
}

export function geminiToolJson({ name, description, schema }: ToolDefinition): string {
  return JSON.stringify({ name, description, parametersJsonSchema: schema })
}

export function said(role: 'user' | 'model', text: string): string {
  return JSON.stringify({ role, parts: [{ text }] })
}

function layOut(tree: JsonTree, messages: readonly PackMessage[], media: readonly string[]): readonly Edit[] {
  const isSystem = ({ role }: PackMessage): boolean => isInstruction(role)
  const system = messages.filter(isSystem).map(({ text }) => text)
  if (system.length > 0 && either(tree, tree.root, 'cachedContent') !== undefined)
    throw cannotEncode('a system prompt beside cached content', 'Keep the messages as they are.')
  const turns = messages.filter((message) => !isSystem(message))
  const raws = turns.map(({ role, text }, index) => {
    const shown = index === turns.length - 1 ? media : []
    const parts = [JSON.stringify({ text }), ...shown].join(',')
    return `{"role":"${role === 'assistant' ? 'model' : 'user'}","parts":[${parts}]}`
  })
  return memberEdits(tree, tree.root, [
    [geminiShape.messages, `[${raws.join(',')}]`],
    ...(system.length === 0 ? [] : [systemMember(tree, system.join('\n\n'))]),
  ])
}

function systemMember(tree: JsonTree, text: string): readonly [string, string] {
  const name = nameOf(tree, tree.root, geminiShape.system)
  const old = memberUnder(tree, tree.root, geminiShape.system)
  const role = member(tree, old, 'role')
  return [name, `{${role ? `"role":${rawText(tree, role)},` : ''}"parts":[${JSON.stringify({ text })}]}`]
}
