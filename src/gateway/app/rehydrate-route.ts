import { invalidInput } from '../../core/index.ts'
import type { MediaContent } from '../../core/index.ts'
import { rehydrateTool, searchedChars } from '../../sessions/index.ts'
import type { ArchiveQuestion } from '../../sessions/index.ts'
import type { Fetched } from '../../stores/index.ts'
import type { ServingParts } from '../parts.ts'
import { settingsFor } from '../tenant-settings.ts'

export interface RehydrateRequest {
  readonly tenant: string
  readonly session: string
  readonly asked: ArchiveQuestion
}

export interface RehydrateAnswer {
  readonly found: boolean
  readonly text: string
  /** What was brought back, and the decision by which it was left out. */
  readonly fetched: readonly Fetched[]
  /** Of a picture, a recording or a file: where its bytes are, or they themselves as a `data:` URL. */
  readonly media?: MediaContent
}

/** What was left out of a session, by its handle or by its topic, in the words in which a model gets it. Throws on bad input. */
export async function rehydrateRoute(
  { config, store }: Pick<ServingParts, 'config' | 'store'>,
  { tenant, session, asked }: RehydrateRequest,
): Promise<RehydrateAnswer> {
  const { handle = '', about = '' } = asked
  if (handle === '' && about === '')
    throw invalidInput('handle', 'is missing', 'Give a handle as it stands in [brackets], or what it is about.')
  const scope = { tenant, session }
  const call = { id: '', name: rehydrateTool.definition.name, arguments: JSON.stringify(asked) }
  const {
    found,
    text: answer,
    fetched = [],
    media,
  } = await rehydrateTool.answer(call, {
    original: (one) => store.read('originals').get(scope, one),
    originals: (words) => store.read('originals').search(scope, words, { maxChars: searchedChars }),
    maxChars: settingsFor(config, tenant).limits.rehydrateChars,
  })
  return { found, text: answer, fetched, ...(media && { media }) }
}
