import type { JsonObject } from '../../../core/index.ts'
import { wantsJson } from '../echo.ts'
import { objectsOf } from '../read-json.ts'
import type { Script, ScriptEntry } from '../script.ts'
import { answeredCalls, textsIn } from './answered-calls.ts'
import type { AnsweredCall } from './answered-calls.ts'
import { chatForm } from './chat-form.ts'
import { leftOutOnce, waitsForFolder } from './left-out.ts'
import type { LeftOut } from './left-out.ts'
import { matchTool } from './match-tool.ts'
import type { ScriptedCall } from './match-tool.ts'
import { offeredTools } from './offered-tools.ts'
import type { OfferedTool } from './offered-tool.ts'
import { playMemory } from './play-memory.ts'
import type { PlayMemory } from './play-memory.ts'
import { reportText } from './report-text.ts'
import { actionInScene } from './scene-names.ts'
import { scriptDocument } from './script-document.ts'
import type { ScriptAction, ScriptDocument, ScriptStep } from './script-document.ts'
import { nothingDone, withLacking, withResult } from './script-record.ts'
import type { ScriptRecord } from './script-record.ts'

export interface ScriptParts {
  /** Scripts that are made anew for every request of the same conversations share one. */
  readonly memory?: PlayMemory
  /** Is told of an action for which a request has no tool, in a sentence without a full stop, once for each action. */
  readonly tellLeftOut?: (sentence: string) => void
}

/** The script that a document writes down. Throws `invalid-input` that names what is wrong in it, below `at`. */
export function scriptFrom(
  value: unknown,
  at?: string,
  { memory = playMemory(), tellLeftOut = () => undefined }: ScriptParts = {},
): Script {
  const document = scriptDocument(value, at)
  return playScript(document, { memory, leaveOut: leftOutOnce(document, tellLeftOut) })
}

interface Playing {
  readonly memory: PlayMemory
  readonly leaveOut: LeftOut
}

/**
 * Plays a script to any number of agents at once: the turns of a conversation say which step is next, those among them
 * that only earlier requests have shown, too. Steps for which a client has no tool are left out of its play. After the
 * last one it echoes, and so it does for a request that wants JSON, which is beside an agent's work.
 */
function playScript({ steps }: ScriptDocument, { memory, leaveOut }: Playing): Script {
  return ({ json }) => {
    if (json === undefined || wantsJson(json)) return undefined
    const body = chatForm(json)
    const messages = objectsOf(body['messages'])
    const turns = memory.whole(answeredCalls(messages))
    const scene = { tools: offeredTools(body), files: filesIn(messages), leaveOut }
    let record = nothingDone
    let turn = 0
    for (const [step, isRepeat] of withRepeats(steps)) {
      if (isRepeat && !repeats(turns[turn], turns[turn - 1], record)) continue
      const played = playedStep(step, scene, record)
      if (played === undefined) {
        record = withLacking(record, step.do ?? [])
        continue
      }
      // What a client has put into the assistant's mouth calls nothing.
      if (played.actions.length > 0) while (turns[turn]?.length === 0) turn += 1
      const calls = turns[turn]
      if (calls === undefined) return played.entry
      turn += 1
      const later = turns.slice(turn).flatMap((others) => others.map(({ asked }) => asked))
      for (const [index, action] of played.actions.entries())
        record = withResult(record, { action, result: calls[index]?.result, later })
    }
    return undefined
  }
}

const askFolder = 'pwd'
/** Shells of some agents now and then lose the output of a command. */
const mostRepeats = 2

/** The steps of a script, each that asks for the working folder with its repeats. */
function withRepeats(steps: readonly ScriptStep[]): readonly (readonly [ScriptStep, boolean])[] {
  return steps.flatMap((step) => {
    const asks = step.do?.length === 1 && step.do[0]?.run === askFolder
    return [[step, false], ...Array.from({ length: asks ? mostRepeats : 0 }, () => [step, true] as const)] as const
  })
}

/** Whether the client was asked for its working folder again, or is to be, since its shell printed nothing. */
function repeats(
  next: readonly AnsweredCall[] | undefined,
  last: readonly AnsweredCall[] | undefined,
  { workingFolder }: ScriptRecord,
): boolean {
  // A folder is made with a command that ends in the same word.
  if (next !== undefined) return next.every(({ asked }) => /\bpwd\b/.test(asked) && !/\bmkdir\b/.test(asked))
  return workingFolder === '' && last?.[0]?.result?.failed === false
}

/** What an action may need to know of a conversation. */
interface Scene {
  readonly tools: readonly OfferedTool[]
  /** Files that calls and results have named, in order. */
  readonly files: readonly string[]
  readonly leaveOut: LeftOut
}

interface PlayedStep {
  readonly entry: ScriptEntry
  /** One for each call. */
  readonly actions: readonly ScriptAction[]
}

/** A step for this client; undefined where it has no tool for any of what there is to do. */
function playedStep(step: ScriptStep, { tools, files, leaveOut }: Scene, record: ScriptRecord): PlayedStep | undefined {
  const { think, say, report, do: actions = [] } = step
  const called = actions.flatMap((action): readonly (readonly [ScriptAction, ScriptedCall])[] => {
    const filled = actionInScene(action, { files, made: record.made })
    const call = filled && matchTool(filled, tools, record.workingFolder)
    // A request without tools is often beside an agent's work: one for a title, for example.
    const mayTell = filled !== undefined && tools.length > 0 && !waitsForFolder(filled, record.workingFolder)
    if (call === undefined && mayTell) leaveOut(action)
    return call === undefined ? [] : [[action, call]]
  })
  if (actions.length > 0 && called.length === 0) return undefined
  const offered = [...new Set(tools.map(({ name, via = name }) => via))]
  const text = report === undefined ? say : reportText({ record, quote: report, offered })
  return {
    actions: called.map(([action]) => action),
    entry: {
      ...(think !== undefined && { thinking: think }),
      ...(text !== undefined && { text }),
      toolCalls: called.map(([, call]) => call),
    },
  }
}

const fileName =
  /(?:[\w.@-]*\/)*[\w-][\w.-]*\.(?:[cm]?[jt]sx?|py|rb|go|rs|java|kt|c|h|cc|cpp|hpp|cs|php|swift|md|json|ya?ml|toml|sh|sql|html|css|csv)\b/g
const vendored = /(?:^|\/)(?:node_modules|\.git|dist|build)\/|package-lock\.json$/

/** Files that were named since the assistant has first spoken. */
function filesIn(messages: readonly JsonObject[]): readonly string[] {
  const begun = messages.findIndex(({ role }) => role === 'assistant')
  const texts = begun < 0 ? [] : textsIn(messages.slice(begun))
  const named = texts.flatMap((text) => text.match(fileName) ?? []).map((file) => file.replace(/^(?:\.\/)+/, ''))
  return [...new Set(named)].filter((file) => !vendored.test(file))
}
