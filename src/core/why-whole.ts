export const wholeSentences = {
  'policy': 'The policy shortens nothing.',
  'switched-off': 'The request or its settings do not allow the tool that brings back what is left out.',
  'no-tools': 'The request has no tools, so the model could not ask for anything that is left out.',
  'tool-choice':
    'The request forces or forbids a tool call, so the tool that brings back what is left out cannot be offered.',
  'name-taken': 'The client has a tool of the same name as the one that brings back what is left out.',
  'most-tools':
    'The client has as many tools as the provider takes, so the tool that brings back what is left out cannot be offered.',
  'nothing-long': 'No result or call is long enough to be worth shortening.',
  'only-user-text':
    'The long texts are messages of the user, and these stay whole. Send documents as results of a tool, or choose from them with POST /v1/compile.',
  'nothing-old': 'Every long result is new, failed or among the newest, and these stay whole.',
  'cache-warm':
    'Shortening would make the provider write its cached prompt again. Prehend waits until carrying the long text has cost as much as that.',
  'would-not-pay': 'Shortening would save less than it costs.',
} as const

/** Why a request shows every item whole, and the sentence that says so to people. */
export type WholeReason = keyof typeof wholeSentences

export const wholeReasons = Object.keys(wholeSentences) as readonly WholeReason[]

/** Recorded with every conversation of which nothing was shortened. */
export interface WhyWhole {
  readonly reason: WholeReason
  /** Of `cache-warm`: when the cached prompt expires unless another request reads it, in milliseconds since 1970. Shortening is free then. */
  readonly untilMs?: number
}
