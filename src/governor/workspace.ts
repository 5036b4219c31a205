import { assemblyReasons } from '../compiler/index.ts'
import type { AssemblyReason } from '../compiler/index.ts'
import type { BudgetTier, CompileResult, Manifest, ManifestDecision, Pack, Rung, Section } from '../core/index.ts'

/** One item of a workspace, as the model sees it. */
export interface WorkspaceEntry {
  /** Unique in its category. */
  readonly id: string
  /** SHA-256 of the whole item, however it is shown. */
  readonly contentHash: string
  readonly rung: Rung
  readonly tokens: number
  /** As shown; absent where the workspace was made of a receipt, which holds no texts. */
  readonly text?: string
}

/** One section of a workspace, with its entries. */
export interface WorkspaceCategory {
  readonly category: Section
  readonly tier: BudgetTier
  /** Of its entries together. */
  readonly tokens: number
  /** In the order in which they are shown. */
  readonly entries: readonly WorkspaceEntry[]
}

/** What one compile chose, by category: plain data, to be kept, compared and sent. */
export interface Workspace {
  readonly schema: 'prehend.workspace/1'
  /** Those with entries, in the order of the budget. */
  readonly categories: readonly WorkspaceCategory[]
  /** Of all entries together. */
  readonly totalTokens: number
  /** Absent where the policy has none. */
  readonly policyRevision?: number
  /** One for each section of the budget: what it was given, what it used, and why not more. */
  readonly reasons: readonly AssemblyReason[]
}

/** What a compile or its receipt says of itself. */
export interface Chosen {
  readonly manifest: Manifest
  readonly pack?: Pack | undefined
}

/**
 * The workspace that a compile of either layout chose, of a result with its texts, of a receipt (`{ manifest }`) without them.
 *
 * ```ts
 * import { compile, evidence } from 'prehend'
 * import { workspaceOf } from 'prehend/governor'
 *
 * const items = [evidence('The build broke on Monday.', 'wiki/builds')]
 * const result = compile({ items, budget: { windowTokens: 8_000 }, frame: { request: 'What changed?' } })
 * console.log(workspaceOf(result))
 * ```
 */
export function workspaceOf({ manifest, pack }: Chosen | CompileResult): Workspace {
  const bySection = new Map<Section, WorkspaceEntry[]>()
  for (const { section, entry } of pack === undefined ? receiptEntries(manifest) : packEntries(manifest, pack)) {
    const entries = bySection.get(section)
    if (entries === undefined) bySection.set(section, [entry])
    else entries.push(entry)
  }
  const filled = manifest.sections.flatMap(({ section, tier }) => {
    const entries = bySection.get(section) ?? []
    return entries.length === 0 ? [] : [{ category: section, tier, tokens: sum(entries), entries }]
  })
  return {
    schema: 'prehend.workspace/1',
    categories: filled,
    totalTokens: sum(filled),
    ...(manifest.policyRevision === undefined ? {} : { policyRevision: manifest.policyRevision }),
    reasons: assemblyReasons(manifest),
  }
}

interface Placed {
  readonly section: Section
  readonly entry: WorkspaceEntry
}

function packEntries({ decisions }: Manifest, { entries }: Pack): readonly Placed[] {
  const hashes = new Map(decisions.map(({ itemId, contentHash }) => [itemId, contentHash]))
  return entries.map(({ itemId: id, section, rung, tokens, text }) => ({
    section,
    entry: { id, contentHash: hashes.get(id) ?? '', rung, tokens, text },
  }))
}

function receiptEntries({ decisions }: Manifest): readonly Placed[] {
  const isShown = ({ rung }: ManifestDecision): boolean => rung !== 'omitted'
  return decisions.filter(isShown).map(({ itemId: id, section, contentHash, rung, tokens }) => ({
    section,
    entry: { id, contentHash, rung, tokens },
  }))
}

function sum(parts: readonly { readonly tokens: number }[]): number {
  return parts.reduce((total, { tokens }) => total + tokens, 0)
}

/** What a category is to whoever works in the workspace. */
export const workspaceGroups = ['invariants', 'rehearsed', 'retrieved', 'situation', 'conversation'] as const
/** The group of a category, by its use to an agent that works in the workspace. */
export type WorkspaceGroup = (typeof workspaceGroups)[number]

/** A workspace by groups of its categories. */
export interface GroupedWorkspace extends Readonly<
  Record<Exclude<WorkspaceGroup, 'conversation'>, readonly WorkspaceCategory[]>
> {
  /** Absent where nobody is spoken with. */
  readonly conversation?: readonly WorkspaceCategory[]
  readonly totalTokens: number
  readonly policyRevision?: number
}

const groupOfSection: Readonly<Record<string, WorkspaceGroup>> = {
  policy: 'invariants',
  role: 'invariants',
  task: 'invariants',
  query: 'invariants',
  tools: 'rehearsed',
  memory: 'rehearsed',
  evidence: 'retrieved',
  situation: 'situation',
  history: 'conversation',
}

/**
 * A workspace by what its categories are for. What is never shortened (the sections of tiers 0 and 1, tools excepted) is invariant; a
 * section of one's own is retrieved knowledge unless `groups` says otherwise.
 */
export function groupWorkspace(
  { categories, totalTokens, policyRevision }: Workspace,
  groups: Readonly<Record<string, WorkspaceGroup>> = {},
): GroupedWorkspace {
  const groupOf = ({ category, tier }: WorkspaceCategory): WorkspaceGroup => {
    const usual = tier <= 1 ? 'invariants' : 'retrieved'
    const known = Object.hasOwn(groups, category) ? groups : groupOfSection
    return Object.hasOwn(known, category) ? (known[category] ?? usual) : usual
  }
  const of = (group: WorkspaceGroup) => categories.filter((category) => groupOf(category) === group)
  const conversation = of('conversation')
  return {
    invariants: of('invariants'),
    rehearsed: of('rehearsed'),
    retrieved: of('retrieved'),
    situation: of('situation'),
    ...(conversation.length > 0 && { conversation }),
    totalTokens,
    ...(policyRevision === undefined ? {} : { policyRevision }),
  }
}
