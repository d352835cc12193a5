import { loopbackService } from './loopback-service.ts'

export interface ReceivedRequest {
  readonly method: string
  readonly target: string
  readonly body: Buffer
}

export interface RecordingServer extends AsyncDisposable {
  readonly port: number
  readonly received: readonly ReceivedRequest[]
}

/** Starts a server on loopback that records requests, and responds with 200 and these bytes. */
export async function recordingServer(answer: Uint8Array): Promise<RecordingServer> {
  const received: ReceivedRequest[] = []
  const service = await loopbackService(({ method, url, body }, response) => {
    received.push({ method, target: url, body })
    response.writeHead(200, { 'Content-Length': answer.byteLength }).end(answer)
  })
  return { ...service, received }
}
