import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { manualClock } from '../providers/index.ts'
import { memoryStore, sqliteStore } from '../stores/index.ts'
import type { Receipt, RecordedRequest, Store } from '../stores/index.ts'
import { shippedCatalogue } from '../tokens/index.ts'
import { compileMemory, compilers } from './compilers.ts'
import { openSessions } from './open-sessions.ts'
import { bodyOf, sent, sessionParts } from './session.fixture.ts'
import { verifyReceipt } from './verify-receipt.ts'

const folder = mkdtempSync(join(tmpdir(), 'prehend-verify-'))
let files = 0
afterAll(() => rmSync(folder, { recursive: true }))

const stores: readonly { readonly name: string; open(): Store }[] = [
  { name: 'memory', open: () => memoryStore() },
  { name: 'sqlite', open: () => sqliteStore({ path: join(folder, `${(files += 1)}.db`) }) },
]

const anHourMs = 3_600_000
const sampled = { temperature: 0.5, stop_sequences: ['\n\nHuman:'] }

/** Receipts of a session with shortened results, something hidden, and evidence of ours. */
async function receipts(store: Store): Promise<readonly Receipt[]> {
  const clock = manualClock(Date.UTC(2026, 10, 21))
  const sessions = openSessions(sessionParts({ store, clock: () => clock.now() }))
  const ids: string[] = []
  const take = async (results: number, collected?: Parameters<typeof sent>[3]): Promise<void> => {
    const turn = await sent(sessions, 's', bodyOf(results, 'Find "it" 🦉.', sampled), collected)
    if (turn.kind === 'unpacked') throw turn.error
    ids.push(turn.requestId)
    if (results === 9) {
      const visible = { visibleText: '', visibleCallIds: ['toolu_10'], visibleBlocks: 1, assistantIndex: 9 }
      const call = '{"type":"tool_use","id":"toolu_x","name":"rehydrate","input":{}}'
      const result = '{"type":"tool_result","tool_use_id":"toolu_x","content":"what was asked"}'
      const hidden = { ...visible, rounds: [], calls: [{ at: 0, raw: call }], results: [result] }
      await sessions.open(turn.scope).hid(turn, { turn: hidden, sent: [], kept: [], rehydrations: 1 })
    }
  }
  await take(7)
  await clock.advance(anHourMs)
  await take(8, [
    { id: 'kb/1', section: 'evidence', kind: 'evidence', text: 'The value is 7.', provenance: { sourceId: 'kb' } },
  ])
  await take(9)
  await take(10)
  const found = await Promise.all(ids.map((id) => store.read('receipts').get('acme', id)))
  return found.flatMap((receipt) => receipt ?? [])
}

const compile = compilers(shippedCatalogue)

function verify(receipt: Receipt): { readonly verified: boolean; readonly fields: readonly string[] } {
  if (!receipt.input) throw new Error('no input')
  const { input } = receipt
  const { verified, differences } = verifyReceipt({
    receipt,
    input,
    compile: (again) => compile(again.model ?? '', again, compileMemory()),
  })
  return { verified, fields: differences.map(({ field }) => field) }
}

describe.each(stores)('A-006, A-023: a receipt kept in $name proves what was sent', ({ open }) => {
  it('as long as nothing of it was changed', async () => {
    const store = open()
    const all = await receipts(store)
    expect(all).toHaveLength(4)
    for (const receipt of all) expect(verify(receipt)).toEqual({ verified: true, fields: [] })
    expect(all[1]?.request?.collected).toHaveLength(1)
    expect(all[3]?.request?.overlay.map(({ kind }) => kind)).toEqual(['insertion', 'hidden-turn'])
    await store.close()
  })

  it.each<[string, (request: RecordedRequest) => RecordedRequest]>([
    ['sampling parameter', (request) => ({ ...request, body: request.body.replace('0.5', '0.6') })],
    ['byte of what is shown', (request) => ({ ...request, body: request.body.replace('module-8', 'module-0') })],
    ['breakpoint', (request) => ({ ...request, breakpoints: request.breakpoints.slice(1) })],
    ['hidden tool', (request) => ({ ...request, tools: request.tools.map((tool) => ({ ...tool, description: '' })) })],
    ['number of hidden tools', (request) => ({ ...request, tools: [] })],
    ['overlay', (request) => ({ ...request, overlay: [] })],
  ])('but not another %s', async (_, change) => {
    const store = open()
    const [last] = (await receipts(store)).slice(-1)
    expect(last?.request).toBeDefined()
    const changed = change(last!.request!)
    expect(changed).not.toEqual(last!.request)
    const { verified, fields } = verify({ ...last!, request: changed })
    expect(verified).toBe(false)
    expect(fields.length).toBeGreaterThan(0)
    await store.close()
  })

  it('nor another decision', async () => {
    const store = open()
    const all = await receipts(store)
    const shortening = all.find(({ manifest }) => manifest.epoch?.decision === 'begin')
    const input = { ...shortening!.input!, handleKey: 'another' }
    const { verified, fields } = verify({ ...shortening!, input })
    expect(verified).toBe(false)
    expect(fields).toContain('packHash')
    await store.close()
  })
})
