export {
  artifactPath,
  artifactUri,
  dropArtifact,
  getArtifact,
  holdArtifact,
  listArtifacts,
  mostArtifactBytes,
  putArtifact,
  readArtifactUri,
  storedFinish,
  storedStepPack,
  sweepArtifacts,
} from '../sessions/index.ts'
export type {
  ArtifactChange,
  ArtifactChanger,
  ArtifactHost,
  ArtifactName,
  ArtifactPathParts,
  ArtifactWanted,
  NewArtifact,
  StepStore,
  StoredStepPack,
} from '../sessions/index.ts'
export type { Artifact, ArtifactClass, ArtifactPlace, ArtifactQuery } from '../stores/index.ts'
