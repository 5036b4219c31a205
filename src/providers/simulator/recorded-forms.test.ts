import { readFileSync, readdirSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { isJsonObject } from '../../core/index.ts'
import type { JsonObject, JsonValue } from '../../core/index.ts'
import type { ScriptEntry } from './script.ts'
import { simulatedProvider } from './simulated-provider.ts'

interface Recorded {
  readonly path: string
  readonly json?: JsonValue
  readonly sse_chunks?: readonly string[]
}

// Read where it lies; a missing file fails the suite.
const recorded = readFileSync(
  new URL('../../../../shared/data/provider-responses/fixtures.jsonl', import.meta.url),
  'utf8',
)
  .split('\n')
  .filter((line) => line !== '')
  .map((line): Recorded => JSON.parse(line))

/** Of the objects at one place of all replies: how many there are, and how many have a member, or null for it. */
interface Frame {
  count: number
  readonly members: Map<string, { count: number; nulls: number }>
}

type Frames = ReadonlyMap<string, Frame>

/** What callers or models write themselves has no form of the provider's. */
const free = new Set(['tools', 'input', 'args', 'metadata', 'text.format'])

/** Objects by place: names of members, with the `type` of what stands there. */
function framesOf(replies: readonly JsonValue[]): Frames {
  const frames = new Map<string, Frame>()
  const walk = (value: JsonValue, path: string): void => {
    if (Array.isArray(value)) for (const element of value) walk(element, `${path}[]`)
    if (!isJsonObject(value)) return
    const { type } = value
    const place = typeof type === 'string' ? `${path}<${type}>` : path
    const frame = frames.get(place) ?? { count: 0, members: new Map<string, { count: number; nulls: number }>() }
    frames.set(place, frame)
    frame.count += 1
    for (const [name, member] of Object.entries(value)) {
      const before = frame.members.get(name) ?? { count: 0, nulls: 0 }
      frame.members.set(name, { count: before.count + 1, nulls: before.nulls + (member === null ? 1 : 0) })
      if (!free.has(name)) walk(member, `${place}.${name}`)
    }
  }
  for (const reply of replies) walk(reply, '')
  return frames
}

interface Declared {
  readonly names: ReadonlySet<string>
  readonly nullable: ReadonlySet<string>
  /** The members of all that is recorded, whole replies and events. */
  readonly named?: ReadonlySet<string>
}

/** The members that the declarations of an SDK name, and those that may be null. */
function declaredIn(folder: string, files: RegExp): Declared {
  const root = new URL(`../../../node_modules/${folder}/`, import.meta.url)
  const found = readdirSync(root, { recursive: true, encoding: 'utf8' }).filter((name) => files.test(name))
  const text = found.map((name) => readFileSync(new URL(name, root), 'utf8')).join('\n')
  const declared = [...text.matchAll(/^\s+'?(\w+)'?\??: ([^;]*);/gm)]
  const names = declared.map(([, name = '']) => name)
  const nullable = declared.flatMap(([, name = '', type = '']) => (/\bnull\b/.test(type) ? [name] : []))
  return { names: new Set(names), nullable: new Set(nullable) }
}

const sdks = {
  anthropic: declaredIn('@anthropic-ai/sdk/resources', /(?:^|\/)(?:messages|models|shared)\.d\.ts$/),
  openai: declaredIn('openai/resources', /(?:completions|responses|models|shared)\.d\.ts$/),
  google: declaredIn('@google/genai/dist', /^genai\.d\.ts$/),
}

/** Padding that no two replies share. */
const unsimulated = new Set(['obfuscation'])
/** So many objects tell whether a member is ever null, and so many which members all of them have. */
const enough = { nulls: 3, all: 6 }

/** What a simulated reply has and no provider sends, or lacks and every provider sends. */
function strangeIn(made: Frames, real: Frames, { names, nullable, named = new Set() }: Declared): readonly string[] {
  return [...made].flatMap(([place, { count, members }]) => {
    const known = real.get(place)
    const extra = [...members].flatMap(([name, { nulls }]) => {
      const told = known?.members.get(name)
      if (told === undefined && !names.has(name) && !named.has(name)) return [`${place}.${name}: nobody sends it`]
      const mayBeNull = (told?.nulls ?? 0) > 0 || ((told?.count ?? 0) < enough.nulls && nullable.has(name))
      return nulls > 0 && !mayBeNull ? [`${place}.${name}: is never null`] : []
    })
    if (known === undefined || known.count < enough.all) return extra
    const lacking = [...known.members].flatMap(([name, told]) =>
      told.count === known.count && (members.get(name)?.count ?? 0) < count && !unsimulated.has(name)
        ? [`${place}.${name}: every one has it`]
        : [],
    )
    return [...extra, ...lacking]
  })
}

const reads = (path: string) => ({ name: 'read_file', arguments: { path } })
const script: Readonly<Record<string, ScriptEntry>> = {
  'text': { text: 'Good morning.' },
  'a call': { text: 'Let me look.', toolCalls: [reads('a.ts')] },
  'parallel calls': { toolCalls: [reads('a.ts'), reads('b.ts')] },
  'thoughts': { thinking: 'What is asked?', text: 'Good morning.' },
  'a refusal': { fault: { kind: 'refusal' } },
}
const schema = { type: 'object', properties: { path: { type: 'string' } } }
const messages = (said: string) => [{ role: 'user', content: said }]

interface Form {
  readonly name: string
  readonly sdk: keyof typeof sdks
  readonly paths: RegExp
  ask(said: string, isStreamed: boolean): { readonly path: string; readonly body: object }
}

const forms: readonly Form[] = [
  {
    name: 'Anthropic',
    sdk: 'anthropic',
    paths: /packages\/anthropic\/src\/__fixtures__/,
    ask: (said, stream) => ({
      path: '/v1/messages',
      body: {
        model: 'claude-opus-4-5',
        max_tokens: 2000,
        messages: messages(said),
        tools: [{ name: 'read_file', input_schema: schema }],
        thinking: { type: 'enabled', budget_tokens: 1024 },
        stream,
      },
    }),
  },
  {
    name: 'Chat Completions',
    sdk: 'openai',
    paths: /packages\/openai\/src\/chat\/__fixtures__/,
    ask: (said, stream) => ({
      path: '/v1/chat/completions',
      body: {
        model: 'gpt-4o',
        messages: messages(said),
        tools: [{ type: 'function', function: { name: 'read_file', parameters: schema } }],
        stream,
        ...(stream && { stream_options: { include_usage: true } }),
      },
    }),
  },
  {
    name: 'DeepSeek',
    sdk: 'openai',
    paths: /packages\/deepseek\/src\/chat\/__fixtures__/,
    ask: (said, stream) => ({
      path: '/v1/chat/completions',
      body: {
        model: 'deepseek-reasoner',
        messages: messages(said),
        tools: [{ type: 'function', function: { name: 'read_file', parameters: schema } }],
        stream,
      },
    }),
  },
  {
    name: 'Responses',
    sdk: 'openai',
    paths: /packages\/openai\/src\/responses\/__fixtures__/,
    ask: (said, stream) => ({
      path: '/v1/responses',
      body: {
        model: 'gpt-5.1',
        input: messages(said),
        tools: [{ type: 'function', name: 'read_file', parameters: schema, strict: false }],
        include: ['reasoning.encrypted_content'],
        stream,
      },
    }),
  },
  {
    name: 'Gemini',
    sdk: 'google',
    paths: /packages\/google\/src\/__fixtures__/,
    ask: (said, stream) => ({
      path: `/v1beta/models/gemini-3.5-flash:${stream ? 'streamGenerateContent?alt=sse' : 'generateContent'}`,
      body: {
        contents: [{ role: 'user', parts: [{ text: said }] }],
        tools: [{ functionDeclarations: [{ name: 'read_file', parametersJsonSchema: schema }] }],
        generationConfig: { thinkingConfig: { includeThoughts: true } },
      },
    }),
  },
]

/** The objects of a reply: it, or the data of its events. */
function objectsIn(text: string): readonly JsonObject[] {
  if (text.startsWith('{')) return [JSON.parse(text)]
  const lines = text.split('\n').filter((line) => line.startsWith('data: {'))
  return lines.map((line): JsonObject => JSON.parse(line.slice('data: '.length)))
}

async function simulated({ ask }: Form, isStreamed: boolean): Promise<Frames> {
  const { fetch } = simulatedProvider({ script: Object.values(script) })
  const replies: JsonObject[] = []
  for (const said of Object.keys(script)) {
    const { path, body } = ask(said, isStreamed)
    const headers = { 'x-api-key': 'k', 'anthropic-version': '2023-06-01' }
    const response = await fetch(`http://simulated${path}`, { method: 'POST', headers, body: JSON.stringify(body) })
    const text = await response.text()
    expect({ status: response.status, text }).toMatchObject({ status: 200 })
    replies.push(...objectsIn(text))
  }
  return framesOf(replies)
}

describe.each(forms)('$name', (form) => {
  const { sdk, paths } = form
  const real = recorded.filter(
    ({ path, json }) => paths.test(path) && !(isJsonObject(json) && isJsonObject(json['error'])),
  )
  const wholes = framesOf(real.flatMap(({ json }) => json ?? []))
  const events = framesOf(
    real.flatMap(({ sse_chunks: chunks = [] }) => chunks.map((chunk): JsonValue => JSON.parse(chunk))),
  )

  const named = new Set([...wholes.values(), ...events.values()].flatMap(({ members }) => [...members.keys()]))

  it('a simulated reply has the members that recorded ones have, null where they are', async () => {
    expect(wholes.size).toBeGreaterThan(0)
    expect(strangeIn(await simulated(form, false), wholes, { ...sdks[sdk], named })).toEqual([])
  })

  it('the events of a simulated stream have the members that recorded ones have, null where they are', async () => {
    expect(strangeIn(await simulated(form, true), events, { ...sdks[sdk], named })).toEqual([])
  })
})

it('a member that is null where providers leave it out is found', () => {
  const cited = { type: 'text', text: '', citations: [] }
  const real = framesOf([{ content: [cited, cited, cited] }])
  const made = framesOf([{ content: [{ type: 'text', text: '', citations: null, mood: 'good' }] }])
  expect(strangeIn(made, real, sdks.anthropic)).toEqual([
    '.content[]<text>.citations: is never null',
    '.content[]<text>.mood: nobody sends it',
  ])
})
