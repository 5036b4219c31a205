import type { LabelledPassage } from './labelled-set.ts'
import type { PlacedRecord } from './record-fields.ts'
import { inside, traceError } from '../trace-error.ts'
import type { TracePlace } from '../trace-error.ts'
import { asQuestion, ids, rawQuestion } from './raw-records.ts'
import type { ReadRecord, RecordShape } from './raw-records.ts'
import { indexEntry, listField, optionalText, recordEntry, textField } from './record-fields.ts'
import { toolShapes } from './tool-shapes.ts'

/** Every shape that is known, the first that fits goes. */
export const recordShapes: readonly RecordShape[] = [
  ...toolShapes,
  {
    name: 'meeting',
    members: '{id, turns: [{speaker, text}], queries: [{id, query, spans}]}',
    is: ({ turns, queries }) => Array.isArray(turns) && Array.isArray(queries),
    read: readMeeting,
  },
  {
    name: 'conversation',
    members: '{id, turns: [{id, speaker, text}]}',
    is: ({ id, turns }) => id !== undefined && Array.isArray(turns),
    read: (placed) => readConversation(placed, 'id', datedTurn),
  },
  {
    name: 'scenario',
    members: '{scenario, turns: [{role, content}]}',
    is: ({ scenario, turns }) => scenario !== undefined && Array.isArray(turns),
    read: (placed) => readConversation(placed, 'scenario', roleTurn),
  },
  {
    name: 'conversation questions',
    members: '{id, conv, question, evidence: [turn id]}',
    is: ({ conv, question }) => conv !== undefined && question !== undefined,
    read: readConversationQuestion,
  },
  {
    name: 'scenario questions',
    members: '{id, scenario, question, answers, source_turns}',
    is: ({ scenario, question }) => scenario !== undefined && question !== undefined,
    read: readScenarioQuestion,
  },
  {
    name: 'answers in passages',
    members: '{id, question, answers, gold}',
    is: ({ question, gold }) => question !== undefined && typeof gold === 'string',
    read: readPassageQuestion,
  },
  {
    name: 'claims',
    members: '{id, query, gold: [document id], evidence: [{doc, sentences}]}',
    is: ({ query, gold }) => query !== undefined && Array.isArray(gold),
    read: readClaim,
  },
  {
    name: 'tasks with documents',
    members: '{id, query, gold_docs: [document id]}',
    is: ({ query, gold_docs }) => query !== undefined && Array.isArray(gold_docs),
    read: (placed) => asQuestion({ placed, text: 'query', field: 'gold_docs', evidence: ids(placed, 'gold_docs') }),
  },
  {
    name: 'documents',
    members: '{id, title, text} or {id, title, sentences}',
    is: ({ id, text, sentences }) => id !== undefined && (typeof text === 'string' || Array.isArray(sentences)),
    read: readDocument,
  },
]

function answersOf(placed: PlacedRecord): readonly string[] {
  return ids(placed, 'answers').filter((answer) => answer !== '')
}

function readMeeting(placed: PlacedRecord): ReadRecord {
  const id = textField(placed, 'id')
  const passages = listField(placed, 'turns', (value, place) => spokenTurn(recordEntry(value, place), id)).map(
    (passage, at) => ({ ...passage, id: String(at) }),
  )
  const questions = listField(placed, 'queries', (value, place) => {
    const query = recordEntry(value, place)
    const spans = listField(query, 'spans', spanEntry(passages.length))
    const evidence = spans.flatMap(([first, last]) => Array.from({ length: last - first + 1 }, (_, at) => first + at))
    return rawQuestion({ placed: query, text: 'query', of: id, field: 'spans', evidence: [...new Set(evidence)] })
  })
  return { kind: 'conversation', conversation: { id, passages, questions } }
}

/** The first and the last turn of a passage, both from 0. */
function spanEntry(size: number) {
  const index = indexEntry(size)
  return (value: unknown, place: TracePlace): readonly [first: number, last: number] => {
    if (!Array.isArray(value) || value.length !== 2)
      throw traceError(place, 'is no span', 'Give its first and its last turn, from 0')
    const [first, last] = [index(value[0], inside(place, 0)), index(value[1], inside(place, 1))]
    if (first > last) throw traceError(place, 'ends before it begins', 'Give its first turn, then its last')
    return [first, last]
  }
}

type ReadTurn = (placed: PlacedRecord, thread: string) => LabelledPassage

function readConversation(placed: PlacedRecord, name: string, readTurn: ReadTurn): ReadRecord {
  const id = textField(placed, name)
  const passages = listField(placed, 'turns', (value, place) => readTurn(recordEntry(value, place), id))
  return { kind: 'conversation', conversation: { id, passages, questions: [] } }
}

function spokenTurn(turn: PlacedRecord, thread: string): LabelledPassage {
  const speaker = textField(turn, 'speaker')
  const text = optionalText(turn, 'text') ?? ''
  return { id: '', text: `${speaker}: ${text}`, found: { text, speaker, thread } }
}

/** A turn is also found by its date and by what a picture in it shows, which are not part of its words. */
function datedTurn(turn: PlacedRecord, thread: string): LabelledPassage {
  const { text, found } = spokenTurn(turn, thread)
  const about = [optionalText(turn, 'date'), optionalText(turn, 'image_caption')].filter((one) => one !== undefined)
  return { id: textField(turn, 'id'), text, found: { ...found, about: about.join(' ') } }
}

function roleTurn(turn: PlacedRecord, thread: string): LabelledPassage {
  const text = textField(turn, 'content')
  const role = textField(turn, 'role')
  return { id: `${thread} ${turn.place.field}`, text: `${role}: ${text}`, found: { text, thread } }
}

function readConversationQuestion(placed: PlacedRecord): ReadRecord {
  const leftOut = placed.record['category'] === 5 ? 'without an answer' : undefined
  const of = textField(placed, 'conv')
  return asQuestion({ placed, text: 'question', of, field: 'evidence', evidence: ids(placed, 'evidence'), leftOut })
}

function readScenarioQuestion(placed: PlacedRecord): ReadRecord {
  const evidence = listField(placed, 'source_turns', (value) => Number(value))
  const of = textField(placed, 'scenario')
  return asQuestion({ placed, text: 'question', of, field: 'source_turns', evidence, answers: answersOf(placed) })
}

function readPassageQuestion(placed: PlacedRecord): ReadRecord {
  const evidence = [textField(placed, 'gold')]
  return asQuestion({ placed, text: 'question', field: 'gold', evidence, answers: answersOf(placed) })
}

function readClaim(placed: PlacedRecord): ReadRecord {
  const sentences =
    placed.record['evidence'] === undefined
      ? []
      : listField(placed, 'evidence', (value, place) => {
          const told = recordEntry(value, place)
          const document = textField(told, 'doc')
          return listField(told, 'sentences', (sentence) => ({ document, sentence: Number(sentence) }))
        })
  return asQuestion({
    placed,
    text: 'query',
    field: 'gold',
    evidence: ids(placed, 'gold'),
    sentences: sentences.flat(),
  })
}

function readDocument(placed: PlacedRecord): ReadRecord {
  const id = textField(placed, 'id')
  const title = optionalText(placed, 'title')
  const sentences = placed.record['sentences'] === undefined ? [] : ids(placed, 'sentences')
  const text = sentences.length > 0 ? sentences.join(' ') : textField(placed, 'text')
  const shown = title === undefined ? text : `${title}\n${text}`
  return { kind: 'document', document: { id, text: shown, sentences, found: { text, about: title } } }
}
