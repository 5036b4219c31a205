import type { JsonObject, JsonValue } from '../../../core/index.ts'
import type { GoneOn, Kept } from '../dialect.ts'
import { listOf, objectOf, textOf } from '../read-json.ts'
import { either } from './body.ts'
import { contentNotFound, promptOf } from './cached-contents.ts'
import { invalid } from './invalid.ts'

/** A request with what it has cached before its own words. */
export function goesOn(body: JsonObject, { contents, tenant, nowMs }: Kept): GoneOn {
  const name = either(body, 'cachedContent')
  if (name === undefined) return { body }
  if (['systemInstruction', 'tools', 'toolConfig'].some((member) => either(body, member) !== undefined))
    return { problem: alone }
  const found = contents.find(tenant, textOf(name) ?? '', nowMs)
  if (found === undefined) return { problem: contentNotFound }
  const { model } = body
  if (found.model !== model) {
    const both = `GenerateContent request (models/${textOf(model) ?? ''}) and CachedContent (models/${found.model})`
    return { problem: invalid(`Model used by ${both} has to be the same.`) }
  }
  const { cachedContent: _, cached_content: __, ...own } = body as Record<string, JsonValue>
  const kept = promptOf(found.body)
  const said = [...asList(kept['contents']), ...asList(own['contents'])]
  return { body: { ...kept, ...own, model: found.model, contents: said }, keptTokens: found.tokens }
}

function asList(contents: JsonValue | undefined): readonly JsonObject[] {
  if (contents == null) return []
  return Array.isArray(contents) ? listOf(contents).map(objectOf) : [objectOf(contents)]
}

const alone = invalid(
  'CachedContent can not be used with GenerateContent request setting system_instruction, tools or tool_config.\n\n' +
    'Proposed fix: move those values to CachedContent from GenerateContent request.',
)
