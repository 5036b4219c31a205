import type { ScriptAction, ScriptDocument } from './script-document.ts'
import { verbOf } from './script-document.ts'

/** Is told of an action for which the request of a client has no tool. */
export type LeftOut = (action: ScriptAction) => void

/** Tells of each such action once, in a sentence without a full stop. */
export function leftOutOnce({ steps }: ScriptDocument, tell: (sentence: string) => void): LeftOut {
  const told = new Set<ScriptAction>()
  return (action) => {
    if (told.has(action)) return
    told.add(action)
    const step = steps.findIndex((each) => each.do?.includes(action))
    const wanted = action.call === undefined ? `for ${verbOf(action)}` : `named ${action.call}`
    tell(`step ${step + 1} of the script has an action that is left out: the request has no tool ${wanted}`)
  }
}

/** Whether an action may have a tool once the client has shown its working folder. */
export function waitsForFolder({ make, write, edit }: ScriptAction, folder: string): boolean {
  return folder === '' && (make ?? write ?? edit) !== undefined
}
