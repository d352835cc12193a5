// Searches all bodies of a store repeatedly for missing text for some seconds.
import path from 'node:path'
import Database from 'better-sqlite3'

const [dataDir = '', seconds = '10'] = process.argv.slice(2)
const db = new Database(path.join(dataDir, 'tabscope.db'), { readonly: true })
const scan = db.prepare<[string], { n: number }>(
  'SELECT count(*) AS n FROM delivery_content WHERE instr(body, ?1) OR instr(headers, ?1)',
)
const until = performance.now() + Number(seconds) * 1000
while (performance.now() < until) scan.get('no such text in any body')
