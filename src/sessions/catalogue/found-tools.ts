import type { RewriteCall } from '../../codecs/index.ts'
import type { SessionTurn } from '../session-turn.ts'
import { asClientCall, functionsOf } from './listed-tools.ts'
import type { FoundTools } from './refused-calls.ts'

/** The tools that a turn's replies may call by `execute_tool`; undefined where they call tools by their own names only. */
export function foundTools({ mode, received, catalogue, encoded }: SessionTurn): FoundTools | undefined {
  if (mode !== 'on' || !encoded || !catalogue || catalogue.isDeferred) return undefined
  return { all: functionsOf(received), unlisted: catalogue.unlisted }
}

/** Calls of a turn's replies as its client gets them; undefined where they are those of the model. */
export function clientCallsOf(turn: SessionTurn): RewriteCall | undefined {
  return foundTools(turn) === undefined ? undefined : asClientCall
}
