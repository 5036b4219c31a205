import type { JsonObject } from '../../../core/index.ts'
import type { SimulatedCall } from '../dialect.ts'
import type { Check } from '../wire.ts'
import { numberOf, objectOf, objectsOf, textOf } from '../read-json.ts'
import { contentBlocks, continuesTurn, isThinking, placedBlocks } from './message.ts'
import { isUnmodified } from './signature.ts'
import { invalid } from './invalid.ts'

type CallCheck = Check<SimulatedCall>

const modeIsSupported: CallCheck = ({ body, model }) => {
  if (body['thinking'] == null || model.provider !== 'anthropic') return undefined
  const mode = textOf(objectOf(body['thinking'])['type'])
  if (model.claude.thinkingModes.some((known) => known === mode)) return undefined
  return mode === 'adaptive'
    ? invalid('adaptive thinking is not supported on this model')
    : invalid(`thinking.type: '${mode}' is not supported on this model`)
}

const budgetFits: CallCheck = ({ body }) => {
  const thinking = objectOf(body['thinking'])
  if (thinking['type'] !== 'enabled') return undefined
  const budget = numberOf(thinking['budget_tokens'])
  if (budget === undefined) return invalid('thinking.enabled.budget_tokens: Field required')
  if (budget < 1024) return invalid('thinking.enabled.budget_tokens: Input should be greater than or equal to 1024')
  const max = numberOf(body['max_tokens']) ?? Infinity
  return budget >= max ? invalid('`max_tokens` must be greater than `thinking.budget_tokens`.') : undefined
}

const samplingStaysDefault: CallCheck = ({ body }) => {
  const on = objectOf(body['thinking'])['type'] === 'enabled'
  return on && body['temperature'] != null && body['temperature'] !== 1
    ? invalid('`temperature` may only be set to 1 when thinking is enabled.')
    : undefined
}

function latestAssistant(body: JsonObject): { readonly message: JsonObject; readonly index: number } | undefined {
  const messages = objectsOf(body['messages'])
  const index = messages.findLastIndex(({ role }) => role === 'assistant')
  const message = messages[index]
  return message && { message, index }
}

/** Only the latest assistant message is looked at, and only while its turn goes on. */
const thinkingIsUnmodified: CallCheck = ({ body }) => {
  const latest = latestAssistant(body)
  const next = latest && objectsOf(body['messages'])[latest.index + 1]
  if (latest === undefined || next === undefined || !continuesTurn(next)) return undefined
  const bad = placedBlocks(body).find(
    ({ block, messageIndex }) => messageIndex === latest.index && isThinking(block) && !isUnmodified(block),
  )
  if (bad === undefined) return undefined
  return invalid(
    `${bad.path}: \`thinking\` or \`redacted_thinking\` blocks in the latest assistant message cannot be modified. ` +
      'These blocks must remain as they were in the original response.',
  )
}

/** With `enabled`, a tool turn keeps the thinking that it began with. */
const turnBeginsWithThinking: CallCheck = ({ body }) => {
  const messages = objectsOf(body['messages'])
  const last = messages.at(-1)
  if (objectOf(body['thinking'])['type'] !== 'enabled' || last === undefined || !continuesTurn(last)) return undefined
  const asked = messages.findLastIndex((message) => message['role'] === 'user' && !continuesTurn(message))
  const begin = messages.findIndex((message, index) => index > asked && message['role'] === 'assistant')
  const first = contentBlocks(messages[begin]?.['content'])[0]
  if (first === undefined || isThinking(first)) return undefined
  return invalid(
    `messages.${begin}.content.0.type: Expected \`thinking\` or \`redacted_thinking\`, but found ` +
      `\`${String(first['type'])}\`. When \`thinking\` is enabled, a final \`assistant\` message must start with a thinking block.`,
  )
}

export const thinkingChecks: readonly CallCheck[] = [
  modeIsSupported,
  budgetFits,
  samplingStaysDefault,
  turnBeginsWithThinking,
  thinkingIsUnmodified,
]
