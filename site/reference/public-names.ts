import type { Node, Project } from './model.ts'
import { kinds } from './model.ts'

/** One entry of the package. */
export interface Entry {
  /** What a program imports from, such as `prehend/stores`. */
  readonly name: string
  /** Path of its source below the checkout. */
  readonly source: string
  /** Names of values and types that it promises. */
  readonly names: ReadonlySet<string>
}

/** A name of the reference. */
export interface Named {
  readonly node: Node
  readonly entry: Entry
  /** False for a type that public names use, and that no entry exports. */
  readonly exported: boolean
  /** Path of the file that declares it, below the checkout. */
  readonly file: string
}

/** As the plugin for types without an export names the module that it puts them in. */
export const internalModule = '<internal>'

/** Declarations of a project by id, each with the entry that exports it or, failing that, uses it first. */
function declarations(project: Project, entries: readonly Entry[]): ReadonlyMap<number, Named> {
  const found = new Map<number, Named>()
  const add = (nodes: readonly Node[], entry: Entry, exported: boolean): void => {
    for (const node of nodes) {
      if (node.kind === kinds.module) add(node.children ?? [], entry, false)
      else if (node.kind === kinds.namespace) add(node.children ?? [], entry, exported)
      else found.set(node.id, { node, entry, exported, file: project.symbolIdMap[node.id]?.packagePath ?? '' })
    }
  }
  for (const module of project.children ?? []) {
    const entry = entries.find(({ source }) => moduleName(source) === module.name)
    if (!entry) throw new Error(`TypeDoc read ${module.name}, which no entry of package.json stands for.`)
    add(module.children ?? [], entry, true)
  }
  return found
}

/** As TypeDoc names a module. */
function moduleName(source: string): string {
  return source.replace(/(?:\/index)?\.ts$/, '')
}

/** Edges that lead from a type to those that build on it. */
const backwards = new Set(['extendedBy', 'implementedBy', 'groups', 'comment'])

/** Ids that a node refers to. */
function* references(value: unknown): Iterable<number> {
  if (typeof value !== 'object' || value === null) return
  const { type, target } = value as { readonly type?: unknown; readonly target?: unknown }
  if (type === 'reference' && typeof target === 'number') yield target
  for (const [name, member] of Object.entries(value)) if (!backwards.has(name)) yield* references(member)
}

/** Ids of top-level declarations by the id of every node in them. */
export function nodeOwners(names: Iterable<Named>): ReadonlyMap<number, number> {
  const found = new Map<number, number>()
  const visit = (value: unknown, owner: number): void => {
    if (typeof value !== 'object' || value === null) return
    const { id, kind } = value as Partial<Node>
    if (typeof id === 'number' && kind !== kinds.typeParameter) found.set(id, owner)
    for (const member of Object.values(value)) visit(member, owner)
  }
  for (const { node } of names) visit(node, node.id)
  return found
}

/** TypeScript puts such lists in the place of their names, so that nothing refers to them. */
function isListOfTexts({ kind, type }: Node): boolean {
  return (
    kind === kinds.typeAlias && type?.type === 'union' && type.types?.every((one) => one.type === 'literal') === true
  )
}

/**
 * What the reference shows: the names that entries promise, the exported types that these use, exported lists of texts, and the types without an export that one
 * of these names. `export type *` also publishes functions as types and helpers of the core that nothing else uses; both are left out.
 */
export function publicNames(project: Project, entries: readonly Entry[]): readonly Named[] {
  const all = declarations(project, entries)
  const ownerOf = nodeOwners(all.values())
  const waiting = [...all.values()].filter(
    ({ node, entry, exported }) => exported && (entry.names.has(node.name) || isListOfTexts(node)),
  )
  const reached = new Set(waiting.map(({ node }) => node.id))
  for (let named = waiting.pop(); named; named = waiting.pop()) {
    const targets = named.node.kind === kinds.reference ? [named.node.target ?? -1] : references(named.node)
    for (const target of targets) {
      const next = all.get(ownerOf.get(target) ?? -1)
      if (!next || reached.has(next.node.id) || !(named.exported || next.exported)) continue
      if (next.node.kind === kinds.function || next.node.kind === kinds.variable) continue
      reached.add(next.node.id)
      waiting.push(next)
    }
  }
  return [...all.values()].filter(({ node }) => reached.has(node.id))
}
