import { invalidInput } from '../../core/index.ts'

/** More rounds of decoding than any server does. */
const mostRounds = 4

/** Most targets: nothing in them could climb. */
const plain = /^\/[\w/:-]*(?:\?[\w=&-]*)?$/

/**
 * A request's target as it may go on to a provider: a path below the provider's own, however it is decoded there. Throws
 * `invalid-input` for a whole URL and for a path that climbs. A slash that is encoded within a segment is none, and stays.
 */
export function forwardablePath(target: string): string {
  if (plain.test(target)) return target
  const [path = ''] = target.split('?', 1)
  if (!path.startsWith('/')) throw refused('is not a path')
  if (/[\\\u0000-\u0020#]/.test(target)) throw refused('holds a character that no path has')
  let decoded = path
  for (let round = 0; round < mostRounds && decoded.includes('%'); round += 1) decoded = decodedOnce(decoded)
  if (/(?:^|[/\\])\.\.?(?=[/\\;]|$)/.test(decoded)) throw refused('climbs out of its place')
  return target
}

/** Only what can hide a climb. */
function decodedOnce(path: string): string {
  return path.replaceAll(/%25/g, '%').replaceAll(/%2e/gi, '.').replaceAll(/%2f/gi, '/').replaceAll(/%5c/gi, '\\')
}

function refused(problem: string): Error {
  return invalidInput('path', problem, 'Send a plain path, such as /v1/models.')
}
