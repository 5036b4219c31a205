import { missingPackage } from '../kernel/missing-package.ts'
import type { Postgres } from './connection.ts'

export async function postgresPackage(): Promise<Postgres> {
  try {
    return (await import('postgres')).default
  } catch (error) {
    throw missingPackage('postgres', 'postgres://', error)
  }
}
