import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { heuristicTokenizer, tokenizerFor } from './index.ts'

interface Body {
  readonly model?: string
  readonly usage?: {
    readonly completion_tokens?: number
    readonly output_tokens?: number
    readonly output_tokens_details?: { readonly reasoning_tokens?: number }
  } | null
  readonly choices?: readonly {
    readonly message: { readonly content?: string | null; readonly tool_calls?: unknown }
  }[]
  readonly output?: readonly { readonly type: string; readonly content?: readonly { readonly text?: string }[] }[]
}

/** A recorded reply that is text alone: its texts, and what the provider said that it took. */
interface Metered {
  readonly path: string
  readonly model: string
  readonly texts: readonly string[]
  /** Less hidden reasoning and what frames each text: a stop token in Chat Completions, four of a message's in Responses. */
  readonly reported: number
}

type Reply = Pick<Metered, 'texts' | 'reported'>

function chatReply({ model, choices, usage }: Body): Reply | undefined {
  const [choice] = choices ?? []
  const { content, tool_calls: calls } = choice?.message ?? {}
  if (!model?.startsWith('gpt') || !content || calls || !usage?.completion_tokens) return undefined
  return { texts: [content], reported: usage.completion_tokens - 1 }
}

/** Items that are not the model's own words of this reply, or are metered by themselves. */
const apart: ReadonlySet<string> = new Set(['reasoning', 'mcp_list_tools', 'mcp_call', 'program_output'])

function responsesReply({ output, usage }: Body): Reply | undefined {
  if (!Array.isArray(output) || !usage?.output_tokens) return undefined
  const messages = output.filter(({ type }) => !apart.has(type))
  const { reasoning_tokens: hidden = 0 } = usage.output_tokens_details ?? {}
  const isMetered = messages.every(({ type }) => type === 'message') && (hidden === 0 || !output.some(isCalled))
  if (messages.length === 0 || !isMetered) return undefined
  const texts = messages.map(({ content = [] }) => content.map(({ text = '' }) => text).join(''))
  return { texts, reported: usage.output_tokens - hidden - 4 * messages.length }
}

const isCalled = ({ type }: { readonly type: string }): boolean => type === 'mcp_call'

// Read where it lies; a missing file fails the suite.
const lines = readFileSync(new URL('../../../shared/data/provider-responses/fixtures.jsonl', import.meta.url), 'utf8')
const replies = lines.split('\n').flatMap((line): readonly Metered[] => {
  if (line === '') return []
  const { path, json } = JSON.parse(line) as { readonly path: string; readonly json?: Body }
  const metered = json && (chatReply(json) ?? responsesReply(json))
  return metered === undefined ? [] : [{ path, model: json?.model ?? '', ...metered }]
})

const sum = (numbers: readonly number[]): number => numbers.reduce((total, one) => total + one, 0)
const totalOf = (count: (text: string, model: string) => number): number =>
  sum(replies.flatMap(({ texts, model }) => texts.map((text) => count(text, model))))
const reported = sum(replies.map((one) => one.reported))

it('N-17, C-005: with the model’s encoding, what OpenAI reported for replies of text alone, within 2%', () => {
  expect(replies.length).toBeGreaterThanOrEqual(8)
  expect(new Set(replies.map(({ model }) => model)).size).toBeGreaterThanOrEqual(5)
  for (const { path, model, texts, reported: own } of replies) {
    const counted = sum(texts.map((text) => tokenizerFor(model).count(text)))
    // Two tokens are all that frames differ by between models.
    expect(Math.abs(counted - own), `${path}: ${counted} of ${own}`).toBeLessThanOrEqual(Math.max(2, 0.02 * own))
  }
  expect(Math.abs(totalOf((text, model) => tokenizerFor(model).count(text)) / reported - 1)).toBeLessThanOrEqual(0.02)
})

it('N-17, C-006: with the heuristic, within 20%', () => {
  expect(Math.abs(totalOf((text) => heuristicTokenizer.count(text)) / reported - 1)).toBeLessThanOrEqual(0.2)
  // Of a dozen tokens one is a tenth.
  for (const { path, texts, reported: own } of replies.filter((one) => one.reported >= 50)) {
    const counted = sum(texts.map((text) => heuristicTokenizer.count(text)))
    expect(Math.abs(counted / own - 1), `${path}: ${counted} of ${own}`).toBeLessThanOrEqual(0.2)
  }
})
