import type { RewriteCall } from '../../codecs/index.ts'
import type { SessionTurn } from '../session-turn.ts'
import { asClientCall, functionsOf } from './listed-tools.ts'
import type { FoundTools } from './refused-calls.ts'

/** The tools that a turn's replies may call by `execute_tool`; undefined where none of them is the client's. */
export function foundTools({ mode, received, catalogue, encoded }: SessionTurn): FoundTools | undefined {
  if (mode !== 'on' || !encoded || !catalogue || catalogue.isDeferred || catalogue.unlisted.length === 0)
    return undefined
  return { all: functionsOf(received), unlisted: catalogue.unlisted, hosted: catalogue.hosted ?? [] }
}

/** Whether a turn's replies call nothing by `execute_tool` but tools of the host. */
export function callsHostAlone({ encoded, catalogue }: Pick<SessionTurn, 'encoded' | 'catalogue'>): boolean {
  return encoded !== undefined && catalogue?.hosted !== undefined && catalogue.unlisted.length === 0
}

/** Calls of a turn's replies as its client gets them; undefined where they are those of the model. */
export function clientCallsOf(turn: SessionTurn): RewriteCall | undefined {
  return foundTools(turn) === undefined ? undefined : asClientCall
}
