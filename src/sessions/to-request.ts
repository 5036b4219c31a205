import { codecFor, detectDialect } from '../codecs/index.ts'
import type {
  Conversation,
  Dialect,
  Item,
  JsonObject,
  Loss,
  Pack,
  PackEntry,
  PackMessage,
  ToolDefinition,
} from '../core/index.ts'
import {
  callable,
  invalidInput,
  isJsonObject,
  itemShape,
  layouts,
  objectLike,
  pageNoteId,
  parseJson,
  roles,
  rungs,
  shape,
  withMethods,
} from '../core/index.ts'
import { isIntact } from '../compiler/index.ts'
import { sha256 } from '../host/index.ts'
import { toolIn } from '../tokens/index.ts'

/** What a request says beside its pack. */
export interface ToRequestOptions extends Partial<Pick<Conversation, 'maxOutputTokens' | 'sampling' | 'stream'>> {
  readonly model: string
  /** What was compiled: it has the schemas of tools and the places of media, which a pack only names. */
  readonly items: readonly Item[]
  /** That of the model's provider by default. */
  readonly dialect?: Dialect
  /** Where the bytes of media are that have no URL, as a `data:` URL. */
  readonly mediaUrl?: (itemId: string) => string | undefined
  /** What `makeShown` has made of media that the pack shows so. */
  readonly made?: ReadonlyMap<string, string>
}

/** A request in a dialect, and what the dialect could not express. */
export interface ToRequestResult<Request extends object = JsonObject> {
  /** The body that the dialect's SDK takes. */
  readonly request: Request
  /** What the dialect has no place for. */
  readonly lost: readonly Loss[]
}

const { amount, count, flag, list, name, object, oneOf, optional } = shape

const packShape = object<Pack>({
  layout: oneOf(layouts),
  entries: list(
    object<PackEntry>({
      itemId: name,
      section: name,
      rung: oneOf(rungs),
      text: shape.text,
      tokens: amount,
      handle: optional(name),
    }),
  ),
  messages: list(object<PackMessage>({ role: oneOf(roles), text: shape.text, cuts: optional(list(count)) })),
  breakpoints: list(objectLike<Pack['breakpoints'][number]>()),
  tokens: amount,
  hash: shape.text,
})

const optionsShape = object<ToRequestOptions>({
  model: name,
  items: list(itemShape),
  dialect: optional(name as shape.Shape<Dialect>),
  mediaUrl: optional(callable()),
  made: optional(withMethods<ReadonlyMap<string, string>>('a map', ['get'])),
  maxOutputTokens: optional(count),
  sampling: optional(objectLike()),
  stream: optional(flag),
})

/**
 * The request that a pack is, as OpenAI's or Anthropic's SDK takes it. Throws `invalid-input` where the pack is none of these
 * items, or not as it was compiled, and `cannot-encode` where the dialect allows no such request.
 *
 * ```ts
 * import { compile, evidence, toRequest } from 'prehend'
 *
 * const items = [evidence('The build broke on Monday.', 'wiki/builds')]
 * const model = 'claude-sonnet-5'
 * const { pack } = compile({ items, model, budget: { windowTokens: 8_000 }, frame: { request: 'What changed?' } })
 * if (pack) console.log(toRequest(pack, { items, model, maxOutputTokens: 500 }).request)
 * ```
 */
export function toRequest<Request extends object = JsonObject>(
  pack: Pack,
  options: ToRequestOptions,
): ToRequestResult<Request> {
  shape.check(packShape, pack, 'pack')
  shape.check(optionsShape, options, 'options')
  requireCompiled(pack)
  const { model, items, dialect = detectDialect({ body: { model } }), mediaUrl, made, ...said } = options
  requireItems(pack, items)
  const tools = items.flatMap((item) => definitionOf(item) ?? [])
  const conversation: Conversation = { stream: false, sampling: {}, ...said, model, items, tools, messages: [] }
  const { body, lost } = codecFor(dialect).write(conversation, {
    pack,
    ...(mediaUrl && { mediaUrl }),
    ...(made && { made }),
  })
  const request = parseJson(body)
  if (!isJsonObject(request)) throw new TypeError('a written body is an object')
  // The codec writes what the dialect's SDK takes; which of its types that is, the caller knows.
  return { request: request as object as Request, lost }
}

/** What was put into a pack after it was compiled is no item of anybody's. */
function requireCompiled(pack: Pack): void {
  if (isIntact(pack, sha256)) return
  throw invalidInput('pack', 'is not what was compiled: its hash is another', 'Compile what is to be sent, as items.')
}

function requireItems({ entries }: Pack, items: readonly Item[]): void {
  const known = new Set(items.map(({ id }) => id))
  const strange = entries.find(({ itemId }) => itemId !== pageNoteId && !known.has(itemId))
  if (strange !== undefined)
    throw invalidInput(
      'items',
      `lack ${JSON.stringify(strange.itemId)}`,
      'Give the items that the pack was compiled from.',
    )
}

function definitionOf({ kind, text }: Item): ToolDefinition | undefined {
  const tool = kind === 'tool-schema' ? toolIn(text) : undefined
  return tool && { name: tool.name, description: tool.description ?? '', schema: tool.schema ?? {} }
}
