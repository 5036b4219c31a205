/** What a reader stumbles over: one pattern, with a sentence before and after. */
export interface Rule {
  readonly name: string
  readonly why: string
  readonly before: string
  readonly after: string
  readonly breaks: (sentence: string) => boolean
}

export const mostWords = 40

/** Words outside inline code, which is blank by now: a list of field names is no long sentence. */
export function wordsOf(sentence: string): number {
  return sentence.split(/\s+/).filter((word) => /[\p{L}\p{N}]/u.test(word)).length
}

const matching = (pattern: RegExp) => (sentence: string) => pattern.test(sentence)

export const rules: readonly Rule[] = [
  {
    name: 'person',
    why: 'name the thing: the client, the user, the tenant, the operator',
    before: 'whoever has used up its quota keeps nobody else out',
    after: 'A tenant that uses up its quota does not block others.',
    breaks: matching(/\b(?:nobody|somebody|anybody|whoever)\b/i),
  },
  {
    name: 'told',
    why: 'say which field, header or message has it',
    before: 'the router is told the session',
    after: 'The request to the router carries the session id.',
    breaks: matching(/\b(?:is|are) told\b(?! apart)/i),
  },
  {
    name: 'there-is',
    why: 'use an adjective: unknown, existing, available',
    before: 'A parameter that there is not is an error.',
    after: 'Unknown query parameters are errors.',
    breaks: matching(/\bthat there (?:is|are)\b/i),
  },
  {
    name: 'its-own',
    why: 'a sentence needs a noun',
    before: 'a tenant can use only what is its own',
    after: 'A tenant can use only objects that it created.',
    breaks: matching(/\bwhat (?:is|are) (?:its|their) own\b/i),
  },
  {
    name: 'as-it-came',
    why: 'the standard word is "unchanged"',
    before: 'the body goes on as it came',
    after: 'The body is forwarded unchanged.',
    breaks: matching(/\bas (?:it|they) c[ao]me\b/i),
  },
  {
    name: 'long',
    why: `at most ${mostWords} words a sentence, one idea in each`,
    before: 'a sentence with three semicolons that says what is done, when, and what else holds then',
    after: 'Three sentences, or a list.',
    breaks: (sentence) => wordsOf(sentence) > mostWords,
  },
]
