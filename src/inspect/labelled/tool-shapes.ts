import type { JsonObject } from '../../core/index.ts'
import { isJsonObject } from '../../core/index.ts'
import { asQuestion, ids, rawQuestion } from './raw-records.ts'
import type { ReadRecord, RecordShape } from './raw-records.ts'
import { listField, optionalText, recordEntry, textField } from './record-fields.ts'
import type { PlacedRecord } from './record-fields.ts'

/** The shape of definitions of tools, of which a request offers some. */
export const toolCatalogue = 'tools'

/** Tasks whose tools are known, and the catalogues of those tools. */
export const toolShapes: readonly RecordShape[] = [
  {
    name: 'turns with tools',
    members: '{id, turns: [{user, gold_functions: [tool name]}]}',
    is: ({ turns }) => Array.isArray(turns) && isJsonObject(turns[0]) && Array.isArray(turns[0]['gold_functions']),
    read: readToolTurns,
  },
  {
    name: 'steps with tools',
    members: '{task_id, step, tool: tool id, last_route_query, first_use?}',
    is: isToolStep,
    read: readToolStep,
  },
  {
    name: 'tasks with tools',
    members: '{id, messages: [{role, content}], gold_names: [tool name]}',
    is: ({ messages, gold_names }) => Array.isArray(messages) && Array.isArray(gold_names),
    read: readToolTask,
  },
  {
    name: toolCatalogue,
    members: '{id, name, description}',
    is: ({ id, name, description, text }) =>
      id !== undefined && typeof name === 'string' && typeof description === 'string' && text === undefined,
    read: readTool,
  },
]

/** Whether a record says which tool an agent ran after which search. */
export function isToolStep({ tool, last_route_query: query }: JsonObject): boolean {
  return typeof tool === 'string' && typeof query === 'string'
}

/** What the user has asked, the last thing last; tools are known by their names. */
function readToolTask(placed: PlacedRecord): ReadRecord {
  const said = listField(placed, 'messages', (value, place) => {
    const message = recordEntry(value, place)
    return textField(message, 'role') === 'user' ? textField(message, 'content') : ''
  })
  const text = said.filter((one) => one !== '').join('\n')
  const record = { ...placed.record, query: text }
  return asQuestion({
    placed: { ...placed, record },
    text: 'query',
    field: 'gold_names',
    evidence: ids(placed, 'gold_names'),
  })
}

/** Of several servers, two may call a tool by one name: there its id counts. */
function readTool(placed: PlacedRecord): ReadRecord {
  const name = textField(placed, 'name')
  const description = optionalText(placed, 'description') ?? ''
  const { server, parameters = placed.record['inputSchema'] } = placed.record
  const id = server === undefined ? name : textField(placed, 'id')
  const text = JSON.stringify({ name, description, ...(parameters !== undefined && { parameters }) })
  return { kind: 'document', document: { id, text, sentences: [], found: { text, about: serverOf(placed) } } }
}

/** One task for each turn: what the user says in it, and the functions that it calls. */
function readToolTurns(placed: PlacedRecord): ReadRecord {
  const id = textField(placed, 'id')
  const questions = listField(placed, 'turns', (value, place) => {
    const turn = recordEntry(value, place)
    const functions = [...new Set(ids(turn, 'gold_functions'))]
    const asked = { ...turn, record: { ...turn.record, id: `${id} ${place.field}` } }
    return rawQuestion({ placed: asked, text: 'user', field: 'gold_functions', evidence: functions })
  })
  return { kind: 'questions', questions }
}

/** What an agent searched for, and the tool that it then ran; only the first run of a tool follows from a search. */
function readToolStep(placed: PlacedRecord): ReadRecord {
  const id = `${textField(placed, 'task_id')} step ${textField(placed, 'step')}`
  const leftOut = placed.record['first_use'] === false ? 'of tools used before' : undefined
  return asQuestion({
    placed: { ...placed, record: { ...placed.record, id } },
    text: 'last_route_query',
    field: 'tool',
    evidence: [textField(placed, 'tool')],
    leftOut,
  })
}

/** A tool is also found by its server. */
function serverOf(placed: PlacedRecord): string | undefined {
  const said = [optionalText(placed, 'server'), optionalText(placed, 'server_description')].filter(Boolean)
  return said.length === 0 ? undefined : said.join(' ')
}
