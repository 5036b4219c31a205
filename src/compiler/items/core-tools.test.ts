import { describe, expect, it } from 'vitest'
import type { Item, Layout } from '../../core/index.ts'
import { compile, input, itemOf, words } from '../compile-input.fixture.ts'
import { careful } from '../policy/policies.ts'
import { packed, rungsOf, tool } from '../relief/relief-items.fixture.ts'

const names = ['alpha', 'beta', 'gamma', 'delta', 'epsilon', 'zeta']
const tools = names.map((name) => tool(name))
const called: readonly Item[] = [
  itemOf('history', 'u', 'go', { role: 'user' }),
  { id: 'c', section: 'history', kind: 'tool-call', role: 'assistant', toolName: 'beta', toolCallId: 'x', text: '{}' },
  { id: 'r', section: 'history', kind: 'tool-result', role: 'tool', toolName: 'beta', toolCallId: 'x', text: 'done' },
  itemOf('history', 'a', words(20, 'said'), { role: 'assistant' }),
  itemOf('history', 'next', 'and now?', { role: 'user' }),
]
const layouts = ['messages', 'payload'] as const

/** The rungs of the tools in a window in which a share of them has room. */
function shown(layout: Layout, share: number, coreTools?: readonly string[]): Readonly<Record<string, string>> {
  const policy = { ...careful, reserveShare: 0, ...(coreTools && { coreTools }) }
  const given = { items: [...tools, ...called], layout, policy, rehydration: true }
  const { packTokens } = compile(input({ ...given, budget: { windowTokens: 90_000 } })).manifest
  return rungsOf(compile(input({ ...given, budget: { windowTokens: Math.floor(packTokens * share) } })))
}

function shortOf(rungs: Readonly<Record<string, string>>): readonly string[] {
  return names.filter((name) => rungs[name] === 'trimmed')
}

describe('tools of the core', () => {
  it.each(layouts)('X-05: in %s the definition of a tool that was called is shortened after all others', (layout) => {
    for (const share of [0.9, 0.7, 0.5]) {
      const short = shortOf(shown(layout, share))
      expect(short.length).toBeGreaterThan(0)
      expect(short).not.toContain('beta')
    }
    expect(shortOf(shown(layout, layout === 'messages' ? 0.24 : 0.34))).toEqual(names)
  })

  it.each(layouts)('X-05: in %s so is that of a tool that the policy names', (layout) => {
    const short = shortOf(shown(layout, 0.6, ['delta', 'nobody']))
    expect(short).toContain('alpha')
    expect(short).not.toContain('delta')
    expect(short).not.toContain('beta')
  })

  it.each(layouts)('X-05: in %s steps of relief keep to the same order', (layout) => {
    const items = [...tools, ...called]
    const { packTokens } = packed({ relief: [], items, layout, windowTokens: 90_000 }).manifest
    const rungs = rungsOf(packed({ relief: ['schemas'], items, layout, windowTokens: Math.floor(packTokens * 0.8) }))
    expect(shortOf(rungs).length).toBeGreaterThan(0)
    expect(shortOf(rungs)).not.toContain('beta')
  })

  it.each(layouts)(
    'X-05, C-015: a native list is minified in %s, where a prompt is large enough, and by no policy without',
    (layout) => {
      const loose = tools.map((item) => ({ ...item, text: JSON.stringify(JSON.parse(item.text), null, 2) }))
      const title = { ...JSON.parse(loose[0]!.text), input_schema: { title: 'alphaArguments', type: 'object' } }
      const items = [{ ...loose[0]!, text: JSON.stringify(title, null, 2) }, ...loose.slice(1), ...called]
      const given = { items, layout, rehydration: true, budget: { windowTokens: 90_000 } }
      const { pack, outcome } = compile(input({ ...given, policy: careful }))
      expect(outcome.kind).toBe('ok')
      const alpha = pack?.entries.find(({ itemId }) => itemId === 'alpha')
      expect([alpha?.rung, alpha?.text]).toEqual([
        'lossless',
        '{"name":"alpha","description":"Does alpha.","input_schema":{"type":"object"}}',
      ])
      const none = compile(input({ ...given, policy: { ...careful, toolSchemas: 'none' } }))
      expect(none.pack?.entries.find(({ itemId }) => itemId === 'alpha')?.rung).toBe('full')
    },
  )

  it('P-046: a definition that is cut says what is missing and how it comes back, where a handle can be followed', () => {
    const items = [...tools, ...called]
    const windowTokens = 1_000
    const textsOf = (rehydration: boolean): readonly string[] => {
      const { pack } = compile(
        input({ items, layout: 'messages', policy: careful, rehydration, budget: { windowTokens } }),
      )
      return pack!.entries.flatMap(({ section, rung, text }) =>
        section === 'tools' && rung === 'trimmed' ? [text] : [],
      )
    }
    expect(textsOf(true).length).toBeGreaterThan(2)
    for (const text of textsOf(true))
      expect(JSON.parse(text).description).toMatch(/^Does \w+\.\n\[descriptions left out: rehydrate\("\d{12}"\)\]$/)
    expect(textsOf(false).length).toBeGreaterThan(2)
    for (const text of textsOf(false)) expect(text).not.toContain('rehydrate')
  })

  it('P-046: a handle in a definition goes with the tool that follows it', () => {
    const given = { items: [...tools, ...called], layout: 'messages' as const, policy: careful }
    const short = compile(input({ ...given, rehydration: true, budget: { windowTokens: 1_000 } }))
    const after = compile(
      input({ ...given, rehydration: false, ledger: short.ledger, budget: { windowTokens: 90_000 } }),
    )
    expect(JSON.stringify(short.pack?.entries)).toContain('rehydrate(')
    expect(JSON.stringify(after.pack?.entries)).not.toContain('rehydrate(')
  })
})
