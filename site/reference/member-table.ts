import { cellText, escaped, examplesOf, usualValue } from './doc-text.ts'
import type { Linked } from './doc-text.ts'
import type { Comment, Node, Type } from './model.ts'
import { signatureText, typeText } from './type-text.ts'
import type { Style } from './type-text.ts'

/** What cells need to know of the other names. */
export interface Links {
  readonly linked: Linked
  readonly hrefOf: (target: number) => string | undefined
}

interface Row {
  readonly name: string
  readonly type: string
  readonly comment: Comment | undefined
}

function cellStyle({ hrefOf }: Links): Style {
  return {
    plain: escaped,
    named: (name, target) => {
      const href = target === undefined ? undefined : hrefOf(target)
      return href === undefined ? escaped(name) : `[${escaped(name)}](${href})`
    },
    width: Number.POSITIVE_INFINITY,
    modifiers: false,
  }
}

/** Of a function it stands with the signature. */
export function commentOf(node: Node): Comment | undefined {
  const [signature] = node.signatures ?? node.type?.declaration?.signatures ?? []
  return node.comment ?? signature?.comment ?? node.getSignature?.comment
}

interface Nested {
  readonly declaration: Node
  /** `[]` for members of a list, `.*` for those of a record. */
  readonly mark: string
}

/** The object that a member holds, alone, in a list or where it is given. */
function nestedIn(type: Type | undefined, mark = ''): Nested | undefined {
  if (type?.type === 'reflection' && type.declaration?.children) return { declaration: type.declaration, mark }
  if (type?.type === 'array') return nestedIn(type.elementType, '[]')
  if (type?.type === 'typeOperator') return nestedIn(type.target as Type, mark)
  if (type?.type === 'reference' && type.name === 'Record') return nestedIn(type.typeArguments?.[1], '.*')
  const given = type?.type === 'union' ? type.types?.filter(({ name }) => name !== 'undefined') : undefined
  return given?.length === 1 ? nestedIn(given[0], mark) : undefined
}

/** Longest object that a cell shows in place of rows for its members. */
const longestInCell = 300

function hasRows({ children = [] }: Node, written: string): boolean {
  return written.length > longestInCell || children.some((child) => commentOf(child) !== undefined)
}

function rowsOf(links: Links, member: Node, before = ''): readonly Row[] {
  const style = cellStyle(links)
  const comment = commentOf(member)
  const name = `${before}${member.name}${member.flags.isOptional === true ? '?' : ''}`
  if (member.signatures)
    return [{ name, type: member.signatures.map((one) => signatureText(style, one, ' => ')).join('<br>'), comment }]
  const type = member.type ?? member.getSignature?.type
  const nested = nestedIn(type)
  const written = type ? typeText(style, type) : ''
  if (!nested || !hasRows(nested.declaration, written)) return [{ name, type: written, comment }]
  const under = nested.declaration.children ?? []
  return [
    { name, type: `object${escaped(nested.mark.replace('.*', ' by name'))}`, comment },
    ...under.flatMap((child) => rowsOf(links, child, `${before}${member.name}${nested.mark}.`)),
  ]
}

/** A table of members, with the values in force where some are left out, and the examples of members under it. */
export function memberTable(links: Links, members: readonly Node[]): readonly string[] {
  const rows = members.flatMap((member) => rowsOf(links, member))
  if (rows.length === 0) return []
  const usual = rows.map(({ comment }) => usualValue(comment))
  const withUsual = usual.some((value) => value !== undefined)
  const meanings = rows.map(({ comment }) => cellText(comment, links.linked))
  const withMeaning = meanings.some((meaning) => meaning !== '')
  const head = ['member', 'type', ...(withUsual ? ['default'] : []), ...(withMeaning ? ['meaning'] : [])]
  const lines = rows.map(({ name, type }, index) =>
    [`\`${name}\``, type, ...(withUsual ? [usual[index] ?? ''] : []), ...(withMeaning ? [meanings[index]] : [])].join(
      ' | ',
    ),
  )
  const table = [head.join(' | '), head.map(() => '---').join(' | '), ...lines].map((line) => `| ${line} |`).join('\n')
  return [table, ...rows.flatMap(({ name, comment }) => examplesOf(comment).flatMap((code) => [`\`${name}\`:`, code]))]
}

/** Members with a docstring of the objects in a union or an intersection, each once. */
export function membersIn(type: Type | undefined): readonly Node[] {
  if (type?.type === 'reflection') return (type.declaration?.children ?? []).filter((child) => commentOf(child))
  const found = (type?.types ?? []).flatMap(membersIn)
  const keys = found.map((member) => `${member.name} ${JSON.stringify(commentOf(member)?.summary)}`)
  return found.filter((_, index) => keys.indexOf(keys[index] ?? '') === index)
}
