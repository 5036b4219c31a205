export { createVocabulary, fromCanonical, toCanonical, unify } from '../core/index.ts'
export { compileDocumentSchema, parseCompileDocument, parseCompileText } from '../sessions/index.ts'
export type { CompileDefaults, CompileDocument } from '../sessions/index.ts'
