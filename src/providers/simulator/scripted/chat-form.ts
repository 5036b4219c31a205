import type { JsonObject } from '../../../core/index.ts'
import { declarationsOf, schemaOf, systemParts, turnsOf } from '../gemini/body.ts'
import { chatBody } from '../responses/chat-form.ts'

/** What a request says and offers, in whatever dialect, as Chat Completions or Messages have it. */
export function chatForm(body: JsonObject): JsonObject {
  if (body['contents'] !== undefined) return geminiForm(body)
  return body['input'] === undefined ? body : chatBody(body)
}

function geminiForm(body: JsonObject): JsonObject {
  return {
    system: systemParts(body),
    messages: turnsOf(body).map(({ role, parts }) => ({
      role: role === 'model' ? 'assistant' : 'user',
      content: parts,
    })),
    tools: declarationsOf(body).map((declaration) => ({
      name: declaration['name'] ?? '',
      parameters: schemaOf(declaration),
    })),
  }
}
