// Migrates the store of a folder to a made-up version, which backs it up first: node back-up.mjs FOLDER
import { migrations } from '#engine/platform/store/migrations/migrations.ts'
import { prepareStore } from '#engine/app/opening/open-store.ts'

const next = { version: migrations.length + 1, name: 'test', up: () => undefined }
prepareStore(process.argv[2] ?? '', 'killed', [...migrations, next])
