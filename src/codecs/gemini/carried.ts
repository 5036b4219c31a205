import { spellings } from './members.ts'

const sampled = [
  'temperature',
  'seed',
  ...(['topP', 'topK', 'maxOutputTokens', 'stopSequences'] as const).flatMap(spellings),
  ...(['responseMimeType', 'responseSchema', 'responseJsonSchema'] as const).flatMap(spellings),
]

/** Members of a body that a conversation has words for; of some, only these of their own. */
export const geminiCarried: ReadonlySet<string> = new Set([
  'model',
  'contents',
  'tools',
  ...spellings('systemInstruction'),
  ...under(spellings('toolConfig'), spellings('functionCallingConfig')),
  ...under(spellings('generationConfig'), sampled),
])

/** Of them, those that say how much the model is to think. */
export const geminiThinking: ReadonlySet<string> = new Set(
  under(
    spellings('generationConfig'),
    under(spellings('thinkingConfig'), [...spellings('thinkingLevel'), ...spellings('thinkingBudget')]),
  ),
)

function under(outer: readonly string[], inner: readonly string[]): readonly string[] {
  return outer.flatMap((name) => inner.map((own) => `${name}.${own}`))
}
