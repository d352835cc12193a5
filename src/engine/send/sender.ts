import { Worker } from 'node:worker_threads'
import { connectApi, type ThreadClient } from '../threads/rpc.ts'
import type { SenderApi, SenderEvent, SenderThreadData } from './messages.ts'

export interface Sender {
  readonly api: ThreadClient<SenderApi>
  close(): Promise<void>
}

/** Starts the sender thread. */
export function startSender(
  entry: URL,
  data: SenderThreadData,
  on: { event: (event: SenderEvent) => void; died: (error: Error) => void },
): Sender {
  const worker = new Worker(entry, {
    workerData: data,
    transferList: [data.writer, data.capture],
  })
  const api = connectApi<SenderApi>(worker)
  worker.on('message', (message: SenderEvent | { rpc: string }) => {
    if ('event' in message) on.event(message)
  })
  worker.on('error', on.died)
  return {
    api,
    close: async () => {
      await api.call('stop')
      await worker.terminate()
    },
  }
}
