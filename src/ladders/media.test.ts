import { describe, expect, it } from 'vitest'
import type { Item, LadderContext, Media } from '../core/index.ts'
import { ladderFor } from './ladder-for.ts'
import { longestMarker, readMarker } from './marker-grammar.ts'

const context: LadderContext = { count: (text) => Math.ceil(text.length / 4), handle: '482915037114', step: 7 }

function lineOf(media: Partial<Media>, more: Partial<Item> = {}, call?: string): string | undefined {
  const item: Item = {
    id: 'm',
    section: 'history',
    kind: 'media',
    role: 'tool',
    toolName: 'computer',
    text: '',
    tokens: 1366,
    media: { type: 'image', ...('url' in media ? {} : { fingerprint: 'f' }), ...media },
    ...more,
  }
  const asked = call === undefined ? context : { ...context, conversation: { called: () => call } }
  return ladderFor(item, asked).find(({ rung }) => rung === 'line')?.text
}

const back = 'rehydrate("482915037114")'

describe('P-091: media as one line', () => {
  it('says what it is, its extent, its cost, what the call was, and how it comes back', () => {
    const size = { width: 1280, height: 800 }
    expect(lineOf(size, {}, '{"action":"left_click","coordinate":[3,4]}')).toBe(
      `[Image: computer:left_click, 1280x800, 1366 tokens, step 7] ${back}`,
    )
    expect(lineOf(size, { role: 'user', toolName: '' })).toBe(`[Image: attached, 1280x800, 1366 tokens] ${back}`)
    expect(lineOf({ type: 'audio', durationMs: 62_600 })).toBe(`[Audio: computer, 63s, 1366 tokens, step 7] ${back}`)
    expect(lineOf({ type: 'document', pages: 12 })).toBe(`[Document: computer, 12-pages, 1366 tokens, step 7] ${back}`)
    expect(lineOf({ type: 'video', ...size, durationMs: 9000 })).toContain('[Video: computer, 1280x800,')
    expect(lineOf({})).toContain('unmeasured')
  })

  it('is one of our markers, whatever the call and the tool are called', () => {
    const names = ['browser take]shot\n', 'ü'.repeat(200), '"', '🙂']
    const calls = ['{"path":"a b\\n\\"]c"}', '[]', 'null', '{', `{"action":"${'x'.repeat(300)}"}`, '{"url":"\\ud800"}']
    for (const toolName of names)
      for (const call of calls) {
        const line = lineOf({ width: 1e12, height: 3.5 }, { toolName, tokens: 123_456_789 }, call) ?? ''
        expect(readMarker(line)?.values.handle).toBe('482915037114')
        expect(line.length).toBeLessThan(longestMarker)
      }
  })

  it('is not there for what could not be brought back, or costs less than the line', () => {
    expect(lineOf({ url: '' })).toBeUndefined()
    expect(lineOf({}, { tokens: 5 })).toBeUndefined()
    expect(lineOf({}, { frozen: true })).toBeUndefined()
    expect(lineOf({}, { pin: true })).toBeUndefined()
  })
})
