export { extension } from './additions.ts'
export type {
  Additions,
  CommandInvocation,
  Extension,
  ExtensionCommand,
  ExtensionJob,
  ExtensionMetric,
  ExtensionRoute,
  RouteAnswer,
  RouteRequest,
} from './additions.ts'
export type {
  Codec,
  ReplyReader,
  ReplyWriter,
  StreamReducer,
  StreamSplicer,
  WriteView,
  WrittenRequest,
} from '../../codecs/index.ts'
export { extensionTable } from '../../stores/index.ts'
export type { Table, TableView, SqliteTable, PostgresTable, MemoryKernel, Relation } from '../../stores/index.ts'
export type {
  ConfigShape,
  ExtensionHost,
  ExtensionPlace,
  ExtensionValues,
  HeardEvent,
  OwnLadder,
  ConfigResult,
} from '../../sessions/index.ts'
export type { HostLayer, PlacedLayer, TierLayer } from '../layers/host-layer.ts'
export type { Layer, Next } from '../exchange/layer.ts'
export type { CollectRequest, Source } from '../../sessions/index.ts'
export type { Exchange } from '../exchange/exchange.ts'
