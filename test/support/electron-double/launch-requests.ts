import { app, PreventableEvent } from './app.ts'
import { onAction } from './actions.ts'

// Simulates a launcher on macOS, which can open a URL or file at any time, even before the app is ready.
const handed = (name: 'open-url' | 'open-file', what: string): void =>
  void app.emit(name, new PreventableEvent(), what)
onAction('open-url', ({ url }) => handed('open-url', String(url)))
onAction('open-file', ({ path }) => handed('open-file', String(path)))
const early = process.env['DOUBLE_OPEN_URL']
if (early !== undefined) setTimeout(() => handed('open-url', early))
