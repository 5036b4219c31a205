import { describe, expect, it } from 'vitest'
import { codecFor } from '../codecs/index.ts'
import type { Item } from '../core/index.ts'
import { evidence, instruction, said, tool } from '../core/index.ts'
import { memoryStore } from '../stores/index.ts'
import { compile } from './compilers.ts'
import { openSession } from './in-process/open-session.ts'
import { toRequest } from './to-request.ts'
import type { HiddenTool } from './tools/hidden-tool.ts'

const schema = { type: 'object', properties: { path: { type: 'string', description: 'Of the file, from the root.' } } }

/** Tools of a host, by the order in which it names them; some stay whatever happens. */
const toolItems = (names: readonly string[], lasting: readonly string[] = []): readonly Item[] =>
  names.map((name) => ({
    ...tool({ name, description: `Does ${name} to a file, or to all that lie in a folder.`, schema }),
    ...(lasting.includes(name) && { pin: true }),
  }))

const around: readonly Item[] = [
  instruction('Answer from the evidence.'),
  evidence('The build broke on Monday.', 'wiki'),
  said('user', 'Why does the build fail?'),
  said('assistant', 'It lacks a file.'),
]

const dialects = [
  ['gpt-5', 'openai-chat'],
  ['claude-sonnet-5', 'anthropic-messages'],
] as const

function packed(tools: readonly Item[], maxItems = 99) {
  const items = [...around, ...tools]
  const sections = [{ section: 'tools', maxItems }]
  const { pack, manifest } = compile({
    items,
    layout: 'payload',
    budget: { windowTokens: 8000, sections },
    frame: { request: 'What now?' },
  })
  if (pack === undefined) throw new Error('fits')
  return { items, pack, manifest }
}

function requestOf(tools: readonly Item[], model: string, maxItems?: number) {
  const { items, pack } = packed(tools, maxItems)
  return toRequest(pack, { items, model }).request
}

function listOf(request: object): readonly string[] {
  const { tools } = request as { tools: readonly { name?: string; function?: { name: string } }[] }
  return tools.map(({ name, function: { name: own } = { name: '' } }) => name ?? own)
}

describe.each(dialects)('the tools of a payload: %s', (model, dialect) => {
  it('X-03: stand before all else, by what lasts and then by their ids, however a host lists them', () => {
    const names = ['write', 'search', 'read', 'list']
    const request = requestOf(toolItems(names, ['read', 'write']), model)
    expect(listOf(request)).toEqual(['read', 'write', 'list', 'search'])
    expect(JSON.stringify(requestOf(toolItems(names.toReversed(), ['write', 'read']), model))).toBe(
      JSON.stringify(request),
    )
    // As its provider renders it.
    const { conversation } = codecFor(dialect).decode({ body: JSON.stringify(request) })
    const order = conversation.items.map(({ kind, role }) => (kind === 'tool-schema' ? 'tool' : role))
    expect(order.filter((one, at) => one !== order[at - 1])).toEqual(['tool', 'system', 'user', 'assistant', 'user'])
    expect(conversation.items.at(-1)?.text).toContain('What now?')
  })

  it('G-017: where some are dropped, the beginning of the list stays byte for byte', () => {
    const names = ['write', 'search', 'read', 'list', 'grep']
    const rawTools = (request: object): string => JSON.stringify((request as { tools: unknown }).tools)
    const whole = rawTools(requestOf(toolItems(names, ['read', 'write']), model))
    for (const most of [2, 3, 4]) {
      const fewer = requestOf(toolItems(names, ['read', 'write']), model, most)
      expect(listOf(fewer)).toHaveLength(most)
      expect(listOf(fewer).slice(0, 2)).toEqual(['read', 'write'])
      const first = rawTools({ tools: (fewer as { tools: readonly unknown[] }).tools.slice(0, 2) }).slice(0, -1)
      expect(whole.startsWith(first)).toBe(true)
    }
  })
})

it('X-03: the receipt has the logical order, whatever stands first on the wire', () => {
  const { manifest } = packed(toolItems(['read']))
  const shown = manifest.sections.filter(({ included }) => included > 0).map(({ section }) => section)
  expect(shown).toEqual(['policy', 'tools', 'evidence', 'history'])
})

const hidden = (name: string): HiddenTool => ({
  definition: { name, description: `Tells of ${name}.`, schema: { type: 'object' } },
  answer: async () => ({ text: 'So it is.', found: true }),
})

describe('the tools that a session adds', () => {
  const body = (turn: number) => ({
    model: 'claude-sonnet-4-6',
    max_tokens: 100,
    tools: [
      { name: 'zip', description: 'Zips.', input_schema: { type: 'object' } },
      { name: 'cat', description: 'Shows.', input_schema: { type: 'object' } },
    ],
    messages: Array.from({ length: 2 * turn + 1 }, (_, at) => ({
      role: at % 2 === 0 ? 'user' : 'assistant',
      content: `Message ${at}.`,
    })),
  })
  const sent = async (names: readonly string[], store = memoryStore(), nowMs = 0, turn = 1) => {
    const session = openSession({ store, policy: 'thrifty', clock: () => nowMs, hiddenTools: names.map(hidden) })
    const packedRequest = await session.pack(body(turn), { id: 's' })
    return listOf(packedRequest.request)
  }

  it('G-017: come after the client’s own, which stay as it has them, by their ids', async () => {
    expect(await sent(['weekday', 'agenda'])).toEqual(['zip', 'cat', 'agenda', 'rehydrate', 'weekday'])
    expect(await sent(['agenda', 'weekday'])).toEqual(await sent(['weekday', 'agenda']))
  })

  it('G-017: stay where they stood when others come, and leave the beginning as it was when some go', async () => {
    const store = memoryStore()
    expect(await sent(['weekday'], store)).toEqual(['zip', 'cat', 'rehydrate', 'weekday'])
    const anHour = 3_600_001
    expect(await sent(['weekday', 'agenda'], store, anHour, 2)).toEqual([
      'zip',
      'cat',
      'rehydrate',
      'weekday',
      'agenda',
    ])
    expect(await sent(['agenda'], store, 2 * anHour, 3)).toEqual(['zip', 'cat', 'rehydrate', 'agenda'])
  })
})
