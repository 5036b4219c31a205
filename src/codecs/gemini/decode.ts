import type { Role } from '../../core/index.ts'
import { decodeValue, invalidInput, keyAt, rawText, stringAt } from '../../core/index.ts'
import { optional } from '../optional.ts'
import type { Field } from '../read-field.ts'
import {
  child,
  elements,
  optionalString,
  optionalTokenCount,
  requireArray,
  requireObject,
  requiredMessages,
  requiredString,
} from '../read-field.ts'
import type { MessageContext, MessageReading, PartReading, RequestReader, ToolReading } from '../request-reader.ts'
import { numberAt, stringsAt, valueAt } from '../sampling-fields.ts'
import type { Speaker } from '../wire-item.ts'
import { toolItem, wireItem } from '../wire-item.ts'
import { either, eitherChild, partKind, spelling } from './members.ts'
import { jsonSchema } from '../open-schema.ts'
import type { Part } from './read-parts.ts'
import { rawItem, readPart } from './read-parts.ts'
import { callingConfig, geminiSampling } from './sampling.ts'
import { geminiShape } from './shape.ts'
import { target } from './target.ts'

/** A request may leave the role of its only message out; results came under a role of their own once. */
const roles: Readonly<Record<string, Role>> = { user: 'user', model: 'assistant', function: 'user' }

export const geminiReader: RequestReader = {
  dialect: 'gemini',
  path: '/v1beta/models/{model}:generateContent',
  shape: geminiShape,
  target,
  readTool,
  readSystem,
  messages: (body) => requiredMessages(body, geminiShape.messages),
  readMessage,
  isUserAuthored,
  acceptsTool,
  acceptsFirstTool,
  asksForOne,
  bodyMarker: () => undefined,
  cacheKey: () => undefined,
  sampling: geminiSampling,
  maxOutputTokens(body) {
    const config = eitherChild(body, 'generationConfig')
    return config && optionalTokenCount(config, spelling(config, 'maxOutputTokens'), 1)
  },
}

function readTool(field: Field, id: string): ToolReading {
  const { tree, node } = field
  const text = rawText(tree, node)
  if (!id.includes('.')) {
    const name = node.children.length === 0 ? undefined : keyAt(tree, node, 0)
    const item = toolItem({ id, kind: 'tool-schema', text, ...optional('toolName', name), frozen: true })
    return { items: [item], markers: [] }
  }
  const name = requiredString(field, 'name')
  const item = toolItem({ id, kind: 'tool-schema', text, toolName: name })
  const json = either(tree, node, 'parametersJsonSchema')
  const open = child(field, 'parameters')
  const schema = json ? decodeValue(tree, json) : open ? jsonSchema(decodeValue(tree, open.node)) : {}
  return {
    items: [item],
    markers: [],
    definition: { name, description: stringAt(tree, node, 'description') ?? '', schema },
  }
}

function readSystem(body: Field): PartReading | undefined {
  const field = eitherChild(body, 'systemInstruction')
  const parts = field && child(requireObject(field), 'parts')
  if (parts === undefined) return undefined
  const speaker: Speaker = { role: 'system', turn: 0, isQuery: false }
  const items = elements(requireArray(parts)).map((part, index) => {
    const id = `s${index}`
    const text = stringAt(part.tree, requireObject(part).node, 'text')
    return text === undefined
      ? rawItem({ field: part, id, speaker }, 'opaque')
      : wireItem(speaker, { id, kind: 'instruction', text })
  })
  return { items, markers: [] }
}

function readMessage(field: Field, context: MessageContext): MessageReading {
  const name = optionalString(field, 'role') ?? 'user'
  const role = Object.hasOwn(roles, name) ? roles[name] : undefined
  if (role === undefined)
    throw invalidInput(`${field.path}.role`, `unknown role ${JSON.stringify(name)}`, 'Send user or model.')
  const speaker: Speaker = { role, turn: context.turn, isQuery: context.isQuery }
  const parts = child(field, 'parts')
  if (parts === undefined) return { role, items: [], calls: [], markers: [] }
  const told = { speaker, context, taken: new Set<string>(), answered: new Set<string>() }
  const readings = elements(requireArray(parts)).map((part, index) =>
    readPart({ ...told, field: requireObject(part), id: `${context.id}.b${index}` } satisfies Part),
  )
  return {
    role,
    items: readings.flatMap(({ items }) => items),
    calls: readings.flatMap(({ call }) => call ?? []),
    markers: [],
  }
}

function isUserAuthored({ tree, node }: Field): boolean {
  if ((stringAt(tree, node, 'role') ?? 'user') !== 'user') return false
  const parts = child({ tree, node, path: '' }, 'parts')?.node.children ?? []
  const kinds = parts.map((part) => partKind(tree, part))
  return kinds.includes('text') && !kinds.includes('result')
}

/** Calling a tool may be chosen, and nothing but this body says which tools there are. */
function acceptsTool(body: Field, tools: Field): boolean {
  if (eitherChild(body, 'cachedContent') !== undefined || !asksForOne(body)) return false
  const calling = callingConfig(body)
  const mode = calling && valueAt(calling, 'mode')
  if (mode !== undefined && mode !== 'AUTO' && mode !== 'VALIDATED') return false
  if (calling && stringsAt(calling, spelling(calling, 'allowedFunctionNames')) !== undefined) return false
  return tools.node.children.some((tool) => geminiShape.toolList(tools.tree, tool) !== undefined)
}

/** Answers of another form than text, and prompts that the provider keeps, go with no functions. */
function acceptsFirstTool(body: Field): boolean {
  if (eitherChild(body, 'cachedContent') !== undefined || eitherChild(body, 'toolConfig') !== undefined) return false
  const config = eitherChild(body, 'generationConfig')
  const forms = ['responseMimeType', 'responseSchema', 'responseJsonSchema', 'responseModalities'] as const
  return config === undefined || forms.every((name) => eitherChild(config, name) === undefined)
}

function asksForOne(body: Field): boolean {
  const config = eitherChild(body, 'generationConfig')
  const count = config && numberAt(config, spelling(config, 'candidateCount'))
  return count === undefined || count === 1
}
