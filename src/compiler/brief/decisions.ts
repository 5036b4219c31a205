/** Words by which a sentence says what was decided or found. */
const deciding =
  /\b(?:decid(?:ed|ing)|because|root cause|the (?:problem|issue|bug|cause|reason|fix) (?:is|was|here)|instead(?: of)?|must(?:n't| not)?|will use|we(?:'ll| will) (?:use|keep|need)|(?:turns|turned) out|should(?:n't| not)? (?:be|use|not)|conclusion|confirmed|therefore|requires?|broke|regression|the law)\b/i

/** What says that something is about to be looked at: the call says it itself. */
const announcing =
  /^(?:(?:now|ok|okay|good|great|perfect|first|next|so|and|then|also|alright|right|hmm|wait|actually|finally|excellent|yes),?\s+)*(?:i\s+(?:now\s+)?(?:need|want) to|let me|let's|let us|i'll|i will|we need to)\s+(?:(?:now|also|just|first|quickly|actually|then)\s+)*(?:check|look|see|view|find|search|run|verify|read|examine|test|explore|get|take|try|start|continue|update|fix|create|add|do|make|understand|investigate|debug|inspect|write|implement|review|open|list|trace|rerun|re-run|build|edit|go|move|remove|apply|use|confirm|think|also|refactor|rewrite|replace|clean|proceed|commit)\b/i

const imperative =
  /^(?:now|next|then|also|finally),? (?:add|update|create|remove|fix|check|run|implement|write|move|commit|let)\b/i

/** Short sentences that name something say more than others. */
const particular = /[`\d_/]|\w\.\w|[a-z][A-Z]|\w[A-Z]{2}/
const fewestWords = 8

const cheering =
  /^(?:(?:excellent|great|perfect|good|nice|awesome|wonderful|fantastic|amazing|wow|done|success|yes|ok|okay|sure|thanks|sorry|you're (?:absolutely )?right|absolutely|right|got it|understood|all (?:done|good)|looks? good)\b[\s\w,']{0,40})[.!]+$/i

const longest = 200
/** Characters that are looked at: what is decided is said at the beginning. */
const mostLooked = 6000

/** The first sentence of a reply that says something, and the next one by which something was decided. */
export function decisionsIn(text: string): readonly string[] {
  const sentences = sentencesOf(text.slice(0, mostLooked))
  const first = sentences.findIndex((sentence) => saysSomething(sentence))
  if (first === -1) return []
  const second = sentences.slice(first + 1).find((sentence) => deciding.test(sentence) && saysSomething(sentence))
  return [sentences[first] ?? '', ...(second === undefined ? [] : [second])].map(shortened)
}

function saysSomething(sentence: string): boolean {
  if (sentence.length < 15 || !/\p{L}/u.test(sentence) || cheering.test(sentence)) return false
  if (deciding.test(sentence)) return true
  if (announcing.test(sentence) || imperative.test(sentence) || sentence.endsWith(':')) return false
  return sentence.split(' ').length >= fewestWords || particular.test(sentence)
}

function sentencesOf(text: string): readonly string[] {
  const prose = text.replaceAll(/^```[\s\S]*?^```[^\n]*$/gm, '').replaceAll(/^```[\s\S]*$/gm, '')
  return prose.split('\n').flatMap((line) => {
    if (/^\s*(?:#{1,6} |\||[-=*_]{3,}\s*$)/.test(line)) return []
    // Members of lists say how, and seldom why.
    if (/^\s*(?:[-*+•✅❌]|\d{1,3}[.)])\s+/.test(line) && !deciding.test(line)) return []
    const plain = line.replace(/^\s*(?:[-*+•]|\d{1,3}[.)])\s+/, '').replaceAll('**', '')
    return plain.split(/(?<=[.!?])\s+(?=[\p{Lu}"'`(\d])/u).flatMap((sentence) => {
      const said = sentence.replaceAll(/\s+/g, ' ').trim()
      return said === '' ? [] : [said]
    })
  })
}

function shortened(sentence: string): string {
  if (sentence.length <= longest) return sentence
  const cut = sentence.slice(0, longest - 1)
  return `${cut.slice(0, Math.max(cut.lastIndexOf(' '), longest / 2)).toWellFormed()}…`
}
