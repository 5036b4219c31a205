import { describe, expect, it } from 'vitest'
import type { Item } from '../core/index.ts'
import { compile } from './compilers.ts'
import { toRequest } from './to-request.ts'

const picture = (id: string, more: Partial<Item> = {}): Item => ({
  id,
  section: 'history',
  kind: 'media',
  role: 'user',
  text: '',
  tokens: 85,
  media: { type: 'image', url: `https://pictures.example/${id}.png` },
  ...more,
})
const opaque = (more: Partial<Item> = {}): Item => ({
  id: 'block',
  section: 'history',
  kind: 'opaque',
  role: 'assistant',
  text: '',
  tokens: 40,
  ...more,
})

describe('V-003: what has no text, in a payload', () => {
  const items: readonly Item[] = [
    picture('said'),
    picture('seen', { section: 'evidence', tokens: 850, provenance: { sourceId: 'camera' } }),
    picture('cut', { section: 'evidence', tokens: 3_000, provenance: { sourceId: 'camera' } }),
    opaque(),
    { id: 'words', section: 'history', kind: 'text', role: 'user', text: 'What is this?' },
  ]
  const { pack, manifest } = compile({ items, budget: { windowTokens: 2_500 }, frame: { request: 'Tell me.' } })
  const decided = new Map(manifest.decisions.map((one) => [one.itemId, one]))

  it('is recorded as shown where the request has it, and as left out, with its reason, where it has not', () => {
    const { request, lost } = toRequest(pack!, { items, model: 'gpt-5' })
    const sent = JSON.stringify(request)
    for (const id of ['said', 'seen', 'cut']) {
      const isSent = sent.includes(`https://pictures.example/${id}.png`)
      expect([id, decided.get(id)?.rung]).toEqual([id, isSent ? 'full' : 'omitted'])
    }
    expect(decided.get('cut')).toMatchObject({ rung: 'omitted', reason: 'section-budget', tokens: 0 })
    expect(decided.get('block')).toMatchObject({ rung: 'omitted', reason: 'no-place', tokens: 0 })
    expect(sent).not.toContain('[opaque]')
    expect(lost).toEqual([])
    expect(manifest.decisions.map(({ itemId }) => itemId)).toEqual(items.map(({ id }) => id))
  })

  it('an opaque block that is pinned is refused by name, and one with a text is shown', () => {
    const packed = (item: Item) =>
      compile({ items: [item], budget: { windowTokens: 2_500 }, frame: { request: 'Go.' } })
    expect(() => packed(opaque({ pin: true }))).toThrow(/items\[0\]\.pin: asks for an opaque block/)
    expect(packed(opaque({ text: '{"type":"x"}' })).manifest.decisions[0]?.rung).toBe('full')
  })

  it('in a conversation it stands where it stood', () => {
    const { manifest: kept } = compile({ items, layout: 'messages', budget: { windowTokens: 50_000 } })
    expect(kept.decisions.every(({ rung }) => rung === 'full')).toBe(true)
  })
})
