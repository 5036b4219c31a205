import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { isPrehendError } from '../core/index.ts'
import { compile, found, workspace } from './governor.fixture.ts'
import { applyDelta, isEmptyDelta, workspaceDelta } from './workspace-delta.ts'
import { workspaceOf } from './workspace.ts'
import type { Workspace } from './workspace.ts'

const before = workspace({
  evidence: [
    ['a', 'one two three'],
    ['b', 'four five'],
    ['c', 'six'],
  ],
  memory: [['m', 'seven eight']],
})
const after = workspace({
  evidence: [
    ['a', 'one two three'],
    ['b', 'four five and nine'],
    ['d', 'ten'],
  ],
  situation: [['s', 'now']],
})

describe('the delta of two workspaces', () => {
  it('V-006: names changed categories, added and removed entries, and the change in tokens with its sign', () => {
    const delta = workspaceDelta(before, after)
    expect(delta.changedCategories).toEqual(['evidence', 'memory', 'situation'])
    expect(delta.added['evidence']?.map(({ id }) => id)).toEqual(['d'])
    expect(delta.added['situation']?.map(({ id, text }) => [id, text])).toEqual([['s', 'now']])
    expect(delta.removed).toEqual({ evidence: ['c'], memory: ['m'] })
    expect(delta.tokenDelta).toBe(9 - 8)
    expect(delta.tokenDeltas).toEqual({ evidence: 2, memory: -2, situation: 1 })
    expect(workspaceDelta(after, before).tokenDelta).toBe(-1)
    const same = workspaceDelta(before, { ...before, categories: before.categories.slice(0, 1), totalTokens: 6 })
    expect(same.changedCategories).toEqual(['memory'])
  })

  it('B-22: an entry that changed under the same id is part of it, by its content and by how it is shown', () => {
    const delta = workspaceDelta(before, after)
    expect(delta.modified['evidence']?.map(({ id, text }) => [id, text])).toEqual([['b', 'four five and nine']])
    const [evidence, ...others] = before.categories
    const shorter = evidence!.entries.map((entry) =>
      entry.id === 'a' ? { ...entry, rung: 'trimmed' as const } : entry,
    )
    const shown = workspaceDelta(before, { ...before, categories: [{ ...evidence!, entries: shorter }, ...others] })
    expect([shown.changedCategories, shown.modified['evidence']?.map(({ id }) => id)]).toEqual([['evidence'], ['a']])
  })

  it('B-22: of two compiles, a text that was edited under its id is found', () => {
    const packed = (text: string): Workspace => workspaceOf(compile({ items: [found('a', text), found('b', 'stays')] }))
    const delta = workspaceDelta(packed('old words'), packed('new words'))
    expect([delta.added, delta.removed, delta.tokenDelta]).toEqual([{}, {}, 0])
    expect(delta.modified['evidence']?.map(({ id }) => id)).toEqual(['a'])
  })

  it('applied to anything but what it was made of it is a conflict', () => {
    const delta = workspaceDelta(before, after)
    const code = (previous: Workspace): unknown => {
      try {
        return applyDelta(previous, delta)
      } catch (error) {
        return isPrehendError(error) && error.code
      }
    }
    expect(code(before)).toEqual(after)
    expect(code(after)).toBe('conflict')
    expect(code(workspace({}))).toBe('conflict')
    expect(code(workspace({ evidence: [['a', 'longer than it was before']], memory: [['m', 'seven eight']] }))).toBe(
      'conflict',
    )
  })

  it('an id that stands twice is an error that names it', () => {
    const twice = workspace({
      memory: [
        ['m', 'a'],
        ['m', 'b'],
      ],
    })
    expect(() => workspaceDelta(before, twice)).toThrow(/current\.categories\.memory: the id "m" stands twice/)
  })
})

const names = ['evidence', 'memory', '__proto__', 'constructor', '7']

const workspaces = fc
  .tuple(
    fc.uniqueArray(fc.constantFrom(...names), { maxLength: 4 }),
    fc.array(
      fc.uniqueArray(
        fc.tuple(fc.constantFrom('a', 'b', 'c', '__proto__', '0'), fc.constantFrom('', 'x', 'x y', 'z z z')),
        {
          selector: ([id]) => id,
          maxLength: 5,
        },
      ),
      { minLength: 4, maxLength: 4 },
    ),
    fc.option(fc.nat(3), { nil: undefined }),
  )
  .map(([categories, entries, policyRevision]) => {
    const pairs = categories.map((category, at) => [category, entries[at]!] as const)
    return workspace(Object.fromEntries(pairs), policyRevision === undefined ? {} : { policyRevision })
  })

describe('of any two workspaces', () => {
  it('V-007: the delta follows from both and leads from one to the other, to the order of their entries', () => {
    fc.assert(
      fc.property(workspaces, workspaces, (one, other) => {
        const delta = workspaceDelta(one, other)
        expect(applyDelta(one, delta)).toEqual(other)
        expect(applyDelta(one, JSON.parse(JSON.stringify(delta)) as typeof delta)).toEqual(other)
        const changed = new Set(
          [delta.added, delta.removed, delta.modified, delta.order].flatMap((part) => Object.keys(part)),
        )
        expect(new Set(delta.changedCategories)).toEqual(changed)
      }),
      { numRuns: 500 },
    )
  })

  it('of a workspace and itself it is empty, and of nothing else', () => {
    fc.assert(
      fc.property(workspaces, workspaces, (one, other) => {
        expect(isEmptyDelta(workspaceDelta(one, one))).toBe(true)
        expect(isEmptyDelta(workspaceDelta(one, other))).toBe(JSON.stringify(one) === JSON.stringify(other))
      }),
    )
  })

  it('there and back the signs turn, and what came goes', () => {
    fc.assert(
      fc.property(workspaces, workspaces, (one, other) => {
        const there = workspaceDelta(one, other)
        const back = workspaceDelta(other, one)
        expect(there.tokenDelta + back.tokenDelta).toBe(0)
        expect(there.changedCategories.toSorted()).toEqual(back.changedCategories.toSorted())
        const ids = (part: typeof there.added) =>
          Object.entries(part).map(([name, own]) => [name, own.map(({ id }) => id).toSorted()])
        const gone = Object.entries(back.removed).map(([name, own]) => [name, own.toSorted()])
        expect(new Map(ids(there.added) as [string, string[]][])).toEqual(new Map(gone as [string, string[]][]))
      }),
    )
  })
})
