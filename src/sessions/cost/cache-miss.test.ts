import { describe, expect, it } from 'vitest'
import { shippedCatalogue } from '../../tokens/index.ts'
import { cacheMiss } from './cache-miss.ts'
import type { ReadRequest } from './cache-miss.ts'

const info = shippedCatalogue.info('claude-sonnet-4-6')

function missOf(read: number | undefined, more: Partial<ReadRequest['planned']> = {}, isOtherModel = false) {
  const planned: ReadRequest['planned'] = {
    sent: { tokens: 21_000, again: 20_000, unlike: 0 },
    passThrough: { tokens: 21_000, again: 20_000, unlike: 0 },
    isRewritten: false,
    isWarm: true,
    before: 20_000,
    stood: 20_000,
    ...more,
  }
  const usage = { inputTokens: 21_000, outputTokens: 1, ...(read !== undefined && { cacheReadTokens: read }) }
  return cacheMiss({ planned, usage, info, isOtherModel })
}

const changed = { by: 'client', part: 'tools', itemId: 't0' } as const

describe('cacheMiss', () => {
  it('is none where the cache was read, but for its last steps, and where nobody says', () => {
    for (const read of [20_000, 21_000, 18_100]) expect(missOf(read)).toBeUndefined()
    expect(missOf(undefined)).toBeUndefined()
    expect(missOf(0, { before: 0 })).toBeUndefined()
  })

  it('has one cause, the first that explains it', () => {
    expect(missOf(0, { isWarm: false, changed }, true)?.cause).toBe('other-model')
    expect(missOf(0, { isWarm: false, changed })?.cause).toBe('expired')
    expect(missOf(0, { changed, sent: { tokens: 21_000, again: 0, unlike: 0 } })).toMatchObject({
      cause: 'changed',
      changed,
    })
    expect(missOf(0, { before: 900, sent: { tokens: 21_000, again: 900, unlike: 0 } })?.cause).toBe('too-short')
    expect(missOf(0)?.cause).toBe('evicted')
  })

  it('is not put down to a change where what stands before it was not read either', () => {
    const sent = { tokens: 21_000, again: 15_000, unlike: 0 }
    expect(missOf(0, { changed, sent })?.cause).toBe('evicted')
    expect(missOf(14_900, { changed, sent })?.cause).toBe('changed')
  })

  it('is priced at what a read would have saved', () => {
    // $3.00 and $0.30 a million.
    expect(missOf(0)).toEqual({ cause: 'evicted', tokens: 20_000, usd: 0.054 })
  })

  it('counts what is sent again, and not what this request leaves out', () => {
    const shortened = { before: 300_000, stood: 20_000, changed: { by: 'gateway', part: 'messages' } } as const
    const sent = { tokens: 21_000, again: 5000, unlike: 0 }
    expect(missOf(5000, { ...shortened, sent })).toMatchObject({ cause: 'changed', tokens: 15_000, usd: 0.0405 })
    expect(missOf(20_000, { ...shortened, sent })).toBeUndefined()
    // A client that has replaced its history by a summary.
    expect(missOf(5000, { before: 300_000, stood: 5000, changed, sent })).toMatchObject({ tokens: 16_000 })
  })
})
