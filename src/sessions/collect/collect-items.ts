import type { Item } from '../../core/index.ts'
import { strategyOf } from '../../compiler/index.ts'
import type { Session } from '../session.ts'
import { askSource } from './ask-source.ts'
import type { AskedSource } from './ask-source.ts'
import type { Source } from './source.ts'
import type { TurnMemory, UserTurn } from './turn-memory.ts'

/** What sources are asked for. */
export interface Collecting extends Omit<AskedSource, 'strategy' | 'shares'> {
  readonly sources: readonly Source[]
  readonly memory: TurnMemory
  /** That of the request. */
  readonly session: Pick<Session, 'had'>
}

/** Asks all sources at once what they have for a request. Never rejects for a source: one that is late or fails is left out. */
export async function collectItems(collecting: Collecting): Promise<readonly Item[]> {
  const { memory, context, conversation } = collecting
  const turn = memory.of(context.scope, conversation)
  if (await wasAskedElsewhere(collecting, turn)) turn.skip()
  return citedFirst(await foundIn(collecting, turn))
}

/** Whether an earlier request of the turn has come to another process, or to this one before it was started again. */
async function wasAskedElsewhere({ session, conversation }: Collecting, turn: UserTurn): Promise<boolean> {
  if (turn.wasAsked || !turn.isUnderway) return false
  // A source that is asked twice does less harm than one that is not asked.
  return session.had(conversation.items, turn.place).catch(() => false)
}

async function foundIn(collecting: Collecting, turn: UserTurn): Promise<readonly Item[]> {
  const { sources, context, conversation, leftOut } = collecting
  const isAsked = ({ id, when = 'turn' }: Source): boolean => when === 'request' || turn.given(id) === undefined
  const asked = sources.filter(isAsked)
  const { policy, situation } = context
  const strategy = asked.length === 0 ? undefined : strategyOf(policy, { situation, items: conversation.items })
  const found = await Promise.all(
    sources.map(async (source) => {
      if (!asked.includes(source)) return turn.given(source.id) ?? []
      if (strategy?.collections?.includes(source.id) === false) return []
      try {
        const items = await askSource(source, { ...collecting, strategy, shares: asked.length })
        turn.keep(source.id, items)
        return items
      } catch (error) {
        leftOut(source.id, error)
        return []
      }
    }),
  )
  return found.flat()
}

/** Citations of one turn that a model is asked for; what comes after those is evidence like any other. */
const mostCited = 10

function citedFirst(items: readonly Item[]): readonly Item[] {
  const rest = new Set(items.filter(({ citable }) => citable === true).slice(mostCited))
  return rest.size === 0 ? items : items.map((item) => (rest.has(item) ? uncited(item) : item))
}

function uncited({ citable: _citable, ...item }: Item): Item {
  return item
}
