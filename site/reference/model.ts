/** The part of TypeDoc's model that is read here, as its JSON has it. */
export interface Node {
  readonly id: number
  readonly name: string
  readonly kind: number
  readonly flags: Flags
  readonly comment?: Comment
  readonly children?: readonly Node[]
  readonly signatures?: readonly Node[]
  readonly indexSignatures?: readonly Node[]
  readonly parameters?: readonly Node[]
  readonly typeParameters?: readonly Node[]
  readonly getSignature?: Node
  readonly type?: Type
  /** Of a type parameter or a parameter. */
  readonly default?: Type
  readonly defaultValue?: string
  readonly extendedTypes?: readonly Type[]
  readonly inheritedFrom?: Type
  /** Of a reference: the id of what it stands for. */
  readonly target?: number
}

export interface Flags {
  readonly isOptional?: boolean
  readonly isRest?: boolean
  readonly isReadonly?: boolean
}

export interface Comment {
  readonly summary: readonly CommentPart[]
}

export interface CommentPart {
  readonly kind: string
  readonly text: string
}

/** Members that one form of type has and the others lack are optional, because JSON is read. */
export interface Type {
  readonly type: string
  readonly name?: string
  readonly value?: unknown
  readonly target?: number | Type | object
  readonly typeArguments?: readonly Type[]
  readonly elementType?: Type
  readonly elements?: readonly Type[]
  readonly element?: Type
  readonly isOptional?: boolean
  readonly types?: readonly Type[]
  readonly declaration?: Node
  readonly operator?: string
  readonly queryType?: Type
  readonly objectType?: Type
  readonly indexType?: Type
  readonly checkType?: Type
  readonly extendsType?: Type
  readonly trueType?: Type
  readonly falseType?: Type
  readonly parameter?: string
  readonly parameterType?: Type
  readonly templateType?: Type
  readonly nameType?: Type
  readonly readonlyModifier?: string
  readonly optionalModifier?: string
  readonly asserts?: boolean
  readonly targetType?: Type
  readonly constraint?: Type
  readonly head?: string
  readonly tail?: readonly (readonly [Type, string])[]
}

export interface Project extends Node {
  /** Where each node is declared. */
  readonly symbolIdMap: Readonly<Record<string, { readonly packagePath: string }>>
}

/** As TypeDoc numbers them. */
export const kinds = {
  module: 2,
  namespace: 4,
  variable: 32,
  function: 64,
  class: 128,
  interface: 256,
  constructor: 512,
  typeParameter: 131_072,
  typeAlias: 2_097_152,
  reference: 4_194_304,
} as const
