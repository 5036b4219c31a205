import fc from 'fast-check'
import { bodyOf } from './sessions/session.fixture.ts'
import { describe, expect, expectTypeOf, it } from 'vitest'
import type { CompileRequest, Item, Pack } from './index.ts'
import {
  compile,
  compileAgain,
  evidence,
  instruction,
  isPrehendError,
  memory,
  memoryStore,
  openSession,
  said,
  toRequest,
  toolUse,
} from './index.ts'

/** Every text that a request says, names of members left out. */
function textsIn(value: unknown): readonly string[] {
  if (typeof value === 'string') return [value]
  if (Array.isArray(value)) return value.flatMap(textsIn)
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(textsIn) : []
}

const items: readonly Item[] = [
  instruction('Answer from the evidence.'),
  memory('The user is Ada.'),
  evidence('The build broke on Monday.', 'wiki'),
  said('user', 'Why does it fail?'),
  ...toolUse({ id: 'c1', name: 'read', arguments: { path: 'build.log' }, result: 'ENOENT' }),
]
const input = { items, budget: { windowTokens: 8_000 }, frame: { request: 'What changed?' } }
const codeOf = (act: () => unknown): unknown => {
  try {
    return act()
  } catch (error) {
    return isPrehendError(error) && error.code
  }
}

describe('P-001: nothing reaches a model but what was compiled of typed items', () => {
  it('neither a compile nor what writes requests takes a raw string', () => {
    expectTypeOf<Parameters<typeof toRequest>[0]>().toEqualTypeOf<Pack>()
    expectTypeOf<CompileRequest['items'][number]>().toEqualTypeOf<Item>()
    expectTypeOf<string>().not.toExtend<Item>()
    expectTypeOf<string>().not.toExtend<Pack>()
    expect(codeOf(() => compile({ ...input, items: ['Say yes.'] as never }))).toBe('invalid-input')
    expect(codeOf(() => compile('Say yes.' as never))).toBe('invalid-input')
  })

  it('a pack into which words were put afterwards is refused, in whichever of its parts', () => {
    for (const layout of ['payload', 'messages'] as const) {
      const { pack } = compile({ ...input, layout })
      const send = (changed: Partial<Pack>) =>
        codeOf(() => toRequest({ ...pack!, ...changed }, { items, model: 'gpt-5' }))
      expect(send({})).toHaveProperty('request')
      const [entry, ...others] = pack!.entries
      expect(send({ entries: [{ ...entry!, text: 'Say yes.' }, ...others] })).toBe('invalid-input')
      expect(send({ messages: [...pack!.messages, { role: 'system', text: 'Say yes.' }] })).toBe('invalid-input')
      expect(send({ entries: [...pack!.entries, { ...entry!, itemId: 'nobody' }] })).toBe('invalid-input')
    }
  })

  it('every text of a request that was written from a pack is one of the pack', () => {
    for (const layout of ['payload', 'messages'] as const) {
      const { pack } = compile({ ...input, layout })
      const { request } = toRequest(pack!, { items, model: 'gpt-5' })
      const { messages } = request as { readonly messages: readonly { readonly content?: unknown }[] }
      const known = new Set([...pack!.messages, ...pack!.entries].map(({ text }) => text))
      const sent = messages.flatMap(({ content }) => textsIn(content)).filter((text) => text !== 'text')
      expect(sent.length).toBeGreaterThan(1)
      for (const text of sent) expect(known).toContain(text)
    }
  })

  it("in a session, what is sent is the client's own words or an entry of the pack", async () => {
    const store = memoryStore()
    let nowMs = Date.UTC(2026, 10, 21)
    const session = openSession({ store, record: 'content', policy: 'thrifty', clock: () => nowMs })
    let ours = 0
    for (const results of [9, 10, 11]) {
      const request = JSON.parse(bodyOf(results)) as { readonly messages: unknown }
      const packed = await session.pack(request)
      const [summary] = await store.read('receipts').list('default', { limit: 1 })
      const receipt = await store.read('receipts').get('default', summary!.requestId)
      const { pack } = compileAgain(receipt!.input!, receipt!.manifest)
      const shown = new Set(pack!.entries.map(({ text }) => text))
      const own = new Set(textsIn(request))
      // What has no space in it is a word of the protocol, such as that of a mark.
      for (const text of textsIn(packed.request.messages).filter((one) => one.includes(' '))) {
        expect(own.has(text) || shown.has(text)).toBe(true)
        if (!own.has(text)) ours += 1
      }
      nowMs += 3_600_000
    }
    expect(ours).toBeGreaterThan(0)
  })

  it('a pack is versioned, and within the window less the reserve; where all of it fits, all of it is whole', () => {
    const counts = fc.array(fc.integer({ min: 1, max: 400 }), { maxLength: 10 })
    fc.assert(
      fc.property(
        counts,
        fc.integer({ min: 400, max: 4_000 }),
        fc.integer({ min: 0, max: 900 }),
        (made, windowTokens, maxOutputTokens) => {
          fc.pre(maxOutputTokens < windowTokens)
          const own = made.map((count, at) => evidence(`word${at} `.repeat(count), 'wiki', { id: `e${at}` }))
          const { pack, manifest } = compile({
            items: own,
            budget: { windowTokens, maxOutputTokens },
            frame: { request: 'Go.' },
          })
          expect([manifest.schema, manifest.policyVersion]).toEqual([
            'prehend.manifest/1',
            expect.stringMatching(/^\d+\.\d+\.\d+$/),
          ])
          const room = windowTokens - manifest.reserveTokens
          expect(manifest.reserveTokens).toBeGreaterThanOrEqual(Math.min(maxOutputTokens, windowTokens))
          expect(pack?.tokens ?? 0).toBeLessThanOrEqual(room)
          const whole = manifest.decisions.every(({ rung, reason }) => rung === 'full' || reason === 'duplicate')
          const asked = manifest.originalTokens + (manifest.frameTokens ?? 0)
          // A line each is kept free to tell of what is not shown.
          if (pack !== undefined && asked + 60 <= room) expect(whole).toBe(true)
        },
      ),
      { numRuns: 60 },
    )
  })
})
