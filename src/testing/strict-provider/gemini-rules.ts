import type { JsonObject, JsonValue } from '../../core/index.ts'
import { checkName, objectIn, objectsIn, textIn } from './fault.ts'
import type { Refuse } from './fault.ts'

const names = { alphabet: /^[a-zA-Z_][a-zA-Z0-9_.:-]*$/, most: 64 }

/** What Google refuses at `:generateContent` and `:streamGenerateContent`. */
export function checkGemini(body: JsonObject, path: string, refuse: Refuse): void {
  if (/models%2F|models\/models/i.test(path)) refuse('path', 'names no model')
  const third = Number(/gemini-(\d+)/.exec(path)?.[1] ?? 0) >= 3
  for (const tool of objectsIn(body['tools']))
    for (const declared of objectsIn(tool['functionDeclarations'])) {
      checkName(refuse, 'tools', { ...names, name: textIn(declared, 'name') ?? '' })
      const schema = objectIn(declared, 'parametersJsonSchema')
      checkReferences(schema, { defined: objectIn(schema, '$defs'), where: 'tools', refuse })
    }
  const format = objectIn(objectIn(body, 'generationConfig'), 'responseJsonSchema')
  checkReferences(format, { defined: objectIn(format, '$defs'), where: 'generationConfig', refuse })
  const contents = objectsIn(body['contents'])
  if (contents.length === 0) refuse('contents', 'is empty')
  if (contents[0] !== undefined && contents[0]['role'] === 'model') refuse('contents[0]', 'the user begins')
  let open = 0
  for (const [at, content] of contents.entries()) {
    const parts = objectsIn(content['parts'])
    const where = `contents[${at}]`
    if (parts.length === 0) refuse(where, 'has no parts')
    if (!['user', 'model', undefined].includes(content['role'] as string | undefined)) refuse(where, 'unknown role')
    const results = parts.filter((part) => part['functionResponse'] !== undefined)
    if (results.length !== open) refuse(where, `${open} calls have ${results.length} results`)
    const calls = parts.filter((part) => part['functionCall'] !== undefined)
    open = calls.length
    if (third && calls[0] !== undefined && !calls[0]['thoughtSignature']) refuse(where, 'a call is not signed')
    for (const part of parts) checkPart(part, { where, third, refuse })
  }
}

interface SchemaPlace {
  readonly defined: JsonObject
  readonly where: string
  readonly refuse: Refuse
}

/** Members of a schema that hold data. */
const data: ReadonlySet<string> = new Set(['default', 'enum', 'const', 'examples'])

/** Beside a reference stand a description and a default alone, and it names a definition of `$defs`. */
function checkReferences(value: JsonValue, place: SchemaPlace): void {
  if (typeof value !== 'object' || value === null) return
  for (const [name, inner] of Object.entries(value)) if (!data.has(name)) checkReferences(inner, place)
  const { $ref: pointer, ...rest } = value as JsonObject
  if (typeof pointer !== 'string') return
  const others = Object.keys(rest).filter((name) => name !== 'description' && name !== 'default')
  if (others.length > 0) place.refuse(place.where, `$ref was set alongside unsupported fields: ${others.join(', ')}`)
  if (!pointer.startsWith('#/$defs/') || place.defined[pointer.slice('#/$defs/'.length)] === undefined)
    place.refuse(place.where, `reference to undefined schema: ${pointer}`)
}

interface PartPlace {
  readonly where: string
  readonly third: boolean
  readonly refuse: Refuse
}

function checkPart(part: JsonObject, { where, third, refuse }: PartPlace): void {
  if (part['text'] === '' && Object.keys(part).length === 1) refuse(where, 'has an empty text')
  const response = objectIn(part, 'functionResponse')
  if (!third && objectsIn(response['parts']).length > 0) refuse(where, 'this model takes no media in results')
  const call = objectIn(part, 'functionCall')
  if (call['args'] !== undefined && typeof call['args'] !== 'object') refuse(where, 'args is an object')
}
