export { httpPage } from './api/http-page.ts'
export { openApiDocument } from './api/openapi.ts'
export { readAnswer } from './api/read-answer.ts'
export type { ReadAnswer } from './api/read-answer.ts'
export {
  changeOneKey,
  createKey,
  listAudit,
  listKeys,
  revokeOneKey,
  rotateOneKey,
  showKey,
} from './api/routes/key-routes.ts'
export { listOutcomes, addOutcome } from './api/routes/outcome-routes.ts'
export { listPacks, showPack } from './api/routes/pack-routes.ts'
export { compactNow, handOver, listSessions, showTurns } from './api/routes/session-routes.ts'
export { shownArtifact } from './api/answers/shown-artifact.ts'
export type { ShownArtifact } from './api/answers/shown-artifact.ts'
export { keyNamed, makeKey, mostGraceMs, revokeKey, rotateKey } from './keys/change-keys.ts'
export type { ChangedBy, KeyHost, NewKey, MadeKey, RotatedKey } from './keys/change-keys.ts'
export { weakTokens } from './http/weak-tokens.ts'
export type { WeakToken } from './http/weak-tokens.ts'
export { requireLimitableRoutes } from './api/limitable-routes.ts'
export { findKey } from './keys/find-key.ts'
export type { KeyName, WantedKey } from './keys/find-key.ts'
export { deleteTenant } from './keys/delete-tenant.ts'
export { newProviderKey } from './api/schemas/tenant-settings.ts'
export {
  removeProviderKey,
  rewrapProviderKeys,
  setProviderKey,
  shownProviderKey,
} from './provider-keys/change-provider-keys.ts'
export type { Rewrapped, ShownProviderKey } from './provider-keys/change-provider-keys.ts'
export { keyVault } from './provider-keys/key-vault.ts'
export type { KeyVault } from './provider-keys/key-vault.ts'
export { tryProviderKeys } from './provider-keys/try-provider-keys.ts'
export type { TriedProviderKeys } from './provider-keys/try-provider-keys.ts'
export { changeTenantSettings, storedSettings } from './tenancy/change-tenant-settings.ts'
export type { ShownSettings } from './tenancy/change-tenant-settings.ts'
export { isUpstreamOf, requireTenantSettings } from './tenancy/effective-config.ts'
export { settingsWarnings } from './tenancy/unconfigured-tenant.ts'
export { shownKey } from './keys/shown-key.ts'
export type { ShownKey } from './keys/shown-key.ts'
export { parseConfig } from './config.ts'
export { configurationSchema } from './configuration-schema.ts'
export type { SettingSchema } from './configuration-schema.ts'
export type { GatewayConfig, GatewayConfigInput } from './config.ts'
export { jsonLogger, silentLogger } from './telemetry/logger.ts'
export type { LogFields, Logger } from './telemetry/logger.ts'
export { keepHeapLean } from './upkeep/lean-heap.ts'
export { rememberedBytes } from './threads/thread-crew.ts'
export { openGatewayExtensions } from './extensions/gateway-extensions.ts'
export type { GatewayExtensions } from './extensions/additions.ts'
export { extensionTablesIn, placedModules } from './extensions/load-extensions.ts'
export { openHot } from './configured-hot.ts'
export { openBlobs, tryBlobs } from './configured-blobs.ts'
export type { OpenedBlobs, TriedBlobs } from './configured-blobs.ts'
export { isLoopback } from './http/loopback.ts'
export { openGateway } from './open-gateway.ts'
export type { Gateway } from './open-gateway.ts'
export type { OpenGatewayParts } from './open-gateway-parts.ts'
export { onlyUpstream, providerUpstreams } from './upstream/upstreams.ts'
export { tryEmbeddings } from './embeddings/try-embeddings.ts'
export { tryToolSources } from './tools/try-tool-sources.ts'
export type { TriedToolSource } from './tools/try-tool-sources.ts'
export type { HostTool, HostToolContext } from './tools/sources/host-source.ts'
export type { UpstreamRoute, Upstreams, ProviderUpstreamsOptions } from './upstream/upstreams.ts'
export type {
  CallContext,
  HiddenTool,
  OfferContext,
  RequestContext,
  ToolAnswer,
  ToolContext,
} from '../sessions/index.ts'
export { answered } from './layers/answer.ts'
export type { CollectRequest, Source } from '../sessions/index.ts'
export { outgoingBody } from './exchange/exchange.ts'
export type { Exchange, ExchangeKind, LateRewrite, Restore } from './exchange/exchange.ts'
export type { FactSchema, FactsOf, FactsSchema } from './exchange/facts.ts'
export { inSession } from './layers/find-session.ts'
export { asItCame, rewritten, rewrittenBy } from './exchange/rewriting.ts'
export type { PrepareRewrite, Rewrite } from './exchange/rewriting.ts'
export { pipelineLayers } from './layers/pipeline-layers.ts'
export type { PipelineLayer } from './layers/pipeline-layers.ts'
export type { HostLayer, PlacedLayer, TierLayer } from './layers/host-layer.ts'
export type { Layer, Next } from './exchange/layer.ts'
export type { LabelValues, LayerCounter, LayerHistogram, LayerMetric } from './telemetry/layer-metrics.ts'
export { bodyOf, filtered, streamReply, wholeReply } from './outlet/reply.ts'
export type { Reply, ReplyEnd, ReplyPiece } from './outlet/reply.ts'
export type { OpenFilter, ReplyFilter, ReplyText } from './outlet/reply-filter.ts'
