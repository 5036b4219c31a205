import { didYouMean, parseObject } from '../../core/index.ts'
import { argumentsProblem } from '../../tools/index.ts'
import type { RegistryTool } from '../../tools/index.ts'
import type { CatalogueTool } from './catalogue-tool.ts'
import { refusalOf } from './permits.ts'
import { ToolFailure } from './sources/tool-failure.ts'
import type { ToolError } from './sources/tool-failure.ts'
import type { SourceCall, SourceResult, ToolCaller, ToolSource } from './sources/tool-source.ts'
import type { RegistryCall, RegistryCallContext } from './tool-call.ts'

/** Before an idempotent call is tried once more. */
const retryAfterMs = 200

export interface Executing {
  readonly tools: readonly CatalogueTool[]
  readonly sourceOf: (tool: CatalogueTool) => ToolSource | undefined
  readonly timeoutMs: (tool: CatalogueTool) => number
  readonly wait: (ms: number, signal: AbortSignal) => Promise<void>
  readonly caller: ToolCaller
}

/** The tool of a call. Throws `ToolFailure` where there is none, or where it may not be called so. */
export function toolOfCall(
  { tools }: Pick<Executing, 'tools'>,
  call: Pick<RegistryCall, 'tool'>,
  context: RegistryCallContext,
): CatalogueTool {
  const tool = tools.find(({ id, calledAs }) => id === call.tool || calledAs === call.tool)
  if (tool === undefined) throw unknownTool(call.tool, tools)
  const refusal = refusalOf(tool, context)
  if (refusal !== undefined)
    throw failure('out-of-scope', refusal, 'Choose another tool, or finish this step without it and say so.')
  if (tool.status === 'quarantined')
    throw failure(
      'quarantined',
      `${tool.calledAs} is held back: nobody has accepted its definition.`,
      'Choose another tool.',
    )
  return tool
}

/** Runs a call whose tool is known. Rejects with `ToolFailure` and nothing else. */
export async function runCall(
  executing: Executing,
  tool: CatalogueTool,
  { arguments: json, signal }: Pick<RegistryCall, 'arguments'> & Pick<RegistryCallContext, 'signal'>,
): Promise<SourceResult> {
  const problem = argumentsProblem(tool.inputSchema, json)
  if (problem !== undefined)
    throw failure('invalid-arguments', problem, `The schema of ${tool.calledAs} says what it takes.`)
  if (tool.status === 'unavailable')
    throw failure(
      'unavailable',
      `${tool.calledAs} is unavailable. ${tool.why ?? ''}`.trim(),
      'Go on with other tools, or try again in a minute.',
      true,
    )
  const source = executing.sourceOf(tool)
  if (source === undefined)
    throw failure('not-executable', `${tool.calledAs} cannot be run here.`, 'Choose another tool.')
  const given = parseObject(json) ?? {}
  const run = () =>
    timedCall(
      source,
      { tool, arguments: given, timeoutMs: executing.timeoutMs(tool), caller: executing.caller },
      signal,
    )
  try {
    return await run()
  } catch (error) {
    if (!tool.idempotent || !mayRetry(error) || signal?.aborted === true) throw error
    await executing.wait(retryAfterMs, signal ?? new AbortController().signal).catch(() => undefined)
    return run()
  }
}

function mayRetry(error: unknown): boolean {
  return error instanceof ToolFailure && error.error.retryable && error.error.code !== 'timeout'
}

/** One try of a call, in its time. Whoever asked goes on as soon as that is over, whatever the source does. */
async function timedCall(
  source: ToolSource,
  asked: Omit<SourceCall, 'signal'>,
  given: AbortSignal | undefined,
): Promise<SourceResult> {
  if (given?.aborted) throw cancelled()
  const over = new AbortController()
  const { promise: ended, reject } = Promise.withResolvers<never>()
  const { timeoutMs, tool } = asked
  const timer = setTimeout(() => reject(late(tool, timeoutMs)), timeoutMs)
  const cancel = (): void => reject(cancelled())
  given?.addEventListener('abort', cancel, { once: true })
  try {
    return await Promise.race([ended, source.call({ ...asked, signal: over.signal })])
  } catch (error) {
    throw error instanceof ToolFailure ? error : unexpected(tool, error)
  } finally {
    clearTimeout(timer)
    given?.removeEventListener('abort', cancel)
    over.abort()
  }
}

function cancelled(): ToolFailure {
  return failure('cancelled', 'Nobody waits for the call any more.', 'Call it again if it is still needed.', true)
}

function late({ calledAs, timeout }: RegistryTool, timeoutMs: number): ToolFailure {
  const message = `${calledAs} did not answer within ${timeoutMs} ms, which calls of the class ${timeout} may take.`
  return failure('timeout', message, 'It may have taken effect all the same: check that first. Or ask for less.', true)
}

function unexpected({ calledAs }: RegistryTool, error: unknown): ToolFailure {
  const inner: unknown = error instanceof Error ? error.cause : undefined
  if (inner instanceof ToolFailure) return inner
  const said = error instanceof Error ? error.message.split('\n', 1)[0]?.slice(0, 500) : undefined
  return failure(
    'tool-error',
    `${calledAs} failed: ${said ?? 'it does not say why'}.`,
    'Change the arguments, or go on without it.',
  )
}

const mostNamed = 10

function unknownTool(name: string, tools: readonly CatalogueTool[]): ToolFailure {
  const names = tools.map(({ calledAs }) => calledAs)
  const shown = JSON.stringify(name.slice(0, 100))
  const some =
    names.length <= mostNamed && names.length > 0 ? `There are ${names.join(', ')}.` : 'Search for one that fits.'
  return failure('unknown-tool', `There is no tool ${shown}.`, `${didYouMean(name, names)}${some}`)
}

function failure(code: ToolError['code'], message: string, hint: string, retryable = false): ToolFailure {
  return new ToolFailure({ code, message, hint, retryable })
}
