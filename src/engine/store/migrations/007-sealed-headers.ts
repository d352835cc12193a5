import type { Migration } from './migration.ts'

/** Seals the values of custom headers like secrets, since they may be credentials. */
export const sealedHeaders: Migration = {
  version: 7,
  name: 'sealed-headers',
  up: (db) => {
    db.exec(`
      -- The custom headers with their values, as JSON, sealed; custom_headers then has their names alone. Null: custom_headers has all of
      -- them, as in the store of an imported log, or where the engine has not sealed them yet.
      ALTER TABLE endpoint ADD COLUMN sealed_headers BLOB;
    `)
  },
}
