import type { Client } from '../../../platform/client.ts'
import { startFeed } from '../feed.ts'
import { forgetScope } from '../scope/scoped.ts'
import type { Scope } from '../scope/scope.ts'
import { onShownScope, shownScope } from '../scope/scope.ts'
import type { LogFeed } from './log-feed.ts'
import { startLogFeed } from './log-feed.ts'
import type { Visibility } from './visibility.ts'

/** So many logs are kept as they were left; of more, the one that was not shown for the longest is read anew. */
export const logsKept = 5

/** Keeps the live list, and a list for each log that is opened. */
export function startFeeds(client: Client, visibility: Visibility): void {
  startFeed(client, visibility)
  /** Shown last, last. */
  const logs = new Map<number, LogFeed>()

  function show(scope: Scope): void {
    if (scope === null) return
    const feed = logs.get(scope) ?? startLogFeed(client, scope, visibility)
    logs.delete(scope)
    logs.set(scope, feed)
    const oldest = [...logs.keys()].slice(0, Math.max(0, logs.size - logsKept))
    for (const log of oldest) drop(log)
    feed.wake()
  }

  function drop(log: number): void {
    logs.get(log)?.stop()
    logs.delete(log)
    forgetScope(log)
  }

  show(shownScope())
  onShownScope(show)
  visibility.onChange(() => logs.forEach((feed) => feed.wake()))
  client.onReload(() => logs.forEach((feed) => feed.restart()))
  client.onConnection(({ phase }) => {
    if (phase === 'connected') logs.forEach((feed) => feed.reconnected())
  })
  client.on('logs.changed', (view) => {
    const there = new Set(view.logs.map(({ id }) => id))
    // The one that is shown stays: the page says that it was removed.
    for (const log of logs.keys()) if (!there.has(log) && log !== shownScope()) drop(log)
  })
}
