import type { SummaryMark } from '../core/index.ts'

/** What binds whoever goes on, in the words that people use for it. */
const binding =
  /\b(?:must(?![’' ]?(?:ve|have)\b)|shall|never|always|do not|don['’]t|doesn['’]t have to|cannot|can['’]t|may not|not allowed|only|no more than|at most|at least|make sure|ensure|avoid|under no|without|require[ds]?|needs? to|has to|have to|important|deadline|budget|limit|prefer|allerg\w+|remember|immer|niemals?|nur|nicht|muss|d[uü]rfen|jamais|toujours|doit|nunca|siempre|debe)\b|(?:必须|不要|不能|务必|只能|请记住|必ず|しないで|禁止)/iu

/** What takes back or replaces what was said before. */
const correcting =
  /\b(?:actually|instead|rather than|wrong|incorrect|correction|mistake|scratch that|i meant|not what i|change of plan|on second thought|forget (?:that|what)|stattdessen|doch nicht|falsch|korrektur|plut[oô]t|en fait|en realidad|me equivoqu[eé])\b|^(?:no|nope|nein|non)\b[,.! ]|(?:不对|错了|改成|やっぱり|訂正)/iu

/** What has been settled. */
const deciding =
  /\b(?:decided?|decision|agreed?|settled|confirmed|approved|chosen|chose|we['’]ll (?:use|go|take)|we will (?:use|go|take)|let['’]s (?:use|go|take|do|stick)|go(?:ing)? with|stick with|conclusion|root cause|the plan is|final answer|therefore|entschieden|beschlossen|einverstanden|d[eé]cid[eé]|d['’]accord|decidid[oa]|de acuerdo)\b|(?:决定|同意|确定|決定|合意)/iu

/** What a line is, of those who say what counts: a model's words bind nobody. */
export function markOf(text: string, role: 'user' | 'assistant'): SummaryMark | undefined {
  if (correcting.test(text) && role === 'user') return 'corrected'
  if (deciding.test(text)) return 'decided'
  return role === 'user' && binding.test(text) && !isQuestion(text) ? 'must hold' : undefined
}

/** Who asks whether something must be has not said that it must. */
function isQuestion(text: string): boolean {
  return /[?？]\s*$/u.test(text.slice(-8)) && !/\b(?:must|never|do not|don['’]t|make sure)\b/iu.test(text)
}
