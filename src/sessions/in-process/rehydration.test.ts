import { expect, it } from 'vitest'
import { thrifty } from '../../compiler/index.ts'
import { manualClock } from '../../providers/index.ts'
import { memoryStore } from '../../stores/index.ts'
import type { Store } from '../../stores/index.ts'
import { tokenizerFor } from '../../tokens/index.ts'
import { bodyOf, resultOf } from '../session.fixture.ts'
import { openSession } from './open-session.ts'

const vault = `${Array.from({ length: 40 }, (_, line) => `plain words of listing number ${line}`).join('\n')}
The vault door opens with code 7716.
${Array.from({ length: 40 }, (_, line) => `more plain words of line ${line}`).join('\n')}`

const body = (results: number): object =>
  JSON.parse(bodyOf(results).replace(JSON.stringify(resultOf(1)), () => JSON.stringify(vault))) as object

const usage = { input_tokens: 1, output_tokens: 1 }
const says = (text: string) => ({
  type: 'message',
  role: 'assistant',
  content: [{ type: 'text', text }],
  stop_reason: 'end_turn',
  usage,
})
const asks = (input: object) => ({
  type: 'message',
  role: 'assistant',
  content: [{ type: 'tool_use', id: 'toolu_hidden', name: 'rehydrate', input }],
  stop_reason: 'tool_use',
  usage,
})

/** A session whose first results are hidden by now; its clock goes on by an hour for each request. */
async function hiding(store: Store, id: string) {
  const clock = manualClock(Date.UTC(2026, 10, 21))
  const session = openSession({ store, id, policy: 'thrifty', clock: () => clock.now() })
  const pack = async (results: number) => {
    await clock.advance(3_600_000)
    return session.pack(body(results))
  }
  for (const results of [9, 10]) await (await pack(results)).answered(says('Go on.'))
  return pack
}

it('V-025: what was left out is fetched by its topic, and the receipt names the decision that left it out', async () => {
  const store = memoryStore()
  const pack = await hiding(store, 'one')
  const packed = await pack(11)
  expect(packed.body).not.toContain('code 7716')
  const next = await packed.next(asks({ about: 'code of the vault door' }))
  expect(JSON.stringify(next)).toContain('The vault door opens with code 7716.')
  await packed.answered(says('It is 7716.'))
  const receipt = await store.read('receipts').get('default', packed.receipt?.requestId ?? '')
  const [fetched] = receipt?.result?.fetched ?? []
  const earlier = await store.read('receipts').get('default', fetched?.leftOut?.requestId ?? '')
  expect(earlier?.requestId).not.toBe(receipt?.requestId)
  const decision = earlier?.manifest.decisions.find(({ handle }) => handle === fetched?.handle)
  expect(decision).toMatchObject({ itemId: fetched?.leftOut?.itemId, reason: fetched?.leftOut?.reason })
  expect(JSON.stringify(next)).toContain(`[${fetched?.handle}, `)
})

it('V-025: nobody finds by a topic what another session has left out', async () => {
  const store = memoryStore()
  await hiding(store, 'one')
  const other = openSession({ store, id: 'two' })
  const packed = await other.pack(JSON.parse(bodyOf(3)) as object)
  const next = await packed.next(asks({ about: 'code of the vault door' }))
  expect(JSON.stringify(next)).toContain('Nothing that was left out')
  expect(JSON.stringify(next)).not.toContain('code 7716')
})

it('P-070: what comes back fits into the window, however much is asked for in a reply', async () => {
  const store = memoryStore()
  const clock = manualClock(Date.UTC(2026, 10, 21))
  const policy = { ...thrifty, id: 'small', contextTokens: 16_000 }
  const session = openSession({ store, id: 'one', policy, clock: () => clock.now() })
  const packed = await session.pack(JSON.parse(bodyOf(12)) as object)
  const { windowTokens = 0 } = packed.receipt?.manifest ?? {}
  const { count } = tokenizerFor('claude-sonnet-4-6')
  const asked = packed.body.matchAll(/rehydrate\(\\?"(\d{12})/g)
  const handles = [...new Set(Array.from(asked, ([, handle = '']) => handle))].slice(0, 4)
  expect(handles.length).toBe(4)
  const sizes: number[] = []
  for (const handle of handles) sizes.push(count(JSON.stringify(await packed.next(asks({ handle })))))
  expect(sizes[0]).toBeGreaterThan(count(packed.body) + 500)
  for (const size of sizes) expect(size).toBeLessThanOrEqual(windowTokens)
})

it('P-070: what came back stands for its step, and is a line with a handle that works in the epoch after', async () => {
  const store = memoryStore()
  const pack = await hiding(store, 'one')
  const packed = await pack(11)
  const handle = /rehydrate\(\\?"(\d{12})/.exec(packed.body)?.[1] ?? ''
  const next = JSON.stringify(await packed.next(asks({ handle })))
  const original = (await store.read('originals').get({ tenant: 'default', session: 'one' }, handle))?.text ?? ''
  expect(next).toContain(JSON.stringify(original).slice(1, -1))
  await packed.answered(says('Read.'))
  const asked = body(11) as { messages: object[] }
  const goesOn = {
    ...asked,
    messages: [...asked.messages, { role: 'assistant', content: 'Read.' }, { role: 'user', content: 'Go on.' }],
  }
  const clock = manualClock(Date.UTC(2026, 10, 23))
  const later = await openSession({ store, id: 'one', policy: 'thrifty', clock: () => clock.now() }).pack(goesOn)
  const decision = later.receipt?.manifest.decisions.find(({ reason }) => reason === 'released')
  expect(decision).toMatchObject({ rung: 'line' })
  expect(later.body).toContain('[Tool: rehydrate - ok')
  expect(later.body).not.toContain(JSON.stringify(original).slice(1, -1))
  expect((await store.read('originals').get({ tenant: 'default', session: 'one' }, decision?.handle ?? ''))?.text).toBe(
    original,
  )
})
