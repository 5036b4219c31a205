import { invalidInput } from './errors.ts'
import type { BudgetTier, KnownSection, Section } from './section.ts'
import { isKnownSection, sectionInfo } from './section.ts'

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
    'role_policy': 'policy',
    'role_policy.role': 'role',
    'task_state': 'task',
    'task_state.request': 'query',
    'tool_affordances': 'tools',
    'evidence': 'evidence',
    'memory': 'memory',
    'memory.state': 'situation',
    'history': 'history',
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

/** What a term of a vocabulary means. */
export interface Meaning {
  readonly section: Section
  readonly tier: BudgetTier
}

/** A vocabulary of one's own: a value, known to nobody but its holder. */
export interface OwnVocabulary<Word extends string> {
  /** Every section that the ten do not have, with its tier: for the `sections` of a budget, which name them. */
  readonly ownSections: readonly Meaning[]
  /** Whether the word belongs to the vocabulary. */
  isTerm(word: string): word is Word
  /** The section and the tier that a term stands for. */
  unify(term: Word): Meaning
}

/**
 * Words of another product and the sections that they mean, be it one of the ten or one of its own, which gets a tier
 * of its own. Throws `invalid-input` where two words give one section two tiers.
 *
 * ```ts
 * const words = createVocabulary({ Weather: 'situation', Lore: { section: 'lore', tier: 3 } })
 * compile({ items: [{ ...item, section: words.unify('Lore').section }], budget: { windowTokens, sections: words.ownSections } })
 * ```
 */
export function createVocabulary<Word extends string>(
  terms: Readonly<Record<Word, KnownSection | Meaning>>,
): OwnVocabulary<Word> {
  const meanings = new Map<string, Meaning>()
  const own = new Map<Section, Meaning>()
  for (const [word, meant] of Object.entries<KnownSection | Meaning>(terms)) {
    const meaning = typeof meant === 'string' ? { section: meant, tier: sectionInfo(meant).tier } : meant
    meanings.set(word, meaning)
    if (isKnownSection(meaning.section)) continue
    if ((own.get(meaning.section)?.tier ?? meaning.tier) !== meaning.tier)
      throw invalidInput(`terms.${word}`, `gives ${meaning.section} another tier`, 'Give a section one tier.')
    own.set(meaning.section, meaning)
  }
  return {
    ownSections: [...own.values()],
    isTerm: (word): word is Word => meanings.has(word),
    unify: (term) => known(meanings.get(term), term),
  }
}

/** The section and tier that a term means. Throws `invalid-input` for a word that the vocabulary does not have. */
export function unify<V extends Vocabulary>(
  vocabulary: V,
  term: Term<V>,
): { readonly section: KnownSection; readonly tier: BudgetTier } {
  const terms: Readonly<Record<string, KnownSection>> = vocabularies[vocabulary]
  const section = known(isTerm(vocabulary, term) ? terms[term] : undefined, term)
  return { section, tier: tiers[term] ?? sectionInfo(section).tier }
}

/** Whether a vocabulary has this term. */
export function isTerm<V extends Vocabulary>(vocabulary: V, term: string): term is Term<V> {
  return Object.hasOwn(vocabularies[vocabulary], term)
}

function known<Value>(meaning: Value | undefined, term: string): Value {
  if (meaning === undefined) throw invalidInput('term', `there is no term ${term}`, 'Use a term of the vocabulary.')
  return meaning
}
