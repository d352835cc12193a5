// Loaded before a program (`node --import`). When the program exits, writes the loaded modules and started threads to the file
// in the variable RECORD_STARTUP.
import { writeFileSync } from 'node:fs'
import { registerHooks, syncBuiltinESMExports } from 'node:module'
import threads, { isMainThread } from 'node:worker_threads'

if (isMainThread) {
  const loaded = []
  const started = []
  registerHooks({
    load: (url, context, next) => {
      loaded.push(url)
      return next(url, context)
    },
  })
  threads.Worker = class extends threads.Worker {
    constructor(file, options) {
      super(file, options)
      started.push(String(file))
    }
  }
  syncBuiltinESMExports()
  process.on('exit', () =>
    writeFileSync(process.env['RECORD_STARTUP'], JSON.stringify({ loaded, started })),
  )
}
