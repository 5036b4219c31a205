import type { AssemblyReason } from '../compiler/index.ts'
import type { Section } from '../core/index.ts'
import { PrehendError, invalidInput, stableJson } from '../core/index.ts'
import type { Workspace, WorkspaceCategory, WorkspaceEntry } from './workspace.ts'

type ByCategory<Value> = Readonly<Record<Section, readonly Value[]>>

/** What leads from one workspace to the next: plain data. */
export interface WorkspaceDelta {
  readonly schema: 'prehend.workspace-delta/1'
  /** Categories in which an entry came, went, changed or moved, those of the earlier workspace first. */
  readonly changedCategories: readonly Section[]
  readonly added: ByCategory<WorkspaceEntry>
  /** By their ids. */
  readonly removed: ByCategory<string>
  /** Entries that are other than before under the same id (content, rung, tokens or text), as they are now. */
  readonly modified: ByCategory<WorkspaceEntry>
  /** Ids of categories in which entries do not follow as they did, or new ones do not stand at the end: all of them, in order. */
  readonly order: ByCategory<string>
  /** Current total less the earlier one. */
  readonly tokenDelta: number
  /** The same by category that changed in size. */
  readonly tokenDeltas: Readonly<Record<Section, number>>
  /** The rest only where it is other than before. */
  readonly categories?: readonly Pick<WorkspaceCategory, 'category' | 'tier'>[]
  readonly policyRevision?: number | null
  readonly reasons?: readonly AssemblyReason[]
}

/**
 * The difference between two workspaces, by the ids and the contents of their entries. Of a workspace and itself it is empty, and there and
 * back the signs turn. Throws `invalid-input` where an id stands twice in a category.
 */
export function workspaceDelta(previous: Workspace, current: Workspace): WorkspaceDelta {
  const before = categoriesOf(previous, 'previous')
  const after = categoriesOf(current, 'current')
  const names = [...new Set([...before.keys(), ...after.keys()])]
  const changes = names.map((name) => changeOf(name, before.get(name), after.get(name)))
  const of = <Value>(part: (change: CategoryChange) => readonly Value[]): ByCategory<Value> =>
    Object.fromEntries(
      changes.filter((one) => part(one).length > 0).map((one) => [one.category, part(one)]),
    ) as ByCategory<Value>
  return {
    schema: 'prehend.workspace-delta/1',
    changedCategories: changes.filter(hasChanged).map(({ category }) => category),
    added: of(({ added }) => added),
    removed: of(({ removed }) => removed),
    modified: of(({ modified }) => modified),
    order: of(({ order }) => order),
    tokenDelta: current.totalTokens - previous.totalTokens,
    tokenDeltas: Object.fromEntries(
      changes.filter(({ tokens }) => tokens !== 0).map(({ category, tokens }) => [category, tokens]),
    ) as Readonly<Record<Section, number>>,
    ...headDelta(previous, current),
  }
}

/** Whether a delta says that nothing at all has changed. */
export function isEmptyDelta(delta: WorkspaceDelta): boolean {
  const { changedCategories, categories, policyRevision, reasons } = delta
  return changedCategories.length === 0 && [categories, policyRevision, reasons].every((part) => part === undefined)
}

/** What is said beside the entries, where it is other than before. */
function headDelta(previous: Workspace, current: Workspace): Partial<WorkspaceDelta> {
  const heads = ({ categories }: Workspace) => categories.map(({ category, tier }) => ({ category, tier }))
  const isSame = (one: unknown, other: unknown): boolean => stableJson(one) === stableJson(other)
  return {
    ...(isSame(heads(previous), heads(current)) ? {} : { categories: heads(current) }),
    ...(previous.policyRevision === current.policyRevision ? {} : { policyRevision: current.policyRevision ?? null }),
    ...(isSame(previous.reasons, current.reasons) ? {} : { reasons: current.reasons }),
  }
}

type Entries = ReadonlyMap<string, WorkspaceEntry>

function categoriesOf({ categories }: Workspace, name: string): ReadonlyMap<Section, Entries> {
  return new Map(
    categories.map(({ category, entries }) => {
      const byId = new Map(entries.map((entry) => [entry.id, entry]))
      if (byId.size === entries.length) return [category, byId]
      const twice = entries.find(({ id }, index) => entries.findIndex((one) => one.id === id) < index)?.id ?? ''
      const remedy = 'Give every entry of a category an id of its own'
      throw invalidInput(`${name}.categories.${category}`, `the id ${JSON.stringify(twice)} stands twice`, remedy)
    }),
  )
}

interface CategoryChange {
  readonly category: Section
  readonly added: readonly WorkspaceEntry[]
  readonly removed: readonly string[]
  readonly modified: readonly WorkspaceEntry[]
  readonly order: readonly string[]
  readonly tokens: number
}

const nothing: Entries = new Map()

function changeOf(category: Section, before: Entries = nothing, after: Entries = nothing): CategoryChange {
  const isAsBefore = (entry: WorkspaceEntry): boolean => isSameEntry(before.get(entry.id), entry)
  const added = [...after.values()].filter(({ id }) => !before.has(id))
  const removed = [...before.keys()].filter((id) => !after.has(id))
  const modified = [...after.values()].filter((entry) => before.has(entry.id) && !isAsBefore(entry))
  const stayed = [...before.keys()].filter((id) => after.has(id))
  const expected = [...stayed, ...added.map(({ id }) => id)]
  const order = [...after.keys()]
  const moved = order.some((id, index) => id !== expected[index])
  return { category, added, removed, modified, order: moved ? order : [], tokens: tokensIn(after) - tokensIn(before) }
}

function isSameEntry(one: WorkspaceEntry | undefined, other: WorkspaceEntry): boolean {
  return (
    one !== undefined &&
    one.contentHash === other.contentHash &&
    one.rung === other.rung &&
    one.tokens === other.tokens &&
    one.text === other.text
  )
}

function hasChanged({ added, removed, modified, order }: CategoryChange): boolean {
  return added.length + removed.length + modified.length + order.length > 0
}

function tokensIn(entries: Entries): number {
  return [...entries.values()].reduce((sum, { tokens }) => sum + tokens, 0)
}

/**
 * The workspace that a delta leads to. Throws `conflict` where the delta was made of another one than `previous`: nothing is
 * put together that nobody has assembled.
 */
export function applyDelta(previous: Workspace, delta: WorkspaceDelta): Workspace {
  const before = categoriesOf(previous, 'previous')
  const heads = delta.categories ?? previous.categories
  const names = new Set(heads.map(({ category }) => category))
  for (const name of [delta.added, delta.removed, delta.modified, delta.order].flatMap((part) => Object.keys(part)))
    if (!names.has(name) && !before.has(name)) throw otherWorkspace(`category ${name}`)
  const categories = heads.map(({ category, tier }) => {
    const entries = withChanges(category, before.get(category) ?? nothing, delta)
    return { category, tier, tokens: entries.reduce((sum, { tokens }) => sum + tokens, 0), entries }
  })
  const totalTokens = categories.reduce((sum, { tokens }) => sum + tokens, 0)
  if (totalTokens !== previous.totalTokens + delta.tokenDelta) throw otherWorkspace(`total of ${totalTokens} tokens`)
  const revision = delta.policyRevision === undefined ? previous.policyRevision : delta.policyRevision
  return {
    schema: previous.schema,
    categories,
    totalTokens,
    ...(revision === undefined || revision === null ? {} : { policyRevision: revision }),
    reasons: delta.reasons ?? previous.reasons,
  }
}

function withChanges(category: Section, before: Entries, delta: WorkspaceDelta): readonly WorkspaceEntry[] {
  const after = new Map(before)
  for (const id of partOf(delta.removed, category))
    if (!after.delete(id)) throw otherWorkspace(`entry ${id} of ${category} to remove`)
  for (const entry of partOf(delta.modified, category)) {
    if (!after.has(entry.id)) throw otherWorkspace(`entry ${entry.id} of ${category} to change`)
    after.set(entry.id, entry)
  }
  for (const entry of partOf(delta.added, category)) {
    if (after.has(entry.id)) throw otherWorkspace(`entry ${entry.id} of ${category}, which is there already,`)
    after.set(entry.id, entry)
  }
  return inOrder(category, after, partOf(delta.order, category))
}

function inOrder(category: Section, entries: Entries, order: readonly string[]): readonly WorkspaceEntry[] {
  if (order.length === 0) return [...entries.values()]
  const sorted = order.flatMap((id) => entries.get(id) ?? [])
  if (sorted.length !== entries.size || order.length !== entries.size) throw otherWorkspace(`order of ${category}`)
  return sorted
}

/** A category may have the name of a member that every object has. */
function partOf<Value>(part: ByCategory<Value>, category: Section): readonly Value[] {
  return Object.hasOwn(part, category) ? (part[category] ?? []) : []
}

function otherWorkspace(what: string): PrehendError<'conflict'> {
  const remedy = 'Apply each delta to the workspace that it was made of, in their order'
  return new PrehendError('conflict', `The delta has ${what} and does not belong to this workspace. ${remedy}.`, {
    what,
    remedy,
  })
}
