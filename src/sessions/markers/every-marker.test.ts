import fc from 'fast-check'
import { memoryStore } from '../../stores/index.ts'
import { describe, expect, it } from 'vitest'
import { atLeastRuns } from '../../../scripts/property-runs.ts'
import { careful, thrifty } from '../../compiler/index.ts'
import { codecFor, rewriteText } from '../../codecs/index.ts'
import type { WireExchange, Item, Pack, Policy, Rendition } from '../../core/index.ts'
import {
  factReader,
  ladderFor,
  lineIndex,
  markerForms,
  readMarker,
  saysEnds,
  writeReference,
} from '../../ladders/index.ts'
import type { LadderOptions, MarkerForm } from '../../ladders/index.ts'
import { openSessions } from '../open-sessions.ts'
import { askedAt, chatBody, recordedRuns } from '../recorded-runs.fixture.ts'
import type { RecordedRun } from '../recorded-runs.fixture.ts'
import { sessionParts } from '../session.fixture.ts'
import type { SessionTurn } from '../session-turn.ts'
import type { ArgumentsForm } from './argument-text.ts'
import { markerResolver } from './resolve-marker.ts'
import { mentionsMarker } from './mentions-marker.ts'
import { markerWriter, markerWriterFor } from './write-markers.ts'
import type { MarkerWriter } from './write-markers.ts'

/** What a model may make of a text in the arguments of a call, and what is to come of it. */
interface Copy {
  readonly form: ArgumentsForm
  readonly shown: string
  readonly original: string
}

const patch = (text: string): string =>
  `*** Begin Patch\n*** Add File: f\n+${text.replaceAll('\n', '\n+')}\n*** End Patch`
const argumentsOf = (text: string): string => JSON.stringify({ path: 'f', content: text })
const edit = (text: string): string => JSON.stringify({ patch: patch(text) })

/** A call is made again; a text is written to a file, as it is and in a patch. */
function copiesOf({ kind, text }: Item, shown: string): readonly Copy[] {
  if (kind === 'tool-call') return [{ form: 'json', shown, original: text }]
  return [
    { form: 'json', shown: argumentsOf(shown), original: argumentsOf(text) },
    { form: 'json', shown: edit(shown), original: edit(text) },
    { form: 'plain', shown: patch(shown), original: patch(text) },
  ]
}

/** The arguments as a client gets them that come in pieces of seven characters: breaks and escapes are cut anywhere. */
async function writtenOut(writer: MarkerWriter, { form, shown }: Copy): Promise<string> {
  const of = { kind: 'arguments', key: 'call', form } as const
  const open = writer.open()
  const pieces = shown.match(/[^]{1,7}/g) ?? []
  let said = ''
  for (const piece of pieces.slice(0, -1)) said += await open.piece(of, piece)
  return said + (await rewriteText(open, of, pieces.at(-1) ?? ''))
}

const handle = '123456789012'
const source: Item = { id: 's', section: 'history', kind: 'tool-result', role: 'tool', text: '' }

/** A request that shows `source`, and an item in this form. */
function writerOf(item: Item, { text }: Rendition, first: Item): MarkerWriter {
  const shown = {
    scope: { tenant: 'acme', session: 's1' },
    handles: new Set<string>(),
    exchange: { conversation: { items: [first, item] } } as unknown as WireExchange,
    pack: {
      entries: [
        { itemId: 's', text: first.text },
        { itemId: item.id, text, handle },
      ],
    } as unknown as Pack,
  }
  return markerWriter({ resolve: markerResolver(memoryStore(), shown), count: () => undefined })
}

const words = fc.string({
  unit: fc.constantFrom('a', 'B', '_', '.', ' ', '"', '\\', 'é', '😀', '\t', "'", '('),
  maxLength: 40,
})
const anyLine = fc.oneof(
  { weight: 6, arbitrary: fc.tuple(fc.nat(9999), words).map(([number, text]) => `line_${number} ${text}`) },
  {
    weight: 1,
    arbitrary: fc.constantFrom(
      '',
      '}',
      '\r',
      '# Head',
      'Error: no such file',
      'exit code: 3',
      '[57-90 folded: 4829150371]',
    ),
  },
  {
    weight: 1,
    arbitrary: fc.nat(99).map((number) => Array.from({ length: 60 }, (_, at) => `piece${number}-${at},`).join('')),
  },
)
const manyLines = fc.array(anyLine, { minLength: 12, maxLength: 60 }).map((lines) => lines.join('\n'))

const kinds: readonly Omit<Item, 'text'>[] = [
  { id: 'i', section: 'history', kind: 'tool-result', role: 'tool', toolName: 'ba sh' },
  { id: 'i', section: 'history', kind: 'tool-call', role: 'assistant', toolName: 'write' },
  { id: 'i', section: 'history', kind: 'text', role: 'user' },
  { id: 'i', section: 'history', kind: 'reasoning', role: 'assistant' },
  { id: 'i', section: 'evidence', kind: 'evidence', provenance: { sourceId: 'wiki/a b' } },
  { id: 'i', section: 'memory', kind: 'memory' },
]
const count = (text: string): number => Math.ceil(text.length / 4)
const thinning: LadderOptions['conversation'] = { visible: new Set(), age: 30, callTokens: 60, shares: [0.5, 0.2] }

interface Drawn {
  readonly kind: Omit<Item, 'text'>
  readonly text: string
  readonly step: boolean
  /** Lines that stand before it: so many, or every third of them. */
  readonly known: number
  readonly sparsely: boolean
  readonly ofCall: boolean
}

const anyItem = fc.record({
  kind: fc.constantFrom(...kinds),
  text: manyLines,
  step: fc.boolean(),
  known: fc.nat(40),
  sparsely: fc.boolean(),
  ofCall: fc.boolean(),
})

const longLine = (number: number): string => `${number}${' and so on'.repeat(30)}`
const telling = (number: number): string =>
  Array.from({ length: 6 }, (_, at) => `def name_${number}_${at}(): pass`).join('\n')
const block = [1, 2, 3, 4, 5].map((number) => `${telling(number)}\n${longLine(number)}`).join('\n')
const rows = Array.from(
  { length: 60 },
  (_, row) => `${row},person ${row},${row % 5 === 0 ? 'left' : 'stays'},${row * 37}`,
)
const table = ['id,name,state,amount', ...rows].join('\n')
const ofTables = kinds.map((kind): [Drawn] => [
  { kind, text: table, step: false, known: 0, sparsely: false, ofCall: false },
])
/** What has every form at least once, whatever is drawn. */
const ofTexts = kinds.flatMap((kind) =>
  [
    'exit code: 3',
    'failed',
    'exit code: 0\n1 failed, 3 passed in 0.1s',
    'exit code: 0\n2 failed, 3 passed in 0.1s',
    'done',
  ].flatMap((end) =>
    [0, 1, 2, 3].map((bits): [Drawn] => {
      const told = end === 'failed' ? { ...kind, status: 'error' as const } : kind
      const [ofCall, step] = [bits % 2 === 1, bits > 1]
      return [{ kind: told, text: `${block}\n${end}`, step, known: 21, sparsely: end !== 'done', ofCall }]
    }),
  ),
)

/** Letters and digits as base64 has them. */
const base64 = (length: number): string => {
  const letters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/'
  return Array.from({ length }, (_, at) => letters[(at * 37 + (at % 7) * 11) % 64]).join('')
}
const withData = [
  JSON.stringify({ 'name': 'plot', 'image/png': base64(900), 'rows': 3 }),
  `The logo:\n<img src='data:image/png;base64,${base64(400)}' alt='logo'> and ${JSON.stringify(base64(5000))}\nThe end`,
]
const ofData = withData.flatMap((text) =>
  kinds.map((kind): [Drawn] => [{ kind, text, step: false, known: 0, sparsely: false, ofCall: false }]),
)

/** One line of JSON that says many: its pieces begin behind escaped line feeds. */
const oneLine = JSON.stringify([{ query: 'f', result: `${telling(1)}\n${longLine(2)}\n${telling(3)}\n${longLine(4)}` }])
const ofLine = kinds.map((kind): [Drawn] => [
  { kind, text: oneLine, step: false, known: 0, sparsely: false, ofCall: false },
])

const examples = [...ofTables, ...ofTexts, ...ofData, ...ofLine]

/** All ways to show a text of which some lines stand before it. */
function* renditionsOf(drawn: Drawn): Generator<readonly [Item, Rendition, Item]> {
  const { kind, text, step, sparsely, ofCall } = drawn
  const inCall = (content: string): string => (ofCall ? JSON.stringify({ content }) : content)
  const lines = text.split('\n').slice(2, 2 + drawn.known)
  const before = lines.filter((_, at) => !sparsely || at % 3 === 0).join('\n')
  const first: Item = { ...source, kind: ofCall ? 'tool-call' : 'tool-result', text: inCall(before) }
  const item: Item = { ...kind, text: kind.kind === 'tool-call' ? JSON.stringify({ path: 'f', content: text }) : text }
  const known = factReader().linesOf(first, first.text)
  const shownLines = lineIndex().add({ key: 'ks', step: 1, call: ofCall }, known.split('\n'))
  const usualEnds = { head: text.split('\n').slice(0, 4), tail: text.split('\n').slice(-3), isSaid: false }
  const conversations = [
    undefined,
    { shownLines },
    { shownLines, brief: true },
    { mayCutData: true },
    { usualEnds },
    { usualEnds: { ...usualEnds, step: 1 }, brief: true },
    { ...thinning, lineWorth: 0.001 },
    { ...thinning, lineWorth: 0.001, spent: () => (line: string) => line.startsWith('3 and') },
    { ...thinning, lowestRung: 'line' },
  ] as const
  for (const conversation of conversations) {
    const options: LadderOptions = { count, handle, ...(step && { step: 2 }), ...(conversation && { conversation }) }
    for (const rendition of ladderFor(item, options)) if (rendition.text !== item.text) yield [item, rendition, first]
  }
}

describe('every marker that a ladder makes', () => {
  it('comes out of a call as the text that it stands for', async () => {
    const seen = new Set<MarkerForm | undefined>()
    await fc.assert(
      fc.asyncProperty(anyItem, async (drawn) => {
        for (const [item, rendition, first] of renditionsOf(drawn)) {
          // Data is left out of the middle of lines.
          const markers = rendition.text.match(/\[\d+ characters of data left out: [^\]]+\]/g) ?? []
          for (const line of [...rendition.text.split(/\n|\\n/), ...markers])
            seen.add(readMarker(line.replaceAll('\\"', '"'))?.form)
          // Lossless forms that are written another way have no marker to copy.
          if (rendition.rung === 'lossless' && rendition.references === undefined) continue
          if (rendition.text.includes(handle)) expect(mentionsMarker(rendition.text)).toBe(true)
          for (const copy of copiesOf(item, rendition.text))
            expect(await writtenOut(writerOf(item, rendition, first), copy)).toBe(copy.original)
        }
      }),
      { numRuns: examples.length + 40, examples, plugins: [atLeastRuns(examples.length + 40)] },
    )
    // Those of media stand for nothing that could be written: a call with one is not run (screens.test.ts).
    const ofMedia = /^(?:image|audio|video|document)(?:-step|-shown)?$/
    // No ladder of what is said makes these: summaries and notes of steps stand for several items, a reference for one that stands elsewhere, and tools are defined.
    const ofOthers = ['summary', 'steps', 'refer', 'schema', 'schema-examples']
    expect(markerForms.filter((form) => !ofOthers.includes(form) && !seen.has(form) && !ofMedia.test(form))).toEqual([])
  })

  it('in a string of JSON comes out as what the string says, and copied with the JSON as the JSON says it', async () => {
    const seen = new Set<MarkerForm | undefined>()
    const inJson = (result: string): string => JSON.stringify([{ query: 'cat "f"', result, success: true }])
    const resultIn = (json: string): string => (JSON.parse(json) as [{ readonly result: string }])[0].result
    const plainLine = fc.tuple(fc.nat(9999), words).map(([number, text]) => `line_${number} ${text}`)
    const texts = fc.array(plainLine, { minLength: 30, maxLength: 60 })
    await fc.assert(
      fc.asyncProperty(texts, fc.nat(12), fc.boolean(), async (lines, from, isNumbered) => {
        const all = isNumbered ? lines.map((line, at) => `${at + 1}\t${line}`) : lines
        const known = all.slice(from, from + 20)
        const first: Item = { ...source, text: inJson(known.join('\n')) }
        const item: Item = { ...kinds[0]!, text: inJson(all.join('\n')) }
        const shownLines = lineIndex().add({ key: 'ks', step: 1, call: false }, known)
        for (const conversation of [{ shownLines }, { shownLines, brief: true }, { ...thinning, lineWorth: 0.001 }]) {
          for (const rendition of ladderFor(item, { count, handle, conversation })) {
            if (rendition.text === item.text) continue
            const [whole] = copiesOf(item, rendition.text)
            expect(await writtenOut(writerOf(item, rendition, first), whole!)).toBe(whole!.original)
            if (rendition.references === undefined) continue
            const said = resultIn(rendition.text)
            for (const line of said.split('\n')) seen.add(readMarker(line)?.form)
            for (const copy of copiesOf({ ...item, text: all.join('\n') }, said))
              expect(await writtenOut(writerOf(item, rendition, first), copy)).toBe(copy.original)
          }
        }
      }),
    )
    expect([...seen]).toEqual(expect.arrayContaining(['repeats', 'brief-repeats']))
  })

  it('and so does a reference to another item: as what its own item says', async () => {
    const item: Item = {
      id: 'm1',
      section: 'memory',
      kind: 'memory',
      text: 'The deposit is 500 euros.\nIt comes back in 30 days.',
    }
    const text = writeReference({ name: 'e1', text: 'The deposit is 500 euros, and comes back.', handle })
    expect(readMarker(text)?.form).toBe('refer')
    const rendition: Rendition = { rung: 'lossless', text, tokens: 9, fidelity: 1, handle }
    for (const copy of copiesOf(item, text))
      expect(await writtenOut(writerOf(item, rendition, source), copy)).toBe(copy.original)
  })
})

const codec = codecFor('openai-chat')

/** All turns of a run, as they went out. */
async function* turnsOf(run: RecordedRun, policy: Policy, parts: ReturnType<typeof sessionParts>) {
  const sessions = openSessions(parts)
  for (const at of askedAt(run)) {
    const body = chatBody(run.messages.slice(0, at))
    const received = codec.decode({ body }, sessions.guess('acme', body))
    const session = sessions.open({ tenant: 'acme', session: run.id, lane: 'lane' })
    const turn = await session.pack({ codec, received, requestId: `${at}`, mode: 'on', policy, rehydrates: true })
    if (turn.kind === 'packed') yield turn
  }
}

interface Shortened {
  readonly item: Item
  readonly shown: string
}

/** What a turn shows otherwise than it came, as far as `seen` does not have it. */
function shortened({ exchange, encoded }: SessionTurn, seen: Set<string>): readonly Shortened[] {
  const items = new Map(exchange.conversation.items.map((item) => [item.id, item]))
  return (encoded?.pack.entries ?? []).flatMap(({ itemId, text: shown }) => {
    const item = items.get(itemId)
    if (item === undefined || item.text === shown || seen.has(`${itemId}\n${shown}`)) return []
    seen.add(`${itemId}\n${shown}`)
    return [{ item, shown }]
  })
}

/** Usual ends that are left out without a word are no part of what a model copies. */
function isBared({ kind, text }: Item, shown: string): boolean {
  const isOther = (at: 0 | -1): boolean => {
    const line = shown.split('\n').at(at) ?? ''
    return text.split('\n').at(at) !== line && readMarker(line) === undefined
  }
  return kind === 'tool-result' && (saysEnds(shown) || isOther(0) || isOther(-1))
}

function contentOf(json: string): string {
  return (JSON.parse(json) as { readonly content: string }).content
}

/** Briefs and extracts of old text say what was said, and stand for no text that a call could mean. */
function withoutExtracts({ epochs, ...policy }: Policy): Policy {
  const { compaction: _, oldText: __, ...others } = epochs
  return { ...policy, epochs: others }
}

describe.each([careful, thrifty])('every marker in recorded runs, $id', (shipped) => {
  const policy = withoutExtracts(shipped)

  it('comes out of a call as the text that it stands for', async () => {
    let copied = 0
    let nowMs = 0
    for (const run of [...recordedRuns('lite_test_a', 2), ...recordedRuns('deepseek_chat_dev', 2)]) {
      const parts = sessionParts({ clock: () => (nowMs += 10_000) })
      const seen = new Set<string>()
      for await (const turn of turnsOf(run, policy, parts)) {
        for (const { item, shown } of shortened(turn, seen)) {
          for (const copy of copiesOf(item, shown)) {
            copied += 1
            const written = await writtenOut(markerWriterFor(parts, turn)!, copy)
            if (!isBared(item, shown)) expect(written).toBe(copy.original)
            else if (copy.shown === argumentsOf(shown)) expect(item.text).toContain(contentOf(written))
          }
        }
      }
    }
    expect(copied).toBeGreaterThan(100)
  })
})
