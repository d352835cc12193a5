// Loaded before a program (`node --import`): at its end writes which modules it loaded and which threads it started to the file that
// WATCHED_START names.
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
    writeFileSync(process.env['WATCHED_START'], JSON.stringify({ loaded, started })),
  )
}
