import type { TextKind } from '../../codecs/index.ts'
import { PrehendError, isPrehendError } from '../../core/index.ts'
import type { OpenFilter, ReplyFilter, ReplyText } from './reply-filter.ts'

/** Filters in a row, each reading what the one before lets out. */
export interface FilterChain extends Required<OpenFilter> {
  readonly kinds: ReadonlySet<TextKind>
}

/** Undefined without filters. `skipped` is told of those that failed open; they are left out from there on. */
export function filterChain(
  filters: readonly ReplyFilter[],
  skipped: (name: string, error: unknown) => void,
): FilterChain | undefined {
  if (filters.length === 0) return undefined
  const links = filters.map((filter) => link(filter, skipped))
  return {
    kinds: new Set(filters.flatMap(({ kinds }) => kinds)),
    concerns: (body) => links.some(({ concerns }) => concerns(body)),
    piece: (of, text) => links.reduce<Said>((said, { piece }) => then(said, (now) => piece(of, now)), text),
    end: (of) =>
      links.reduce<Said>((held, { piece, end }) => then(held, (text) => ending(of, text, { piece, end })), ''),
  }
}

type Said = string | Promise<string>

/** A link's own rest, after what those before it have let go. */
function ending(of: ReplyText, text: string, { piece, end }: Pick<OpenFilter, 'piece' | 'end'>): Said {
  if (text === '') return end(of)
  return then(piece(of, text), (now) => then(end(of), (rest) => now + rest))
}

function then(value: Said, next: (text: string) => Said): Said {
  return typeof value === 'string' ? next(value) : value.then(next)
}

/** A filter that leaves alone what it does not want to see, and that fails as it says. */
function link(filter: ReplyFilter, skipped: (name: string, error: unknown) => void): Required<OpenFilter> {
  const kinds: ReadonlySet<TextKind> = new Set(filter.kinds)
  let open: OpenFilter | undefined
  const failed = (error: unknown): void => {
    if (filter.failure === 'closed') throw filterFailed(filter.name, error)
    open = undefined
    skipped(filter.name, error)
  }
  try {
    open = filter.open()
  } catch (error) {
    failed(error)
  }
  const safely = (otherwise: string, work: (own: OpenFilter) => Said): Said => {
    const fallBack = (error: unknown): string => {
      failed(error)
      return otherwise
    }
    if (!open) return otherwise
    try {
      const said = work(open)
      return typeof said === 'string' ? said : said.catch(fallBack)
    } catch (error) {
      return fallBack(error)
    }
  }
  return {
    concerns: (body) => open !== undefined && (open.concerns?.(body) ?? true),
    piece: (of, text) => (kinds.has(of.kind) && text !== '' ? safely(text, (own) => own.piece(of, text)) : text),
    end: (of) => (kinds.has(of.kind) ? safely('', (own) => own.end(of)) : ''),
  }
}

function filterFailed(name: string, cause: unknown): PrehendError {
  if (isPrehendError(cause)) return cause
  const remedy = 'Try again; if it happens again, report it with the request id.'
  return new PrehendError(
    'internal',
    `${name} failed, and what it guards was not sent on. ${remedy}`,
    { remedy },
    cause,
  )
}
