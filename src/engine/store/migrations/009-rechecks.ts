import type { Migration } from './migration.ts'

/** Later checks of a signature, and a verdict for signatures that could not be checked for want of a secret. */
export const rechecks: Migration = {
  version: 9,
  name: 'rechecks',
  up: (db) => {
    db.exec(`
      -- Once a delivery was checked again, verdict is what that found, and arrival_verdict what was found at arrival. Null: checked once.
      ALTER TABLE delivery ADD COLUMN arrival_verdict TEXT;
      ALTER TABLE delivery ADD COLUMN rechecked_us INTEGER;
      -- Which secret made it valid then; delivery_content.secret_name says it of the check at arrival.
      ALTER TABLE delivery ADD COLUMN recheck_secret_name TEXT;

      UPDATE delivery SET verdict = 'unchecked' WHERE verdict = 'unsigned' AND EXISTS (
        SELECT 1 FROM delivery_content AS c WHERE c.id = delivery.id
          AND instr(char(10) || lower(c.headers), char(10) || 'x-' || lower(c.brand) || '-signature' || char(10)) > 0
      );
    `)
  },
}
