/** What the gateway's words mean, for somebody who reads them for the first time. */

const epochCauses: Readonly<Record<string, string>> = {
  'first-request': 'first request of the session',
  'cold-cache': 'the cache was cold anyway',
  'gain': 'the saving ahead outweighs writing again',
  'pressure': 'the window was nearly full',
  'history-changed': 'the client changed what it had sent',
  'policy-changed': 'another policy, or what was hidden cannot be asked for any more',
  'layout-changed': 'another layout',
  'step-changed': 'another step of the task',
  'pinned': 'a person has pinned what was shown shorter',
  'compacted': 'old steps or turns have become a brief',
  'no-gain': 'rewriting does not pay yet',
  'no-credit': 'would pay, but the account cannot bear it yet',
  'nothing-to-do': 'nothing to shorten',
}

export const epochWords = (cause: string): string => epochCauses[cause] ?? cause

const wholeReasons: Readonly<Record<string, string>> = {
  'policy': 'the policy shortens nothing',
  'switched-off': 'the request or its settings do not allow the tool that brings back what is left out',
  'no-tools': 'the request has no tools, so the model could not ask for anything that is left out',
  'tool-choice': 'the request forces or forbids a tool call, so our tool cannot be offered',
  'name-taken': 'the client has a tool of the same name as ours',
  'most-tools': 'the client has as many tools as the provider takes, so our tool cannot be offered',
  'nothing-long': 'no result or call is long enough to be worth shortening',
  'only-user-text': 'the long texts are messages of the user, and these stay whole; results of tools are shortened',
  'nothing-old': 'every long result is new, failed or among the newest, and these stay whole',
  'cache-warm': 'the provider would have to write its cached prompt again, which costs more than shortening saves',
  'would-not-pay': 'shortening would save less than it costs',
}

export const wholeWords = (reason: string): string => wholeReasons[reason] ?? reason

/** Shown beside money where the simulated provider has answered; undefined where only providers have. */
export function simulatedWords(sessions: readonly { readonly simulated: boolean }[]): string | undefined {
  const simulated = sessions.filter((one) => one.simulated).length
  if (simulated === 0) return undefined
  return simulated === sessions.length
    ? 'simulated provider: no money was spent'
    : `simulated provider in ${simulated} of the ${sessions.length} newest sessions: no money was spent there`
}

/** How much of an item a rung leaves: for the tone it is shown in. */
export function rungTone(rung: string): '' | 'good' | 'warn' | 'bad' {
  if (rung === 'full') return ''
  if (rung === 'lossless') return 'good'
  return rung === 'omitted' ? 'bad' : 'warn'
}

/** How a request ended, for the provider and for the client. */
export function endWords(result: { readonly status: number; readonly failure?: string } | undefined): string {
  if (result === undefined) return 'has not ended'
  const { status, failure } = result
  const words = status === 0 ? 'nobody answered' : `answered ${status}`
  return failure === undefined ? words : `${words}, ${failure}`
}

const missCauses: Readonly<Record<string, string>> = {
  'expired': 'silent for longer than the cache lives',
  'other-model': 'another model',
  'changed': 'what was sent before has changed',
  'too-short': 'too short to be cached',
  'evicted': 'the provider let go of it',
}

export const missWords = (cause: string): string => missCauses[cause] ?? cause

interface Named {
  readonly kind: string | null
  readonly role: string | null
  readonly toolName: string | null
}

/** What an item is, for a heading. */
export function itemWords({ kind, role, toolName }: Named): string {
  const words: Readonly<Record<string, string>> = {
    'tool-call': `Call of ${toolName ?? 'a tool'}`,
    'tool-result': `Result of ${toolName ?? 'a tool'}`,
    'tool-schema': `Definition of ${toolName ?? 'a tool'}`,
    'reasoning': 'Reasoning',
    'media': 'Picture, sound or file',
    'evidence': 'Evidence',
    'memory': 'Memory',
  }
  return words[kind ?? ''] ?? (role === null ? (kind ?? 'Item') : role[0]?.toUpperCase() + role.slice(1))
}

/** A call and its result are named by what they are about; a message already stands below its role. */
export function itemHeading(item: Named & { readonly name: string | null }): string {
  const { kind, name } = item
  if (name === null || (kind !== 'tool-call' && kind !== 'tool-result')) return itemWords(item)
  return kind === 'tool-call' ? `C${name.slice(1)}` : `Result of ${name}`
}
