import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

export interface Corpus {
  readonly name: string
  readonly chunks: readonly string[]
}

interface Message {
  readonly role: string
  readonly content?: string | null
}

const CHUNK_UNITS = 2000
const LANGUAGES = ['zh', 'ja', 'ko', 'ru', 'el', 'ar', 'he', 'hi', 'th', 'vi', 'tr', 'de', 'fr']

/** Real texts by kind, cut into chunks of 2,000 code units, read from the data beside the checkout. */
export function tokenCorpora(): readonly Corpus[] {
  return [
    { name: 'prose: meetings', chunks: chunks(meetings(), 300) },
    { name: 'prose: abstracts', chunks: chunks(abstracts(), 300) },
    { name: 'prose: encyclopedia', chunks: chunks(passages(), 300) },
    {
      name: 'code: TypeScript',
      chunks: chunks(
        observations('coding-sessions/pi_sessions.jsonl', /^import |\n(export )?(class|interface|function) /),
        300,
      ),
    },
    {
      name: 'code: Python',
      chunks: chunks(observations('swe-traces/lite_test_a.jsonl', /\n\s*(def|class) \w+.*:\n/), 300),
    },
    { name: 'tool output', chunks: chunks(observations('swe-traces/deepseek_chat_dev.jsonl', /./), 300) },
    {
      name: 'diffs',
      chunks: chunks(
        records('swe-traces/deepseek_chat_dev_rerun.jsonl').map((row) => String(row['submission'] ?? '')),
        300,
      ),
    },
    {
      name: 'JSON: schemas',
      chunks: chunks(
        records('mcp-catalogs/github_mcp_server.jsonl').map((row) => JSON.stringify(row['inputSchema'])),
        300,
      ),
    },
    {
      name: 'JSON: pretty',
      chunks: chunks(
        records('defi-api/defillama_responses.jsonl').map((row) => JSON.stringify(row['schema'], null, 2)),
        300,
      ),
    },
    { name: 'CJK', chunks: chunks(cjk(), 300) },
    ...LANGUAGES.map((language) => ({ name: `words: ${language}`, chunks: chunks([languageNames(language)], 20) })),
  ]
}

export function dataPath(file: string): string {
  return fileURLToPath(new URL(`../../shared/data/${file}`, import.meta.url))
}

export function records(file: string): Record<string, unknown>[] {
  const lines = readFileSync(dataPath(file), 'utf8').split('\n')
  return lines.filter((line) => line !== '').map((line) => JSON.parse(line) as Record<string, unknown>)
}

function chunks(texts: readonly string[], limit: number): string[] {
  const joined = texts.join('\n')
  const count = Math.min(limit, Math.ceil(joined.length / CHUNK_UNITS))
  const stride = Math.floor(joined.length / count)
  return Array.from({ length: count }, (_, index) => joined.slice(index * stride, index * stride + CHUNK_UNITS)).filter(
    (chunk) => chunk.length > 200,
  )
}

function meetings(): string[] {
  return records('qmsum/dev.jsonl').map((row) =>
    (row['turns'] as { speaker: string; text: string }[]).map((turn) => `${turn.speaker}: ${turn.text}`).join('\n'),
  )
}

function abstracts(): string[] {
  return records('scifact/corpus.jsonl').map((row) => (row['sentences'] as string[]).join(' '))
}

function passages(): string[] {
  return records('nq-open/passages.jsonl').map((row) => String(row['text']))
}

function observations(file: string, pattern: RegExp): string[] {
  const messages = records(file).flatMap((row) => row['messages'] as Message[])
  return messages
    .filter((message) => message.role === 'tool')
    .map((message) => message.content ?? '')
    .filter((text) => pattern.test(text))
}

function cjk(): string[] {
  const texts = [
    ...records('mcp-traces/traces.dev.jsonl'),
    ...records('mcp-traces/catalog.jsonl'),
    ...records('injection/direct.dev.jsonl'),
  ]
  const lines = texts.flatMap((row) => stringsIn(row)).flatMap((text) => text.split('\n'))
  return lines.filter(
    (line) => (line.match(/\p{Script=Han}|\p{Script=Hiragana}|\p{Script=Katakana}/gu)?.length ?? 0) > 0.5 * line.length,
  )
}

function stringsIn(value: unknown): string[] {
  if (typeof value === 'string') return [value]
  if (typeof value !== 'object' || value === null) return []
  return Object.values(value).flatMap((member) => stringsIn(member))
}

/** Names of languages, countries and scripts in one language, from the runtime's own tables. */
function languageNames(language: string): string {
  const names: string[] = []
  for (const type of ['language', 'region', 'script'] as const) {
    const display = new Intl.DisplayNames([language], { type, fallback: 'none' })
    for (const code of codes(type)) {
      const name = display.of(code)
      if (name !== undefined) names.push(name)
    }
  }
  return names.join(', ')
}

function codes(type: 'language' | 'region' | 'script'): string[] {
  const letters = [...'abcdefghijklmnopqrstuvwxyz']
  const pairs = letters.flatMap((first) => letters.map((second) => first + second))
  if (type === 'language') return pairs
  if (type === 'region') return pairs.map((pair) => pair.toUpperCase())
  return [
    'Arab',
    'Armn',
    'Beng',
    'Cyrl',
    'Deva',
    'Ethi',
    'Geor',
    'Grek',
    'Gujr',
    'Hang',
    'Hani',
    'Hebr',
    'Hira',
    'Kana',
    'Khmr',
    'Knda',
    'Laoo',
    'Latn',
    'Mlym',
    'Mong',
    'Taml',
    'Telu',
    'Thaa',
    'Thai',
    'Tibt',
  ]
}
