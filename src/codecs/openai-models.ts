/**
 * What is known of models by their names, where servers of one dialect differ. OpenAI's own take `developer` messages, system messages
 * anywhere, and `max_completion_tokens`; other servers of the dialect refuse some of these or pass over them.
 */
export function isOpenaiModel(model: string): boolean {
  return /^(?:ft:)?(?:gpt-(?!oss)|o\d|chatgpt|codex|computer-use)/.test(plainName(model))
}

/** Models that think refuse temperatures and the like. */
export function refusesSampling(model: string): boolean {
  const name = plainName(model)
  return /^(?:ft:)?(?:o\d|gpt-(?:[5-9]|\d\d))/.test(name) && !/-chat/.test(name)
}

/**
 * Whether a model is of those for which OpenAI and Azure refuse long descriptions of functions. Those from GPT-4.1 on are reported to take
 * them: llama_index #18784, OpenHands #10184.
 */
export function shortensDescriptions(model: string): boolean {
  return /^(?:ft:)?(?:gpt-(?:3|4(?!\.[1-9]))|chatgpt-4|o1|o3-mini)/.test(plainName(model))
}

/** Whether a model wants the reasoning back with which it made a call, as `reasoning_content`. */
export function wantsReasoning(model: string): boolean {
  return /^(?:deepseek|kimi|moonshot|glm|mimo)/.test(plainName(model))
}

/** Whether a model refuses a call without reasoning, also one that another model made. */
export function insistsOnReasoning(model: string): boolean {
  return /^(?:deepseek-(?:reasoner|v[4-9])|kimi-.*thinking)/.test(plainName(model))
}

/** Without the vendor before it. */
function plainName(model: string): string {
  return model.slice(model.lastIndexOf('/') + 1).toLowerCase()
}
