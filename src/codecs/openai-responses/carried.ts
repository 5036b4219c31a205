/** What a conversation holds of a body. */
export const responsesCarried: ReadonlySet<string> = new Set([
  'model',
  'input',
  'instructions',
  'tools',
  'tool_choice',
  'parallel_tool_calls',
  'max_output_tokens',
  'temperature',
  'top_p',
  'stream',
  'text.format',
])

/** Of which it holds how much the model is to think. */
export const responsesReasoning: ReadonlySet<string> = new Set(['reasoning.effort'])
