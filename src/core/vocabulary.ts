import type { BudgetTier, KnownSection } from './section.ts'
import { sectionInfo } from './section.ts'

/** The five vocabularies in which the same parts of a context are named. */
export type Vocabulary = 'gateway' | 'governor' | 'agent-pipeline' | 'prefill-compiler' | 'context-pack'

/**
 * Every term of every vocabulary and the one section it means. Where a vocabulary uses one word
 * for two sections, the plain word means the first and `word.part` the second.
 */
export const vocabularies = {
  'gateway': {
    'system': 'policy',
    'system.agent_role': 'role',
    'tools': 'tools',
    'memory': 'memory',
    'retrieval': 'evidence',
    'defi_context': 'evidence',
    'history': 'history',
    'query': 'query',
    'query.task': 'task',
    'headroom': 'reserve',
  },
  'governor': {
    Invariants: 'policy',
    Strategy: 'role',
    OwnerControl: 'role',
    observation: 'task',
    task_type: 'task',
    ToolState: 'tools',
    Insights: 'evidence',
    CausalEdges: 'evidence',
    Contrarian: 'evidence',
    DefiSnapshot: 'evidence',
    Playbook: 'memory',
    Episodes: 'memory',
    DreamHypotheses: 'memory',
    Mortality: 'situation',
    Affect: 'situation',
    positions: 'situation',
    conversation_tail: 'history',
  },
  'agent-pipeline': {
    'working': 'task',
    'working.state': 'situation',
    'tools': 'tools',
    'semantic': 'evidence',
    'episodic': 'memory',
    'procedural': 'memory',
    'conversation': 'history',
    'reserved': 'reserve',
  },
  'prefill-compiler': {
    'SYSTEM_POLICY': 'policy',
    'SYSTEM_POLICY.developer': 'role',
    'TASK_STATE': 'task',
    'TASK_STATE.state': 'situation',
    'TOOL_AFFORDANCES': 'tools',
    'EVIDENCE': 'evidence',
    'MEMORY': 'memory',
    'HISTORY': 'history',
    'user_message': 'query',
    'gen_reserve': 'reserve',
  },
  'context-pack': {
    'Instruction': 'policy',
    'Instruction.role': 'role',
    'Task': 'task',
    'Step': 'task',
    'Acceptance': 'task',
    'Tools': 'tools',
    'Evidence': 'evidence',
    'Memory': 'memory',
    'Memory.working': 'situation',
    'Conversation': 'history',
    'User request': 'query',
    'Slack': 'reserve',
  },
} as const satisfies Readonly<Record<Vocabulary, Readonly<Record<string, KnownSection>>>>

/** Every term of a vocabulary. */
export type Term<V extends Vocabulary> = keyof (typeof vocabularies)[V] & string

/** Terms whose tier is not that of their section: hard context, which is never compacted. */
const tiers: Readonly<Record<string, BudgetTier>> = { positions: 1 }

/** The section and tier that a term means. */
export function unify<V extends Vocabulary>(
  vocabulary: V,
  term: Term<V>,
): { readonly section: KnownSection; readonly tier: BudgetTier } {
  const terms: Readonly<Record<string, KnownSection>> = vocabularies[vocabulary]
  const section = terms[term] ?? 'evidence'
  return { section, tier: tiers[term] ?? sectionInfo(section).tier }
}

/** Whether a vocabulary has this term. */
export function isTerm<V extends Vocabulary>(vocabulary: V, term: string): term is Term<V> {
  return Object.hasOwn(vocabularies[vocabulary], term)
}
