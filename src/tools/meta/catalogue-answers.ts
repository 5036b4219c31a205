import type { ToolDefinition } from '../../core/index.ts'
import { isJsonObject, jsonValue } from '../../core/index.ts'
import { nothingLearnt, qualityBy } from '../quality/learnt-tools.ts'
import type { LearntTools } from '../quality/learnt-tools.ts'
import { catalogueIndex } from '../search/catalogue-index.ts'
import type { QueryMeaning } from '../search/meanings.ts'
import { executeToolName, searchToolsName, toolSchemaName, usualSearchLimit } from './meta-tools.ts'
import { purposeOf } from '../registry/purpose.ts'
import { toolLine } from '../registry/tool-line.ts'

/** What a model is told of a catalogue. */
export interface CatalogueAnswer {
  readonly text: string
  /** Whether the catalogue had what was asked for. */
  readonly found: boolean
  /** The tools that the answer names. */
  readonly names: readonly string[]
}

const mostFound = 20
const mostQueryChars = 1_000

/** The words that a call of `search_tools` looks for; undefined where it has none. */
export function searchedWords(argumentsJson: string): string | undefined {
  const given = jsonValue(argumentsJson)
  const query = isJsonObject(given) ? given['query'] : undefined
  return typeof query === 'string' && query.trim() !== '' ? query.slice(0, mostQueryChars).toWellFormed() : undefined
}

export interface SearchBasis {
  /** Nothing by default. */
  readonly learnt?: LearntTools
  /** The words and the tools as vectors; without them, words alone decide. */
  readonly meaning?: QueryMeaning | undefined
}

/** Answers a call of `search_tools`: the tools that fit best by what they are and what is learnt of their use, a line each. */
export function searchAnswer(
  tools: readonly ToolDefinition[],
  argumentsJson: string,
  { learnt = nothingLearnt, meaning }: SearchBasis = {},
): CatalogueAnswer {
  const words = searchedWords(argumentsJson)
  if (words === undefined) return nothing(`Call ${searchToolsName} with {"query": "…"}: what you want to do.`)
  const given = jsonValue(argumentsJson)
  const limit = isJsonObject(given) ? given['limit'] : undefined
  const wanted = typeof limit === 'number' && limit >= 1 ? Math.floor(limit) : usualSearchLimit
  const byName = new Map(tools.map((tool) => [tool.name, tool]))
  const named = tools.filter(({ name }) => name === words.trim())
  const hits = catalogueIndex(tools, learnt).search(words, {
    ...meaning,
    quality: qualityBy(learnt),
    limit: Math.min(mostFound, wanted),
  })
  const found = [...new Set([...named, ...hits.flatMap(({ id }) => byName.get(id) ?? [])])].slice(0, wanted)
  if (found.length === 0)
    return nothing(`None of the ${tools.length} tools is about ${JSON.stringify(words)}. Try other words.`)
  const lines = found.map(({ name, description, schema }) => {
    return `- ${toolLine({ calledAs: name, inputSchema: schema, purpose: purposeOf(description) })}`
  })
  const head = `${found.length} of ${tools.length} tools, the best first. Call one by ${executeToolName}; ${toolSchemaName} tells its whole schema.`
  return { text: [head, ...lines].join('\n'), found: true, names: found.map(({ name }) => name) }
}

/** Answers a call of `get_tool_schema`: description and schema as their owner wrote them. */
export function schemaAnswer(tools: readonly ToolDefinition[], argumentsJson: string): CatalogueAnswer {
  const given = jsonValue(argumentsJson)
  const name = isJsonObject(given) ? given['toolName'] : undefined
  if (typeof name !== 'string') return nothing(`Call ${toolSchemaName} with {"toolName": "…"}.`)
  const tool = tools.find((one) => one.name === name)
  if (tool === undefined) return nothing(noSuchTool(tools, name))
  const { description, schema } = tool
  return { text: JSON.stringify({ name, description, parameters: schema }), found: true, names: [name] }
}

/** What a model is told whose call of `execute_tool` names no tool. */
export const noToolNamed = `Call ${executeToolName} with {"toolName": "…", "params": {…}}. ${searchToolsName} finds tools by what they do.`

/** What a model is told that names a tool which the catalogue does not have. */
export function noSuchTool(tools: readonly ToolDefinition[], name: string): string {
  const words = name.replaceAll(/[^\p{L}\p{N}]+/gu, ' ')
  const near = catalogueIndex(tools, nothingLearnt).search(words, { limit: 3 })
  const others = near.length === 0 ? '' : ` Did you mean ${near.map(({ id }) => id).join(' or ')}?`
  return `There is no tool named ${JSON.stringify(name.slice(0, 200))}.${others} ${searchToolsName} finds tools by what they do.`
}

function nothing(text: string): CatalogueAnswer {
  return { text, found: false, names: [] }
}
