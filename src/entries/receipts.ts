export { assemblyReasons, isIntact, compilationTrace, contextPackManifest, serializePack } from '../compiler/index.ts'
export type { AssemblyReason, CompilationTrace, ContextPackManifest, TraceStamp } from '../compiler/index.ts'
