import { expect, it } from 'vitest'
import type { Item } from './core/index.ts'
import { createVocabulary } from './entries/documents.ts'
import {
  careful,
  compile,
  compileAgain,
  createCompiler,
  modelCatalogue,
  tokenizerFor,
  verifyManifest,
} from './index.ts'

const items: readonly Item[] = [
  { id: 'tool', section: 'tools', kind: 'tool-schema', text: '{"name":"read","input_schema":{"type":"object"}}' },
  { id: 'words', section: 'history', kind: 'text', role: 'user', text: 'Read the file, then say what is in it.' },
  {
    id: 'picture',
    section: 'history',
    kind: 'media',
    role: 'user',
    text: '',
    media: { type: 'image', width: 640, height: 480 },
  },
]

it('a receipt is compiled again as it was counted, whatever is known of its model today', () => {
  const input = { items, policy: careful, layout: 'messages', budget: { windowTokens: 9000 }, model: 'mine' } as const
  const catalogue = modelCatalogue({
    models: { mine: { family: 'anthropic', encoding: 'cl100k_base', countFactor: 1.3 } },
  })
  const { manifest } = createCompiler({ model: 'mine', catalogue }).compile(input)
  const again = verifyManifest({ input, manifest, compile: (same) => compileAgain(same, manifest) })
  expect(again.verified).toBe(true)
  expect(verifyManifest({ input, manifest, compile }).verified).toBe(false)
})

it('a picture costs what the model makes of its size', () => {
  const tokensFor = (model: string): number | undefined =>
    compile({ items, policy: careful, layout: 'messages', budget: { windowTokens: 9000 }, model }).pack?.entries.find(
      ({ itemId }) => itemId === 'picture',
    )?.tokens
  expect(tokensFor('gpt-4o')).toBe(85 + 170 * 2)
  expect(tokensFor('claude-opus-5')).toBe(23 * 18)
})

it('a tool costs what its provider makes of it', () => {
  const read = items[0]
  const tokens = compile({
    items,
    policy: careful,
    layout: 'messages',
    budget: { windowTokens: 9000 },
    model: 'gpt-4o',
  }).manifest.decisions.find(({ itemId }) => itemId === 'tool')?.tokens
  expect(tokens).toBe(tokenizerFor('gpt-4o').countTool?.(read?.text ?? ''))
  expect(tokens).toBeLessThan(tokenizerFor('gpt-4o').count(read?.text ?? ''))
})

it('V-014: a category of somebody else is compiled in the tier that its vocabulary gives it', () => {
  const words = createVocabulary({ Lore: { section: 'lore', tier: 3 } })
  const lore: Item = { id: 'l', kind: 'text', text: 'The moon is ours.', section: words.unify('Lore').section }
  const { manifest } = compile({
    items: [lore],
    policy: careful,
    layout: 'payload',
    budget: { windowTokens: 9000, sections: words.ownSections },
    model: 'gpt-4o',
    frame: { request: 'Whose is the moon?' },
  })
  expect(manifest.sections.find(({ section }) => section === 'lore')).toMatchObject({ tier: 3, included: 1 })
})
