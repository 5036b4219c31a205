import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { describe, expect, it } from 'vitest'
import { governor, governorSections } from '../compiler/index.ts'
import type { Item } from '../core/index.ts'
import { compile, found } from './governor.fixture.ts'
import { groupWorkspace, workspaceOf } from './workspace.ts'
import type { Workspace, WorkspaceEntry } from './workspace.ts'

const words = (count: number, name: string): string =>
  Array.from({ length: count }, (_, at) => `${name}${at}`).join(' ')

const rule: Item = { id: 'rule', section: 'policy', kind: 'instruction', role: 'system', text: words(40, 'rule') }
const known: Item = { id: 'known', section: 'memory', kind: 'memory', text: words(30, 'known') }
const seen: Item = { id: 'seen', section: 'situation', kind: 'text', text: words(20, 'seen') }
const said: Item = { id: 'said', section: 'history', kind: 'text', role: 'user', text: words(10, 'said') }

describe('the workspace of a compile', () => {
  const items = [rule, known, seen, said, found('a', words(50, 'a')), found('b', words(60, 'b'))]
  const result = compile({ items })
  const workspace = workspaceOf(result)

  it('has its entries by category, each with id, content hash and tokens', () => {
    expect(workspace.categories.map(({ category }) => category)).toEqual(
      result.manifest.sections.filter(({ included }) => included > 0).map(({ section }) => section),
    )
    const entries = workspace.categories.flatMap((category) => category.entries)
    expect(entries.map(({ id }) => id).toSorted()).toEqual(['a', 'b', 'known', 'rule', 'said', 'seen'])
    const shown = new Map(result.pack!.entries.map((entry) => [entry.itemId, entry]))
    for (const { id, tokens, text } of entries)
      expect([tokens, text]).toEqual([shown.get(id)!.tokens, shown.get(id)!.text])
    const decided = new Map(result.manifest.decisions.map(({ itemId, contentHash }) => [itemId, contentHash]))
    for (const { id, contentHash } of entries) expect(contentHash).toBe(decided.get(id))
  })

  it('V-005: says per category what it was granted, what it used and why; what they used is what the workspace has', () => {
    const { reasons, totalTokens, categories } = workspace
    expect(new Set(reasons.map(({ category }) => category)).size).toBe(reasons.length)
    expect(reasons.reduce((sum, { tokensUsed }) => sum + tokensUsed, 0)).toBe(totalTokens)
    for (const { category, tokens, entries } of categories)
      expect(reasons.find((one) => one.category === category)).toMatchObject({
        tokensUsed: tokens,
        itemsIncluded: entries.length,
        itemsExcluded: 0,
        reason: 'fits',
      })
    const tight = workspaceOf(
      compile({ items, budget: { windowTokens: 1_000, sections: [{ section: 'evidence', max: 70 }] } }),
    )
    const evidence = tight.reasons.find(({ category }) => category === 'evidence')!
    expect([evidence.itemsIncluded, evidence.itemsExcluded]).toEqual([1, 1])
    expect(evidence.tokensAllocated).toBeLessThanOrEqual(70)
    expect(evidence.reason).toBe('section-budget')
  })

  it('of the receipt alone it is the same without the texts', () => {
    const lineOf = ({ id, contentHash, rung, tokens }: WorkspaceEntry) => [id, contentHash, rung, tokens].join(' ')
    const entriesOf = (one: Workspace) => one.categories.flatMap(({ entries }) => entries.map(lineOf)).toSorted()
    const bare = workspaceOf({ manifest: result.manifest })
    expect(entriesOf(bare)).toEqual(entriesOf(workspace))
    expect(bare.categories.flatMap(({ entries }) => entries).every(({ text }) => text === undefined)).toBe(true)
    expect(bare.totalTokens).toBe(workspace.totalTokens)
  })

  it('of a conversation it has the entries in wire order', () => {
    const turns = ['user', 'assistant', 'user'].map((role, at): Item => {
      return { id: `t${at}`, section: 'history', kind: 'text', role: role as 'user', text: words(5, `t${at}x`) }
    })
    const [history] = workspaceOf(compile({ items: turns, layout: 'messages' })).categories
    expect(history?.entries.map(({ id }) => id)).toEqual(['t0', 't1', 't2'])
  })
})

describe('G-072: the groups of a workspace', () => {
  const items = [rule, known, seen, found('a', words(50, 'a'))]

  it('are invariants, rehearsed and retrieved knowledge, the situation, and a conversation only where there is one', () => {
    const policy = {
      ...governor,
      revision: 4,
      fractions: { evidence: 0.5, memory: 0.3, situation: 0.2 },
      overrides: {},
    }
    const { manifest, pack } = compile({ items, policy })
    const grouped = groupWorkspace(workspaceOf({ manifest, pack: pack! }))
    const ids = (group: 'invariants' | 'rehearsed' | 'retrieved' | 'situation') =>
      grouped[group].flatMap(({ entries }) => entries.map(({ id }) => id))
    expect([ids('invariants'), ids('rehearsed'), ids('retrieved'), ids('situation')]).toEqual([
      ['rule'],
      ['known'],
      ['a'],
      ['seen'],
    ])
    expect('conversation' in grouped).toBe(false)
    expect(grouped.policyRevision).toBe(4)
    expect(grouped.totalTokens).toBe(manifest.packTokens - manifest.frameTokens!)
    const spoken = groupWorkspace(workspaceOf(compile({ items: [...items, said] })))
    expect(spoken.conversation?.[0]?.entries.map(({ id }) => id)).toEqual(['said'])
  })

  it('invariants are never shortened: they stand whole in every budget that they fit in, and in others there is no pack', () => {
    const own: Item = {
      ...rule,
      id: 'own',
      section: governorSections.unify('OwnerControl').section,
      text: words(40, 'own'),
    }
    const filler = Array.from({ length: 40 }, (_, at) => found(`f${at}`, words(50, `f${at}x`)))
    let packs = 0
    for (let windowTokens = 20; windowTokens < 1500; windowTokens += 60) {
      const result = compile({ items: [rule, own, ...filler], budget: { windowTokens } })
      if (result.pack === undefined) continue
      packs += 1
      const { invariants } = groupWorkspace(workspaceOf(result))
      const entries = invariants.flatMap((category) => category.entries)
      expect(entries.map(({ id, rung, tokens }) => [id, rung, tokens])).toEqual([
        ['rule', 'full', 40],
        ['own', 'full', 40],
      ])
    }
    expect(packs).toBeGreaterThan(10)
    expect(packs).toBeLessThan(25)
  })

  it('categories of ones own go where one says, else by their tier', () => {
    const policy = { ...governor, overrides: {} }
    const episode = { ...known, section: 'Episodes', kind: 'text' as const }
    const workspace = workspaceOf(compile({ items: [rule, episode], policy }))
    expect(groupWorkspace(workspace).retrieved.map(({ category }) => category)).toEqual(['Episodes'])
    expect(groupWorkspace(workspace, { Episodes: 'situation' }).situation.map(({ category }) => category)).toEqual([
      'Episodes',
    ])
    const hard = [{ section: 'Cage', tier: 0 as const }]
    const cage = { ...known, section: 'Cage', kind: 'text' as const }
    const caged = workspaceOf(
      compile({ items: [cage], policy: { ...governor, sections: hard, fractions: { Cage: 1 }, overrides: {} } }),
    )
    expect(groupWorkspace(caged).invariants.map(({ category }) => category)).toEqual(['Cage'])
  })
})

it('G-071: docs/governor.md relates the parts of a working memory to those of a workspace', () => {
  const page = readFileSync(resolve(import.meta.dirname, '../../docs/governor.md'), 'utf8').replaceAll('\n', ' ')
  const parts = {
    'central executive': '`openGovernor`',
    'episodic buffer': 'the workspace',
    'visuospatial sketchpad': 'situation',
    'phonological loop': 'rehearsed',
  }
  for (const [part, ours] of Object.entries(parts)) expect(page).toMatch(new RegExp(`the ${part} is [^;.]*${ours}`))
})
