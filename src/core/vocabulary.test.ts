import { describe, expect, it } from 'vitest'
import { sections } from './section.ts'
import type { Vocabulary } from './vocabulary.ts'
import { createVocabulary, isTerm, unify, vocabularies } from './vocabulary.ts'

const names = Object.keys(vocabularies) as readonly Vocabulary[]

/** The table of the unified vocabulary: which vocabularies have a word for a section. */
const reach: Readonly<Record<string, readonly Vocabulary[]>> = {
  policy: ['gateway', 'governor', 'prefill-compiler', 'context-pack'],
  role: ['gateway', 'governor', 'prefill-compiler', 'context-pack'],
  task: names,
  tools: names,
  evidence: names,
  memory: names,
  situation: ['governor', 'agent-pipeline', 'prefill-compiler', 'context-pack'],
  history: names,
  query: ['gateway', 'prefill-compiler', 'context-pack'],
  reserve: ['gateway', 'agent-pipeline', 'prefill-compiler', 'context-pack'],
}

/** The terms as their sources list them. */
const sourceTerms: Readonly<Record<Vocabulary, readonly string[]>> = {
  'gateway': ['system', 'tools', 'memory', 'retrieval', 'defi_context', 'history', 'query'],
  'governor': [
    'Invariants',
    'Strategy',
    'Playbook',
    'Episodes',
    'Insights',
    'CausalEdges',
    'Contrarian',
    'DreamHypotheses',
    'ToolState',
    'DefiSnapshot',
    'Mortality',
    'Affect',
    'OwnerControl',
  ],
  'agent-pipeline': ['tools', 'semantic', 'working', 'episodic', 'procedural', 'reserved'],
  'prefill-compiler': [
    'SYSTEM_POLICY',
    'TASK_STATE',
    'TOOL_AFFORDANCES',
    'EVIDENCE',
    'MEMORY',
    'HISTORY',
    'role_policy',
    'task_state',
    'tool_affordances',
    'evidence',
    'memory',
    'history',
    'gen_reserve',
  ],
  'context-pack': ['Instruction', 'Task', 'Tools', 'Evidence', 'Memory', 'Conversation', 'Slack'],
}

describe('vocabularies', () => {
  it('V-014, C-004, A-001: every term of every source means exactly one section', () => {
    const known = sections.map(({ section }) => section)
    for (const vocabulary of names) {
      const missing = sourceTerms[vocabulary].filter((term) => !isTerm(vocabulary, term))
      expect(missing).toEqual([])
      for (const section of Object.values(vocabularies[vocabulary])) expect(known).toContain(section)
    }
  })

  it('reaches every section from the vocabularies that have a word for it, and from no other', () => {
    for (const { section } of sections) {
      const reaching = names.filter((vocabulary) => Object.values<string>(vocabularies[vocabulary]).includes(section))
      expect([section, ...reaching]).toEqual([section, ...(reach[section] ?? [])])
    }
  })

  it('terms have the tier of their section, except hard context', () => {
    expect(unify('gateway', 'retrieval')).toEqual({ section: 'evidence', tier: 2 })
    expect(unify('prefill-compiler', 'gen_reserve')).toEqual({ section: 'reserve', tier: 5 })
    expect(unify('governor', 'Mortality')).toEqual({ section: 'situation', tier: 3 })
    expect(unify('governor', 'positions')).toEqual({ section: 'situation', tier: 1 })
  })

  it('refuses words that no vocabulary has', () => {
    expect(isTerm('gateway', 'toString')).toBe(false)
    expect(isTerm('context-pack', 'instruction')).toBe(false)
    expect(() => unify('gateway', 'toString' as 'tools')).toThrow('there is no term toString')
  })

  it('V-014: a product adds words and categories of its own, and nobody else learns of them', () => {
    const words = createVocabulary({ Weather: 'situation', Lore: { section: 'lore', tier: 3 } })
    expect([words.isTerm('Lore'), words.isTerm('Playbook'), isTerm('governor', 'Lore')]).toEqual([true, false, false])
    expect(words.unify('Weather')).toEqual({ section: 'situation', tier: 3 })
    expect(words.unify('Lore')).toEqual({ section: 'lore', tier: 3 })
    expect(words.ownSections).toEqual([{ section: 'lore', tier: 3 }])
    expect(() => words.unify('toString' as 'Lore')).toThrow('there is no term toString')
    const torn = { A: { section: 'lore', tier: 3 }, B: { section: 'lore', tier: 2 } } as const
    expect(() => createVocabulary(torn)).toThrow(/^terms\.B/)
  })
})
