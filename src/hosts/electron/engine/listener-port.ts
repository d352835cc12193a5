import type { ListenerState } from '#contract/models.ts'
import type { EngineView } from './view.ts'

/** Where the listener was last, for an engine that is started again: senders know that address. `given` is that of the command line. */
export function followListenerPort(
  view: Pick<EngineView, 'on' | 'onSnapshot'>,
  given: number | undefined,
): () => number | undefined {
  let port = given
  const take = (listener: ListenerState): void => {
    if (listener.state === 'listening') port = listener.port
  }
  view.on('listener.changed', take)
  view.onSnapshot(({ listener }) => take(listener))
  return () => port
}
