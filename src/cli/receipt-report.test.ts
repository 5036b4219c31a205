import { describe, expect, it } from 'vitest'
import { compile } from '../sessions/index.ts'
import { evidence } from '../core/index.ts'
import type { Item, Manifest, Outcome } from '../core/index.ts'
import type { Receipt, ReceiptSummary } from '../stores/index.ts'
import { lineageReport, receiptLineage } from './lineage-report.ts'
import { receiptReport, receiptTable } from './receipt-report.ts'
import { sentItem } from './receipt-text.ts'

it('P-093: a receipt that is printed says what was made of what, with the handle of what is not whole', () => {
  const media = { type: 'image', width: 2480, height: 3508, url: 'https://archive.example/1.png' } as const
  const scan: Item = { id: 'scan', section: 'evidence', kind: 'media', text: '', provenance: { sourceId: 's' }, media }
  const read = evidence('Twelve chairs.', 'reader', { links: [{ itemId: 'scan', method: 'ocr' }] })
  const { manifest } = compile({
    model: 'claude-sonnet-5',
    items: [scan, read],
    layout: 'payload',
    rehydration: true,
    frame: { request: 'How many?' },
    budget: { windowTokens: 1_500 },
  })
  const receipt = {
    requestId: 'req_1',
    packId: 'p',
    session: 's',
    createdMs: 0,
    dialect: 'openai-chat',
    mode: 'on',
    manifest,
  }
  const printed = receiptReport(receipt as unknown as Receipt)
  expect(printed).toMatch(/^link {7}EVIDENCE_TEXT_1, ocr of EVIDENCE_IMG_1 \(line, \d{12}\)$/m)
})

it('a receipt of what could not be packed says what failed, what it cost and the hash of what went, and nothing of an empty compile', () => {
  const { manifest } = compile({ items: [], layout: 'messages', budget: { windowTokens: 1_500 } })
  const result = { status: 200, rehydrations: 0, upstreamMs: 40, overheadMs: 0.4, skipped: ['decode'] }
  const unpacked = { requestId: 'req_1', packId: 'abc', session: 'unread', createdMs: 0, mode: 'unpacked', manifest }
  const printed = receiptReport({ ...unpacked, dialect: 'openai-chat', result } as Receipt)
  expect(printed).toContain('unpacked   decode failed: the request was forwarded as it came')
  const unread = { ...result, unreadField: 'messages[0].role' }
  expect(receiptReport({ ...unpacked, dialect: 'openai-chat', result: unread } as Receipt)).toContain(
    'unpacked   decode (messages[0].role) failed',
  )
  const summary = { ...unpacked, sequence: 7, originalTokens: 0, packTokens: 0, outcome: 'ok', result: unread }
  expect(receiptTable([summary as unknown as ReceiptSummary])).toContain('unpacked (messages[0].role)')
  expect(printed).toContain('sent       abc')
  expect(printed).not.toContain('items in full')
  const packed = receiptReport({ ...unpacked, dialect: 'openai-chat', mode: 'on', result })
  expect(packed).toContain('skipped    decode failed')
})

it('a receipt of what a layer answered or refused says which layer it was, what it noted, and that nothing was sent', () => {
  const { manifest } = compile({ items: [], layout: 'messages', budget: { windowTokens: 1_500 } })
  const cost = { inputTokens: 0, passThroughTokens: 900, usd: 0, passThroughUsd: 0.002, clientUsd: 0.002 }
  const layers = [
    { name: 'cache', ms: 0.21, outcome: 'answered', facts: { result: 'hit', ages: [1, 2] } },
    { name: 'route', ms: 0.1, outcome: 'passed' },
  ] as const
  const result = { status: 200, rehydrations: 0, upstreamMs: 0, overheadMs: 0.4, layers, cost }
  const answered: Receipt = {
    requestId: 'req_1',
    packId: 'abc',
    session: 's',
    createdMs: 0,
    dialect: 'openai-chat',
    mode: 'answered',
    manifest,
    result,
  }
  const printed = receiptReport(answered)
  expect(printed).toContain('layer      cache answered in 0.2 ms, result hit, ages [1,2]\n')
  expect(printed).not.toContain('route')
  expect(printed).toContain('sent       nothing: the layer cache answered it\n')
  expect(printed).toMatch(/^cost {7}\$0\.00/m)
  const refused = { ...result, status: 403, layers: [{ name: 'gate', ms: 0, outcome: 'refused' }] } as const
  expect(receiptReport({ ...answered, result: refused })).toContain('sent       nothing: the layer gate refused it\n')
  const behind = receiptReport({ ...answered, mode: 'on' })
  expect(behind).toContain('pack       abc; nothing was sent: the layer cache answered it\n')
})

const kinds: readonly Outcome['kind'][] = ['ok', 'retrieval-pending', 'split-required', 'paginated', 'budget-exhausted']

describe.each(kinds)('a stored receipt whose outcome is %s', (outcome) => {
  const text = 'A long line of a conversation that does not fit. '.repeat(60)
  const items = [0, 1, 2].map((at): Item => ({ id: `m${at}`, section: 'history', kind: 'text', role: 'user', text }))
  const made = compile({ items, layout: 'messages', budget: { windowTokens: 800 } })
  const manifest: Manifest = { ...made.manifest, outcome }
  const receipt: Receipt = {
    requestId: 'req_1',
    packId: 'abc',
    session: 's',
    createdMs: 0,
    dialect: 'openai-chat',
    mode: 'on',
    manifest,
  }
  const result = { status: 400, rehydrations: 0, upstreamMs: 40, overheadMs: 0.4 }

  it.each([undefined, result, { ...result, status: 422, upstreamMs: 0 }, { ...result, status: 0 }])(
    'is printed, however it ended',
    (ended) => {
      const printed = receiptReport({ ...receipt, ...(ended && { result: ended }) })
      expect(printed).toContain(`outcome    ${outcome}`)
      expect(printed).not.toContain('undefined')
    },
  )

  it('without a pack, the report says what was sent and why nothing was shortened', () => {
    const printed = receiptReport({ ...receipt, result })
    const isWithoutPack = outcome === 'budget-exhausted' || outcome === 'split-required'
    expect(printed.includes('3 of 3 items in full (as-it-came 3)')).toBe(isWithoutPack)
    if (outcome !== 'budget-exhausted') return
    expect(made.outcome.kind).toBe('budget-exhausted')
    const needed = made.outcome.kind === 'budget-exhausted' ? made.outcome.neededTokens : 0
    expect(printed).toContain(
      `needs ${needed} tokens and has ${made.outcome.kind === 'budget-exhausted' ? made.outcome.availableTokens : ''};`,
    )
    expect(printed).toContain(`the client's own bytes, all ${manifest.originalTokens} tokens`)
    const refused = receiptReport({ ...receipt, result: { ...result, status: 422, upstreamMs: 0 } })
    expect(refused).toContain('sent       nothing: prehend refused the request')
  })

  it('its items and lineage can be printed', () => {
    const whole = { ...receipt, input: { items } as unknown as NonNullable<Receipt['input']> }
    const lineage = lineageReport(receiptLineage(whole))
    expect(lineage).toContain('m0')
    if (outcome === 'budget-exhausted') expect(sentItem(whole, 'm1').text).toBe(text)
  })
})

it('C-020: a receipt that is printed says which share of the defined tools its conversation has not called', () => {
  const { manifest } = compile({ items: [], layout: 'messages', budget: { windowTokens: 1_500 } })
  const wastedTools = { defined: 14, definedTokens: 2000, wasted: 11, wastedTokens: 1500 }
  const receipt = { requestId: 'req_1', packId: 'abc', session: 's', createdMs: 0, mode: 'on', manifest, wastedTools }
  const printed = receiptReport({ ...receipt, dialect: 'openai-chat' } as Receipt)
  expect(printed).toContain('uncalled   11 of 14 defined tools so far: their definitions take 1500 of 2000 tokens')
})
