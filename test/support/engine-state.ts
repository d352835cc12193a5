import { defaultSettings, type Endpoint, type ListenerState } from '#contract/models.ts'
import type { TunnelStateName, TunnelView } from '#contract/tunnel.ts'
import type { EngineState } from '#hosts/electron/engine-mirror.ts'
import { offTunnel } from './sample-tunnels.ts'

const secret = { set: false, ending: null, unavailable: false }
const endpoint: Endpoint = {
  id: 1,
  integrationId: 1,
  name: 'Main',
  slug: 'main',
  secret,
  previousSecret: secret,
  applicationId: '',
  customHeaders: [],
}
export const listening: Extract<ListenerState, { state: 'listening' }> = {
  state: 'listening',
  port: 4780,
  origin: 'http://127.0.0.1:4780',
  since: 0,
  failing: null,
}
export const sampleTunnel = (state: TunnelStateName, url: string | null = null): TunnelView => ({
  ...offTunnel(0),
  state,
  since: 0,
  cause: 'asked',
  reason: '',
  url,
})
/** Of an engine with one endpoint, that listens. */
export const sampleEngineState = (changed: Partial<EngineState> = {}): EngineState => ({
  settings: defaultSettings,
  listener: listening,
  tunnel: sampleTunnel('off'),
  tunnelWasUp: false,
  endpoints: [endpoint],
  ...changed,
})
