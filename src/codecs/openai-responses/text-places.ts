import type { JsonNode, JsonTree } from '../../core/index.ts'
import { decodeString, isJsonObject, member, rawText, stringAt } from '../../core/index.ts'
import { parseData, placesIn } from '../reply-body.ts'
import { withMembers } from '../splice.ts'
import type { SseEvent } from '../sse.ts'
import type { TextKind, TextPlace, TextPlaces } from '../text-places.ts'

/** Words, reasoning, arguments of functions and input of custom tools. Each comes in pieces, and then up to four times whole. */
export const responsesTextPlaces: TextPlaces = {
  inEvent: ({ data }, kinds) => (hints.some((hint) => data.includes(hint)) ? scanned(data, eventTexts(kinds)) : []),
  foreign: () => undefined,
  endedLanes,
  addition,
  tellsAgain: true,
  inReply: (body, kinds) => scanned(body, (tree) => outputTexts(tree, tree.root, kinds)),
  numberOf: ({ data }) => {
    const [, number] = numbers.exec(data) ?? []
    return number === undefined ? undefined : Number(number)
  },
  numbered: (event, number) => ({ ...event, data: withMembers(event.data, [['sequence_number', String(number)]]) }),
}

const numbers = /"sequence_number"\s*:\s*(\d+)/
const hints = ['.delta"', '.done"', '.completed"', '.incomplete"', '.failed"']

type Find = (tree: JsonTree) => readonly TextPlace[]

function scanned(json: string, find: Find): readonly TextPlace[] {
  const tree = placesIn(json)
  return tree === undefined ? [] : find(tree)
}

/** A text by the word that tells it from others of its item, and by the member that numbers it. */
interface TextForm {
  readonly kind: TextKind
  readonly word: string
  readonly number?: string
  readonly form: 'json' | 'plain'
  /** The member in which events tell it whole. */
  readonly whole: string
}

const forms: Readonly<Record<string, TextForm>> = {
  'response.output_text': { kind: 'text', word: 'c', number: 'content_index', form: 'plain', whole: 'text' },
  'response.refusal': { kind: 'text', word: 'c', number: 'content_index', form: 'plain', whole: 'refusal' },
  'response.reasoning_text': { kind: 'reasoning', word: 'r', number: 'content_index', form: 'plain', whole: 'text' },
  'response.reasoning_summary_text': {
    kind: 'reasoning',
    word: 's',
    number: 'summary_index',
    form: 'plain',
    whole: 'text',
  },
  'response.function_call_arguments': { kind: 'arguments', word: 'a', form: 'json', whole: 'arguments' },
  'response.custom_tool_call_input': { kind: 'arguments', word: 'a', form: 'plain', whole: 'input' },
}

function eventTexts(kinds: ReadonlySet<TextKind>): Find {
  return (tree) => {
    const type = stringAt(tree, tree.root, 'type') ?? ''
    const response = member(tree, tree.root, 'response')
    if (response !== undefined) return outputTexts(tree, response, kinds)
    const lane = numberAt(tree, 'output_index')
    if (lane === undefined) return []
    const item = member(tree, tree.root, 'item')
    if (item !== undefined) return itemTexts(tree, item, { lane, kinds })
    const part = member(tree, tree.root, 'part')
    if (part !== undefined) return partTexts(tree, part, { lane, kinds, at: partNumber(tree) })
    const found = type.lastIndexOf('.')
    const form = Object.hasOwn(forms, type.slice(0, found)) ? forms[type.slice(0, found)] : undefined
    if (form === undefined || !kinds.has(form.kind)) return []
    const isPiece = type.endsWith('.delta')
    const node = member(tree, tree.root, isPiece ? 'delta' : form.whole)
    const key = `${lane}:${form.word}${form.number === undefined ? '' : (numberAt(tree, form.number) ?? '0')}`
    return placeOf(tree, node, { ...form, key, lane, ...(!isPiece && { isAgain: true }) })
  }
}

function numberAt(tree: JsonTree, name: string): string | undefined {
  const node = member(tree, tree.root, name)
  return node === undefined ? undefined : rawText(tree, node)
}

function partNumber(tree: JsonTree): string {
  return numberAt(tree, 'content_index') ?? numberAt(tree, 'summary_index') ?? '0'
}

interface Lane {
  readonly lane: string
  readonly kinds: ReadonlySet<TextKind>
}

function outputTexts(tree: JsonTree, response: JsonNode, kinds: ReadonlySet<TextKind>): readonly TextPlace[] {
  const items = member(tree, response, 'output')?.children ?? []
  return items.flatMap((item, index) => itemTexts(tree, item, { lane: String(index), kinds }))
}

/** All texts of an item that has come whole. */
function itemTexts(tree: JsonTree, item: JsonNode, lane: Lane): readonly TextPlace[] {
  switch (stringAt(tree, item, 'type')) {
    case 'function_call':
      return callTexts(tree, member(tree, item, 'arguments'), { ...lane, form: 'json' })
    case 'custom_tool_call':
      return callTexts(tree, member(tree, item, 'input'), { ...lane, form: 'plain' })
    default:
      return ['summary', 'content'].flatMap((name) =>
        (member(tree, item, name)?.children ?? []).flatMap((part, index) =>
          partTexts(tree, part, { ...lane, at: String(index) }),
        ),
      )
  }
}

function callTexts(
  tree: JsonTree,
  node: JsonNode | undefined,
  { lane, kinds, form }: Lane & Pick<TextPlace, 'form'>,
): readonly TextPlace[] {
  if (!kinds.has('arguments')) return []
  return placeOf(tree, node, { kind: 'arguments', key: `${lane}:a`, lane, form, isAgain: true })
}

const parts: Readonly<Record<string, Pick<TextForm, 'kind' | 'word' | 'whole'>>> = {
  output_text: { kind: 'text', word: 'c', whole: 'text' },
  refusal: { kind: 'text', word: 'c', whole: 'refusal' },
  reasoning_text: { kind: 'reasoning', word: 'r', whole: 'text' },
  summary_text: { kind: 'reasoning', word: 's', whole: 'text' },
}

function partTexts(
  tree: JsonTree,
  part: JsonNode,
  { lane, kinds, at }: Lane & { readonly at: string },
): readonly TextPlace[] {
  const type = stringAt(tree, part, 'type') ?? ''
  const known = Object.hasOwn(parts, type) ? parts[type] : undefined
  if (known === undefined || !kinds.has(known.kind)) return []
  const { kind, word, whole } = known
  return placeOf(tree, member(tree, part, whole), {
    kind,
    key: `${lane}:${word}${at}`,
    lane,
    form: 'plain',
    isAgain: true,
  })
}

type Placing = Pick<TextPlace, 'kind' | 'key' | 'lane' | 'form' | 'isAgain'>

function placeOf(tree: JsonTree, node: JsonNode | undefined, place: Placing): readonly TextPlace[] {
  const text = node?.kind === 'string' ? decodeString(tree, node) : ''
  if (node === undefined || text === '') return []
  const { kind, key, lane, form, isAgain } = place
  const { start, end } = node
  return [{ kind, key, lane, form, start, end, text, isQuoted: true, ...(isAgain === true && { isAgain }) }]
}

const endsAll = /"type":\s*"(?:response\.(?:completed|incomplete|failed)|error)"/
const endsItem = /"type":\s*"response\.output_item\.done"/

function endedLanes({ data }: SseEvent): readonly string[] | 'all' {
  if (endsAll.test(data)) return 'all'
  if (!endsItem.test(data)) return []
  const event = parseData(data)
  return isJsonObject(event) ? [String(event['output_index'])] : []
}

function addition(_: TextPlace, text: string, like: SseEvent): SseEvent {
  return { ...like, data: withMembers(like.data, [['delta', JSON.stringify(text)]]) }
}
