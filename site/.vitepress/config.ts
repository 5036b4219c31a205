import { readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { anchorOf } from '../markdown/heading-anchors.ts'
import { addRules } from '../markdown/markdown-rules.ts'
import type { MarkdownIt } from '../markdown/markdown-rules.ts'
import { webAddressOf } from '../markdown/repository-links.ts'
import { readPages } from '../navigation/read-pages.ts'
import { sidebarOf } from '../navigation/sidebar.ts'
import { resolveVueFrom } from './resolve-vue.ts'
import { referenceStyle } from './reference-style.ts'
import { contentPolicy } from '../crawl/content-policy.ts'

const root = resolve(import.meta.dirname, '../..')
const about = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as {
  readonly description: string
  readonly repository: { readonly url: string }
}
const address = webAddressOf(about.repository.url)

/** A plain value, so that the checkout compiles without VitePress. */
export default {
  title: 'Prehend',
  description: about.description,
  lang: 'en',
  srcDir: '.pages',
  outDir: './dist',
  cacheDir: './node_modules/.cache/vitepress',
  vite: { plugins: [resolveVueFrom(import.meta.filename)], build: { chunkSizeWarningLimit: 2_000 } },
  head: [
    ['meta', { 'http-equiv': 'Content-Security-Policy', 'content': contentPolicy }],
    ['style', {}, referenceStyle],
    ['link', { rel: 'icon', href: 'data:,' }],
  ],
  markdown: {
    attrs: { disable: true },
    anchor: { slugify: anchorOf },
    toc: { slugify: anchorOf },
    config: (markdown: MarkdownIt) => addRules(markdown, { root, docs: 'docs', address }),
  },
  themeConfig: {
    search: { provider: 'local' },
    outline: [2, 3],
    nav: [{ text: 'Repository', link: address }],
    sidebar: sidebarOf(readPages(join(root, 'site/.pages'))),
  },
}
