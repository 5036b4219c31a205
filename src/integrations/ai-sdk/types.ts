import type { LanguageModelMiddleware } from 'ai'

/** The SDK's own types, of whichever of its versions is installed. */
export type Middleware = LanguageModelMiddleware
export type GenerateOptions = Parameters<NonNullable<Middleware['wrapGenerate']>>[0]
export type StreamOptions = Parameters<NonNullable<Middleware['wrapStream']>>[0]
export type Params = GenerateOptions['params']
export type Model = GenerateOptions['model']
export type GenerateResult = Awaited<ReturnType<GenerateOptions['doGenerate']>>
export type StreamResult = Awaited<ReturnType<StreamOptions['doStream']>>
export type StreamPart = StreamResult['stream'] extends ReadableStream<infer Element> ? Element : never
export type Content = GenerateResult['content'][number]
export type Message = Params['prompt'][number]

type PartsOf<Speaker> = Extract<Message, { readonly role: Speaker }>['content']
export type Part = Exclude<PartsOf<'user' | 'assistant' | 'tool'>, string>[number]
export type ToolResultPart = Extract<Part, { readonly type: 'tool-result' }>
export type Output = ToolResultPart['output']
export type OutputPart = Extract<Output, { readonly type: 'content' }>['value'][number]
export type Tool = NonNullable<Params['tools']>[number]
export type ProviderOptions = NonNullable<Message['providerOptions']>
export type Usage = GenerateResult['usage']

/** What a part of a call came from. */
export type From =
  | { readonly kind: 'part'; readonly message: Message; readonly part?: Part }
  | { readonly kind: 'output'; readonly output: OutputPart }
  | { readonly kind: 'tool'; readonly tool: Tool }
