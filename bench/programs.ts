import { codingRuns, recordedSets } from './recorded-sets.ts'

export interface Program {
  readonly name: string
  readonly file: string
  readonly measures: string
  /** Argument lists, one for every run; a single run without any where absent. */
  readonly runs?: readonly (readonly string[])[]
  /** Guards the code and measures nothing; runs only when it is named. */
  readonly guard?: boolean
}

const data = '../shared/data'
const traceSets = recordedSets.map(([, files]) => files.map((name) => `${data}/${name}.jsonl`))

/** Every measurement of `docs/benchmarks/`, in the order of its pages, then what guards the code. */
export const programs: readonly Program[] = [
  {
    name: 'replay',
    file: 'src/cli/main.ts',
    measures: 'cost, cache and retention on recorded sessions, for every strategy',
    runs: traceSets.map((files) => ['replay', ...files]),
  },
  {
    name: 'ablation',
    file: 'bench/ablation.ts',
    measures: 'what each idea of balanced is worth, on sessions that no setting was chosen on',
  },
  {
    name: 'frontier',
    file: 'bench/frontier.ts',
    measures:
      'what policies and rival strategies cost and keep, on one set by one rule; takes options, see frontier --help',
    guard: true,
  },
  {
    name: 'frontier-chart',
    file: 'bench/frontier-chart.ts',
    measures: 'draws cost against recall of policies and rivals as docs/frontier.svg; only when named',
    guard: true,
  },
  {
    name: 'tables',
    file: 'bench/benchmark-tables.ts',
    measures:
      'makes the tables of recorded sessions in docs/benchmarks/ and their chart; takes options, see tables --help',
    guard: true,
  },
  {
    name: 'gates',
    file: 'bench/gates.ts',
    measures: 'gates and aims of policies, by the rules of six providers, on recorded and made sessions',
  },
  {
    name: 'inline-results',
    file: 'bench/inline-results.ts',
    measures: 'what would still be seen if large results of tools were artifacts from the start',
  },
  {
    name: 'made-sessions',
    file: 'bench/made-sessions.ts',
    measures: 'what stays of browsers, mails, tables, notebooks, handbooks and logs, on sessions made from seeds',
    runs: [['built'], ['held-out']],
  },
  {
    name: 'oracle',
    file: 'bench/oracle.ts',
    measures: 'what careful costs beside one who knows how recorded sessions go on',
  },
  {
    name: 'quality',
    file: 'bench/quality.ts',
    measures: 'eight measures of the packs of recorded sessions, and what measuring costs',
  },
  {
    name: 'tool-bills',
    file: 'bench/tool-bills.ts',
    measures: 'what sessions with many tools cost by each way to select these, searches included',
  },
  { name: 'packing', file: 'bench/packing.ts', measures: 'packing 2,000 and 8,000 items, beside other packers' },
  {
    name: 'turns',
    file: 'bench/turns.ts',
    measures: 'requests of recorded conversations in process, by how long these are',
  },
  {
    name: 'gateway',
    file: 'bench/gateway.ts',
    measures: 'requests per second and added latency, beside a bare proxy and a peer',
  },
  {
    name: 'workers',
    file: 'bench/workers.ts',
    measures: 'requests per second and latency of serve with one and with two processes; only when named',
    guard: true,
  },
  {
    name: 'extension-threads',
    file: 'bench/gateway.ts',
    measures:
      'a small request beside large ones: no layer of a host, one as a value, one as the module of an extension',
    runs: [['--beside', '4 x 170K tokens', '--targets', 'prehend,prehend:on:thread::value,prehend:on:thread::module']],
  },
  {
    name: 'layers',
    file: 'bench/layers.ts',
    measures: 'what a layer that rewrites items adds to a large request',
  },
  {
    name: 'keys',
    file: 'bench/keys.ts',
    measures: 'what it costs to find out who asks, by a token and by one of 1,000 virtual keys; only when named',
    guard: true,
  },
  {
    name: 'stats',
    file: 'bench/stats.ts',
    measures: 'what a gateway tells of a million requests, and how fast',
    guard: true,
  },
  {
    name: 'original-search',
    file: 'bench/original-search.ts',
    measures: 'finding what a session left out by words, and how long other sessions wait meanwhile',
  },
  {
    name: 'budgets',
    file: 'bench/budgets.ts',
    measures: 'what it costs to reserve and to settle a call, in process and in Redis',
  },
  {
    name: 'commits',
    file: 'bench/commits.ts',
    measures: 'how long a commit takes in SQLite and in PostgreSQL; only when named',
    guard: true,
  },
  {
    name: 'passages',
    file: 'bench/passages.ts',
    measures: 'how long the nearest vectors of a collection take, in the process and by pgvector; only when named',
    guard: true,
  },
  {
    name: 'blobs',
    file: 'bench/blobs.ts',
    measures: 'how long a put and a get of bytes take in a folder and in S3 (Ceph); only when named',
    guard: true,
  },
  { name: 'tokenizers', file: 'bench/tokenizers.ts', measures: 'megabytes per second, beside the reference' },
  {
    name: 'calibration',
    file: 'bench/calibration.ts',
    measures: 'error of prompt-token estimates against reported usage',
  },
  {
    name: 'formats',
    file: 'bench/formats.ts',
    measures: 'tokens of structured data by format, of tools by schema level, and calls held against these',
  },
  {
    name: 'positions',
    file: 'bench/positions.ts',
    measures: 'what is recalled of a passage by where it stands; a model is asked where an address is given',
  },
  {
    name: 'prose',
    file: 'bench/prose.ts',
    measures: 'answers that still stand where prose is shortened, and the curve',
  },
  {
    name: 'classifier',
    file: 'bench/classifier.ts',
    measures: 'a token classifier through ONNX: what it takes, and answers that stand by it',
  },
  {
    name: 'guidelines',
    file: 'bench/guidelines.ts',
    measures: 'peak tokens and success with guidelines learnt from failures, and without',
  },
  {
    name: 'fidelity',
    file: 'bench/fidelity.ts',
    measures: 'what stands of failures, figures, names and negations on every rung, by kind; which rungs are chosen',
  },
  { name: 'ladders', file: 'bench/ladders.ts', measures: 'tokens and needles at every rung, by kind of content' },
  {
    name: 'ladder-speed',
    file: 'bench/ladder-speed.ts',
    measures: 'megabytes per second of every way to show an item, and what twice the length takes',
  },
  {
    name: 'citations',
    file: 'bench/citations.ts',
    measures: 'citations that are inferred, against labelled claims and answers',
  },
  {
    name: 'kinds-of-text',
    file: 'bench/kinds-of-text.ts',
    measures: 'processor time of a pack per MB of a tool result, by kind of text; only when named',
    guard: true,
  },
  { name: 'kinds', file: 'bench/kinds.ts', measures: 'kinds of content told right, of samples of real output' },
  {
    name: 'phases',
    file: 'bench/phases.ts',
    measures: 'agent phases told right, of recorded steps labelled in hindsight',
    runs: [codingRuns.map((name) => `${data}/${name}.jsonl`)],
  },
  {
    name: 'compression',
    file: 'bench/compression.ts',
    measures: 'how far each kind of context is compressed, beside its band',
  },
  {
    name: 'history',
    file: 'bench/history.ts',
    measures: 'what summaries of a conversation save, and which facts and orders still stand; what a pyramid shows',
  },
  {
    name: 'retention',
    file: 'bench/retention.ts',
    measures: 'facts that stand after one to four compactions and after a handoff, with and without rehydration',
  },
  {
    name: 'utilisation',
    file: 'bench/utilisation.ts',
    measures: 'share of the window that packs use where more is asked for, and what they show of what counts',
  },
  {
    name: 'injection',
    file: 'bench/injection.ts',
    measures: 'orders in data: found and missed, isolation by markup, time',
  },
  {
    name: 'workspace',
    file: 'bench/workspace.ts',
    measures: 'contexts that are rebuilt for every call beside raw history: start, growth, cost, retention, deltas',
    runs: [traceSets.map(([file = '']) => file)],
  },
  {
    name: 'screens',
    file: 'bench/screens.ts',
    measures: "sessions of screenshots by each provider's rules, beside showing the newest three",
    runs: [['12'], ['30'], ['60']],
  },
  {
    name: 'tools',
    file: 'bench/tools.ts',
    measures: 'tools found for labelled queries, what a request still offers of them, learning from use, and time',
  },
  {
    name: 'bundles',
    file: 'bench/bundles.ts',
    measures: 'minified bytes of the library in a bundle, by what is imported; only when named',
    guard: true,
  },
  { name: 'codecs', file: 'bench/codecs.ts', measures: 'decoding, encoding and streams of large bodies' },
  {
    name: 'soak',
    file: 'bench/soak.ts',
    measures: 'memory and latency over an hour of mixed traffic; only when named',
    guard: true,
  },
  {
    name: 'first-open',
    file: 'browser/first-open.ts',
    measures:
      'how soon a request of 180,000 tokens stands on its page, the first time that anybody looks; only when named',
    guard: true,
  },
  {
    name: 'live-page',
    file: 'browser/live-page.ts',
    measures: "memory of the inspector's pages over an hour of agents at work; only when named",
    guard: true,
  },
  {
    name: 'digests',
    file: 'bench/pack-digests.ts',
    measures: 'one digest of all that is sent, for each recorded session; only when named',
    runs: [traceSets.flat()],
    guard: true,
  },
]
