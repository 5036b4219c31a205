import type { JsonSource } from './json-source.ts'
import { compactJson, parseJsonSource } from './json-source.ts'
import { withoutExamples } from './tool-examples.ts'

/** How much of a tool definition is shown. `aggressive` is text for catalogues, not a definition. */
export type SchemaLevel = 'none' | 'minify' | 'unexampled' | 'truncate' | 'required' | 'aggressive'

/** Levels that give a definition again. */
type DefinitionLevel = Exclude<SchemaLevel, 'none' | 'aggressive'>

const schemaKeys: ReadonlySet<string> = new Set(['parameters', 'input_schema', 'inputSchema'])

/**
 * A tool definition at a level, with a note at the end of what it says of itself where one is given; undefined when the text is no definition in JSON. `minify`, `unexampled` and `truncate` give the
 * same element of `tools` with a valid schema that accepts the same calls; `unexampled` has no examples; `truncate` explains the tool but no longer its
 * parameters; `required` also leaves out fields that need not be given, and all but the first sentence; `aggressive` gives one line of text.
 */
export function schemaAtLevel(text: string, level: SchemaLevel, note?: string): string | undefined {
  if (level === 'none') return text
  const node = parseJsonSource(text)
  const tool = node === undefined ? undefined : definitionOf(node)
  if (node === undefined || tool === undefined) return undefined
  return level === 'aggressive'
    ? catalogueLine(tool)
    : compactJson(withDefinition(node, (definition) => noted(shortened(definition, level), note)))
}

type ObjectNode = Extract<JsonSource, { type: 'object' }>

/** The object that holds name and schema: the element itself, or its `function`. */
function definitionOf(node: JsonSource): ObjectNode | undefined {
  if (node.type !== 'object') return undefined
  const inner = member(node, 'function')
  const definition = inner?.type === 'object' ? inner : node
  return stringMember(definition, 'name') === undefined ? undefined : definition
}

function withDefinition(node: JsonSource, change: (definition: ObjectNode) => JsonSource): JsonSource {
  if (node.type !== 'object') return node
  const inner = member(node, 'function')
  if (inner?.type !== 'object') return change(node)
  return mapMembers(node, (key, value) => (key === 'function' && value.type === 'object' ? change(value) : value))
}

function shortened(definition: ObjectNode, level: DefinitionLevel): ObjectNode {
  return mapMembers(definition, (key, value) => {
    if (schemaKeys.has(key)) return schemaNode(value, level, '')
    if (key === 'description') return described(value, level)
    if (level === 'unexampled' && examples.has(key)) return undefined
    return value
  })
}

/** With a note on a line of its own below the description. */
function noted(definition: ObjectNode, note: string | undefined): ObjectNode {
  if (note === undefined) return definition
  const told = stringMember(definition, 'description')
  const value = scalar(told === undefined || told === '' ? note : `${told}\n${note}`)
  const { keys, values } = mapMembers(definition, (key, own) => (key === 'description' ? undefined : own))
  const place = definition.keys.findIndex((key) => nameOf(key) === 'description')
  const at = place === -1 ? keys.length : place
  return { type: 'object', keys: keys.toSpliced(at, 0, '"description"'), values: values.toSpliced(at, 0, value) }
}

function scalar(text: string): JsonSource {
  return { type: 'scalar', raw: JSON.stringify(text) }
}

/** A copy whose members are mapped; undefined drops one. */
function mapMembers(node: ObjectNode, change: (key: string, value: JsonSource) => JsonSource | undefined): ObjectNode {
  const keys: string[] = []
  const values: JsonSource[] = []
  node.keys.forEach((key, index) => {
    const value = node.values[index]
    const changed = value === undefined ? undefined : change(nameOf(key), value)
    if (changed === undefined) return
    keys.push(key)
    values.push(changed)
  })
  return { type: 'object', keys, values }
}

const namedSchemas: ReadonlySet<string> = new Set([
  'properties',
  'patternProperties',
  '$defs',
  'definitions',
  'dependentSchemas',
])
const innerSchemas: ReadonlySet<string> = new Set([
  'items',
  'additionalProperties',
  'unevaluatedProperties',
  'additionalItems',
  'contains',
  'propertyNames',
  'not',
  'if',
  'then',
  'else',
])
const schemaLists: ReadonlySet<string> = new Set(['allOf', 'anyOf', 'oneOf', 'prefixItems', 'items'])

/** What holds examples, in definitions and in schemas. */
const examples: ReadonlySet<string> = new Set(['examples', 'example', 'input_examples', 'inputExamples'])
/** Keywords that neither restrict nor explain anything. */
const silent: ReadonlySet<string> = new Set(['$schema', '$comment'])
/** Keywords that explain and do not restrict. */
const explaining: ReadonlySet<string> = new Set([
  'description',
  'title',
  'examples',
  'example',
  'deprecated',
  'markdownDescription',
])

function schemaNode(node: JsonSource, level: DefinitionLevel, name: string): JsonSource {
  if (node.type !== 'object') return node
  const left = level === 'required' ? requiredNames(node) : undefined
  return mapMembers(node, (key, value) => {
    if (key === 'properties' && left && value.type === 'object')
      return namedSchemaNodes(
        mapMembers(value, (field, own) => (left.has(field) ? own : undefined)),
        level,
      )
    if (namedSchemas.has(key)) return namedSchemaNodes(value, level)
    if (schemaLists.has(key) && value.type === 'array') {
      return { type: 'array', elements: value.elements.map((element) => schemaNode(element, level, '')) }
    }
    if (innerSchemas.has(key)) return schemaNode(value, level, '')
    if (silent.has(key)) return undefined
    if (key === 'title' && isRedundantTitle(value, name)) return undefined
    if (key === 'required' && isEmptyList(value)) return undefined
    if (isTerse(level) && explaining.has(key)) return undefined
    if (level === 'unexampled' && examples.has(key)) return undefined
    return key === 'description' ? described(value, level) : value
  })
}

function namedSchemaNodes(node: JsonSource, level: DefinitionLevel): JsonSource {
  if (node.type !== 'object') return node
  return mapMembers(node, (name, value) => schemaNode(value, level, name))
}

function isEmptyList(node: JsonSource): boolean {
  return node.type === 'array' && node.elements.length === 0
}

/** Generators write titles that repeat the property's name, or name the argument list. */
function isRedundantTitle(node: JsonSource, name: string): boolean {
  const title = textOf(node)
  if (title === undefined) return false
  const plain = title.toLowerCase().replace(/[^a-z0-9]/g, '')
  return name === ''
    ? /(?:arguments|params|parameters|schema|input|request|args)$/.test(plain)
    : plain === name.toLowerCase().replace(/[^a-z0-9]/g, '')
}

/** A description without indent and loose ends, or on one line; undefined when empty. */
function described(node: JsonSource, level: DefinitionLevel): JsonSource | undefined {
  const text = textOf(node)
  if (text === undefined) return node
  const plain = isTerse(level) ? shortWords(text, level) : dedented(level === 'minify' ? text : withoutExamples(text))
  return plain === '' ? undefined : scalar(plain)
}

/** Without spaces at line ends, blank lines in a row, and the indent that all lines but the first share. */
function dedented(text: string): string {
  const lines = text.split('\n').map((line) => line.trimEnd())
  const indents = lines.slice(1).flatMap((line) => (line === '' ? [] : [line.length - line.trimStart().length]))
  const shared = indents.reduce((least, indent) => Math.min(least, indent), Infinity)
  const plain = lines.map((line, index) => (index === 0 ? line : line.slice(Math.min(shared, line.length))))
  return plain
    .join('\n')
    .replace(/\n{3,}/g, '\n\n')
    .trim()
}

function isTerse(level: DefinitionLevel): boolean {
  return level === 'truncate' || level === 'required'
}

function shortWords(text: string, level: DefinitionLevel): string {
  const words = oneSpaced(text)
  if (level !== 'required') return words
  const end = words.search(/[.!?] /)
  return end < 0 ? words : words.slice(0, end + 1)
}

/** The fields of an object that must be given. */
function requiredNames(schema: ObjectNode): ReadonlySet<string> {
  const required = member(schema, 'required')
  if (required?.type !== 'array') return new Set()
  return new Set(required.elements.flatMap((element) => textOf(element) ?? []))
}

function oneSpaced(text: string): string {
  return text.replace(/\s+/g, ' ').trim()
}

/** `name - purpose | key=type key=type`: required fields only. */
function catalogueLine(definition: ObjectNode): string {
  const name = stringMember(definition, 'name') ?? ''
  const purpose = oneSpaced(stringMember(definition, 'description') ?? '')
  const schema = [...schemaKeys].map((key) => member(definition, key)).find((node) => node?.type === 'object')
  const fields = schema?.type === 'object' ? requiredFields(schema) : []
  return [name, purpose === '' ? '' : ` - ${purpose}`, fields.length === 0 ? '' : ` | ${fields.join(' ')}`].join('')
}

function requiredFields(schema: ObjectNode): readonly string[] {
  const required = member(schema, 'required')
  const properties = member(schema, 'properties')
  if (required?.type !== 'array' || properties?.type !== 'object') return []
  return required.elements.flatMap((element) => {
    const name = textOf(element)
    return name === undefined ? [] : [`${name.replace(/\s+/g, '_')}=${typeWord(member(properties, name))}`]
  })
}

function typeWord(node: JsonSource | undefined): string {
  if (node?.type !== 'object') return 'any'
  const choices = member(node, 'enum')
  if (choices?.type === 'array' && choices.elements.length <= 12) {
    return choices.elements
      .map((element) => textOf(element) ?? compactJson(element))
      .join('|')
      .replace(/\s+/g, '_')
  }
  const type = textOf(member(node, 'type'))
  if (type !== 'array') return type ?? 'any'
  const items = member(node, 'items')
  return `${items === undefined ? 'any' : typeWord(items)}[]`
}

function member(node: ObjectNode, name: string): JsonSource | undefined {
  return node.values[node.keys.findIndex((key) => nameOf(key) === name)]
}

function stringMember(node: ObjectNode, name: string): string | undefined {
  return textOf(member(node, name))
}

function textOf(node: JsonSource | undefined): string | undefined {
  return node?.type === 'scalar' && node.raw.startsWith('"') ? nameOf(node.raw) : undefined
}

/** The string that a JSON string literal stands for. */
function nameOf(raw: string): string {
  return raw.includes('\\') ? String(JSON.parse(raw)) : raw.slice(1, -1)
}
