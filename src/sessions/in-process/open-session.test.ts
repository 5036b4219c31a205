import { expect, it } from 'vitest'
import type { CompileInput } from '../../core/index.ts'
import { sha256 } from '../../host/index.ts'
import { parseFold, selectLines } from '../../ladders/index.ts'
import { manualClock } from '../../providers/index.ts'
import { memoryStore } from '../../stores/index.ts'
import type { Store } from '../../stores/index.ts'
import { bodyOf, resultOf } from '../session.fixture.ts'
import { compileAgain } from '../compilers.ts'
import { verifyReceipt } from '../verify-receipt.ts'
import { openSession } from './open-session.ts'

/** Results that are shown trimmed rather than as one line, since some of their lines are worth keeping. */
const mixed = Array.from({ length: 200 }, (_, line) =>
  line % 60 === 30 ? `def quarterly_revenue_${line}(account_${line}):` : `    "all of this" \\ is said, ${line} times`,
).join('\n')

const body = (results: number): object =>
  JSON.parse(bodyOf(results).replace(JSON.stringify(resultOf(1)), () => JSON.stringify(mixed))) as object

function foldIn(request: object): string {
  const texts: string[] = []
  JSON.stringify(request, (_, value: unknown) => {
    if (typeof value === 'string') texts.push(...value.split('\n'))
    return value
  })
  return texts.find((line) => parseFold(line) !== undefined) ?? 'no marker'
}

const calls = (...inputs: readonly object[]) => ({
  type: 'message',
  role: 'assistant',
  content: inputs.map((input, at) => ({ type: 'tool_use', id: `toolu_w${at}`, name: 'write', input })),
  stop_reason: 'tool_use',
  usage: { input_tokens: 1, output_tokens: 1 },
})

it('a marker that the model has copied into a call is written out as its lines, as through the gateway', async () => {
  const clock = manualClock(Date.UTC(2026, 10, 21))
  const store = memoryStore()
  const session = openSession({ store, clock: () => clock.now() })
  for (const results of [9, 10]) {
    await session.send(body(results), async () => calls())
    await clock.advance(3_600_000)
  }
  const packed = await session.pack(body(11))
  const marker = foldIn(packed.request)
  const fold = parseFold(marker)
  const lines = selectLines(mixed, `${fold?.first}-${fold?.last}`)
  const reply = calls({ text: `before\n${marker}\nafter` }, { text: 'nothing of ours' })
  expect(await packed.answered(reply)).toEqual(calls({ text: `before\n${lines}\nafter` }, { text: 'nothing of ours' }))
  const [receipt] = await store.read('receipts').list('default', { limit: 1 })
  expect(receipt?.result).toMatchObject({ status: 200, markersWritten: 1, usage: { inputTokens: 1 } })
})

/** A session whose first result is folded by now, and a packed request of it. */
async function folded(more: string) {
  const clock = manualClock(Date.UTC(2026, 10, 21))
  const store = memoryStore()
  const session = openSession({ store, clock: () => clock.now(), record: 'content' })
  const asked = (results: number): object =>
    JSON.parse(JSON.stringify(body(results)).replace('"Find the value."', () => JSON.stringify(more))) as object
  for (const results of [9, 10]) {
    await session.send(asked(results), async () => calls())
    await clock.advance(3_600_000)
  }
  return { store, packed: await session.pack(asked(11)) }
}

it('a call with a marker that stands for nothing is answered and not given to the caller', async () => {
  const { store, packed } = await folded('Find the value.')
  const fold = parseFold(foldIn(packed.request))
  const near = `# [lines ${fold?.first}-${fold?.last} folded]`
  const next = await packed.next(calls({ text: `before\n${near}\nafter` }, { text: 'good' }))
  expect(JSON.stringify(next)).toContain(`rehydrate(\\"${fold?.handle}\\", \\"${fold?.first}-${fold?.last}\\") first.`)
  expect(JSON.stringify(next).split('This call was not run')).toHaveLength(3)
  const better = calls({ text: 'the text' })
  expect(await packed.next(better)).toBeUndefined()
  expect(await packed.answered(better)).toMatchObject({ content: better.content })
  const [last] = await store.read('receipts').list('default', { limit: 1 })
  const receipt = await store.read('receipts').get('default', last?.requestId ?? '')
  expect(receipt?.result).toMatchObject({ status: 200, callsWithheld: 2, rehydrations: 0, rounds: [{}] })
})

it('a line that the client has sent itself is passed on: it may have to be mended', async () => {
  const near = '# [lines 6-33 folded]'
  const mends = calls({ old: near, new: 'the text' })
  const { packed } = await folded(`Replace this line of f:\n${near}`)
  expect(await packed.next(mends)).toBeUndefined()
  expect(await packed.answered(mends)).toEqual(mends)
  const other = await folded('Find the value.')
  expect(await other.packed.next(mends)).toBeDefined()
  // What our own answer quotes is no text of the client's.
  expect(await other.packed.next(mends)).toBeDefined()
})

it('where nothing is folded no call is held', async () => {
  const packed = await openSession().pack(body(1))
  expect(await packed.next(calls({ text: '# [lines 6-33 folded]' }))).toBeUndefined()
})

it('the id of a request can be an argument of a command', async () => {
  const { receipt } = await openSession().pack(body(1))
  expect(receipt?.requestId).toMatch(/^req_[\w-]{22}$/)
})

it('where the store cannot be written, a request goes on without its receipt and says so, and no reply is lost', async () => {
  const fails = async (): Promise<never> => {
    throw new Error('the disk is full')
  }
  const told: string[] = []
  const plain = memoryStore()
  // The secret that handles are made with was stored before the disk was full.
  const store: Store = { ...plain, commit: (unit) => (unit.scope.tenant === '' ? plain.commit(unit) : fails()) }
  const session = openSession({ store, onFailure: (stage) => void told.push(stage) })
  const packed = await session.pack(body(1))
  expect(packed).toMatchObject({ skipped: 'store', receipt: { outcome: { kind: 'ok' } } })
  const reply = calls({ text: 'nothing of ours' })
  expect(await packed.answered(reply)).toBe(reply)
  expect(await session.send(body(1), async () => reply)).toEqual(reply)
  expect(told).toEqual(['store', 'store', 'store', 'store'])
})

it('a reply without markers comes back as the very value that it was', async () => {
  const packed = await openSession().pack(body(1))
  const reply = calls({ text: 'folded neatly' })
  expect(await packed.answered(reply)).toBe(reply)
})

it('A-006: of several rounds, a reply says what the last one has used, and the receipt what all have, and proves each', async () => {
  const store = memoryStore()
  const session = openSession({ store, policy: 'thrifty', record: 'content' })
  const frame = { type: 'message', role: 'assistant' }
  const fetches = { type: 'tool_use', id: 'toolu_h', name: 'rehydrate', input: { handle: 'deadbeef' } }
  const rounds = [
    { ...frame, content: [fetches], stop_reason: 'tool_use', usage: { input_tokens: 100, output_tokens: 7 } },
    { ...frame, content: [], stop_reason: 'end_turn', usage: { input_tokens: 120, output_tokens: 3 } },
  ]
  const asked: object[] = []
  const reply = await session.send(body(1), async (request) => {
    asked.push(request)
    return rounds.shift()!
  })
  expect(reply.usage).toEqual({ input_tokens: 120, output_tokens: 3 })
  const [receipt] = await store.read('receipts').list('default', { limit: 1 })
  expect(receipt?.result).toMatchObject({ rehydrations: 1, usage: { inputTokens: 220, outputTokens: 10 } })
  const whole = (await store.read('receipts').get('default', receipt?.requestId ?? ''))!
  const compile = (again: CompileInput) => compileAgain(again, whole.manifest)
  expect(verifyReceipt({ receipt: whole, input: whole.input!, compile }).differences).toEqual([])
  const sentBodies = [whole.packId, ...(whole.result?.rounds ?? []).map(({ hash }) => hash)]
  expect(sentBodies).toEqual(asked.map((request) => sha256(JSON.stringify(request))))
})

it('a request may name the session that it belongs to, and have nothing left out that it would have to ask for', async () => {
  const clock = manualClock(Date.UTC(2026, 10, 21))
  const store = memoryStore()
  const session = openSession({ store, id: 'all', clock: () => clock.now() })
  const folds: boolean[] = []
  for (const own of [{ id: 'a' }, { id: 'b', rehydrate: false }, undefined]) {
    let last = ''
    for (const results of [9, 10, 11]) {
      const packed = await session.pack(body(results), own)
      await packed.answered(calls())
      await clock.advance(3_600_000)
      last = packed.body
    }
    folds.push(last.includes('rehydrate'))
  }
  expect(folds).toEqual([true, false, true])
  const sessions = await store.read('results').sessions('default', { limit: 9 })
  expect(sessions.map((known) => known.session).toSorted()).toEqual(['a', 'all', 'b'])
})
