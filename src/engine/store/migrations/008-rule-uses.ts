import type { Migration } from './migration.ts'

/** How often each response rule came up: a rule of "the first 3" that is used up stays so after a restart. */
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
