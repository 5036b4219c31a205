import type { JsonNode, JsonTree } from '../../core/index.ts'

/** A call of a function, or a piece of one, where a JSON text has it. */
export interface CallPlace {
  /** Tells it from the other calls of its reply; pieces of one call have the same. */
  readonly key: string
  /** The string that names the function; pieces behind the first may have none. */
  readonly name?: JsonNode
  readonly arguments?: ArgumentsPlace
  /** It names the function of a result: that has no arguments. */
  readonly isResult?: true
}

export interface ArgumentsPlace {
  readonly node: JsonNode
  /** Whether they stand there as a string of JSON, and not as the object itself. */
  readonly isQuoted: boolean
  /** Whether other pieces may come before or behind. */
  readonly isPiece?: true
}

/** Where a dialect has calls of functions. Calls of free-form tools, and of tools that the provider runs, are none. */
export interface CallPlaces {
  /** The member that holds a call's arguments, where a call has none yet. */
  readonly argumentsMember: string
  /** In the messages of a request, with the results that name a function. */
  inRequest(tree: JsonTree): readonly CallPlace[]
  inReply(tree: JsonTree): readonly CallPlace[]
  /** In the events of one stream in turn. */
  inStream(): (tree: JsonTree) => readonly CallPlace[]
}
