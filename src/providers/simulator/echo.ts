import type { JsonObject, JsonValue } from '../../core/index.ts'
import { isJsonObject, isSetupText, typedText } from '../../core/index.ts'
import type { SimulatedCall, SimulatedDialect } from './dialect.ts'
import { listOf, objectOf, textOf } from './read-json.ts'
import type { ScriptedAnswer } from './script.ts'

/** The answer to a request that no script covers: the same for the same request. */
export function echoAnswer(dialect: SimulatedDialect, { body }: SimulatedCall): ScriptedAnswer {
  const forced = dialect.forcedTool(body)
  if (forced !== undefined) return { toolCalls: [{ name: forced.name, arguments: sampleOf(forced.schema) }] }
  const schema = replySchema(body)
  if (schema !== undefined) return { text: JSON.stringify(sampleOf(schema)) }
  const said = ownWords(dialect.lastUserTexts(body)).trim().replaceAll(/\s+/g, ' ')
  return { text: said === '' ? 'You said nothing.' : `You said: ${shortened(said, 160)}` }
}

/** What the user has typed, without the blocks in tags that agents put before it; all of it where there is nothing else. */
function ownWords(texts: readonly string[]): string {
  const own = texts.flatMap((text) => (isSetupText(text) ? [] : [typedText(text)]))
  return (own.length > 0 ? own : texts).join(' ')
}

/** The schema that a request wants its reply to follow, in whatever dialect. */
export function replySchema(body: JsonObject): JsonObject | undefined {
  const config = objectOf(body['generationConfig'] ?? body['generation_config'])
  const formats = [
    objectOf(objectOf(body['response_format'])['json_schema'])['schema'],
    objectOf(objectOf(body['text'])['format'])['schema'],
    objectOf(objectOf(body['output_config'])['format'])['schema'],
    config['responseJsonSchema'] ?? config['responseSchema'],
  ]
  return formats.find((schema) => isJsonObject(schema))
}

function shortened(text: string, length: number): string {
  const points = [...text]
  return points.length <= length ? text : `${points.slice(0, length).join('')}…`
}

const samples: Readonly<Record<string, JsonValue>> = {
  string: '',
  number: 0,
  integer: 0,
  boolean: false,
  array: [],
  null: null,
}

/** The smallest value that a simple schema admits. */
export function sampleOf(schema: JsonObject): JsonValue {
  const [first] = listOf(schema['enum'])
  if (first !== undefined) return first
  const type = (textOf(schema['type']) ?? 'object').toLowerCase()
  if (type !== 'object') return samples[type] ?? null
  const properties = objectOf(schema['properties'])
  const required = listOf(schema['required']).filter((name) => typeof name === 'string')
  return Object.fromEntries(required.map((name) => [name, sampleOf(objectOf(properties[name]))]))
}
