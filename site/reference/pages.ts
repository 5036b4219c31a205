import type { Named } from './public-names.ts'

/** A page of the reference. */
export interface Page {
  /** Name of its file, without the ending. */
  readonly slug: string
  readonly title: string
  readonly about: string
}

interface Group extends Page {
  /** Beginnings of the paths, below `src`, of the files whose names it shows. */
  readonly files: readonly string[]
}

/** Pages of the names of `prehend` itself: a name stands on the first one that lists its file, and the last one takes the rest. */
const groups: readonly Group[] = [
  {
    slug: 'prehend-sessions',
    title: 'prehend: sessions',
    about: 'A session in process, hidden tools, sources, compaction and hand-over.',
    files: [
      'sessions/in-process',
      'sessions/tools',
      'sessions/collect',
      'sessions/call-context',
      'sessions/compaction',
      'sessions/outcomes',
      'sessions/archive',
      'sessions/media',
      'sessions/catalogue',
      'sessions/extensions',
      'core/session',
      'core/compaction',
      'core/hidden-turn',
      'core/overlay',
      'core/events',
      'tools/',
    ],
  },
  {
    slug: 'prehend-steps',
    title: 'prehend: steps and tasks',
    about: 'Packs for the steps of an agent: the state of a host, the task board, limits and constraints.',
    files: ['sessions/steps', 'core/task-', 'core/step-', 'core/constraint', 'core/principal', 'core/artifact'],
  },
  {
    slug: 'prehend-budgets',
    title: 'prehend: budgets',
    about: 'Functions that compute the budget of a compile: absolute, by share, by phase, by tier.',
    files: ['compiler/budget', 'core/budget'],
  },
  {
    slug: 'prehend-policies',
    title: 'prehend: policies',
    about: 'Policies that the package has, how one is composed and read, and each part of one.',
    files: [
      'compiler/policy',
      'compiler/stages',
      'compiler/prefix',
      'compiler/layout',
      'core/policy',
      'core/media-policy',
      'core/payload-policy',
      'core/tool-',
      'core/hygiene',
      'core/relief',
      'core/retrieval',
      'core/quality',
      'core/situation',
      'core/model-tier',
      'core/compression',
      'core/references',
      'core/provider-editing',
      'core/guideline',
    ],
  },
  {
    slug: 'prehend-manifests',
    title: 'prehend: manifests and ledgers',
    about: 'What a compile decided and why, the ledger that is passed on to the next one, checks of a reply.',
    files: [
      'core/manifest',
      'core/ledger',
      'core/link-record',
      'core/loss',
      'core/omissions',
      'core/why-whole',
      'core/citation',
      'core/entailment',
      'core/fingerprint',
      'core/compile-watch',
      'core/injection',
      'core/outcome',
      'compiler/receipt',
      'compiler/quality',
      'codecs/citations',
    ],
  },
  {
    slug: 'prehend-summaries',
    title: 'prehend: ladders and summaries',
    about: 'Ways to show an item, summaries of a history, and the models that write them.',
    files: [
      'ladders/',
      'compiler/summaries',
      'compiler/hygiene',
      'sessions/summaries',
      'core/summary',
      'core/rendition',
      'core/line-index',
      'core/pieced-text',
    ],
  },
  {
    slug: 'prehend-requests',
    title: 'prehend: requests and replies',
    about: 'Conversations, requests of the dialects, replies, tools, media and usage.',
    files: [
      'sessions/to-request',
      'codecs/',
      'core/conversation',
      'core/reply',
      'core/wire',
      'core/exchange',
      'core/media',
      'core/usage',
      'core/reasoning',
      'core/scan-json',
      'core/json',
    ],
  },
  {
    slug: 'prehend-stores',
    title: 'prehend: stores',
    about: 'Stores that most programs open, and what they keep of requests.',
    files: ['stores/'],
  },
  {
    slug: 'prehend-tokens',
    title: 'prehend: tokens and models',
    about: 'Tokenizers, vocabularies, and the catalogue of models with their prices.',
    files: ['tokens/', 'core/tokenizer', 'host/'],
  },
  {
    slug: 'prehend-relevance',
    title: 'prehend: relevance',
    about: 'Scores and similarities of items, by words, embeddings or a classifier.',
    files: ['knowledge/', 'embedders/'],
  },
  { slug: 'prehend-tracing', title: 'prehend: tracing', about: 'Spans, and OpenTelemetry.', files: ['tracing/'] },
  {
    slug: 'prehend-errors',
    title: 'prehend: errors',
    about: 'Each code of an error, and its data.',
    files: ['core/errors', 'core/sent-error'],
  },
  {
    slug: 'prehend-compile',
    title: 'prehend: compile',
    about: 'Typed items in, a request that fits its budget out.',
    files: [''],
  },
]

const entryAbouts: Readonly<Record<string, string>> = {
  'prehend/core': 'A compiler with only the parts that its caller passes in.',
  'prehend/stores': 'Every store, and the contracts that an implementation of your own keeps.',
  'prehend/policies': 'Comparing, explaining, revising and folding policies; what is in force for a request.',
  'prehend/receipts': 'A receipt as a manifest, as a trace, as canonical bytes.',
  'prehend/documents': 'Compile documents, and items and sections under the names of other products.',
  'prehend/defense': 'Detectors of orders in data; text that is not trusted, normalised and isolated.',
  'prehend/artifacts': 'Artifacts of tasks, and steps that are kept as such.',
  'prehend/prompts': 'The stable beginning of a prompt, in layers.',
  'prehend/gateway': 'The gateway as a part of another server: its configuration, layers, keys and tenants.',
  'prehend/extension': 'What an extension of the gateway, of a session or of the command adds.',
  'prehend/governor': 'Workspaces that are rebuilt for each call of an agent.',
  'prehend/inspect': 'Packs as data: comparison, ablation, diagnosis, costs.',
  'prehend/testing': 'Contracts for implementations, and a simulated provider.',
  'prehend/ai-sdk': 'The AI SDK.',
  'prehend/langchain': 'LangChain.',
  'prehend/mcp': 'The Model Context Protocol.',
  'prehend/openai-agents': 'The OpenAI Agents SDK.',
  'prehend/adk': "Google's Agent Development Kit.",
  'prehend/mastra': 'Mastra.',
  'prehend/pi': 'pi, the coding agent.',
}

const vocabularies: Page = {
  slug: 'vocabularies',
  title: 'prehend/vocabularies',
  about: 'Vocabularies for exact counts where no file can be read. Each has an entry of its own.',
}

/** The page of a name. */
export function pageOf({ entry, file }: Pick<Named, 'entry' | 'file'>): Page {
  if (entry.name.includes('/vocabularies/')) return vocabularies
  if (!entry.name.includes('/')) {
    const below = file.replace(/^src\//, '')
    const group = groups.find(({ files }) => files.some((start) => below.startsWith(start)))
    if (group) return group
  }
  const about = entryAbouts[entry.name]
  if (about === undefined) throw new Error(`${entry.name} has no sentence in site/reference/pages.ts. Add one.`)
  return { slug: slugOf(entry.name), title: entry.name, about }
}

/** Names of the pages, in the order of the sidebar. */
export const slugs: readonly string[] = [
  'prehend-compile',
  ...groups.map(({ slug }) => slug).filter((slug) => slug !== 'prehend-compile'),
  ...Object.keys(entryAbouts).map(slugOf),
  vocabularies.slug,
]

/** `prehend/ai-sdk` to `ai-sdk`. */
function slugOf(entry: string): string {
  return entry.replace(/^[^/]+\//, '')
}

/** Pages in the order of the sidebar. */
export function inOrder(pages: readonly Page[]): readonly Page[] {
  return pages.toSorted((a, b) => slugs.indexOf(a.slug) - slugs.indexOf(b.slug))
}
