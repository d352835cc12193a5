// A lock made beside a registry mirror that lacks the binaries of other systems leaves them out, and `npm ci` then
// refuses it everywhere. This adds them: version as their package asks for, system and processor as their name says.
// Run it after a dependency was changed; test/unit/lock.test.ts says when it is needed.
import { readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { missingFromLock } from './lock.mjs'

const file = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '../../package-lock.json')
const lock = JSON.parse(readFileSync(file, 'utf8'))
const missing = missingFromLock(lock)
for (const { key, entry } of missing) lock.packages[key] = entry
const names = Object.keys(lock.packages).sort((a, b) => a.localeCompare(b, 'en'))
lock.packages = Object.fromEntries(names.map((name) => [name, lock.packages[name]]))
writeFileSync(file, `${JSON.stringify(lock, null, 2)}\n`)
console.log(`${missing.length} packages added to package-lock.json`)
