import { describe, expect, it } from 'vitest'
import { codecFor, codecs, writtenAnswer } from '../codecs/index.ts'
import { thrifty } from '../compiler/index.ts'
import type { PolicyChoice } from '../compiler/index.ts'
import type { CompileInput, JsonObject, KnownDialect } from '../core/index.ts'
import { manualClock } from '../providers/index.ts'
import { memoryStore } from '../stores/index.ts'
import { compileAgain } from './compilers.ts'
import { openSession } from './in-process/open-session.ts'
import { pngOf, screenRequests } from './screens.fixture.ts'
import { verifyReceipt } from './verify-receipt.ts'

const dialects = codecs.map(({ dialect }) => dialect as KnownDialect)
const requests = screenRequests()
const screen = { width: 1280, height: 800 }

function sessionOf(policy: PolicyChoice) {
  const clock = manualClock(Date.UTC(2026, 10, 21))
  const store = memoryStore()
  return { clock, store, session: openSession({ policy, store, record: 'content', clock: () => clock.now() }) }
}

/** A session whose cache has gone cold after ten steps, and its request with one more. */
async function aged(dialect: KnownDialect, policy: PolicyChoice = thrifty) {
  const { clock, store, session } = sessionOf(policy)
  for (const steps of [9, 10]) {
    await session.pack(requests[dialect](steps))
    await clock.advance(3_600_000)
  }
  return { clock, store, session, packed: await session.pack(requests[dialect](11)) }
}

const markerForm = /\[Image: (?<name>[^,]+), 1280x800, \d+ tokens(?:, step \d+)?\] rehydrate\("(?<handle>\d{12})"\)/g

function markersIn(request: object): readonly RegExpExecArray[] {
  return [
    ...JSON.stringify(request)
      .replaceAll(String.raw`\"`, '"')
      .matchAll(markerForm),
  ]
}

function shows(request: object, step: number): boolean {
  return JSON.stringify(request).includes(pngOf(screen, step))
}

function said(dialect: KnownDialect, answer: { readonly text?: string; readonly handle?: string }): object {
  const { text = '', handle } = answer
  const call = { id: 'call_h', name: 'rehydrate', arguments: JSON.stringify({ handle }) }
  const toolCalls = handle === undefined ? [] : [call]
  const { body } = writtenAnswer(codecFor(dialect).replyWriter, { id: 'r', model: 'm', text, toolCalls, createdMs: 0 })
  return JSON.parse(body) as JsonObject
}

describe.each(dialects)('P-091: screenshots that newer ones have followed, %s', (dialect) => {
  it('become lines with kind, size, call and handle; the newest stay, and all else stays as it is', async () => {
    const { packed } = await aged(dialect)
    const found = markersIn(packed.request)
    const kept = [8, 9, 10, 11].filter((step) => shows(packed.request, step))
    expect(kept.length).toBeGreaterThanOrEqual(3)
    expect(found).toHaveLength(11 - kept.length)
    for (let step = 1; step <= 11 - kept.length; step += 1) expect(shows(packed.request, step)).toBe(false)
    expect(new Set(found.map(({ groups }) => groups?.['handle'])).size).toBe(found.length)
    const [first] = found
    expect(first?.groups?.['name']).toBe(dialect === 'openai-chat' ? 'attached' : 'computer:screenshot')
    expect(packed.receipt?.manifest.packTokens).toBeLessThan((packed.receipt?.manifest.originalTokens ?? 0) * 0.7)
  })

  it('with a policy that keeps media whole, none goes', async () => {
    const whole = { ...thrifty, id: 'whole', epochs: { ...thrifty.epochs, media: 'whole' as const } }
    const { packed } = await aged(dialect, whole)
    expect(markersIn(packed.request)).toHaveLength(0)
    expect(shows(packed.request, 1)).toBe(true)
  })

  it('by their handle each brings back the picture itself, whether words stood beside it or not', async () => {
    const { packed } = await aged(dialect)
    for (const [index, { groups }] of markersIn(packed.request).slice(0, 2).entries()) {
      const next = await packed.next(said(dialect, { handle: groups?.['handle'] ?? '' }))
      expect(next && shows(next, index + 1)).toBe(true)
    }
  })

  it('by their handle the picture itself comes back, byte for byte, in a form that the dialect reads again', async () => {
    const { packed, session } = await aged(dialect)
    const handle = markersIn(packed.request)[1]?.groups?.['handle'] ?? ''
    const next = await packed.next(said(dialect, { handle }))
    expect(next && shows(next, 2)).toBe(true)
    expect(next && shows(next, 1)).toBe(false)
    expect(JSON.stringify(next)).toContain(`1280x800, under the handle ${handle}, as it was shown:`)
    const read = codecFor(dialect).decode({ body: JSON.stringify(next) })
    const back = read.conversation.items.filter(({ kind, toolName }) => kind === 'media' && toolName === 'rehydrate')
    expect(back.map(({ media, role }) => [media?.width, media?.height, role])).toEqual([[1280, 800, 'tool']])
    const last = said(dialect, { text: 'It is the form.' })
    expect(await packed.next(last)).toBeUndefined()
    await packed.answered(last)
    // The next request has it where it was shown or, since its step is over, the line of it, and takes it for nothing that the user has asked.
    const asked = requests[dialect](11)
    const later = await session.pack(goOn(dialect, asked, 'It is the form.'))
    const released = markersIn(later.request).filter(({ groups }) => groups?.['name'] === 'rehydrate')
    expect(shows(later.request, 2) ? 1 : released.length).toBe(1)
    expect(later.receipt?.manifest.outcome).toBe('ok')
  })

  it('a request goes on from the bytes of the one before it, and its receipt makes them again', async () => {
    const { clock, store, session, packed } = await aged(dialect)
    await clock.advance(1_000)
    const later = await session.pack(requests[dialect](12))
    const before = history(dialect, packed.request)
    expect(history(dialect, later.request).slice(0, before.length)).toEqual(before)
    const receipts = await store.read('receipts').list('default', { limit: 9 })
    for (const { requestId } of receipts) {
      const receipt = await store.read('receipts').get('default', requestId)
      if (receipt?.input === undefined) throw new TypeError('content is recorded')
      const compile = (input: CompileInput) => compileAgain(input, receipt.manifest)
      expect(verifyReceipt({ receipt, input: receipt.input, compile }).differences).toEqual([])
    }
  })
})

it('a call into which the model has copied the line of a picture is not run: it stands for nothing that could be written', async () => {
  const { packed } = await aged('anthropic-messages')
  const [marker = ''] = markersIn(packed.request)[0] ?? []
  const call = { type: 'tool_use', id: 'toolu_w', name: 'computer', input: { action: 'type', text: `see\n${marker}` } }
  const reply = { type: 'message', role: 'assistant', content: [call], stop_reason: 'tool_use', usage: {} }
  expect(JSON.stringify(await packed.next(reply))).toContain('This call was not run')
})

const lists = { 'openai-responses': 'input', 'gemini': 'contents' } as const

function history(dialect: KnownDialect, request: object): readonly unknown[] {
  const name = dialect in lists ? lists[dialect as keyof typeof lists] : 'messages'
  // Marks for the provider's cache move on and are no part of what it caches.
  const unmarked = JSON.stringify(request, (key, value: unknown) => (key === 'cache_control' ? undefined : value))
  return (JSON.parse(unmarked) as Record<string, readonly unknown[]>)[name] ?? []
}

/** The request with the model's words and a question behind it. */
function goOn(dialect: KnownDialect, request: JsonObject, text: string): JsonObject {
  const name = dialect in lists ? lists[dialect as keyof typeof lists] : 'messages'
  const added =
    dialect === 'gemini'
      ? [
          { role: 'model', parts: [{ text }] },
          { role: 'user', parts: [{ text: 'And now?' }] },
        ]
      : [
          { role: 'assistant', content: text },
          { role: 'user', content: 'And now?' },
        ]
  return { ...request, [name]: [...(request[name] as readonly JsonObject[]), ...added] }
}
