import type { Migration } from './migration.ts'

/** Number of uses of each response rule, so that a rule for "the first 3" remains used up after a restart. */
export const ruleUses: Migration = {
  version: 8,
  name: 'rule-uses',
  up: (db) => {
    db.exec(`
      -- Written with the deliveries that they count, in the same transaction.
      ALTER TABLE response_rule ADD COLUMN met INTEGER NOT NULL DEFAULT 0;
      ALTER TABLE response_rule ADD COLUMN applied INTEGER NOT NULL DEFAULT 0;
    `)
  },
}
