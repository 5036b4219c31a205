/** A counter as data; its name comes behind `prehend_`. Without labels it is one number. */
export interface DeclaredCounter {
  readonly name: string
  readonly help: string
  readonly labels: readonly string[]
}

export interface DeclaredHistogram {
  readonly name: string
  readonly help: string
  /** Upper ends of the buckets, ascending. */
  readonly bounds: readonly number[]
}

/**
 * The counters of the gateway itself. Every label has a bounded set of values. Tenants and upstreams are those of the
 * configuration; models are those that the catalogue knows, 500 at most: no name that a client makes up becomes one.
 */
export const builtInCounters = {
  requests: {
    name: 'requests_total',
    help: 'Requests answered, by route and class of status.',
    labels: ['route', 'status'],
  },
  tokens: {
    name: 'tokens_total',
    help: 'Tokens: as they came, as sent, and as the provider reported them.',
    labels: ['kind', 'family'],
  },
  dollars: {
    name: 'cost_usd_total',
    help: "Dollars: spent; estimated, the client's own requests (client) and all of them with our cache marks (pass-through); of mode observe paid (observed), and estimated for mode on (if-on).",
    labels: ['kind', 'family'],
  },
  answers: {
    name: 'answers_total',
    help: 'Answers by tenant, upstream, model and status; upstream is none where the gateway refused.',
    labels: ['tenant', 'upstream', 'model', 'status'],
  },
  used: {
    name: 'used_tokens_total',
    help: 'Tokens that providers reported, by tenant, upstream and model.',
    labels: ['tenant', 'upstream', 'model', 'kind'],
  },
  spent: {
    name: 'spent_usd_total',
    help: 'Dollars spent, by tenant, upstream and model.',
    labels: ['tenant', 'upstream', 'model'],
  },
  upstreamFailures: {
    name: 'upstream_failures_total',
    help: 'Requests the provider did not finish.',
    labels: ['reason'],
  },
  cacheMisses: {
    name: 'cache_missed_tokens_total',
    help: 'Tokens that were sent before and were not read from the cache, by why, and by who had changed them.',
    labels: ['cause', 'by'],
  },
  refreshes: {
    name: 'cache_refreshes_total',
    help: 'Prompts of silent sessions that were read again so that they stay in their cache, and whether they were still there.',
    labels: ['result'],
  },
  summaries: {
    name: 'summaries_total',
    help: 'Blocks of conversations that a model was to summarise: written, known already, or failed and left.',
    labels: ['result'],
  },
  roleDollars: {
    name: 'role_cost_usd_total',
    help: 'Dollars spent by what models were asked for.',
    labels: ['role', 'family'],
  },
  waste: {
    name: 'followed_tokens_total',
    help: 'Tokens in each request of results, evidence and memory that an answer has followed, where that is tracked, and whether any has used them.',
    labels: ['use'],
  },
  toolDefinitions: {
    name: 'tool_definitions_total',
    help: "Definitions of clients' tools in requests, by whether the conversation had called the tool by then.",
    labels: ['use'],
  },
  toolTokens: {
    name: 'tool_definition_tokens_total',
    help: 'Tokens of these definitions.',
    labels: ['use'],
  },
  qualityBreaches: {
    name: 'quality_breaches_total',
    help: 'Measures of packs that were out of bounds, and what came of it.',
    labels: ['measure', 'action'],
  },
  epochs: {
    name: 'epoch_decisions_total',
    help: 'Decisions to hold or begin an epoch, and why.',
    labels: ['decision', 'cause'],
  },
  rehydrations: { name: 'rehydrations_total', help: 'Calls of the rehydrate tool.', labels: ['result'] },
  markers: {
    name: 'copied_markers_total',
    help: 'Markers of ours in calls: written out, left, or in replies that were answered, or passed on, because of one.',
    labels: ['result'],
  },
  toolCalls: {
    name: 'tool_calls_total',
    help: 'Calls of tools of the registry by source, `own` for all that tenants have put, and how they ended.',
    labels: ['source', 'outcome'],
  },
  embeddings: {
    name: 'embeddings_total',
    help: 'Texts of tools and queries that vectors were wanted for: made, kept before, missing as yet, late, failed, or not asked for while the embedder is paused.',
    labels: ['of', 'result'],
  },
  embeddedTokens: {
    name: 'embedding_tokens_total',
    help: 'Tokens of these texts as the upstream that makes vectors reports them.',
    labels: ['upstream', 'model'],
  },
  hiddenLost: {
    name: 'hidden_lost_total',
    help: 'Hidden exchanges that could not be put back into their conversation.',
    labels: [],
  },
  skipped: {
    name: 'stages_skipped_total',
    help: 'Stages that failed; the request went on as it came.',
    labels: ['stage'],
  },
  slow: { name: 'stages_slow_total', help: 'Stages that took longer than they should.', labels: ['stage'] },
  storeTroubles: {
    name: 'store_troubles_total',
    help: 'Times the store was held by another process, its thread died, its file was replaced, or its server was lost.',
    labels: ['kind'],
  },
  reloads: {
    name: 'reloads_total',
    help: 'Times the configuration was read again: applied, or refused, after which the one before stays in force.',
    labels: ['result'],
  },
  hotTroubles: {
    name: 'hot_troubles_total',
    help: 'Times the server of the hot state (Redis) stopped answering (lost), and answered again (back).',
    labels: ['kind'],
  },
  turnedAway: {
    name: 'turned_away_total',
    help: 'Requests that were sent nowhere: no such route, or none for who asks.',
    labels: ['reason'],
  },
  budgets: {
    name: 'budget_reservations_total',
    help: 'Calls of providers that were counted against budgets before they were sent.',
    labels: ['result'],
  },
  budgetRefusals: {
    name: 'budget_refusals_total',
    help: 'Requests that a limit had no room for, by whose limit it was.',
    labels: ['scope', 'limit'],
  },
  budgetRepairs: {
    name: 'budget_repairs_total',
    help: 'Reservations whose process died (lapsed), and settlements that were tried again (retried).',
    labels: ['what'],
  },
  threadsEnded: {
    name: 'threads_ended_total',
    help: 'Threads that did not come back from a request, or died.',
    labels: ['why'],
  },
  aborts: { name: 'client_aborts_total', help: 'Clients that left early.', labels: [] },
} as const satisfies Readonly<Record<string, DeclaredCounter>>

const secondsFine = [0.0001, 0.00025, 0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 1]
const secondsCoarse = [0.01, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 300]

export const builtInHistograms = {
  overhead: {
    name: 'overhead_seconds',
    help: 'Time spent here before a request went upstream.',
    bounds: secondsFine,
  },
  firstByte: {
    name: 'upstream_first_byte_seconds',
    help: 'Time until the provider began to answer.',
    bounds: secondsCoarse,
  },
  duration: {
    name: 'request_seconds',
    help: 'From the arrival of a model request to the last byte of its answer.',
    bounds: secondsCoarse,
  },
  outputRate: {
    name: 'output_tokens_per_second',
    help: 'Tokens of an answer by the seconds from the first byte sent upstream to its end.',
    bounds: [1, 5, 10, 20, 40, 60, 80, 100, 150, 200, 400],
  },
} as const satisfies Readonly<Record<string, DeclaredHistogram>>
