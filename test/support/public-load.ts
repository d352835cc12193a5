import { publicAgent, publicRequest } from './public-request.ts'
import { sha256, sign } from './requests.ts'

export interface PublicLoad {
  /** SHA-256 of each body with a 200 response. */
  readonly answered: ReadonlySet<string>
  /** SHA-256 of each sent body, with or without a response. */
  readonly sent: ReadonlySet<string>
  /** Stops, and waits for the last responses. */
  stop(): Promise<void>
}

/** Sends signed deliveries to a public URL, one at a time in each of `lanes`, regardless of failures, until stopped. */
export function publicLoad(
  url: () => string,
  options: {
    /** Part of every body, so that different loads send different bodies. */
    readonly name: string
    readonly lanes: number
    readonly secret: string
    readonly pauseMs: number
  },
): PublicLoad {
  const agent = publicAgent(options.lanes)
  const answered = new Set<string>()
  const sent = new Set<string>()
  let stopped = false
  const lane = async (): Promise<void> => {
    while (!stopped) {
      const body = JSON.stringify({
        type: 'OPEN_TAB',
        targetUuid: `${options.name}-${sent.size}`,
        data: {},
      })
      const hash = sha256(body)
      sent.add(hash)
      const headers = {
        'Content-Type': 'application/json',
        'X-Service-Signature': sign(body, options.secret),
      }
      const status = await publicRequest(url(), { body, headers, agent, timeoutMs: 20_000 }).then(
        (answer) => answer.status,
        // The server is down or failed during the request, so no response is expected.
        () => null,
      )
      if (status === 200) answered.add(hash)
      const pauseMs = status === 200 ? options.pauseMs : 50
      await new Promise((resolve) => setTimeout(resolve, pauseMs))
    }
  }
  const lanes = Promise.all(Array.from({ length: options.lanes }, lane))
  return {
    answered,
    sent,
    stop: async () => {
      stopped = true
      await lanes
      agent.destroy()
    },
  }
}
