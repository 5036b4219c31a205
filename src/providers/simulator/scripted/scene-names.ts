import type { ScriptAction } from './script-document.ts'
import { quoted } from './shell-commands.ts'

interface SceneNames {
  /** Files that results have named, in order. */
  readonly files: readonly string[]
  /** The folder that was made for the script; empty where there is none. */
  readonly made: string
}

/**
 * An action with its names filled in: `{file:2}` is the second file that was named, or where there are fewer, one of them again;
 * `{folder}` is the folder that was made. Undefined where it needs that folder and there is none.
 */
export function actionInScene(action: ScriptAction, { files, made }: SceneNames): ScriptAction | undefined {
  const { list, read, run, search, in: place, write, edit } = action
  const shown = [list, read, run, place, write, edit]
  if (made === '' && shown.some((text) => text?.includes('{folder}'))) return undefined
  const named = (text: string): string =>
    text.replaceAll(/\{file:(\d+)\}/g, (_, number: string) => {
      return files[(Number(number) - 1) % Math.max(files.length, 1)] ?? 'README.md'
    })
  const placed = (text: string, folder = made): string => named(text).replaceAll('{folder}', () => folder)
  return {
    ...action,
    ...(list !== undefined && { list: placed(list) }),
    ...(read !== undefined && { read: placed(read) }),
    ...(run !== undefined && { run: placed(run, quoted(made)) }),
    ...(search !== undefined && { search: named(search) }),
    ...(place !== undefined && { in: placed(place) }),
    ...(write !== undefined && { write: placed(write) }),
    ...(edit !== undefined && { edit: placed(edit) }),
  }
}
