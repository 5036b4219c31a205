import { isToolStep } from '../labelled/tool-shapes.ts'
import type { Item, ItemKind, JsonObject, PrehendError } from '../../core/index.ts'
import { isJsonObject } from '../../core/index.ts'
import { isRecognised } from '../forms/read-forms.ts'
import { readValues } from '../forms/read-values.ts'
import { readEach } from '../read-lines.ts'
import { isMarked } from '../spans/read-spans.ts'
import { inside, traceError } from '../trace-error.ts'
import type { TracePlace } from '../trace-error.ts'
import type { Trace, TraceMessage } from '../trace.ts'

/** A text that a tool gave, or a tool's definition, and what was needed of it later. */
export interface RecordedOutput {
  readonly item: Item
  /** Strings that a later step used and that no newer output shows. */
  readonly needles: readonly string[]
}

/** What tools gave in a session, each once. */
export function outputsOf({ requests, needles = new Map() }: Trace): readonly RecordedOutput[] {
  const messages = new Set<TraceMessage>(requests.flatMap((request) => request.messages))
  const needed = new Map<string, Set<string>>()
  for (const { text, sources } of Array.from(needles.values()).flat()) {
    const newest = sources.at(-1) ?? ''
    needed.set(newest, (needed.get(newest) ?? new Set()).add(text))
  }
  return Array.from(messages).flatMap((message) =>
    message.items
      .filter(({ kind }) => kind === 'tool-result')
      .map((item) => ({
        item,
        needles: Array.from(needed.get(message.id) ?? []).filter((needle) => item.text.includes(needle)),
      })),
  )
}

const outputShapes = [
  'sessions',
  'tasks',
  'responses',
  'tools',
  'suspects',
  'marked',
  'steps',
  'intents',
  'other',
] as const
export type OutputShape = (typeof outputShapes)[number]

/** What the first record of a file says that the others are. */
export async function outputShape(file: string): Promise<OutputShape> {
  let isBroken = false
  for await (const located of readValues(file, () => (isBroken = true))) {
    const shape = isJsonObject(located.value) ? shapeOf(located.value) : 'other'
    if (shape !== 'other') return shape
    if (isRecognised(located)) return 'sessions'
    if (isJsonObject(located.value)) return 'other'
  }
  // The reader of recorded traffic says where a document is cut off.
  return isBroken ? 'sessions' : 'other'
}

function shapeOf(record: JsonObject): OutputShape {
  if (Array.isArray(record['messages'])) return Array.isArray(record['gold_names']) ? 'other' : 'sessions'
  if (Array.isArray(record['items']) && Array.isArray(record['answers'])) return 'tasks'
  if ('schema' in record && 'example' in record) return 'responses'
  if (typeof record['text'] === 'string' && (record['label'] === 0 || record['label'] === 1)) return 'suspects'
  if (isMarked(record)) return 'marked'
  if (isToolStep(record)) return 'steps'
  if (typeof record['text'] === 'string' && typeof record['intent'] === 'string') return 'intents'
  return typeof record['name'] === 'string' && isJsonObject(record['inputSchema']) ? 'tools' : 'other'
}

/** The texts of a file of recorded responses (`{id, schema, example}`) or of tools (`{name, description, inputSchema}`). */
export async function readOutputs(
  file: string,
  { onInvalid }: { readonly onInvalid: (error: PrehendError) => void },
): Promise<readonly RecordedOutput[]> {
  const outputs = await readEach(file, onInvalid, (record, place) => {
    if (!isJsonObject(record)) throw traceError(place, 'is not an object', 'Every line holds one record')
    return outputOf(record, place)
  })
  return outputs.flat()
}

function outputOf(record: JsonObject, place: TracePlace): readonly RecordedOutput[] {
  const id = `${place.file}:${place.line}`
  const made = (kind: ItemKind, section: string, text: string): readonly RecordedOutput[] => [
    { item: { id, section, kind, text }, needles: [] },
  ]
  const shape = shapeOf(record)
  if (shape === 'tools') {
    const { name, description, inputSchema: parameters } = record
    return made('tool-schema', 'tools', JSON.stringify({ name, description, parameters }))
  }
  const example = record['example']
  if (shape !== 'responses') throw traceError(inside(place, 'example'), 'is missing', 'Give {id, schema, example}')
  if (example === null || example === undefined) return []
  return made('tool-result', 'history', typeof example === 'string' ? example : JSON.stringify(example, null, 2))
}
