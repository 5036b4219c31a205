import type { PrehendError } from '../../core/index.ts'
import { isPrehendError, grouped } from '../../core/index.ts'
import { inside, traceError } from '../trace-error.ts'
import type { LabelledGroup, LabelledPassage, LabelledQuestion, LabelledQuote, LabelledSet } from './labelled-set.ts'
import type { RawConversation, RawDocument, RawQuestion } from './raw-records.ts'
import { toolCatalogue } from './tool-shapes.ts'

/** What one file holds. */
export interface LabelledFile {
  readonly name: string
  readonly shape: string
  readonly conversations: readonly RawConversation[]
  readonly documents: readonly RawDocument[]
  readonly questions: readonly RawQuestion[]
}

type OnInvalid = (error: PrehendError) => void

/**
 * Puts questions and what they were asked of together, whatever files they stand in: one set for each file with questions. Told of every
 * question that names what no file has.
 */
export function joinLabelled(files: readonly LabelledFile[], onInvalid: OnInvalid): readonly LabelledSet[] {
  const conversations = new Map(files.flatMap((file) => file.conversations.map((one) => [one.id, one])))
  return files.flatMap((file): readonly LabelledSet[] => {
    const own = file.conversations.flatMap(({ questions }) => questions)
    const asked = [...own, ...file.questions]
    if (asked.length === 0) return []
    const [first] = asked
    const groups =
      first?.of === undefined
        ? documentGroups(asked, files, onInvalid)
        : conversationGroups(asked, conversations, onInvalid)
    const { name, shape } = file
    const held = groups.filter(({ questions }) => questions.length > 0)
    const isOfTools = (id: string): boolean => files.some((other) => other.name === id && other.shape === toolCatalogue)
    const ofDocuments = held.length > 0 && held.every(({ id }) => isOfTools(id)) ? 'tools' : 'documents'
    const kind = first?.of === undefined ? ofDocuments : 'conversation'
    return [{ name, shape, kind, groups: held, leftOut: counted(asked) }]
  })
}

function counted(questions: readonly RawQuestion[]): Readonly<Record<string, number>> {
  const counts: Record<string, number> = {}
  for (const { leftOut } of questions) if (leftOut !== undefined) counts[leftOut] = (counts[leftOut] ?? 0) + 1
  return counts
}

function conversationGroups(
  questions: readonly RawQuestion[],
  conversations: ReadonlyMap<string, RawConversation>,
  onInvalid: OnInvalid,
): readonly LabelledGroup[] {
  const byConversation = grouped(
    questions.filter((one) => one.leftOut === undefined),
    ({ of = '' }) => of,
  )
  return Array.from(byConversation, ([id, asked]): LabelledGroup => {
    const passages = conversations.get(id)?.passages ?? []
    const placeOf = placesOf(passages)
    const read = asked.flatMap((one) =>
      readOrTold(onInvalid, () => {
        if (!conversations.has(id)) throw missing(one, `names conversation ${id}`, 'its conversation')
        return resolved(one, passages, placeOf)
      }),
    )
    return { id, passages, questions: read }
  })
}

/** Documents are one collection for each file of them that a question names. */
function documentGroups(
  questions: readonly RawQuestion[],
  files: readonly LabelledFile[],
  onInvalid: OnInvalid,
): readonly LabelledGroup[] {
  const collections = files
    .filter(({ documents }) => documents.length > 0)
    .map(({ name, shape, documents: all }) => ({ name, documents: shape === toolCatalogue ? eachOnce(all) : all }))
    .map(({ name, documents }) => ({
      name,
      documents,
      placeOf: placesOf(documents),
      questions: [] as LabelledQuestion[],
    }))
  for (const one of questions) {
    if (one.leftOut !== undefined) continue
    const found = readOrTold(onInvalid, () => {
      const home = collections.find(({ placeOf }) => placeOf.has(one.evidence[0] ?? ''))
      if (home === undefined) throw missing(one, `names document ${String(one.evidence[0])}`, 'its documents')
      return { home, read: resolved(one, home.documents, home.placeOf) }
    })
    for (const { home, read } of found) home.questions.push(read)
  }
  return collections.map(({ name, documents, questions: asked }) => ({
    id: name,
    passages: documents,
    questions: asked,
  }))
}

/** Tools are called by their names: of several that have one, the first. */
function eachOnce(documents: readonly RawDocument[]): readonly RawDocument[] {
  const seen = new Set<string>()
  return documents.filter(({ id }) => !seen.has(id) && seen.add(id))
}

function readOrTold<Value>(onInvalid: OnInvalid, read: () => Value): readonly Value[] {
  try {
    return [read()]
  } catch (error) {
    if (!isPrehendError(error)) throw error
    onInvalid(error)
    return []
  }
}

function missing({ placed, field }: RawQuestion, what: string, whose: string): PrehendError {
  return traceError(inside(placed.place, field), `${what}, which no file given holds`, `Name the file of ${whose}, too`)
}

type Places = ReadonlyMap<string | number, number>

/** Places by id, and by themselves. */
function placesOf(passages: readonly LabelledPassage[]): Places {
  return new Map(
    passages.flatMap(({ id }, at): readonly (readonly [string | number, number])[] => [
      [id, at],
      [at, at],
    ]),
  )
}

function resolved(
  raw: RawQuestion,
  passages: readonly (LabelledPassage & Partial<RawDocument>)[],
  placeOf: Places,
): LabelledQuestion {
  const at = inside(raw.placed.place, raw.field)
  const evidence = raw.evidence.map((name, index) => {
    const place = placeOf.get(name)
    if (place !== undefined) return place
    const what = typeof name === 'number' ? 'is no turn of its conversation' : `names ${name}, which is not there`
    throw traceError(inside(at, index), what, 'Name what the conversation or its documents hold')
  })
  return { id: raw.id, text: raw.text, evidence, quotes: quotesOf(raw, { passages, placeOf, evidence }) }
}

interface Resolving {
  readonly passages: readonly (LabelledPassage & Partial<RawDocument>)[]
  readonly placeOf: Places
  readonly evidence: readonly number[]
}

/** Sentences that tell it; else answers, where they stand word for word in what is needed. */
function quotesOf(
  { sentences, answers, placed }: RawQuestion,
  { passages, placeOf, evidence }: Resolving,
): readonly LabelledQuote[] {
  const told = sentences.map(({ document, sentence }): LabelledQuote => {
    const at = placeOf.get(document) ?? -1
    const text = passages[at]?.sentences?.[sentence]
    if (text !== undefined) return { at, anyOf: [text] }
    throw traceError(
      inside(placed.place, 'evidence'),
      `names sentence ${sentence} of ${document}, which is not there`,
      'Count sentences from 0',
    )
  })
  if (told.length > 0) return told
  return evidence.flatMap((at): readonly LabelledQuote[] => {
    const anyOf = answers.filter((answer) => passages[at]?.text.includes(answer))
    return anyOf.length === 0 ? [] : [{ at, anyOf }]
  })
}
