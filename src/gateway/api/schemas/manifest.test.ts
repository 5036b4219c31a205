import { expect, expectTypeOf, it } from 'vitest'
import type { z } from 'zod'
import { careful, createCompiler } from '../../../compiler/index.ts'
import type { Item, Manifest } from '../../../core/index.ts'
import { evidence } from '../../../core/index.ts'
import { sha256 } from '../../../host/index.ts'
import { manifest } from './manifest.ts'

it('every member of a receipt is described, and no other', () => {
  expectTypeOf<keyof z.infer<typeof manifest>>().toEqualTypeOf<keyof Manifest>()
})

it('a receipt with links, compression and what is stale is as it is described', () => {
  const scan: Item = {
    id: 'scan',
    section: 'evidence',
    kind: 'media',
    text: '',
    tokens: 90,
    provenance: { sourceId: 'archive' },
    media: { type: 'image', url: 'https://archive.example/1.png' },
  }
  const words =
    'The harbour of the old town was for a very long time one of the places that the merchants liked the most. '
  const read = evidence(words.repeat(8), 'reader', { links: [{ itemId: 'scan', method: 'ocr', confidence: 0.9 }] })
  const old = evidence('It was red.', 'diary', { birthTurn: 0, scores: { relevance: 0.9 } })
  const fresh = evidence('It is blue.', 'diary', { birthTurn: 40 })
  const { compile } = createCompiler({
    tokenizer: { id: 'quarters', count: (text) => Math.ceil(text.length / 4) },
    hash: sha256,
  })
  const result = compile({
    items: [scan, read, old, fresh],
    layout: 'payload',
    policy: { ...careful, id: 'all', compression: { above: 0 }, hygiene: { staleAfter: 10 } },
    rehydration: true,
    handleKey: 'key',
    budget: { windowTokens: 4_000 },
    frame: { request: 'What colour?' },
  })
  expect(result.manifest).toMatchObject({ links: [{ method: 'ocr' }], compression: { everything: true } })
  expect(result.manifest.stale?.length).toBeGreaterThan(0)
  expect(manifest.parse(JSON.parse(JSON.stringify(result.manifest)))).toBeDefined()
})
