import type { Page } from 'playwright-core'
import type { CallInput, CallName, CallOutput } from '#contract/calls.ts'
import { portGiven, portWanted } from '#contract/host-messages.ts'

/** Calls the engine as the interface does, over a port that the page received. */
export interface PageClient {
  /** Throws the engine's error message if the call fails. */
  call<N extends CallName>(name: N, input: CallInput<N>): Promise<CallOutput<N>>
}

/** Requests another port from main, as a reloaded page does: the interface then uses that port too. */
export async function openPageClient(page: Page): Promise<PageClient> {
  await page.evaluate(
    async ([request, given]) => {
      const wire = Promise.withResolvers<MessagePort>()
      window.addEventListener('message', ({ data, ports }) => {
        if (data === given && ports[0] !== undefined) wire.resolve(ports[0])
      })
      window.postMessage(request, '*')
      Reflect.set(window, 'testWire', await wire.promise)
    },
    [portWanted, portGiven],
  )
  // Outside the range of IDs that the interface uses on the same port.
  let lastId = 1_000_000
  return {
    async call(name, input) {
      lastId += 1
      return page.evaluate(
        async (call) => {
          const port: MessagePort = Reflect.get(window, 'testWire')
          const reply = Promise.withResolvers<never>()
          port.addEventListener('message', ({ data }) => {
            if (data.kind !== 'reply' || data.id !== call.id) return
            if (data.ok === true) reply.resolve(data.output)
            else reply.reject(new Error(`${data.error.code}: ${data.error.message}`))
          })
          port.postMessage(call)
          return reply.promise
        },
        { kind: 'call', id: lastId, name, input },
      )
    },
  }
}
