import type { Migration } from './migration.ts'

/** Lists of findings are stored once, and deliveries refer to them. */
export const findingLists: Migration = {
  version: 10,
  name: 'finding-lists',
  up: (db) => {
    db.exec(`
      CREATE TABLE finding_list (
        id INTEGER PRIMARY KEY,
        -- The event type of its deliveries, because kinds belong to a type. Empty: none.
        type TEXT NOT NULL,
        -- A JSON array: [code, place, expected, actual, severity, message] of each finding, without nulls at the end.
        findings TEXT NOT NULL
      ) STRICT;
      CREATE TABLE finding_list_kind (
        kind_id INTEGER NOT NULL REFERENCES finding_kind (id),
        list_id INTEGER NOT NULL REFERENCES finding_list (id) ON DELETE CASCADE,
        PRIMARY KEY (kind_id, list_id)
      ) STRICT, WITHOUT ROWID;
      CREATE INDEX finding_list_kind_by_list ON finding_list_kind (list_id);

      -- With a list, findings is a JSON array of [index, expected, actual] for each finding whose values differ from
      -- those in the list; 0 or nothing: as in the list.
      -- Without, it is an array of objects, as it was until this version. No reference: it would cost an index lookup for each delivery.
      ALTER TABLE delivery ADD COLUMN finding_list_id INTEGER;
      CREATE INDEX delivery_by_finding_list ON delivery (finding_list_id) WHERE finding_list_id IS NOT NULL;

      -- Deliveries up to this id may have findings without a list, with their kinds in delivery_finding. They are rewritten step by step, newest first.
      CREATE TABLE finding_list_progress (
        id INTEGER PRIMARY KEY CHECK (id = 1),
        rewrite_up_to INTEGER NOT NULL
      ) STRICT;
      INSERT INTO finding_list_progress SELECT 1, coalesce(max(id), 0) FROM delivery WHERE findings IS NOT NULL;
    `)
  },
}
