import type { JsonValue } from '../src/core/index.ts'
import { isJsonObject } from '../src/core/index.ts'

interface Result {
  /** Of its call; empty where the dialect has none. */
  readonly id: string
  readonly text: string
}

/** The texts of all results of tools that a request shows, in whatever dialect, in the order of their calls: some clients send first what came first. */
export function resultsIn({
  json,
  body,
}: {
  readonly json?: JsonValue | undefined
  readonly body: string
}): readonly string[] {
  const placed = resultsOf(json).map(({ id, text }, index) => ({
    text,
    at: id === '' ? index : body.indexOf(JSON.stringify(id)),
  }))
  return placed.toSorted((a, b) => a.at - b.at).map(({ text }) => text)
}

function resultsOf(value: JsonValue | undefined): readonly Result[] {
  if (Array.isArray(value)) return (value as readonly JsonValue[]).flatMap(resultsOf)
  if (!isJsonObject(value)) return []
  const { role, type, content, output, functionResponse } = value
  const ids = [value['tool_call_id'], value['tool_use_id'], value['call_id']]
  const id = ids.find((each) => typeof each === 'string') ?? ''
  if (role === 'tool' || type === 'tool_result') return [{ id, text: textIn(content) }]
  if (type === 'function_call_output') return [{ id, text: textIn(output) }]
  if (isJsonObject(functionResponse)) return [{ id: '', text: textIn(functionResponse['response']) }]
  return Object.values(value).flatMap(resultsOf)
}

/** A text, or all texts of blocks or of members. */
function textIn(value: JsonValue | undefined): string {
  if (typeof value === 'string') return value
  if (Array.isArray(value)) return (value as readonly JsonValue[]).map(textIn).join('')
  if (!isJsonObject(value)) return ''
  const { text } = value
  return text === undefined ? Object.values(value).map(textIn).join('') : textIn(text)
}
