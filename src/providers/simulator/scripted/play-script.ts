import type { JsonObject, JsonValue } from '../../../core/index.ts'
import { isJsonObject } from '../../../core/index.ts'
import { objectsOf } from '../read-json.ts'
import type { Script, ScriptEntry } from '../script.ts'
import { chatForm } from './chat-form.ts'
import { matchTool } from './match-tool.ts'
import { offeredTools } from './offered-tools.ts'
import { scriptDocument } from './script-document.ts'
import type { ScriptAction, ScriptDocument, ScriptStep } from './script-document.ts'

/** The script that a document writes down. Throws `invalid-input` that names what is wrong in it, below `at`. */
export function scriptFrom(value: unknown, at?: string): Script {
  return playScript(scriptDocument(value, at))
}

/**
 * Plays a script to any number of agents at once: which step is next is told by a conversation itself, by how often the
 * assistant has spoken in it. Steps for which a client has no tool are left out of its play. After the last one it echoes.
 */
function playScript({ steps }: ScriptDocument): Script {
  return ({ json }) => {
    if (json === undefined) return undefined
    const body = chatForm(json)
    const messages = objectsOf(body['messages'])
    const said = messages.filter(({ role }) => role === 'assistant').length
    const scene = sceneOf(body, messages)
    const playable = steps.flatMap((step) => entryOf(step, scene) ?? [])
    return playable[said]
  }
}

/** What an action may need to know of a conversation. */
interface Scene {
  readonly tools: ReturnType<typeof offeredTools>
  /** Where the client works; empty where it does not say. */
  readonly folder: string
  /** Files that calls and results have named, in order. */
  readonly files: readonly string[]
}

function sceneOf(body: JsonObject, messages: readonly JsonObject[]): Scene {
  const begun = messages.findIndex(({ role }) => role === 'assistant')
  const told = textsIn([body['system'] ?? null, ...messages.slice(0, begun < 0 ? messages.length : begun)])
  const since = begun < 0 ? [] : textsIn(messages.slice(begun))
  return {
    tools: offeredTools(body),
    folder: folderIn.exec(told.join('\n'))?.[1] ?? '',
    files: filesIn(since),
  }
}

const folderIn =
  /(?:working directory|current directory|workspace|project root|\bcwd)\b[^/\n]{0,40}(\/[^\s"'`<>,)]*[^\s"'`<>,).])/i
const fileName =
  /(?:[\w.@-]*\/)*[\w-][\w.-]*\.(?:[cm]?[jt]sx?|py|rb|go|rs|java|kt|c|h|cc|cpp|hpp|cs|php|swift|md|json|ya?ml|toml|sh|sql|html|css|csv)\b/g
const vendored = /(?:^|\/)(?:node_modules|\.git|dist|build)\/|package-lock\.json$/

function filesIn(texts: readonly string[]): readonly string[] {
  const named = texts.flatMap((text) => text.match(fileName) ?? []).map((file) => file.replace(/^(?:\.\/)+/, ''))
  return [...new Set(named)].filter((file) => !vendored.test(file))
}

/** Every text in a value, arguments that are JSON in a text among them. */
function textsIn(value: JsonValue): readonly string[] {
  if (typeof value === 'string') return [value]
  if (Array.isArray(value)) return (value as readonly JsonValue[]).flatMap(textsIn)
  return isJsonObject(value) ? Object.values(value).flatMap(textsIn) : []
}

/** A step for this client; undefined where it has no tool for any of what there is to do. */
function entryOf({ think, say, do: actions = [] }: ScriptStep, scene: Scene): ScriptEntry | undefined {
  const toolCalls = actions.flatMap((action) => matchTool(inScene(action, scene), scene.tools, scene.folder) ?? [])
  if (actions.length > 0 && toolCalls.length === 0) return undefined
  return {
    ...(think !== undefined && { thinking: think }),
    ...(say !== undefined && { text: say }),
    toolCalls,
  }
}

/** `{file:2}` is the second file that was named; where there are fewer, one of them again. */
function inScene(action: ScriptAction, { files }: Scene): ScriptAction {
  const filled = (text: string): string =>
    text.replaceAll(/\{file:(\d+)\}/g, (_, number: string) => {
      return files[(Number(number) - 1) % Math.max(files.length, 1)] ?? 'README.md'
    })
  return {
    ...action,
    ...(action.read !== undefined && { read: filled(action.read) }),
    ...(action.run !== undefined && { run: filled(action.run) }),
    ...(action.search !== undefined && { search: filled(action.search) }),
  }
}
