import type { JsonObject, JsonValue } from '../../../core/index.ts'
import type { CacheBlock } from '../../cache/rules.ts'
import type { RenderedRequest, SimulatedCall } from '../dialect.ts'
import { objectOf, objectsOf, textOf } from '../read-json.ts'
import { digest, textBlocks } from '../text-blocks.ts'
import { callsOf, contentParts } from './message.ts'

const ttls: Readonly<Record<string, number>> = { '30m': 1_800_000, '12h': 43_200_000 }

/** Response schema and tools, then the messages, in pieces: these providers match prefixes inside a message, too. */
export function renderOpenai(call: SimulatedCall): RenderedRequest {
  const { body } = call
  const options = objectOf(body['prompt_cache_options'])
  const messages = objectsOf(body['messages']).flatMap((message, index) =>
    messageBlocks(call, message, call.overhead.perMessage[index] ?? 0),
  )
  const blocks = [...headerBlocks(call), ...messages].map((block, index) =>
    index === 0 ? { ...block, tokens: block.tokens + call.overhead.fixed } : block,
  )
  const ttlMs = implicitTtl(call)
  return {
    blocks,
    tokens: blocks.reduce((sum, block) => sum + block.tokens, 0),
    cacheKey: cacheKey(call),
    cacheMode: options['mode'] === 'explicit' ? 'explicit' : 'implicit',
    ...(ttlMs === undefined ? {} : { implicitTtlMs: ttlMs }),
  }
}

/** A message, with what frames it at its head. */
export function messageBlocks(call: SimulatedCall, message: JsonObject, frameTokens: number): readonly CacheBlock[] {
  const text = (value: string): number => call.count(call.model.id, value)
  const frame = ['role', 'name', 'tool_call_id'].map((key) => textOf(message[key]) ?? '').join(' ')
  const reasoning = textOf(message['reasoning_content'])
  const pieces: readonly (readonly CacheBlock[])[] = [
    [{ hash: digest(`message ${frame}`), tokens: frameTokens }],
    ...(reasoning === undefined ? [] : [textBlocks(`reasoning ${reasoning}`, text(reasoning))]),
    ...contentParts(message).map((part) => partBlocks(call, part)),
    ...callsOf(message).map((made) => {
      const shown = `${made.name} ${made.arguments}`
      return textBlocks(`call ${made.id} ${shown}`, text(shown))
    }),
  ]
  return pieces.flat().map((block, index, all) => ({ ...block, messageEnd: index === all.length - 1 }))
}

function partBlocks(call: SimulatedCall, part: JsonObject): readonly CacheBlock[] {
  const shown = textOf(part['text']) ?? textOf(part['refusal'])
  const { prompt_cache_breakpoint: mark, ...rest } = part as Record<string, JsonValue>
  const blocks =
    shown === undefined
      ? [{ hash: digest(JSON.stringify(rest)), tokens: call.mediaTokens(part) }]
      : textBlocks(shown, call.count(call.model.id, shown))
  if (mark == null) return blocks
  const inherited = objectOf(call.body['prompt_cache_options'])['ttl']
  const ttlMs = ttls[textOf(objectOf(mark)['ttl']) ?? textOf(inherited) ?? '30m'] ?? 1_800_000
  return blocks.map((block, index) => (index === blocks.length - 1 ? { ...block, breakpointTtlMs: ttlMs } : block))
}

function headerBlocks({ body, count, model, overhead }: SimulatedCall): readonly CacheBlock[] {
  const format = body['response_format']
  const schema = format == null ? [] : textBlocks(JSON.stringify(format), count(model.id, JSON.stringify(format)))
  const tools = objectsOf(body['tools']).flatMap((tool, index) =>
    textBlocks(JSON.stringify(tool), overhead.perTool[index] ?? 0),
  )
  return [...schema, ...tools].map((block) => ({ ...block, messageEnd: false }))
}

/** From GPT-5.6 on these settings separate caches; before, only the routing key does. */
function cacheKey({ body, model }: SimulatedCall): string {
  if (model.provider === 'deepseek') return ''
  const routing = [body['prompt_cache_key'] ?? '']
  if (model.provider !== 'openai' || !model.openai.breakpoints) return JSON.stringify(routing)
  const settings = ['reasoning_effort', 'verbosity', 'service_tier'].map((field) => body[field] ?? null)
  return JSON.stringify([...routing, ...settings])
}

function implicitTtl({ body, model }: SimulatedCall): number | undefined {
  if (model.provider !== 'openai') return undefined
  if (model.openai.breakpoints) return ttls[textOf(objectOf(body['prompt_cache_options'])['ttl']) ?? '30m']
  const dayOnly = model.id.startsWith('gpt-5.5')
  return dayOnly || body['prompt_cache_retention'] === '24h' ? 86_400_000 : undefined
}
