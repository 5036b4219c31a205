import type { WireExchange, Pack, ToolCall } from '../../core/index.ts'
import { parseRange, readMarker, readNearMarker, resultLines } from '../../ladders/index.ts'
import type { Fold, NearMarker } from '../../ladders/index.ts'
import type { ArgumentsForm } from './argument-text.ts'
import { markerReader } from './marker-reader.ts'
import type { MarkerLine } from './marker-reader.ts'
import type { ResolveMarker } from './resolve-marker.ts'

/** What stands in a call for text that is not shown, and cannot be written out. */
export interface UnresolvedMarker {
  /** What it says, without brackets. */
  readonly says: string
  /** The lines that it must mean, where it names some and one marker alone has shown those. */
  readonly means?: Fold
}

export interface GuardedRequest {
  readonly resolve: ResolveMarker
  readonly exchange: WireExchange
  readonly pack: Pack
  /** How answers begin that say why a call was not run: they quote, and are no text of the client's. */
  readonly ownWords: string
}

/** The first line of a call that is a marker of ours, or like one, and does not resolve; undefined where there is none. */
export async function unresolvedIn(
  request: GuardedRequest,
  call: Pick<ToolCall, 'arguments'>,
): Promise<UnresolvedMarker | undefined> {
  const { form, lines } = writtenBy(call.arguments)
  for (const marker of exactIn(form, call.arguments)) {
    if (isClients(request, marker.text) || isClients(request, JSON.stringify(marker.text).slice(1, -1))) continue
    if ((await request.resolve(marker)) === undefined) return { says: marker.text.slice(1, -1) }
  }
  for (const line of lines) {
    const near = isExact(line) ? undefined : readNearMarker(line)
    if (near && !isClients(request, line.trim())) return { says: near.says, ...meaning(request.pack, near) }
  }
  return undefined
}

interface Written {
  readonly form: ArgumentsForm
  /** Of all its texts. */
  readonly lines: readonly string[]
}

/** Arguments are JSON, save those of tools that take a text. */
function writtenBy(args: string): Written {
  try {
    const value: unknown = JSON.parse(args)
    if (typeof value === 'object' && value !== null) return { form: 'json', lines: textsIn(value) }
  } catch {
    // Read as the text that it is.
  }
  return { form: 'plain', lines: args.split('\n') }
}

/** Without recursion: arguments may be nested as deep as a model likes. */
function textsIn(value: object): readonly string[] {
  const lines: string[] = []
  const rest: unknown[] = [value]
  while (rest.length > 0) {
    const next = rest.pop()
    if (typeof next === 'string') for (const line of next.split('\n')) lines.push(line)
    else if (typeof next === 'object' && next !== null) for (const each of Object.values(next)) rest.push(each)
  }
  return lines
}

function* exactIn(form: ArgumentsForm, args: string): Generator<MarkerLine> {
  const reader = markerReader(form)
  let step = reader.step(reader.initial, args)
  for (; step.marker; step = reader.step(step.state, '')) yield step.marker
  step = reader.end(step.state)
  for (; step.marker; step = reader.end(step.state)) yield step.marker
}

/** Whole lines of our own forms are read with what stands around them. */
function isExact(line: string): boolean {
  return readMarker(line.replace(/^[-+]/, '').trim()) !== undefined
}

/** A line that the client itself has sent (a file that holds it, an order) is the client's to write. */
function isClients({ exchange, ownWords }: GuardedRequest, line: string): boolean {
  return exchange.conversation.items.some(
    ({ kind, role, text }) =>
      kind !== 'tool-call' && role !== 'assistant' && text.includes(line) && !text.startsWith(ownWords),
  )
}

/** What a near form means, where a single marker that is shown says the same numbers. */
function meaning({ entries }: Pack, near: NearMarker): { readonly means?: Fold } {
  const found = new Map<string, Fold>()
  for (const { text } of entries) {
    for (const line of text.includes('[') ? resultLines(text).lines : []) {
      const fold = saysSame(line, near)
      if (fold) found.set(`${fold.handle} ${fold.first}-${fold.last}`, fold)
    }
  }
  const [means] = found.values()
  return found.size === 1 && means ? { means } : {}
}

function saysSame(line: string, { first, last, lines, step }: NearMarker): Fold | undefined {
  const at = line.indexOf('[')
  const marker = at === -1 ? '' : line.slice(at).trimEnd()
  const fold = parseRange(marker)
  if (!fold) return undefined
  const values = readMarker(marker)?.values ?? {}
  if (first !== undefined)
    return values.step === undefined && fold.first === first && fold.last === last ? fold : undefined
  return lines !== undefined && Number(values.lines) === lines && Number(values.step) === step ? fold : undefined
}
