import type { RehearsalRequest } from '#contract/rehearsal.ts'
import type { Client } from '#client/client.ts'
import { toastError } from '#kit/toasts.ts'
import { setRehearsal } from '#client/state/rehearsals.ts'

/** Cancels a run. Nothing more is sent. */
export function cancelRun(client: Client, id: number): void {
  client.call('rehearsals.cancel', { id }).then(setRehearsal, toastError)
}

const computed: readonly string[] = ['host', 'content-length']

/** Saves a request of a run as a draft, and opens it in the composer. */
export async function editAndSend(
  client: Client,
  request: RehearsalRequest,
  endpointId: number | null,
): Promise<void> {
  const { id } = await client.call('compose.save', {
    content: {
      origin: { kind: 'empty' },
      endpointId,
      method: request.method,
      url: request.url,
      headers: request.headers.map(([name, value]) => ({
        name,
        value,
        on: true,
        byHand: !computed.includes(name.toLowerCase()),
      })),
      body: { kind: 'bytes', bytes: request.body },
      sign: { how: 'keep' },
      placeholders: false,
    },
  })
  location.assign(`#/send/drafts/${id}`)
}
