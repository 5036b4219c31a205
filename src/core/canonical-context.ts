import type { CompileInput, StepFrame } from './compile.ts'
import { invalidInput } from './errors.ts'
import type { Item } from './item.ts'
import type { BudgetTier, Section } from './section.ts'
import { sectionInfo } from './section.ts'
import { itemShape, stepFrameShape } from './shapes.ts'
import * as shape from './shape.ts'

/** What a task is about: its frame, and the items of its tier that are no tools. */
export interface CanonicalTask {
  readonly frame?: StepFrame
  readonly items: readonly Item[]
}

/** The context of one call as one object, a member for each part, each part of one tier. */
export interface CanonicalContext {
  readonly role_policy: readonly Item[]
  readonly task_state: CanonicalTask
  readonly tool_affordances: readonly Item[]
  readonly evidence: readonly Item[]
  readonly memory: readonly Item[]
  readonly history: readonly Item[]
  /** Tokens that are kept free for the reply. */
  readonly gen_reserve: number
}

/** The tier of every member; its items are of the sections of that tier. */
export const canonicalTiers = {
  role_policy: 0,
  task_state: 1,
  tool_affordances: 1,
  evidence: 2,
  memory: 3,
  history: 4,
  gen_reserve: 5,
} as const satisfies Readonly<Record<keyof CanonicalContext, BudgetTier>>

const itemList = shape.list(itemShape)

export const canonicalContextShape = shape.object<CanonicalContext>({
  role_policy: itemList,
  task_state: shape.object<CanonicalTask>({ frame: shape.optional(stepFrameShape), items: itemList }),
  tool_affordances: itemList,
  evidence: itemList,
  memory: itemList,
  history: itemList,
  gen_reserve: shape.count,
})

/** What a compile reads of a canonical object. */
export interface ContextParts extends Pick<CompileInput, 'items' | 'frame'> {
  readonly maxOutputTokens: number
}

type ItemMember = Exclude<keyof CanonicalContext, 'gen_reserve'>

const membersByTier = ['role_policy', 'task_state', 'evidence', 'memory', 'history', undefined] as const

/** The member that holds a section's items; nothing can be put into the reserve. */
function memberOf(section: Section): ItemMember | undefined {
  return section === 'tools' ? 'tool_affordances' : membersByTier[sectionInfo(section).tier]
}

/** The parts of a compile's input as one canonical object; items keep their order within a member. */
export function toCanonical({ items, frame, maxOutputTokens }: ContextParts): CanonicalContext {
  for (const [index, { section }] of items.entries())
    if (memberOf(section) === undefined) throw misplaced(`items[${index}]`)
  const of = (member: ItemMember): readonly Item[] => items.filter(({ section }) => memberOf(section) === member)
  return {
    role_policy: of('role_policy'),
    task_state: { ...(frame && { frame }), items: of('task_state') },
    tool_affordances: of('tool_affordances'),
    evidence: of('evidence'),
    memory: of('memory'),
    history: of('history'),
    gen_reserve: maxOutputTokens,
  }
}

/**
 * What a compile reads of a canonical object, its items in the order of its members. Throws `invalid-input` that names
 * the first thing that is not as it should be, an item in a member that is not its own included.
 */
export function fromCanonical(context: CanonicalContext): ContextParts {
  shape.check(canonicalContextShape, context, '', { strict: true })
  const { task_state: task, gen_reserve: maxOutputTokens, role_policy, tool_affordances, ...rest } = context
  const members = { role_policy, task_state: task.items, tool_affordances, ...rest }
  for (const [member, items] of Object.entries(members))
    for (const [index, { section }] of items.entries())
      if (memberOf(section) !== member) throw misplaced(`${member}[${index}]`)
  return { items: Object.values(members).flat(), ...(task.frame && { frame: task.frame }), maxOutputTokens }
}

function misplaced(at: string): Error {
  return invalidInput(`${at}.section`, 'has another place', 'Put the item into the member of its section.')
}
