import type { TurnLog } from '../sessions/index.ts'
import { counted } from './counted.ts'
import { printable } from './printable.ts'
import { hanging } from './wrap-text.ts'

const shownLines = 12

/** The log of a session as text: a heading for each turn, and the beginning of each item. */
export function turnLogText({ sessionId, lanes, turns, more }: TurnLog, columns = 80): string {
  if (turns.length === 0) return `There is no such turn in the log of ${printable(sessionId)}.\n`
  const blocks = turns.map(({ turn, lane, createdMs, items, requestId }) => {
    const where = lanes.length > 1 ? ` of ${printable(lane)}` : ''
    const head = `turn ${turn}${where}, ${new Date(createdMs).toISOString().slice(0, 19)}, ${requestId}`
    const said = items.map(({ role, kind, toolName, text }) => {
      const name = [role ?? kind, toolName].filter((one) => one !== undefined).join(' ')
      return `${name}: ${shortened(printable(text), columns)}`
    })
    const parts = [head, ...(said.length > 0 ? said : ['(its texts were not recorded)'])]
    return parts.flatMap((part) => part.split('\n').map((line) => hanging(line, columns))).join('\n')
  })
  const rest = more ? '\nThere are more turns: --limit N, --from N. Whole texts: --json.\n' : ''
  return `${blocks.join('\n\n')}\n${rest}`
}

function shortened(text: string, columns: number): string {
  const lines = text.split('\n')
  const most = shownLines * columns
  const shown = lines.slice(0, shownLines).join('\n').slice(0, most)
  return shown.length === text.length ? shown : `${shown}\n[${counted(text.length - shown.length, 'character')} more]`
}
