import type { ToolCall, ToolResult } from '../../core/index.ts'
import { originalsAbout } from '../../stores/index.ts'
import type { Fetched, Original } from '../../stores/index.ts'
import type { Catalogue } from '../catalogue/listed-tools.ts'
import type { RequestContext } from '../call-context.ts'
import { partsFor } from '../session-parts.ts'
import type { SessionParts } from '../session-parts.ts'
import { withinDeadline } from '../within-deadline.ts'
import { executeTool } from './catalogue-tools.ts'
import { searchedChars } from './find-about.ts'
import type { HiddenTool, ToolAnswer, ToolContext } from './hidden-tool.ts'
import { restoredArguments } from './restored-arguments.ts'
import { noSuchTool, runTool } from './run-tool.ts'
import type { ToolOutcome } from './run-tool.ts'
import { withinRoom } from './within-room.ts'

/** What a host does with the calls of its own tools. */
export interface CallHost {
  /** Aborted when the client has gone. */
  readonly signal: AbortSignal
  /** What layers have masked in a text, in its own words. */
  restore(text: string): string
  /** A result as the host wants it to go on. */
  admit(result: ToolResult): ToolResult | Promise<ToolResult>
}

export interface HiddenCalls {
  readonly asked: RequestContext
  readonly host: CallHost
  readonly calls: readonly ToolCall[]
  /** Rounds left in this request, this one included. */
  readonly roundsLeft: number
  /** What the window has room for. */
  readonly roomTokens: number
  /** Whether the model can ask for what is left out of a result. */
  readonly rehydrates: boolean
  /** Functions of the client that the model has to find. */
  readonly catalogue: Catalogue | undefined
  /** What was left out of this conversation, where nobody has named its session; a topic is searched in nothing else then. */
  readonly leftOut?: (() => readonly Original[]) | undefined
  /** Tokens of a text as the model counts. */
  count(text: string): number
}

export interface HiddenAnswers {
  readonly results: readonly ToolResult[]
  /** What they have brought back. */
  readonly fetched: readonly Fetched[]
}

/** Answers calls of our own tools, all at the same time. A tool that fails makes an answer, not an error: the model can go on without. */
export async function answerHiddenCalls(parts: SessionParts, hidden: HiddenCalls): Promise<HiddenAnswers> {
  const { calls, roundsLeft } = hidden
  const share = shareOf(parts, hidden)
  const answers = await Promise.all(calls.map((call) => answered(parts, call, { ...hidden, ...share })))
  const results = answers.map(({ result }) => result)
  const isLast = roundsLeft <= 1
  return {
    results: isLast ? results.map((result, index) => withLastNotice(result, calls[index]?.name ?? '')) : results,
    fetched: answers.flatMap(({ fetched }) => fetched),
  }
}

/** A result is never cut below this, so that it says something; it then comes off what is kept for the reply. */
const minChars = 600
const minTokens = 200
/** Of most texts; what has fewer is cut again. */
const charsPerToken = 3.5

/** What one of the calls has room for. */
interface Share {
  readonly roomTokens: number
  readonly maxChars: number
}

function shareOf(parts: SessionParts, { asked, calls, roomTokens }: HiddenCalls): Share {
  const { answerChars } = partsFor(parts, asked.scope.tenant).limits
  const share = Math.floor(roomTokens / calls.length)
  return { roomTokens: share, maxChars: Math.max(minChars, Math.min(answerChars, share * charsPerToken)) }
}

interface Answered {
  readonly result: ToolResult
  readonly fetched: readonly Fetched[]
}

async function answered(parts: SessionParts, call: ToolCall, hidden: HiddenCalls & Share): Promise<Answered> {
  const tool = [...parts.tools, executeTool].find(({ definition }) => definition.name === call.name)
  const outcome: ToolOutcome = tool === undefined ? noSuchTool(call) : await run(parts, { tool, call, hidden })
  const { text, found, media, fetched = [], references = [], isError, hasFailed } = outcome
  parts.watch.answered(hasFailed || isError ? 'failed' : found ? 'found' : 'unknown')
  const error = isError === true && { isError }
  const loads = hidden.catalogue?.isDeferred === true && references.length > 0
  const told = { ...(media && { media }), ...(loads && { toolReferences: references }) }
  const result = await hidden.host.admit({ callId: call.id, text, ...error, ...told })
  return { result: tool?.bringsBack === true ? result : await bounded(parts, { call, result, hidden }), fetched }
}

interface CallToRun {
  readonly tool: HiddenTool
  readonly call: ToolCall
  readonly hidden: HiddenCalls & Share
}

function run(parts: SessionParts, { tool, call, hidden }: CallToRun): Promise<ToolOutcome> {
  const { asked, host, count, roomTokens, maxChars, catalogue, leftOut } = hidden
  const { scope, requestId } = asked
  const archive = {
    original: (handle: string) => parts.store.read('originals').get(scope, handle),
    originals: async (words: string) =>
      leftOut === undefined
        ? parts.store.read('originals').search(scope, words, { maxChars: searchedChars })
        : originalsAbout(leftOut(), words, { maxChars: searchedChars }),
    maxChars,
  }
  return runTool({
    tool,
    limitMs: tool.boundsTime === true ? longestMs : partsFor(parts, scope.tenant).limits.toolMs,
    nowMs: parts.clock(),
    signal: host.signal,
    failed: (error) => parts.watch.failed(tool.definition.name, error, requestId),
    work: (timed) => {
      const asTold =
        tool.takesMasked === true
          ? call
          : { ...call, arguments: restoredArguments(call.arguments, (text) => host.restore(text)) }
      const { unlisted = [], hosted = [], learnt } = catalogue ?? {}
      const found = {
        unlisted,
        hosted,
        ...(learnt && { learnt }),
        ...(parts.hostedTools && { host: parts.hostedTools }),
        ...(parts.meanings && { meanings: parts.meanings }),
      }
      const context = { ...asked, ...archive, ...timed, roomTokens, ...found }
      const fills = (text: string): number => count(text) / Math.max(1, roomTokens)
      return tool.bringsBack === true ? fittingAnswer(tool, asTold, { context, fills }) : tool.answer(asTold, context)
    },
  })
}

/** For tools that end their calls by themselves. */
const longestMs = 3_600_000
const mostTries = 4

interface ToFit {
  readonly context: ToolContext
  readonly fills: (text: string) => number
}

/** An answer of what was left out is asked for again in less until it fits. */
async function fittingAnswer(tool: HiddenTool, call: ToolCall, { context, fills }: ToFit): Promise<ToolAnswer> {
  let { maxChars } = context
  for (let tries = 1; ; tries += 1) {
    const answer = await tool.answer(call, { ...context, maxChars })
    const filled = fills(answer.text)
    if (filled <= 1 || maxChars <= minChars || tries === mostTries) return answer
    maxChars = Math.max(minChars, Math.floor((0.95 * Math.min(maxChars, answer.text.length)) / filled))
  }
}

interface ToBound {
  readonly call: ToolCall
  readonly result: ToolResult
  readonly hidden: HiddenCalls & Share
}

/** What a tool of a host says is no longer than the room, and what is left out of it stays within reach where the model can ask for it. */
function bounded(parts: SessionParts, { call, result, hidden }: ToBound): Promise<ToolResult> {
  const { asked, rehydrates, roomTokens, maxChars, count } = hidden
  const { scope } = asked
  const archive = rehydrates && {
    handleKey: parts.handleKey(scope.tenant),
    keep: (original: Original) =>
      withinDeadline(
        parts.store.commit({ scope, nowMs: parts.clock(), writes: [{ table: 'originals', originals: [original] }] }),
        parts.limits.stageMs,
      ),
  }
  const room = { roomTokens: Math.max(roomTokens, minTokens), maxChars, count }
  return withinRoom({ call, result, room, archive: archive || undefined })
}

function withLastNotice(result: ToolResult, name: string): ToolResult {
  return { ...result, text: `${result.text}\n[this was the last ${name} of this turn]` }
}
