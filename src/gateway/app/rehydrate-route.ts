import { invalidInput, parseJson, shape } from '../../core/index.ts'
import { rehydrateTool } from '../../sessions/index.ts'
import type { ArchiveQuestion } from '../../sessions/index.ts'
import type { Fetched } from '../../stores/index.ts'
import type { ServingParts } from '../parts.ts'
import { settingsFor } from '../tenant-settings.ts'

const { object, optional, text } = shape

const questionShape = object<ArchiveQuestion>({ handle: optional(text), lines: optional(text), about: optional(text) })

export interface RehydrateRequest {
  readonly tenant: string
  readonly session: string
  readonly body: string
}

export interface RehydrateAnswer {
  readonly found: boolean
  readonly text: string
  /** What was brought back, and the decision by which it was left out. */
  readonly fetched: readonly Fetched[]
}

/** What was left out of a session, by its handle or by its topic, in the words in which a model gets it. Throws on bad input. */
export async function rehydrateRoute(
  { config, store }: Pick<ServingParts, 'config' | 'store'>,
  { tenant, session, body }: RehydrateRequest,
): Promise<RehydrateAnswer> {
  const asked = parseJson(body)
  shape.check(questionShape, asked, 'body', { strict: true })
  const { handle = '', about = '' } = asked as ArchiveQuestion
  if (handle === '' && about === '')
    throw invalidInput('handle', 'is missing', 'Give a handle as it stands in [brackets], or what it is about.')
  const scope = { tenant, session }
  const call = { id: '', name: rehydrateTool.definition.name, arguments: JSON.stringify(asked) }
  const {
    found,
    text: answer,
    fetched = [],
  } = await rehydrateTool.answer(call, {
    original: (one) => store.original(scope, one),
    originals: () => store.originals(scope),
    maxChars: settingsFor(config, tenant).limits.rehydrateChars,
  })
  return { found, text: answer, fetched }
}
