import type { ModelListing } from '../model-list.ts'
import { simulatedName } from '../model.ts'

/** What it lists; prices are dollars for one token, in words. */
export const routedListing: ModelListing = {
  ids: [
    'anthropic/claude-sonnet-4.6',
    'anthropic/claude-opus-5.5',
    'openai/gpt-5.6-sol',
    'openai/gpt-5.1',
    'google/gemini-3.5-flash',
    'deepseek/deepseek-v4-pro',
  ],
  list: (data) => ({ data, total_count: data.length, links: { next: null } }),
  entry: ({ id, info }, createdMs, asProvider) => {
    const { prices } = info
    const each = (dollars: number | undefined): string | undefined =>
      dollars === undefined ? undefined : String(dollars / 1_000_000)
    const pricing = {
      prompt: each(prices?.input),
      completion: each(prices?.output),
      input_cache_read: each(prices?.cacheRead),
      input_cache_write: each(prices?.cacheWrite),
    }
    return {
      id,
      canonical_slug: id,
      name: asProvider ? id : `${id} (${simulatedName})`,
      created: Math.floor(createdMs / 1000),
      description: `${id}, simulated.`,
      context_length: info.windowTokens,
      architecture: {
        modality: 'text->text',
        input_modalities: ['text'],
        output_modalities: ['text'],
        instruct_type: null,
      },
      pricing: Object.fromEntries(
        Object.entries(pricing).flatMap(([name, text]) => (text === undefined ? [] : [[name, text]])),
      ),
      top_provider: {
        context_length: info.windowTokens,
        max_completion_tokens: info.maxOutputTokens,
        is_moderated: false,
      },
      per_request_limits: null,
      supported_parameters: ['max_tokens', 'reasoning', 'response_format', 'stop', 'tool_choice', 'tools'],
      supported_voices: null,
      default_parameters: null,
      links: { details: `/api/v1/models/${id}/endpoints` },
    }
  },
}
