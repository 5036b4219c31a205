import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { careful } from '../../compiler/index.ts'
import type { ToolPolicy } from '../../core/index.ts'
import { memoryStore, sqliteStore } from '../../stores/index.ts'
import type { Store } from '../../stores/index.ts'
import { openSession } from './open-session.ts'

const tools = Array.from({ length: 40 }, (_, at) => ({
  name: `mcp__server${at % 4}__thing_${at}`,
  description: `Does thing ${at}.`,
  input_schema: { type: 'object', properties: {} },
}))
const habit = 'mcp__server0__thing_8'
const other = 'mcp__server3__thing_7'
const asked = (messages: readonly object[]): object => ({
  model: 'claude-sonnet-4-5',
  max_tokens: 100,
  tools,
  messages,
})
const reply = (content: readonly object[], stop: string) => ({
  type: 'message',
  role: 'assistant',
  content,
  stop_reason: stop,
  usage: { input_tokens: 1, output_tokens: 1 },
})
const namesIn = (request: object): readonly string[] =>
  (request as { readonly tools: readonly { readonly name: string }[] }).tools.map(({ name }) => name)

interface Talk {
  readonly store: Store
  readonly tenant?: string
  readonly id: string
  readonly say?: string
  readonly isFailed?: boolean
  readonly record?: 'decisions' | 'content'
  readonly select?: ToolPolicy
}

/** A conversation in which the model calls a tool once. Gives the tools of its first request. */
async function talk({ store, tenant = 'acme', id, say = 'Tidy up the shed.', record = 'content', ...more }: Talk) {
  const policy = { ...careful, id: 'learnt', tools: more.select ?? { selection: 'meta', deferred: false } } as const
  const session = openSession({ store, tenant, id, policy, record })
  const first = { role: 'user', content: say }
  const packed = await session.pack(asked([first]))
  const call = { type: 'tool_use', id: 'toolu_1', name: 'execute_tool', input: { toolName: habit, params: {} } }
  const named = namesIn(packed.request).includes(habit) ? { ...call, name: habit, input: {} } : call
  const given = await packed.answered(reply([named], 'tool_use'))
  const result = { type: 'tool_result', tool_use_id: 'toolu_1', content: 'done', is_error: more.isFailed === true }
  const messages = [first, { role: 'assistant', content: given.content }, { role: 'user', content: [result] }]
  const later = await session.pack(asked(messages))
  await later.answered(reply([{ type: 'text', text: 'Done.' }], 'end_turn'))
  // The same once more, as clients do after a lost connection, teaches nothing.
  const again = await session.pack(asked(messages))
  await again.answered(reply([{ type: 'text', text: 'Done.' }], 'end_turn'))
  await session.close()
  return namesIn(packed.request)
}

const useOf = async (store: Store, name: string, tenant = 'acme') =>
  (await store.read('tool-uses').all(tenant)).find((row) => row.name === name)

const folder = mkdtempSync(join(tmpdir(), 'prehend-learnt-'))
afterAll(() => rmSync(folder, { recursive: true }))
let files = 0

describe.each([
  { name: 'memory', open: () => memoryStore() },
  { name: 'sqlite', open: () => sqliteStore({ path: join(folder, `${(files += 1)}.db`) }) },
])('what is learnt of the tools of a client, $name (C-020)', ({ open }) => {
  it('two conversations teach the third which tool is always called', async () => {
    const store = open()
    for (const id of ['one', 'two']) expect(await talk({ store, id })).not.toContain(habit)
    expect(await useOf(store, habit)).toEqual({
      name: habit,
      offered: 0,
      called: 2,
      failed: 0,
      sessions: 2,
      calledIn: 2,
      queries: ['Tidy up the shed.'],
    })
    expect(await useOf(store, other)).toMatchObject({ called: 0, sessions: 2, calledIn: 0 })
    const third = await talk({ store, id: 'three' })
    expect(third).toContain(habit)
    expect(third).not.toContain(other)
    expect(await talk({ store, id: 'four', tenant: 'rival' })).not.toContain(habit)
    await store.close()
  })

  it('a tool that fails ranks lower than one that is not called', async () => {
    const store = open()
    const say = 'Do thing 7 or thing 8.'
    const select = { selection: 'sticky', maxTools: 1, deferred: false } as const
    const before = await talk({ store, id: 'one', say, isFailed: true, select })
    expect([before.includes(habit), before.includes(other)]).toEqual([true, false])
    for (const id of ['two', 'three']) await talk({ store, id, say, isFailed: true, select })
    expect(await useOf(store, habit)).toMatchObject({ called: 0, failed: 3, sessions: 3, calledIn: 0, queries: [] })
    const after = await talk({ store, id: 'four', say, select })
    expect([after.includes(habit), after.includes(other)]).toEqual([false, true])
    await store.close()
  })

  it('a tool that is defined and never called makes room for another', async () => {
    const store = open()
    const select = { selection: 'sticky', maxTools: 1, deferred: false } as const
    const idle = async (id: string): Promise<readonly boolean[]> => {
      const session = openSession({ store, tenant: 'acme', id, policy: { ...careful, id: 'idle', tools: select } })
      const packed = await session.pack(asked([{ role: 'user', content: 'Do thing 7 or thing 8.' }]))
      await packed.answered(reply([{ type: 'text', text: 'No.' }], 'end_turn'))
      await session.close()
      const names = namesIn(packed.request)
      return [names.includes(habit), names.includes(other)]
    }
    expect(await idle('one')).toEqual([true, false])
    expect(await useOf(store, habit)).toMatchObject({ offered: 1, called: 0, sessions: 1, calledIn: 0 })
    // A definition that was left to be found was not offered.
    expect(await useOf(store, other)).toMatchObject({ offered: 0, sessions: 1 })
    expect(await idle('two')).toEqual([false, true])
    const [receipt] = await store.read('receipts').list('acme', { limit: 1 })
    expect(receipt?.wastedTools).toMatchObject({ defined: 1, wasted: 1 })
    await store.close()
  })

  it('past queries find a tool that its own words do not', async () => {
    const store = open()
    for (const id of ['one', 'two']) await talk({ store, id, say: 'Water the orchids on the balcony.' })
    const policy = { ...careful, id: 'found', tools: { selection: 'meta', deferred: false } } as const
    const search = async (tenant: string): Promise<string> => {
      const session = openSession({ store, tenant, id: 'search', policy })
      const packed = await session.pack(asked([{ role: 'user', content: 'Go on.' }]))
      const input = { query: 'orchids need water' }
      const call = { type: 'tool_use', id: 'toolu_9', name: 'search_tools', input }
      const next = await packed.next(reply([call], 'tool_use'))
      await session.close()
      return JSON.stringify(next)
    }
    // It is defined by now, so that a conversation in which it was not called more often than called has to look for it.
    for (let at = 0; at < 4; at += 1)
      await store.commit({
        scope: { tenant: 'acme', session: '' },
        nowMs: Date.now(),
        writes: [
          { table: 'tool-uses', uses: [{ name: habit, offered: 0, called: 0, failed: 0, sessions: 1, calledIn: 0 }] },
        ],
      })
    expect(await search('acme')).toContain(`- ${habit}(`)
    expect(await search('rival')).toContain('None of the 40 tools')
    await store.close()
  })

  it('keeps counts and no words of users where only decisions are recorded', async () => {
    const store = open()
    await talk({ store, id: 'one', record: 'decisions' })
    expect(await useOf(store, habit)).toMatchObject({ called: 1, sessions: 1, calledIn: 1, queries: [] })
    await store.close()
  })

  it('goes with its tenant', async () => {
    const store = open()
    for (const tenant of ['acme', 'rival']) await talk({ store, id: 'one', tenant })
    await store.dropTenant('acme')
    expect(await store.read('tool-uses').all('acme')).toEqual([])
    expect(await store.read('tool-uses').all('rival')).toHaveLength(40)
    await store.close()
  })
})

it('nothing is learnt of a client with few tools', async () => {
  const store = memoryStore()
  const session = openSession({ store, tenant: 'acme', policy: careful, record: 'content' })
  const packed = await session.pack({ ...asked([{ role: 'user', content: 'Do thing 7.' }]), tools: tools.slice(0, 19) })
  await packed.answered(reply([{ type: 'text', text: 'No.' }], 'end_turn'))
  expect(await store.read('tool-uses').all('acme')).toEqual([])
  await session.close()
})
