import { useLocation } from 'preact-iso'

/** Where the page lies; every address of a page begins with it. */
export const home = '/inspector/'

export const addressOf = {
  session: (id: string): string => `${home}sessions/${encodeURIComponent(id)}`,
  request: (id: string): string => `${home}requests/${encodeURIComponent(id)}`,
  /** An item within what the model saw; `isOpen`: with what it came as. */
  item: (request: string, item: string, isOpen = false): string =>
    `${home}requests/${encodeURIComponent(request)}?item=${encodeURIComponent(item)}${isOpen ? '&open=1' : ''}`,
  /** What was shortened in a session, by its handle, as it came. */
  original: (session: string, handle: string): string =>
    `${home}sessions/${encodeURIComponent(session)}/originals/${encodeURIComponent(handle)}`,
  /** A request beside how another policy would have packed it. */
  compared: (id: string, policy: string): string =>
    `${home}requests/${encodeURIComponent(id)}?tab=compare&policy=${encodeURIComponent(policy)}`,
  failures: `${home}failures`,
  policy: (id: string): string => `${home}policies/${encodeURIComponent(id)}`,
  tool: (id: string): string => `${home}tools/${encodeURIComponent(id)}`,
  /** Of an artifact by its URI, such as `artifact://tasks/42/step-1/report.md`. */
  artifact: (uri: string): string => `${home}artifacts/${uri.replace(/^artifact:\/\/tasks\//, '')}`,
  tenant: (tenant: string): string => `${home}tenants/${encodeURIComponent(tenant)}`,
  search: (text: string): string => `${home}search?q=${encodeURIComponent(text)}`,
}

export interface Address {
  readonly query: Readonly<Record<string, string>>
  /** Changes some of the query and keeps the rest; an empty value takes its name out. */
  set(changes: Readonly<Record<string, string | undefined>>): void
  /** The address with some of the query changed, for links. */
  withQuery(changes: Readonly<Record<string, string | undefined>>): string
}

/** All state of a page that outlives it: what stands in the address, so that every view can be sent to somebody. */
export function useAddress(): Address {
  const { path, query, route } = useLocation()
  const withQuery: Address['withQuery'] = (changes) => {
    const next = new URLSearchParams(query)
    for (const [name, value] of Object.entries(changes)) {
      if (value === undefined || value === '') next.delete(name)
      else next.set(name, value)
    }
    const text = next.toString()
    return text === '' ? path : `${path}?${text}`
  }
  return { query, withQuery, set: (changes) => route(withQuery(changes), true) }
}
