import { describe, expect, it } from 'vitest'
import { originalsAbout } from '../../stores/index.ts'
import type { Original } from '../../stores/index.ts'
import { findAbout, searchedChars } from './find-about.ts'
import { rehydrateTool } from './rehydrate-tool.ts'

const filler = (name: string, count: number): string =>
  Array.from({ length: count }, (_, at) => `${name} entry ${at} is about nothing in particular`).join('\n')

const leftOut = { itemId: 'result:k1', rung: 'line', reason: 'economy', requestId: 'req_1' } as const
const archive: readonly Original[] = [
  { handle: '100000000001', text: filler('alpha', 80), kind: 'tool-result', toolName: 'bash' },
  {
    handle: '100000000002',
    text: `${filler('beta', 50)}\nretries back off exponentially up to 30 seconds\n${filler('beta', 50)}`,
    kind: 'tool-result',
    toolName: 'read',
    leftOut,
  },
  { handle: '100000000003', text: 'The vault opens with 7716.', kind: 'evidence' },
  { handle: '100000000005', text: 'retries exponentially', kind: 'media' },
  { handle: '100000000004', text: 'retries exponentially', toolName: 'rehydrate', kind: 'tool-result' },
]

const ask = (args: object, kept = archive) =>
  rehydrateTool.answer(
    { id: 'c', name: 'rehydrate', arguments: JSON.stringify(args) },
    {
      original: async (handle) => kept.find((one) => one.handle === handle),
      originals: async (words) => originalsAbout(kept, words, { maxChars: searchedChars }),
      maxChars: 24_000,
    },
  )

describe('rehydrate by topic', () => {
  it('V-025: brings back the passage that has most to do with the words, with its handle and its lines', async () => {
    const { text, found, fetched } = await ask({ about: 'how do retries back off' })
    expect(found).toBe(true)
    expect(text.split('\n')[0]).toMatch(/^\[100000000002, read: lines \d+-\d+ of 101\]$/)
    expect(text).toContain('retries back off exponentially up to 30 seconds')
    expect(text).not.toContain('alpha')
    expect(fetched?.[0]).toEqual({ handle: '100000000002', leftOut })
    const [, first = '', last = ''] = /lines (\d+)-(\d+)/.exec(text) ?? []
    const again = await ask({ handle: '100000000002', lines: `${first}-${last}` })
    expect(text).toContain(again.text)
  })

  it('V-025: a handle goes before a topic, and a topic helps where a handle is not known', async () => {
    expect((await ask({ handle: '100000000003', about: 'retries' })).text).toBe('The vault opens with 7716.')
    expect((await ask({ handle: '999999999999', about: 'vault' })).text).toContain('7716')
    expect((await ask({ handle: 'code of the vault' })).text).toContain('7716')
    expect(await ask({ handle: '999999999999' })).toMatchObject({ found: false })
  })

  it('says so where nothing has to do with it, and finds nothing of its own answers', async () => {
    expect(await ask({ about: 'zebras' })).toMatchObject({ found: false })
    expect(await ask({ about: 'retries' }, archive.slice(3))).toMatchObject({ found: false })
    expect(findAbout('anything', [], 1000)).toBeUndefined()
  })

  it('keeps within the room that there is', () => {
    const long = [{ handle: '100000000009', text: `retries ${'x '.repeat(20_000)}`, kind: 'evidence' as const }]
    expect(findAbout('retries', long, 2_000)?.text.length).toBeLessThanOrEqual(2_000)
  })

  it('searches a large archive in a moment', () => {
    const large = Array.from({ length: 200 }, (_, at) => ({
      handle: String(200_000_000_000 + at),
      kind: 'tool-result' as const,
      text: filler(`file${at}`, 300),
    }))
    const started = performance.now()
    expect(findAbout('file77 entry', large, 24_000)?.originals[0]?.handle).toBe('200000000077')
    expect(performance.now() - started).toBeLessThan(5_000)
  })
})
