import { PrehendError, invalidInput, isPrehendError } from '../../core/index.ts'

export type TimeoutPhase = 'connect' | 'first-byte' | 'idle' | 'content' | 'total'

const waits: { readonly [Phase in TimeoutPhase]: string } = {
  'connect': 'accept a connection',
  'first-byte': 'begin its answer',
  'idle': 'go on with its answer',
  'content': 'say anything but signs of life',
  'total': 'finish its answer',
}

export function timeoutError(phase: TimeoutPhase, ms: number): PrehendError {
  const remedy = 'Send the request again, or raise the time limit.'
  return new PrehendError('upstream-timeout', `The provider did not ${waits[phase]} within ${ms} ms. ${remedy}`, {
    phase,
    remedy,
  })
}

/** The provider that was asked. */
export interface Asked {
  readonly name: string
  readonly origin: string
}

/** A failure of the connection in our own terms; `connected` tells whether the request could be sent. */
export function connectionError(cause: unknown, connected: boolean, asked?: Asked): PrehendError {
  if (isPrehendError(cause)) return cause
  const { code, message } =
    cause instanceof Error ? { code: '', ...cause, message: cause.message } : { code: '', message: '' }
  if (code === 'UND_ERR_INVALID_ARG') return invalidInput('headers', message, 'Remove what cannot be sent.')
  return connected ? brokenOff(cause) : unreachable(cause, asked)
}

function brokenOff(cause: unknown): PrehendError {
  const remedy = 'Send the request again.'
  return new PrehendError('upstream-broken', `The provider broke the exchange off. ${remedy}`, { remedy }, cause)
}

function unreachable(cause: unknown, asked: Asked | undefined): PrehendError {
  const remedy = 'Check the address of the provider and the network.'
  const at = asked && { provider: asked.name, host: hostOf(asked.origin) }
  const named =
    at === undefined ? '' : at.provider === asked?.origin ? ` at ${at.host}` : ` ${at.provider} at ${at.host}`
  const message = `The provider${named} cannot be reached. ${remedy}`
  return new PrehendError('upstream-unreachable', message, { ...at, remedy }, cause)
}

function hostOf(origin: string): string {
  return URL.canParse(origin) ? new URL(origin).host : origin
}

/** Why an exchange ends when its signal is aborted. */
export function abortError(reason: unknown): PrehendError {
  if (isPrehendError(reason)) return reason
  const remedy = 'Send the request again if it is still wanted.'
  return new PrehendError('upstream-broken', `The exchange was called off. ${remedy}`, { remedy }, reason)
}
