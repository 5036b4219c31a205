import { createHash } from 'node:crypto'
import { expect, it } from 'vitest'
import type { Item, Media } from '../../core/index.ts'
import { contentHasher } from './item-keys.ts'

const hashOf = contentHasher((text) => createHash('sha256').update(text).digest('hex'))

const picture = (media: Partial<Media>, more: Partial<Item> = {}): Item => ({
  id: 'i',
  section: 'history',
  kind: 'media',
  role: 'tool',
  toolName: 'computer',
  text: '',
  media: { type: 'image', mimeType: 'image/png', ...media },
  ...more,
})

it('two pictures have two keys, by their bytes, what those are said to be, or their URL, and one has the same again', () => {
  const different = [
    picture({ fingerprint: 'a' }),
    picture({ fingerprint: 'b' }),
    picture({ fingerprint: 'a', mimeType: 'image/jpeg' }),
    picture({ fingerprint: 'a' }, { toolName: 'camera' }),
    picture({ url: 'https://example.org/a.png' }),
    picture({ url: 'https://example.org/b.png' }),
    picture({}),
  ]
  expect(new Set(different.map(hashOf)).size).toBe(different.length)
  expect(hashOf(picture({ fingerprint: 'a', width: 3 }))).toBe(hashOf(picture({ fingerprint: 'a' }, { id: 'j' })))
})
