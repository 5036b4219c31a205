import { describe, expect, it } from 'vitest'
import { parseCompileDocument, parseCompileText } from './compile-document.ts'
import { careful, defaultPolicy } from '../compiler/index.ts'

const document = (changes: Readonly<Record<string, unknown>> = {}) => ({
  schema: 'prehend.compile/1',
  items: [{ id: 'a', section: 'evidence', kind: 'evidence', text: 'x', provenance: { sourceId: 's' } }],
  budget: { windowTokens: 1000 },
  frame: { request: 'Go on.' },
  ...changes,
})

const errorOf = (run: () => unknown): unknown => {
  try {
    run()
  } catch (error) {
    return (error as { readonly data: unknown }).data
  }
  return undefined
}

const fieldOf = (value: unknown): unknown =>
  (errorOf(() => parseCompileDocument(value)) as { readonly field?: string } | undefined)?.field

describe('parseCompileDocument', () => {
  it('fills in layout and policy', () => {
    expect(parseCompileDocument(document())).toMatchObject({
      layout: 'payload',
      policy: defaultPolicy,
      budget: { windowTokens: 1000 },
    })
  })

  it('takes the window from the model, and model and policy from the host, where the document names none', () => {
    const { budget: _, ...rest } = document()
    const parsed = parseCompileDocument(rest, { model: 'gpt-4o', policy: 'thrifty' })
    expect(parsed).toMatchObject({ model: 'gpt-4o', policy: { id: 'thrifty' }, budget: { windowTokens: 128_000 } })
  })

  it('takes a policy by name, or one that extends another', () => {
    expect(parseCompileDocument(document({ policy: 'thrifty' })).policy.id).toBe('thrifty')
    const policy = { extends: 'careful', id: 'mine', version: '1.0.0', overflow: 'fail-loud', epochs: { keepFull: 9 } }
    expect(parseCompileDocument(document({ policy })).policy).toMatchObject({
      id: 'mine',
      overflow: 'fail-loud',
      rank: careful.rank,
      epochs: { ...careful.epochs, keepFull: 9 },
    })
  })

  it('names the path of what is wrong, missing or unknown', () => {
    const bad = {
      'schema': document({ schema: 'prehend.compile/2' }),
      'items': document({ items: 3 }),
      'items[0].kind': document({ items: [{ id: 'a', section: 's', kind: 'novel', text: '' }] }),
      'items[0].colour': document({ items: [{ id: 'a', section: 's', kind: 'text', text: '', colour: 'red' }] }),
      'items[0].scores.relevance': document({
        items: [{ id: 'a', section: 's', kind: 'text', text: '', scores: { relevance: 2 } }],
      }),
      'budget.windowTokens': document({ budget: { windowTokens: -1 } }),
      'budget.window': document({ budget: { windowTokens: 10, window: 10 } }),
      'budget.sections[0].weight': document({
        budget: { windowTokens: 10, sections: [{ section: 'evidence', weight: 3 }] },
      }),
      'policy': document({ policy: 'reckless' }),
      'policy.extends': document({ policy: { extends: 'reckless', id: 'a', version: '1' } }),
      'policy.epochs.keepAll': document({
        policy: { extends: 'careful', id: 'a', version: '1', epochs: { keepAll: 1 } },
      }),
      'frame.request': document({ frame: {} }),
      'frame.state.phase': document({ frame: { request: 'x', state: { objective: 'x', phase: 'asleep' } } }),
      'layout': document({ layout: 'sideways' }),
      'ledger.schema': document({ ledger: { schema: 'prehend.ledger/0' } }),
      'document': [],
      'budgets': document({ budgets: {} }),
    }
    const found = Object.entries(bad).map(([field, value]) => [field, fieldOf(value)])
    expect(found).toEqual(Object.keys(bad).map((field) => [field, field]))
  })

  it('says where a text stops being JSON', () => {
    expect(errorOf(() => parseCompileText('{"schema": nope}'))).toMatchObject({ offset: 11 })
    expect(errorOf(() => parseCompileText('{"schema": "x"'))).toMatchObject({ offset: 14 })
  })
})
