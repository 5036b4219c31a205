import type { JsonObject } from '../../core/index.ts'
import { isJsonObject, isSetupText, typedText } from '../../core/index.ts'
import type { SimulatedCall, SimulatedDialect } from './dialect.ts'
import { objectOf } from './read-json.ts'
import { smallestValue } from './sample/smallest-value.ts'
import type { ScriptedAnswer } from './script.ts'

/** The answer to a request that no script covers: the same for the same request. */
export function echoAnswer(dialect: SimulatedDialect, { body }: SimulatedCall): ScriptedAnswer {
  const forced = dialect.forcedTool(body)
  if (forced !== undefined) return { toolCalls: [{ name: forced.name, arguments: smallestValue(forced.schema) }] }
  const schema = replySchema(body)
  if (schema !== undefined) return { text: JSON.stringify(smallestValue(schema)) }
  const said = ownWords(dialect.lastUserTexts(body)).trim().replaceAll(/\s+/g, ' ')
  const echoed = said === '' ? 'You said nothing.' : `You said: ${shortened(said, 160)}`
  return { text: wantsJson(body) ? JSON.stringify({ answer: echoed }) : echoed }
}

/** Whether a request wants its reply as JSON, of a schema or not. */
export function wantsJson(body: JsonObject): boolean {
  return replySchema(body) !== undefined || formatsOf(body).some((format) => isJsonFormat(format))
}

function isJsonFormat(format: JsonObject): boolean {
  const { type, responseMimeType, response_mime_type: mimeType } = format
  return type === 'json_object' || [responseMimeType, mimeType].includes('application/json')
}

/** What the user has typed, without the blocks in tags that agents put before it; all of it where there is nothing else. */
function ownWords(texts: readonly string[]): string {
  const own = texts.flatMap((text) => (isSetupText(text) ? [] : [typedText(text)]))
  return (own.length > 0 ? own : texts).join(' ')
}

/** The schema that a request wants its reply to follow, in whatever dialect. */
function replySchema(body: JsonObject): JsonObject | undefined {
  const schemas = formatsOf(body).flatMap((format) => [
    objectOf(format['json_schema'])['schema'],
    format['schema'],
    format['responseJsonSchema'] ?? format['response_json_schema'],
    format['responseSchema'] ?? format['response_schema'],
  ])
  return schemas.find((schema) => isJsonObject(schema))
}

/** Where the dialects say what form a reply is to have. */
function formatsOf(body: JsonObject): readonly JsonObject[] {
  return [
    body['response_format'],
    objectOf(body['text'])['format'],
    objectOf(body['output_config'])['format'],
    body['output_format'],
    body['generationConfig'] ?? body['generation_config'],
  ].map(objectOf)
}

function shortened(text: string, length: number): string {
  const points = [...text]
  return points.length <= length ? text : `${points.slice(0, length).join('')}…`
}
