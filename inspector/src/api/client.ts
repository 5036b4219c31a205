/** What the gateway has refused, or why it could not be asked. */
export class ApiProblem extends Error {
  readonly status: number
  readonly remedy: string | undefined

  constructor(message: string, { status, remedy }: { readonly status: number; readonly remedy?: string | undefined }) {
    super(message)
    this.name = 'ApiProblem'
    this.status = status
    this.remedy = remedy
  }
}

export type Params = Readonly<Record<string, string | number | undefined>>

export interface Asking {
  readonly params?: Params
  readonly method?: 'GET' | 'POST' | 'PUT' | 'DELETE'
  readonly body?: unknown
  /** Of an answer in bytes: only those from the first to the last. */
  readonly bytes?: readonly [first: number, last: number]
  readonly signal?: AbortSignal
}

const tokenName = 'prehend-token'

/** Kept for the tab alone, and nowhere else. */
export const token = {
  get: (): string => sessionStorage.getItem(tokenName) ?? '',
  set: (value: string): void =>
    value === '' ? sessionStorage.removeItem(tokenName) : sessionStorage.setItem(tokenName, value),
}

/** The gateway's answer to a request for JSON. Throws `ApiProblem`. */
export async function ask<T>(path: string, asking: Asking = {}): Promise<T> {
  const response = await request(path, asking)
  return (await response.json()) as T
}

/** As `ask`, before the answer's body is read. */
export async function request(path: string, asking: Asking = {}): Promise<Response> {
  const { params, method = 'GET', body, bytes, signal } = asking
  const key = token.get()
  const response = await fetch(withParams(path, params), {
    method,
    cache: 'no-store',
    credentials: 'omit',
    redirect: 'error',
    headers: {
      accept: 'application/json',
      ...(bytes && { range: `bytes=${bytes[0]}-${bytes[1]}` }),
      ...(key !== '' && { authorization: `Bearer ${key}` }),
      ...(body !== undefined && { 'content-type': 'application/json' }),
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
    ...(signal && { signal }),
  }).catch((error: unknown) => {
    if (signal?.aborted === true) throw error
    throw new ApiProblem('The gateway does not answer.', { status: 0, remedy: 'Is it still running?' })
  })
  if (!response.ok) throw await problemOf(response)
  return response
}

function withParams(path: string, params: Params = {}): string {
  const query = new URLSearchParams()
  for (const [name, value] of Object.entries(params))
    if (value !== undefined && value !== '') query.set(name, String(value))
  const text = query.toString()
  return text === '' ? path : `${path}?${text}`
}

async function problemOf(response: Response): Promise<ApiProblem> {
  const text = await response.text().catch(() => '')
  return new ApiProblem(messageIn(text) ?? `The gateway answered ${response.status}.`, { status: response.status })
}

function messageIn(text: string): string | undefined {
  try {
    const { error } = JSON.parse(text) as { error?: { message?: unknown } }
    return typeof error?.message === 'string' ? error.message : undefined
  } catch {
    return undefined
  }
}
