import { slugs } from '../reference/pages.ts'

/**
 * A page by its path below docs/, with all pages of the folder of its name under it; or all pages of a folder, under a text where one is given.
 * Pages of a folder stand in the order of `first`, then by name.
 */
export type Entry =
  | string
  | { readonly page: string; readonly first: readonly string[] }
  | { readonly folder: string; readonly text?: string; readonly first?: readonly string[] }

/** One heading of the sidebar. Pages that do not exist are left out; a page that stands nowhere fails the crawl. */
export interface Section {
  readonly text: string
  readonly entries: readonly Entry[]
}

/** What the sidebar shows, from top to bottom. A new page in a folder needs no line here; any other page does. */
export const sections: readonly Section[] = [
  { text: 'Start', entries: ['index.md', 'start.md', 'agents.md'] },
  { text: 'Use it with', entries: [{ folder: 'use-with', first: ['index.md'] }, 'frameworks.md', 'files.md'] },
  { text: 'Concepts', entries: [{ folder: 'concepts', first: ['index.md'] }, 'tokens.md'] },
  {
    text: 'Guides',
    entries: [
      {
        page: 'library.md',
        first: [
          'quickstarts.md',
          'sessions.md',
          'typed-context.md',
          'steps-and-layers.md',
          'receipts.md',
          'imports.md',
        ],
      },
      {
        page: 'policies.md',
        first: [
          'figures.md',
          'side-by-side.md',
          'situations.md',
          'trimming.md',
          'briefs.md',
          'ranking.md',
          'relief.md',
        ],
      },
      'payload.md',
      'artifacts.md',
      'client-tools.md',
      'tools.md',
      'tools-search.md',
      'history.md',
      'compaction.md',
      { page: 'compression.md', first: ['rungs.md', 'choice-of-rungs.md'] },
      'media.md',
      'hygiene.md',
      'injection.md',
      'quality.md',
      'governor.md',
      { page: 'extensions.md', first: ['open.md'] },
      'eval.md',
      'eval-live.md',
    ],
  },
  {
    text: 'Operate',
    entries: [
      {
        page: 'gateway.md',
        first: [
          'routes.md',
          'headers.md',
          'responses-and-gemini.md',
          'dialects.md',
          'servers.md',
          'models.md',
          'guarantees.md',
          'access.md',
          'limits.md',
          'sessions.md',
          'rehydrate.md',
          'metrics.md',
          'costs.md',
          'caches.md',
        ],
      },
      'operations.md',
      'inspector.md',
      { page: 'tenancy.md', first: ['keys.md', 'provider-keys.md', 'settings.md'] },
      'budgets.md',
      'backup.md',
      'upgrade.md',
    ],
  },
  {
    text: 'Reference',
    entries: [
      'cli.md',
      'configuration.md',
      'http.md',
      { page: 'typescript-api.md', first: slugs.map((slug) => `${slug}.md`) },
      { page: 'benchmarks.md', first: ['recorded-sessions.md', 'strategies.md', 'gates.md'] },
      'bundle-size.md',
      'clients.md',
      'sdks.md',
    ],
  },
  { text: 'Compare', entries: [{ folder: 'compare', first: ['index.md'] }, 'reports.md'] },
  { text: 'FAQ and troubleshooting', entries: ['faq.md', 'troubleshooting.md'] },
  { text: 'Glossary', entries: ['glossary.md'] },
  {
    text: 'For contributors',
    entries: [
      {
        page: 'architecture.md',
        first: [
          'foundations.md',
          'ladders.md',
          'compiler.md',
          'ledger-and-epochs.md',
          'codecs-and-providers.md',
          'stores.md',
          'sessions.md',
          'gateway.md',
        ],
      },
      'requirements.md',
      'hardening.md',
      'contributors/ideas.md',
      'crossings.md',
      'strict-provider.md',
      { folder: 'decisions', text: 'Decisions' },
    ],
  },
]
