import { kinds } from './model.ts'
import type { Node, Type } from './model.ts'

/** How text and names are written: bare in a code block, escaped and linked in a table. */
export interface Style {
  readonly plain: (text: string) => string
  readonly named: (name: string, target: number | undefined) => string
  /** Longest line; longer types are broken. A cell has no limit. */
  readonly width: number
  /** Whether members say that they are read-only; all of them are. */
  readonly modifiers: boolean
}

export const codeStyle: Style = { plain: (text) => text, named: (name) => name, width: 100, modifiers: true }

/** Types that need parentheses before `[]`, and inside a union. */
const loose = new Set(['union', 'intersection', 'typeOperator', 'conditional', 'query', 'inferred'])

function isFunction(type: Type): boolean {
  return type.type === 'reflection' && type.declaration?.signatures !== undefined && !type.declaration.children
}

function grouped(style: Style, type: Type, indent: string): string {
  const text = typeText(style, type, indent)
  return loose.has(type.type) || isFunction(type) ? `${style.plain('(')}${text}${style.plain(')')}` : text
}

function literalText(value: unknown): string {
  if (typeof value === 'string')
    return `'${value.replaceAll('\\', '\\\\').replaceAll("'", "\\'").replaceAll('\n', '\\n')}'`
  if (typeof value !== 'object' || value === null) return String(value)
  const { negative, value: digits } = value as { readonly negative: boolean; readonly value: string }
  return `${negative ? '-' : ''}${digits}n`
}

/** Parts on one line or, where that is too long, each on a line of its own. */
function listed(
  style: Style,
  parts: readonly string[],
  indent: string,
  marks: readonly [string, string, string],
): string {
  const [open, separator, close] = marks
  const { plain } = style
  const line = `${plain(open)}${parts.join(plain(`${separator} `))}${plain(close)}`
  if (indent.length + line.length <= style.width && !line.includes('\n')) return line
  const inner = parts.map((part) => `\n${indent}  ${part}${separator === ',' ? plain(',') : ''}`).join('')
  return `${plain(open.trimEnd())}${inner}\n${indent}${plain(close.trimStart())}`
}

function unionText(style: Style, types: readonly Type[], indent: string): string {
  const bar = style.plain(' | ')
  const parts = types.map((type) =>
    isFunction(type) ? grouped(style, type, indent) : typeText(style, type, `${indent}  `),
  )
  const line = parts.join(bar)
  if (indent.length + line.length <= style.width && !line.includes('\n')) return line
  if (types.every(({ type }) => type === 'literal')) return filled(style, parts, indent)
  return parts.map((part) => `\n${indent}  | ${part}`).join('')
}

/** Short parts, as many on a line as fit. */
function filled({ width }: Style, parts: readonly string[], indent: string): string {
  const lines: string[] = []
  for (const part of parts) {
    const last = lines.at(-1)
    const longer = `${last} | ${part}`
    if (last !== undefined && indent.length + longer.length <= width - 2) lines[lines.length - 1] = longer
    else lines.push(`| ${part}`)
  }
  return lines.map((line) => `\n${indent}  ${line}`).join('')
}

/** `input` for a parameter that is taken apart where it is declared. */
function parameterName({ name }: Node): string {
  return name === '__namedParameters' ? 'options' : name
}

function parameterText(style: Style, parameter: Node, indent: string): string {
  const { flags, defaultValue, type } = parameter
  const optional = flags.isOptional === true || defaultValue !== undefined ? '?' : ''
  const head = `${flags.isRest === true ? '...' : ''}${parameterName(parameter)}${optional}: `
  return `${style.plain(head)}${type ? typeText(style, type, indent) : 'unknown'}`
}

/** `<A extends B = C>`, or nothing. */
export function typeParametersText(style: Style, parameters: readonly Node[] | undefined): string {
  if (!parameters || parameters.length === 0) return ''
  const parts = parameters.map(({ name, type, default: usual }) =>
    [
      style.plain(name),
      ...(type ? [style.plain(' extends '), typeText(style, type, '')] : []),
      ...(usual ? [style.plain(' = '), typeText(style, usual, '')] : []),
    ].join(''),
  )
  return `${style.plain('<')}${parts.join(style.plain(', '))}${style.plain('>')}`
}

/** Parameters and result of a function; `arrow` stands between them. */
export function signatureText(style: Style, signature: Node, arrow: string, indent = ''): string {
  const { parameters = [], typeParameters, type } = signature
  const result = type ? typeText(style, type, indent) : ''
  const head = typeParametersText(style, typeParameters)
  const end = type ? `${style.plain(arrow)}${result}` : ''
  const parts = parameters.map((parameter) => parameterText(style, parameter, `${indent}  `))
  const line = `${head}${style.plain('(')}${parts.join(style.plain(', '))}${style.plain(')')}`
  const room = style.width - indent.length - 20
  if (line.length + (end.split('\n')[0] ?? '').length <= room && !line.includes('\n')) return `${line}${end}`
  return `${head}${listed({ ...style, width: 0 }, parts, indent, ['(', ',', ')'])}${end}`
}

export function memberText(style: Style, member: Node, indent: string): string {
  const { name, flags, type, signatures, getSignature } = member
  const shown = /^[\w$]+$/.test(name) || name.startsWith('[') ? name : `'${name}'`
  const head = `${style.modifiers && flags.isReadonly === true ? 'readonly ' : ''}${shown}${flags.isOptional === true ? '?' : ''}`
  const [signature] = signatures ?? []
  if (signature) return `${style.plain(head)}${signatureText(style, signature, ': ', indent)}`
  const of = type ?? getSignature?.type
  return `${style.plain(`${head}: `)}${of ? typeText(style, of, indent) : style.plain('unknown')}`
}

function objectText(style: Style, declaration: Node, indent: string): string {
  const { children = [], signatures = [], indexSignatures = [] } = declaration
  const [signature] = signatures
  if (signature && children.length === 0) return signatureText(style, signature, ' => ', indent)
  const inner = `${indent}  `
  const members = [
    ...signatures.map((one) => signatureText(style, one, ': ', inner)),
    ...indexSignatures.map((one) => {
      const [key] = one.parameters ?? []
      const head = key ? parameterText(style, key, inner) : ''
      return `${style.plain('[')}${head}${style.plain(']: ')}${one.type ? typeText(style, one.type, inner) : ''}`
    }),
    ...children.map((child) => memberText(style, child, inner)),
  ]
  return members.length === 0 ? style.plain('{}') : listed(style, members, indent, ['{ ', ';', ' }'])
}

function mappedText(style: Style, type: Type, indent: string): string {
  const { plain } = style
  const readonly = type.readonlyModifier === '+' ? 'readonly ' : type.readonlyModifier === '-' ? '-readonly ' : ''
  const optional = type.optionalModifier === '+' ? '?' : type.optionalModifier === '-' ? '-?' : ''
  const over = type.parameterType ? typeText(style, type.parameterType, indent) : ''
  const as = type.nameType ? `${plain(' as ')}${typeText(style, type.nameType, indent)}` : ''
  const value = type.templateType ? typeText(style, type.templateType, indent) : ''
  return `${plain(`{ ${readonly}[${type.parameter} in `)}${over}${as}${plain(`]${optional}: `)}${value}${plain(' }')}`
}

function conditionalText(style: Style, type: Type, indent: string): string {
  const of = (part: Type | undefined): string => (part ? typeText(style, part, indent) : '')
  const { checkType, extendsType, trueType, falseType } = type
  return [of(checkType), ' extends ', of(extendsType), ' ? ', of(trueType), ' : ', of(falseType)]
    .map((part, index) => (index % 2 === 1 ? style.plain(part) : part))
    .join('')
}

function referenceText(style: Style, { name = '', target, typeArguments = [] }: Type, indent: string): string {
  const parts = typeArguments.map((type) => typeText(style, type, indent))
  const given = parts.length === 0 ? '' : `${style.plain('<')}${parts.join(style.plain(', '))}${style.plain('>')}`
  return `${style.named(name, typeof target === 'number' ? target : undefined)}${given}`
}

type Writer = (style: Style, type: Type, indent: string) => string

const optionalText = (style: Style, type: Type | undefined, indent: string): string =>
  type ? typeText(style, type, indent) : ''

const writers: Readonly<Record<string, Writer>> = {
  intrinsic: ({ plain }, { name = '' }) => plain(name),
  unknown: ({ plain }, { name = '' }) => plain(name),
  literal: ({ plain }, { value }) => plain(literalText(value)),
  reference: referenceText,
  array: (style, { elementType }, indent) =>
    `${elementType ? grouped(style, elementType, indent) : ''}${style.plain('[]')}`,
  tuple: (style, { elements = [] }, indent) =>
    listed(
      style,
      elements.map((element) => typeText(style, element, indent)),
      indent,
      ['[', ',', ']'],
    ),
  namedTupleMember: (style, { name, isOptional, element }, indent) =>
    `${style.plain(`${name}${isOptional === true ? '?' : ''}: `)}${optionalText(style, element, indent)}`,
  rest: (style, { elementType }, indent) => `${style.plain('...')}${optionalText(style, elementType, indent)}`,
  optional: (style, { elementType }, indent) => `${optionalText(style, elementType, indent)}${style.plain('?')}`,
  union: (style, { types = [] }, indent) => unionText(style, types, indent),
  intersection: (style, { types = [] }, indent) =>
    types
      .map((type) => (type.type === 'union' ? grouped(style, type, indent) : typeText(style, type, indent)))
      .join(style.plain(' & ')),
  typeOperator: (style, { operator, target }, indent) =>
    `${style.plain(`${operator} `)}${optionalText(style, target as Type, indent)}`,
  query: (style, { queryType }, indent) => `${style.plain('typeof ')}${optionalText(style, queryType, indent)}`,
  indexedAccess: (style, { objectType, indexType }, indent) =>
    `${optionalText(style, objectType, indent)}${style.plain('[')}${optionalText(style, indexType, indent)}${style.plain(']')}`,
  conditional: conditionalText,
  mapped: mappedText,
  predicate: (style, { name, asserts, targetType }, indent) =>
    `${style.plain(`${asserts === true ? 'asserts ' : ''}${name}`)}${targetType ? `${style.plain(' is ')}${typeText(style, targetType, indent)}` : ''}`,
  inferred: ({ plain }, { name }) => plain(`infer ${name}`),
  templateLiteral: (style, { head = '', tail = [] }, indent) =>
    `${style.plain(`\`${head}`)}${tail.map(([type, text]) => `${style.plain('${')}${typeText(style, type, indent)}${style.plain(`}${text}`)}`).join('')}${style.plain('`')}`,
  reflection: (style, { declaration }, indent) => (declaration ? objectText(style, declaration, indent) : ''),
}

/** A type as TypeScript; lines after the first begin with `indent`. */
export function typeText(style: Style, type: Type, indent = ''): string {
  const write = writers[type.type]
  if (!write) throw new Error(`TypeDoc has a form of type that the reference cannot write: ${type.type}`)
  return write(style, type, indent)
}

/** The declaration of a name, as a code block shows it. */
export function declarationText(node: Node, style = codeStyle): readonly string[] {
  const { name, kind, children = [], signatures = [], type, typeParameters } = node
  const head = `${name}${typeParametersText(style, typeParameters)}`
  if (kind === kinds.function)
    return signatures.map((signature) => `function ${name}${signatureText(style, signature, ': ')}`)
  if (kind === kinds.variable) return [`const ${name}: ${type ? typeText(style, type) : 'unknown'}`]
  const made = children.find((child) => child.kind === kinds.constructor)?.signatures ?? []
  if (kind === kinds.class)
    return made.map(({ parameters = [] }) => `new ${head}(${parameters.map((one) => one.name).join(', ')})`)
  if (kind === kinds.typeAlias && type) return [`type ${head} =${spaced(typeText(style, type))}`]
  if (signatures.length > 0)
    return signatures.map((signature) => `type ${head} = ${signatureText(style, signature, ' => ')}`)
  return typeParameters ? [`interface ${head}`] : []
}

const spaced = (text: string): string => (text.startsWith('\n') ? text : ` ${text}`)
