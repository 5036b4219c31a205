import type { JsonObject } from '../../../core/index.ts'
import type { RequestShape } from '../../../tokens/index.ts'
import { anthropicDialect } from '../anthropic/dialect.ts'
import type { SimulatedCall, SimulatedDialect } from '../dialect.ts'
import type { VendorModel, SimulatedModel } from '../model.ts'
import { openaiDialect } from '../openai/dialect.ts'
import { textOf } from '../read-json.ts'
import { messagesForm, promptForm } from './messages-form.ts'
import { providerForm } from './provider-form.ts'

/** A call as its provider gets it. */
export interface Serving {
  readonly dialect: SimulatedDialect
  readonly call: SimulatedCall
}

/** A chat as whoever serves the model is asked it. */
export function servingOf(call: SimulatedCall): Serving {
  const { served } = routedOf(call)
  if (served.provider === 'anthropic') {
    const headers = { ...call.headers, 'anthropic-version': '2023-06-01' }
    return {
      dialect: anthropicDialect,
      call: { ...call, headers, model: served, body: messagesForm(call.body, served) },
    }
  }
  const reasons = served.provider === 'openai' && served.openai.reasoning
  const thinks = served.provider === 'deepseek'
  return {
    dialect: openaiDialect,
    call: { ...call, model: served, body: providerForm(call.body, { reasons, thinks, marks: marksFor(served) }) },
  }
}

function marksFor({ provider, info }: SimulatedModel): 'openai' | 'anthropic' | 'none' {
  if (provider === 'openai' && info.cache.kind === 'openai-breakpoints') return 'openai'
  return info.cache.kind === 'anthropic-breakpoints' ? 'anthropic' : 'none'
}

export function routedOf({ model }: Pick<SimulatedCall, 'model'>): VendorModel {
  return model.provider === 'openrouter' ? model.routed : { vendor: '', served: model }
}

/** What decides the overhead, which is counted where the message goes. */
export function servedShape(body: JsonObject): RequestShape {
  const isClaude = textOf(body['model'])?.startsWith('anthropic/') === true
  if (!isClaude) return openaiDialect.shape(body)
  return anthropicDialect.shape(promptForm(body))
}
