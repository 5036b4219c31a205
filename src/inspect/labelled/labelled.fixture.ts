/* Labelled data of our own making, in every shape that is read. */

const filler = (at: number): string => `Point ${at} of the agenda was read out, and nobody had anything to add to it.`

/** A meeting of sixty remarks; what the remote should look like is said in three of them. */
export const meeting = {
  id: 'meeting-1',
  turns: Array.from({ length: 60 }, (_, at) => ({
    speaker: ['Ann', 'Ben', 'Cleo'][at % 3],
    text:
      [
        'Now the look of the remote control.',
        'I would like the remote control in yellow rubber.',
        'Then yellow rubber it is.',
      ][at - 30] ?? filler(at),
  })),
  queries: [
    { id: 'q1', query: 'What should the remote control look like?', answer: 'Yellow rubber.', spans: [[30, 32]] },
  ],
}

export const talk = {
  id: 'talk-1',
  speakers: ['Dora', 'Emil'],
  turns: Array.from({ length: 40 }, (_, at) => ({
    id: `D1:${at}`,
    session: 1,
    date: '8 May, 2023',
    speaker: at % 2 === 0 ? 'Dora' : 'Emil',
    text: at === 17 ? 'I went to Elba by ferry last week.' : filler(at),
    image_caption: at === 4 ? 'a photo of a red canoe' : null,
  })),
}

export const talkQuestions = [
  {
    id: 't1',
    conv: 'talk-1',
    question: 'Where did Emil go by ferry?',
    answer: 'Elba',
    category: 4,
    evidence: ['D1:17'],
  },
  { id: 't2', conv: 'talk-1', question: 'Who has a canoe?', answer: 'Dora', category: 1, evidence: ['D1:4'] },
  { id: 't3', conv: 'talk-1', question: 'Who has a plane?', answer: null, category: 5, evidence: [] },
  { id: 't4', conv: 'talk-1', question: 'Who has a train?', answer: null, category: 1, evidence: [] },
]

export const scenario = {
  scenario: 'shop',
  turns: Array.from({ length: 12 }, (_, at) => ({
    session: 's',
    turn: at,
    role: 'user',
    content: at === 5 ? 'My loyalty number is 7716.' : filler(at),
  })),
}

export const scenarioQuestions = [
  {
    id: 's1',
    scenario: 'shop',
    question: 'What is my loyalty number?',
    answers: ['7716', 'seven seven one six'],
    source_turns: [5],
    answer_turns: [5],
  },
]

export const passages = Array.from({ length: 30 }, (_, at) => ({
  id: `p${at}`,
  title: at === 12 ? 'Elba' : `Place ${at}`,
  text: at === 12 ? 'The ferry to Elba leaves Piombino at seven.' : filler(at),
}))

export const passageQuestions = [
  { id: 'n1', question: 'when does the elba ferry leave', answers: ['at seven'], gold: 'p12', answer_in_gold: true },
]

export const abstracts = Array.from({ length: 20 }, (_, at) => ({
  id: String(at),
  title: `Study ${at}`,
  sentences:
    at === 7 ? ['We looked at boats.', 'Ferries carry cars.', 'More is needed.'] : [filler(at), filler(at + 100)],
}))

export const claims = [
  {
    id: 1,
    query: 'Ferries carry cars.',
    gold: ['7'],
    evidence: [{ doc: '7', label: 'SUPPORT', sentences: [1] }],
  },
  { id: 2, query: 'Boats were looked at in a study.', gold: ['7'], evidence: [] },
]

export const tasks = [{ id: 'task', query: 'You want to reach Elba by ferry.', gold_docs: ['p12'] }]

export const lines = (...records: readonly unknown[]): string =>
  records.map((one) => `${JSON.stringify(one)}\n`).join('')

const toolOf = (at: number, description: string) => ({
  id: `fn-${at}`,
  name: `tool_${at}`,
  description,
  parameters: { type: 'object', properties: { value: { type: 'string', description: `The value of tool ${at}.` } } },
})

/** A catalogue of sixty tools, one of them under its name twice, and what somebody wants of it. */
export const toolList = [
  ...Array.from({ length: 60 }, (_, at) =>
    toolOf(at, at === 41 ? 'Books a ferry from one harbour to another.' : `Does what step ${at} of the manual says.`),
  ),
  { ...toolOf(41, 'Books a ferry, in other words.'), id: 'fn-41b' },
]

export const toolTasks = [
  {
    id: 'w1',
    messages: [
      { role: 'system', content: 'You help.' },
      { role: 'user', content: 'I need a ferry to the next harbour.' },
    ],
    gold_names: ['tool_41'],
  },
]

export const toolQueries = [{ id: 'x1', query: 'Book me a ferry.', gold: ['tool_41'], kind: 'single' }]

/** Two turns of a dialogue; the second one calls nothing. */
export const toolTurns = [
  {
    id: 'd1',
    involved_classes: ['Ferries'],
    turns: [
      { user: 'Book me a ferry from this harbour.', gold_calls: ['tool_41()'], gold_functions: ['tool_41', 'tool_41'] },
      { user: 'Thank you.', gold_calls: [], gold_functions: [] },
    ],
  },
]

/** Two servers whose tools have one name, and what an agent looked for before it ran one of them. */
export const serverTools = ['harbour', 'airport'].map((server) => ({
  id: `${server}::book`,
  server,
  server_description: server === 'harbour' ? 'Ferries and berths.' : 'Flights and gates.',
  name: 'book',
  description: 'Books a place.',
  inputSchema: { type: 'object', properties: { day: { type: 'string' } } },
}))

export const toolSteps = [
  { task_id: 't', step: 2, tool: 'airport::book', last_route_query: 'server: flights\ntool: book', first_use: true },
  { task_id: 't', step: 3, tool: 'airport::book', last_route_query: 'server: flights\ntool: book', first_use: false },
]
