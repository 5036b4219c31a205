import { expect, it } from 'vitest'
import { sidebarOf, titleOf } from './sidebar.ts'

const pages = new Map([
  ['index.md', '# Documentation\n'],
  ['gateway.md', '# The gateway\n'],
  ['gateway/blobs.md', '# Blobs\n'],
  ['gateway/routes.md', '# Routes\n'],
  ['use-with/codex.md', '# Codex\n'],
  ['use-with/aider.md', '# Aider\n'],
  ['use-with/index.md', '# All agents\n'],
  ['decisions/2026-01-01-one.md', '# One `store` for [all](x.md)\n'],
])

it('takes titles from first headings, without marks', () => {
  expect(titleOf('text\n\n# One `store` for [all](x.md)\n\n# Two\n')).toBe('One store for all')
  expect(titleOf('## Only a second level\n')).toBeUndefined()
})

it('lists pages and folders in the order of the sections, and leaves out what does not exist', () => {
  const sidebar = sidebarOf(pages, [
    { text: 'Start', entries: ['index.md', 'missing.md'] },
    { text: 'Use it with', entries: [{ folder: 'use-with', first: ['index.md', 'gone.md'] }] },
    {
      text: 'Operate',
      entries: [
        { page: 'gateway.md', first: ['routes.md'] },
        { page: 'none.md', first: [] },
      ],
    },
    { text: 'Compare', entries: [{ folder: 'compare', text: 'Others' }, 'none.md'] },
    { text: 'For contributors', entries: [{ folder: 'decisions', text: 'Decisions' }] },
  ])
  expect(sidebar).toEqual([
    { text: 'Start', collapsed: false, items: [{ text: 'Documentation', link: '/' }] },
    {
      text: 'Use it with',
      collapsed: true,
      items: [
        { text: 'All agents', link: '/use-with/' },
        { text: 'Aider', link: '/use-with/aider' },
        { text: 'Codex', link: '/use-with/codex' },
      ],
    },
    {
      text: 'Operate',
      collapsed: true,
      items: [
        {
          text: 'The gateway',
          link: '/gateway',
          collapsed: true,
          items: [
            { text: 'Routes', link: '/gateway/routes' },
            { text: 'Blobs', link: '/gateway/blobs' },
          ],
        },
      ],
    },
    {
      text: 'For contributors',
      collapsed: true,
      items: [
        {
          text: 'Decisions',
          collapsed: true,
          items: [{ text: 'One store for all', link: '/decisions/2026-01-01-one' }],
        },
      ],
    },
  ])
})
