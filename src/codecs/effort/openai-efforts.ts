import type { Effort } from '../../core/index.ts'

interface Rule {
  readonly names: RegExp
  readonly words: readonly Effort[]
}

/**
 * The words that models of OpenAI's dialects are known to take for `reasoning_effort`, the first rule that fits; others refuse the
 * parameter, or want their reasoning back, which the conversation has no place for. From the reference of the parameter in OpenAI's
 * SDK (`ReasoningEffort`, 7.55.0 and before) and the cards of gpt-oss; as of 2026-11.
 */
const rules: readonly Rule[] = [
  { names: /^gpt-\d+(\.\d+)?-chat/, words: [] },
  { names: /^o[134](-|$)/, words: ['low', 'medium', 'high'] },
  { names: /^gpt-oss/, words: ['low', 'medium', 'high'] },
  { names: /^gpt-5-pro/, words: ['high'] },
  { names: /^gpt-5-codex/, words: ['low', 'medium', 'high'] },
  { names: /^gpt-5(-|$)/, words: ['minimal', 'low', 'medium', 'high'] },
  { names: /^gpt-5\.1(-|$)/, words: ['none', 'low', 'medium', 'high'] },
  { names: /^gpt-5\.[2-5](-|$)/, words: ['none', 'low', 'medium', 'high', 'xhigh'] },
  { names: /^gpt-6\.1(-|$)/, words: ['low', 'medium', 'high', 'xhigh', 'max'] },
  { names: /^gpt-(5\.\d|[6-9])/, words: ['none', 'low', 'medium', 'high', 'xhigh', 'max'] },
]

/** By a model's name, with or without its vendor before it. */
export function openaiEfforts(model: string): readonly Effort[] {
  const name = model.slice(model.lastIndexOf('/') + 1).toLowerCase()
  return rules.find(({ names }) => names.test(name))?.words ?? []
}
