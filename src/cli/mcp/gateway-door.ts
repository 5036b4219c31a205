import { isJsonObject, isPrehendError } from '../../core/index.ts'
import type { JsonObject } from '../../core/index.ts'
import { sentTo, errorMessageIn, jsonRequest } from '../gateway-request.ts'
import type { GatewayAddress } from '../gateway-request.ts'

/** What a request to the gateway came to: its JSON, or what it says against it. */
export type Asked = { readonly value: JsonObject } | { readonly refused: string }

export interface GatewayDoor {
  ask(path: string, signal: AbortSignal, body?: object): Promise<Asked>
  bytes(path: string, signal: AbortSignal): Promise<{ readonly type: string; readonly bytes: Uint8Array } | undefined>
}

/** A gateway as the tools of the server ask it. A request ends when its signal is aborted, and with it what the gateway does for it. */
export function gatewayDoor(at: GatewayAddress): GatewayDoor {
  return {
    async ask(path, signal, body) {
      try {
        const response = await sentTo(at, path, { signal, ...(body && jsonRequest('POST', body)) })
        const answer: unknown = await response.json().catch(() => undefined)
        // A handle that brings nothing back is a 404 with its answer.
        if (isJsonObject(answer) && (response.ok || 'found' in answer)) return { value: answer }
        return { refused: errorMessageIn(answer) ?? `The gateway answered ${response.status}.` }
      } catch (error) {
        if (signal.aborted) throw error
        return { refused: isPrehendError(error) ? error.message : 'The gateway does not answer.' }
      }
    },
    async bytes(path, signal) {
      const response = await sentTo(at, path, { signal })
      if (!response.ok) return undefined
      const type = response.headers.get('content-type') ?? 'application/octet-stream'
      return { type, bytes: new Uint8Array(await response.arrayBuffer()) }
    },
  }
}
