import { describe, expect, it } from 'vitest'
import { codecs } from '../codecs/index.ts'
import type { Codec } from '../codecs/index.ts'
import { careful } from '../compiler/index.ts'
import type { Item, JsonObject } from '../core/index.ts'
import { isJsonObject } from '../core/index.ts'
import { shippedCatalogue } from '../tokens/index.ts'
import { compile } from './compilers.ts'
import { singleRequest } from './single-request.ts'

const schema = { type: 'object', properties: { path: { type: 'string' } } }

/** What dialects call the members that hold the conversation, its system text and the limit of a reply. */
const names: Readonly<Record<string, { readonly list: string; readonly system?: string; readonly most: string }>> = {
  'openai-chat': { list: 'messages', most: 'max_tokens' },
  'anthropic-messages': { list: 'messages', system: 'system', most: 'max_tokens' },
  'openai-responses': { list: 'input', system: 'instructions', most: 'max_output_tokens' },
}

function namesOf({ dialect }: Codec) {
  return names[dialect] ?? expect.unreachable(`no names of ${dialect}`)
}

function bodyOf(codec: Codec): JsonObject {
  const { dialect } = codec
  const { list, system: law, most } = namesOf(codec)
  const tools = ['read', 'bash'].map((name) =>
    dialect === 'openai-chat'
      ? { type: 'function', function: { name, description: `Runs ${name}.`, parameters: schema } }
      : dialect === 'openai-responses'
        ? { type: 'function', name, description: `Runs ${name}.`, parameters: schema }
        : { name, description: `Runs ${name}.`, input_schema: schema },
  )
  const messages = [
    { role: 'user', content: 'It worked yesterday.' },
    { role: 'assistant', content: 'I will look.' },
    { role: 'user', content: 'Which change broke it?' },
  ]
  const system = law === undefined ? {} : { [law]: 'Never push.' }
  const first = law === undefined ? [{ role: 'system', content: 'Never push.' }] : []
  const model = codec.signs.provider === 'openai' ? 'gpt-4o' : 'claude-sonnet-4-5'
  return { model, [most]: 700, ...system, tools, [list]: [...first, ...messages] }
}

const collected: readonly Item[] = [
  { id: 'task', section: 'task', kind: 'text', text: 'Bisect first.' },
  { id: 'log', section: 'evidence', kind: 'evidence', text: 'Commit 1f2e failed.', provenance: { sourceId: 'ci' } },
  { id: 'note', section: 'memory', kind: 'memory', text: 'The build broke before.' },
]

describe.each(codecs)('a payload in $dialect', (codec) => {
  const body = bodyOf(codec)
  const { exchange, input } = singleRequest(JSON.stringify(body), body, {
    catalogue: shippedCatalogue,
    policy: careful,
    codec,
  })
  const items = [...input.items, ...collected]
  const { pack, manifest, budget } = compile({ ...input, items, layout: 'payload' })
  if (pack === undefined) throw new Error('no pack')
  const sent: unknown = JSON.parse(codec.encode(exchange, { pack }))
  const { list, system: law = '', most } = namesOf(codec)
  if (!isJsonObject(sent) || !Array.isArray(sent[list])) throw new Error('no body')
  const { [list]: all, [law]: system, ...rest } = sent
  const texts = codec.decode({ body: JSON.stringify(sent) }).conversation
  const textOf = (index: number): string => {
    const ids = texts.messages.at(index)?.itemIds ?? []
    return ids.map((id) => texts.items.find((item) => item.id === id)?.text).join('')
  }

  it('A-044: system text becomes the system instruction', () => {
    expect(texts.messages[0]?.role).toBe('system')
    expect(textOf(0)).toContain('Never push.')
    expect(law === '' ? Array.isArray(all) && all[0] : system).toBeDefined()
    expect(textOf(0)).not.toContain('Bisect')
  })

  it('A-044: tools become the tool list, the conversation the earlier messages', () => {
    expect(texts.tools.map(({ name }) => name)).toEqual(['read', 'bash'])
    expect(texts.messages.slice(1).map(({ role }) => role)).toEqual(['user', 'assistant', 'user'])
    expect([textOf(1), textOf(2)]).toEqual(['It worked yesterday.', 'I will look.'])
  })

  it('A-044: task, evidence, memory and request become the last message of the user', () => {
    const payload = textOf(-1)
    const places = ['Bisect first.', 'Commit 1f2e failed.', 'The build broke before.', 'Which change broke it?'].map(
      (text) => payload.indexOf(text),
    )
    expect(places).toEqual(places.toSorted((a, b) => a - b))
    expect(places).not.toContain(-1)
  })

  it('A-044: of the reserve nothing is sent but the reply that was asked for', () => {
    expect(rest).toMatchObject({ [most]: 700 })
    expect(manifest.reserveTokens).toBeGreaterThan(700)
    expect(pack.tokens).toBeLessThanOrEqual(budget.windowTokens - manifest.reserveTokens)
    expect(Object.keys(rest).toSorted()).toEqual([most, 'model', 'tools'].toSorted())
    expect(pack.entries.map(({ section }) => section)).not.toContain('reserve')
  })
})
