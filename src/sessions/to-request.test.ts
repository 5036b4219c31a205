import Anthropic from '@anthropic-ai/sdk'
import OpenAI from 'openai'
import { describe, expect, it } from 'vitest'
import { codecFor } from '../codecs/index.ts'
import type { Item, Pack } from '../core/index.ts'
import { careful } from '../compiler/index.ts'
import { evidence, instruction, said, tool, toolUse } from '../core/index.ts'
import { compile } from './compilers.ts'
import { toRequest } from './to-request.ts'

const schema = { type: 'object', properties: { path: { type: 'string' } } }
const items: readonly Item[] = [
  instruction('Answer from the evidence.'),
  tool({ name: 'read', description: 'Reads a file.', schema }),
  evidence('The build broke on Monday.', { sourceId: 'wiki', uri: 'https://wiki.example/build' }),
  said('user', 'Why does the build fail?'),
  ...toolUse({ id: 'c1', name: 'read', arguments: { path: 'build.log' }, result: 'ENOENT', status: 'error' }),
  said('assistant', 'It lacks a file.'),
  said('user', 'And now?'),
]
const frame = { request: 'What changed?' }

function packed(layout: Pack['layout'], of: readonly Item[] = items): Pack {
  const { pack } = compile({ items: of, layout, budget: { windowTokens: 8000 }, frame })
  if (pack === undefined) throw new Error('fits')
  return pack
}

/** What a client of the SDK sends, and the status of what it gets. */
function recorder() {
  const bodies: unknown[] = []
  const fetch = async (_: unknown, init?: RequestInit): Promise<Response> => {
    bodies.push(JSON.parse(String(init?.body)))
    return Response.json({ id: 'r', choices: [], content: [], usage: {} })
  }
  return { bodies, fetch }
}

describe('toRequest', () => {
  it('gives what the SDKs of both providers send as it is', async () => {
    for (const layout of ['payload', 'messages'] as const) {
      const { bodies, fetch } = recorder()
      const pack = packed(layout)
      const openai = toRequest(pack, { items, model: 'gpt-5' }).request
      const anthropic = toRequest(pack, { items, model: 'claude-sonnet-5', maxOutputTokens: 500 }).request
      await new OpenAI({ apiKey: 'k', fetch }).chat.completions.create(
        openai as unknown as OpenAI.ChatCompletionCreateParamsNonStreaming,
      )
      await new Anthropic({ apiKey: 'k', fetch }).messages.create(
        anthropic as unknown as Anthropic.MessageCreateParamsNonStreaming,
      )
      expect(bodies).toEqual([openai, anthropic])
      expect(anthropic).toMatchObject({ max_tokens: 500, tools: [{ name: 'read', input_schema: schema }] })
      expect(openai).toMatchObject({ tools: [{ function: { name: 'read', parameters: schema } }] })
    }
  })

  it('says every word of a payload, in its order, and nothing else', () => {
    const pack = packed('payload')
    for (const [model, dialect] of [
      ['gpt-5', 'openai-chat'],
      ['claude-sonnet-5', 'anthropic-messages'],
    ] as const) {
      const { request, lost } = toRequest(pack, { items, model })
      const { conversation } = codecFor(dialect).decode({ body: JSON.stringify(request) })
      const texts = conversation.items.filter(({ kind }) => kind !== 'tool-schema').map(({ text }) => text)
      expect(texts.join('')).toBe(pack.messages.map(({ text }) => text).join(''))
      expect(lost).toEqual([])
    }
  })

  it('keeps calls and results of a conversation as such, and tells what a dialect has no place for', () => {
    const pack = packed('messages')
    const { request, lost } = toRequest(pack, { items, model: 'gpt-5' })
    const { conversation } = codecFor('openai-chat').decode({ body: JSON.stringify(request) })
    const shown = ({ kind, text, toolCallId }: Item) => [kind, text, toolCallId]
    const calls = conversation.items.filter(({ toolCallId }) => toolCallId !== undefined).map(shown)
    expect(calls).toEqual(items.filter(({ toolCallId }) => toolCallId !== undefined).map(shown))
    expect(lost).toMatchObject([{ kind: 'status', what: 'result:c1' }])
    expect(toRequest(pack, { items, model: 'claude-sonnet-5' }).lost).toEqual([])
  })

  it('offers the tools that the pack shows, as it shows them', () => {
    const wordy = { name: 'grep', description: 'Finds lines. '.repeat(300), schema }
    const many = [...items, tool(wordy), said('user', 'Go on.')]
    const { pack } = compile({ items: many, budget: { windowTokens: 900 }, frame })
    if (pack === undefined) throw new Error('fits when the description is shorter')
    const { request } = toRequest(pack, { items: many, model: 'gpt-4.1', sampling: { temperature: 0 } })
    expect(request['temperature']).toBe(0)
    const names = pack.entries.filter(({ section }) => section === 'tools').map(({ itemId }) => itemId)
    const { conversation } = codecFor('openai-chat').decode({ body: JSON.stringify(request) })
    expect(conversation.tools.map(({ name }) => `tool:${name}`)).toEqual(names)
    for (const { description } of conversation.tools) expect(description.length).toBeLessThan(wordy.description.length)
  })

  it('refuses a pack of other items', () => {
    expect(() => toRequest(packed('payload'), { items: items.slice(1), model: 'gpt-5' })).toThrow(/^items: lack "/)
  })

  it('P-035: writes each page of a conversation as a request that a provider takes', () => {
    const long = (name: string): string => `${name} says this. `.repeat(60)
    const step = (id: string) => toolUse({ id, name: 'read', arguments: { path: id }, result: long(id) })
    const all = [...items.slice(0, 2), said('user', 'Why?'), ...['c1', 'c2', 'c3', 'c4'].flatMap(step)]
    const policy = { ...careful, overflow: 'paginate' } as const
    const { outcome } = compile({ items: all, layout: 'messages', policy, budget: { windowTokens: 900 } })
    const pages = outcome.kind === 'paginated' ? outcome.pages : []
    expect(pages.length).toBeGreaterThan(1)
    for (const [at, page] of pages.entries())
      for (const model of ['gpt-5', 'claude-sonnet-5', 'gemini-2.5-pro']) {
        const { request } = toRequest(page, { items: all, model })
        const body = JSON.stringify(request)
        expect(body).toContain(`page ${at + 1} of ${pages.length} of this conversation`)
        const calls = ['c1', 'c2', 'c3', 'c4'].filter((id) => body.includes(`${id} says this`))
        const shown = page.entries.filter(({ text }) => text.includes('says this'))
        expect([calls.length, body.includes('c4 says this'), body.includes('Why?')]).toEqual([shown.length, true, true])
      }
    const [page = expect.unreachable('no page')] = pages
    expect(() => toRequest(page, { items: all.slice(1), model: 'gpt-5' })).toThrow(/lack/)
  })
})
