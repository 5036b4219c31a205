const leastChars = 8
const leastChanges = 2

/**
 * Whether the id of a call looks drawn at random, so that no other conversation has it. Some servers count calls, or name
 * them by their tools.
 */
export function isOwnId(id: string): boolean {
  return id.split(/[^A-Za-z\d]+/).some((part) => part.length >= leastChars && changesIn(part) >= leastChanges)
}

/** Words and counters have fewer changes between lower case, upper case and digits than what is drawn. */
function changesIn(part: string): number {
  let count = 0
  for (let at = 1; at < part.length; at += 1) if (kindOf(part.charAt(at - 1)) !== kindOf(part.charAt(at))) count += 1
  return count
}

function kindOf(character: string): 'digit' | 'upper' | 'lower' {
  if (character >= '0' && character <= '9') return 'digit'
  return character < 'a' ? 'upper' : 'lower'
}
