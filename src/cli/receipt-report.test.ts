import { expect, it } from 'vitest'
import { compile } from '../sessions/index.ts'
import { evidence } from '../core/index.ts'
import type { Item } from '../core/index.ts'
import type { Receipt } from '../stores/index.ts'
import { receiptReport } from './receipt-report.ts'

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
  expect(printed).toContain('unpacked   decode: it went as it came')
  expect(printed).toContain('sent       abc')
  expect(printed).not.toContain('items in full')
  const packed = receiptReport({ ...unpacked, dialect: 'openai-chat', mode: 'on', result })
  expect(packed).toContain('skipped    decode: they failed')
})
