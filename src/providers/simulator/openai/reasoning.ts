import type { SimulatedCall } from '../dialect.ts'
import { objectOf } from '../read-json.ts'

/** DeepSeek's thinking mode, in which answers carry `reasoning_content`; OpenAI never shows its reasoning here. */
export function showsReasoning({ body, model }: SimulatedCall): boolean {
  if (model.provider !== 'deepseek') return false
  return objectOf(body['thinking'])['type'] === 'enabled' || model.id.includes('reasoner')
}

/** Whether the model reasons at all. */
export function reasons(call: SimulatedCall): boolean {
  const { model, body } = call
  if (model.provider === 'openai') return model.openai.reasoning && body['reasoning_effort'] !== 'none'
  return showsReasoning(call)
}
