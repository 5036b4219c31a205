/** A request that any of several endpoints could serve. */
export interface RoutedRequest {
  /** Account and model. */
  readonly scope: string
  /** What tells the conversation. */
  readonly conversation: string
  /** Those that may serve it, in the order in which they would be asked. */
  readonly endpoints: readonly string[]
  /** Whether the caller says who is to be asked first. */
  readonly isOrdered: boolean
  readonly nowMs: number
}

export interface ServedRequest extends Pick<RoutedRequest, 'scope' | 'conversation' | 'nowMs'> {
  readonly endpoint: string
}

/** Which endpoint serves a conversation. */
export interface StickyRoutes {
  /** That which holds the conversation; otherwise each in turn, as load is spread. */
  endpointFor(request: RoutedRequest): string | undefined
  /** Has the endpoint hold the conversation, until nothing has come of it for ten minutes. */
  hold(request: ServedRequest): void
}

const heldMs = 600_000
const heldAtMost = 4096

export function stickyRoutes(): StickyRoutes {
  const held = new Map<string, { readonly endpoint: string; readonly sinceMs: number }>()
  const turns = new Map<string, number>()

  function spread(scope: string, endpoints: readonly string[]): string | undefined {
    const turn = turns.get(scope) ?? 0
    turns.set(scope, turn + 1)
    return endpoints[turn % endpoints.length]
  }

  return {
    endpointFor({ scope, conversation, endpoints, isOrdered, nowMs }) {
      if (isOrdered) return endpoints[0]
      const last = held.get(nameOf(scope, conversation))
      const isHeld = last !== undefined && nowMs - last.sinceMs <= heldMs && endpoints.includes(last.endpoint)
      return isHeld ? last.endpoint : spread(scope, endpoints)
    },
    hold({ scope, conversation, endpoint, nowMs }) {
      if (held.size >= heldAtMost) held.clear()
      held.set(nameOf(scope, conversation), { endpoint, sinceMs: nowMs })
    },
  }
}

function nameOf(scope: string, conversation: string): string {
  return JSON.stringify([scope, conversation])
}
