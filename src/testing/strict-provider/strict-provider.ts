import type { JsonObject } from '../../core/index.ts'
import { isJsonObject } from '../../core/index.ts'
import { checkAnthropic } from './anthropic-rules.ts'
import type { Refuse } from './fault.ts'
import { checkGemini } from './gemini-rules.ts'
import { checkOpenaiChat } from './openai-chat-rules.ts'
import { checkOpenaiResponses } from './openai-responses-rules.ts'

/** A request as a provider gets it. */
export interface RefusableRequest {
  readonly path: string
  readonly body: string
}

/**
 * The rules of the real providers that a request breaks, each as `path: rule`; a provider would answer the first of them with 400.
 * The dialect is told by the path. See docs/strict-provider.md.
 */
export function providerRefusals({ path, body }: RefusableRequest): readonly string[] {
  const faults: string[] = []
  const refuse: Refuse = (where, rule) => void faults.push(`${where}: ${rule}`)
  const halves = /(?<!\\)(?:\\\\)*\\u[dD](?:[89abAB][0-9a-fA-F]{2}(?!\\u[dD][c-fC-F])|[c-fC-F][0-9a-fA-F]{2})/
  const whole = body.replaceAll(/\\u[dD][89abAB][0-9a-fA-F]{2}\\u[dD][c-fC-F][0-9a-fA-F]{2}/g, '')
  if (halves.test(whole) || !body.isWellFormed()) refuse('body', 'holds half a character')
  const value = parsed(body)
  if (value === undefined) refuse('body', 'is not a JSON object')
  else check(path, value, refuse)
  return faults
}

function parsed(body: string): JsonObject | undefined {
  try {
    const value: unknown = JSON.parse(body)
    return isJsonObject(value) ? value : undefined
  } catch {
    return undefined
  }
}

function check(path: string, body: JsonObject, refuse: Refuse): void {
  if (path.includes('/chat/completions')) checkOpenaiChat(body, refuse)
  else if (path.includes('/responses')) checkOpenaiResponses(body, refuse)
  else if (path.includes('/messages')) checkAnthropic(body, refuse)
  else if (path.includes('enerateContent')) checkGemini(body, path, refuse)
}
