/** Whether the tables of a schema are those of this version. */
export type SchemaState = 'current' | 'older' | 'missing'
