/** What a call does to one file, as far as its arguments tell. */
export type FileAct =
  | FileRead
  /** Replaces a text once, or wherever it stands. */
  | {
      readonly kind: 'edit'
      readonly path: string
      readonly old: string
      readonly text: string
      readonly every: boolean
    }
  | { readonly kind: 'insert'; readonly path: string; readonly after: number; readonly text: string }
  | { readonly kind: 'write'; readonly path: string; readonly text: string }
  | { readonly kind: 'append'; readonly path: string; readonly text: string }
  | { readonly kind: 'remove'; readonly path: string }
  | { readonly kind: 'restore'; readonly path: string }
  | { readonly kind: 'move'; readonly path: string; readonly to: string }
  /** Runs a script, which may change the files that it opens. */
  | { readonly kind: 'run'; readonly path: string }
  /** Changes a file, or any file, in a way that is not known. */
  | { readonly kind: 'touch'; readonly path?: string }

export interface FileRead {
  readonly kind: 'read'
  readonly path: string
  /** The number of the first line that is shown, where it is known. */
  readonly first?: number
  /** The whole file; a part of it; lines that count only where they are numbered. */
  readonly extent: 'whole' | 'part' | 'numbered'
}
