// Ends itself in the middle of a migration: node killed-migration.mjs FOLDER first store|first config|upgrade
import { migrations } from '#engine/platform/store/migrations/migrations.ts'
import { prepareStore } from '#engine/app/opening/open-store.ts'

const [folder = '', which] = process.argv.slice(2)
const kill = () => process.kill(process.pid, 'SIGKILL')
const [initial] = migrations
const next = {
  version: migrations.length + 1,
  name: 'test',
  store: (db) => {
    db.exec("ALTER TABLE delivery ADD COLUMN note TEXT NOT NULL DEFAULT 'none'")
    kill()
  },
}
const killing =
  which === 'first store'
    ? { ...initial, store: (db) => (initial?.store?.(db), kill()) }
    : { ...initial, config: (db, schema) => (initial?.config?.(db, schema), kill()) }
prepareStore(folder, 'killed', which === 'upgrade' ? [...migrations, next] : [killing])
