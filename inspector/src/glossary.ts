/** What the words of the pages mean. A label is what a page shows in place of the gateway's own word. */

interface Word {
  readonly label: string
  readonly meaning: string
}

const rungs: Readonly<Record<string, Word>> = {
  full: { label: 'whole', meaning: 'Sent as the client sent it.' },
  lossless: { label: 'same in less', meaning: 'Says the same in fewer tokens. Nothing is lost.' },
  trimmed: { label: 'trimmed', meaning: 'The lines that matter stay. The model can ask for the rest by its handle.' },
  summary: { label: 'summary', meaning: 'A summary stands for it. The model can ask for the original by its handle.' },
  line: { label: 'one line', meaning: 'One line says what it was. The model can ask for the original by its handle.' },
  pointer: { label: 'handle only', meaning: 'Only a handle is left, by which the model can ask for it.' },
  omitted: { label: 'left out', meaning: 'Not sent. The original is kept under its handle.' },
}

const reasons: Readonly<Record<string, Word>> = {
  'fits': { label: 'there is room', meaning: 'It fits, and shortening it would not pay.' },
  'pinned': { label: 'pinned', meaning: 'A person, the client or Prehend itself wants it whole, whatever it takes.' },
  'frozen': { label: 'may not change', meaning: 'The provider needs it byte for byte, for example signed reasoning.' },
  'recent': { label: 'among the newest', meaning: 'The model has not answered it yet.' },
  'error-kept': { label: 'tells of a failure', meaning: 'Failures stay whole for longer than other results.' },
  'ledger': {
    label: 'as before, so the cache holds',
    meaning: 'An earlier request sent it like this. The same bytes are read from the provider’s cache.',
  },
  'lossless': { label: 'the same in less', meaning: 'A shorter form says all of it.' },
  'repeats': { label: 'says again what stands elsewhere', meaning: 'Its lines stand in another item that is shown.' },
  'economy': { label: 'not worth its tokens', meaning: 'Over the requests to come it would cost more than it helps.' },
  'pressure': { label: 'no room in the window', meaning: 'Something had to be shortened for the request to fit.' },
  'window-full': { label: 'no room, though unread', meaning: 'Nothing else was left to shorten, so new results were.' },
  'section-budget': { label: 'no room in its section', meaning: 'The policy bounds what this section may take.' },
  'below-floor': { label: 'too little relevance', meaning: 'It scored below the least that the policy asks for.' },
  'expired': { label: 'out of date', meaning: 'It is older than the policy lets it be.' },
  'duplicate': { label: 'stands there already', meaning: 'Another item says the same, word for word.' },
  'group': { label: 'goes with its group', meaning: 'Items that belong together are kept or left out together.' },
  'overflow': { label: 'did not fit', meaning: 'The window was full.' },
  'deferred': { label: 'on a later page', meaning: 'The request is sent in several pages.' },
  'quarantined': {
    label: 'may hold orders',
    meaning: 'The text looks like a prompt injection and is shown as quoted data.',
  },
  'out-of-scope': { label: 'belongs to somebody else', meaning: 'Its scope is not the one of this request.' },
  'no-place': { label: 'no place in the layout', meaning: 'The form that was sent has no place for it.' },
  'as-it-came': {
    label: 'unchanged, as the client sent it',
    meaning: 'The request had no pack, so nothing was changed.',
  },
}

const sections: Readonly<Record<string, Word>> = {
  policy: { label: 'system prompt', meaning: 'Instructions at the beginning of the request.' },
  role: { label: 'role', meaning: 'Who the model is to be.' },
  task: { label: 'task', meaning: 'What is to be done.' },
  tools: { label: 'tool definitions', meaning: 'Functions that the model may call.' },
  evidence: { label: 'evidence', meaning: 'Passages that a source has contributed.' },
  memory: { label: 'memory', meaning: 'What is remembered of earlier conversations.' },
  situation: { label: 'situation', meaning: 'What holds now: notes, values that have changed.' },
  history: { label: 'conversation', meaning: 'Messages, calls and results so far.' },
  query: { label: 'newest message', meaning: 'The user’s newest message.' },
}

/** Words of figures and heads of tables. */
const terms: Readonly<Record<string, string>> = {
  'Read anew': 'Tokens that a provider’s cache had held and that were paid for in full again.',
  'Read from the cache': 'Tokens that the provider had kept from the request before. They cost a fraction.',
  'Hidden rounds':
    'Calls of our own tools, such as the one that brings an original back. The client does not see them.',
  'Own latency': 'What the gateway itself took before the request went on.',
  'Skipped stages': 'Steps of the gateway that failed. The request went on without them.',
  'Account': 'What packing has saved so far, less what it has lent to sessions that are to pay it back.',
  'Epoch':
    'Between two epochs no byte changes that a cache may hold. A new one begins when rewriting older items pays, or when the cache is lost anyway. “hold” means: nothing was rewritten.',
  'Saved': 'What the client’s own requests would have cost, less what was spent.',
  'Outcome': 'Whether everything that had to be in the request fitted its window.',
  'Sent': 'Tokens of the items as they were sent. The frame of the request (roles, tool syntax) comes on top.',
  'Breaks of the cache': 'Times that a beginning which a cache had held was paid for again.',
  'Readable': 'The share of the section’s content that a reader of the request still finds.',
  'Strategy': 'Everything unchanged, or a policy.',
}

const known = (words: Readonly<Record<string, Word>>, word: string): Word => words[word] ?? { label: word, meaning: '' }

export const rungWords = (rung: string): string => known(rungs, rung).label
export const rungMeaning = (rung: string): string => known(rungs, rung).meaning
export const reasonWords = (reason: string): string => known(reasons, reason).label
export const reasonMeaning = (reason: string): string => known(reasons, reason).meaning
export const sectionWords = (section: string): string => known(sections, section).label
export const sectionMeaning = (section: string): string => known(sections, section).meaning
export const termMeaning = (term: string): string | undefined => terms[term]

/** The labels of a kind of word, without its gateway's name. */
export const wordsOfKind = { rung: rungWords, reason: reasonWords, section: sectionWords } as const
