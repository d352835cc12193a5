// A lock file created with a registry mirror that lacks the binaries of other systems omits them, and `npm ci` then
// rejects it on all systems. This script adds them, with version from their package, and system and processor from their name.
// Run it after changing a dependency. test/unit/lock.test.ts reports when it is needed.
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
