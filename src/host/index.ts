export { base64OfBytes, bytesOfBase64 } from './base64.ts'
/** @internal */
export { builtinModule } from './builtin-module.ts'
export { lend, letGo } from './let-go.ts'
export { PassingMap } from './passing-map.ts'
export { randomText } from './random-text.ts'
export { collectAtRest, collectGarbage, tellRest } from './rest.ts'
export { hmacSha256, sha256 } from './sha256.ts'
export { together } from './together.ts'
