import type { Item } from '../../core/index.ts'

/** How people say what they would rather have. */
const preferring =
  /\b(?:prefer(?:s|red|ence|ences)?|rather (?:have|not|than)|favou?rite|(?:dis)?likes? (?:to|it|when|the|a)|would like|i'd like|hates?|no fan of|usually|as a rule|tone|style|(?:please|always|never) (?:use|keep|avoid|write|call|address|answer))\b/i

/** Whether an item tells what somebody would rather have: by its category, or by how it is said. */
export function tellsPreference({ category, section, kind, role, text }: Item): boolean {
  if (category === 'preference' || category === 'preferences') return true
  const isSaid = kind === 'memory' || section === 'memory' || (kind === 'text' && role === 'user')
  return isSaid && preferring.test(text)
}
