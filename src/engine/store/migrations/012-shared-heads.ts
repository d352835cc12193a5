import type { Migration } from './migration.ts'

/** Header names, and the values that many deliveries have in common, are stored once, and the content of deliveries refers to them. */
export const sharedHeads: Migration = {
  version: 12,
  name: 'shared-heads',
  up: (db) => {
    db.exec(`
      CREATE TABLE shared_head (
        id INTEGER PRIMARY KEY,
        -- The event type of its deliveries. Empty: none.
        type TEXT NOT NULL,
        http_version TEXT NOT NULL,
        endpoint_name TEXT,
        brand TEXT NOT NULL,
        secret_name TEXT,
        -- A JSON array: [name, value] of each header. A value of null differs between the deliveries.
        headers TEXT NOT NULL,
        -- Added to the length of the values of a delivery, this is the length of its complete headers.
        bytes INTEGER NOT NULL
      ) STRICT;

      -- With a shared head, headers has only the values that differ, joined by line feeds, and the columns of the shared head are empty here.
      -- Without, headers is complete, as it was until this version. No reference: it would cost an index lookup for each delivery.
      ALTER TABLE delivery_content ADD COLUMN head_id INTEGER;
      CREATE INDEX delivery_content_by_head ON delivery_content (head_id) WHERE head_id IS NOT NULL;

      -- The content of deliveries in both forms.
      CREATE VIEW captured_content AS
        SELECT c.id, coalesce(shared_head.http_version, c.http_version) AS http_version, remote_address,
          coalesce(shared_head.endpoint_name, c.endpoint_name) AS endpoint_name,
          coalesce(shared_head.brand, c.brand) AS brand,
          coalesce(shared_head.secret_name, c.secret_name) AS secret_name,
          reason, shared_head.headers AS head, c.headers, trailers, body
        FROM delivery_content AS c LEFT JOIN shared_head ON shared_head.id = c.head_id;

      -- Deliveries after the first ID, up to the second, may not have a shared head yet. They are rewritten step by step, oldest first.
      CREATE TABLE shared_head_progress (
        id INTEGER PRIMARY KEY CHECK (id = 1),
        rewritten_up_to INTEGER NOT NULL,
        rewrite_up_to INTEGER NOT NULL
      ) STRICT;
      INSERT INTO shared_head_progress SELECT 1, 0, coalesce(max(id), 0) FROM delivery_content;

      -- The SHA-256 of the body in half the space; sha256 is then empty. Null: sha256 has it as text, as until this version, or from an event log
      -- where it is something else.
      ALTER TABLE delivery ADD COLUMN digest BLOB;

      -- Deleted text is removed by retention, in small steps, and not all at once while other text is added.
      INSERT INTO delivery_text (delivery_text, rank) VALUES ('deletemerge', 0);
    `)
  },
}
