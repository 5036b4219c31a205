import { resolve } from 'node:path'
import { expect, it } from 'vitest'
import { anchorOf } from './heading-anchors.ts'
import { siteLink, webAddressOf } from './repository-links.ts'

const address = webAddressOf('git+https://github.com/prehend/prehend.git')
const repository = { root: resolve(import.meta.dirname, '../..'), docs: 'docs', address }
const linkIn = (page: string, href: string): string => siteLink(repository, page, href)

it('makes anchors as GitHub does', () => {
  expect(anchorOf('1. Cost and retention on recorded sessions')).toBe('1-cost-and-retention-on-recorded-sessions')
  expect(anchorOf('`GET /v1/packs/{id}`: a pack, and its view')).toBe('get-v1packsid-a-pack-and-its-view')
  expect(anchorOf('snake_case – Ünï')).toBe('snake_case--ünï')
})

it('keeps links between pages, anchors and addresses', () => {
  for (const href of ['tokens.md', '../tokens.md#prices', '#here', 'https://example.com/a.md', 'mailto:a@b.c'])
    expect(linkIn('concepts/budget.md', href)).toBe(href)
})

it('leads to the repository for every other file', () => {
  expect(linkIn('index.md', '../README.md#start')).toBe('https://github.com/prehend/prehend/blob/HEAD/README.md#start')
  expect(linkIn('use-with/x.md', '../../examples/')).toBe('https://github.com/prehend/prehend/tree/HEAD/examples')
  expect(linkIn('index.md', 'compile.schema.json')).toBe(
    'https://github.com/prehend/prehend/blob/HEAD/docs/compile.schema.json',
  )
})

it('refuses files that do not exist, and files outside the repository', () => {
  expect(() => linkIn('index.md', '../gone.txt')).toThrow('docs/index.md links to ../gone.txt, which does not exist')
  expect(() => linkIn('index.md', '../../../etc')).toThrow('does not exist')
})
