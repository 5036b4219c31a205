import type { ModelInfo } from '../../../tokens/index.ts'
import type { ModelsKnown } from '../dialect.ts'
import type { SimulatedModel } from '../model.ts'

/** Who serves the models of a vendor, and by which names they know them. */
interface Vendor {
  readonly endpoints: readonly string[]
  nameOf(model: string): string
}

const asItIs = (model: string): string => model

const vendors: Readonly<Record<string, Vendor>> = {
  anthropic: {
    endpoints: ['Anthropic', 'Amazon Bedrock', 'Google'],
    nameOf: (model) => model.replaceAll('.', '-'),
  },
  openai: { endpoints: ['OpenAI', 'Azure'], nameOf: asItIs },
  google: { endpoints: ['Google', 'Google AI Studio'], nameOf: asItIs },
  deepseek: { endpoints: ['DeepSeek', 'DeepInfra'], nameOf: asItIs },
  qwen: { endpoints: ['Alibaba'], nameOf: asItIs },
}

const anyVendor: Vendor = { endpoints: ['DeepInfra', 'Together'], nameOf: asItIs }

/** The only one that places marks by itself. */
export const placesMarks = 'Anthropic'

function vendorOf(name: string): Vendor {
  return Object.hasOwn(vendors, name) ? (vendors[name] ?? anyVendor) : anyVendor
}

export function endpointsOf(vendor: string): readonly string[] {
  return vendorOf(vendor).endpoints
}

/** A model by `vendor/model`, or `vendor/model:variant`. */
export function routedModel(id: string, { catalogue, served, strict }: ModelsKnown): SimulatedModel | undefined {
  const [, vendor, name] = /^([\w.-]+)\/([^/:]+)(?::[\w-]+)?$/.exec(id) ?? []
  if (vendor === undefined || name === undefined) return undefined
  const info = catalogue.info(id)
  const found = served(vendorOf(vendor).nameOf(name)) ?? (strict && isUnknown(info) ? undefined : openModel(id, info))
  return found && { id, provider: 'openrouter', routed: { vendor, served: found }, info }
}

function isUnknown({ known, priceSource }: ModelInfo): boolean {
  return !known && priceSource === 'unknown'
}

/** Whoever serves an open model speaks the dialect that all do. */
function openModel(id: string, info: ModelInfo): SimulatedModel {
  return { id, provider: 'openai', openai: { reasoning: false, breakpoints: false }, info }
}
