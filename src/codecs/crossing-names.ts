import { fingerprint } from '../core/index.ts'
import type { Conversation, Item } from '../core/index.ts'

/** What a provider asks of the names of tools, or of the ids of calls. */
export interface NameRule {
  /** Finds the characters that no name may have. */
  readonly refused: RegExp
  /** The characters with which a name may begin; any that are not refused by default. */
  readonly begins?: RegExp
  readonly mostChars: number
}

/** A tool by the names that the client calls it. */
export interface CalledTool {
  readonly name: string
  readonly namespace?: string
}

/** A name as the provider takes it: as it is, or with a fingerprint of what it was. The same name always becomes the same. */
export function nameWithin(name: string, { refused, begins, mostChars }: NameRule): string {
  const clean = name.replaceAll(refused, '_')
  const begun = begins?.test(clean) === false ? `_${clean}` : clean
  if (begun === name && name !== '' && name.length <= mostChars) return name
  const mark = fingerprint(name)
  return `${begun.slice(0, mostChars - mark.length - 1)}_${mark}`
}

/** The name of a tool where one name has to do. */
export function wholeName({ name, namespace }: CalledTool): string {
  return namespace === undefined ? name : `${namespace}__${name}`
}

/** The id of each call and its results, by their group: each call of a conversation has an id of its own. */
export function callIds(items: readonly Item[], rule: NameRule): ReadonlyMap<string, string> {
  const ids = new Map<string, string>()
  const taken = new Set<string>()
  for (const { kind, group } of items) {
    if (kind !== 'tool-call' || group === undefined || ids.has(group)) continue
    const wanted = nameWithin(group.replace(/#(\d+)$/, '_$1'), rule)
    const id = taken.has(wanted) ? nameWithin(`${wanted}\n${group}`, rule) : wanted
    taken.add(id)
    ids.set(group, id)
  }
  return ids
}

/** Tools by the names under which a provider is told of them. */
export function sentNames(
  { tools, textTools = [], items }: Pick<Conversation, 'tools' | 'textTools' | 'items'>,
  rule: NameRule,
): ReadonlyMap<string, CalledTool> {
  const called = items.flatMap(({ kind, toolName, toolNamespace }): CalledTool[] =>
    kind !== 'tool-call' || toolName === undefined
      ? []
      : [{ name: toolName, ...(toolNamespace !== undefined && { namespace: toolNamespace }) }],
  )
  return new Map(
    [...called, ...textTools, ...tools].map(({ name, ...rest }) => {
      const namespace = 'namespace' in rest ? rest.namespace : undefined
      const tool: CalledTool = { name, ...(namespace !== undefined && { namespace }) }
      return [nameWithin(wholeName(tool), rule), tool]
    }),
  )
}
