import type { ScriptEntry } from '../../src/providers/index.ts'

/** A kind of reply that every SDK must read. */
export interface ReplyCase {
  readonly name: string
  readonly entry: ScriptEntry
  readonly offersTool?: boolean
  readonly thinks?: boolean
  readonly maxTokens?: number
  /** Whether the prompt is long enough to be cached; it is sent twice, and the second answer counts. */
  readonly isLong?: boolean
  readonly forms?: readonly ('whole' | 'streamed')[]
  readonly expected: Expected
}

export interface Expected {
  readonly text?: string
  /** Compared where the target shows it. */
  readonly thinking?: string
  readonly calls?: readonly { readonly name: string; readonly arguments: object }[]
  readonly finish?: 'end' | 'length' | 'calls'
  /** The status of an error, and words that its message must contain. */
  readonly error?: { readonly status?: number; readonly words: string }
}

const reads = (path: string) => ({ name: 'read_file', arguments: { path } })
const text = 'Good morning. It is "sunny" \\ 21 °C 🌞,\nand it stays so.'
const thinking = 'Two files are named. Read them first.'

function refused(status: number, words: string, more: object = {}): ReplyCase {
  return {
    name: `error ${status}`,
    entry: { fault: { kind: 'error', status, message: words, ...more } },
    expected: { error: { status, words } },
  }
}

export const replyCases: readonly ReplyCase[] = [
  { name: 'text', entry: { text }, expected: { text, calls: [], finish: 'end' } },
  {
    name: 'call',
    entry: { text: 'Let me look.', toolCalls: [reads('a "b".ts')] },
    offersTool: true,
    expected: { text: 'Let me look.', calls: [reads('a "b".ts')], finish: 'calls' },
  },
  {
    name: 'parallel calls',
    entry: { toolCalls: [reads('a.ts'), reads('b.ts')] },
    offersTool: true,
    expected: { text: '', calls: [reads('a.ts'), reads('b.ts')], finish: 'calls' },
  },
  {
    name: 'thinking',
    entry: { thinking, text },
    thinks: true,
    expected: { text, thinking, calls: [], finish: 'end' },
  },
  {
    name: 'thinking and a call',
    entry: { thinking, toolCalls: [reads('a.ts')] },
    thinks: true,
    offersTool: true,
    expected: { text: '', thinking, calls: [reads('a.ts')], finish: 'calls' },
  },
  { name: 'refusal', entry: { fault: { kind: 'refusal' } }, expected: { calls: [] } },
  {
    name: 'length',
    entry: { text: 'one two three four five six seven eight nine ten '.repeat(400) },
    // Claude takes no limit below its thinking budget.
    maxTokens: 1100,
    expected: { calls: [], finish: 'length' },
  },
  { name: 'cached prompt', entry: { text }, isLong: true, expected: { text, calls: [], finish: 'end' } },
  refused(400, 'prompt is too long', { code: 'context_length_exceeded' }),
  refused(401, 'no such key'),
  refused(403, 'not for this key'),
  refused(404, 'no such model'),
  refused(413, 'the body is too large'),
  refused(429, 'too many requests', { retryAfterSeconds: 1 }),
  refused(500, 'something broke'),
  refused(503, 'too busy'),
  {
    name: 'error in a stream',
    entry: { text, fault: { kind: 'stream-error', afterChunks: 4, message: 'it broke off' } },
    forms: ['streamed'],
    expected: { error: { words: 'it broke off' } },
  },
]

/** What a provider answers beside replies. */
export const listCases = ['models', 'model', 'count'] as const
export type ListCase = (typeof listCases)[number]
