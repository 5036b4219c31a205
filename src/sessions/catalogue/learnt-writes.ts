import type { Write } from '../../stores/index.ts'
import type { SessionHost } from '../session-host.ts'
import { partsFor } from '../session-parts.ts'
import type { SessionTurn } from '../session-turn.ts'
import { learntFrom } from './learn-tools.ts'

/** What an answered request tells about the client's tools, to be written with its result. */
export function learnt({ parts, clientTools }: SessionHost, turn: SessionTurn): readonly Write[] {
  const { tenant } = turn.scope
  const { recordsContent: keepsQueries } = partsFor(parts, tenant)
  const uses = learntFrom({ turn, learnt: clientTools.learnt(tenant), keepsQueries })
  if (uses.length === 0) return []
  clientTools.add(tenant, uses)
  return [{ table: 'tool-uses', uses }]
}
